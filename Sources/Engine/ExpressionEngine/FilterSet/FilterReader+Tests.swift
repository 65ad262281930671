// Truth, presence and tests of attributes.

extension FilterReader {
  /// Reads an attribute as a truth value.
  mutating func readTruth(_ ir: borrowing IR, _ node: IRNode, _ use: Use) {
    guard let operand = operand(ir, node) else { return leaveOut() }
    guard use.isStrict else { return readTest(.truth, .null, operand, use) }
    // Whether other kinds fail depends on the use of the value.
    let failing = operand.isNullWhenMissing ? .undeclared : PositionKinds.all.subtracting(.bool)
    emit(
      Condition(
        attribute: operand.attribute,
        claim: .positions([SymbolicRun(.bool(use.isPositive))])),
      failing: failing, use)
  }

  /// Reads `has(user.a)`.
  mutating func readPresence(_ ir: borrowing IR, _ node: IRNode, _ use: Use) {
    guard Self.isPresence(ir, node),
      let operand = operand(ir, ir.nodes[Int(node.first)].first)
    else { return leaveOut() }
    let isPositive = use.isPositive
    emit(
      Condition(
        attribute: operand.attribute, claim: .positions([]), isNegated: isPositive,
        holdsForMissing: !isPositive),
      failing: .undeclared, use)
  }

  private static func isPresence(_ ir: borrowing IR, _ node: IRNode) -> Bool {
    let present = ir.nodes[Int(node.first)]
    guard node.detail == RescueClass.missingKey.rawValue, present.kind == .sequence else {
      return false
    }
    let attribute = ir.nodes[Int(present.first)]
    let (yes, no) = (ir.nodes[Int(present.second)], ir.nodes[Int(node.second)])
    guard attribute.kind == .attribute, attribute.detail == MissingPolicy.fail.rawValue,
      yes.kind == .constant, ir.constants[Int(yes.first)].isTrue
    else { return false }
    // In the cel dialect the other side checks whether the root is something without attributes;
    // the fallback for such contexts covers that.
    return no.kind == .constant
      ? ir.constants[Int(no.first)].isFalse
      : no.kind == .call && ir.functions[Int(no.first)].name == FunctionDefinition.celHas.name
  }

  /// Returns a call as a test, if its other argument is a constant text.
  private func test(_ ir: borrowing IR, _ node: IRNode) -> (AttributeTest, Slot)? {
    let arguments = ir.children(of: node)
    guard arguments.count == 2, let constant = slot(ir, arguments[1]), constant.isA(.string)
    else { return nil }
    switch ir.functions[Int(node.first)].intrinsic {
    case .startsWith: return (.startsWith, constant)
    case .endsWith: return (.endsWith, constant)
    case .contains: return (.contains, constant)
    case .matches, .size, nil: return nil
    }
  }

  mutating func readCall(_ ir: borrowing IR, _ node: IRNode, _ use: Use) {
    guard let (test, constant) = test(ir, node),
      let operand = operand(ir, ir.children(of: node)[0])
    else { return leaveOut() }
    readTest(test, constant, operand, use)
  }

  /// Reads a test of an attribute and a text, or of the attribute alone.
  mutating func readTest(_ test: AttributeTest, _ text: Slot, _ operand: Operand, _ use: Use) {
    let isPositive = use.isPositive
    var holdsForMissing = false
    var failing = PositionKinds.undeclared
    let isSuperscript = references[Int(operand.attribute)].isSuperscript
    if operand.isNullWhenMissing,
      let result = test.holds(.null, text, isSuperscript: isSuperscript)
    {
      holdsForMissing = result == isPositive
    } else {
      failing.insert(.missing)
    }
    var number: UInt32?
    if text.isA(.string) {
      number = constant(text, of: operand.attribute)
      guard number != nil else { return leaveOut() }
    }
    emit(
      Condition(
        attribute: operand.attribute, claim: .test(test, constant: number),
        isNegated: !isPositive, holdsForMissing: holdsForMissing),
      failing: failing, use)
  }
}
