import ExpressionEngine
import ExpressionSyntax
import FilterAnalysis

// Reports tests for null of attributes that are always set.

extension FilterLinter {
  /// Reports `device.activeEntitlements == null`: the SDKs always set most attributes.
  mutating func checkNeverNull(
    _ node: SyntaxNode, _ comparison: ConstantComparison, _ attribute: AttributeSchema.Attribute?
  ) -> Bool {
    if comparison.value == .null { checkNull(node, comparison) }
    guard let attribute, comparison.isEquality, !attribute.isOptional,
      case let isEmptyText = comparison.value == .string("")
        && (attribute.path == "user.aliasId"
          ? comparison.op == .equal
          : !attribute.values.isEmpty && !attribute.values.contains("")),
      comparison.value == .null || isEmptyText,
      attribute.platforms.isEmpty, attribute.type != .any,
      attribute.path.hasPrefix("device.") || attribute.path.hasPrefix("user."),
      AttributeSchema.builtIn[attribute.path] != nil
    else { return false }
    let subject = text(comparison.subject)
    let truth = comparison.op == .notEqual
    let help: String? =
      switch attribute.type {
      case .list where truth: "for users who have some, write `size(\(subject)) > 0`"
      case .list: "to ask whether it is empty, write `size(\(subject)) == 0`"
      case .string where attribute.path.hasSuffix(".aliasId"):
        "every user has one; to ask for a login, write `\(truth ? "" : "!")user.isLoggedIn`"
      case .string where attribute.path.hasSuffix(".vendorId"): nil
      case .string where !attribute.values.isEmpty:
        "compare it with one of \(attribute.values.map { "\"\($0)\"" }.joined(separator: ", "))"
      case .string where truth: "for a text that is not empty, write `\(subject) != \"\"`"
      case .string: "to ask whether it is empty, write `\(subject) == \"\"`"
      case .bool: "write `\(truth ? "" : "!")\(subject)`"
      default: nil
      }
    report(
      .always(
        truth, "`\(attribute.path)` is never \(isEmptyText ? "empty" : "null")", at: node.span,
        label: "always \(truth)",
        notes: ["the SDKs set it for every user"], helps: help.map { [$0] } ?? []))
    return true
  }

  /// Reports `user.age > null`, and `device.placementsInDay("app_open") == null`, as counts are
  /// never null.
  private mutating func checkNull(_ node: SyntaxNode, _ comparison: ConstantComparison) {
    let subject = text(comparison.subject)
    if comparison.isOrdering {
      let isPath = freePath(comparison.subject) != nil
      return report(
        Diagnostic(
          .typeMismatch, "null has no order", at: tree[comparison.constant].span, label: "null",
          notes: [
            isSuperscript
              ? Self.failsAtRunTime
              : "this is an error"
          ],
          helps: [
            isPath
              ? "to ask whether it is there, write `has(\(subject))`"
              : "to ask whether there is a value, write `\(subject) != null`"
          ]))
    }
    guard let function = historyFunction(tree[comparison.subject]), !function.isTime else { return }
    let truth = comparison.op == .notEqual
    report(
      .always(
        truth, "`\(subject)` is never null", at: node.span,
        label: "always \(truth)", notes: ["an event that never happened counts 0"],
        helps: ["write `\(subject) \(truth ? ">" : "==") 0`"]))
  }
}
