import ExpressionSyntax

// Logic and failures.

extension Compiler {
  @inline(never)
  mutating func generateConjunction(
    _ id: UInt32, into target: UInt16
  ) throws(CompilerFailure) {
    var isFirst = true
    for child in children(of: id) {
      let childNode = self.node(child)
      if isFirst {
        try generate(child, into: target)
        if !childNode.isBool {
          emit(Instruction(.truth, a: target, b: target), childNode.span)
        }
      } else {
        try withOperand(child) { (compiler, operand) throws(CompilerFailure) in
          compiler.emit(Instruction(.conjoin, a: target, b: operand), childNode.span)
        }
      }
      isFirst = false
    }
  }

  @inline(never)
  mutating func generateDisjunction(
    _ id: UInt32, into target: UInt16
  ) throws(CompilerFailure) {
    let node = node(id)
    var jumps: [Int] = []
    let children = children(of: id)
    for child in children {
      try generate(child, into: target)
      if child != children.last { jumps.append(emitJump(.jumpIfTrue, a: target, node.span)) }
    }
    for jump in jumps { land(jump) }
  }

  mutating func poolConstant(_ slot: Slot) -> UInt32 {
    ir.number(ofConstant: slot)
  }

  @inline(never)
  mutating func generateConditional(
    _ id: UInt32, into target: UInt16
  ) throws(CompilerFailure) {
    let node = node(id)
    try generate(node.first, into: target)
    if node.detail != 0 { emit(Instruction(.requireBool, a: target, wide: 0), node.span) }
    let toElse = emitJump(.jumpIfFalse, a: target, node.span)
    try generate(node.second, into: target)
    let toEnd = emitJump(.jump, node.span)
    land(toElse)
    try generate(node.third, into: target)
    land(toEnd)
  }

  // MARK: Failures

  @inline(never)
  mutating func generateRescue(
    _ id: UInt32, into target: UInt16
  ) throws(CompilerFailure) {
    let node = node(id)
    let start = here
    try generate(node.first, into: target)
    let end = here
    let jump = emitJump(.jump, node.span)
    rescue(
      FailureHandler(
        start: start, end: end, target: here,
        rescues: RescueClass(rawValue: node.detail) ?? .any))
    try generate(node.second, into: target)
    land(jump)
  }

  @inline(never)
  mutating func generateBind(
    _ id: UInt32, into target: UInt16
  ) throws(CompilerFailure) {
    let node = node(id)
    let saved = top
    let register = try allocate(node.span)
    localRegisters[Int(node.second)] = register
    try generate(node.first, into: register)
    try generate(node.third, into: target)
    top = saved
  }
}
