import ExpressionEngine
import ExpressionSyntax
import FilterAnalysis

// Reports functions that are called like methods.

extension FilterLinter {
  /// Returns whether a function is called like a method, and reports it.
  mutating func checkMethod(_ node: SyntaxNode, _ name: String) -> Bool {
    guard let receiver = node.receiver,
      FunctionNames.withoutReceiver(in: tree.dialect.name).contains(name)
    else { return false }
    reportMethod(node, name, receiver)
    return true
  }

  mutating func reportMethod(_ node: SyntaxNode, _ name: String, _ receiver: NodeID) {
    let subject = tree.source.text(of: tree[receiver].span)
    var fixIts: [Diagnostic.FixIt] = []
    if node.childCount == 0 {
      fixIts = [
        Diagnostic.FixIt(
          "write `\(name)(\(text(receiver)))`",
          [Diagnostic.Edit(node.span, "\(name)(\(subject))")])
      ]
    }
    report(
      Diagnostic(
        .functionAsMethod, "`\(name)` is not a method", at: tree.nameSpan(of: node),
        label: node.childCount == 0 ? "has no argument" : "ignores the value before the dot",
        notes: ["it takes its subject between the parentheses"], fixIts: fixIts))
  }
}
