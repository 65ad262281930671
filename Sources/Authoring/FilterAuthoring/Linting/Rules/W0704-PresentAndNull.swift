import ExpressionEngine
import ExpressionSyntax
import FilterAnalysis

// Reports conditions on null and on bools that exclude each other for values as apps send them.

extension FilterLinter {
  /// Reports `has(user.trialEnd) && user.trialEnd == null`, `x != "" && x == null`, and
  /// `x != true && x != false`.
  mutating func checkNoneLeft(_ operands: [NodeID]) {
    var present: [AttributePath: NodeID] = [:]
    var isNot: [AttributePath: (bool: Bool, operand: NodeID)] = [:]
    for operand in operands {
      let node = tree[operand]
      if node.kind == .call, tree.name(of: node) == "has", node.childCount == 1, !isHostCall(node),
        let path = tree.arguments(of: node).first.flatMap({ freePath($0) })
      {
        present[path] = operand
      }
      guard let comparison = ConstantComparison(node, in: tree), comparison.op == .notEqual,
        let path = freePath(comparison.subject)
      else { continue }
      // What is missing counts as the empty text.
      if isSuperscript, comparison.value == .string("") { present[path] = operand }
      guard case .bool(let bool) = comparison.value else { continue }
      if let first = isNot[path], first.bool != bool {
        report(
          .always(
            false, "`\(path)` is neither true nor false here", at: node.span,
            label: "excludes everybody",
            secondary: [Diagnostic.Label(tree[first.operand].span, "together with this")],
            helps: ["for users without it, write `!has(\(text(comparison.subject)))`"]))
      }
      isNot[path] = (bool, operand)
    }
    for operand in operands {
      guard let comparison = ConstantComparison(tree[operand], in: tree), comparison.op == .equal,
        comparison.value == .null, let path = freePath(comparison.subject),
        let guardian = present[path]
      else { continue }
      report(
        .always(
          false, "`\(path)` is there and null at once", at: tree[operand].span,
          label: "excludes the other",
          secondary: [Diagnostic.Label(tree[guardian].span, "it is there")],
          notes: ["an attribute that an app sets to null is not sent"],
          helps: ["for users without it, write `!has(\(text(comparison.subject)))` alone"]))
    }
  }

  /// Reports `x != null && x == ""`, which takes the users with an empty text.
  mutating func checkSetAndEmpty(_ operands: [NodeID]) {
    var isNotNull: [AttributePath: NodeID] = [:]
    for operand in operands {
      guard let comparison = ConstantComparison(tree[operand], in: tree),
        let path = freePath(comparison.subject)
      else { continue }
      if comparison.op == .notEqual, comparison.value == .null { isNotNull[path] = operand }
      guard comparison.op == .equal, comparison.value == .string(""),
        let presence = isNotNull[path]
      else { continue }
      let subject = text(comparison.subject)
      report(
        Diagnostic(
          .seldomMeant, "an empty text is not null, so the other condition changes nothing",
          at: tree[operand].span, label: "only the empty text",
          secondary: [Diagnostic.Label(tree[presence].span, "true for it")],
          helps: ["for a text that is not empty, write `\(subject) != \"\"` alone"]))
    }
  }

  /// Reports `x != null || x != ""`, whose second condition is false only where the first one is.
  mutating func checkEmptyOrNull(_ operands: [NodeID]) {
    var isNotNull: [AttributePath: NodeID] = [:]
    var isNotEmpty: [AttributePath: NodeID] = [:]
    for operand in operands {
      guard let comparison = ConstantComparison(tree[operand], in: tree),
        comparison.op == .notEqual, let path = freePath(comparison.subject)
      else { continue }
      switch comparison.value {
      case .null: isNotNull[path] = operand
      case .string(""): isNotEmpty[path] = operand
      default: continue
      }
      guard let first = isNotNull[path], let second = isNotEmpty[path] else { continue }
      report(
        Diagnostic(
          .redundantCondition, "one of these two holds for every value of `\(path)`",
          at: tree[operand].span, label: "also true for the empty text, because of the other",
          secondary: [
            Diagnostic.Label(tree[first == operand ? second : first].span, "the other")
          ],
          helps: ["for a text that is not empty, write `\(text(second))` alone"]))
    }
  }
}
