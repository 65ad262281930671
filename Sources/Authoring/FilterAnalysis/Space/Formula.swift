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

extension FilterOutline {
  private static let maximumDepth = 48

  /// Returns the part under a node as conditions and what connects them.
  ///
  /// - Parameter condition: Makes a condition of a node and returns its number.
  func formula(_ id: NodeID, depth: Int = 0, condition: (NodeID) -> Int) -> Formula {
    let form = depth < Self.maximumDepth ? form(of: id) : .condition
    func parts(_ kind: Formula.Kind, _ parts: [NodeID]) -> Formula {
      Formula(
        kind: kind, node: id,
        children: parts.map { formula($0, depth: depth + 1, condition: condition) })
    }
    return switch form {
    case .all(let operands): parts(.all, operands)
    case .any(let operands): parts(.any, operands)
    case .not(let operand): parts(.not, [operand])
    case .doubleNot(let operand): parts(.doubleNot, [operand])
    case .conditional(let test, let first, let second): parts(.conditional, [test, first, second])
    case .condition: Formula(kind: .condition(condition(id)), node: id, children: [])
    }
  }
}
