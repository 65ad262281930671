import ExpressionSyntax

extension FilterReader {
  // MARK: Conditions

  /// An attribute as an operand.
  struct Operand {
    let attribute: UInt32
    /// Whether a missing attribute makes the operand null, rather than a failure.
    let isNullWhenMissing: Bool
  }

  mutating func operand(_ ir: borrowing IR, _ id: UInt32) -> Operand? {
    var node = ir.nodes[Int(id)]
    // Tests check the kind of their subject themselves.
    if node.kind == .expect { node = ir.nodes[Int(node.first)] }
    if node.kind == .rescue, node.detail == RescueClass.any.rawValue {
      node = ir.nodes[Int(node.first)]
    }
    let isVariable = node.kind == .variable
    guard node.kind == .attribute || isVariable else { return nil }
    let reference = ir.attributes[Int(node.first)]
    if isVariable, reference.rootIsOptional || Root(layerNamed: reference.name.byteBuffer) != nil {
      return nil
    }
    return Operand(
      attribute: number(of: reference),
      isNullWhenMissing: !isVariable && node.detail == MissingPolicy.null.rawValue)
  }

  /// Appends a text's length and bytes to ``row``. Texts are padded with zeros.
  private mutating func appendText(_ text: Slot) {
    row.append(text.aux)
    for offset in stride(from: 0, to: Int(text.aux), by: 4) {
      row.append(text.address.load(fromByteOffset: offset, as: UInt32.self))
    }
  }

  /// Appends the position of a constant to ``row`` twice, as a first and a last one. Returns
  /// `false` if the line cannot represent the constant. A value that equals nothing (NaN) appends
  /// nothing.
  private mutating func appendPoint(
    _ slot: Slot, of attribute: UInt32, to positions: inout [UInt32]
  ) -> Bool {
    switch slot.tag {
    case .null: positions += [ValueLine.null, ValueLine.null]
    case .bool:
      let position = ValueLine.bools &+ UInt32(truncatingIfNeeded: slot.word0)
      positions += [position, position]
    case .double where slot.doubleValue.isNaN: break
    case .int, .uint, .double, .string:
      guard let constant = constant(slot, of: attribute) else { return false }
      let position = SymbolicPosition.constant(constant, 0)
      positions += [position, position]
    default: return false
    }
    return true
  }

  /// Returns the number of a constant that an attribute is compared with, or `nil` for integers
  /// that doubles cannot distinguish.
  mutating func constant(_ slot: Slot, of attribute: UInt32) -> UInt32? {
    row.removeAll(keepingCapacity: true)
    row.append(attribute &* 2 &+ (slot.isA(.string) ? 1 : 0))
    if slot.isA(.string) {
      appendText(slot)
    } else {
      // Both zeros are the same constant.
      let number = slot.asDouble + 0.0
      guard number.magnitude < 0x1p53 || slot.isA(.double) && number.isInfinite else { return nil }
      row.append(UInt32(truncatingIfNeeded: number.bitPattern))
      row.append(UInt32(truncatingIfNeeded: number.bitPattern >> 32))
    }
    let number = constants.number(of: row)
    return number < 1 << 28 ? number : nil
  }

  /// Emits a condition.
  ///
  /// - Parameters:
  ///   - failing: The kinds for which the condition and its opposite fail.
  mutating func emit(
    _ flags: ConditionFlags, _ words: [UInt32], of attribute: UInt32, failing: PositionKinds,
    isGuarded: Bool
  ) {
    row.removeAll(keepingCapacity: true)
    row.append(attribute)
    row.append(flags.rawValue)
    row.append(contentsOf: words)
    emit(conditions.number(of: row), of: attribute, failing, isGuarded, flags.contains(.test))
  }

  mutating func emit(
    _ condition: UInt32, of attribute: UInt32, _ failing: PositionKinds, _ isGuarded: Bool,
    _ isTest: Bool = false
  ) {
    code.append(.condition(condition))
    lastFailing = failing
    let index = Int(attribute)
    if !failing.isSubset(of: failures[index]) { failures[index].formUnion(failing) }
    guard isGuarded else { return }
    // A context has no list of missing attributes that could be checked for guards.
    if failing.contains(.missing), !guardsMissing { filterIsChecked = true }
    guards.append(
      Guard(
        attribute: attribute, kinds: failing, test: isTest ? condition : .max,
        filter: UInt32(truncatingIfNeeded: ends.count)))
  }

  /// Returns the value of a constant, or of a loop's variable that is one.
  func slot(_ ir: borrowing IR, _ id: UInt32) -> Slot? {
    let node = ir.nodes[Int(id)]
    switch node.kind {
    case .constant: return ir.constants[Int(node.first)]
    case .local: return bindings.last { $0.local == node.first }?.value
    case .expect:
      let kinds = SlotKinds(rawValue: node.second)
      return slot(ir, node.first).flatMap { kinds.contains(tagOf: $0) ? $0 : nil }
    default: return nil
    }
  }

  /// Returns the result of a comparison whose left operand is missing, or `nil` if it fails.
  private func missingResult(_ ir: borrowing IR, _ node: IRNode) -> Bool?? {
    guard node.third != IRNode.none else { return .some(nil) }
    guard let replacement = slot(ir, node.third), replacement.isA(.bool) else { return nil }
    return replacement.boolValue
  }

  /// Reads `a == b` or `a != b` of bools.
  mutating func walkEquivalence(
    _ ir: borrowing IR, _ node: IRNode, _ sense: Sense, isGuarded: Bool, depth: Int
  ) {
    let isEqual = (ComparisonMask(bits: node.mask) == .equal) == sense.isPositive
    for left in [Sense.isTrue, .isFalse] {
      let right: Sense = (left == .isTrue) == isEqual ? .isTrue : .isFalse
      walk(ir, node.first, left, isGuarded: isGuarded, depth: depth)
      walk(ir, node.second, right, isGuarded: isGuarded, depth: depth)
      code.append(.and(2))
    }
    code.append(.or(2))
  }

  mutating func readComparison(
    _ ir: borrowing IR, _ node: IRNode, _ sense: Sense, _ isGuarded: Bool
  ) {
    var (left, right, mask) = (node.first, node.second, ComparisonMask(bits: node.mask))
    if slot(ir, left) != nil, node.detail == 0, node.third == IRNode.none {
      (left, right, mask) = (right, left, mask.swapped)
    }
    guard let constant = slot(ir, right), let missing = missingResult(ir, node),
      let operand = comparedOperand(ir, left, mask, constant, missing)
    else { return leaveOut() }
    let isNegated = !sense.isPositive
    guard constant.isNumber else {
      return emitComparison(ir, mask, constant, node.detail, operand, missing, isNegated, isGuarded)
    }
    let key = ComparisonTable.Key(
      attribute: operand.attribute,
      form: UInt16(mask.bits) | (isNegated ? 8 : 0) | (operand.isNullWhenMissing ? 16 : 0)
        | (missing.map { $0 ? 64 : 32 } ?? 0) | UInt16(constant.tagByte) << 8,
      number: constant.word0)
    if let known = comparisons[key] {
      return emit(known.condition, of: operand.attribute, known.failing, isGuarded)
    }
    emitComparison(ir, mask, constant, node.detail, operand, missing, isNegated, isGuarded)
    if case .condition(let condition)? = code.last?.step {
      comparisons.insert(key, condition: condition, failing: lastFailing)
    }
  }

  private mutating func emitComparison(
    _ ir: borrowing IR, _ mask: ComparisonMask, _ constant: Slot, _ detail: UInt8,
    _ operand: Operand, _ missing: Bool?, _ isNegated: Bool, _ isGuarded: Bool
  ) {
    if mask.isEquality {
      var positions: [UInt32] = []
      let readings =
        detail == 0
        ? appendPoint(constant, of: operand.attribute, to: &positions)
        : constant.elements.allSatisfy {
          appendPoint($0, of: operand.attribute, to: &positions)
        }
      guard readings else { return leaveOut() }
      return emitEquality(
        positions, operand, missing, isEqual: (mask == .equal) != isNegated, isNegated: isNegated,
        isGuarded: isGuarded)
    }
    readOrder(
      isNegated ? ComparisonMask(bits: ~mask.bits & 0b111) : mask, constant, operand, missing,
      isNegated: isNegated, isSuperscript: ir.rules.contains(.nanOrderFails), isGuarded: isGuarded)
  }

  /// Returns the attribute that is compared. A computed one can be ordered only by a number: other
  /// values, or no value, make the comparison fail. A size is a number or no value.
  private mutating func comparedOperand(
    _ ir: borrowing IR, _ id: UInt32, _ mask: ComparisonMask, _ constant: Slot, _ missing: Bool?
  ) -> Operand? {
    switch ir.nodes[Int(id)].kind {
    case .attribute, .variable: operand(ir, id)
    case .arithmetic where !mask.isEquality && constant.isNumber && missing == nil:
      computedOperand(ir, id)
    case .call where constant.isNumber && missing == nil:
      computedOperand(ir, id)
    default: nil
    }
  }

  private func isCall(_ ir: borrowing IR, _ id: UInt32) -> Bool {
    let kind = ir.nodes[Int(id)].kind
    return kind != .attribute && kind != .variable
  }

  /// Emits a condition that the attribute is at one of the positions, or at none of them.
  private mutating func emitEquality(
    _ positions: [UInt32], _ operand: Operand, _ missing: Bool?, isEqual: Bool, isNegated: Bool,
    isGuarded: Bool
  ) {
    var flags: ConditionFlags = isEqual ? [] : .complement
    var failing = PositionKinds.undeclared
    if operand.isNullWhenMissing {
      if positions.contains(ValueLine.null) == isEqual { flags.insert(.missing) }
    } else if let missing {
      if missing != isNegated { flags.insert(.missing) }
    } else {
      failing.insert(.missing)
    }
    emit(
      flags, Self.sorted(positions), of: operand.attribute, failing: failing, isGuarded: isGuarded)
  }

  /// Returns pairs of equal positions in ascending order, so that equal lists are equal rows.
  private static func sorted(_ positions: [UInt32]) -> [UInt32] {
    positions.count <= 2 ? positions : positions.sorted()
  }

  private mutating func readOrder(
    _ mask: ComparisonMask, _ constant: Slot, _ operand: Operand, _ missing: Bool?,
    isNegated: Bool, isSuperscript: Bool, isGuarded: Bool
  ) {
    var failing = PositionKinds.all
    var positions: [UInt32]
    switch constant.tag {
    case .bool:
      failing.subtract(.bool)
      positions = []
      for value in [0, 1] as [UInt32]
      where mask.accepts(Int(value) &- (constant.boolValue ? 1 : 0)) {
        positions += [ValueLine.bools &+ value, ValueLine.bools &+ value]
      }
    case .int, .uint, .double, .string:
      let isText = constant.isA(.string)
      guard isText || !constant.asDouble.isNaN,
        let number = self.constant(constant, of: operand.attribute)
      else { return leaveOut() }
      failing.subtract(isText ? .text : .number)
      let (first, last) =
        isText
        ? (SymbolicPosition.firstText, SymbolicPosition.lastText)
        : (SymbolicPosition.firstNumber, SymbolicPosition.lastNumber)
      let includes = mask.accepts(0) ? 0 : 1
      positions =
        mask.accepts(-1)
        ? [first, SymbolicPosition.constant(number, -includes)]
        : [SymbolicPosition.constant(number, includes), last]
      if !isText, !isSuperscript {
        // Nothing is less or greater than NaN, which is not a failure here.
        failing.subtract(.notANumber)
        if isNegated { positions = [ValueLine.notANumber, ValueLine.notANumber] + positions }
      }
    default: return leaveOut()
    }
    var flags = ConditionFlags()
    if !operand.isNullWhenMissing, let missing {
      failing.subtract(.missing)
      if missing != isNegated { flags.insert(.missing) }
    }
    emit(flags, positions, of: operand.attribute, failing: failing, isGuarded: isGuarded)
  }

  mutating func readMembership(
    _ ir: borrowing IR, _ node: IRNode, _ sense: Sense, _ isGuarded: Bool
  ) {
    if let element = slot(ir, node.first) {
      guard element.isA(.string), node.third == IRNode.none, !isCall(ir, node.second),
        let operand = operand(ir, node.second)
      else { return leaveOut() }
      return readTest(.member, element, operand, sense, isGuarded)
    }
    guard let collection = slot(ir, node.second), let missing = missingResult(ir, node),
      !isCall(ir, node.first), let operand = operand(ir, node.first),
      collection.isA(.list) || (node.detail == 1 && collection.isA(.map))
    else { return leaveOut() }
    var positions: [UInt32] = []
    let count = collection.isA(.list) ? Int(collection.aux) : collection.table.count
    for index in 0..<count {
      let element =
        collection.isA(.list) ? collection.elements[index] : collection.table.key(index)
      guard appendPoint(element, of: operand.attribute, to: &positions) else { return leaveOut() }
    }
    emitEquality(
      positions, operand, missing, isEqual: sense.isPositive, isNegated: !sense.isPositive,
      isGuarded: isGuarded)
  }
}
