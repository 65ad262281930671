// How bools are combined: `!`, `&&`, `||`, `?:` and loops.

extension FilterReader {
  /// How the value of a node is used.
  struct Use {
    /// Whether the value must be true, rather than false.
    var isPositive = true
    /// Whether the value must be a bool. Otherwise what is truthy counts as true, and what is falsy
    /// as false.
    var isStrict = true
    /// Whether the filter must be evaluated when a condition of the node fails.
    var isGuarded = false
    /// The number of nodes that the node is part of.
    var depth = 0

    /// Returns the use of an operand of the node.
    func operand(isPositive: Bool, isStrict: Bool, isGuarded: Bool? = nil) -> Use {
      Use(
        isPositive: isPositive, isStrict: isStrict, isGuarded: isGuarded ?? self.isGuarded,
        depth: depth &+ 1)
    }

    /// Returns whether the node holds if it has a value.
    func holds(for value: Slot) -> Bool {
      (!isStrict || value.isA(.bool)) && value.isTruthy == isPositive
    }
  }

  /// Reads a node.
  mutating func walk(_ ir: borrowing IR, _ id: UInt32, _ use: Use) {
    current.budget &-= 1
    guard current.budget > 0, use.depth < Lowering.maximumDepth else { return leaveOut() }
    let node = ir.nodes[Int(id)]
    let isPositive = use.isPositive
    switch node.kind {
    case .constant:
      let slot = ir.constants[Int(node.first)]
      if use.isStrict, !slot.isA(.bool) { current.hasMisplacedConstant = true }
      code.append(use.holds(for: slot) ? .and(0) : .or(0))
    case .not:
      walk(ir, node.first, use.operand(isPositive: !isPositive, isStrict: node.detail != 0))
    case .truth:
      walk(ir, node.first, use.operand(isPositive: isPositive, isStrict: false))
    case .conjunction:
      // `!(a && b)` fails if either operand does.
      let inner = use.operand(
        isPositive: isPositive, isStrict: false, isGuarded: use.isGuarded || !isPositive)
      walk(ir, ir.children(of: node), inner, isAnd: isPositive)
    case .absorbingAnd:
      let inner = use.operand(isPositive: isPositive, isStrict: true)
      walk(ir, ir.children(of: node), inner, isAnd: isPositive)
    case .absorbingOr:
      let inner = use.operand(isPositive: isPositive, isStrict: true, isGuarded: false)
      walk(ir, ir.children(of: node), inner, isAnd: !isPositive)
    case .disjunction: walkDisjunction(ir, node, use)
    case .conditional: walkConditional(ir, node, use)
    case .compare:
      if ComparisonMask(bits: node.mask).isEquality, node.detail == 0, node.third == IRNode.none,
        Self.isLogic(ir.nodes[Int(node.first)]), Self.isLogic(ir.nodes[Int(node.second)])
      {
        return walkEquivalence(ir, node, use)
      }
      readComparison(ir, node, use)
    case .membership: readMembership(ir, node, use)
    case .attribute, .variable: readTruth(ir, node, use)
    case .rescue: readPresence(ir, node, use)
    case .call: readCall(ir, node, use)
    case .loop: walkLoop(ir, node, use)
    case .comprehension: walkComprehension(ir, ir.comprehensions[Int(node.first)], use)
    default: leaveOut()
    }
  }

  /// Reads the operands of `and` or `or`.
  private mutating func walk(
    _ ir: borrowing IR, _ children: UnsafeBufferPointer<UInt32>, _ use: Use, isAnd: Bool
  ) {
    for child in children { walk(ir, child, use) }
    code.append(isAnd ? .and(children.count) : .or(children.count))
  }

  /// Reads `c ? a : b` as `(c && a) || (!c && b)`.
  private mutating func walkConditional(_ ir: borrowing IR, _ node: IRNode, _ use: Use) {
    for (isTrue, branch) in [(true, node.second), (false, node.third)] {
      walk(ir, node.first, use.operand(isPositive: isTrue, isStrict: node.detail != 0))
      walk(ir, branch, use.operand(isPositive: use.isPositive, isStrict: use.isStrict))
      code.append(.and(2))
    }
    code.append(.or(2))
  }

  /// Reads `a == b` or `a != b` of bools: both are true or both are false, or one of each.
  private mutating func walkEquivalence(_ ir: borrowing IR, _ node: IRNode, _ use: Use) {
    let isEqual = (ComparisonMask(bits: node.mask) == .equal) == use.isPositive
    for isTrue in [true, false] {
      walk(ir, node.first, use.operand(isPositive: isTrue, isStrict: true))
      walk(ir, node.second, use.operand(isPositive: isTrue == isEqual, isStrict: true))
      code.append(.and(2))
    }
    code.append(.or(2))
  }

  /// Reads `||` of the superscript dialect: the first truthy operand, otherwise the last one.
  ///
  /// `a || b` is negated as `!a && !b`. Otherwise it is read as alternatives, or, where it matters
  /// that `b` counts only if `a` is falsy, as `a || (!a && b)`.
  private mutating func walkDisjunction(_ ir: borrowing IR, _ node: IRNode, _ use: Use) {
    let children = ir.children(of: node)
    let falsy = use.operand(isPositive: false, isStrict: false)
    guard use.isPositive else {
      for child in children.dropLast() { walk(ir, child, falsy) }
      if let last = children.last {
        walk(ir, last, use.operand(isPositive: false, isStrict: use.isStrict))
      }
      return code.append(.and(children.count))
    }
    // The number of alternatives in each group. A group after the first is the second half of
    // `(!a && …)`, which is an alternative of the group before it.
    var groups = [0]
    for (index, child) in children.enumerated() {
      let isLast = index &+ 1 == children.count
      let hidesLater =
        !isLast && hidesLaterOperands(ir.nodes[Int(child)], isStrict: use.isStrict)
      let isGuarded = use.isGuarded || !(isLast || hidesLater)
      walk(
        ir, child,
        use.operand(isPositive: true, isStrict: use.isStrict, isGuarded: isGuarded))
      groups[groups.count &- 1] &+= 1
      if hidesLater {
        walk(ir, child, falsy)
        groups.append(0)
      }
    }
    code.append(.or(groups.removeLast()))
    for count in groups.reversed() {
      code.append(.and(2))
      code.append(.or(count &+ 1))
    }
  }

  /// Returns whether an operand of `||` is likely to fail, or to be truthy without being true, so
  /// that the later ones count only if it is falsy. If it fails only for unusual values, a guard
  /// handles that.
  private func hidesLaterOperands(_ operand: IRNode, isStrict: Bool) -> Bool {
    operand.kind == .call || operand.kind == .variable || (isStrict && !operand.isBool)
  }

  /// Reads a loop over a constant list of the superscript dialect.
  private mutating func walkLoop(_ ir: borrowing IR, _ node: IRNode, _ use: Use) {
    let isAll = node.detail == LoopKind.all.rawValue
    guard isAll || node.detail == LoopKind.exists.rawValue else { return leaveOut() }
    let loop = ConstantLoop(
      range: node.first, body: node.second, local: node.third, isAll: isAll,
      // An element that decides does not count if the body fails for an earlier one.
      isGuarded: use.isGuarded || isAll != use.isPositive)
    walkElements(ir, loop, use)
  }

  /// Reads a loop over a constant list of the cel dialect, as `&&` or `||` of its bodies.
  private mutating func walkComprehension(_ ir: borrowing IR, _ loop: Comprehension, _ use: Use) {
    let isAll = loop.kind == .all
    guard isAll || loop.kind == .exists, loop.secondLocal == nil, loop.filter == nil else {
      return leaveOut()
    }
    let loop = ConstantLoop(
      range: loop.range, body: loop.body, local: loop.firstLocal, isAll: isAll,
      isGuarded: isAll && use.isGuarded)
    walkElements(ir, loop, use)
  }

  /// A loop that is true if its body is, for all elements or for any of them.
  private struct ConstantLoop {
    let range: UInt32
    let body: UInt32
    let local: UInt32
    let isAll: Bool
    let isGuarded: Bool
  }

  /// Reads the body of a loop once for each element of a constant list.
  private mutating func walkElements(_ ir: borrowing IR, _ loop: ConstantLoop, _ use: Use) {
    guard let list = slot(ir, loop.range), list.isA(.list), ir.nodes[Int(loop.body)].isBool else {
      return leaveOut()
    }
    let inner = use.operand(
      isPositive: use.isPositive, isStrict: true, isGuarded: loop.isGuarded)
    for element in list.elements {
      bindings.append(Binding(local: loop.local, value: element))
      walk(ir, loop.body, inner)
      bindings.removeLast()
    }
    let count = list.elements.count
    code.append(loop.isAll == use.isPositive ? .and(count) : .or(count))
  }

  /// Returns whether a node is a bool made of other bools.
  private static func isLogic(_ node: IRNode) -> Bool { node.isBool && node.kind != .constant }
}
