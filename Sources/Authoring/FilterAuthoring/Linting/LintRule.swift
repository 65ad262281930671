import ExpressionEngine
import ExpressionSyntax
import FilterAnalysis

/// A rule of the linter, which looks at one kind of thing in a filter.
///
/// Its implementation is in `Rules`, in a file with the name of its id.
struct LintRule<Subject>: Sendable {
  /// The ids that the rule reports.
  let ids: [DiagnosticID]
  /// Reports what is wrong with a subject. Returns whether the rules after it have nothing to add.
  let check: @Sendable (inout FilterLinter, Subject) -> Bool

  /// Creates a rule.
  ///
  /// - Parameters:
  ///   - ids: The ids that the rule reports.
  ///   - check: Reports what is wrong with a subject. Returns whether the rules after it have
  ///     nothing to add.
  init(
    _ ids: DiagnosticID..., check: @escaping @Sendable (inout FilterLinter, Subject) -> Bool
  ) {
    self.ids = ids
    self.check = check
  }

  /// Creates a rule after which the others are still asked.
  init(
    _ ids: DiagnosticID..., always check: @escaping @Sendable (inout FilterLinter, Subject) -> Void
  ) {
    self.ids = ids
    self.check = { linter, subject in
      check(&linter, subject)
      return false
    }
  }
}

/// A node of a filter.
struct LintedNode {
  let id: NodeID
  let node: SyntaxNode
}

/// A comparison with at least one side that is not a constant.
struct LintedComparison {
  let id: NodeID
  let node: SyntaxNode
  var left: NodeID { node.left }
  var right: NodeID { node.right }
}

/// A comparison with a constant.
struct LintedConstant {
  let id: NodeID
  let node: SyntaxNode
  let comparison: ConstantComparison
  /// The attribute that is compared, if the schema has it.
  let attribute: AttributeSchema.Attribute?
}

/// A call.
struct LintedCall {
  let id: NodeID
  let node: SyntaxNode
  let name: String
}

/// All operands of `&&` or `||`.
struct LintedChain {
  let id: NodeID
  let node: SyntaxNode
  let operands: [NodeID]
}

extension FilterLinter {
  /// Asks rules in order, until one leaves nothing to add.
  ///
  /// - Returns: Whether one did.
  @discardableResult
  mutating func run<Subject>(_ rules: [LintRule<Subject>], on subject: Subject) -> Bool {
    for rule in rules {
      if rule.check(&self, subject) { return true }
    }
    return false
  }

  mutating func checkNode(_ id: NodeID) {
    let node = tree[id]
    let subject = LintedNode(id: id, node: node)
    switch node.kind {
    case .identifier: run(LintRules.names, on: subject)
    case .stringLiteral: run(LintRules.texts, on: subject)
    case .select: run(LintRules.members, on: subject)
    case .index:
      run(LintRules.members, on: subject)
      run(LintRules.indexes, on: subject)
    case .call: checkCall(id, node)
    case .unary: run(LintRules.signs, on: subject)
    case .conditional: run(LintRules.conditionals, on: subject)
    case .binary where node.op.isComparison: checkComparison(id, node)
    case .binary where node.op == .and || node.op == .or: checkChain(id, node)
    case .binary:
      if poisoned.contains(node.left) || poisoned.contains(node.right) { poisoned.insert(id) }
      run(LintRules.arithmetic, on: subject)
    default: break
    }
    if isCondition[Int(id.index)] { run(LintRules.conditions, on: subject) }
  }

  private mutating func checkComparison(_ id: NodeID, _ node: SyntaxNode) {
    guard !poisoned.contains(node.left), !poisoned.contains(node.right) else { return }
    guard !run(LintRules.comparisons, on: LintedComparison(id: id, node: node)) else { return }
    guard let comparison = ConstantComparison(node, in: tree) else { return }
    run(
      LintRules.constantComparisons,
      on: LintedConstant(
        id: id, node: node, comparison: comparison, attribute: knownAttribute(comparison.subject)))
  }

  private mutating func checkCall(_ id: NodeID, _ node: SyntaxNode) {
    let call = LintedCall(id: id, node: node, name: tree.name(of: node))
    run(LintRules.calls, on: call)
    // In the cel dialect the type checker knows the functions.
    if isSuperscript, environment.deviceFunctions[call.name] == nil,
      environment.computedFunctions[call.name] == nil
    {
      run(LintRules.libraryCalls, on: call)
    }
    run(LintRules.loops, on: call)
  }

  /// Checks all operands of `&&` or `||` together, once, at the top of the chain.
  private mutating func checkChain(_ id: NodeID, _ node: SyntaxNode) {
    guard id == tree.root || !tree[parent(of: id)].isBinary(node.op) else { return }
    let operands = outline.operands(of: id, node.op)
    run(LintRules.chains, on: LintedChain(id: id, node: node, operands: operands))
  }
}
