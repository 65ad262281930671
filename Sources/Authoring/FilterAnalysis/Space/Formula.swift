import ExpressionEngine
package import ExpressionSyntax

/// A filter as conditions and what connects them.
package struct Formula {
  package enum Kind: Equatable {
    /// A condition, by its number in the ``FilterSpace``.
    case condition(Int)
    /// A part that has the same outcome for all users.
    case constant(Outcome)
    case all
    case any
    case not
    case doubleNot
    /// A condition and two branches.
    case conditional
  }

  package var kind: Kind
  package let node: NodeID
  package var children: [Formula]

  package init(kind: Kind, node: NodeID, children: [Formula]) {
    self.kind = kind
    self.node = node
    self.children = children
  }

  /// The number of conditions.
  package var conditionCount: Int {
    if case .condition = kind { return 1 }
    return children.reduce(0) { $0 + $1.conditionCount }
  }

  /// Returns the formula with a constant in place of the part of a node.
  package func replacing(_ part: NodeID, with outcome: Outcome) -> Formula {
    if node == part { return Formula(kind: .constant(outcome), node: node, children: []) }
    var copy = self
    copy.children = children.map { $0.replacing(part, with: outcome) }
    return copy
  }

  /// The parts that the whole needs: those of `&&` at the top.
  package var conjuncts: [Formula] { kind == .all ? children : [self] }
}

/// A filter text, taken apart.
package struct OutlinedFilter {
  package let text: String
  /// The tree of the text; that of a literal if the filter is too large to be taken apart.
  package let tree: SyntaxTree
  package let formula: Formula

  /// The text of a part as it is written.
  package func text(of formula: Formula) -> String { tree.text(ofNode: formula.node) }

  /// The filter as text, without the operands that were dropped from a formula.
  package func text(reducedTo formula: Formula) -> String { text(of: formula, isOperand: false) }

  private func text(of formula: Formula, isOperand: Bool) -> String {
    let text: String
    switch formula.kind {
    case .condition, .constant:
      return isOperand ? parenthesized(formula) : self.text(of: formula)
    case .all, .any:
      // An operator that lost all operands but one is gone.
      guard formula.children.count > 1 else {
        return formula.children.first.map { self.text(of: $0, isOperand: isOperand) } ?? "true"
      }
      text = formula.children.map { self.text(of: $0, isOperand: true) }
        .joined(separator: formula.kind == .all ? " && " : " || ")
    case .not: return "!" + negated(formula.children[0])
    case .doubleNot: return "!!" + negated(formula.children[0])
    case .conditional:
      let parts = formula.children.map { self.text(of: $0, isOperand: true) }
      text = "\(parts[0]) ? \(parts[1]) : \(parts[2])"
    }
    return isOperand ? "(\(text))" : text
  }

  private func parenthesized(_ formula: Formula) -> String {
    let node = tree[formula.node]
    let text = self.text(of: formula)
    return node.flags.contains(.parenthesized) ? "(\(text))" : text
  }

  /// An operand of `!`, which holds tighter than every infix operator.
  private func negated(_ formula: Formula) -> String {
    let text = self.text(of: formula, isOperand: true)
    let isInfix =
      formula.kind != .not && formula.kind != .doubleNot
      && [.binary, .conditional].contains(tree[formula.node].kind)
    return isInfix && !text.hasPrefix("(") ? "(\(text))" : text
  }
}

/// Takes filters apart.
package struct FormulaReader {
  package let tree: SyntaxTree
  /// Makes a condition of a node and returns its number.
  package let condition: (NodeID) -> Int

  private static let maximumDepth = 48

  package func formula(_ id: NodeID, depth: Int = 0) -> Formula {
    let node = tree[id]
    guard depth < Self.maximumDepth else { return leaf(id) }
    switch node.kind {
    case .binary where node.op == .and || node.op == .or:
      let children = tree.operands(ofChain: id).map { formula($0, depth: depth + 1) }
      return Formula(kind: node.op == .and ? .all : .any, node: id, children: children)
    case .unary where node.op == .not || node.op == .doubleNot:
      let operand = formula(NodeID(node.first), depth: depth + 1)
      return Formula(kind: node.op == .not ? .not : .doubleNot, node: id, children: [operand])
    case .conditional:
      let parts = [node.first, node.second, node.third].map {
        formula(NodeID($0), depth: depth + 1)
      }
      return Formula(kind: .conditional, node: id, children: parts)
    default: return leaf(id)
    }
  }

  private func leaf(_ id: NodeID) -> Formula {
    Formula(kind: .condition(condition(id)), node: id, children: [])
  }
}
