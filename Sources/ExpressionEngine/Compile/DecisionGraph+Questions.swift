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
        registers[instruction.b], ComparisonMask(bits: instruction.x),
        program.constants[instruction.c])
    case .callStartsWith:
      return stringTest(
        .stringHasPrefix, registers[instruction.b], program.constants[instruction.c])
    case .callEndsWith:
      return stringTest(
        .stringHasSuffix, registers[instruction.b], program.constants[instruction.c])
    case .call: return containment(instruction, registers)
    case .membership:
      return membership(of: registers[instruction.b], in: registers[instruction.c])
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
      // What is false already stays false, so that the rest of a conjunction is not visited.
      let conjoins = PlacedComparison(rawValue: instruction.x).conjoins
      return placedComparison(instruction).map {
        conjoins && registers[instruction.a] == .bool(false) ? .known(false) : $0
      }
    }
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
    case .truth, .not, .compareConstant, .callStartsWith, .callEndsWith, .callMatches, .call,
      .membership, .scanConstant, .scanMembership:
      return state.setting(instruction.a, .bool(isTrue), next: next)
    default:
      let x = PlacedComparison(rawValue: instruction.x)
      guard isTrue else {
        return state.setting(instruction.a, .bool(false), next: next + x.skip)
      }
      return x.conjoins
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
    case .length, .constantElements, .elements, .count: nil
    }
  }

  private func placedComparison(_ instruction: Instruction) -> Answer? {
    let mask = PlacedComparison(rawValue: instruction.x).mask
    let place = Place(rawValue: UInt16(truncatingIfNeeded: instruction.b))
    let constant = { program.constants[instruction.c] }
    switch instruction.opcode {
    case .setBool: return .known(mask.accepts(instruction.wide == 1 ? 0 : 1))
    case .comparePlaceInt: return ordered(.ints, mask, place, constant())
    case .comparePlaceDouble:
      return ordered(.doubles, mask, place, .double(constant().asDouble))
    case .orderPlaceString: return ordered(.strings, mask, place, constant())
    // Bools are compared by their word, as ints are.
    case .comparePlaceBool: return equality(.intEqual, mask, place, constant())
    case .comparePlaceString: return equality(.stringEqual, mask, place, constant())
    case .comparePlaceReadings:
      return equality(.stringEqual, mask, place, constant().elements[0])
    case .placeInSet: return equality(.stringInSet, mask, place, constant())
    case .placeInList: return equality(.stringInList, mask, place, constant())
    default: return nil
    }
  }

  /// A comparison of a register with a constant, as far as it cannot fail.
  private func comparison(
    _ register: Register, _ mask: ComparisonMask, _ constant: Slot
  ) -> Answer? {
    if case .count(let place, let operand, let bound) = register {
      return count(place, operand, program.constants[bound], mask, constant)
    }
    if case .length(let place) = register {
      return constant.isInt ? ordered(.lengths, mask, place, constant) : nil
    }
    guard case .place(let place) = register else { return nil }
    let value = value(of: place)
    if value.isInt, constant.isInt { return ordered(.ints, mask, place, constant) }
    if value.isA(.double), constant.isA(.double), !value.doubleValue.isNaN,
      !constant.doubleValue.isNaN
    {
      return ordered(.doubles, mask, place, constant)
    }
    return nil
  }

  private func stringTest(
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
  private static let containmentNames: Set = ["contains", ".contains/2"]

  /// `size(list)`, or of a map, which means the same in both dialects; texts they measure differently.
  func length(_ instruction: Instruction, _ registers: [Register]) -> Register? {
    guard Self.lengthNames.contains(program.functions[instruction.c].name),
      case .place(let place) = registers[instruction.b],
      value(of: place).isA(.list) || value(of: place).isA(.map)
    else { return nil }
    return .length(place)
  }

  /// `text.contains("…")`, which means the same in both dialects.
  private func containment(_ instruction: Instruction, _ registers: [Register]) -> Answer? {
    guard instruction.x == 2,
      Self.containmentNames.contains(program.functions[instruction.c].name),
      case .constant(let number) = registers[instruction.b + 1],
      program.constants[number].isA(.string)
    else { return nil }
    return stringTest(.stringContains, registers[instruction.b], program.constants[number])
  }

  /// `"…" in list`. A string equals nothing but strings, so that the other elements do not matter.
  private func membership(of element: Register, in collection: Register) -> Answer? {
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

  /// A loop over an attribute whose body compares its elements with an int.
  private func scan(_ instruction: Instruction, _ elements: Register) -> Answer? {
    let operand = ScanOperand(rawValue: instruction.x)
    let bound = program.constants[instruction.c]
    guard allowsLoops, operand.kind == .exists || operand.kind == .all,
      case .elements(let place) = elements, bound.isInt
    else { return nil }
    let question = ListQuestion(bound: bound, operand: operand)
    return .question(Question(test: .listCounts, constant: question.packed, place: place))
  }

  /// A comparison of the number of elements that are what a loop wants.
  private func count(
    _ place: Place, _ operand: ScanOperand, _ bound: Slot, _ mask: ComparisonMask, _ count: Slot
  ) -> Answer? {
    guard bound.isInt, count.isInt, let count = Int32(exactly: count.intValue) else { return nil }
    let question = ListQuestion(bound: bound, operand: operand, countMask: mask, count: count)
    return .question(Question(test: .listCounts, constant: question.packed, place: place))
  }

  // MARK: Comparisons

  /// The tests of an ordered kind.
  private struct OrderTests {
    let equal: Decision.Test
    let atLeast: Decision.Test
    let above: Decision.Test

    static let ints = OrderTests(equal: .intEqual, atLeast: .intAtLeast, above: .intAbove)
    static let doubles = OrderTests(
      equal: .doubleEqual, atLeast: .doubleAtLeast, above: .doubleAbove)
    static let lengths = OrderTests(
      equal: .lengthEqual, atLeast: .lengthAtLeast, above: .lengthAbove)
    static let strings = OrderTests(
      equal: .stringEqual, atLeast: .stringAtLeast, above: .stringAbove)
  }

  private func ordered(
    _ tests: OrderTests, _ mask: ComparisonMask, _ place: Place, _ constant: Slot
  ) -> Answer {
    func ask(_ test: Decision.Test, isNegated: Bool) -> Answer {
      .question(Question(test: test, constant: constant, place: place, isNegated: isNegated))
    }
    return switch mask {
    case .equal: ask(tests.equal, isNegated: false)
    case .notEqual: ask(tests.equal, isNegated: true)
    case .greaterEqual: ask(tests.atLeast, isNegated: false)
    case .less: ask(tests.atLeast, isNegated: true)
    case .greater: ask(tests.above, isNegated: false)
    case .lessEqual: ask(tests.above, isNegated: true)
    default: .known(mask.accepts(0))
    }
  }

  /// A test that says only whether two values are the same.
  private func equality(
    _ test: Decision.Test, _ mask: ComparisonMask, _ place: Place, _ constant: Slot
  ) -> Answer {
    let (ifSame, ifOther) = (mask.accepts(0), mask.accepts(1))
    guard ifSame != ifOther else { return .known(ifSame) }
    return .question(
      Question(test: test, constant: constant, place: place, isNegated: ifOther))
  }
}
