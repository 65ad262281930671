import ExpressionEngine
import ExpressionSyntax
import FilterAnalysis

// Reports attributes that are deprecated.

extension FilterLinter {
  mutating func reportDeprecated(_ id: NodeID, _ path: AttributePath, _ reason: String) {
    report(
      Diagnostic(
        .deprecatedAttribute, "`\(path)` is deprecated", at: tree[id].span, label: "deprecated",
        notes: [reason]))
  }
}
