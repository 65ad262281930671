// Finds how far a mistake reaches: a comment, an operator or a text of several tokens. None of this
// is on the hot path.

extension Parser {
  // MARK: - Comments of SQL

  /// Returns the line `-- text`, a comment in SQL, that a mistake is in, or that is before the line
  /// of the mistake.
  func dashComment(at place: SourceSpan) -> SourceSpan? {
    var end = min(Int(place.start), tokenizer.count)
    for _ in 0..<2 {
      var start = end
      while start > 0, tokenizer.bytes[start &- 1] != 0x0A { start &-= 1 }
      let first = Int(
        run(from: start) { $0 == UInt8(ascii: " ") || $0 == 0x09 || $0 == 0x0D }.end)
      let dash = UInt8(ascii: "-")
      if tokenizer.byte(at: first) == dash, tokenizer.byte(at: first &+ 1) == dash,
        tokenizer.byte(at: first &+ 2) == UInt8(ascii: " ")
      {
        return run(from: first) { $0 != 0x0A && $0 != 0x0D }
      }
      // A line that is parsed to its end shows its mistake only at the next one.
      guard start > 0, first >= end else { return nil }
      end = start &- 1
    }
    return nil
  }

  /// Diagnoses `-- text`, a comment in SQL.
  func diagnosisOfDashComment(_ line: SourceSpan) -> Diagnostic {
    Diagnostic(
      .foreignComment, "comments start with `//`", at: line,
      label: "not a comment in this language",
      fixIts: [Diagnostic.FixIt(write: "//", at: SourceSpan(start: line.start, length: 2))])
  }

  // MARK: - Open quotes

  /// Returns the content of an unclosed string if it probably ends before the line does: before an
  /// operator of logic, before what closes or continues a list or a call, or at the other kind of
  /// quote.
  ///
  /// - Parameter line: The string up to the end of its line, with its opening quote.
  func probableContent(of line: Substring, _ quote: Character) -> String? {
    let isInside = depth > 0 || frames.contains { $0.kind == .group }
    let other: Character = quote == "\"" ? "'" : "\""
    let content = line.drop { $0 != quote }.dropFirst()
    var open = 0
    var index = content.startIndex
    scan: while index < content.endIndex {
      let character = content[index]
      let next = content.index(after: index)
      switch character {
      case "(", "[": open += 1
      case ")" where open > 0, "]" where open > 0: open -= 1
      case ")" where isInside, "]" where isInside: break scan
      case "," where depth > 0 && open == 0: break scan
      case other
      where next == content.endIndex || " )],&|?:".contains(content[next]): break scan
      case " " where content[next...].hasPrefix("&&") || content[next...].hasPrefix("||"):
        break scan
      default: break
      }
      index = next
    }
    let result = content[..<index]
    guard index < content.endIndex, result.contains(where: { $0 != " " }), result.count <= 40
    else { return nil }
    return String(result)
  }

  // MARK: - Operators

  /// Returns the places of `?.` between names, beginning with a first one.
  func safeNavigations(from first: SourceSpan) -> [SourceSpan] {
    var result = [first]
    var ahead = tokenizer
    ahead.position = Int(first.end)
    var previous = ahead.next()
    while previous.kind != .endOfInput {
      let token = ahead.next()
      let isTight = token.start == previous.end
      if token.kind == .question, previous.kind == .identifier, isTight,
        tokenizer.byte(at: Int(token.end)) == UInt8(ascii: "."),
        !tokenizer.isDigit(tokenizer.byte(at: Int(token.end) &+ 1))
      {
        result.append(SourceSpan(start: token.start, length: 2))
      }
      previous = token
    }
    return result
  }

  static func isFullWidth(_ scalar: Unicode.Scalar) -> Bool {
    (0xFF01...0xFF5E).contains(scalar.value)
  }

  /// Diagnoses full-width characters, as input methods write them: all letters and digits of a
  /// word, or all characters of an operator.
  func diagnosisOfFullWidth(_ token: Token) -> Diagnostic {
    let operators = Set("!&|=<>".utf8)
    var form: [UInt8] = []
    var end = Int(token.start)
    while end < tokenizer.count {
      let scalar = tokenizer.scalar(at: end)
      guard Self.isFullWidth(scalar.value) else { break }
      let byte = UInt8(truncatingIfNeeded: scalar.value.value &- 0xFEE0)
      if let first = form.first, operators.contains(first) != operators.contains(byte) { break }
      form.append(byte)
      end &+= scalar.length
    }
    // The second half of an operator may be an ordinary character.
    while let first = form.first, operators.contains(first), end < tokenizer.count,
      [UInt8(ascii: "="), UInt8(ascii: "&"), UInt8(ascii: "|")].contains(tokenizer.byte(at: end))
    {
      form.append(tokenizer.byte(at: end))
      end &+= 1
    }
    let ascii = String(decoding: form, as: UTF8.self)
    let right = ["=": "==", "===": "==", "&": "&&", "|": "||"][ascii] ?? ascii
    let place = SourceSpan(start: token.start, end: UInt32(clamping: end))
    let written = text(place).count > 24 ? "\(text(place).prefix(23))…" : text(place)
    return Diagnostic(
      .unexpectedCharacter,
      written.count == 1
        ? "unexpected character `\(written)`" : "unexpected characters `\(written)`",
      at: place, label: "write `\(right)`", notes: ["this is the full-width form of `\(right)`"],
      fixIts: [Diagnostic.FixIt(write: right, at: place)])
  }
}
