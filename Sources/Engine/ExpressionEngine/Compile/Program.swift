import ExpressionSyntax

// source ─Tokenizer▶ … ─Lowering▶ IR ─Compiler▶ [Program] ─VM + Context▶ Value

/// The part of a program that the machine's loop reads without reference counting. It is trivial
/// and lies in the program's memory; its user keeps the program alive.
struct ProgramHeader {
  let code: UnsafePointer<Instruction>
  let constants: UnsafePointer<Slot>
  let attributes: UnsafePointer<AttributeReference>
  let patterns: UnsafePointer<Unmanaged<CompiledRegex>>
  let registerCount: Int
  let rules: ValueRules
  let limits: EvaluationLimits
  /// The fast form, if the program has one.
  let graph: DecisionGraph?
  /// The program itself, for everything outside the loop.
  let program: Unmanaged<Program>
}

/// Compiled code with everything it needs to run, immutable and shareable.
///
/// All trivial data is in one block of memory (``ProgramBlock``), so that the loop reads it without
/// reference counting; `deinit` frees it.
final class Program: Sendable {
  /// The part that the loop reads. It begins the block, which is written once, in `init`.
  nonisolated(unsafe) let header: UnsafeMutablePointer<ProgramHeader>
  /// The memory of constants other than numbers and strings; strings are in the block.
  private let memory: FrozenArena?
  /// The lengths of the arrays in the block.
  let counts: ProgramBlock.Counts
  nonisolated(unsafe) private let handlerStart: UnsafePointer<FailureHandler>
  nonisolated(unsafe) private let spanStart: UnsafePointer<SourceSpan>
  /// For programs with many handlers: the innermost one of each instruction, and the one around
  /// each.
  private let handlerOfInstruction: [UInt32]
  private let outerHandlers: [UInt32]
  let functions: [FunctionDefinition]
  let builtins: [Builtin]
  let hostFunctions: [HostFunctionReference]
  /// The compiled patterns. The block also refers to them, without reference counting.
  let patterns: [CompiledRegex]
  let form: ValueForm

  init(
    code: UnsafeBufferPointer<Instruction>, spans: UnsafeBufferPointer<SourceSpan>,
    handlers: UnsafeBufferPointer<FailureHandler>, registerCount: Int,
    constants: UnsafeBufferPointer<Slot>, attributes: UnsafeBufferPointer<AttributeReference>,
    functions: [FunctionDefinition], hostFunctions: [HostFunctionReference],
    patterns: [CompiledRegex], rules: ValueRules, form: ValueForm, limits: EvaluationLimits,
    graph: (builder: DecisionGraphBuilder, start: Decision.Branch)?, memory: consuming Arena
  ) {
    let keepsArena = constants.contains { $0.borrowsMoreThanText }
    counts = ProgramBlock.Counts(
      code: UInt32(truncatingIfNeeded: code.count), spans: UInt32(truncatingIfNeeded: spans.count),
      handlers: UInt32(truncatingIfNeeded: handlers.count),
      constants: UInt32(truncatingIfNeeded: constants.count),
      attributes: UInt32(truncatingIfNeeded: attributes.count),
      patterns: UInt32(truncatingIfNeeded: patterns.count),
      decisions: UInt32(truncatingIfNeeded: graph?.builder.decisions.count ?? 0),
      sideData: UInt32(truncatingIfNeeded: graph?.builder.sideData.count ?? 0),
      guards: UInt32(truncatingIfNeeded: graph?.builder.guards.count ?? 0),
      guardChunks: UInt32(truncatingIfNeeded: graph?.builder.guardChunks.count ?? 0))
    let textSize = keepsArena ? 0 : ProgramBlock.textSize(constants, attributes)
    let block = ProgramBlock(counts, textSize: textSize)
    block.fill(code, spans, handlers, constants, attributes, patterns)
    if keepsArena {
      self.memory = FrozenArena(memory)
    } else {
      block.adoptTexts(counts)
      self.memory = nil
    }
    header = block.header
    handlerStart = UnsafePointer(block.handlers)
    spanStart = UnsafePointer(block.spans)
    (handlerOfInstruction, outerHandlers) =
      handlers.count > Self.fewHandlers
      ? Self.nesting(of: handlers, codeCount: code.count) : ([], [])
    self.functions = functions
    builtins = functions.map { definition in
      switch definition.form {
      case .function(let builtin): builtin
      case .macro, .overloads: { machine, _ in machine.fail(.unknownFunction) }
      }
    }
    self.hostFunctions = hostFunctions
    self.patterns = patterns
    self.form = form
    header.initialize(
      to: ProgramHeader(
        code: UnsafePointer(block.code), constants: UnsafePointer(block.constants),
        attributes: UnsafePointer(block.attributes), patterns: UnsafePointer(block.patterns),
        registerCount: registerCount, rules: rules, limits: limits,
        graph: graph.map { block.fill($0.builder, start: $0.start) },
        program: Unmanaged.passUnretained(self)))
  }

  deinit { header.deallocate() }

  /// The instructions.
  var code: UnsafePointer<Instruction> { header.pointee.code }
  var codeCount: Int { Int(counts.code) }
  /// The constant pool.
  var constants: UnsafePointer<Slot> { header.pointee.constants }
  var constantCount: Int { Int(counts.constants) }
  /// The names to look up, with their hashes.
  var attributes: UnsafePointer<AttributeReference> { header.pointee.attributes }
  var attributeCount: Int { Int(counts.attributes) }
  /// The number of registers of a frame.
  var registerCount: Int { header.pointee.registerCount }
  var rules: ValueRules { header.pointee.rules }
  /// The handlers, inner ones first: the first one that covers an instruction applies.
  var handlers: UnsafeBufferPointer<FailureHandler> {
    UnsafeBufferPointer(start: handlerStart, count: Int(counts.handlers))
  }
  /// The source of each instruction.
  var spans: UnsafeBufferPointer<SourceSpan> {
    UnsafeBufferPointer(start: spanStart, count: Int(counts.spans))
  }

  /// The approximate number of bytes that the program occupies.
  var approximateByteCount: Int {
    codeCount * MemoryLayout<Instruction>.stride + constantCount * MemoryLayout<Slot>.stride
      + attributeCount * MemoryLayout<AttributeReference>.stride
      + handlers.count * MemoryLayout<FailureHandler>.stride
      + (handlerOfInstruction.count + outerHandlers.count) * MemoryLayout<UInt32>.stride
      + spans.count * MemoryLayout<SourceSpan>.stride
      + Int(counts.decisions) * MemoryLayout<Decision>.stride
      + Int(counts.sideData) * MemoryLayout<Slot>.stride
      + Int(counts.guards) * MemoryLayout<KindGuard>.stride
      + Int(counts.guardChunks) * MemoryLayout<GuardChunk>.stride
  }
}

// MARK: - Handlers

extension Program {
  /// Up to this number, handlers are searched linearly: most programs have one or two, for failures
  /// that rarely happen.
  private static let fewHandlers = 8

  /// Returns the innermost handler of an instruction, or `nil`.
  func handler(at pc: Int) -> Int? {
    guard handlers.count > Self.fewHandlers else {
      return handlers.firstIndex { $0.start <= pc && pc < $0.end }
    }
    guard pc < handlerOfInstruction.count else { return nil }
    let number = handlerOfInstruction[pc]
    return number == .max ? nil : Int(number)
  }

  /// Returns the handler around a handler, or `nil`.
  func handler(around number: Int) -> Int? {
    guard handlers.count > Self.fewHandlers else {
      let inner = handlers[number]
      return handlers[(number + 1)...].firstIndex {
        $0.start <= inner.start && inner.end <= $0.end
      }
    }
    let outer = outerHandlers[number]
    return outer == .max ? nil : Int(outer)
  }

  /// Returns the innermost handler of each instruction, and the enclosing handler of each handler.
  ///
  /// Inner handlers come first, and two handlers are either disjoint or nested.
  private static func nesting(
    of handlers: UnsafeBufferPointer<FailureHandler>, codeCount: Int
  ) -> (ofInstruction: [UInt32], outer: [UInt32]) {
    guard !handlers.isEmpty else { return ([], []) }
    var ofInstruction = [UInt32](repeating: .max, count: codeCount)
    var outer = [UInt32](repeating: .max, count: handlers.count)
    // By start, wide ranges before narrow ones; of equal ones the earlier one is the inner one.
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
