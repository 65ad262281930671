import ExpressionSyntax

// Lists, maps and calls.

extension Compiler {
  @inline(never)
  mutating func generateList(
    _ node: IRNode, into target: UInt16
  ) throws(CompilerFailure) {
    emit(Instruction(.beginList, a: target, wide: node.third), node.span)
    for child in ir.children(of: node) {
      let (value, isOptional) = entry(child)
      try withOperand(value) { (compiler, operand) throws(CompilerFailure) in
        compiler.emit(
          Instruction(isOptional ? .appendOptional : .append, a: target, b: operand), node.span)
      }
    }
    emit(Instruction(.endList, a: target, wide: 0), node.span)
  }

  @inline(never)
  mutating func generateMap(
    _ node: IRNode, into target: UInt16
  ) throws(CompilerFailure) {
    emit(Instruction(.beginList, a: target, wide: node.third), node.span)
    let children = ir.children(of: node)
    for index in stride(from: 0, to: children.count &- 1, by: 2) {
      let span = self.node(children[index]).span
      let (value, isOptional) = entry(children[index + 1])
      let opcode: Opcode = isOptional ? .insertOptional : .insert
      try withOperand(children[index]) { (compiler, key) throws(CompilerFailure) in
        try compiler.withOperand(value) { (compiler, value) throws(CompilerFailure) in
          compiler.emit(Instruction(opcode, a: target, b: key, c: value), span)
        }
      }
    }
    emit(Instruction(.endMap, a: target, wide: 0), node.span)
  }

  /// Returns the value of a list element or map entry, and whether an empty value omits it.
  private mutating func entry(_ id: UInt32) -> (value: UInt32, isOptional: Bool) {
    let node = node(id)
    return node.kind == .optionalEntry ? (node.first, true) : (id, false)
  }

  @inline(never)
  mutating func generateCall(
    _ node: IRNode, into target: UInt16
  ) throws(CompilerFailure) {
    guard let (instruction, subject) = try specialCall(node, into: target) else {
      return try generateArguments(node, into: target, .call)
    }
    try generate(subject, into: target)
    emit(instruction, node.span)
  }

  /// Returns the specialized instruction of a call, if there is one, and the operand it works on.
  @inline(never)
  private mutating func specialCall(
    _ node: IRNode, into target: UInt16
  ) throws(CompilerFailure) -> (Instruction, subject: UInt32)? {
    let children = ir.children(of: node)
    guard ir.optimizations.contains(.intrinsics),
      let intrinsic = ir.functions[Int(node.first)].intrinsic, children.count == 2,
      let last = children.last, let first = children.first,
      let constant = constantOperand(last), ir.constants[Int(constant)].isA(.string),
      let instruction = try specialCall(intrinsic, constant: constant, into: target)
    else { return nil }
    // These instructions check for a string themselves.
    let subject = self.node(first)
    let isChecked =
      subject.kind == .expect && subject.second == SlotKinds.string.rawValue
      && subject.third == UInt32(FailureCode.unexpectedType.rawValue)
    return (instruction, isChecked ? subject.first : first)
  }

  private mutating func specialCall(
    _ intrinsic: FunctionDefinition.Intrinsic, constant: UInt16, into target: UInt16
  ) throws(CompilerFailure) -> Instruction? {
    switch intrinsic {
    case .startsWith: return Instruction(.callStartsWith, a: target, b: target, c: constant)
    case .endsWith: return Instruction(.callEndsWith, a: target, b: target, c: constant)
    case .size, .contains: return nil
    case .matches:
      // An invalid pattern fails when it is reached, as a computed one would.
      guard
        let pattern = try? CompiledRegex(
          ir.constants[Int(constant)].byteBuffer, syntax: ir.rules.regexSyntax,
          usesPCRE2: ir.optimizations.contains(.pcre2)),
        let number = UInt16(exactly: patterns.count)
      else { return nil }
      patterns.append(pattern)
      patternConstants.append(UInt32(constant))
      return Instruction(.callMatches, a: target, b: target, c: number)
    }
  }

  @inline(never)
  mutating func generateArguments(
    _ node: IRNode, into target: UInt16, _ opcode: Opcode
  ) throws(CompilerFailure) {
    let children = ir.children(of: node)
    let saved = top
    let number = UInt16(truncatingIfNeeded: node.first)
    if children.count < Int(UInt8.max) {
      let first = UInt16(truncatingIfNeeded: top)
      for child in children {
        let register = try allocate(self.node(child).span)
        try generate(child, into: register)
      }
      emit(
        Instruction(
          opcode, x: UInt8(truncatingIfNeeded: children.count), a: target,
          b: children.isEmpty ? 0 : first, c: number), node.span)
    } else {
      // Arguments beyond the range of the operand are passed as a list.
      let list = try allocate(node.span)
      try generateList(node, into: list)
      emit(Instruction(opcode, x: .max, a: target, b: list, c: number), node.span)
    }
    top = saved
  }
}
