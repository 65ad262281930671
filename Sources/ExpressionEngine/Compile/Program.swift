import ExpressionSyntax
import Synchronization

// source ─Tokenizer▶ … ─Lowering▶ IR ─Checker▶ typed IR ─Compiler▶ [Program] ─VM + Context▶ Value

/// What the machine's loop reads of a program, without counting references: it lies in memory of the
/// program and is trivial. Whoever has it keeps the program alive.
struct ProgramHeader {
  let code: UnsafePointer<Instruction>
  let constants: UnsafePointer<Slot>
  let attributes: UnsafePointer<AttributeReference>
  let patterns: UnsafePointer<Unmanaged<CompiledRegex>>
  let registerCount: Int
  let rules: ValueRules
  let limits: EvaluationLimits
  /// The address of the newest ``SpecializedCode``, or 0.
  let specialized: UnsafeMutablePointer<Atomic<UInt>>
  /// Where in a context's roots the packed shapes stand that specialized code depends on.
  let shapesIndex: Int
  /// The program itself, for what the loop does not do.
  let program: Unmanaged<Program>
}

/// Compiled code with everything that running it needs, immutable and shared freely.
///
/// Code, constants and attribute references stand in memory of the program's own, so that the loop
/// reads them without reference counting; `deinit` frees it.
final class Program: Sendable {
  /// The instructions, in memory that is written once, in `init`.
  nonisolated(unsafe) let code: UnsafeMutablePointer<Instruction>
  let codeCount: Int
  /// The constant pool; memory of lists and strings in it belongs to `memory`.
  nonisolated(unsafe) let constants: UnsafeMutablePointer<Slot>
  let constantCount: Int
  /// The names that are looked up, with their hashes.
  nonisolated(unsafe) let attributes: UnsafeMutablePointer<AttributeReference>
  let attributeCount: Int
  private let memory: FrozenArena

  /// The number of registers of a frame.
  let registerCount: Int
  /// Innermost first: the first handler that covers an instruction is the right one.
  let handlers: [FailureHandler]
  private let handlerOfInstruction: [UInt32]
  private let outerHandlers: [UInt32]
  let functions: [FunctionDefinition]
  let builtins: [Builtin]
  let hostFunctions: [HostFunctionReference]
  let patterns: [CompiledRegex]
  /// The same, without reference counting; `patterns` owns them.
  nonisolated(unsafe) private let patternTable: UnsafeMutablePointer<Unmanaged<CompiledRegex>>
  let rules: ValueRules
  let form: ValueForm
  /// The source of each instruction.
  let spans: [SourceSpan]
  /// What the loop reads; written once, at the end of `init`.
  nonisolated(unsafe) let header: UnsafeMutablePointer<ProgramHeader>
  nonisolated(unsafe) private let specialized: UnsafeMutablePointer<Atomic<UInt>>
  /// What is known about specializing the program.
  let specialization = Mutex(SpecializationState())

  init(
    code: [Instruction], spans: [SourceSpan], handlers: [FailureHandler], registerCount: Int,
    constants: [Slot], attributes: [AttributeReference], functions: [FunctionDefinition],
    hostFunctions: [HostFunctionReference], patterns: [CompiledRegex], rules: ValueRules,
    form: ValueForm, limits: EvaluationLimits, memory: FrozenArena
  ) {
    self.code = Self.copy(code)
    codeCount = code.count
    self.constants = Self.copy(constants)
    constantCount = constants.count
    self.attributes = Self.copy(attributes)
    attributeCount = attributes.count
    self.memory = memory
    self.registerCount = registerCount
    self.handlers = handlers
    (handlerOfInstruction, outerHandlers) = Self.nesting(of: handlers, codeCount: code.count)
    self.functions = functions
    builtins = functions.map { definition in
      switch definition.form {
      case .function(let builtin): builtin
      case .macro, .overloads: { machine, _ in machine.fail(.unknownFunction) }
      }
    }
    self.hostFunctions = hostFunctions
    self.patterns = patterns
    patternTable = Self.copy(patterns.map { Unmanaged.passUnretained($0) })
    self.rules = rules
    self.form = form
    self.spans = spans
    specialized = .allocate(capacity: 1)
    specialized.initialize(to: Atomic(0))
    header = .allocate(capacity: 1)
    header.initialize(
      to: ProgramHeader(
        code: UnsafePointer(self.code), constants: UnsafePointer(self.constants),
        attributes: UnsafePointer(self.attributes), patterns: UnsafePointer(patternTable),
        registerCount: registerCount, rules: rules,
        limits: limits, specialized: specialized,
        shapesIndex: ContextStorage.shapesIndex(form), program: Unmanaged.passUnretained(self)))
  }

  private static func copy<T: BitwiseCopyable>(_ array: [T]) -> UnsafeMutablePointer<T> {
    let memory = UnsafeMutablePointer<T>.allocate(capacity: max(array.count, 1))
    for (index, element) in array.enumerated() { (memory + index).initialize(to: element) }
    return memory
  }

  deinit {
    code.deallocate()
    constants.deallocate()
    attributes.deallocate()
    patternTable.deallocate()
    header.deallocate()
    specialized.deinitialize(count: 1)
    specialized.deallocate()
    specialization.withLock { $0.free() }
  }

  /// The number of bytes that the program occupies, roughly.
  var footprint: Int {
    codeCount * MemoryLayout<Instruction>.stride + constantCount * MemoryLayout<Slot>.stride
      + attributeCount * MemoryLayout<AttributeReference>.stride
      + handlers.count * MemoryLayout<FailureHandler>.stride
      + (handlerOfInstruction.count + outerHandlers.count) * MemoryLayout<UInt32>.stride
      + spans.count * MemoryLayout<SourceSpan>.stride
  }
}

// MARK: - Handlers

extension Program {
  /// The innermost handler of an instruction, or `nil`.
  func handler(at pc: Int) -> Int? {
    guard pc < handlerOfInstruction.count else { return nil }
    let number = handlerOfInstruction[pc]
    return number == .max ? nil : Int(number)
  }

  /// The handler around a handler, or `nil`.
  func handler(around number: Int) -> Int? {
    let outer = outerHandlers[number]
    return outer == .max ? nil : Int(outer)
  }

  /// Which handler each instruction has, and which handler each handler stands in.
  ///
  /// Handlers come with the inner ones first, and two of them are apart or one is inside the other.
  private static func nesting(
    of handlers: [FailureHandler], codeCount: Int
  ) -> (ofInstruction: [UInt32], outer: [UInt32]) {
    guard !handlers.isEmpty else { return ([], []) }
    var ofInstruction = [UInt32](repeating: .max, count: codeCount)
    var outer = [UInt32](repeating: .max, count: handlers.count)
    // By start, wide ranges before narrow ones; of equal ones the earlier is the inner one.
    let order = handlers.indices.sorted { a, b in
      let (left, right) = (handlers[a], handlers[b])
      if left.start != right.start { return left.start < right.start }
      return left.end == right.end ? a > b : left.end > right.end
    }
    var open: [Int] = []
    var next = order.startIndex
    for index in 0..<codeCount {
      while let last = open.last, Int(handlers[last].end) <= index { open.removeLast() }
      while next < order.endIndex, Int(handlers[order[next]].start) <= index {
        if Int(handlers[order[next]].end) > index {
          outer[order[next]] = open.last.map { UInt32(truncatingIfNeeded: $0) } ?? .max
          open.append(order[next])
        }
        next += 1
      }
      if let last = open.last { ofInstruction[index] = UInt32(truncatingIfNeeded: last) }
    }
    return (ofInstruction, outer)
  }
}

// MARK: - Verification

extension Program {
  /// What is wrong with a program.
  struct Defect: Error, Equatable, CustomStringConvertible {
    let instruction: Int
    let description: String
  }

  /// Checks that every instruction is known and that every operand is in range.
  ///
  /// The compiler runs it in debug builds; it is the proof that the loop's unchecked reads rest on.
  func verify() throws(Defect) {
    guard codeCount > 0, spans.count == codeCount else {
      throw Defect(instruction: 0, description: "code and spans differ in length")
    }
    for index in 0..<codeCount {
      let instruction = code[index]
      guard let opcode = Opcode(rawValue: instruction.opcodeByte) else {
        throw Defect(instruction: index, description: "unknown opcode")
      }
      let info = OpcodeTable[opcode]
      let operands =
        info.format == .wide
        ? [instruction.a, instruction.wide] : [instruction.a, instruction.b, instruction.c]
      for (operand, role) in zip(operands, info.roles) {
        guard operand < bound(role) else {
          throw Defect(
            instruction: index, description: "\(opcode): operand \(operand) out of range")
        }
      }
      let behind = opcode.registersBehindFirst
      if behind > 0, instruction.a + behind >= registerCount {
        throw Defect(instruction: index, description: "no register behind the first one")
      }
      if opcode == .raise, instruction.wide > constantCount {
        throw Defect(instruction: index, description: "no constant to name")
      }
      if opcode == .loadDeclared, index + 2 >= codeCount {
        throw Defect(instruction: index, description: "nothing to skip to")
      }
      if opcode == .call || opcode == .callHost,
        instruction.b + (instruction.x == .max ? 1 : Int(instruction.x)) > registerCount
      {
        throw Defect(instruction: index, description: "arguments outside the frame")
      }
    }
    // Execution never runs off the end.
    switch code[codeCount - 1].opcode {
    case .returnValue, .jump, .raise: break
    default: throw Defect(instruction: codeCount - 1, description: "the code has no end")
    }
    for handler in handlers {
      guard handler.start <= handler.end, handler.end <= codeCount, handler.target < codeCount,
        Int(handler.register ?? 0) < max(registerCount, 1)
      else { throw Defect(instruction: Int(handler.start), description: "handler out of range") }
    }
  }

  private func bound(_ role: OperandRole) -> Int {
    switch role {
    case .unused, .number: .max
    // Only specialized code has places, and it is made from verified code.
    case .place: 0
    case .target, .source, .update: registerCount
    case .constant: constantCount
    case .attribute: attributeCount
    case .function: functions.count
    case .hostFunction: hostFunctions.count
    case .pattern: patterns.count
    case .label: codeCount
    }
  }
}
