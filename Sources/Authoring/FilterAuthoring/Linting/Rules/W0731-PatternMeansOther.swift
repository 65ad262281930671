import ExpressionEngine
import ExpressionSyntax

// Says what the signs of a pattern mean where another tool or an author means something else.

extension FilterLinter {
  /// Returns what the signs of a pattern mean where another tool or an author means something else,
  /// and advice.
  static func otherMeaning(
    of pattern: String, _ subject: String
  ) -> (message: String, help: String)? {
    if let plain = pattern.withoutPercents {
      return (
        "`%` stands for itself here, and for any text only in SQL",
        "write `\(subject).\(plain.function)(\"\(plain.text)\")`"
      )
    }
    if let alternatives = pattern.alternativesInClass {
      return (
        "`[…]` is one character, and `\(alternatives.first?.isNumber == true ? "," : "|")` in it "
          + "stands for itself",
        "for one of several texts, write them in a group: `(\(alternatives))`"
      )
    }
    if let last = pattern.dropLast().last, pattern.first == "^", pattern.last == "*",
      last.isNumber || last.isLetter,
      pattern.count > 3,
      pattern.dropLast().allSatisfy({ $0.isLetter || $0.isNumber || "^_-".contains($0) })
    {
      return (
        "`\(last)*` is any number of `\(last)`, also none",
        "for any text after it, leave the `*` out"
      )
    }
    if let whole = pattern.withAnchorsForAll {
      return (
        "each anchor belongs to one alternative only",
        "for whole texts, write `\(whole.patternLiteral)`"
      )
    }
    if let numbers = numbersInClass(pattern) {
      return ("`[…]` is one character, and not a number of two digits", numbers)
    }
    if let (sign, right) = pattern.withoutSeparatorsInClass {
      return (
        "`[…]` is one of its characters, and `\(sign)` is one of them",
        "write `\(right.patternLiteral)`"
      )
    }
    if let (word, right) = pattern.withoutClassOfWord {
      return (
        "`[\(word)]` is one of these characters, and not the word",
        "write `\(right.patternLiteral)`"
      )
    }
    if pattern.contains(text: "://"), let mark = pattern.firstIndex(of: "?"),
      case (let before, let rest) = (pattern[..<mark], pattern[pattern.index(after: mark)...]),
      before.last.map({ $0.isLetter || $0.isNumber }) == true,
      rest.prefix(while: { $0.isLetter || $0.isNumber || $0 == "_" }).endIndex
        == rest.firstIndex(of: "="), !pattern.contains("\\"), !before.contains("(")
    {
      let link = pattern.filter { !"^$*".contains($0) }
      return (
        "`?` makes the character before it optional, and is not the start of a query",
        "write `\(subject).startsWith(\"\(link)\")`"
      )
    }
    for range in ["(0-9)", "(a-z)", "(A-Z)", "(a-zA-Z)", "(1-9)"]
    where pattern.contains(text: range) {
      let right = pattern.replacing(range, by: "[\(range.dropFirst().dropLast())]")
      return (
        "`(…)` is a group, and looks for `\(range.dropFirst().dropLast())` letter by letter",
        "write `\(right.patternLiteral)`"
      )
    }
    if pattern.hasPrefix("^@"), pattern.hasSuffix("$"), subject.lowercased().hasSuffix("mail"),
      case let domain = String(pattern.dropFirst().dropLast()).replacing("\\.", by: "."),
      domain.isDomainAfterAt
    {
      return (
        "no address begins with `@`", "write `\(subject).endsWith(\"\(domain)\")`"
      )
    }
    if let domain = pattern.withDomainDots {
      return (
        "`.` stands for any character, also in a domain",
        "write `\(domain.patternLiteral)`"
      )
    }
    if pattern == "^$" {
      return (
        "only the empty text matches this, and a missing attribute is an error",
        "write `\(subject) == \"\"`"
      )
    }
    if let range = pattern.firstOccurrence(of: "A-z") {
      return (
        "`A-z` has the signs between `Z` and `a`, too: `[`, `_`, `^` and others",
        "write `\"\(pattern[..<range.lowerBound])A-Za-z\(pattern[range.upperBound...])\"`"
      )
    }
    if pattern.first == "^", pattern.hasSuffix("]*") || pattern.hasSuffix("]?") {
      return (
        "the part before the last `\(pattern.last ?? "*")` may be missing, and the text may go on",
        "write `\"\(pattern.dropLast())\"`"
      )
    }
    // Plain text but for its dots.
    if pattern.isDomainAfterAt {
      return (
        "`.` stands for any character, and the text may be anywhere",
        "write `endsWith(\"\(pattern)\")` or `contains(\"\(pattern)\")`"
      )
    }
    // `^paywall_*$`
    if pattern.first == "^", pattern.hasSuffix("*$"),
      case let start = pattern.dropFirst().dropLast(2),
      start.utf8.count > 2, start.last == "_" || start.last == "-",
      start.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "_" || $0 == "-" })
    {
      return (
        "`*` repeats the sign before it",
        "for the beginning of a text, write `\(subject).startsWith(\"\(start)\")`"
      )
    }
    let word = pattern.dropLast()
    if pattern.last == "*", word.utf8.count > 2,
      word.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "_" || $0 == "-" })
    {
      return (
        "`*` repeats the letter before it, and the text may be anywhere",
        "for the beginning of a text, write `\(subject).startsWith(\"\(word)\")`"
      )
    }
    guard pattern.hasSuffix(".*"), pattern.first?.isNumber == true, !pattern.contains("|") else {
      return nil
    }
    return (
      "`.*` at the end changes nothing: the text may be anywhere",
      "for the beginning, write `\"^\(pattern.dropLast(2))\"`"
    )
  }
}

extension String {
  /// Whether a text is the end of an address from its sign on: `@acme.com`.
  var isDomainAfterAt: Bool {
    first == "@" && contains(".")
      && dropFirst().allSatisfy { $0.isLetter || $0.isNumber || $0 == "." || $0 == "-" }
  }

  /// The text with the dots of a domain after its `@` as dots alone; `nil` if there are none.
  fileprivate var withDomainDots: String? {
    // Not the `@` in `[^@]+@acme.com`.
    guard let at = lastIndex(of: "@"), !self[at...].contains(where: { "[]".contains($0) }) else {
      return nil
    }
    let tail = Array(self[at...])
    var result = String(self[..<at])
    for (index, character) in tail.enumerated() {
      let isDot =
        character == "." && index > 1 && index + 2 < tail.count
        && (tail[index - 1].isLetter || tail[index - 1] == ")") && tail[index + 1].isLetter
      result += isDot ? "[.]" : String(character)
    }
    return result == self ? nil : result
  }

  /// The classes of a pattern: their contents, without negated ones and ranges.
  private var plainClasses: [(range: Range<Index>, inner: Substring)] {
    guard !contains(text: "\\["), !contains(text: "\\]") else { return [] }
    var classes: [(range: Range<Index>, inner: Substring)] = []
    var start = startIndex
    while let open = self[start...].firstIndex(of: "["),
      let close = self[open...].firstIndex(of: "]")
    {
      let inner = self[index(after: open)..<close]
      start = index(after: close)
      if !inner.isEmpty, inner.first != "^", !inner.contains(where: { "-\\".contains($0) }) {
        classes.append((range: open..<start, inner: inner))
      }
    }
    return classes
  }

  /// The sign between the characters of a class such as `[5|6]` or `[4,5]`, and the pattern without
  /// it.
  fileprivate var withoutSeparatorsInClass: (sign: Character, pattern: String)? {
    for (range, inner) in plainClasses {
      for sign: Character in ["|", ","] {
        let parts = inner.split(separator: sign, omittingEmptySubsequences: false)
        guard parts.count > 1,
          parts.allSatisfy({ $0.count == 1 && $0.allSatisfy { $0.isLetter || $0.isNumber } })
        else { continue }
        return (sign, replacingCharacters(in: range, by: "[\(parts.joined())]"))
      }
    }
    return nil
  }

  /// The word or number in a class such as `[2025]` or `[summer]`, and the pattern with it instead.
  fileprivate var withoutClassOfWord: (word: Substring, pattern: String)? {
    for (range, inner) in plainClasses
    where inner.count > 3 && inner.allSatisfy({ $0.isLetter || $0.isNumber })
      && Set(inner).count < inner.count
    {
      return (inner, replacingCharacters(in: range, by: String(inner)))
    }
    return nil
  }

  private func replacingCharacters(in range: Range<Index>, by text: String) -> String {
    String(self[..<range.lowerBound]) + text + self[range.upperBound...]
  }

  /// The function and the text that a pattern of SQL means: `%@gmail.com`.
  fileprivate var withoutPercents: (function: String, text: String)? {
    guard hasPrefix("%") || hasSuffix("%"), utf8.count > 2 else { return nil }
    var text = self[...]
    if hasPrefix("%") { text = text.dropFirst() }
    if hasSuffix("%") { text = text.dropLast() }
    guard !text.contains(where: { "%^$[](){}*+?|\\".contains($0) }) else { return nil }
    let function = !hasPrefix("%") ? "startsWith" : hasSuffix("%") ? "contains" : "endsWith"
    return (function, String(text))
  }

  /// The pattern as a literal, raw if it has a backslash.
  var patternLiteral: String { "\(contains("\\") ? "r" : "")\"\(self)\"" }

  /// The pattern with its anchor for all alternatives, where only one of them has it: `^a|b`.
  var withAnchorForAll: String? {
    let (isStart, isEnd) = (first == "^", last == "$")
    let inner = dropFirst(isStart ? 1 : 0).dropLast(isEnd ? 1 : 0)
    guard isStart != isEnd, !contains(text: "\\|"), !contains(text: "\\$"),
      !inner.contains(where: { "()[]^$".contains($0) }),
      case let parts = inner.split(separator: "|", omittingEmptySubsequences: false),
      parts.count > 1, parts.allSatisfy({ $0.count > 1 })
    else { return nil }
    // `^iPhone14|15|16` has its word once.
    let word = parts[0].prefix { !$0.isNumber }
    if isStart, !word.isEmpty, word.count < parts[0].count,
      parts.dropFirst().allSatisfy({ $0.allSatisfy { $0.isNumber } })
    {
      let numbers = parts.enumerated().map { $0 == 0 ? $1.dropFirst(word.count) : $1 }
      return "^\(word)(\(numbers.joined(separator: "|")))"
    }
    return isStart ? "^(\(inner))" : "(\(inner))$"
  }

  /// The pattern with the anchors of some alternatives around all of them: `^de|fr$|en`.
  fileprivate var withAnchorsForAll: String? {
    let parts = split(separator: "|", omittingEmptySubsequences: false)
    let plain = parts.map { part in
      part.dropFirst(part.first == "^" ? 1 : 0).dropLast(part.last == "$" ? 1 : 0)
    }
    let anchors = Set(parts.map { [$0.first == "^", $0.last == "$"] })
    // `a$|^b` is an end or a beginning.
    guard parts.count > 2 || parts.count == 2 && anchors.contains([true, true]),
      anchors.count > 1, contains(where: { $0 == "^" }),
      contains(where: { $0 == "$" }),
      plain.allSatisfy({ !$0.isEmpty && $0.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" } })
    else { return nil }
    return "^(\(plain.joined(separator: "|")))$"
  }

  /// The alternatives that were written as a class of characters: `[Beograd|Nis]`.
  fileprivate var alternativesInClass: String? {
    guard let open = firstIndex(of: "["), let close = lastIndex(of: "]"), open < close else {
      return nil
    }
    let inner = self[index(after: open)..<close]
    let numbers = inner.split(separator: ",", omittingEmptySubsequences: false)
    if numbers.count > 1, numbers.allSatisfy({ $0.count > 1 && $0.allSatisfy { $0.isNumber } }) {
      return numbers.joined(separator: "|")
    }
    let parts = inner.split(separator: "|", omittingEmptySubsequences: false)
    guard parts.count > 1,
      parts.allSatisfy({ $0.count > 1 && $0.allSatisfy { $0.isLetter || $0 == "." } })
    else {
      return nil
    }
    return String(inner).replacing(".", by: "[.]")
  }
}
