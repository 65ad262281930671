import ExpressionEngine
import ExpressionSyntax
import FilterAnalysis

// Reports functions that are called like methods.

extension FilterLinter {
  /// Returns whether a function is called like a method, and reports it.
  mutating func checkMethod(_ node: SyntaxNode, _ name: String) -> Bool {
    guard node.first != SyntaxNode.none,
      FunctionNames.withoutReceiver(in: tree.dialect.name).contains(name)
    else { return false }
    reportMethod(node, name, tree.nodes[Int(node.first)])
    return true
  }

  mutating func reportMethod(_ node: SyntaxNode, _ name: String, _ target: SyntaxNode) {
    let receiver = tree.source.text(of: target.span)
    var fixIts: [Diagnostic.FixIt] = []
    if node.third == 0 {
      fixIts = [
        Diagnostic.FixIt(
          "write `\(name)(\(text(NodeID(node.first))))`",
          [Diagnostic.Edit(node.span, "\(name)(\(receiver))")])
      ]
    }
    report(
      Diagnostic(
        .functionAsMethod, "`\(name)` is not a method", at: tree.nameSpan(of: node),
        label: node.third == 0 ? "has no argument" : "ignores the value before the dot",
        notes: ["it takes its subject between the parentheses"], fixIts: fixIts))
  }
}
