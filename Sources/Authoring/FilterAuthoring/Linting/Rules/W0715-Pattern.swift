import ExpressionEngine
import ExpressionSyntax

extension FilterLinter {
  /// Checks the regular expression of a call of `matches`.
  mutating func checkPattern(_ node: SyntaxNode, _ name: String) {
    guard name == "matches", environment.deviceFunctions[name] == nil,
      environment.computedFunctions[name] == nil,
      let argument = tree.arguments(of: node).last,
      node.childCount == (node.receiver == nil ? 2 : 1)
    else { return }
    let literal = tree[argument]
    guard literal.kind == .stringLiteral else { return }
    let content = tree.text(of: literal)
    if let problem = PatternProblem.find(in: content, dialect: tree.dialect.name) {
      return report(
        Diagnostic(
          .invalidPattern, "the regular expression is not valid: \(problem.message)",
          at: place(problem.offset, problem.length, in: literal), label: "here",
          helps: helpForProblem(problem.message, String(decoding: content, as: UTF8.self), node)))
    }
    let shape = PatternShape(content)
    if let offset = shape.impossible {
      report(
        Diagnostic(
          .patternNeverMatches, "this regular expression never matches",
          at: place(offset, 1, in: literal),
          label: content[offset] == UInt8(ascii: "^")
            ? "the text starts here, but something must come before it"
            : "the text ends here, but something must follow",
          helps: [
            helpForSlashes(String(decoding: content, as: UTF8.self))
              ?? helpForExchangedAnchors(String(decoding: content, as: UTF8.self))
              ?? helpForAnchorAtEnd(String(decoding: content, as: UTF8.self))
              ?? "for the character itself write `\\\(content[offset] == UInt8(ascii: "^") ? "^" : "$")` "
              + "in a raw string: `r\"…\"`"
          ]))
    }
    if let range = shape.nestedRepetition {
      report(
        Diagnostic(
          .slowPattern, "this regular expression can be slow on texts that do not match",
          at: place(range.lowerBound, range.count, in: literal),
          label: "a repetition of a repetition", helps: ["write one repetition, such as `a+`"]))
    }
    if checkEscapes(String(decoding: content, as: UTF8.self), at: argument) { return }
    checkUniversal(argument)
    let attribute = node.receiver.flatMap { knownAttribute($0) }
    checkAnchors(String(decoding: content, as: UTF8.self), at: argument, node, attribute)
    guard let attribute else { return }
    checkDots(String(decoding: content, as: UTF8.self), of: attribute, at: argument)
    checkTest(
      .matches(String(decoding: content, as: UTF8.self)), of: attribute, at: argument)
  }

  /// Returns advice for `^…$^`, whose last character is too much.
  private func helpForAnchorAtEnd(_ pattern: String) -> String? {
    if pattern.hasSuffix("$^") || pattern.hasSuffix("$$") {
      return "remove the last character: the text ends at the first `$`"
    }
    return pattern.contains(text: "$^")
      ? "for one of several, write `|` between them: `\"\(pattern.replacingFirst("$^", by: "$|^"))\"`"
      : nil
  }

  /// Reports `^+49`, which repeats the beginning of the text, and `^a|b$`, in which each anchor
  /// belongs to one alternative.
  private mutating func checkAnchors(
    _ pattern: String, at argument: NodeID, _ node: SyntaxNode,
    _ attribute: AttributeSchema.Attribute?
  ) {
    let subject = node.receiver.map { text($0) } ?? "…"
    let inner = pattern.dropFirst().dropLast()
    let help: String
    let message: String
    if let second = pattern.dropFirst().first, pattern.first == "^", "+*?".contains(second) {
      message = "`\(second)` repeats the `^` before it, and is not looked for"
      help =
        "for the character itself write `[\(second)]`: `\"^[\(second)]\(pattern.dropFirst(2))\"`"
    } else if pattern.first == "^", pattern.last == "$", inner.contains("|"),
      !String(inner).replacing("\\.", by: "").contains(where: { "()[]\\^$".contains($0) })
    {
      message = "`^` belongs to the first alternative only, and `$` to the last"
      let whole = "^(\(inner))$"
      let isImpossible =
        attribute.flatMap {
          textForms.result(of: .matches(whole), for: $0, dialect: tree.dialect.name)
        } == false
      let begins =
        attribute.flatMap {
          textForms.result(of: .matches("^(\(inner))"), for: $0, dialect: tree.dialect.name)
        } != false
      help =
        isImpossible && begins && inner.contains("|") && attribute?.format == .model
        ? "for beginnings, write `\("^(\(inner))".patternLiteral)`"
        : isImpossible
          ? "for a beginning and an end, write `\(subject).startsWith(…) || \(subject).endsWith(…)`"
          : (inner.withSharedBeginning ?? inner.withSharedEnd).map {
            "for whole texts, write `\"^\($0)$\"`"
          }
            ?? "for whole texts, write `\(whole.patternLiteral)`; for beginnings, "
            + "`\("^(\(inner))".patternLiteral)`; for ends, `\("(\(inner))$".patternLiteral)`"
            + (Self.areBeginningAndEnd(inner)
              ? "; for a beginning and an end, "
                + "`\(pattern.replacingFirst("|", by: ".*").patternLiteral)`"
              : "")
    } else if let whole = pattern.withAnchorForAll {
      let isStart = pattern.first == "^"
      message =
        "`\(isStart ? "^" : "$")` belongs to the \(isStart ? "first" : "last") alternative only"
      help = "for all of them, write `\(whole.patternLiteral)`"
    } else if let other = Self.otherMeaning(of: pattern, subject) {
      (message, help) = other
    } else {
      return
    }
    guard !wasReported(tree[argument].span) else { return }
    report(
      Diagnostic(
        .patternMeansOther, message, at: tree[argument].span, label: "here", helps: [help]))
  }

  /// Returns whether two alternatives are the parts of one code, such as `de|AT`.
  private static func areBeginningAndEnd(_ alternatives: some StringProtocol) -> Bool {
    let parts = alternatives.split(separator: "|", omittingEmptySubsequences: false)
    return parts.count == 2 && parts[0].allSatisfy { $0.isLowercase || $0 == "_" }
      && parts[1].allSatisfy { $0.isUppercase || $0 == "_" }
  }

  /// Reports `device.appVersion.matches("^1.2")`: the dot of a version stands for any character.
  private mutating func checkDots(
    _ pattern: String, of attribute: AttributeSchema.Attribute, at argument: NodeID
  ) {
    switch attribute.format {
    case .version, .systemVersion, .paddedVersion: break
    default: return
    }
    let characters = Array(pattern)
    let isAnchored = pattern.hasPrefix("^") || pattern.hasPrefix("(") || pattern.hasPrefix("[")
    var escaped = isAnchored || characters.first?.isNumber != true ? "" : "^"
    for (index, character) in characters.enumerated() {
      // Between two numbers, or after the last.
      let isDot =
        character == "." && index > 0 && characters[index - 1].isNumber
        && (index + 1 == characters.count || characters[index + 1].isNumber
          || characters[index + 1] == "[")
      escaped += isDot ? "[.]" : String(character)
    }
    let isDot = escaped.contains(text: "[.]")
    // Within brackets a dot is itself.
    let hasClassOfDots = pattern.split(separator: "[").dropFirst().contains { part in
      part.prefix { $0 != "]" }.contains { $0 == "." }
    }
    guard escaped != pattern, !hasClassOfDots, isDot || !pattern.contains(text: "["),
      !wasReported(tree[argument].span)
    else { return }
    if !isDot, escaped.contains("|") { escaped = "^(\(escaped.dropFirst()))" }
    // "4.1" begins "4.10", too.
    if isDot, escaped.last?.isNumber == true { escaped += "([.]|$)" }
    let literal = escaped.patternLiteral
    report(
      Diagnostic(
        .patternMeansOther,
        isDot
          ? "`.` stands for any character, also for a digit"
          : "this is found in other versions, too, after another digit",
        at: tree[argument].span, label: isDot ? "here" : "not at the beginning",
        helps: [
          isDot
            ? "write `\(literal)`"
            : "for versions that begin so, write `\(literal)`; for this one alone, add a `$` at the end"
        ]))
  }

  /// Reports a pattern that every text matches, as far as texts of many kinds show.
  private mutating func checkUniversal(_ literal: NodeID) {
    guard Int(tree[literal].span.length) <= Self.longestUniversal,
      let filter = try? Filter(
        SourceText("user.x.matches(\(text(literal)))"),
        environment: FilterEnvironment(dialect: environment.dialect))
    else { return }
    func matches(_ text: String) -> Bool {
      filter.matches(Context(user: Context.Layer(["x": .string(text)])))
    }
    let texts = ["a", "Z", "0", " ", "\n", ".", "ab", "é", "😀 x", "a\nb", "x@y.zz"]
    guard texts.allSatisfy(matches), matches(String(repeating: "a", count: 1_000)) else { return }
    let isOfAll = matches("")
    let written = text(literal)
    let alternatives = written.replacing(" || ", by: "|").replacing("||", by: "|")
      .replacing("|)", by: ")")
      .replacing("(|", by: "(").replacing("|\"", by: "\"").replacing("\"|", by: "\"")
    let hasEmptyOne = written != alternatives
    report(
      .always(
        true,
        isOfAll ? "every text matches this" : "every text matches this, unless it is empty",
        at: tree[literal].span,
        label: hasEmptyOne ? "one of the alternatives is empty" : "no restriction",
        helps: [
          hasEmptyOne
            ? "remove the `|` that has nothing beside it: `\(alternatives)`"
            : "write what the text must contain, or remove the condition"
        ]))
  }

  /// The longest literal that is tried, in bytes.
  private static let longestUniversal = 120

  /// Reports `r"\\d{10}"`, in which the doubled backslash is one that is looked for, and
  /// `"\bpro\b"`, which has backspaces. Returns whether it did.
  private mutating func checkEscapes(_ pattern: String, at argument: NodeID) -> Bool {
    let written = text(argument)
    let isRaw = written.first == "r" || written.first == "R"
    let message: String
    let help: String
    if isRaw, ["d", "w", "s", "b", "."].contains(where: { pattern.contains(text: "\\\\\($0)") }) {
      message = "in a raw string `\\\\` looks for a backslash"
      help = "write `\(written.replacing("\\\\", by: "\\"))`"
    } else if !isRaw, pattern.contains("\u{8}") {
      message = "in a string `\\b` is a backspace"
      help = "for the edge of a word, write `r\(written)`"
    } else if let slashes = helpForSlashes(pattern), !wasReported(tree[argument].span) {
      message = "slashes and flags are looked for letter by letter"
      help = slashes
    } else {
      return false
    }
    report(
      Diagnostic(
        .patternMeansOther, message, at: tree[argument].span, label: "no text has this",
        helps: [help]))
    return true
  }

  /// Returns advice for a pattern that looks ahead or behind.
  private static func helpForLookAround(_ pattern: String, _ subject: String) -> String {
    let each = "test each of them with a call of its own: `\(subject).matches(…) && …`"
    let ahead = pattern.firstOccurrence(of: "(?=")
    if let ahead, pattern.hasSuffix(")") {
      let rest = pattern[ahead.upperBound...].dropLast()
      return rest.firstRange(ofText: "(?") == nil
        ? "write what follows as it is: `\"\(pattern[..<ahead.lowerBound])\(rest)\"`" : each
    }
    if let negative = pattern.firstOccurrence(of: "(?!"),
      let end = pattern[negative.upperBound...].firstIndex(of: ")"),
      pattern[pattern.index(after: end)...].contains(where: { $0.isLetter })
    {
      return "test both with a call of its own: `!\(subject).matches(…) && \(subject).matches(…)`"
    }
    return ahead == nil
      ? "ask for the opposite: `!\(subject).matches(…)` without the look-around" : each
  }

  /// Returns advice for `[15-17]`, which is not a range of numbers.
  static func numbersInClass(_ pattern: String) -> String? {
    for part in pattern.split(separator: "[", omittingEmptySubsequences: false).dropFirst() {
      let range = part.prefix { $0 != "]" }
      let ends = range.split(separator: "-", omittingEmptySubsequences: false)
      guard ends.count == 2, let low = Int(ends[0]), let high = Int(ends[1]), low < high,
        ends[1].count > 1, ends[1].count < 10
      else { continue }
      guard high - low < 20 else {
        return "`[…]` is one character; a number of \(ends[1].count) digits is "
          + "`[0-9]{\(ends[1].count)}`"
      }
      // `1[5-17]` goes on after the digit before it.
      let before = pattern[..<part.startIndex].dropLast().last
      if let before, ends[1].count == 2, ends[1].first == before, ends[0].count == 1,
        let last = ends[1].last, let first = ends[0].first, first < last
      {
        return "`[…]` is one character: write `\(before)[\(first)-\(last)]`"
      }
      let numbers = (low...high).map { "\($0)" }.joined(separator: "|")
      return "`[…]` is one character; for these numbers write `(\(numbers))`"
        + (pattern == "^[\(low)-\(high)]$"
          ? ", for the text `\(low)-\(high)` compare with `==`" : "")
    }
    return nil
  }

  /// Returns advice for a pattern that is not valid.
  private func helpForProblem(
    _ message: String, _ pattern: String, _ node: SyntaxNode
  ) -> [String] {
    let subject = node.receiver.map { text($0) } ?? "…"
    if message.hasPrefix("unclosed group") {
      return ["close it with `)`, or for the character itself write `[(]`"]
    }
    if message.hasPrefix("unopened group") { return ["for the character itself write `[)]`"] }
    if message.hasPrefix("unclosed character class") {
      return [
        "close it with `]`, or for the character itself write `\\[` in a raw string: `r\"…\"`"
      ]
    }
    if message.hasPrefix("look-around") { return [Self.helpForLookAround(pattern, subject)] }
    if message.hasPrefix("invalid repetition count range") {
      return ["write the smaller number first"]
    }
    if message.hasPrefix("invalid character class range") {
      if pattern.contains(text: ":") || node.receiver.map(knownAttribute)??.format == .time {
        return ["`[…]` is one character; times are ordered as texts: `\(subject) >= \"…\"`"]
      }
      return [
        Self.numbersInClass(pattern)
          ?? "write the letter that comes first at the left: `[a-z]`"
      ]
    }
    if let first = pattern.first, "*?+".contains(first) {
      let rest = pattern.dropFirst()
      let isPlain = rest.allSatisfy { $0.isLetter || $0.isNumber || "@.-_".contains($0) }
      if first == "*", isPlain, !rest.isEmpty {
        return ["for texts that end so, write `\(subject).endsWith(\"\(rest)\")`"]
      }
      return first == "+"
        ? ["for the character itself write `[+]`: `\"[+]\(rest)\"`"]
        : ["a regular expression for any text is `.*`"]
    }
    return []
  }

  /// Returns advice for `$gmail^`.
  private func helpForExchangedAnchors(_ pattern: String) -> String? {
    if pattern.hasPrefix("^$"), pattern.utf8.count > 2, pattern.last != "$" {
      return "`$` is the end of the text: write `\"^\(pattern.dropFirst(2))$\"`"
    }
    guard pattern.first == "$", pattern.last == "^", pattern.utf8.count > 2 else { return nil }
    let inner = pattern.dropFirst().dropLast()
    // A domain is the end of an address.
    return inner.hasPrefix("@")
      ? "`$` is the end: write `\"\(inner)$\"`"
      : "`^` is the beginning, and `$` the end: write `\"^\(inner)$\"`"
  }

  /// Returns advice for a pattern written as in JavaScript: `/^anna/i`.
  private func helpForSlashes(_ pattern: String) -> String? {
    guard pattern.hasPrefix("/"), let close = pattern.lastIndex(of: "/"),
      close > pattern.startIndex
    else { return nil }
    let flags = pattern[pattern.index(after: close)...]
    guard flags.allSatisfy({ "dgimsuvy".contains($0) }) else { return nil }
    let kept = flags.filter { "ims".contains($0) }
    let inner = pattern[pattern.index(after: pattern.startIndex)..<close]
    return "write a pattern without slashes, and its flags before it: "
      + "`r\"\(kept.isEmpty ? "" : "(?\(kept))")\(inner)\"`"
  }

  /// Returns the place of a part of a string literal, or the whole literal if it has escapes.
  func place(_ offset: Int, _ length: Int, in literal: SyntaxNode) -> SourceSpan {
    let (span, needsDecoding) = tree.literalContent(of: literal)
    guard !needsDecoding, offset >= 0, offset + max(length, 1) <= Int(span.length) else {
      return literal.span
    }
    return SourceSpan(
      start: span.start + UInt32(clamping: offset), length: UInt32(clamping: max(length, 1)))
  }
}

extension Substring {
  /// The alternatives `en|fr_CA` with what the last of them ends with after a group: `(en|fr)_CA`;
  /// `nil` unless the others look like the beginning of the last.
  fileprivate var withSharedEnd: String? {
    let parts = split(separator: "|", omittingEmptySubsequences: false)
    guard let last = parts.last, parts.count > 1,
      let sign = last.firstIndex(where: { "_-.".contains($0) }), case let start = last[..<sign],
      !start.isEmpty,
      parts.dropLast().allSatisfy({ part in
        part.utf8.count == start.utf8.count && !part.contains(where: { "_-.".contains($0) })
          && part.first?.isUppercase == start.first?.isUppercase
      })
    else { return nil }
    return "(\((parts.dropLast() + [start]).joined(separator: "|")))\(last[sign...])"
  }

  /// The alternatives `de_AT|CH` with what the first of them begins with before a group:
  /// `de_(AT|CH)`; `nil` unless the others look like the end of the first.
  fileprivate var withSharedBeginning: String? {
    let parts = split(separator: "|", omittingEmptySubsequences: false)
    guard let first = parts.first, parts.count > 1,
      let sign = first.lastIndex(where: { "_-.".contains($0) }),
      case let end = first[first.index(after: sign)...], !end.isEmpty,
      parts.dropFirst().allSatisfy({ part in
        part.utf8.count == end.utf8.count && !part.contains(where: { "_-.".contains($0) })
          && part.first?.isUppercase == end.first?.isUppercase
      })
    else { return nil }
    let ends = [end] + parts.dropFirst()
    return "\(first[...sign])(\(ends.joined(separator: "|")))"
  }
}
