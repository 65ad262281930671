import ExpressionEngine
import ExpressionPrinting
import ExpressionSyntax
import FilterAnalysis

// Reports `*` in texts in which it stands for itself.

extension FilterLinter {
  /// Reports `startsWith("^A")`, `endsWith(".com$")` and `contains("A|B")`, in which the signs of
  /// regular expressions stand for themselves. Returns whether it did.
  private mutating func checkAnchor(
    _ receiver: NodeID, _ name: String, _ text: String, at argument: NodeID
  ) -> Bool {
    func isWord(_ character: Character?) -> Bool {
      character.map { $0.isLetter || $0.isNumber } ?? false
    }
    func call(_ function: String, _ text: some StringProtocol) -> String {
      let literal = LiteralSpelling.string(
        Array(text.utf8), preferRaw: false, dialect: tree.dialect)
      return "\(self.text(receiver)).\(function)(\(literal))"
    }
    func isPart(_ character: Character?) -> Bool {
      isWord(character) || character.map { "@._-/#+".contains($0) } ?? false
    }
    let alternatives = text.split(separator: "|", omittingEmptySubsequences: false)
    let isPattern = text.contains { "[](){}\\|+*?".contains($0) }
    let sign: Character
    let help: String
    if alternatives.count > 1, !text.contains("("), !text.contains("["),
      alternatives.allSatisfy({ isPart($0.first) && isPart($0.last) && $0.contains(where: isWord) })
    {
      (sign, help) = ("|", alternatives.map { call(name, $0) }.joined(separator: " || "))
    } else if !isList(staticType(receiver)),
      text.hasPrefix(".*") || text.contains(text: "\\.")
        || isPattern && text.contains(text: ".*")
          && text.contains(where: { "[](){}\\|+?^$".contains($0) })
    {
      (sign, help) = (text.contains(text: ".*") ? "*" : "\\", call("matches", text[...]))
    } else if alternatives.count > 1, text.contains("("), text.contains(")"),
      !isList(staticType(receiver))
    {
      (sign, help) = ("|", call("matches", text[...]))
    } else if text.first == "^", isWord(text.dropFirst().first) || text.hasPrefix("^/") {
      let isPlain = !text.contains(where: { "[](){}\\|+*?$".contains($0) })
      (sign, help) = (
        "^", isPlain ? call("startsWith", text.dropFirst()) : call("matches", text[...])
      )
    } else if text.last == "$", name != "startsWith", text.count > 2,
      text.dropLast().last?.isLowercase == true || text.hasPrefix(".")
    {
      (sign, help) = (
        "$", isPattern ? call("matches", text[...]) : call("endsWith", text.dropLast())
      )
    } else {
      return false
    }
    report(
      Diagnostic(
        .wildcardInText, "`\(sign)` stands for itself here, as in every text",
        at: tree[argument].span, label: "looked for letter by letter",
        helps: ["write `\(help)`"]
          + (isList(staticType(receiver)) ? [] : ["regular expressions are for `matches`"])))
    return true
  }

  /// Reports `user.email.contains("%@acme.com")`, a pattern of SQL.
  private mutating func checkPercent(
    _ receiver: NodeID, _ text: String, at argument: NodeID
  ) -> Bool {
    let isAtStart = text.first == "%"
    let isAtEnd = text.last == "%" && text.dropLast().last?.isNumber == false
    let core = text.dropFirst(isAtStart ? 1 : 0).dropLast(isAtEnd ? 1 : 0)
    guard isAtStart || isAtEnd, core.count > 1, !core.contains("%"),
      core.contains(where: { $0.isLetter })
    else { return false }
    let function = isAtStart && isAtEnd ? "contains" : isAtStart ? "endsWith" : "startsWith"
    let literal = LiteralSpelling.string(
      Array(core.utf8), preferRaw: false, dialect: tree.dialect)
    report(
      Diagnostic(
        .wildcardInText, "`%` is a letter like others here", at: tree[argument].span,
        label: "looked for letter by letter",
        helps: [
          isList(staticType(receiver))
            ? "write `\(self.text(receiver)).exists(x, x.\(function)(\(literal)))`"
            : "write `\(self.text(receiver)).\(function)(\(literal))`"
        ]))
    return true
  }

  /// Reports `user.tags.contains("vip*")`, in which the `*` stands for itself.
  mutating func checkWildcard(
    _ receiver: NodeID, _ name: String, _ text: String, at argument: NodeID
  ) -> Bool {
    let isAtEnd = text.hasSuffix("*")
    let isAtStart = text.hasPrefix("*")
    let core = text.dropFirst(isAtStart ? 1 : 0).dropLast(isAtEnd ? 1 : 0)
    if checkAnchor(receiver, name, text, at: argument) { return true }
    if checkPercent(receiver, text, at: argument) { return true }
    let least = name == "startsWith" ? 1 : 2
    guard isAtEnd || isAtStart, core.count >= least, !core.contains("*"),
      core.contains(where: { $0.isLetter }),
      !isAtEnd || core.prefix(2).allSatisfy({ $0.isLetter || $0.isNumber })
    else { return false }
    let subject = self.text(receiver)
    let literal = LiteralSpelling.string(
      Array(core.utf8), preferRaw: false, dialect: tree.dialect)
    let function = isAtEnd && isAtStart ? "contains" : isAtEnd ? "startsWith" : "endsWith"
    let help: String
    if case .list = staticType(receiver) {
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

  /// Reports `"pro_*" in device.activeEntitlements`, in which the `*` stands for itself.
  mutating func checkWildcardElement(_ node: SyntaxNode) {
    guard node.op == .in, case .string(let sought)? = tree.constant(of: node.left),
      tree[node.left].kind == .stringLiteral, freePath(node.right) != nil,
      case let core = sought.filter({ $0 != "*" }), core.utf8.count > 1,
      core.utf8.count + 1 == sought.utf8.count, sought.first == "*" || sought.last == "*"
    else { return }
    let function = sought.last == "*" ? "startsWith" : "endsWith"
    report(
      Diagnostic(
        .wildcardInText, "`*` stands for itself here, not for any text",
        at: tree[node.left].span, label: "looked for letter by letter",
        helps: ["write `\(text(node.right)).exists(x, x.\(function)(\"\(core)\"))`"]))
  }
}
