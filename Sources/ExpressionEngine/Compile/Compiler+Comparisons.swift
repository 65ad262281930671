import ExpressionSyntax

// Comparisons and arithmetic: what is one instruction, and what takes its operands from registers.

extension Compiler {
  /// The one instruction that a comparison of an attribute with a constant becomes.
  mutating func fused(_ node: IRNode) -> (opcode: Opcode, comparison: FusedComparison)? {
    guard fuses else { return nil }
    let left = ir.nodes[Int(node.first)]
    guard left.kind == .attribute, UInt16(exactly: left.first) != nil,
      constantOperand(node.second) != nil, let constant = ir.constantSlot(node.second),
      let missing = missingResult(node, left: left)
    else { return nil }
    let mask = ComparisonMask(bits: node.mask)
    let comparison = FusedComparison(mask: mask, conjoins: false, missing: missing)
    if node.kind == .membership {
      // Membership counts as equality: found is equal, not found is not.
      let found = FusedComparison(mask: .equal, conjoins: false, missing: missing)
      if node.detail != 0 { return (.attributeInSet, found) }
      return constant.isA(.list) ? (.attributeInConstant, found) : nil
    }
    return (node.detail != 0 ? .compareAttributeReadings : .compareAttribute, comparison)
  }

  /// What a fused comparison answers for a missing attribute, if one of its three ways will do.
  private mutating func missingResult(_ node: IRNode, left: IRNode) -> FusedComparison.Missing? {
    if left.detail == MissingPolicy.null.rawValue { return nil }
    if node.third == IRNode.none { return .fail }
    guard let replacement = ir.constantSlot(node.third) else { return nil }
    if replacement.isTrue { return .true }
    return replacement.isFalse ? .false : nil
  }

  mutating func generateFused(_ node: IRNode, into target: UInt16, conjoins: Bool) {
    guard let (opcode, comparison) = fused(node), let constant = constantOperand(node.second)
    else { return }
    let x = FusedComparison(
      mask: comparison.mask, conjoins: conjoins, missing: comparison.missing)
    emit(
      Instruction(
        opcode, x: x.rawValue, a: target,
        b: UInt16(truncatingIfNeeded: ir.nodes[Int(node.first)].first), c: constant), node.span)
  }

  @inline(never)
  mutating func generateComparison(
    _ node: IRNode, into target: UInt16, from start: UInt32
  ) throws(CompilerFailure) {
    let left = leftRegister(target, from: start)
    let leftEnd = here
    let isMembership = node.kind == .membership
    if let constant = constantOperand(node.second) {
      emit(
        Instruction(
          Self.constantOpcode(node), x: node.mask, a: target,
          b: left, c: constant), node.span)
    } else if node.detail != 0 {
      throw .tooManyConstants(node.span)
    } else {
      try withOperand(node.second) { (compiler, operand) throws(CompilerFailure) in
        compiler.emit(
          Instruction(
            isMembership ? .membership : .compare, x: node.mask, a: target, b: left,
            c: operand), node.span)
      }
    }
    guard node.third != IRNode.none else { return }
    let jump = emitJump(.jump, node.span)
    rescue(
      FailureHandler(start: start, end: leftEnd, target: here, rescues: .missingKey))
    try generate(node.third, into: target)
    land(jump)
  }

  /// The instruction that compares a register with a constant or looks it up in one.
  private static func constantOpcode(_ node: IRNode) -> Opcode {
    switch (node.kind, node.detail) {
    case (.membership, 0): .membershipConstant
    case (.membership, _): .memberOfSet
    case (_, 0): .compareConstant
    default: .compareReadings
    }
  }

  @inline(never)
  mutating func generateArithmetic(
    _ node: IRNode, into target: UInt16, from start: UInt32
  ) throws(CompilerFailure) {
    let left = leftRegister(target, from: start)
    let registers: [Opcode] = [.add, .subtract, .multiply, .divide, .remainder]
    let constants: [Opcode] = [
      .addConstant, .subtractConstant, .multiplyConstant, .divideConstant, .remainderConstant,
    ]
    let row = Int(node.detail)
    if let constant = constantOperand(node.second) {
      emit(Instruction(constants[row], a: target, b: left, c: constant), node.span)
    } else {
      try withOperand(node.second) { (compiler, operand) throws(CompilerFailure) in
        compiler.emit(Instruction(registers[row], a: target, b: left, c: operand), node.span)
      }
    }
  }
}
