import ExpressionEngine
import ExpressionPrinting
import ExpressionSyntax
import FilterAnalysis

// Checks the constant texts that `startsWith`, `endsWith` and `contains` look for.

extension FilterLinter {
  /// Reports a text that no value of the attribute starts with, and a `*` that was meant for any
  /// text.
  mutating func checkSoughtText(_ node: SyntaxNode, _ name: String) {
    guard ["startsWith", "endsWith", "contains"].contains(name), node.first != SyntaxNode.none,
      environment.deviceFunctions[name] == nil, environment.computedFunctions[name] == nil,
      node.third == 1, let argument = tree.children(of: node).first.map({ NodeID($0) }),
      case .string(let text)? = tree.constant(of: argument), !text.isEmpty
    else { return }
    if checkWildcard(node, name, text, at: argument) { return }
    guard name == "startsWith", let attribute = knownAttribute(NodeID(node.first)),
      attribute.values.isEmpty, let format = attribute.format
    else { return }
    checkMoment(.string(text), at: argument, attribute)
    checkVersionLetter(text, at: argument, attribute)
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

  /// Reports `user.tags.contains("vip*")`, in which the `*` stands for itself.
  private mutating func checkWildcard(
    _ node: SyntaxNode, _ name: String, _ text: String, at argument: NodeID
  ) -> Bool {
    let isAtEnd = text.hasSuffix("*") && name != "endsWith"
    let isAtStart = text.hasPrefix("*") && name != "startsWith"
    let core = text.dropFirst(isAtStart ? 1 : 0).dropLast(isAtEnd ? 1 : 0)
    guard isAtEnd || isAtStart, core.count >= 2, !core.contains("*"),
      core.contains(where: { $0.isLetter }),
      !isAtEnd || core.prefix(2).allSatisfy({ $0.isLetter || $0.isNumber })
    else { return false }
    let subject = self.text(NodeID(node.first))
    let literal = LiteralSpelling.string(
      Array(core.utf8), preferRaw: false, dialect: tree.dialect)
    let function = isAtEnd && isAtStart ? "contains" : isAtEnd ? "startsWith" : "endsWith"
    let help: String
    if case .list = staticType(NodeID(node.first)) {
      help = "write `\(subject).exists(x, x.\(function)(\(literal)))`"
    } else {
      help = "write `\(subject).\(function)(\(literal))`"
    }
    report(
      Diagnostic(
        .wildcardInText, "`*` stands for itself here, not for any text",
        at: tree[argument].span, label: "looked for letter by letter", helps: [help]))
    return true
  }

  /// Reports `"v3.2"`: versions have no letter before them.
  mutating func checkVersionLetter(
    _ text: String, at id: NodeID, _ attribute: AttributeSchema.Attribute
  ) {
    guard attribute.format == .version || attribute.format == .paddedVersion,
      text.first == "v" || text.first == "V",
      let digit = text.utf8.dropFirst().first, digit &- 0x30 < 10
    else { return }
    let right = "\"\(text.dropFirst())\""
    guard !right.contains("\\") else { return }
    report(
      Diagnostic(
        .impossibleValue, "`\(attribute.path)` never starts with `\(text.prefix(1))`",
        at: tree[id].span, label: "starts with a letter",
        notes: ["its values are versions such as \"2.10.0\""],
        fixIts: [Diagnostic.FixIt("write `\(right)`", [Diagnostic.Edit(tree[id].span, right)])]))
  }
}
