import ExpressionEngine
import ExpressionPrinting
import ExpressionSyntax
import FilterAnalysis

// Reports searches for texts that the attribute never has.

extension FilterLinter {
  /// Reports a text that no value of the attribute starts with, and a `*` that was meant for any
  /// text.
  mutating func checkSoughtText(_ node: SyntaxNode, _ name: String) {
    guard ["startsWith", "endsWith", "contains"].contains(name), node.first != SyntaxNode.none,
      environment.deviceFunctions[name] == nil, environment.computedFunctions[name] == nil,
      node.third == 1, let argument = tree.children(of: node).first.map({ NodeID($0) }),
      case .string(let text)? = tree.constant(of: argument)
    else { return }
    guard !text.isEmpty else {
      // `contains` may ask for an element of a list.
      guard name != "contains" || staticType(NodeID(node.first)) == .string else { return }
      return report(
        Diagnostic(
          .alwaysTrue, "every text contains the empty text", at: tree[argument].span,
          label: "nothing to look for",
          helps: [
            "to ask for a text that is not empty, write `\(self.text(NodeID(node.first))) != \"\"`"
          ]
        ))
    }
    if checkWildcard(node, name, text, at: argument) { return }
    guard name == "startsWith", let attribute = knownAttribute(NodeID(node.first)),
      attribute.values.isEmpty, let format = attribute.format
    else { return }
    checkMoment(.string(text), at: argument, attribute)
    checkVersionLetter(text, at: argument, attribute)
    checkVersionBeginning(node, text, at: argument, attribute)
    guard let right = format.spelling(ofBeginning: text), right != text else { return }
    let literal = LiteralSpelling.string(Array(right.utf8), preferRaw: false, dialect: tree.dialect)
    report(
      Diagnostic(
        .wrongCase, "`\(attribute.path)` never starts with `\"\(text)\"`",
        at: tree[argument].span,
        label: right.lowercased() == text.lowercased() ? "wrong case" : "wrong form",
        notes: ["its values look like \"\(format.sample ?? right)\""],
        fixIts: [
          Diagnostic.FixIt(
            "write `\(literal)`", [Diagnostic.Edit(tree[argument].span, literal)])
        ]))
  }
}
