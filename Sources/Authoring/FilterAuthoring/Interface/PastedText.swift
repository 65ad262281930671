import ExpressionEngine
import ExpressionSyntax
import FilterAnalysis

// Filters with something around them from the place where they were copied: marks of pages,
// members of JSON, statements and functions.

/// What is left of a pasted text without its surroundings; `nil` if there is nothing around it.
enum PastedText {
  /// Removes fences and stars of Markdown, quotes of mails and tags of HTML.
  static func withoutMarkup(_ text: String) -> String? {
    var rest = withoutTags(text).trimmed
    for mark in ["```", "**", "__", "`", "*"] where rest.hasPrefix(mark) && rest.hasSuffix(mark) {
      guard rest.utf8.count > 2 * mark.utf8.count else { continue }
      rest = String(rest.dropFirst(mark.count).dropLast(mark.count)).trimmed
    }
    for mark in ["> ", "\u{2022} "] where rest.hasPrefix(mark) {
      rest = String(rest.dropFirst(2)).trimmed
    }
    // The full stop of a sentence.
    if rest.hasSuffix("."), let last = rest.dropLast().last, "\"')]".contains(last) {
      rest = String(rest.dropLast())
    }
    // A comment of HTML is removed where it is.
    return rest == text.trimmed || rest.isEmpty ? nil : rest
  }

  private static func withoutTags(_ text: String) -> String {
    var result = ""
    var rest = text[...]
    while let first = rest.first {
      if first == "<", let end = rest.firstIndex(of: ">") {
        let inner = rest[rest.index(after: rest.startIndex)..<end]
        let name = inner.drop { $0 == "/" }
        let isTag =
          inner.hasPrefix("!--") && inner.hasSuffix("--")
          || name.first.map { $0.isASCII && $0.isLetter } == true && name.count <= 8
            && name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
        if isTag {
          rest = rest[rest.index(after: end)...]
          continue
        }
      }
      result.append(first)
      rest = rest.dropFirst()
    }
    return result
  }

  /// Reads `"expression": "user.plan == 'pro'"`.
  static func memberOfJSON(_ text: String) -> String? {
    var rest = text.trimmed[...]
    if rest.hasSuffix(",") { rest = rest.dropLast() }
    if rest.hasPrefix("{"), rest.hasSuffix("}") { rest = rest.dropFirst().dropLast() }
    let member = String(rest).trimmed
    guard member.hasPrefix("\""), member.hasSuffix("\""),
      let key = member.dropFirst().firstIndex(of: "\"")
    else { return nil }
    let value = String(member[member.index(after: key)...]).trimmed
    guard value.hasPrefix(":") else { return nil }
    let quoted = String(value.dropFirst()).trimmed
    guard quoted.count > 2, quoted.hasPrefix("\"") else { return nil }
    return String(quoted.dropFirst().dropLast()).replacing("\\\"", by: "\"")
  }

  /// Joins the lines of a list, each with a mark before it.
  static func listOfLines(_ text: String) -> String? {
    let lines = text.split(separator: "\n").map { String($0).trimmed }.filter { !$0.isEmpty }
    for mark in ["- ", "* ", "\u{2022} "] where lines.count > 1 {
      guard lines.allSatisfy({ $0.hasPrefix(mark) }) else { continue }
      return lines.map { String($0.dropFirst(mark.count)).trimmed }.joined(separator: " && ")
    }
    return nil
  }

  /// Reads `[user.plan](http://user.plan) == "pro"`, in which a program made links of names.
  static func withoutLinks(_ text: String) -> String? {
    var result = ""
    var rest = text[...]
    var isChanged = false
    while let open = rest.firstIndex(of: "[") {
      result += rest[..<open]
      rest = rest[open...]
      if let middle = rest.firstRange(ofText: "](http"),
        let end = rest[middle.upperBound...].firstIndex(of: ")")
      {
        let name = rest[rest.index(after: open)..<middle.lowerBound]
        if !name.contains("["), !name.contains("\n") {
          result += name
          rest = rest[rest.index(after: end)...]
          isChanged = true
          continue
        }
      }
      result += "["
      rest = rest.dropFirst()
    }
    return isChanged ? result + rest : nil
  }

  /// Reads a field of a file with commas: `"user.plan == ""free"""`.
  static func fieldOfCSV(_ text: String) -> String? {
    let field = text.trimmed
    guard field.utf8.count > 4, field.hasPrefix("\""), field.hasSuffix("\""),
      field.dropFirst().firstRange(ofText: "\"\"") != nil
    else { return nil }
    return String(field.dropFirst().dropLast()).replacing("\"\"", by: "\"")
  }

  /// Reads `{{#if user.isPro}}false{{else}}true{{/if}}` and `{% if a %}true{% endif %}`.
  static func choiceOfTemplate(_ text: String) -> String? {
    let tags = [("{{#if ", "}}"), ("{% if ", "%}"), ("{{ if ", "}}"), ("<% if ", "%>")]
    guard let (open, close) = tags.first(where: { text.trimmed.hasPrefix($0.0) }) else {
      return nil
    }
    let body = String(text.trimmed.dropFirst(open.count))
    guard let end = body.firstOccurrence(of: close) else { return nil }
    let condition = String(body[..<end.lowerBound]).trimmed
    let yes = String(body[end.upperBound...]).trimmed.prefix { $0.isLetter }
    guard ["true", "false"].contains(yes) else { return nil }
    return yes == "true" ? condition : "!(\(condition))"
  }

  /// Replaces `\"`, `""` and the quotes of TeX.
  static func withPlainQuotes(_ text: String) -> String? {
    if text.firstOccurrence(of: "\\|") != nil { return text.replacing("\\|", by: "||") }
    for escape in ["\\n", "\\r", "\\t"] where text.firstOccurrence(of: escape) != nil {
      return text.replacing(escape, by: " ")
    }
    for (mark, other) in [("\\\"", "\\\""), ("\"\"\"", "\"\"\""), ("\"\"", "\"\""), ("``", "''")] {
      let parts = text.replacing(mark, by: "\u{0}").replacing(other, by: "\u{0}")
      let count = parts.count { $0 == "\u{0}" }
      // Before a blank, `""` is rather the empty text.
      let isEmptyText =
        mark == "\"\"" && text.firstOccurrence(of: "\"\" ") != nil
        && text.firstOccurrence(of: " \"\"") != nil
      guard count >= 2, count.isMultiple(of: 2), !isEmptyText else { continue }
      return parts.replacing("\u{0}", by: "\"")
    }
    return nil
  }

  /// Removes what separates the thousands of `10'000` and `10\u{A0}000`.
  static func withPlainNumbers(_ text: String) -> String? {
    var result: [Character] = []
    let characters = Array(text)
    for (index, character) in characters.enumerated() {
      let isSeparator =
        "'\u{2019}\u{A0}\u{202F}".contains(character) && result.last?.isNumber == true
        && index + 3 < characters.count
        && characters[(index + 1)...(index + 3)].allSatisfy { $0.isASCII && $0.isNumber }
      if !isSeparator { result.append(character) }
    }
    return result.count == characters.count ? nil : String(result)
  }

  /// Writes `# …`, `-- …` and `/* … */` as `// …`.
  static func withoutComment(_ text: String) -> String? {
    guard !text.contains("\n") else { return nil }
    if let start = text.firstOccurrence(of: "/*"), let end = text.firstOccurrence(of: "*/"),
      start.upperBound <= end.lowerBound
    {
      let tail = String(text[end.upperBound...]).trimmed
      let comment = String(text[start.upperBound..<end.lowerBound]).trimmed
      let head = text[..<start.lowerBound]
      return tail.isEmpty ? "\(head)// \(comment)" : "\(head)\(tail)"
    }
    for mark in [" # ", " -- ", " \u{2013}\u{2013} ", " \u{2014} "] {
      guard let range = text.firstOccurrence(of: mark) else { continue }
      return "\(text[..<range.lowerBound]) // \(text[range.upperBound...])"
    }
    return nil
  }

  /// Returns `a` of `if (a) { true } else { false }`, `SELECT … WHERE a ORDER BY …` and `return a`.
  static func conditionOfStatement(_ text: String) -> String? {
    var words = IdiomText(text).pieces[...]
    if words.last?.isMark(";") == true { words = words.dropLast() }
    let count = words.count
    if words.first?.isWord(["select", "delete", "from"]) == true,
      let start = words.firstIndex(where: { $0.isWord(["where"]) })
    {
      words = words[(start + 1)...]
    }
    if words.first?.isWord(["where", "return", "when"]) == true { words = words.dropFirst() }
    if let end = words.firstIndex(where: { $0.isWord(["order", "limit", "group"]) }),
      end > words.startIndex, words[end].followsSpace
    {
      words = words[..<end]
    }
    if let choice = condition(of: words) { words = choice }
    guard words.count != count else { return nil }
    let text = IdiomText.text(of: words)
    return IdiomText(text).rewritten(IdiomText.nameOfColumn) ?? text
  }

  /// The condition of a choice between true and false.
  private static func condition(
    of words: ArraySlice<IdiomText.Piece>
  ) -> ArraySlice<IdiomText.Piece>? {
    var rest = words
    if rest.first?.isWord(["case"]) == true { rest = rest.dropFirst() }
    guard rest.first?.isWord(["if", "when"]) == true,
      let yes = rest.lastIndex(where: { $0.isWord(["true"]) }),
      let no = rest.lastIndex(where: { $0.isWord(["false"]) }), yes < no,
      let other = rest[yes..<no].firstIndex(where: { $0.isWord(["else"]) }),
      rest[other...].dropFirst().allSatisfy({
        $0.isMark("{") || $0.isMark("}") || $0.isMark(";") || $0.isWord(["return", "false", "end"])
      })
    else { return nil }
    let isMark: (IdiomText.Piece) -> Bool = {
      $0.isMark("{") || $0.isMark(":") || $0.isWord(["then", "return"])
    }
    var condition = rest[(rest.startIndex + 1)..<yes]
    while let last = condition.last, isMark(last) { condition = condition.dropLast() }
    return condition.isEmpty ? nil : condition
  }

  /// Returns the condition of `(u) => u.age > 3`, `lambda u: u.age > 3`, `{ u in u.age > 3 }` and
  /// `function(u) { return u.age > 3; }`, whose parameter is the user.
  static func bodyOfFunction(_ text: String) -> String? {
    let pieces = IdiomText(text).pieces
    var names: [String] = []
    var start: Int?
    for (index, piece) in pieces.enumerated() {
      let next = index + 1 < pieces.count ? pieces[index + 1] : nil
      if piece.isMark("="), next?.isMark(">") == true, next?.followsSpace == false {
        start = index + 2
      } else if piece.isMark(":"), pieces[0].isWord(["lambda"]) {
        start = index + 1
      } else if piece.isWord(["in"]), pieces[0].isMark("{") {
        start = index + 1
      } else if piece.isMark("{"), pieces[0].isWord(["function", "func", "fun"]) {
        start = index + 1
      } else if piece.kind == .path {
        let words = ["lambda", "function", "func", "fun", "const", "let", "var", "bool", "check"]
        if !piece.isWord(words) { names.append(piece.text) }
      } else if piece.kind != .mark {
        return nil
      }
      if start != nil { break }
    }
    guard let start, !names.isEmpty || pieces[0].kind == .path || pieces[0].isMark("("),
      start < pieces.count
    else {
      return nil
    }
    var body = pieces[start...]
    if body.first?.isMark("{") == true { body = body.dropFirst() }
    if body.first?.isWord(["return"]) == true { body = body.dropFirst() }
    while let last = body.last, last.isMark("}") || last.isMark(";") { body = body.dropLast() }
    let parameter = names.count == 1 ? names[0] : names.last ?? "user"
    let roots = AttributeRoots.names
    return IdiomText.text(of: body) { piece in
      guard piece.kind == .path, !roots.contains(parameter),
        piece.text.hasPrefix(parameter + ".")
      else { return piece.text }
      return "user" + piece.text.dropFirst(parameter.count)
    }
  }
}

extension PastedText {
  /// Words that turn a condition round.
  private static let negations = [
    "not", "no", "never", "unless", "except", "without", "exclude", "excluding", "but", "don",
    "typeof", "instanceof",
  ]
  /// Words that may belong to a condition.
  private static let meaningful =
    negations + ["and", "or", "in", "true", "false", "null", "has", "size", "is", "than", "equals"]

  /// Returns the condition in a text with other words around it: `Here it is: user.age > 3`,
  /// `user.age > 3 | sort by name`.
  static func conditionAmongWords(_ text: String) -> String? {
    let pieces = IdiomText(text).pieces
    guard var start = pieces.firstIndex(where: { $0.kind == .path && IdiomText.isRoot($0.text) })
    else { return nil }
    while start > 0, ["(", "!"].contains(where: pieces[start - 1].isMark) { start -= 1 }
    // Before a colon there is a sentence.
    let isSentence = start > 0 && pieces[start - 1].isMark(":")
    let isBefore = pieces[..<start].allSatisfy { piece in
      isSentence && piece.kind == .path && !piece.isWord(negations) || isAside(piece)
        || [":", ",", ".", "-", ">", "'", "*", "_", "#"].contains(piece.text)
    }
    guard isBefore else { return nil }
    var condition = pieces[start...]
    let pipe = condition.indices.dropFirst().dropLast().first {
      pieces[$0].isMark("|") && !pieces[$0 - 1].isMark("|") && !pieces[$0 + 1].isMark("|")
    }
    if let pipe, !pieces[pipe + 1].isWord(ForeignWords.letterCases),
      pieces[pipe...].allSatisfy({ !["=", "<", ">"].contains(where: $0.isMark) })
    {
      condition = condition[..<pipe]
    }
    condition = withoutNote(condition)
    while let last = condition.last, condition.count > 3,
      isAside(last) || last.isMark(",") || last.isMark(".") || last.isMark(";"),
      condition.dropLast().last.map({ $0.isValue || $0.isMark(")") || $0.isMark(",") }) == true
    {
      condition = condition.dropLast()
    }
    return condition.count == pieces.count ? nil : IdiomText.text(of: condition)
  }

  /// Removes words in parentheses at the end: `user.age > 3 (approved by Mia)`.
  private static func withoutNote(
    _ condition: ArraySlice<IdiomText.Piece>
  ) -> ArraySlice<IdiomText.Piece> {
    guard condition.last?.isMark(")") == true,
      let open = condition.lastIndex(where: { $0.isMark("(") }), condition[open].followsSpace,
      open > condition.startIndex, condition[open - 1].isValue || condition[open - 1].isMark(")"),
      condition[(open + 1)...].dropLast().allSatisfy({ isAside($0) })
    else { return condition }
    return condition[..<open]
  }

  /// Whether a piece belongs to no condition: a word, a number or a picture.
  private static func isAside(_ piece: IdiomText.Piece) -> Bool {
    switch piece.kind {
    case .path: !IdiomText.isRoot(piece.text) && !piece.isWord(meaningful)
    case .number: true
    case .mark: piece.text.utf8.first.map { $0 >= 0x80 } ?? false
    case .quoted: false
    }
  }

  /// Adds the quote that one string lacks: `language == 'ar && region == 'LB'`.
  static func withMissingQuote(_ text: String) -> String? {
    for quote in ["\"", "'"] {
      var parts = text.split(separator: Character(quote), omittingEmptySubsequences: false)
        .map { String($0) }
      // An odd number of quotes makes an even number of parts.
      guard parts.count > 2, parts.count.isMultiple(of: 2) else { continue }
      for index in stride(from: 1, to: parts.count, by: 2) {
        let ends = [" && ", " || ", "] ", ") "].compactMap { parts[index].firstOccurrence(of: $0) }
        guard let end = ends.min(by: { $0.lowerBound < $1.lowerBound }) else { continue }
        if end.lowerBound > parts[index].startIndex {
          let last = parts[index].index(before: end.lowerBound)
          // A quote of another kind is the one that is missing.
          let start =
            "\u{201C}\u{201D}\u{2018}\u{2019}'\"".contains(parts[index][last])
            ? last : end.lowerBound
          parts[index].replaceSubrange(start..<end.lowerBound, with: quote)
        } else {
          // The string before has no quote in front.
          let words = parts[index - 1]
          guard let blank = words.lastIndex(of: " ") else { return nil }
          let first = words.index(after: blank)
          // `5'11"` is a length, and no text.
          if words[first...].contains("'"), words[first].isNumber { return nil }
          let isQuoted = first < words.endIndex && "'\"".contains(words[first])
          parts[index - 1].replaceSubrange(
            first..<(isQuoted ? words.index(after: first) : first), with: quote)
        }
        return parts.joined(separator: quote)
      }
    }
    return nil
  }
}

extension IdiomText {
  /// Returns pieces as they were written, each of which may be replaced.
  static func text(
    of pieces: ArraySlice<Piece>, _ spelling: (Piece) -> String = { $0.text }
  ) -> String {
    var result = ""
    for piece in pieces {
      if piece.followsSpace, !result.isEmpty { result += " " }
      result += spelling(piece)
    }
    return result
  }
}

extension String {
  /// Returns the text with each occurrence of a part replaced.
  func replacing(_ part: String, by other: String) -> String {
    var result = ""
    var rest = self[...]
    while let range = String(rest).firstOccurrence(of: part) {
      let text = String(rest)
      result += text[..<range.lowerBound] + other
      rest = Substring(text[range.upperBound...])
    }
    return result + rest
  }
}
