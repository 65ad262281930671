import ExpressionEngine
import ExpressionSyntax
import FilterAnalysis

// Reports the words "true" and "false" in the place of texts.

extension FilterLinter {
  /// Reports `"true"` compared with a text attribute.
  mutating func checkBoolWord(
    _ node: SyntaxNode, _ comparison: ConstantComparison
  ) -> Bool {
    guard isSuperscript, tree[comparison.constant].kind == .stringLiteral,
      case .bool(let truth) = comparison.value
    else { return false }
    if comparison.isOrdering {
      reportBoolWord(comparison.constant, "an order makes no sense for it")
      return true
    }
    let type = staticType(comparison.subject)
    guard type.isTextOrNumber else { return false }
    // A text attribute that is "true" is a bool, too, and therefore equal.
    if type == .string {
      if let attribute = knownAttribute(comparison.subject) {
        checkKnownValue(
          attribute, .string("\(truth)"), at: comparison.constant,
          isInequality: comparison.op == .notEqual)
        checkMoment(.string("\(truth)"), at: comparison.constant, attribute)
      }
      return true
    }
    report(
      Diagnostic(
        .boolWordAsText,
        "`\"\(truth)\"` is a bool here, and `\(text(comparison.subject))` is "
          + type.withArticle, at: tree[comparison.constant].span, label: "the bool \(truth)",
        notes: ["the texts \"true\" and \"false\" are bools everywhere, also in attributes"]))
    return true
  }

  /// Reports `"true"` as the argument of a function that searches in texts.
  mutating func checkTextFunction(_ node: SyntaxNode, _ name: String) {
    guard isSuperscript, Self.searches.contains(name),
      environment.deviceFunctions[name] == nil, environment.computedFunctions[name] == nil
    else { return }
    for argument in tree.arguments(of: node) {
      guard tree[argument].kind == .stringLiteral, case .bool? = tree.constant(of: argument) else {
        continue
      }
      if name == "contains", let receiver = node.receiver {
        // A list may contain a bool.
        guard staticType(receiver) == .string else { continue }
      }
      reportBoolWord(argument, "`\(name)` needs a text")
    }
  }

  /// Reports `"true" + x`.
  mutating func checkArithmetic(_ node: SyntaxNode) {
    guard isSuperscript, node.isBinary(.add) else { return }
    for operand in [node.left, node.right] where tree[operand].kind == .stringLiteral {
      if case .bool? = tree.constant(of: operand) {
        reportBoolWord(operand, "it cannot be joined with a text")
      }
    }
  }

  private mutating func reportBoolWord(_ id: NodeID, _ reason: String) {
    report(
      Diagnostic(
        .boolWordAsText, "`\(text(id))` is a bool here, not a text", at: tree[id].span,
        label: reason,
        notes: ["the texts \"true\" and \"false\" are bools everywhere, also in attributes"]))
  }
}
