// Comparisons, memberships, calls and computations.

extension DecisionGraphBuilder {
  /// Builds a comparison or a membership.
  mutating func comparison(_ node: IRNode, _ exits: Exits) -> Decision.Branch {
    let left = nodes[Int(node.first)]
    if left.kind == .conditional, node.third == IRNode.none {
      var (yes, no) = (node, node)
      yes.first = left.second
      no.first = left.third
      guard left.detail == 0 || isBool(left.first) else { return giveUp() }
      guard enter() else { return giveUp() }
      defer { leave() }
      return condition(
        left.first,
        Exits(
          ifTrue: comparison(yes, exits), ifFalse: comparison(no, exits),
          ifFailed: exits.ifFailed))
    }
    guard let first = operand(node.first) else { return computed(node, exits) }
    guard let second = operand(node.second) else { return giveUp() }
    let isMembership = node.kind == .membership
    let mask = ComparisonMask(bits: node.mask)
    switch (first, second) {
    case (.constant, .constant): return giveUp()
    case (_, .constant(let number)):
      // The replacement of the whole comparison when the left operand is missing.
      let instead = node.third == IRNode.none ? nil : condition(node.third, exits)
      if isMembership {
        return membership(of: first, in: number, isSet: node.detail != 0, exits, instead)
      }
      return compare(first, mask, number, isReadings: node.detail != 0, exits, instead)
    case (.constant(let number), _):
      guard node.third == IRNode.none, node.detail == 0 else { return giveUp() }
      if isMembership { return has(number, in: second, exits) }
      return compare(second, mask.swapped, number, isReadings: false, exits, nil)
    default:
      guard !isMembership, node.detail == 0 else { return giveUp() }
      let instead = node.third == IRNode.none ? nil : condition(node.third, exits)
      return compareValues(first, mask, second, exits, instead)
    }
  }

  // MARK: Comparisons with a constant

  private mutating func compare(
    _ operand: Operand, _ mask: ComparisonMask, _ number: UInt32, isReadings: Bool,
    _ exits: Exits, _ instead: Decision.Branch?
  ) -> Decision.Branch {
    let constant = constants[Int(number)]
    if isReadings {
      return compare(
        operand, .readingsEqual, mask, constant, number, .scalars, exits, instead)
    }
    guard SlotKinds.scalars.contains(tagOf: constant) else { return giveUp() }
    // Values of any kind can be tested for equality with a scalar.
    let kinds: SlotKinds = mask.isEquality ? .scalars : SlotKinds(constant.tag)
    switch constant.tag {
    case .int:
      return compare(
        operand, .ordered(mask, .intEqual, .intAtLeast, .intAbove), mask, constant, Self.none,
        mask.isEquality ? kinds : .numbers, exits, instead)
    case .double where !constant.doubleValue.isNaN:
      return compare(
        operand, .ordered(mask, .doubleEqual, .doubleAtLeast, .doubleAbove), mask, constant,
        Self.none, mask.isEquality ? kinds : .numbers, exits, instead)
    case .bool where mask.isEquality:
      return compare(operand, .boolEqual, mask, constant, Self.none, kinds, exits, instead)
    case .string:
      if mask.isEquality, let word = WordSet.word(of: constant) {
        return compare(
          operand, .shortStringEqual, mask, word, Self.none, kinds, exits, instead)
      }
      return compare(
        operand, .ordered(mask, .stringEqual, .stringAtLeast, .stringAbove), mask, constant,
        number, kinds, exits, instead)
    default:
      // These are compared as they are, using the mask; nothing is swapped.
      note(operand, mask.isEquality ? kinds : [])
      return add(
        .compare, operand, exits,
        ifMissing: instead ?? missing(operand, exits, null: null(mask, constant, exits)),
        constant: constant, number: number, detail: Decision.Detail(mask).rawValue)
    }
  }

  private mutating func compare(
    _ operand: Operand, _ test: Decision.Test, _ mask: ComparisonMask, _ constant: Slot,
    _ number: UInt32, _ kinds: SlotKinds, _ exits: Exits, _ instead: Decision.Branch?
  ) -> Decision.Branch {
    let isNegated = mask == .notEqual || mask == .less || mask == .lessEqual
    note(operand, kinds, orInstead: instead != nil)
    return add(
      test, operand, isNegated ? exits.swapped : exits,
      ifMissing: instead ?? missing(operand, exits, null: null(mask, constant, exits)),
      constant: constant, number: number,
      detail: Decision.Detail(mask, isNegated: isNegated).rawValue)
  }

  /// Records the kinds of a test whose missing operand may be replaced.
  private mutating func note(_ operand: Operand, _ kinds: SlotKinds, orInstead: Bool) {
    guard orInstead, case .attribute(let number, _, _) = operand else {
      return note(operand, kinds)
    }
    note(number, kinds.union(.missing))
  }

  /// Returns the target of comparing null with a constant.
  private func null(
    _ mask: ComparisonMask, _ constant: Slot, _ exits: Exits
  ) -> Decision.Branch {
    let isNull = constant.isA(.null)
    if mask.isEquality { return (mask == .equal) == isNull ? exits.ifTrue : exits.ifFalse }
    guard isNull, rules.contains(.ordersNull) else { return exits.ifFailed }
    return mask.accepts(0) ? exits.ifTrue : exits.ifFalse
  }

  // MARK: Memberships

  /// Builds `operand in constant`.
  private mutating func membership(
    of operand: Operand, in number: UInt32, isSet: Bool, _ exits: Exits,
    _ instead: Decision.Branch?
  ) -> Decision.Branch {
    let collection = constants[Int(number)]
    guard isSet || collection.isA(.list) else { return giveUp() }
    let members =
      isSet
      ? (0..<collection.table.count).map { collection.table.key($0) }
      : Array(collection.elements)
    // Null is looked up like any other value.
    let hasNull = members.contains { $0.isA(.null) }
    let ifMissing =
      instead ?? missing(operand, exits, null: hasNull ? exits.ifTrue : exits.ifFalse)
    guard members.allSatisfy({ SlotKinds.scalars.contains(tagOf: $0) }) else { return giveUp() }
    note(operand, .scalars, orInstead: instead != nil)
    // The collection's own kind distinguishes a list from a set.
    let words = members.compactMap(WordSet.word(of:))
    if optimizations.contains(.wordSets), words.count == members.count, let set = WordSet(words) {
      let place = addSideData(set.entries, collection: number)
      return add(
        .inWordSet, operand, exits, ifMissing: ifMissing,
        constant: Slot(
          word0: UInt64(place * MemoryLayout<Slot>.stride), word1: set.multiplier))
    }
    return add(
      .inCollection, operand, exits, ifMissing: ifMissing, constant: collection, number: number)
  }

  /// Builds `constant in operand`.
  private mutating func has(
    _ number: UInt32, in operand: Operand, _ exits: Exits
  ) -> Decision.Branch {
    let constant = constants[Int(number)]
    guard SlotKinds.scalars.contains(tagOf: constant) else { return giveUp() }
    note(operand, .list)
    return add(
      .has, operand, exits, ifMissing: missing(operand, exits, null: exits.ifFailed),
      constant: constant, number: number)
  }

  // MARK: Calls

  /// Builds a call of a function with a value and a constant string.
  mutating func call(_ node: IRNode, _ exits: Exits) -> Decision.Branch {
    let arguments = Array(children(of: node))
    guard arguments.count == 2, let constantID = arguments.last,
      let intrinsic = functions[Int(node.first)].intrinsic,
      case .constant(let number)? = operand(constantID), constants[Int(number)].isA(.string)
    else { return giveUp() }
    var subject = nodes[Int(arguments[0])]
    var subjectID = arguments[0]
    if subject.kind == .expect, subject.second == SlotKinds.string.rawValue {
      subjectID = subject.first
      subject = nodes[Int(subjectID)]
    }
    guard let operand = operand(subjectID) else { return giveUp() }
    if case .constant = operand { return giveUp() }
    let test: Decision.Test
    var constant = constants[Int(number)]
    switch intrinsic {
    case .startsWith: test = .hasPrefix
    case .endsWith: test = .hasSuffix
    case .contains: test = .contains
    case .matches:
      guard let pattern = patternConstants.firstIndex(of: number) else { return giveUp() }
      // The program stores the address of the pattern here.
      test = .matches
      constant = .int(Int64(pattern))
      mayFailAnyway = true
    case .size: return giveUp()
    }
    note(operand, .string)
    return add(
      test, operand, exits, ifMissing: missing(operand, exits, null: nullCall(test, exits)),
      constant: constant, number: test == .matches ? Self.none : number)
  }

  private func nullCall(_ test: Decision.Test, _ exits: Exits) -> Decision.Branch {
    // In superscript, a value that is neither a string nor a collection contains nothing.
    test == .contains ? .bailout : exits.ifFailed
  }

  // MARK: Computations

  /// The maximum number of steps of a computation.
  private static let maximumSteps = 12

  /// A step of a computation.
  private struct Step {
    var test: Decision.Test
    var operand: Operand?
    var constant = Slot.int(1)
    var detail: UInt8 = 0
  }

  /// Builds a comparison of two attributes.
  private mutating func compareValues(
    _ left: Operand, _ mask: ComparisonMask, _ right: Operand, _ exits: Exits,
    _ instead: Decision.Branch?
  ) -> Decision.Branch {
    mayFailAnyway = true
    let second = add(
      .resultValue, right, exits, ifMissing: missing(right, exits, null: .bailout),
      detail: Decision.Detail(mask).rawValue)
    return add(
      .load, left, Exits(ifTrue: second, ifFalse: second, ifFailed: .bailout),
      ifMissing: instead ?? missing(left, exits, null: .bailout))
  }

  /// Builds a comparison whose left operand is a size, a number of elements, or arithmetic.
  private mutating func computed(_ node: IRNode, _ exits: Exits) -> Decision.Branch {
    guard node.kind == .compare, node.detail == 0, node.third == IRNode.none,
      let right = operand(node.second)
    else { return giveUp() }
    let mask = ComparisonMask(bits: node.mask)
    let left = nodes[Int(node.first)]
    if case .constant(let number) = right {
      if left.kind == .call { return size(left, mask, constants[Int(number)], exits) }
      if left.kind == .loop {
        let result = compareResult(mask, constants[Int(number)], exits)
        return result.outcome == .bailout ? giveUp() : count(left, ifCounted: result)
      }
    }
    guard left.kind == .arithmetic, let steps = steps(node.first) else { return giveUp() }
    mayFailAnyway = mayFailAnyway || !steps.allSatisfy { isTotal($0) }
    var next: Decision.Branch
    switch right {
    case .constant(let number): next = compareResult(mask, constants[Int(number)], exits)
    default:
      mayFailAnyway = true
      next = add(
        .resultValue, right, exits, ifMissing: missing(right, exits, null: .bailout),
        detail: Decision.Detail(mask).rawValue)
    }
    guard next.outcome != .bailout else { return giveUp() }
    for step in steps.reversed() {
      if let operand = step.operand { note(operand, .int) }
      // An overflowing result may be an error or wrap around; the machine decides.
      next = add(
        step.test, step.operand, Exits(ifTrue: next, ifFalse: next, ifFailed: .bailout),
        ifMissing: step.operand.map { missing($0, exits, null: exits.ifFailed) } ?? .bailout,
        constant: step.constant, detail: step.detail)
    }
    return next
  }

  /// Adds the decision that compares the accumulator with a constant.
  private mutating func compareResult(
    _ mask: ComparisonMask, _ constant: Slot, _ exits: Exits
  ) -> Decision.Branch {
    guard constant.isNumber, !constant.isA(.double) || !constant.doubleValue.isNaN else {
      return .bailout
    }
    return add(
      .result, nil, exits, ifMissing: .bailout, constant: constant,
      detail: Decision.Detail(mask).rawValue)
  }

  /// Returns whether a step on ints cannot fail in a language whose ints wrap around.
  private func isTotal(_ step: Step) -> Bool {
    guard rules.contains(.wrappingArithmetic), step.constant.isInt else { return false }
    guard step.test == .apply, let op = ArithmeticOperator(rawValue: step.detail) else {
      return true
    }
    switch op {
    case .add, .subtract, .multiply: return true
    case .divide, .remainder: return UInt64(bitPattern: step.constant.intValue &+ 1) > 1
    }
  }

  /// Returns the steps that compute an arithmetic expression, or `nil` if one accumulator is not
  /// enough.
  private func steps(_ id: UInt32) -> [Step]? {
    var steps: [Step] = []
    var current = id
    // From the last step to the first, following the left operands.
    while steps.count < Self.maximumSteps {
      if let operand = operand(current) {
        if case .constant = operand { return nil }
        steps.append(Step(test: .load, operand: operand))
        return steps.reversed()
      }
      let node = nodes[Int(current)]
      guard node.kind == .arithmetic, let op = ArithmeticOperator(rawValue: node.detail) else {
        return nil
      }
      if let product = product(current) {
        steps.append(Step(test: .loadProduct, operand: product.0, constant: product.1))
        return steps.reversed()
      }
      if case .constant(let number)? = operand(node.second) {
        let constant = constants[Int(number)]
        guard constant.isNumber else { return nil }
        steps.append(Step(test: .apply, constant: constant, detail: op.rawValue))
      } else if op == .add || op == .subtract {
        let test: Decision.Test = op == .add ? .addProduct : .subtractProduct
        if let (operand, factor) = product(node.second) {
          steps.append(Step(test: test, operand: operand, constant: factor))
        } else if let operand = operand(node.second) {
          steps.append(Step(test: test, operand: operand))
        } else {
          return nil
        }
      } else {
        return nil
      }
      current = node.first
    }
    return nil
  }

  /// Returns the operands of `attribute * constant`.
  private func product(_ id: UInt32) -> (Operand, Slot)? {
    let node = nodes[Int(id)]
    guard node.kind == .arithmetic, node.detail == ArithmeticOperator.multiply.rawValue,
      let value = operand(node.first), case .constant(let number)? = operand(node.second),
      constants[Int(number)].isInt
    else { return nil }
    if case .constant = value { return nil }
    return (value, constants[Int(number)])
  }

  /// Builds a comparison of `size(value)` with an int.
  private mutating func size(
    _ node: IRNode, _ mask: ComparisonMask, _ constant: Slot, _ exits: Exits
  ) -> Decision.Branch {
    let arguments = children(of: node)
    guard functions[Int(node.first)].intrinsic == .size, arguments.count == 1,
      let first = arguments.first, let operand = operand(first), constant.isInt
    else { return giveUp() }
    if case .constant = operand { return giveUp() }
    note(operand, [.list, .map])
    return add(
      .count, operand, exits, ifMissing: missing(operand, exits, null: exits.ifFailed),
      constant: constant, detail: Decision.Detail(mask).rawValue)
  }
}

extension Decision.Test {
  /// Returns the test for a comparison by order.
  fileprivate static func ordered(
    _ mask: ComparisonMask, _ equal: Decision.Test, _ atLeast: Decision.Test,
    _ above: Decision.Test
  ) -> Decision.Test {
    switch mask {
    case .equal, .notEqual: equal
    case .greaterEqual, .less: atLeast
    default: above
    }
  }
}
