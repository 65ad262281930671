import ExpressionSyntax
import FilterAnalysis

// Notes conditions that are enough by themselves beside `&&` without parentheses.

/// A condition that is joined by `||` with others that `&&` joins.
package struct LooseAlternative: Sendable, Equatable {
  /// The condition, shortened.
  package let condition: String
  /// The others, which must hold together, shortened.
  package let others: String
}

extension FilterLinter {
  /// Notes `user.isVIP || user.plan == "free" && user.seed < 20`, which may be meant as it is.
  ///
  /// What looks more like a mistake is a finding of ``checkMixedLogic(_:_:)``.
  mutating func noteLooseAlternative(_ operands: [NodeID]) {
    guard looseAlternative == nil, let joined = operands.first(where: { isBareConjunction($0) }),
      let alone = operands.first(where: { !tree[$0].isBinary(.and) }),
      tree.constant(of: alone) == nil
    else { return }
    looseAlternative = (
      LooseAlternative(condition: text(alone), others: text(joined)), tree[joined].span
    )
  }
}
