import ExpressionEngine
import ExpressionSyntax
import FilterAnalysis

// Reports bools, by their types or their names, in places for other values.

extension FilterLinter {
  /// Reports `user.isTester + user.isBeta > 0`: bools are not added.
  mutating func checkAddedBools(_ node: SyntaxNode) {
    guard isSuperscript, node.isBinary(.add), isCondition(byName: node.left),
      isCondition(byName: node.right), freePath(node.left) != nil, freePath(node.right) != nil,
      staticType(node.left) != .bool, staticType(node.right) != .bool
    else { return }
    report(
      Diagnostic(
        .typeMismatch, "bools are not added", at: node.span, label: "by their names bools",
        notes: [Self.failsAtRunTime],
        helps: [
          "for one of them, write `\(text(node.left)) == true || \(text(node.right)) == true`"
        ]))
  }

  /// Reports `user.email.contains("@") == null`: a search is true or false.
  mutating func checkBoolAgainstNull(_ node: SyntaxNode, _ comparison: ConstantComparison) {
    let subject = tree[comparison.subject]
    guard isSuperscript, comparison.isEquality, comparison.value == .null, subject.kind == .call,
      Self.searches.contains(tree.name(of: subject)) || tree.name(of: subject) == "has",
      let path = tree.operands(of: subject).first.flatMap(freePath), !wasReported(node.span)
    else { return }
    let isEqual = comparison.op == .equal
    report(
      .always(
        !isEqual, "`\(tree.name(of: subject))` is true or false, and never null", at: node.span,
        label: "always \(!isEqual)",
        helps: ["to ask whether it is there, write `\(isEqual ? "!" : "")has(\(path))`"]))
  }

  /// Reports `user.isVIP == "False"`: only "true" and "false" in small letters are bools.
  mutating func checkCapitalBool(_ comparison: ConstantComparison) {
    guard isSuperscript, comparison.isEquality, case .string(let word) = comparison.value,
      case let small = word.lowercased(), word != small, small == "true" || small == "false",
      let path = freePath(comparison.subject), schema.attribute(at: path) == nil,
      !wasReported(tree[comparison.constant].span)
    else { return }
    report(
      Diagnostic(
        .wrongCase, "`\"\(word)\"` is a text, and no bool", at: tree[comparison.constant].span,
        label: "not the bool \(small)",
        notes: ["the texts \"true\" and \"false\" are bools, in small letters"],
        fixIts: [Diagnostic.FixIt(write: small, at: tree[comparison.constant].span)]))
  }
}
