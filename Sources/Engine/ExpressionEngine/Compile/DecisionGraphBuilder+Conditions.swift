import ExpressionSyntax

// Decisions of `&&`, `||`, `!` and `? :`.

extension DecisionGraphBuilder {
  /// Builds the test of whether an expression counts as true.
  mutating func condition(_ id: UInt32, _ exits: Exits) -> Decision.Branch {
    guard enter() else { return giveUp() }
    defer { leave() }
    let node = nodes[Int(id)]
    switch node.kind {
    case .constant: return constants[Int(node.first)].isTruthy ? exits.ifTrue : exits.ifFalse
    case .attribute, .variable, .local: return truthTest(id, exits)
    case .conjunction: return conjunction(node, exits)
    case .disjunction:
      var next = exits.ifFalse
      for operand in children(of: node).reversed() {
        next = condition(
          operand, Exits(ifTrue: exits.ifTrue, ifFalse: next, ifFailed: exits.ifFailed))
      }
      return next
    case .absorbingAnd, .absorbingOr: return absorbing(node, exits)
    case .not: return truth(node.first, isStrict: node.detail != 0, exits.swapped)
    case .truth: return condition(node.first, exits)
    case .conditional:
      let chosen = Exits(
        ifTrue: condition(node.second, exits), ifFalse: condition(node.third, exits),
        ifFailed: exits.ifFailed)
      return truth(node.first, isStrict: node.detail != 0, chosen)
    case .compare, .membership: return comparison(node, exits)
    case .call: return call(node, exits)
    case .rescue: return rescue(node, exits)
    case .sequence: return sequence(node, exits)
    case .loop, .comprehension: return quantifier(node, exits)
    case .raise:
      mayFailAnyway = true
      return exits.ifFailed
    default: return giveUp()
    }
  }

  /// Starts building a part. Returns `false` if it is nested too deep or the graph is too large.
  mutating func enter() -> Bool {
    conditionCount += 1
    if conditionCount > 2 * Decision.Branch.maximumCount { isTooLarge = true }
    guard depth < Self.maximumDepth, !isTooLarge else { return false }
    depth += 1
    return true
  }

  mutating func leave() { depth -= 1 }

  /// Subtracts the steps of a loop from those that the limits allow. Returns `false` if too few are
  /// left.
  mutating func takeSteps(_ count: Int) -> Bool {
    let isInLoop = locals.contains { $0.value.isElement }
    let steps = isInLoop ? count * Decision.longestLoop : count
    guard steps <= stepsLeft else { return false }
    stepsLeft -= steps
    return true
  }

  /// Returns the bailout branch, for expressions that a graph cannot represent.
  mutating func giveUp() -> Decision.Branch {
    mayFailAnyway = true
    return .bailout
  }

  /// Builds the condition of `!`, `? :` and the like, which must be a bool in some languages.
  mutating func truth(
    _ id: UInt32, isStrict: Bool, _ exits: Exits
  ) -> Decision.Branch {
    isStrict && !isBool(id) ? exactTest(id, exits) : condition(id, exits)
  }

  /// Builds a conjunction that evaluates all operands, so that a failure after a false one counts.
  private mutating func conjunction(_ node: IRNode, _ exits: Exits) -> Decision.Branch {
    var next = exits.ifTrue
    var ifFalse = exits.ifFalse
    for operand in children(of: node).reversed() {
      next = condition(
        operand, Exits(ifTrue: next, ifFalse: ifFalse, ifFailed: exits.ifFailed))
      guard mayFail(operand) else { continue }
      // Inside a rescue, a replacement may apply to the failure; only the machine can decide that.
      ifFalse = missingTarget == nil ? ifFalse.skipping : .bailout
    }
    return next
  }

  /// Builds `&&` or `||` where one operand decides whatever happens to the others.
  ///
  /// The operands are built from the last to the first, each for two cases: no operand before it
  /// has failed, or one has. In the second case the operand may still decide, and if none does,
  /// the whole fails.
  ///
  /// | operand | no failure before | failure before |
  /// |---|---|---|
  /// | decides | decided | decided |
  /// | does not decide | next operand | next operand, after a failure |
  /// | fails | next operand, after a failure | next operand, after a failure |
  private mutating func absorbing(_ node: IRNode, _ exits: Exits) -> Decision.Branch {
    let isAnd = node.kind == .absorbingAnd
    let decided = isAnd ? exits.ifFalse : exits.ifTrue
    func exitsOfOperand(undecided: Decision.Branch, failed: Decision.Branch) -> Exits {
      isAnd
        ? Exits(ifTrue: undecided, ifFalse: decided, ifFailed: failed)
        : Exits(ifTrue: decided, ifFalse: undecided, ifFailed: failed)
    }
    let operands = children(of: node)
    var next = isAnd ? exits.ifTrue : exits.ifFalse
    var nextAfterFailure = exits.ifFailed
    // If neither a decision nor a failure matches, a failure needs no search for a decision.
    let failureIsFinal = decided.isNoMatch && exits.ifFailed == .noMatch
    for (index, operand) in operands.reversed().enumerated() {
      let failed = nextAfterFailure
      // Before the first operand nothing can have failed.
      let isFirst = index == operands.count - 1
      if !isFirst, !failureIsFinal {
        nextAfterFailure =
          isSimple(operand)
          ? condition(operand, exitsOfOperand(undecided: failed, failed: failed)) : .bailout
      }
      next = truth(
        operand, isStrict: true, exitsOfOperand(undecided: next, failed: failed))
    }
    return next
  }

  /// Returns whether an operand is a single test, so that it can be built twice.
  private func isSimple(_ id: UInt32) -> Bool {
    let node = nodes[Int(id)]
    return (node.kind == .compare || node.kind == .membership)
      && nodes[Int(node.first)].kind == .attribute && nodes[Int(node.second)].kind == .constant
  }

  /// Builds `first`, replaced by `second` when it fails in a certain way.
  private mutating func rescue(_ node: IRNode, _ exits: Exits) -> Decision.Branch {
    let instead = condition(node.second, exits)
    let outer = missingTarget
    missingTarget = instead
    defer { missingTarget = outer }
    var inner = exits
    if node.detail == RescueClass.any.rawValue { inner.ifFailed = instead }
    return condition(node.first, inner)
  }

  /// Builds `second`, after `first` was evaluated for its failures.
  private mutating func sequence(_ node: IRNode, _ exits: Exits) -> Decision.Branch {
    guard let operand = operand(node.first), case .attribute(_, _, false) = operand else {
      return giveUp()
    }
    let next = condition(node.second, exits)
    note(operand, .any)
    return add(
      .present, operand,
      Exits(ifTrue: next, ifFalse: next, ifFailed: exits.ifFailed),
      ifMissing: missing(operand, exits, null: next))
  }
}
