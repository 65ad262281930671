import ExpressionEngine
import ExpressionSyntax
import FilterAnalysis

// Reports functions of the SDK that are called on attributes of another kind.

extension FilterLinter {
  /// Reports `user.daysSince("lesson_done")`: the functions are documented for `device`.
  mutating func checkOwner(_ node: SyntaxNode) {
    guard isSuperscript, historyFunction(node) != nil, let receiver = node.receiver,
      tree[receiver].kind == .identifier, ["user", "params"].contains(text(receiver))
    else { return }
    let name = tree.name(of: node)
    let span = tree[receiver].span
    report(
      Diagnostic(
        .seldomMeant, "`\(name)` is a function of `device`", at: span,
        label: "has attributes only",
        notes: ["the SDKs document it for `device` only, though it works as it is"],
        fixIts: [Diagnostic.FixIt(write: "device", at: span)]))
  }
}
