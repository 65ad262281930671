// Comparisons of attributes with constants.

extension FilterReader {
  /// What a comparison of a missing attribute gives.
  private enum MissingResult: Equatable {
    /// A failure.
    case failure
    /// What a comparison of null gives.
    case null
    case bool(Bool)
  }

  /// A comparison of an attribute with a constant, or with the elements of one.
  private struct Comparison {
    let attribute: UInt32
    let whenMissing: MissingResult
    let mask: ComparisonMask
    let constant: Slot
    /// Whether the constant is a list or a map, of which one element or key must be equal.
    let isMembership: Bool
    /// Whether the condition holds if the comparison is false.
    let isNegated: Bool

    /// Whether the condition holds for equal values, if the comparison tests equality.
    var holdsForEqual: Bool { (mask == .equal) != isNegated }

    /// The key of a comparison with a number.
    var key: ComparisonTable.Key? {
      guard constant.isNumber else { return nil }
      var form = UInt16(mask.bits) | UInt16(constant.tagByte) << 8
      if isNegated { form |= 8 }
      switch whenMissing {
      case .failure: break
      case .null: form |= 16
      case .bool(false): form |= 32
      case .bool(true): form |= 64
      }
      return ComparisonTable.Key(attribute: attribute, form: form, number: constant.word0)
    }
  }

  /// Reads `attribute < constant` and the like.
  mutating func readComparison(_ ir: borrowing IR, _ node: IRNode, _ use: Use) {
    guard let comparison = comparison(ir, node, use) else { return leaveOut() }
    let key = comparison.key
    if let key, let known = comparisons[key] {
      return emit(known.condition, of: comparison.attribute, failing: known.failing, use)
    }
    let isSuperscript = ir.rules.contains(.nanOrderFails)
    guard
      let (condition, failing) = comparison.mask.isEquality
        ? equality(comparison) : order(comparison, isSuperscript: isSuperscript)
    else { return leaveOut() }
    let number = emit(condition, failing: failing, use)
    if let key { comparisons.insert(key, condition: number, failing: failing) }
  }

  /// Reads `attribute in constants`, or `text in attribute`.
  mutating func readMembership(_ ir: borrowing IR, _ node: IRNode, _ use: Use) {
    if let element = slot(ir, node.first) {
      guard element.isA(.string), node.third == IRNode.none, !isCall(ir, node.second),
        let operand = operand(ir, node.second)
      else { return leaveOut() }
      return readTest(.member, element, operand, use)
    }
    guard let collection = slot(ir, node.second), let missing = missingResult(ir, node),
      !isCall(ir, node.first), let operand = operand(ir, node.first),
      collection.isA(.list) || (node.detail == 1 && collection.isA(.map)),
      let (condition, failing) = equality(
        Comparison(
          attribute: operand.attribute, whenMissing: operand.isNullWhenMissing ? .null : missing,
          mask: .equal, constant: collection, isMembership: true,
          isNegated: !use.isPositive))
    else { return leaveOut() }
    emit(condition, failing: failing, use)
  }

  /// Returns the comparison of a node, or `nil` if it is not one of an attribute with a constant.
  private mutating func comparison(
    _ ir: borrowing IR, _ node: IRNode, _ use: Use
  ) -> Comparison? {
    var (left, right, mask) = (node.first, node.second, ComparisonMask(bits: node.mask))
    if slot(ir, left) != nil, node.detail == 0, node.third == IRNode.none {
      (left, right, mask) = (right, left, mask.swapped)
    }
    guard let constant = slot(ir, right), let missing = missingResult(ir, node) else { return nil }
    let compared: Operand?
    switch ir.nodes[Int(left)].kind {
    case .attribute, .variable: compared = operand(ir, left)
    // A computed attribute can be ordered only by a number: other values, or no value, make the
    // comparison fail. A size is a number or no value.
    case .arithmetic where !mask.isEquality && constant.isNumber && missing == .failure:
      compared = computedOperand(ir, left)
    case .call where constant.isNumber && missing == .failure:
      compared = computedOperand(ir, left)
    default: return nil
    }
    return compared.map { operand in
      Comparison(
        attribute: operand.attribute, whenMissing: operand.isNullWhenMissing ? .null : missing,
        mask: mask, constant: constant, isMembership: node.detail != 0,
        isNegated: !use.isPositive)
    }
  }

  /// Returns what a comparison gives if its left operand is missing, or `nil` if that is not a
  /// constant bool.
  private func missingResult(_ ir: borrowing IR, _ node: IRNode) -> MissingResult? {
    guard node.third != IRNode.none else { return .failure }
    guard let replacement = slot(ir, node.third), replacement.isA(.bool) else { return nil }
    return .bool(replacement.boolValue)
  }

  private func isCall(_ ir: borrowing IR, _ id: UInt32) -> Bool {
    let kind = ir.nodes[Int(id)].kind
    return kind != .attribute && kind != .variable
  }

  /// Returns the condition that the attribute is at one of the positions of the constants, or at
  /// none of them, and the kinds for which it fails.
  private mutating func equality(_ comparison: Comparison) -> (Condition, PositionKinds)? {
    guard let runs = runs(of: comparison) else { return nil }
    var condition = Condition(
      attribute: comparison.attribute, claim: .positions(runs),
      isNegated: !comparison.holdsForEqual)
    var failing = PositionKinds.undeclared
    switch comparison.whenMissing {
    case .failure: failing.insert(.missing)
    case .null:
      condition.holdsForMissing =
        runs.contains { $0.first == .null } == comparison.holdsForEqual
    case .bool(let result): condition.holdsForMissing = result != comparison.isNegated
    }
    return (condition, failing)
  }

  /// Returns the positions of the constants in ascending order, so that equal lists are equal
  /// conditions, or `nil` if the line cannot represent one of them.
  private mutating func runs(of comparison: Comparison) -> [SymbolicRun]? {
    let (attribute, constant) = (comparison.attribute, comparison.constant)
    var runs: [SymbolicRun] = []
    guard comparison.isMembership else {
      return append(constant, of: attribute, to: &runs) ? runs : nil
    }
    let isList = constant.isA(.list)
    let count = isList ? Int(constant.aux) : constant.table.count
    for index in 0..<count {
      let element = isList ? constant.elements[index] : constant.table.key(index)
      guard append(element, of: attribute, to: &runs) else { return nil }
    }
    if runs.count > 1 { runs.sort { $0.first.rawValue < $1.first.rawValue } }
    return runs
  }

  /// Appends the position of the values that equal a constant. A constant that equals nothing (NaN)
  /// appends nothing.
  ///
  /// - Returns: Whether the line can represent the constant.
  private mutating func append(
    _ constant: Slot, of attribute: UInt32, to runs: inout [SymbolicRun]
  ) -> Bool {
    switch constant.tag {
    case .null: runs.append(SymbolicRun(.null))
    case .bool: runs.append(SymbolicRun(.bool(constant.boolValue)))
    case .double where constant.doubleValue.isNaN: break
    case .int, .uint, .double, .string:
      guard let number = self.constant(constant, of: attribute) else { return false }
      runs.append(SymbolicRun(.constant(number)))
    default: return false
    }
    return true
  }

  /// Returns the condition that the attribute is before or after the constant, and the kinds for
  /// which it fails: all but that of the constant.
  private mutating func order(
    _ comparison: Comparison, isSuperscript: Bool
  ) -> (Condition, PositionKinds)? {
    let constant = comparison.constant
    // `!(a < b)` is `a >= b`.
    let mask =
      comparison.isNegated
      ? ComparisonMask(bits: ~comparison.mask.bits & 0b111) : comparison.mask
    var runs: [SymbolicRun] = []
    var failing = PositionKinds.all
    switch constant.tag {
    case .bool:
      failing.subtract(.bool)
      for value in [false, true]
      where mask.accepts((value ? 1 : 0) &- (constant.boolValue ? 1 : 0)) {
        runs.append(SymbolicRun(.bool(value)))
      }
    case .string:
      guard let number = self.constant(constant, of: comparison.attribute) else { return nil }
      failing.subtract(.text)
      runs.append(.beside(number, mask, from: .firstText, through: .lastText))
    case .int, .uint, .double:
      guard !constant.asDouble.isNaN,
        let number = self.constant(constant, of: comparison.attribute)
      else { return nil }
      failing.subtract(.number)
      if !isSuperscript {
        // Nothing is less or greater than NaN, which is not a failure here.
        failing.subtract(.notANumber)
        if comparison.isNegated { runs.append(SymbolicRun(.notANumber)) }
      }
      runs.append(.beside(number, mask, from: .firstNumber, through: .lastNumber))
    default: return nil
    }
    var condition = Condition(attribute: comparison.attribute, claim: .positions(runs))
    if case .bool(let result) = comparison.whenMissing {
      failing.subtract(.missing)
      condition.holdsForMissing = result != comparison.isNegated
    }
    return (condition, failing)
  }
}

extension SymbolicRun {
  /// The positions from or up to a constant.
  ///
  /// - Parameter mask: An order. Whether it accepts equal values decides whether the position of
  ///   the constant is in the run.
  fileprivate static func beside(
    _ constant: UInt32, _ mask: ComparisonMask, from first: SymbolicPosition,
    through last: SymbolicPosition
  ) -> SymbolicRun {
    let distance = mask.accepts(0) ? 0 : 1
    return mask.accepts(-1)
      ? SymbolicRun(first: first, last: .constant(constant, -distance))
      : SymbolicRun(first: .constant(constant, distance), last: last)
  }
}
