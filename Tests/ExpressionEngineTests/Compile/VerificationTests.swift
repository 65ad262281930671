import ExpressionSyntax
import Testing

@testable import ExpressionEngine

@Suite("Programs that are not sound are refused")
struct VerificationTests {
  /// A program over two registers, one constant, one attribute, and no functions or patterns.
  private static func program(
    _ code: [Instruction], spans: Int? = nil, handlers: [FailureHandler] = []
  ) -> Program {
    var scratch = Arena(firstChunk: 1024)
    var instructions = ArenaArray<Instruction>()
    for instruction in code { instructions.append(instruction, in: &scratch) }
    var rescues = ArenaArray<FailureHandler>()
    for handler in handlers { rescues.append(handler, in: &scratch) }
    let places = ArenaArray(
      repeating: SourceSpan(start: 0, length: 0), count: spans ?? code.count, in: &scratch)
    let constants = ArenaArray(repeating: Slot.null, count: 1, in: &scratch)
    let attributes = ArenaArray(
      repeating: AttributeReference(hash: 0, name: .null, root: 0, rootIsOptional: false),
      count: 1, in: &scratch)
    defer { withExtendedLifetime(scratch) {} }
    return Program(
      code: instructions.elements, spans: places.elements, handlers: rescues.elements,
      registerCount: 2, constants: constants.elements, attributes: attributes.elements,
      functions: [], hostFunctions: [], patterns: [], rules: .superscript, form: .normalized,
      limits: .standard, graph: nil, memory: Arena(firstChunk: 64))
  }

  private static let load = Instruction(.loadConstant, a: 0, wide: 0)
  private static let loop = Instruction(.loopBegin, a: 0, b: 0)
  private static let end = Instruction(.returnValue, a: 0, wide: 0)

  private static let unsound: [(defect: String, code: [Instruction])] = [
    ("no code", []),
    ("an unknown opcode", [Instruction(word: 0xFF), end]),
    ("the first unknown opcode", [Instruction(word: UInt64(OpcodeTable.rows.count)), end]),
    ("a register that is not there", [Instruction(.move, a: 2, b: 0), end]),
    ("a source that is not there", [Instruction(.move, a: 0, b: 2), end]),
    ("a third register that is not there", [Instruction(.compare, a: 0, b: 1, c: 2), end]),
    ("a result in no register", [Instruction(.returnValue, a: 2, wide: 0)]),
    ("a constant that is not there", [Instruction(.loadConstant, a: 0, wide: 1), end]),
    ("a far constant", [Instruction(.loadConstant, a: 0, wide: .max), end]),
    ("a compared constant", [Instruction(.compareConstant, a: 0, b: 0, c: 1), end]),
    ("an attribute that is not there", [Instruction(.loadAttribute, a: 0, wide: 1), end]),
    ("a function that is not there", [Instruction(.call, x: 1, a: 0, b: 0, c: 0), end]),
    ("a host function", [Instruction(.callHost, x: 1, a: 0, b: 0, c: 0), end]),
    ("a pattern that is not there", [Instruction(.callMatches, a: 0, b: 0, c: 0), end]),
    ("a jump past the end", [Instruction(.jump, wide: 2), end]),
    ("a condition that jumps away", [Instruction(.jumpIfTrue, a: 0, wide: 9), end]),
    ("a loop that ends nowhere", [Instruction(.loopNext, a: 0, wide: 2), end]),
    ("no register for the element", [Instruction(.loopBegin, a: 1, b: 0), end]),
    ("no register for the next element", [Instruction(.loopNext, a: 1, wide: 0), end]),
    ("no register for the index", [Instruction(.loopBeginPairs, a: 1, b: 0), end]),
    ("no register for the next value", [Instruction(.loopNextPair, a: 0, wide: 0), end]),
    ("no register for the state of a binding", [Instruction(.force, a: 1, wide: 0), end]),
    ("a jump back that no loop begins", [Instruction(.jump, wide: 0), end]),
    ("a loop that jumps to itself", [load, loop, Instruction(.loopNext, a: 0, wide: 2), end]),
    (
      "a jump back from after the loop",
      [load, loop, Instruction(.loopNext, a: 0, wide: 3), Instruction(.jump, wide: 2), end]
    ),
    ("a register that was not written", [Instruction(.move, a: 0, b: 1), end]),
    ("a result that was not written", [end]),
    ("a next element of no loop", [load, Instruction(.loopNext, a: 0, wide: 1), end]),
    ("a value as a list under construction", [load, Instruction(.append, a: 0, b: 0), end]),
    ("a list under construction as a result", [Instruction(.beginList, a: 0, wide: 1), end]),
    (
      "a map that was built as a list",
      [
        load, Instruction(.beginList, a: 1, wide: 1), Instruction(.append, a: 1, b: 0),
        Instruction(.endMap, a: 1, wide: 0), end,
      ]
    ),
    ("a count of no number", [load, Instruction(.increment, a: 0, wide: 0), end]),
    (
      "a value that needs itself",
      [
        load, Instruction(.loadConstant, a: 1, wide: 0), Instruction(.jump, wide: 5),
        Instruction(.force, a: 0, wide: 3), Instruction(.forced, a: 0, wide: 0),
        Instruction(.force, a: 0, wide: 3), end,
      ]
    ),
    ("a return to nowhere", [load, Instruction(.forced, a: 0, wide: 0)]),
    ("an end that is none", [Instruction(.loadConstant, a: 0, wide: 0)]),
    ("an end that depends", [end, Instruction(.jumpIfTrue, a: 0, wide: 0)]),
  ]

  @Test("each defect is found", arguments: unsound.indices)
  func defects(index: Int) {
    let (defect, code) = Self.unsound[index]
    #expect(throws: Program.Defect.self, "\(defect)") { try Self.program(code).verify() }
  }

  @Test("spans that do not belong to the code are found")
  func spans() {
    #expect(throws: Program.Defect.self) { try Self.program([Self.end], spans: 2).verify() }
  }

  @Test("handlers stay within the code and the frame")
  func handlers() {
    let sound = FailureHandler(start: 2, end: 3, target: 3, rescues: .any, register: 1)
    let code = [
      Self.load, Instruction(.loadConstant, a: 1, wide: 0), Self.load, Self.end,
    ]
    #expect(throws: Never.self) { try Self.program(code, handlers: [sound]).verify() }
    var unsound: [FailureHandler] = []
    for change: (inout FailureHandler) -> Void in [
      { $0.start = 4 }, { $0.end = 5 }, { $0.target = 4 }, { $0.register = 2 },
      // Back, where it could fail again; from where a register has no value; with a result that is
      // a failure.
      { $0.target = 2 }, { $0.start = 0 }, { $0.register = 0 },
    ] {
      var handler = sound
      change(&handler)
      unsound.append(handler)
    }
    for handler in unsound {
      #expect(throws: Program.Defect.self, "\(handler)") {
        try Self.program(code, handlers: [handler]).verify()
      }
    }
  }

  @Test("what the compiler makes is sound, also where calls have many arguments")
  func sound() throws {
    for count in [0, 1, 254, 255, 256, 300] {
      let list = Array(repeating: "n", count: count).joined(separator: ", ")
      let tree = try parse(SourceText("max(\(list))"), dialect: .superscript)
      try Lowering.program(tree, environment: .standard).verify()
    }
  }
}
