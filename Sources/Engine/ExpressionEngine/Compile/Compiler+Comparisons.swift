import ExpressionSyntax

// Comparisons and arithmetic, whose right operand is a constant or a register.

extension Compiler {
  @inline(never)
  mutating func generateComparison(
    _ id: UInt32, into target: UInt16, from start: UInt32
  ) throws(CompilerFailure) {
    let node = node(id)
    let left = leftRegister(target, from: start)
    let leftEnd = here
    let isMembership = node.kind == .membership
    // Sets, and texts that are also read as numbers, have no instruction with registers.
    let constant = node.detail == 0 ? pooledOperand(node.second) : constantOperand(node.second)
    if let constant {
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

  /// Returns the instruction that compares a register with a constant or looks it up in one.
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
    _ id: UInt32, into target: UInt16, from start: UInt32
  ) throws(CompilerFailure) {
    let node = node(id)
    let left = leftRegister(target, from: start)
    let registers: [Opcode] = [.add, .subtract, .multiply, .divide, .remainder]
    let constants: [Opcode] = [
      .addConstant, .subtractConstant, .multiplyConstant, .divideConstant, .remainderConstant,
    ]
    let row = Int(node.detail)
    if let constant = pooledOperand(node.second) {
      emit(Instruction(constants[row], a: target, b: left, c: constant), node.span)
    } else {
      try withOperand(node.second) { (compiler, operand) throws(CompilerFailure) in
        compiler.emit(Instruction(registers[row], a: target, b: left, c: operand), node.span)
      }
    }
  }
}
