package import ExpressionSyntax

/// The checker's findings about an expression.
package struct CheckResult: Sendable {
  /// The type of the whole expression; `Type/error` if it has a mistake that hides it.
  package let type: Type
  /// The mistakes, in source order, at most `Checker/maximumDiagnostics`.
  package let diagnostics: [Diagnostic]
  /// The type of each node, `nil` for nodes that only spell a name.
  private let types: [Type?]
  private let numbers: Set<NodeID>

  init(type: Type, types: [Type?], numbers: Set<NodeID>, diagnostics: [Diagnostic]) {
    self.type = type
    self.types = types
    self.numbers = numbers
    self.diagnostics = diagnostics
  }

  /// Whether the expression may be evaluated: nothing found is an error.
  package var isAccepted: Bool { diagnostics.allSatisfy { $0.severity != .error } }

  /// The type of a node, `nil` for a node that only spells a part of a name (`optional` in
  /// `optional.of(1)`).
  package func type(of id: NodeID) -> Type? {
    Int(id.index) < types.count ? types[Int(id.index)] : nil
  }

  /// Whether a node is the result of an operator that is a number whatever its operands are, such
  /// as `a * b`; which kind of number shows at evaluation only.
  package func isNumber(_ id: NodeID) -> Bool { numbers.contains(id) }
}
