/// The instructions of the machine, in the order of the loop's switch. ``OpcodeTable`` describes
/// each one and the packing of its operands.
enum Opcode: UInt8, CaseIterable, Sendable {
  case returnValue
  case loadConstant
  case move
  case loadVariable
  case loadAttribute
  case loadMember
  case loadElement
  case compare
  case compareConstant
  case compareReadings
  case membership
  case membershipConstant
  case memberOfSet
  case add
  case subtract
  case multiply
  case divide
  case remainder
  case addConstant
  case subtractConstant
  case multiplyConstant
  case divideConstant
  case remainderConstant
  case negate
  case requireNumber
  case not
  case truth
  case conjoin
  case requireBool
  case jump
  case jumpIfTrue
  case jumpIfFalse
  case jumpIfExactlyTrue
  case jumpIfExactlyFalse
  case beginList
  case append
  case endList
  case insert
  case endMap
  case call
  case callHost
  case callMatches
  case callStartsWith
  case callEndsWith
  case loopBegin
  case loopNext
  case countIfTrue
  case expect
  case raise
  case reraise
  case overlay
  case absorbReferences
  case increment
  case isOne
  case loadDeclared
  case loopBeginPairs
  case loopNextPair
  case appendOptional
  case insertOptional
  case insertEntries
  case force
  case forced
}

/// The layout of the 56 bits after the opcode.
enum OperandFormat: Sendable {
  /// `x`: 8 bits, `a`, `b`, `c`: 16 bits each.
  case registers
  /// `x`: 8 bits, `a`: 16 bits, `wide`: 32 bits.
  case wide
}

/// The role of an operand, for the disassembler and for ``Program/verify()``.
enum OperandRole: Sendable {
  case unused
  /// A register that is written.
  case target
  /// A register that is read.
  case source
  /// A register that is read and written.
  case update
  case constant
  case attribute
  case function
  case hostFunction
  case pattern
  case label
  case number
}

/// The effects that an instruction may have besides writing its registers.
struct OpcodeEffects: OptionSet, Sendable {
  let rawValue: UInt8

  /// It may fail, with a new failure or a stored one.
  static let fails = OpcodeEffects(rawValue: 1 << 0)
  /// It may allocate memory of the machine's arena.
  static let allocates = OpcodeEffects(rawValue: 1 << 1)
  /// It may continue at an instruction other than the next one.
  static let jumps = OpcodeEffects(rawValue: 1 << 2)
  /// It never continues at the next instruction.
  static let ends = OpcodeEffects(rawValue: 1 << 3)
  /// It consumes a step of the budget for loops.
  static let steps = OpcodeEffects(rawValue: 1 << 4)
}

/// The part of the machine that executes an instruction.
enum OpcodeSite: Sendable {
  /// `VM.loop`, whatever the operands are. The instruction never fails.
  case loop
  /// `VM.loop` for the most frequent operands, `VM.step` for all others.
  case loopOrStep
  /// `VM.step`.
  case step
}

/// One row of the ``OpcodeTable``.
struct OpcodeInfo: Sendable {
  let opcode: Opcode
  let site: OpcodeSite
  let format: OperandFormat
  /// The roles of `a`, `b`, `c`, or of `a` and `wide`.
  let roles: [OperandRole]
  let effects: OpcodeEffects
  /// The possible kinds of the target afterwards.
  let result: SlotKinds
  /// The number of registers after `a` that the instruction uses implicitly.
  let extraRegisters: Int
  /// A one-line description of its effect, naming its operands.
  let summary: String
}

/// The table of opcodes that the compiler, disassembler, verifier and documentation share.
enum OpcodeTable {
  static subscript(opcode: Opcode) -> OpcodeInfo { rows[Int(opcode.rawValue)] }

  /// One row per opcode, in the order of the raw values; a test checks that they agree.
  static let rows: [OpcodeInfo] = [
    wide(.returnValue, .source, .unused, may: [.ends], in: .loop, "ends the program with a"),
    wide(.loadConstant, .target, .constant, in: .loop, "a = constant"),
    three(.move, .target, .source, .unused, in: .loop, "a = b"),
    wide(
      .loadVariable, .target, .attribute, may: .fails, in: .loopOrStep,
      "a = the variable; fails when undeclared"),
    wide(
      .loadAttribute, .target, .attribute, may: [.fails, .allocates],
      in: .loopOrStep, "a = root.name; x: null or failure when missing"),
    wide(
      .loadMember, .update, .attribute, may: [.fails, .allocates],
      in: .loopOrStep, "a = a.name; x: null or failure when missing"),
    three(.loadElement, .target, .source, .source, may: [.fails, .allocates], "a = b[c]"),
    three(
      .compare, .target, .source, .source, may: .fails, gives: .bool, in: .loopOrStep,
      "a = b op c; x: op"),
    three(
      .compareConstant, .target, .source, .constant, may: .fails, gives: .bool,
      in: .loopOrStep, "a = b op constant; x: op"),
    three(
      .compareReadings, .target, .source, .constant, gives: .bool,
      "a = b == or != text or number; x: op"),
    three(.membership, .target, .source, .source, may: .fails, gives: .bool, "a = b in c"),
    three(
      .membershipConstant, .target, .source, .constant, may: .fails, gives: .bool,
      "a = b in constant list"),
    three(.memberOfSet, .target, .source, .constant, gives: .bool, "a = b in constant set"),
    three(
      .add, .target, .source, .source, may: [.fails, .allocates], in: .loopOrStep, "a = b + c"),
    three(.subtract, .target, .source, .source, may: .fails, in: .loopOrStep, "a = b - c"),
    three(.multiply, .target, .source, .source, may: .fails, in: .loopOrStep, "a = b * c"),
    three(.divide, .target, .source, .source, may: .fails, "a = b / c"),
    three(.remainder, .target, .source, .source, may: .fails, "a = b % c"),
    three(
      .addConstant, .target, .source, .constant, may: [.fails, .allocates], in: .loopOrStep,
      "a = b + constant"),
    three(
      .subtractConstant, .target, .source, .constant, may: .fails, in: .loopOrStep,
      "a = b - constant"),
    three(
      .multiplyConstant, .target, .source, .constant, may: .fails, in: .loopOrStep,
      "a = b * constant"),
    three(
      .divideConstant, .target, .source, .constant, may: .fails, in: .loopOrStep, "a = b / constant"
    ),
    three(.remainderConstant, .target, .source, .constant, may: .fails, "a = b % constant"),
    three(.negate, .target, .source, .unused, may: .fails, gives: [.int, .double], "a = -b"),
    wide(.requireNumber, .source, .unused, may: .fails, "fails unless a is a number"),
    three(
      .not, .target, .source, .unused, may: .fails, gives: .bool,
      "a = the opposite truth of b; x: 1 fails unless b is a bool"),
    three(.truth, .target, .source, .unused, gives: .bool, in: .loop, "a = the truth of b"),
    three(.conjoin, .update, .source, .unused, gives: .bool, in: .loop, "a = a and the truth of b"),
    wide(.requireBool, .source, .unused, may: .fails, "fails unless a is a bool"),
    wide(.jump, .unused, .label, may: [.jumps, .ends], in: .loop, "continues at label"),
    wide(
      .jumpIfTrue, .source, .label, may: .jumps, in: .loop, "continues at label if a counts as true"
    ),
    wide(
      .jumpIfFalse, .source, .label, may: .jumps, in: .loop,
      "continues at label if a counts as false"),
    wide(
      .jumpIfExactlyTrue, .source, .label, may: .jumps, in: .loop, "continues at label if a is true"
    ),
    wide(
      .jumpIfExactlyFalse, .source, .label, may: .jumps, in: .loop,
      "continues at label if a is false"),
    wide(
      .beginList, .target, .number, may: [.fails, .allocates],
      "a = an empty list or map under construction"),
    three(
      .append, .update, .source, .unused, may: [.fails, .allocates],
      in: .loopOrStep, "adds b to the list under construction a"),
    wide(
      .endList, .update, .unused, may: [.fails, .allocates], gives: .list, "a = the finished list"),
    three(
      .insert, .update, .source, .source, may: [.fails, .allocates],
      "adds key b and value c to the map under construction a"),
    wide(
      .endMap, .update, .unused, may: [.fails, .allocates], gives: .map, "a = the finished map"),
    three(
      .call, .target, .source, .function, may: [.fails, .allocates],
      "a = function(b ...); x: number of arguments"),
    three(
      .callHost, .target, .source, .hostFunction, may: [.fails, .allocates],
      "a = host function(b ...); x: number of arguments"),
    three(
      .callMatches, .target, .source, .pattern, may: .fails, gives: .bool, "a = b matches pattern"),
    three(
      .callStartsWith, .target, .source, .constant, may: .fails, gives: .bool,
      in: .loopOrStep, "a = b starts with constant"),
    three(
      .callEndsWith, .target, .source, .constant, may: .fails, gives: .bool,
      in: .loopOrStep, "a = b ends with constant"),
    three(
      .loopBegin, .target, .source, .unused, may: [.fails, .allocates], extraRegisters: 1,
      in: .loopOrStep, "a = the start of list or map b; x: 1 takes maps"),
    wide(
      .loopNext, .update, .label, may: [.fails, .jumps, .steps], extraRegisters: 1,
      in: .loopOrStep, "puts the next element of a in the register after a, or continues at label"),
    three(
      .countIfTrue, .update, .source, .unused, gives: .int, in: .loop, "a = a + 1 if b is true"),
    wide(
      .expect, .source, .number, may: .fails, "fails with code x unless a is of the given kinds"),
    wide(
      .raise, .unused, .number, may: [.fails, .ends],
      "fails with code x, about the constant number - 1 if above 0"),
    wide(
      .reraise, .source, .unused, may: .fails, "fails again with the failure in a, if there is one"),
    three(
      .overlay, .target, .source, .source, may: [.fails, .allocates], "a = the map b over the map c"
    ),
    wide(
      .absorbReferences, .target, .unused, may: .fails,
      "a = null if the failure was a missing reference, else fails again"),
    wide(.increment, .update, .unused, gives: .int, in: .loop, "a = a + 1, for counting"),
    wide(.isOne, .update, .unused, gives: .bool, "a = whether the count a is one"),
    wide(
      .loadDeclared, .target, .attribute, may: .jumps,
      "a = the variable; skips an instruction when undeclared"),
    three(
      .loopBeginPairs, .target, .source, .unused, may: [.fails, .allocates], extraRegisters: 1,
      "a = the start of list or map b, for pairs"),
    wide(
      .loopNextPair, .update, .label, may: [.fails, .jumps, .steps], extraRegisters: 2,
      "puts index or key and value in the registers after a, or continues at label"),
    three(
      .appendOptional, .update, .source, .unused, may: [.fails, .allocates],
      "adds the content of b, if any, to the list under construction a"),
    three(
      .insertOptional, .update, .source, .source, may: [.fails, .allocates],
      "adds key b with the content of c, if any, to the map under construction a"),
    three(
      .insertEntries, .update, .source, .unused, may: [.fails, .allocates],
      "adds the entries of map b to the map under construction a"),
    wide(
      .force, .update, .label, may: [.fails, .jumps], extraRegisters: 1,
      "evaluates a by the code at label unless that was done; fails if it failed"),
    wide(
      .forced, .update, .unused, may: [.jumps, .ends], extraRegisters: 1,
      "marks a as evaluated and returns to where it was needed"),
  ]

  private static func wide(
    _ opcode: Opcode, _ a: OperandRole, _ wide: OperandRole, may effects: OpcodeEffects = [],
    gives result: SlotKinds = .any, extraRegisters: Int = 0, in site: OpcodeSite = .step,
    _ summary: String
  ) -> OpcodeInfo {
    OpcodeInfo(
      opcode: opcode, site: site, format: .wide, roles: [a, wide], effects: effects, result: result,
      extraRegisters: extraRegisters, summary: summary)
  }

  private static func three(
    _ opcode: Opcode, _ a: OperandRole, _ b: OperandRole, _ c: OperandRole,
    may effects: OpcodeEffects = [], gives result: SlotKinds = .any, extraRegisters: Int = 0,
    in site: OpcodeSite = .step, _ summary: String
  ) -> OpcodeInfo {
    OpcodeInfo(
      opcode: opcode, site: site, format: .registers, roles: [a, b, c], effects: effects,
      result: result,
      extraRegisters: extraRegisters, summary: summary)
  }
}
