// What each instruction needs in the registers that it reads, and what it leaves.

extension ProgramVerifier {
  /// Checks the current instruction, and continues with what it leaves.
  mutating func check(_ instruction: Instruction) throws(Program.Defect) {
    let (a, b, c) = (instruction.a, instruction.b, instruction.c)
    switch instruction.opcode {
    case .returnValue:
      try require(a, .value)
      end()
    case .loadConstant:
      let tag = RegisterContents(program.constants[instruction.wide].tag)
      guard tag.isOnly(.value) else { throw defect("the constant is not a value") }
      set(a, tag)
    case .move:
      try require(b, .value)
      set(a, contents(b))
    case .loadVariable, .loadAttribute: set(a, .value)
    case .loadMember:
      try require(a, .value)
      set(a, .value)
    case .loadDeclared:
      jump(to: index + 2)
      set(a, .value)

    case .loadElement, .add, .subtract, .multiply, .divide, .remainder, .overlay:
      try requireBoth(b, c)
      set(a, .value)
    case .addConstant, .subtractConstant, .multiplyConstant, .divideConstant, .remainderConstant,
      .negate:
      try require(b, .value)
      set(a, .value)
    case .compare, .membership:
      try requireBoth(b, c)
      set(a, .bool)
    case .compareConstant, .compareReadings, .membershipConstant, .memberOfSet, .not, .truth,
      .callMatches, .callStartsWith, .callEndsWith:
      try require(b, .value)
      set(a, .bool)
    case .conjoin:
      try requireBoth(a, b)
      set(a, contents(a).union(.bool))
    case .isOne:
      try require(a, .int)
      set(a, .bool)

    case .requireNumber, .requireBool, .expect, .reraise: try test(instruction)
    case .raise: end()
    case .absorbReferences: set(a, .null)

    case .jump:
      jump(to: instruction.wide)
      end()
    case .jumpIfTrue, .jumpIfFalse, .jumpIfExactlyTrue, .jumpIfExactlyFalse:
      try require(a, .value)
      jump(to: instruction.wide)

    case .beginList, .append, .appendOptional, .endList, .insert, .insertOptional, .insertEntries,
      .endMap:
      try build(instruction)
    case .loopBegin, .loopNext, .loopBeginPairs, .loopNextPair, .countIfTrue, .increment:
      try loop(instruction)

    case .call: try call(instruction)
    case .callHost:
      try requireArguments(instruction)
      set(a, .value)
    case .force: try force(instruction)
    case .forced: try forced(instruction)
    }
  }

  private func requireBoth(_ first: Int, _ second: Int) throws(Program.Defect) {
    try require(first, .value)
    try require(second, .value)
  }

  private mutating func test(_ instruction: Instruction) throws(Program.Defect) {
    let a = instruction.a
    if instruction.opcode == .reraise {
      try require(a, .valueOrFailure)
      return narrow(a, to: .value)
    }
    try require(a, .value)
    switch instruction.opcode {
    case .requireNumber: narrow(a, to: .number)
    case .requireBool: narrow(a, to: .bool)
    default:
      let kinds = SlotKinds(rawValue: UInt32(truncatingIfNeeded: instruction.wide))
      narrow(a, to: RegisterContents(kinds))
    }
  }

  // MARK: Lists and maps

  private mutating func build(_ instruction: Instruction) throws(Program.Defect) {
    let (a, b, c) = (instruction.a, instruction.b, instruction.c)
    switch instruction.opcode {
    case .beginList: set(a, .newBuilder)
    case .endList:
      try require(a, [.newBuilder, .listBuilder])
      set(a, .list)
    case .endMap:
      try require(a, [.newBuilder, .mapBuilder])
      set(a, .map)
    case .append, .appendOptional:
      try require(a, [.newBuilder, .listBuilder])
      try require(b, .value)
      set(a, .listBuilder)
    default:
      try require(a, [.newBuilder, .mapBuilder])
      try require(b, .value)
      if instruction.opcode != .insertEntries { try require(c, .value) }
      set(a, .mapBuilder)
    }
  }

  // MARK: Loops

  private mutating func loop(_ instruction: Instruction) throws(Program.Defect) {
    let a = instruction.a
    switch instruction.opcode {
    case .loopBegin:
      try require(instruction.b, .value)
      set(a, .iterator)
    case .loopBeginPairs:
      try require(instruction.b, .value)
      set(a, .iterator)
      set(a + 1, .int)
    case .loopNext:
      try require(a, .iterator)
      jump(to: instruction.wide)
      set(a + 1, .value)
    case .loopNextPair:
      try require(a, .iterator)
      try require(a + 1, .value)
      jump(to: instruction.wide)
      set(a + 1, .value)
      set(a + 2, .value)
    default:
      // Counting changes the payload, which may be an address in other kinds.
      try require(a, .int)
      if instruction.opcode == .countIfTrue { try require(instruction.b, .value) }
    }
  }

  // MARK: Calls

  private mutating func call(_ instruction: Instruction) throws(Program.Defect) {
    try requireArguments(instruction)
    let function = program.functions[instruction.c]
    let kinds = (function.subject.map { [$0] } ?? []) + function.parameters
    if !function.isVariadic, !kinds.isEmpty {
      // The number of elements of a list is not known.
      guard instruction.x != .max, Int(instruction.x) >= kinds.count else {
        throw defect("`\(function.name)` has too few arguments")
      }
      for (offset, kinds) in kinds.enumerated() {
        try require(instruction.b + offset, RegisterContents(kinds))
      }
    }
    set(instruction.a, .value)
  }

  private func requireArguments(_ instruction: Instruction) throws(Program.Defect) {
    if instruction.x == .max { return try require(instruction.b, .list) }
    for offset in 0..<Int(instruction.x) { try require(instruction.b + offset, .value) }
  }
}
