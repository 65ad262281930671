// Which instructions ask something, and what.

extension DecisionGraph {
  /// What an instruction asks, or its answer; `nil` for an instruction that does something else.
  func answer(to instruction: Instruction, _ registers: [Register]) -> Answer? {
    switch instruction.opcode {
    case .jumpIfTrue, .jumpIfFalse: return truth(of: registers[instruction.a])
    case .jumpIfExactlyTrue, .jumpIfExactlyFalse:
      let register = registers[instruction.a]
      guard value(register)?.isA(.bool) ?? true else { return .known(false) }
      guard let answer = truth(of: register) else { return nil }
      return instruction.opcode == .jumpIfExactlyTrue ? answer : answer.negated
    case .conjoin where registers[instruction.a] == .bool(false): return .known(false)
    case .truth, .conjoin: return truth(of: registers[instruction.b])
    case .not:
      let register = registers[instruction.b]
      guard instruction.x == 0 || (value(register)?.isA(.bool) ?? true) else { return nil }
      return truth(of: register)?.negated
    case .compareConstant:
      return comparison(
        registers[instruction.b], ComparisonMask(bits: instruction.x), .constant(instruction.c))
    case .compare:
      return comparison(
        registers[instruction.b], ComparisonMask(bits: instruction.x), registers[instruction.c])
    case .membershipConstant, .memberOfSet:
      return membership(
        of: registers[instruction.b], in: program.constants[instruction.c],
        isSet: instruction.opcode == .memberOfSet)
    case .callStartsWith:
      return stringTest(
        .stringHasPrefix, registers[instruction.b], program.constants[instruction.c])
    case .callEndsWith:
      return stringTest(
        .stringHasSuffix, registers[instruction.b], program.constants[instruction.c])
    case .call: return containment(instruction, registers)
    case .membership:
      return membership(of: registers[instruction.b], in: registers[instruction.c])
    case .isOne:
      switch registers[instruction.a] {
      case .count(let place, let operand, let bound):
        return count(place, operand, constant: bound, .equal, .int(1))
      case .counted(let body): return question(body, .equal, .int(1))
      default: return nil
      }
    case .jumpIfEmpty: return emptiness(of: registers[instruction.a])
    case .scanConstant: return scan(instruction, registers[instruction.b])
    case .scanMembership:
      return scan(instruction, registers[instruction.b], in: registers[instruction.c])
    case .callMatches:
      // The program, which the code belongs to, keeps its patterns alive.
      let pattern = program.header.pointee.patterns[instruction.c].toOpaque()
      return stringTest(
        .stringMatches, registers[instruction.b],
        Slot(word0: UInt64(UInt(bitPattern: pattern)), word1: 0))
    default:
      let comparison =
        instruction.isNamedComparison
        ? namedComparison(instruction) : placedComparison(instruction)
      guard let comparison else { return nil }
      // What is false already stays false, so that the rest of a conjunction is not visited.
      let isSettled = joining(instruction).conjoins && registers[instruction.a] == .bool(false)
      return isSettled ? .known(false) : comparison
    }
  }

  /// Whether a comparison is joined with what its target holds, and how many instructions to leave out when
  /// it is false.
  private func joining(_ instruction: Instruction) -> (conjoins: Bool, skip: Int) {
    if instruction.isNamedComparison {
      return (FusedComparison(rawValue: instruction.x).conjoins, 0)
    }
    let x = PlacedComparison(rawValue: instruction.x)
    return (x.conjoins, x.skip)
  }

  /// The state after an instruction for which ``answer(to:_:)`` has an answer.
  func state(after instruction: Instruction, _ isTrue: Bool, _ state: State) -> State {
    let next = state.pc + 1
    switch instruction.opcode {
    case .jumpIfTrue:
      return refined(state, instruction.a, isTrue).moved(to: isTrue ? instruction.wide : next)
    case .jumpIfFalse:
      return refined(state, instruction.a, isTrue).moved(to: isTrue ? next : instruction.wide)
    case .jumpIfExactlyTrue, .jumpIfExactlyFalse, .jumpIfEmpty:
      return state.moved(to: isTrue ? instruction.wide : next)
    case .conjoin:
      return isTrue ? state.moved(to: next) : state.setting(instruction.a, .bool(false), next: next)
    case .truth, .not, .compareConstant, .compare, .membershipConstant, .memberOfSet, .isOne,
      .callStartsWith, .callEndsWith, .callMatches, .call, .membership, .scanConstant,
      .scanMembership:
      return state.setting(instruction.a, .bool(isTrue), next: next)
    default:
      let (conjoins, skip) = joining(instruction)
      if !isTrue { return state.setting(instruction.a, .bool(false), next: next + skip) }
      return conjoins
        ? state.moved(to: next) : state.setting(instruction.a, .bool(true), next: next)
    }
  }

  /// The state with what a jump has found out: a bool that counts as true is true.
  private func refined(_ state: State, _ register: Int, _ isTrue: Bool) -> State {
    guard case .place(let place) = state.registers[register], value(of: place).isA(.bool) else {
      return state
    }
    return state.setting(register, .bool(isTrue), next: state.pc)
  }

  private func truth(of register: Register) -> Answer? {
    switch register {
    case .unknown: nil
    case .null: .known(false)
    case .bool(let isTrue): .known(isTrue)
    case .constant(let number): .known(program.constants[number].isTruthy)
    case .place(let place):
      .question(Question(test: .truthy, constant: .null, place: place))
    case .length, .constantElements, .elements, .count, .computed, .counted: nil
    }
  }

  func stringTest(
    _ test: Decision.Test, _ register: Register, _ constant: Slot
  ) -> Answer? {
    guard case .place(let place) = register, value(of: place).isA(.string) else { return nil }
    return .question(Question(test: test, constant: constant, place: place))
  }

  // MARK: Lists

  /// A walk over the list in a register.
  func elements(of register: Register) -> Register? {
    switch register {
    case .constant(let number) where program.constants[number].isA(.list):
      .constantElements(number)
    case .place(let place) where value(of: place).isA(.list): .elements(place)
    default: nil
    }
  }

  private func emptiness(of register: Register) -> Answer? {
    switch register {
    case .constantElements(let number): .known(program.constants[number].aux == 0)
    // A list counts as true unless it is empty.
    case .elements(let place): truth(of: .place(place))?.negated
    default: nil
    }
  }

  /// What the two dialects call the functions.
  private static let lengthNames: Set = ["size", "size/1", ".size/1"]
  /// What superscript calls the number of bytes of a text.
  private static let byteCountName = "size"
  private static let containmentNames: Set = ["contains", ".contains/2"]

  /// `size(list)`, or of a map, which means the same in both dialects; of texts one counts the bytes.
  func length(_ instruction: Instruction, _ registers: [Register]) -> Register? {
    let name = program.functions[instruction.c].name
    guard instruction.x == 1, Self.lengthNames.contains(name),
      case .place(let place) = registers[instruction.b]
    else {
      return nil
    }
    let value = value(of: place)
    let isCounted =
      value.isA(.list) || value.isA(.map) || value.isA(.string) && name == Self.byteCountName
    return isCounted ? .length(place) : nil
  }

  /// `text.contains("…")`, which means the same in both dialects, or, in superscript, the same of a list.
  private func containment(_ instruction: Instruction, _ registers: [Register]) -> Answer? {
    guard instruction.x == 2,
      Self.containmentNames.contains(program.functions[instruction.c].name),
      case .constant(let number) = registers[instruction.b + 1],
      program.constants[number].isA(.string)
    else { return nil }
    let part = program.constants[number]
    return stringTest(.stringContains, registers[instruction.b], part)
      ?? membership(of: .constant(number), in: registers[instruction.b])
  }

  /// `"…" in list`. A string equals nothing but strings, so that the other elements do not matter.
  func membership(of element: Register, in collection: Register) -> Answer? {
    if case .constant(let number) = collection {
      return membership(of: element, in: program.constants[number], isSet: false)
    }
    guard case .constant(let number) = element, program.constants[number].isA(.string),
      case .place(let place) = collection, value(of: place).isA(.list)
    else { return nil }
    return .question(
      Question(test: .listHasString, constant: program.constants[number], place: place))
  }

  /// The longest constant list that is asked about element by element.
  private static let longestConstantList: UInt32 = 16

  /// A loop over a constant list whose body is `element in list`.
  private func scan(
    _ instruction: Instruction, _ elements: Register, in collection: Register
  ) -> Answer? {
    let kind = ScanOperand(rawValue: instruction.x).kind
    guard allowsLoops, kind == .exists || kind == .all,
      case .constantElements(let number) = elements,
      case .place(let place) = collection, value(of: place).isA(.list)
    else { return nil }
    let list = program.constants[number]
    guard 1...Self.longestConstantList ~= list.aux, list.elements.allSatisfy({ $0.isA(.string) })
    else { return nil }
    return .questions(
      list.elements.map { Question(test: .listHasString, constant: $0, place: place) },
      isAny: kind == .exists)
  }

  /// A loop over an attribute whose body compares its elements with an int, or asks for a text.
  private func scan(_ instruction: Instruction, _ elements: Register) -> Answer? {
    let operand = ScanOperand(rawValue: instruction.x)
    guard allowsLoops, operand.kind == .exists || operand.kind == .all,
      case .elements(let place) = elements, isBound(instruction.c, operand)
    else { return nil }
    let question = ListQuestion(bound: program.constants + instruction.c, operand: operand)
    return .question(Question(test: .listCounts, constant: question.packed, place: place))
  }

  /// A loop that counts the elements that compare with a constant.
  func counting(_ instruction: Instruction, _ registers: [Register]) -> Register? {
    let operand = ScanOperand(rawValue: instruction.x)
    guard allowsLoops, operand.kind.counts, case .elements(let place) = registers[instruction.b]
    else { return nil }
    return .count(place, operand, constant: instruction.c)
  }

  /// Whether elements can be compared with a constant without a machine.
  private func isBound(_ number: Int, _ operand: ScanOperand) -> Bool {
    let constant = program.constants[number]
    return constant.isInt || constant.isA(.string) && operand.mask.isEquality
  }

  /// A comparison of the number of elements that are what a loop wants.
  func count(
    _ place: Place, _ operand: ScanOperand, constant bound: Int, _ mask: ComparisonMask,
    _ count: Slot
  ) -> Answer? {
    guard isBound(bound, operand), count.isInt, let count = Int32(exactly: count.intValue) else {
      return nil
    }
    let question = ListQuestion(
      bound: program.constants + bound, operand: operand, countMask: mask, count: count)
    return .question(Question(test: .listCounts, constant: question.packed, place: place))
  }
}
