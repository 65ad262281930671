import ExpressionEngine
import ExpressionSyntax
import FilterAnalysis

/// Proves that a filter matches no user. It knows constants, and conditions on one attribute that
/// exclude each other; whatever it does not know may match.
enum ImpossibleFilter {
  static func isImpossible(
    _ tree: SyntaxTree, _ environment: FilterEnvironment, _ root: ConditionOutline.Part
  ) -> Bool {
    let linter = FilterLinter(tree, schema: AttributeSchema(), environment: environment)
    return isImpossible(root, tree, environment, linter)
  }

  private static func isImpossible(
    _ part: ConditionOutline.Part, _ tree: SyntaxTree, _ environment: FilterEnvironment,
    _ linter: FilterLinter
  ) -> Bool {
    if part.children.isEmpty { return isFalse(part, tree, environment) }
    switch part.kind {
    case .all:
      return part.children.contains { isImpossible($0, tree, environment, linter) }
        || linter.excludeEachOther(part.children.map { $0.node })
    case .any: return part.children.allSatisfy { isImpossible($0, tree, environment, linter) }
    default: return isFalse(part, tree, environment)
    }
  }

  /// Returns whether a part that reads nothing is not true.
  private static func isFalse(
    _ part: ConditionOutline.Part, _ tree: SyntaxTree, _ environment: FilterEnvironment
  ) -> Bool {
    let readsNothing = tree.nodeNumbers(under: part.node).allSatisfy { index in
      tree.nodes[index].kind != .identifier && tree.nodes[index].kind != .message
    }
    guard readsNothing else { return false }
    let outcome = Explainer.outcome(
      of: part.node, in: tree, environment: environment, context: Context(), isWorded: false)
    guard case .value(let value) = outcome else { return true }
    return !value.isTruthy
  }
}
