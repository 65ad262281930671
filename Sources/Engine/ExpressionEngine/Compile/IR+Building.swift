import ExpressionSyntax

// The making of the intermediate form.

extension IR {
  /// Adds a node and returns its number. Not inlined: it has a hundred callers.
  @inline(never)
  @discardableResult
  mutating func add(_ node: IRNode) -> UInt32 {
    var node = node
    node.isBool = optimizations.contains(.bools) && isBool(node)
    nodes.append(node, in: &scratch)
    return UInt32(truncatingIfNeeded: nodes.count &- 1)
  }

  /// Returns whether a node whose operands were added before is a bool or fails. It is mutating
  /// because otherwise the IR, which is large, would be copied.
  private mutating func isBool(_ node: IRNode) -> Bool {
    func isBool(_ id: UInt32) -> Bool { nodes[Int(id)].isBool }
    switch node.kind {
    case .conjunction, .absorbingAnd, .absorbingOr, .not, .truth: return true
    case .constant: return constants[Int(node.first)].isA(.bool)
    case .compare, .membership: return node.third == IRNode.none || isBool(node.third)
    case .disjunction: return children(of: node).allSatisfy(isBool)
    case .conditional: return isBool(node.second) && isBool(node.third)
    case .rescue: return isBool(node.first) && isBool(node.second)
    case .sequence: return isBool(node.second)
    case .call: return functions[Int(node.first)].intrinsic?.givesBool ?? false
    case .loop: return LoopKind(rawValue: node.detail)?.givesBool ?? false
    case .comprehension: return comprehensions[Int(node.first)].kind.givesBool
    default: return false
    }
  }

  /// Adds a node with any number of children.
  mutating func add(
    _ kind: IRKind, first: UInt32 = 0, detail: UInt8 = 0, mask: UInt8 = 0,
    children list: UnsafeBufferPointer<UInt32>, span: SourceSpan
  ) -> UInt32 {
    let start = UInt32(truncatingIfNeeded: children.count)
    children.append(contentsOf: list, in: &scratch)
    return add(
      IRNode(
        kind: kind, detail: detail, mask: mask, span: span, first: first, second: start,
        third: UInt32(truncatingIfNeeded: list.count)))
  }

  /// Adds a node with any number of children.
  mutating func add(
    _ kind: IRKind, first: UInt32 = 0, detail: UInt8 = 0, mask: UInt8 = 0, children list: [UInt32],
    span: SourceSpan
  ) -> UInt32 {
    list.withUnsafeBufferPointer {
      add(kind, first: first, detail: detail, mask: mask, children: $0, span: span)
    }
  }

  /// Returns the children of a node that has any number of them.
  @inline(__always)
  func children(of node: IRNode) -> UnsafeBufferPointer<UInt32> {
    children.slice(from: Int(node.second), count: Int(node.third))
  }

  /// Adds a constant whose memory, if any, is in ``arena``.
  mutating func constant(_ slot: Slot, span: SourceSpan) -> UInt32 {
    add(IRNode(kind: .constant, span: span, first: number(ofConstant: slot)))
  }

  /// Returns the number of a constant in the pool.
  mutating func number(ofConstant slot: Slot) -> UInt32 {
    guard slot.word1 <= UInt64(SlotTag.bool.rawValue) else { return newConstant(slot) }
    let isNull = slot.isA(.null)
    let known =
      isNull
      ? commonConstants.null
      : (slot.boolValue ? commonConstants.true : commonConstants.false)
    guard known == .max else { return known }
    let number = newConstant(slot)
    if isNull {
      commonConstants.null = number
    } else if slot.boolValue {
      commonConstants.true = number
    } else {
      commonConstants.false = number
    }
    return number
  }

  mutating func newConstant(_ slot: Slot) -> UInt32 {
    constants.append(slot, in: &scratch)
    return UInt32(truncatingIfNeeded: constants.count &- 1)
  }

  /// Returns the slot of a constant node, or `nil` for any other node. It is mutating because
  /// otherwise the IR, which is large, would be copied.
  mutating func constantSlot(_ id: UInt32) -> Slot? {
    let node = nodes[Int(id)]
    return node.kind == .constant ? constants[Int(node.first)] : nil
  }

  /// Copies text into the program's memory, which has no limit.
  mutating func text(_ bytes: UnsafeBufferPointer<UInt8>, as tag: SlotTag = .string) -> Slot {
    arena.copy(bytes, as: tag) ?? .null
  }

  /// Returns the number of the reference to `name` under `root`. Equal references share one.
  mutating func attribute(
    root: Root, name: UnsafeBufferPointer<UInt8>, rootIsOptional: Bool = false
  ) -> UInt32 {
    let mark = arena.mark
    let slot = text(name)
    let hash = KeyHash.of(slot)
    let rootIndex =
      UInt32(root.rawValue) &+ UInt32(form.rawValue) &* UInt32(ContextStorage.rootCount)
    let reference = AttributeReference(
      hash: hash, name: slot, root: rootIndex, rootIsOptional: rootIsOptional)
    // A few names are compared one by one; beyond that, an index keeps long filters linear.
    if attributes.count < 16 {
      for number in attributes.indices where Self.same(attributes[number], reference) {
        arena.giveBack(to: mark)
        return UInt32(truncatingIfNeeded: number)
      }
    } else {
      if attributeIndex.isEmpty {
        for (number, other) in attributes.elements.enumerated() {
          attributeIndex[other.hash, default: []].append(UInt32(truncatingIfNeeded: number))
        }
      }
      for number in attributeIndex[hash] ?? []
      where Self.same(attributes[Int(number)], reference) {
        arena.giveBack(to: mark)
        return number
      }
    }
    let number = UInt32(truncatingIfNeeded: attributes.count)
    attributes.append(reference, in: &scratch)
    if !attributeIndex.isEmpty { attributeIndex[hash, default: []].append(number) }
    return number
  }

  static func same(_ a: AttributeReference, _ b: AttributeReference) -> Bool {
    a.hash == b.hash && a.root == b.root && a.rootIsOptional == b.rootIsOptional
      && a.name.aux == b.name.aux
      && Slot.sameBytes(a.name.word0, b.name.word0, count: a.name.aux)
  }

  /// Allocates a local.
  mutating func newLocal() -> UInt32 {
    localCount &+= 1
    return UInt32(truncatingIfNeeded: localCount &- 1)
  }
}
