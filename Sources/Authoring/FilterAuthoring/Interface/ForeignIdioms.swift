import ExpressionEngine
import ExpressionSyntax
import FilterAnalysis

/// Filters in the words of another language, which are translated as a whole.
///
/// An idiom is offered only if its translation compiles and no lint finds anything in it.
struct ForeignIdiom: Sendable {
  /// The place where people write like this, after "as in".
  let origin: StaticString
  /// Returns the text in the language of filters, or `nil` if it has no such idiom.
  let translate: @Sendable (String) -> String?

  static let all: [ForeignIdiom] = [
    ForeignIdiom(origin: "HTML") { replacing(entities, in: $0) },
    ForeignIdiom(origin: "a template") { replacing(templateMarks, in: $0) },
    ForeignIdiom(origin: "a search box") { IdiomText($0).search() },
    ForeignIdiom(origin: "SQL") { IdiomText($0).rewritten(IdiomText.between) },
    ForeignIdiom(origin: "plain words") { IdiomText($0).rewritten(IdiomText.presence) },
    ForeignIdiom(origin: "SQL or Perl") { IdiomText($0).rewritten(IdiomText.pattern) },
    ForeignIdiom(origin: "a language with arrows") { IdiomText($0).rewritten(IdiomText.arrow) },
  ]

  private static let entities = [
    ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'"),
    ("&#39;", "'"), ("&#34;", "\""), ("&nbsp;", " "),
  ]
  private static let templateMarks = [
    ("{{", ""), ("}}", ""), ("{%", ""), ("%}", ""), ("${", ""), ("}", ""),
  ]

  /// Returns a text with parts replaced, the first pair that fits at each place; `nil` without any.
  private static func replacing(_ pairs: [(String, String)], in text: String) -> String? {
    var rest = Array(text.utf8)[...]
    var result: [UInt8] = []
    var isChanged = false
    while let first = rest.first {
      if let (old, new) = pairs.first(where: { rest.starts(with: $0.0.utf8) }) {
        rest = rest.dropFirst(old.utf8.count)
        result += new.utf8
        isChanged = true
      } else {
        result.append(first)
        rest = rest.dropFirst()
      }
    }
    return isChanged ? String(decoding: result, as: UTF8.self) : nil
  }
}

extension ForeignIdiom {
  /// Returns the diagnostic of a filter that does not compile, if it is another language as a
  /// whole: with the translation as its fix.
  ///
  /// - Parameters:
  ///   - filter: The filter.
  ///   - first: The first mistake in it, whose id and place the diagnostic has.
  ///   - schema: The attributes that exist.
  static func diagnostic(
    of filter: ParsedFilter, _ first: Diagnostic, schema: AttributeSchema
  ) -> Diagnostic? {
    guard filter.source.bytes.count <= 2_048 else { return nil }
    var text = filter.source.text
    for idiom in all {
      guard let draft = idiom.translate(text) else { continue }
      // Several idioms can be in one filter.
      text = draft
      guard let translation = finished(draft, filter.environment, schema) else { continue }
      let span = SourceSpan(start: 0, end: UInt32(clamping: filter.source.bytes.count))
      let fix = Diagnostic.FixIt(
        "write `\(translation.shortened(to: 120))`", [Diagnostic.Edit(span, translation)])
      return Diagnostic(
        first.id, "this is written as in \(idiom.origin)", at: first.primary.span,
        label: "not read here", fixIts: [fix])
    }
    return nil
  }

  /// Returns a translation with its other mistakes corrected; `nil` if some are left.
  private static func finished(
    _ draft: String, _ environment: FilterEnvironment, _ schema: AttributeSchema
  ) -> String? {
    var text = draft
    for _ in 0..<4 {
      let candidate = ParsedFilter(SourceText(text), environment: environment)
      switch candidate.compiled {
      case .success:
        guard let outline = candidate.outline else { return nil }
        let found = FilterLinter.check(outline, schema: schema, triesFixes: false)
        return found.allSatisfy { $0.id == .missingCountsAsZero } ? text : nil
      case .failure(let error):
        let next = candidate.source.applyingFixes(of: error.diagnostics).text
        guard next != text else { return nil }
        text = next
      }
    }
    return nil
  }
}

/// A text in pieces: paths, numbers, quoted texts and single characters, without the spaces.
private struct IdiomText {
  struct Piece {
    enum Kind { case path, number, quoted, mark }
    var kind: Kind
    var text: String
    var followsSpace: Bool

    /// Whether the piece is one of some words, whatever their case.
    func isWord(_ words: [String]) -> Bool {
      kind == .path && words.contains { $0.utf8.elementsEqual(text.utf8.map(lowered)) }
    }

    func isMark(_ mark: String) -> Bool { kind == .mark && text == mark }

    var isValue: Bool { kind != .mark }
  }

  /// What a rule makes of the pieces at a place: how many it takes, and what takes their place.
  typealias Rule = (ArraySlice<Piece>) -> (count: Int, text: String)?

  private var pieces: [Piece] = []

  init(_ text: String) {
    let bytes = Array(text.utf8)
    var index = 0
    var followsSpace = false
    while index < bytes.count {
      let first = bytes[index]
      if first == 0x20 || first == 0x09 || first == 0x0A || first == 0x0D {
        followsSpace = true
        index += 1
        continue
      }
      let start = index
      let kind: Piece.Kind
      if first == UInt8(ascii: "\"") || first == UInt8(ascii: "'") {
        kind = .quoted
        index += 1
        while index < bytes.count, bytes[index] != first {
          index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
        }
        index = min(index + 1, bytes.count)
      } else if isLetter(first) || isDigit(first) {
        kind = isDigit(first) ? .number : .path
        while index < bytes.count,
          isLetter(bytes[index]) || isDigit(bytes[index]) || bytes[index] == UInt8(ascii: ".")
        {
          index += 1
        }
      } else {
        kind = .mark
        index += 1
        // The other bytes of a character.
        while index < bytes.count, bytes[index] & 0xC0 == 0x80 { index += 1 }
      }
      let piece = String(decoding: bytes[start..<index], as: UTF8.self)
      pieces.append(Piece(kind: kind, text: piece, followsSpace: followsSpace))
      followsSpace = false
    }
  }

  /// Returns the text with a rule applied wherever it fits; `nil` if that is nowhere.
  func rewritten(_ rule: Rule) -> String? {
    var rest = pieces[...]
    var result = ""
    var isChanged = false
    while let first = rest.first {
      if first.followsSpace { result += " " }
      if let (count, text) = rule(rest) {
        result += text
        rest = rest.dropFirst(count)
        isChanged = true
      } else {
        result += first.text
        rest = rest.dropFirst()
      }
    }
    return isChanged ? result : nil
  }

  // MARK: Rules

  /// `age between 3 and 5`, `age is between 3 and 5`.
  static func between(_ pieces: ArraySlice<Piece>) -> (count: Int, text: String)? {
    var rest = Array(pieces.prefix(6))
    guard let path = rest.first, path.kind == .path else { return nil }
    rest.removeFirst()
    var count = 5
    if let next = rest.first, next.isWord(["is"]) {
      rest.removeFirst()
      count = 6
    }
    guard rest.count >= 4, rest[0].isWord(["between"]), rest[1].isValue,
      rest[2].isWord(["and"]), rest[3].isValue
    else { return nil }
    return (
      count, "\(path.text) >= \(rest[1].text) && \(path.text) <= \(rest[3].text)"
    )
  }

  private static let there = ["set", "defined", "present", "known"]
  private static let absent = ["unset", "undefined", "missing", "absent", "unknown"]
  private static let blank = ["blank", "empty"]

  /// `email is set`, `email is not set`, `email is blank`.
  static func presence(_ pieces: ArraySlice<Piece>) -> (count: Int, text: String)? {
    let all = Array(pieces.prefix(4))
    guard all.count >= 3, all[0].kind == .path, all[1].isWord(["is"]) else { return nil }
    let isNegated = all[2].isWord(["not"])
    guard !isNegated || all.count == 4 else { return nil }
    let word = isNegated ? all[3] : all[2]
    let path = all[0].text
    let count = isNegated ? 4 : 3
    if word.isWord(blank) { return (count, "\(path) \(isNegated ? "!=" : "==") \"\"") }
    if word.isWord(there) { return (count, "\(isNegated ? "!" : "")has(\(path))") }
    if word.isWord(absent) { return (count, "\(isNegated ? "" : "!")has(\(path))") }
    return nil
  }

  /// `name regexp "^A"`, `name =~ "^A"`, `name !~ "^A"`.
  static func pattern(_ pieces: ArraySlice<Piece>) -> (count: Int, text: String)? {
    let all = Array(pieces.prefix(4))
    guard all.count >= 3, all[0].kind == .path else { return nil }
    if all[1].isWord(["regexp", "regex", "rlike"]), all[2].kind == .quoted {
      return (3, "\(all[0].text).matches(\(all[2].text))")
    }
    guard all.count == 4, all[2].isMark("~"), all[3].kind == .quoted else { return nil }
    if all[1].isMark("=") { return (4, "\(all[0].text).matches(\(all[3].text))") }
    return all[1].isMark("!") ? (4, "!\(all[0].text).matches(\(all[3].text))") : nil
  }

  /// `exists(t -> t == "a")`.
  static func arrow(_ pieces: ArraySlice<Piece>) -> (count: Int, text: String)? {
    let all = Array(pieces.prefix(4))
    guard all.count == 4, all[0].isMark("("), all[1].kind == .path, all[2].isMark("-"),
      all[3].isMark(">")
    else { return nil }
    return (4, "(\(all[1].text),")
  }

  /// `plan:pro AND age:3`: a text that is nothing else.
  func search() -> String? {
    var rest = pieces[...]
    var result = ""
    while true {
      let term = Array(rest.prefix(3))
      guard term.count == 3, term[0].kind == .path, term[1].isMark(":"), term[2].isValue,
        !term[2].followsSpace
      else { return nil }
      let path =
        term[0].text.utf8.contains(UInt8(ascii: ".")) ? term[0].text : "user.\(term[0].text)"
      let isText = term[2].kind == .path && !term[2].isWord(["true", "false"])
      result += "\(path) == " + (isText ? "\"\(term[2].text)\"" : term[2].text)
      rest = rest.dropFirst(3)
      guard let next = rest.first else { return result }
      if next.isWord(["and"]) {
        result += " && "
        rest = rest.dropFirst()
      } else if next.isWord(["or"]) {
        result += " || "
        rest = rest.dropFirst()
      } else {
        result += " && "
      }
    }
  }
}

private func isLetter(_ byte: UInt8) -> Bool {
  byte == UInt8(ascii: "_") || lowered(byte) &- UInt8(ascii: "a") < 26
}

private func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }

/// Returns the byte in lower case, if it is a letter of ASCII.
private func lowered(_ byte: UInt8) -> UInt8 {
  byte &- UInt8(ascii: "A") < 26 ? byte | 0x20 : byte
}
