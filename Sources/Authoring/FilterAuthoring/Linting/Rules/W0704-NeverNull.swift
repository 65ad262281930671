import ExpressionEngine
import ExpressionSyntax
import FilterAnalysis

// Reports tests for null of attributes that are always set.

extension FilterLinter {
  /// Reports `device.activeEntitlements == null`: the SDKs always set most attributes.
  mutating func checkNeverNull(
    _ node: SyntaxNode, _ comparison: ConstantComparison, _ attribute: AttributeSchema.Attribute?
  ) -> Bool {
    guard let attribute, comparison.value == .null, comparison.op == .equal, !attribute.isOptional,
      attribute.platforms.isEmpty, attribute.path.hasPrefix("device."), attribute.type != .any
    else { return false }
    let subject = text(comparison.subject)
    let help: String? =
      switch attribute.type {
      case .list: "to ask whether it is empty, write `size(\(subject)) == 0`"
      case .string: "to ask whether it is empty, write `\(subject) == \"\"`"
      default: nil
      }
    report(
      Diagnostic(
        .alwaysFalse, "`\(attribute.path)` is never null", at: node.span, label: "always false",
        notes: ["the SDKs set it for every user"], helps: help.map { [$0] } ?? []))
    return true
  }
}
