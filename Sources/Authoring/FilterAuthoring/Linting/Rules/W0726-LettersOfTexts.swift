import ExpressionEngine
import ExpressionPrinting
import ExpressionSyntax
import FilterAnalysis

// Reports letters in texts that cannot be seen or are not meant: blanks at an end, invisible
// characters, Cyrillic letters in a Latin word, entities of HTML, and places that were never filled
// in.

extension FilterLinter {
  /// Checks the letters of a text with which something is compared, or that is looked for.
  mutating func checkLetters(_ id: NodeID, _ node: SyntaxNode) {
    let parent = tree[parent(of: id)]
    guard id != tree.root, [.binary, .list, .call].contains(parent.kind) else { return }
    if parent.kind == .binary {
      guard parent.op.info.isComparison, parent.op != .in || parent.left == id else { return }
      let other = parent.left == id ? parent.right : parent.left
      guard tree.constant(of: other) == nil else { return }
    }
    let text = String(decoding: tree.text(of: node), as: UTF8.self)
    let function = parent.kind == .call ? tree.name(of: parent) : ""
    guard !text.isEmpty, text.utf8.count <= 200, function != "matches" else { return }
    if checkQuotedPath(id, node, text, in: function) { return }
    if checkFilling(id, text) { return }
    if checkEscapedQuote(id, node) { return }
    if checkOperatorInText(id, text) || checkConditionInText(id, text) { return }
    if let (right, message, label) = corrected(text, id, function) {
      let literal = LiteralSpelling.string(
        Array(right.utf8), preferRaw: false, dialect: tree.dialect)
      report(
        Diagnostic(
          .wildcardInText, message, at: node.span, label: label,
          notes: ["texts are compared letter by letter"],
          fixIts: [Diagnostic.FixIt(write: literal, at: node.span)]))
    }
  }

  /// Reports `user.day == "monday || friday"`, in which the operator is a part of the text.
  private mutating func checkOperatorInText(_ id: NodeID, _ text: String) -> Bool {
    guard let comparison = ConstantComparison(tree[parent(of: id)], in: tree),
      comparison.isEquality, comparison.constant == id, text.firstOccurrence(of: " || ") != nil
    else { return false }
    let list = ListedTexts(text, separators: "|")
    let isPlain = list.texts.allSatisfy { part in
      part.count > 1 && part.allSatisfy { $0.isLetter || $0.isNumber || $0 == " " }
    }
    guard isPlain else { return false }
    let written = list.membership(
      of: self.text(comparison.subject), isNegated: comparison.op != .equal)
    report(
      Diagnostic(
        .wildcardInText, "`||` is a part of this text", at: tree[id].span,
        label: "compared letter by letter",
        helps: ["write `\(written)`"]))
    return true
  }

  /// Reports `user.plan == "free' && device.regionCode == 'US"`: quotes of two kinds made one text
  /// of two conditions. Returns whether it did.
  private mutating func checkConditionInText(_ id: NodeID, _ text: String) -> Bool {
    let written = self.text(id)
    guard let outer = written.first, outer == "\"" || outer == "'" else { return false }
    for sign in [" && ", " || ", " & ", " and ", " AND ", " or ", " OR "] {
      guard let range = text.firstOccurrence(of: sign), range.lowerBound > text.startIndex,
        !text[..<range.lowerBound].contains(where: { $0 == "\"" || $0 == "'" }),
        AttributeRoots.names.contains(where: { text[range.upperBound...].hasPrefix("\($0).") })
      else { continue }
      let op = [" || ", " or ", " OR "].contains(sign) ? "||" : "&&"
      report(
        Diagnostic(
          .wildcardInText, "a condition is a part of this text", at: tree[id].span,
          label: "all of this is a text",
          helps: [
            "to end the text earlier, write "
              + "`\(outer)\(text[..<range.lowerBound])\(outer) \(op) \(text[range.upperBound...])`"
          ]))
      return true
    }
    let inner: Character = outer == "\"" ? "'" : "\""
    guard text.filter({ $0 == inner }).count.isMultiple(of: 2), text.contains(inner),
      ["&&", "||"].contains(where: { text.contains(text: "\(inner) \($0) ") }),
      AttributeRoots.names.contains(where: { text.contains(text: "\($0).") })
    else { return false }
    let right = String(written.map { $0 == inner ? outer : $0 })
    report(
      Diagnostic(
        .wildcardInText, "the quotes make one text of several conditions", at: tree[id].span,
        label: "all of this is a text", notes: ["a text ends with the quote that it starts with"],
        fixIts: [Diagnostic.FixIt(write: right, at: tree[id].span)]))
    return true
  }

  /// Returns a text without letters that are hardly meant, and what they are.
  private func corrected(
    _ text: String, _ id: NodeID, _ function: String
  ) -> (text: String, message: String, label: String)? {
    let hidden = text.unicodeScalars.first { scalar in
      scalar != " " && scalar != "\n" && scalar != "\t"
        && InvisibleCharacters.name(of: scalar) != nil
    }
    if let hidden, let name = InvisibleCharacters.name(of: hidden) {
      var plain = ""
      for scalar in text.unicodeScalars {
        if scalar != hidden {
          plain.unicodeScalars.append(scalar)
        } else if scalar.properties.isWhitespace {
          plain += " "
        }
      }
      // In the place of a blank it is one; at an end nothing is meant to be.
      return (
        function.isEmpty ? plain.trimmed : plain,
        "an invisible character is in this text: \(name)", "looked for, too"
      )
    }
    let words = text.split(separator: " ", omittingEmptySubsequences: false)
    if words.contains(where: { Lookalikes.plain($0) != nil }) {
      return (
        words.map { Lookalikes.plain($0) ?? String($0) }.joined(separator: " "),
        "letters of two scripts are in this text", "some only look like A to Z"
      )
    }
    if words.count == 1, let plain = Lookalikes.plainSigns(text) {
      return (plain, "a sign in this text only looks like one of ASCII", "another character")
    }
    for (entity, sign) in [("&amp;", "&"), ("&quot;", "\""), ("&lt;", "<"), ("&gt;", ">")] {
      guard let range = text.firstOccurrence(of: entity) else { continue }
      return (
        text[..<range.lowerBound] + sign + text[range.upperBound...],
        "`\(entity)` is how HTML writes `\(sign)`", "letters like others here"
      )
    }
    let isPart = ["contains", "startsWith", "endsWith"].contains(function)
    guard !isPart, function.isEmpty, let first = text.first, let last = text.last,
      first.isWhitespace || last.isWhitespace, text.count > 1,
      !isKnownText(beside: id) || first.isNewline || last.isNewline
    else { return nil }
    let trimmed = text.drop { $0.isWhitespace }
    let right = trimmed.prefix(
      trimmed.count - trimmed.reversed().prefix { $0.isWhitespace }.count)
    let sign = last.isWhitespace ? last : first
    let name = sign == " " ? "blank" : sign == "\t" ? "tab" : "line break"
    return right.isEmpty
      ? nil
      : (
        String(right),
        "the \(name) at the \(last.isWhitespace ? "end" : "start") is compared, too",
        "with a \(name)"
      )
  }

  /// Returns whether the schema knows the form of what a text is compared with, so that a blank is
  /// a finding about the form.
  private func isKnownText(beside id: NodeID) -> Bool {
    var place = id
    if tree[parent(of: id)].kind == .list { place = parent(of: id) }
    let node = tree[parent(of: place)]
    guard node.kind == .binary else { return false }
    let other = knownAttribute(node.left == place ? node.right : node.left)
    return other.map { !$0.values.isEmpty || $0.format != nil || $0.type != .string } ?? false
  }

  /// Reports `user.plan == "user.previousPlan"`, an attribute in quotes.
  private mutating func checkQuotedPath(
    _ id: NodeID, _ node: SyntaxNode, _ text: String, in function: String
  ) -> Bool {
    let path = text.drop { $0 == "$" }
    guard !["has", "hasFn"].contains(function),
      ["user.", "device.", "params."].contains(where: { path.hasPrefix($0) }),
      let read = AttributePath(String(path)),
      read.names.allSatisfy({ $0.isPlainName }), function.isEmpty || path.utf8.count > 6
    else { return false }
    if isInUnknownCall(id) { return false }
    // A search for a part of a text may well be for such a name.
    guard !["startsWith", "endsWith"].contains(function) else { return false }
    report(
      Diagnostic(
        .typeMismatch, "`\"\(text)\"` is a text, and not the attribute", at: node.span,
        label: "in quotes",
        fixIts: [
          Diagnostic.FixIt(
            "write `\(path)` without quotes", [Diagnostic.Edit(node.span, String(path))])
        ]))
    return true
  }

  /// Returns whether a text is an argument of a function that does not exist, which is the mistake.
  private func isInUnknownCall(_ id: NodeID) -> Bool {
    var place = parent(of: id)
    if tree[place].kind == .list { place = parent(of: place) }
    let node = tree[place]
    guard node.kind == .call else { return false }
    let name = tree.name(of: node)
    return !outline.isLibraryFunction(name) && !outline.isHostFunction(name)
      && historyFunction(node) == nil
  }

  /// Reports `"{{plan}}"` and `"YOUR_PLAN"`, which stand for a text that was to come.
  private mutating func checkFilling(_ id: NodeID, _ text: String) -> Bool {
    let isMarked =
      [("{{", "}}"), ("${", "}"), ("<%", "%>"), ("%{", "}"), ("#{", "}")].contains {
        text.hasPrefix($0.0) && text.hasSuffix($0.1)
      }
    let isBracketed =
      text.hasPrefix("<") && text.hasSuffix(">")
      && text.dropFirst().dropLast().allSatisfy { $0.isLetter || "_- ".contains($0) }
    let isNamed = text.hasPrefix("YOUR_") || text == "TODO" || text == "CHANGE_ME"
    guard isMarked || isBracketed || isNamed else { return false }
    report(
      Diagnostic(
        .wildcardInText, "`\"\(text)\"` was not filled in", at: tree[id].span,
        label: "compared letter by letter", helps: ["write the text that is meant"]))
    return true
  }

  /// Reports `"O\'Brien"`: in double quotes, the backslash before `'` belongs to the text.
  private mutating func checkEscapedQuote(_ id: NodeID, _ node: SyntaxNode) -> Bool {
    let written = tree.source.text(of: node.span)
    guard isSuperscript, written.hasPrefix("\""), !written.hasPrefix("\"\"\""),
      written.firstOccurrence(of: "\\'") != nil
    else { return false }
    let decoded = String(decoding: tree.text(of: node), as: UTF8.self)
    guard decoded.firstOccurrence(of: "\\'") != nil else { return false }
    var right = written
    while let range = right.firstOccurrence(of: "\\'") { right.replaceSubrange(range, with: "'") }
    report(
      Diagnostic(
        .wildcardInText, "the backslash before `'` belongs to this text", at: node.span,
        label: "compared, too", notes: ["in double quotes, `'` needs no backslash"],
        fixIts: [Diagnostic.FixIt(write: right, at: node.span)]))
    return true
  }
}
