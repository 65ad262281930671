// Truth, presence and tests of attributes.

extension FilterReader {
  /// Reads an attribute as a truth value.
  mutating func readTruth(
    _ ir: borrowing IR, _ node: IRNode, _ sense: Sense, _ isGuarded: Bool
  ) {
    // Read again, as an operand.
    let reference = ir.attributes[Int(node.first)]
    if node.kind == .variable,
      reference.rootIsOptional || Root(layerNamed: reference.name.byteBuffer) != nil
    {
      return leaveOut()
    }
    let operand = Operand(
      attribute: number(of: reference),
      isNullWhenMissing: node.kind == .attribute && node.detail == MissingPolicy.null.rawValue)
    switch sense {
    case .isTrue, .isFalse:
      let position = ValueLine.bools &+ (sense == .isTrue ? 1 : 0)
      // Whether other kinds fail depends on the use of the value.
      let failing =
        operand.isNullWhenMissing ? .undeclared : PositionKinds.all.subtracting(.bool)
      emit(
        [], [position, position], of: operand.attribute, failing: failing, isGuarded: isGuarded)
    case .isTruthy, .isFalsy:
      readTest(.truth, .null, operand, sense, isGuarded)
    }
  }

  /// Reads `has(user.a)`.
  mutating func readPresence(
    _ ir: borrowing IR, _ node: IRNode, _ sense: Sense, _ isGuarded: Bool
  ) {
    guard Self.isPresence(ir, node),
      let operand = operand(ir, ir.nodes[Int(node.first)].first)
    else { return leaveOut() }
    emit(
      sense.isPositive ? .complement : .missing, [], of: operand.attribute, failing: .undeclared,
      isGuarded: isGuarded)
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

  mutating func readCall(
    _ ir: borrowing IR, _ node: IRNode, _ sense: Sense, _ isGuarded: Bool
  ) {
    guard let (test, constant) = test(ir, node),
      let operand = operand(ir, ir.children(of: node)[0])
    else { return leaveOut() }
    readTest(test, constant, operand, sense, isGuarded)
  }

  mutating func readTest(
    _ test: AttributeTest, _ slot: Slot, _ operand: Operand, _ sense: Sense, _ isGuarded: Bool
  ) {
    let isSuperscript = references[Int(operand.attribute)].isSuperscript
    var flags: ConditionFlags = sense.isPositive ? .test : [.test, .complement]
    var failing = PositionKinds.undeclared
    let missing =
      operand.isNullWhenMissing
      ? test.holds(.null, slot, isSuperscript: isSuperscript) : nil
    if let missing {
      if missing == sense.isPositive { flags.insert(.missing) }
    } else {
      failing.insert(.missing)
    }
    var words = [test.rawValue]
    if slot.isA(.string) {
      guard let number = constant(slot, of: operand.attribute) else { return leaveOut() }
      words.append(number)
    }
    emit(flags, words, of: operand.attribute, failing: failing, isGuarded: isGuarded)
  }
}
