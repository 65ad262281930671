/// The instructions of the machine. The order is that of the loop's switch; ``OpcodeTable`` tells what
/// each of them does and how its operands are packed.
enum Opcode: UInt8, CaseIterable, Sendable {
  case returnValue
  case loadConstant
  case move
  case loadVariable
  case loadAttribute
  case loadMember
  case loadElement
  case compareAttributeInt
  case compareAttributeString
  case orderAttributeString
  case compareAttributeReadings
  case compareAttributeBool
  case compareAttribute
  case attributeInConstant
  case attributeInSet
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
  case jumpIfEmpty
  case countIfTrue
  case scanConstant
  case scanMembership
  case expect
  case raise
  case reraise
  case overlay
  case absorbReferences
  case increment
  case isOne
  case settle
  case loadDeclared
  case loopBeginPairs
  case loopNextPair
  case appendOptional
  case insertOptional
  case insertEntries
  case force
  case forced
  case loadPlace
  case loadNull
  case comparePlaceInt
  case comparePlaceDouble
  case comparePlaceString
  case orderPlaceString
  case comparePlaceReadings
  case comparePlaceBool
  case placeInSet
  case placeInList
  case setBool
}

extension Opcode {
  /// How many registers behind its first one the instruction uses without naming them.
  var registersBehindFirst: Int {
    switch self {
    case .loopBegin, .loopNext, .loopBeginPairs, .force, .forced: 1
    case .loopNextPair: 2
    default: 0
    }
  }
}

/// How the 56 bits behind the opcode are used.
enum OperandFormat: Sendable {
  /// `x`: 8 bits, `a`, `b`, `c`: 16 bits each.
  case registers
  /// `x`: 8 bits, `a`: 16 bits, `wide`: 32 bits.
  case wide
}

/// What an operand names, for the disassembler and for ``Program/verify()``.
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
  /// A root and the number of an entry in it; see ``Place``.
  case place
  case label
  case number
}

/// One row of the ``OpcodeTable``.
struct OpcodeInfo: Sendable {
  let opcode: Opcode
  let format: OperandFormat
  /// The roles of `a`, `b`, `c`, or of `a` and `wide`.
  let roles: [OperandRole]
  /// What it does, in one line, naming its operands.
  let summary: String
}

/// The one table of opcodes; compiler, disassembler, verifier and documentation read from it.
enum OpcodeTable {
  static subscript(opcode: Opcode) -> OpcodeInfo { rows[Int(opcode.rawValue)] }

  /// One row per opcode, in the order of the raw values; a test holds the two together.
  static let rows: [OpcodeInfo] = [
    wide(.returnValue, .source, .unused, "ends the program with a"),
    wide(.loadConstant, .target, .constant, "a = constant"),
    three(.move, .target, .source, .unused, "a = b"),
    wide(.loadVariable, .target, .attribute, "a = the variable; fails when undeclared"),
    wide(.loadAttribute, .target, .attribute, "a = root.name; x: null or failure when missing"),
    wide(.loadMember, .update, .attribute, "a = a.name; x: null or failure when missing"),
    three(.loadElement, .target, .source, .source, "a = b[c]"),
    three(
      .compareAttributeInt, .target, .attribute, .constant,
      "a = attribute op int; x: op, and, missing"),
    three(.compareAttributeString, .target, .attribute, .constant, "a = attribute == or != string"),
    three(.orderAttributeString, .target, .attribute, .constant, "a = attribute op string"),
    three(
      .compareAttributeReadings, .target, .attribute, .constant,
      "a = attribute == or != text or number"),
    three(.compareAttributeBool, .target, .attribute, .constant, "a = attribute == or != bool"),
    three(.compareAttribute, .target, .attribute, .constant, "a = attribute op constant"),
    three(.attributeInConstant, .target, .attribute, .constant, "a = attribute in constant list"),
    three(.attributeInSet, .target, .attribute, .constant, "a = attribute in constant set"),
    three(.compare, .target, .source, .source, "a = b op c; x: op"),
    three(.compareConstant, .target, .source, .constant, "a = b op constant; x: op"),
    three(.compareReadings, .target, .source, .constant, "a = b == or != text or number; x: op"),
    three(.membership, .target, .source, .source, "a = b in c"),
    three(.membershipConstant, .target, .source, .constant, "a = b in constant list"),
    three(.memberOfSet, .target, .source, .constant, "a = b in constant set"),
    three(.add, .target, .source, .source, "a = b + c"),
    three(.subtract, .target, .source, .source, "a = b - c"),
    three(.multiply, .target, .source, .source, "a = b * c"),
    three(.divide, .target, .source, .source, "a = b / c"),
    three(.remainder, .target, .source, .source, "a = b % c"),
    three(.addConstant, .target, .source, .constant, "a = b + constant"),
    three(.subtractConstant, .target, .source, .constant, "a = b - constant"),
    three(.multiplyConstant, .target, .source, .constant, "a = b * constant"),
    three(.divideConstant, .target, .source, .constant, "a = b / constant"),
    three(.remainderConstant, .target, .source, .constant, "a = b % constant"),
    three(.negate, .target, .source, .unused, "a = -b"),
    wide(.requireNumber, .source, .unused, "fails unless a is a number"),
    three(
      .not, .target, .source, .unused, "a = the opposite truth of b; x: 1 fails unless b is a bool"),
    three(.truth, .target, .source, .unused, "a = the truth of b"),
    three(.conjoin, .update, .source, .unused, "a = a and the truth of b"),
    wide(.requireBool, .source, .unused, "fails unless a is a bool"),
    wide(.jump, .unused, .label, "continues at label"),
    wide(.jumpIfTrue, .source, .label, "continues at label if a counts as true"),
    wide(.jumpIfFalse, .source, .label, "continues at label if a counts as false"),
    wide(.jumpIfExactlyTrue, .source, .label, "continues at label if a is true"),
    wide(.jumpIfExactlyFalse, .source, .label, "continues at label if a is false"),
    wide(.beginList, .target, .number, "a = an empty list or map under construction"),
    three(.append, .update, .source, .unused, "adds b to the list under construction a"),
    wide(.endList, .update, .unused, "a = the finished list"),
    three(
      .insert, .update, .source, .source, "adds key b and value c to the map under construction a"),
    wide(.endMap, .update, .unused, "a = the finished map"),
    three(.call, .target, .source, .function, "a = function(b ...); x: number of arguments"),
    three(
      .callHost, .target, .source, .hostFunction, "a = host function(b ...); x: number of arguments"
    ),
    three(.callMatches, .target, .source, .pattern, "a = b matches pattern"),
    three(.callStartsWith, .target, .source, .constant, "a = b starts with constant"),
    three(.callEndsWith, .target, .source, .constant, "a = b ends with constant"),
    three(.loopBegin, .target, .source, .unused, "a = the start of list or map b; x: 1 takes maps"),
    wide(.loopNext, .update, .label, "puts the next element of a behind a, or continues at label"),
    wide(.jumpIfEmpty, .source, .label, "continues at label if loop a has no element left"),
    three(.countIfTrue, .update, .source, .unused, "a = a + 1 if b is true"),
    three(
      .scanConstant, .target, .update, .constant,
      "a = the loop b over: element op constant; x: op, kind"),
    three(.scanMembership, .target, .update, .source, "a = the loop b over: element in c; x: kind"),
    wide(.expect, .source, .number, "fails with code x unless a is of the given kinds"),
    wide(.raise, .unused, .number, "fails with code x, about the constant number - 1 if above 0"),
    wide(.reraise, .source, .unused, "fails again with the failure in a, if there is one"),
    three(.overlay, .target, .source, .source, "a = the map b over the map c"),
    wide(
      .absorbReferences, .target, .unused,
      "a = null if the failure was a missing reference, else fails again"),
    wide(.increment, .update, .unused, "a = a + 1, for counting"),
    wide(.isOne, .update, .unused, "a = whether the count a is one"),
    three(
      .settle, .source, .source, .unused,
      "fails again with the failure in b, if any, unless a is false"),
    wide(
      .loadDeclared, .target, .attribute, "a = the variable; skips an instruction when undeclared"),
    three(.loopBeginPairs, .target, .source, .unused, "a = the start of list or map b, for pairs"),
    wide(
      .loopNextPair, .update, .label, "puts index or key and value behind a, or continues at label"),
    three(
      .appendOptional, .update, .source, .unused,
      "adds the content of b, if any, to the list under construction a"),
    three(
      .insertOptional, .update, .source, .source,
      "adds key b with the content of c, if any, to the map under construction a"),
    three(
      .insertEntries, .update, .source, .unused,
      "adds the entries of map b to the map under construction a"),
    wide(
      .force, .update, .label,
      "evaluates a by the code at label unless that was done; fails if it failed"),
    wide(.forced, .update, .unused, "marks a as evaluated and returns to where it was needed"),
    three(
      .loadPlace, .target, .place, .unused,
      "a = the value at a place; specialized code only, as all below"),
    wide(.loadNull, .target, .unused, "a = null"),
    three(
      .comparePlaceInt, .target, .place, .constant, "a = int at place op int; x: op, and, skip"),
    three(.comparePlaceDouble, .target, .place, .constant, "a = double at place op number"),
    three(.comparePlaceString, .target, .place, .constant, "a = string at place == or != string"),
    three(.orderPlaceString, .target, .place, .constant, "a = string at place op string"),
    three(.comparePlaceReadings, .target, .place, .constant, "a = string at place == or != text"),
    three(.comparePlaceBool, .target, .place, .constant, "a = bool at place == or != bool"),
    three(.placeInSet, .target, .place, .constant, "a = string at place in constant set"),
    three(.placeInList, .target, .place, .constant, "a = string at place in constant list"),
    wide(.setBool, .target, .number, "a = number as a bool; x: and, skip"),
  ]

  private static func wide(
    _ opcode: Opcode, _ a: OperandRole, _ wide: OperandRole, _ summary: String
  ) -> OpcodeInfo {
    OpcodeInfo(opcode: opcode, format: .wide, roles: [a, wide], summary: summary)
  }

  private static func three(
    _ opcode: Opcode, _ a: OperandRole, _ b: OperandRole, _ c: OperandRole, _ summary: String
  ) -> OpcodeInfo {
    OpcodeInfo(opcode: opcode, format: .registers, roles: [a, b, c], summary: summary)
  }
}
