import ExpressionSyntax

// Literals and comparisons.

extension SuperscriptLowering {
  /// The value of a literal node.
  ///
  /// The strings `true` and `false` are bools everywhere except inside an index
  /// (docs/spec/superscript.md §4).
  @inline(never)
  mutating func literal(_ node: SyntaxNode, _ mode: Mode) -> Slot {
    switch node.kind {
    case .boolLiteral: return .bool(node.payload != 0)
    case .intLiteral: return .int(Int64(bitPattern: node.payload))
    // Only trees in JSON have them.
    case .uintLiteral: return .uint(node.payload)
    case .doubleLiteral: return Slot(.double, node.payload)
    case .bytesLiteral:
      return content(node, as: .bytes)
    case .stringLiteral:
      let slot = content(node, as: .string)
      return mode != .verbatim && slot.isBoolWord ? .bool(slot.aux == 4) : slot
    default: return .null
    }
  }

  /// The content of a string or bytes literal, copied from the source unless it has escapes.
  private mutating func content(_ node: SyntaxNode, as tag: SlotTag) -> Slot {
    if let plain = tree.plainText(of: node) { return ir.text(plain, as: tag) }
    return tree.text(of: node).withUnsafeBufferPointer { ir.text($0, as: tag) }
  }

  /// Returns whether a node is a literal in the sense of the missing-member rule
  /// (docs/spec/superscript.md §2).
  private func isLiteral(_ node: SyntaxNode) -> Bool {
    switch node.kind {
    case .nullLiteral, .boolLiteral, .intLiteral, .uintLiteral, .doubleLiteral, .stringLiteral,
      .bytesLiteral:
      true
    default: false
    }
  }

  /// Returns the replacement of a missing left operand: the zero of the literal's kind, null for
  /// bytes.
  @inline(never)
  private mutating func zero(of slot: Slot) -> Slot {
    switch slot.tag {
    case .string: ir.text(UnsafeBufferPointer(start: nil, count: 0))
    case .int: .int(0)
    case .uint: .uint(0)
    case .double: .double(0)
    case .bool: .bool(false)
    default: .null
    }
  }

  // MARK: Comparisons

  @inline(never)
  mutating func lowerComparison(
    _ id: NodeID, _ mode: Mode, left: UInt32, missesBefore: Int
  ) -> UInt32 {
    let node = tree[id]
    let missing = guardedMiss(node, mode, missesBefore: missesBefore)
    if let both = readingsOnTheRight(node, mode) {
      return eitherReading(node, left, both, missing: missing)
    }
    let right = lower(NodeID(node.second), mode)
    return makeComparison(node, mode, left, right, missing: missing)
  }

  /// Returns the result of a comparison whose left operand is missing, if it can be missing.
  @inline(never)
  private mutating func guardedMiss(
    _ node: SyntaxNode, _ mode: Mode, missesBefore: Int
  ) -> UInt32? {
    guard mode != .verbatim, isMember(tree[NodeID(node.first)]), unguardedMisses > missesBefore
    else { return nil }
    unguardedMisses = missesBefore
    return missingResult(node, mode)
  }

  @inline(never)
  private mutating func readingsOnTheRight(_ node: SyntaxNode, _ mode: Mode) -> Slot? {
    hasReadings(node, mode) ? numericReadings(tree[NodeID(node.second)], mode) : nil
  }

  /// Returns whether a numeric string literal also means a number in a comparison.
  private func hasReadings(_ node: SyntaxNode, _ mode: Mode) -> Bool {
    switch node.op {
    case .equal, .notEqual: mode != .verbatim
    default: false
    }
  }

  @inline(never)
  private mutating func makeComparison(
    _ node: SyntaxNode, _ mode: Mode, _ left: UInt32, _ right: UInt32, missing: UInt32?
  ) -> UInt32 {
    if hasReadings(node, mode), let both = numericReadings(tree[NodeID(node.first)], mode) {
      return eitherReading(node, right, both, missing: nil)
    }
    return ir.comparison(node.op, left, right, missing: missing, span: node.span)
  }

  /// Returns a numeric string literal as a list of its two alternatives, text and number
  /// (docs/spec/superscript.md §5).
  @inline(never)
  private mutating func numericReadings(_ node: SyntaxNode, _ mode: Mode) -> Slot? {
    guard case .stringLiteral = node.kind else { return nil }
    // Most literals are words, which can be distinguished from numbers without copying them.
    if let plain = tree.plainText(of: node), NumericText.number(plain) == nil { return nil }
    let mark = ir.arena.mark
    let text = literal(node, mode)
    guard text.isA(.string), let number = NumericText.number(text.byteBuffer) else {
      ir.arena.giveBack(to: mark)
      return nil
    }
    return withUnsafeTemporaryAllocation(of: Slot.self, capacity: 2) { both in
      both[0] = text
      both[1] = number
      return ir.arena.copyList(UnsafeBufferPointer(both))
    }
  }

  /// Lowers a comparison with both alternatives: `==` holds if it holds for either, `!=` if for
  /// both.
  @inline(never)
  private mutating func eitherReading(
    _ node: SyntaxNode, _ operand: UInt32, _ readings: Slot, missing: UInt32?
  ) -> UInt32 {
    let list = ir.constant(readings, span: node.span)
    // The zero of a string literal equals neither alternative, because `""` is not a number.
    let isInequality = node.op == .notEqual
    let whenMissing = missing.map { _ in ir.constant(.bool(isInequality), span: node.span) }
    if whenMissing == nil, let slot = ir.constantSlot(operand) {
      let isEither = readings.elements.contains { Slot.equal($0, slot, rules: ir.rules) }
      return ir.constant(.bool(isEither != isInequality), span: node.span)
    }
    return ir.add(
      IRNode(
        kind: .compare, detail: 1,
        mask: (isInequality ? ComparisonMask.notEqual : .equal).bits, span: node.span,
        first: operand, second: list, third: whenMissing ?? IRNode.none))
  }

  /// Returns the result of a comparison whose left operand is missing: the comparison with the
  /// literal's zero, or false when the right operand is not a literal (docs/spec/superscript.md
  /// §2).
  @inline(never)
  mutating func missingResult(_ node: SyntaxNode, _ mode: Mode) -> UInt32 {
    let right = tree[NodeID(node.second)]
    guard isLiteral(right) else { return ir.constant(.bool(false), span: node.span) }
    let mark = ir.arena.mark
    let slot = literal(right, mode)
    let zero = zero(of: slot)
    if let answer = ir.comparison(node.op, zero, slot), answer.isA(.bool) {
      // Neither of the two is needed now.
      ir.arena.giveBack(to: mark)
      return ir.constant(answer, span: node.span)
    }
    let leftID = ir.constant(zero, span: node.span)
    let rightID = ir.constant(slot, span: right.span)
    return ir.comparison(node.op, leftID, rightID, missing: nil, span: node.span)
  }

  /// Returns whether a node calls a function under `device` or `computed` that its table does not
  /// have.
  mutating func isUnregisteredHostCall(_ node: SyntaxNode) -> Bool {
    guard case .call = node.kind, node.first != SyntaxNode.none else { return false }
    let target = tree[NodeID(node.first)]
    guard case .identifier = target.kind else { return false }
    switch tree.name(of: target) {
    case "device": return environment.deviceFunctions[tree.name(of: node)] == nil
    case "computed": return environment.computedFunctions[tree.name(of: node)] == nil
    default: return false
    }
  }
}
