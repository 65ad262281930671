import ExpressionSyntax
import FilterCorpus
import TestSupport
import Testing

@testable import ExpressionEngine

@Suite("Instructions do what their rows say")
struct OpcodeEffectTests {
  private static func generated(_ count: Int) -> [ProgramSample] {
    (0..<count).flatMap { ProgramSample.generated(seed: UInt64(1_000_000 + $0)) }
  }

  private static func corpus() throws -> [ProgramSample] {
    try ProgramSample.corpus(["superscript", "cel"])
  }

  @Test("failures come from instructions that may fail, memory from those that may allocate")
  func effects() throws {
    let (failures, unallocated, mistakes) = try onThread(stack: 256 << 20) {
      var result = (failures: 0, unallocated: 0, mistakes: [String]())
      for sample in (try? Self.corpus()) ?? [] { Self.check(sample, &result) }
      for sample in Self.generated(3_000) { Self.check(sample, &result) }
      return result
    }
    for mistake in mistakes.prefix(20) { Issue.record("\(mistake)") }
    #expect(failures > 3_000)
    #expect(unallocated > 300)
  }

  private static func check(
    _ sample: ProgramSample, _ result: inout (failures: Int, unallocated: Int, mistakes: [String])
  ) {
    let program = sample.program
    let opcodes = (0..<program.codeCount).map { program.code[$0].opcode }
    // A failure that an operator may absorb is kept in memory of the machine.
    let mayAllocate =
      opcodes.contains { OpcodeTable[$0].effects.contains(.allocates) }
      || program.handlers.contains { $0.register != nil }
    for context in sample.contexts {
      var machine = Machine(UnsafePointer(program.header))
      let value = VM.run(UnsafePointer(program.header), context.context.storage, &machine)
      if value.isA(.error) {
        result.failures += 1
        for number in [machine.failure.instruction, machine.instruction] {
          let opcode = opcodes[Int(number)]
          if !OpcodeTable[opcode].effects.contains(.fails) {
            result.mistakes.append("`\(sample.text)` over \(context.name): \(opcode) fails")
          }
        }
      }
      if !mayAllocate {
        result.unallocated += 1
        if machine.arena.used > 0 {
          result.mistakes.append("`\(sample.text)` over \(context.name) allocates: \(opcodes)")
        }
      }
    }
  }

  @Test("results are of the kinds that the rows say")
  func results() throws {
    let (checked, mistakes) = try onThread(stack: 256 << 20) {
      var checked: [Opcode: Int] = [:]
      var mistakes: [String] = []
      for sample in Self.generated(400) {
        for index in 0..<sample.program.codeCount {
          Self.checkResult(of: index, in: sample, &checked, &mistakes)
        }
      }
      return (checked, mistakes)
    }
    for mistake in mistakes.prefix(20) { Issue.record("\(mistake)") }
    #expect(checked.count >= 15, "\(checked)")
  }

  /// Runs the program with an end after the instruction, and no other end that is no failure.
  private static func checkResult(
    of index: Int, in sample: ProgramSample, _ checked: inout [Opcode: Int],
    _ mistakes: inout [String]
  ) {
    let program = sample.program
    let opcode = program.code[index].opcode
    let info = OpcodeTable[opcode]
    guard info.result != .any, info.effects.isDisjoint(with: [.jumps, .ends]),
      !labels(of: program).contains(index + 1), index + 1 < program.codeCount - 1
    else { return }
    var code = (0..<program.codeCount).map { program.code[$0] }
    for number in code.indices where code[number].opcode == .returnValue {
      code[number] = Instruction(.raise, x: FailureCode.unsupportedConstruct.rawValue, wide: 0)
    }
    code[index + 1] = Instruction(
      .returnValue, a: UInt16(truncatingIfNeeded: code[index].a), wide: 0)
    let patched = code.withUnsafeBufferPointer { code in
      Program(
        code: code, spans: program.spans, handlers: program.handlers,
        registerCount: program.registerCount,
        constants: UnsafeBufferPointer(start: program.constants, count: program.constantCount),
        attributes: UnsafeBufferPointer(start: program.attributes, count: program.attributeCount),
        functions: program.functions, hostFunctions: program.hostFunctions,
        patterns: program.patterns, rules: program.rules, form: program.form,
        limits: program.header.pointee.limits, graph: nil, memory: Arena(firstChunk: 64))
    }
    for context in sample.contexts {
      var machine = Machine(UnsafePointer(patched.header))
      let value = VM.run(UnsafePointer(patched.header), context.context.storage, &machine)
      if value.isA(.error) { continue }
      checked[opcode, default: 0] += 1
      if !info.result.contains(tagOf: value) {
        mistakes.append("`\(sample.text)` over \(context.name): \(opcode) gives \(value.tag)")
      }
    }
    withExtendedLifetime((program, patched)) {}
  }

  /// Where code continues that does not come from the instruction before.
  private static func labels(of program: Program) -> Set<Int> {
    var result = Set(program.handlers.map { Int($0.target) })
    for index in 0..<program.codeCount {
      let instruction = program.code[index]
      let info = OpcodeTable[instruction.opcode]
      if info.format == .wide, info.roles[1] == .label { result.insert(instruction.wide) }
      if instruction.opcode == .loadDeclared { result.insert(index + 2) }
      if instruction.opcode == .force { result.insert(index) }
    }
    return result
  }
}
