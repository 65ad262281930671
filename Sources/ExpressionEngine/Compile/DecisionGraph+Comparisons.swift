// What comparisons and memberships ask.

extension DecisionGraph {
  // MARK: Instructions

  /// A comparison of specialized code, which knows the kinds of its operands.
  func placedComparison(_ instruction: Instruction) -> Answer? {
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
    case .comparePlaceString: return sameText(mask, place, constant())
    case .comparePlaceReadings: return sameText(mask, place, constant().elements[0])
    case .placeInSet, .placeInList:
      return membership(
        of: .place(place), in: constant(), isSet: instruction.opcode == .placeInSet)
    default: return nil
    }
  }

  /// A comparison that found the attribute, but of a kind for which there is no instruction.
  func namedComparison(_ instruction: Instruction) -> Answer? {
    let mask = FusedComparison(rawValue: instruction.x).mask
    let reference = program.attributes[instruction.b]
    guard case .value(let place, let value) = program.find(reference, in: roots) else { return nil }
    let constant = program.constants[instruction.c]
    switch instruction.opcode {
    case .attributeInSet, .attributeInConstant:
      return membership(
        of: .place(place), in: constant, isSet: instruction.opcode == .attributeInSet)
    case .compareAttributeReadings:
      // A number can only equal the reading that is a number, if there is one.
      guard value.isNumber else { return .known(mask == .notEqual) }
      guard let reading = constant.elements.first(where: { $0.isNumber }) else { return nil }
      return comparison(.place(place), mask, fixed: reading)
    default: return comparison(.place(place), mask, .constant(instruction.c))
    }
  }

  // MARK: Comparisons

  /// A comparison of two registers, as far as it cannot fail.
  func comparison(_ left: Register, _ mask: ComparisonMask, _ right: Register) -> Answer? {
    switch (fixed(left), fixed(right)) {
    case (let a?, let b?): return known(a, mask, b)
    case (nil, let constant?): return comparison(left, mask, fixed: constant)
    case (let constant?, nil): return comparison(right, mask.swapped, fixed: constant)
    case (nil, nil): break
    }
    if case .place(let a) = left, case .place(let b) = right,
      let answer = attributes(a, mask, b)
    {
      return answer
    }
    guard let a = computation(left), let b = computation(right),
      let difference = Computation(.subtract, a, b), !difference.isDouble
    else { return nil }
    return result(difference, mask, .int(0))
  }

  /// The value of a register, if it is the same in all contexts.
  private func fixed(_ register: Register) -> Slot? {
    if case .place = register { return nil }
    return value(register)
  }

  /// A comparison of values that are both known.
  private func known(_ a: Slot, _ mask: ComparisonMask, _ b: Slot) -> Answer? {
    guard a.isScalar, b.isScalar else { return nil }
    if mask.isEquality {
      return .known(Slot.equal(a, b, rules: program.rules) == (mask == .equal))
    }
    switch Slot.order(a, b, rules: program.rules) {
    case .unordered, .incomparable: return nil
    case let order: return .known(mask.accepts(order.rawValue))
    }
  }

  private func comparison(
    _ register: Register, _ mask: ComparisonMask, fixed constant: Slot
  ) -> Answer? {
    switch register {
    case .count(let place, let operand, let bound):
      return count(place, operand, constant: bound, mask, constant)
    case .length(let place):
      return constant.isInt ? ordered(.lengths, mask, place, constant) : nil
    case .computed(let computation): return result(computation, mask, constant)
    case .counted(let body): return question(body, mask, constant)
    case .place(let place): return comparison(of: place, mask, constant)
    default: return nil
    }
  }

  private func comparison(
    of place: Place, _ mask: ComparisonMask, _ constant: Slot
  ) -> Answer? {
    let value = value(of: place)
    switch (value.tag, constant.tag) {
    case (.int, .int): return ordered(.ints, mask, place, constant)
    case (.int, .double):
      return bound(mask, constant.doubleValue) { ordered(.ints, $0, place, .int($1)) }
    case (.double, .int), (.double, .double):
      let number = constant.asDouble
      guard !value.doubleValue.isNaN, !number.isNaN else { return nil }
      return ordered(.doubles, mask, place, .double(number))
    case (.string, .string):
      return mask.isEquality
        ? sameText(mask, place, constant) : ordered(.strings, mask, place, constant)
    case (.bool, .bool) where mask.isEquality: return equality(.intEqual, mask, place, constant)
    default: return mask.isEquality ? difference(value, mask, constant) : nil
    }
  }

  /// Values of different kinds are not equal, numbers aside.
  private func difference(_ a: Slot, _ mask: ComparisonMask, _ b: Slot) -> Answer? {
    guard a.tagByte != b.tagByte, !a.isNumber || !b.isNumber else { return nil }
    return .known(mask == .notEqual)
  }

  /// A comparison of two attributes of one kind.
  private func attributes(_ a: Place, _ mask: ComparisonMask, _ b: Place) -> Answer? {
    // Only the left one may be the element of a loop.
    if b == .element { return a == b ? nil : attributes(b, mask.swapped, a) }
    let (left, right) = (value(of: a), value(of: b))
    switch (left.tag, right.tag) {
    case (.int, .int), (.string, .string): break
    case (.bool, .bool), (.double, .double): guard mask.isEquality else { return nil }
    default: return mask.isEquality ? difference(left, mask, right) : nil
    }
    let packed = AttributeComparison(other: b, mask: mask).packed
    return .question(Question(test: .attributesCompare, constant: packed, place: a))
  }

  /// The largest double up to which every whole one is an int that no other int is rounded to.
  private static let exactIntegers = 0x1p52

  /// A comparison of an int with a double as one with an int; `nil` where rounding would matter.
  private func bound(
    _ mask: ComparisonMask, _ constant: Double, _ ask: (ComparisonMask, Int64) -> Answer?
  ) -> Answer? {
    let floor = constant.rounded(.down)
    guard abs(constant) < Self.exactIntegers, let below = Int64(exactly: floor) else { return nil }
    if floor == constant { return ask(mask, below) }
    switch mask {
    case .equal: return .known(false)
    case .notEqual: return .known(true)
    case .greater, .greaterEqual: return ask(.greater, below)
    default: return ask(.lessEqual, below)
    }
  }

  // MARK: Computations

  /// A comparison of what was computed with a constant.
  private func result(
    _ computation: Computation, _ mask: ComparisonMask, _ constant: Slot
  ) -> Answer? {
    if computation.isDouble {
      let number = constant.asDouble
      guard constant.isNumber, !number.isNaN else { return nil }
      var question = Question(
        test: .doubleResult,
        constant: Slot(word0: number.bitPattern, word1: UInt64(mask.bits)), place: .none)
      question.computation = computation
      return .question(question)
    }
    switch constant.tag {
    case .double:
      return bound(mask, constant.doubleValue) { result(computation, $0, .int($1)) }
    case .int:
      if let answer = quotient(computation, mask, constant.intValue) { return answer }
      guard case .question(var question) = ordered(.results, mask, .none, constant) else {
        return nil
      }
      question.computation = computation
      return .question(question)
    default: return nil
    }
  }

  /// `attribute / divisor >= constant` and the like as a comparison of the attribute: quotients are cut off
  /// towards zero.
  private func quotient(
    _ computation: Computation, _ mask: ComparisonMask, _ constant: Int64
  ) -> Answer? {
    guard let (place, divisor) = computation.quotient else { return nil }
    // The least quotient that makes `>=` true, or its opposite false.
    let least: (partialValue: Int64, overflow: Bool)
    switch mask {
    case .greaterEqual, .less: least = (constant, false)
    case .greater, .lessEqual: least = constant.addingReportingOverflow(1)
    default: return nil
    }
    // Quotients above zero begin at a multiple of the divisor, others behind the multiple below.
    let isPositive = least.partialValue > 0
    let (multiple, overflow) =
      (isPositive ? least.partialValue : least.partialValue &- 1)
      .multipliedReportingOverflow(by: divisor)
    guard !least.overflow, least.partialValue != .min, !overflow else { return nil }
    let isOpposite = mask == .less || mask == .lessEqual
    return isPositive
      ? ordered(.ints, isOpposite ? .less : .greaterEqual, place, .int(multiple))
      : ordered(.ints, isOpposite ? .lessEqual : .greater, place, .int(multiple))
  }

  // MARK: Tests

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
    static let results = OrderTests(
      equal: .resultEqual, atLeast: .resultAtLeast, above: .resultAbove)
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

  private func sameText(_ mask: ComparisonMask, _ place: Place, _ text: Slot) -> Answer {
    guard let word = WordSet.word(of: text) else {
      return equality(.stringEqual, mask, place, text)
    }
    return equality(.shortStringEqual, mask, place, word)
  }

  // MARK: Memberships

  /// Whether an attribute is one of some constants.
  ///
  /// - Parameter isSet: Whether the constants are the keys of a set, rather than the elements of a list.
  func membership(of register: Register, in constants: Slot, isSet: Bool) -> Answer? {
    guard case .place(let place) = register, isSet || constants.isA(.list) else { return nil }
    let value = value(of: place)
    guard value.isInt || value.isA(.string) else { return nil }
    let all =
      isSet
      ? (0..<constants.table.count).map { constants.table.key($0) } : Array(constants.elements)
    if value.isInt { return membership(ofInt: place, in: all) }
    let texts = all.filter { $0.isA(.string) }
    if texts.isEmpty { return .known(false) }
    if texts.count == 1 { return sameText(.equal, place, texts[0]) }
    let words = texts.compactMap(WordSet.word(of:))
    if words.count == texts.count, let set = WordSet(words) {
      return lookup(.shortStringInSet, place, set)
    }
    return .question(
      Question(
        test: isSet ? .stringInSet : .stringInList, constant: constants, place: place))
  }

  private func membership(ofInt place: Place, in all: [Slot]) -> Answer? {
    // Doubles equal ints that are rounded to them.
    guard all.allSatisfy({ $0.isScalar && !$0.isA(.double) }) else { return nil }
    let ints = all.compactMap { constant -> Slot? in
      guard constant.isNumber, constant.isInt || constant.intValue >= 0 else { return nil }
      return .int(constant.intValue)
    }
    if ints.isEmpty { return .known(false) }
    if ints.count == 1 { return ordered(.ints, .equal, place, ints[0]) }
    return WordSet(ints).map { lookup(.intInSet, place, $0) }
  }

  private func lookup(_ test: Decision.Test, _ place: Place, _ set: WordSet) -> Answer {
    .question(
      Question(
        test: test, constant: Slot(word0: 0, word1: set.multiplier), place: place,
        behind: set.entries))
  }
}

extension Slot {
  /// Whether it is a value without parts that is compared at once.
  fileprivate var isScalar: Bool {
    switch tag {
    case .null, .bool, .int, .uint, .double, .string: true
    default: false
    }
  }
}
