import ExpressionSyntax

// Attributes, constants and conditions, as they are added to a set.

extension FilterReader {
  // MARK: Operands

  /// An attribute as an operand.
  struct Operand {
    let attribute: UInt32
    /// Whether a missing attribute makes the operand null, rather than a failure.
    let isNullWhenMissing: Bool
  }

  /// Returns the attribute that a node reads, or `nil` if it is not one.
  mutating func operand(_ ir: borrowing IR, _ id: UInt32) -> Operand? {
    var node = ir.nodes[Int(id)]
    // Tests check the kind of their subject themselves.
    if node.kind == .expect { node = ir.nodes[Int(node.first)] }
    if node.kind == .rescue, node.detail == RescueClass.any.rawValue {
      node = ir.nodes[Int(node.first)]
    }
    return operand(ir, node)
  }

  mutating func operand(_ ir: borrowing IR, _ node: IRNode) -> Operand? {
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

  // MARK: Constants

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

  /// Appends a text's length and bytes to ``row``. Texts are padded with zeros.
  private mutating func appendText(_ text: Slot) {
    row.append(text.aux)
    for offset in stride(from: 0, to: Int(text.aux), by: 4) {
      row.append(text.address.load(fromByteOffset: offset, as: UInt32.self))
    }
  }

  // MARK: Conditions

  /// Adds a condition to the formula.
  ///
  /// - Parameter failing: The kinds for which the condition and its opposite fail.
  /// - Returns: The number of the condition.
  @discardableResult
  mutating func emit(_ condition: Condition, failing: PositionKinds, _ use: Use) -> UInt32 {
    let number = conditions.number(of: condition)
    var test: UInt32?
    if case .test = condition.claim { test = number }
    emit(number, of: condition.attribute, failing: failing, test: test, use)
    return number
  }

  /// Adds a condition by its number.
  ///
  /// - Parameter test: The condition, if it is a test.
  mutating func emit(
    _ condition: UInt32, of attribute: UInt32, failing: PositionKinds, test: UInt32? = nil,
    _ use: Use
  ) {
    code.append(.condition(condition))
    let index = Int(attribute)
    if !failing.isSubset(of: failures[index]) { failures[index].formUnion(failing) }
    guard use.isGuarded else { return }
    // A context has no list of missing attributes that could be checked for guards.
    if failing.contains(.missing), !guardsMissing { current.isChecked = true }
    guards.append(
      Guard(
        attribute: attribute, kinds: failing, test: test ?? .max,
        filter: UInt32(truncatingIfNeeded: ends.count)))
  }
}
