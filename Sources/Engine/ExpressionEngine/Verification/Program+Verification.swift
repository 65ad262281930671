// What the machine and the graph rely on, checked from the program alone: every address that they
// compute is in the memory of the program, the context, the frame or the arena, and every run ends.

extension Program {
  /// A defect of a program.
  struct Defect: Error, Equatable, CustomStringConvertible {
    /// The number of an instruction or a decision.
    let instruction: Int
    let description: String
  }

  /// Checks that no run of the program leaves its memory, and that every run ends.
  ///
  /// It takes three steps: the operands of each instruction are in range; every jump back leads to
  /// a loop's next turn, which takes a step of the budget (``checkControlFlow()``); and every
  /// register has contents that the instruction can work on, on every path that leads there
  /// (``ProgramVerifier``). The decisions of the graph only lead forward, to constants that their
  /// tests can read. Constants, names and patterns themselves are taken as they are.
  ///
  /// The compiler runs it in debug builds. The loop's unchecked reads rely on it.
  ///
  /// - Complexity: O(n) in the instructions, times the registers for each label and the depth of
  ///   loops.
  func verify() throws(Defect) {
    try checkOperands()
    try checkControlFlow()
    var verifier = try ProgramVerifier(self)
    try verifier.run()
    try verifyGraph()
  }

  // MARK: Operands

  /// Checks that every instruction is known and that every operand is in range.
  private func checkOperands() throws(Defect) {
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
        ? (instruction.a, instruction.wide, 0) : (instruction.a, instruction.b, instruction.c)
      guard operands.0 < bound(info.roles[0]), operands.1 < bound(info.roles[1]),
        info.roles.count < 3 || operands.2 < bound(info.roles[2])
      else {
        throw Defect(instruction: index, description: "\(opcode): an operand is out of range")
      }
      try checkSpecialOperands(instruction, opcode, info, at: index)
    }
    for index in 0..<attributeCount where attributes[index].root >= ContextStorage.rowCount {
      throw Defect(instruction: 0, description: "an attribute has no row")
    }
    // Execution never runs past the end.
    guard OpcodeTable[code[codeCount - 1].opcode].effects.contains(.ends) else {
      throw Defect(instruction: codeCount - 1, description: "the code has no end")
    }
  }

  private func checkSpecialOperands(
    _ instruction: Instruction, _ opcode: Opcode, _ info: OpcodeInfo, at index: Int
  ) throws(Defect) {
    if info.extraRegisters > 0, instruction.a + info.extraRegisters >= registerCount {
      throw Defect(instruction: index, description: "no register after the first one")
    }
    switch opcode {
    case .raise:
      guard instruction.wide <= constantCount else {
        throw Defect(instruction: index, description: "no constant to name")
      }
    case .loadDeclared:
      guard index + 2 < codeCount else {
        throw Defect(instruction: index, description: "nothing to skip to")
      }
    case .call, .callHost:
      guard
        instruction.b + (instruction.x == .max ? 1 : Int(instruction.x)) <= registerCount
      else { throw Defect(instruction: index, description: "arguments outside the frame") }
    case .callStartsWith, .callEndsWith:
      guard constants[instruction.c].isA(.string) else {
        throw Defect(instruction: index, description: "the constant is not a text")
      }
    case .memberOfSet:
      guard constants[instruction.c].isA(.map) else {
        throw Defect(instruction: index, description: "the constant is not a set")
      }
    case .compareReadings:
      guard constants[instruction.c].isA(.list) else {
        throw Defect(instruction: index, description: "the constant is not a list")
      }
    default: break
    }
  }

  private func bound(_ role: OperandRole) -> Int {
    switch role {
    case .unused, .number: .max
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
