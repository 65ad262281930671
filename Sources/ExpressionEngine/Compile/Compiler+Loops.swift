import ExpressionSyntax

// Loops over lists and maps, and the ones that are a single instruction.

extension Compiler {
  @inline(never)
  mutating func generateLoop(
    _ node: IRNode, into target: UInt16
  ) throws(CompilerFailure) {
    let saved = top
    let kind = LoopKind(rawValue: node.detail) ?? .all
    let iterator = try allocate(node.span)
    let variable = try allocate(node.span)
    localRegisters[Int(node.third)] = variable
    try generate(node.first, into: iterator)
    let takesMaps = kind == .all || kind == .exists || kind == .existsOne
    emit(
      Instruction(.loopBegin, x: takesMaps ? 1 : 0, a: iterator, b: iterator),
      self.node(node.first).span)
    switch kind {
    case .all, .exists: emitInitial(.bool(kind == .all), into: target, node)
    case .existsOne, .count: emitInitial(.int(0), into: target, node)
    case .filter, .map: emit(Instruction(.beginList, a: target, wide: 8), node.span)
    }
    if try !generateScan(node, kind, iterator: iterator, into: target) {
      try generateBody(node, kind, iterator: iterator, variable: variable, into: target)
    }
    switch kind {
    case .all, .exists, .count: break
    case .existsOne: emit(Instruction(.isOne, a: target, wide: 0), node.span)
    case .filter, .map: emit(Instruction(.endList, a: target, wide: 0), node.span)
    }
    top = saved
  }

  /// Generates the loop proper: next element, body, what its value means, and back.
  @inline(never)
  private mutating func generateBody(
    _ node: IRNode, _ kind: LoopKind, iterator: UInt16, variable: UInt16, into target: UInt16
  ) throws(CompilerFailure) {
    let next = emitJump(.loopNext, a: iterator, node.span)
    let back = Instruction(.jump, wide: UInt32(truncatingIfNeeded: next))
    let body = try allocate(node.span)
    try generate(node.second, into: body)
    switch kind {
    case .all, .exists:
      let decides: Opcode = kind == .all ? .jumpIfExactlyFalse : .jumpIfExactlyTrue
      let found = emitJump(decides, a: body, node.span)
      emit(back, node.span)
      land(found)
      emitInitial(.bool(kind == .exists), into: target, node)
    case .existsOne, .count:
      emit(Instruction(.countIfTrue, a: target, b: body), node.span)
      emit(back, node.span)
    case .filter:
      let yes = emitJump(.jumpIfExactlyTrue, a: body, node.span)
      emit(back, node.span)
      land(yes)
      emit(Instruction(.append, a: target, b: variable), node.span)
      emit(back, node.span)
    case .map:
      emit(Instruction(.append, a: target, b: body), node.span)
      emit(back, node.span)
    }
    land(next)
  }

  /// Generates one instruction for a whole loop whose body compares the element with a constant, or
  /// looks it up in a collection that does not depend on it; `false` if the loop is not of that kind.
  @inline(never)
  private mutating func generateScan(
    _ node: IRNode, _ kind: LoopKind, iterator: UInt16, into target: UInt16
  ) throws(CompilerFailure) -> Bool {
    guard fuses, kind != .filter, kind != .map else { return false }
    let body = self.node(node.second)
    guard body.kind == .compare || body.kind == .membership, body.third == IRNode.none,
      body.detail == 0
    else { return false }
    let left = self.node(body.first)
    guard left.kind == .local, left.first == node.third else { return false }
    let x = ScanOperand(mask: ComparisonMask(bits: body.mask), kind: kind).rawValue
    if body.kind == .compare {
      guard let constant = constantOperand(body.second) else { return false }
      emit(Instruction(.scanConstant, x: x, a: target, b: iterator, c: constant), body.span)
      return true
    }
    switch self.node(body.second).kind {
    case .attribute, .constant: break
    default: return false
    }
    // Without elements the collection is not evaluated, and cannot fail.
    let end = emitJump(.jumpIfEmpty, a: iterator, node.span)
    try withOperand(body.second) { (compiler, operand) throws(CompilerFailure) in
      compiler.emit(
        Instruction(.scanMembership, x: x, a: target, b: iterator, c: operand), body.span)
    }
    land(end)
    return true
  }

  mutating func emitInitial(_ slot: Slot, into target: UInt16, _ node: IRNode) {
    emit(Instruction(.loadConstant, a: target, wide: poolConstant(slot)), node.span)
  }
}
