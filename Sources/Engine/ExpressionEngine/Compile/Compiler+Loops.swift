import ExpressionSyntax

// Loops over lists and maps.

extension Compiler {
  @inline(never)
  mutating func generateLoop(
    _ id: UInt32, into target: UInt16
  ) throws(CompilerFailure) {
    let node = node(id)
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
    case .all, .exists, .existsOne: emitInitial(.bool(kind == .all), into: target, node)
    case .count: emitInitial(.int(0), into: target, node)
    case .filter, .map: emit(Instruction(.beginList, a: target, wide: 8), node.span)
    }
    try generateBody(node, kind, iterator: iterator, variable: variable, into: target)
    switch kind {
    case .all, .exists, .existsOne, .count: break
    case .filter, .map: emit(Instruction(.endList, a: target, wide: 0), node.span)
    }
    top = saved
  }

  /// Generates the loop itself: advancing, the body, the use of its value, and the jump back.
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
    case .existsOne:
      // The target says whether an element was found. The second one decides.
      let found = emitJump(.jumpIfExactlyTrue, a: body, node.span)
      emit(back, node.span)
      land(found)
      let decided = emitJump(.jumpIfExactlyTrue, a: target, node.span)
      emitInitial(.bool(true), into: target, node)
      emit(back, node.span)
      land(decided)
      emitInitial(.bool(false), into: target, node)
    case .count:
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

  mutating func emitInitial(_ slot: Slot, into target: UInt16, _ node: IRNode) {
    emit(Instruction(.loadConstant, a: target, wide: poolConstant(slot)), node.span)
  }
}
