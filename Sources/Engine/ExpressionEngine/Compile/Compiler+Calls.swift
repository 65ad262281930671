import ExpressionSyntax

// Lists, maps and calls.

extension Compiler {
  @inline(never)
  mutating func generateList(
    _ id: UInt32, into target: UInt16
  ) throws(CompilerFailure) {
    let node = node(id)
    emit(Instruction(.beginList, a: target, wide: node.third), node.span)
    for child in children(of: id) {
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
    _ id: UInt32, into target: UInt16
  ) throws(CompilerFailure) {
    let node = node(id)
    emit(Instruction(.beginList, a: target, wide: node.third), node.span)
    let children = children(of: id)
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
    _ id: UInt32, into target: UInt16
  ) throws(CompilerFailure) {
    let node = node(id)
    guard let (instruction, subject) = try specialCall(node, into: target) else {
      return try generateArguments(id, into: target, .call)
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
    _ id: UInt32, into target: UInt16, _ opcode: Opcode
  ) throws(CompilerFailure) {
    let children = children(of: id)
    guard children.count < Int(UInt8.max) else {
      return try generateArgumentList(id, into: target, opcode)
    }
    let saved = top
    let first = UInt16(truncatingIfNeeded: top)
    for child in children { try generateArgument(child) }
    emitCall(id, into: target, opcode, count: children.count, first: first)
    top = saved
  }

  @inline(never)
  private mutating func generateArgument(_ id: UInt32) throws(CompilerFailure) {
    let register = try allocate(node(id).span)
    try generate(id, into: register)
  }

  @inline(never)
  private mutating func emitCall(
    _ id: UInt32, into target: UInt16, _ opcode: Opcode, count: Int, first: UInt16
  ) {
    let node = node(id)
    emit(
      Instruction(
        opcode, x: UInt8(truncatingIfNeeded: count), a: target, b: count == 0 ? 0 : first,
        c: UInt16(truncatingIfNeeded: node.first)), node.span)
  }

  /// Generates a call whose arguments, beyond the range of the operand, are passed as a list.
  @inline(never)
  private mutating func generateArgumentList(
    _ id: UInt32, into target: UInt16, _ opcode: Opcode
  ) throws(CompilerFailure) {
    let node = node(id)
    let saved = top
    let list = try allocate(node.span)
    try generateList(id, into: list)
    emit(
      Instruction(
        opcode, x: .max, a: target, b: list, c: UInt16(truncatingIfNeeded: node.first)), node.span)
    top = saved
  }
}
