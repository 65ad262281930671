import ExpressionEngine
import ExpressionSyntax
import FilterAnalysis

// Checks constants that are not written like the values of the attribute that they are compared
// with.

extension FilterLinter {
  /// Reports a misspelled code of a region, a language or a locale.
  mutating func checkForm(_ attribute: AttributeSchema.Attribute, _ text: String, at id: NodeID) {
    guard let format = attribute.format else { return }
    guard let right = format.spelling(of: text), format.code(named: text) ?? right == right else {
      return checkCode(attribute, format, text, id)
    }
    guard right != text else { return }
    let span = tree[id].span
    report(
      Diagnostic(
        .wrongCase, "`\(attribute.path)` is never `\"\(text)\"`", at: span,
        label: right.lowercased() == text.lowercased() ? "wrong case" : "wrong form",
        notes: ["its values look like \"\(attribute.format?.sample ?? right)\""],
        fixIts: [Diagnostic.FixIt("write `\"\(right)\"`", [Diagnostic.Edit(span, "\"\(right)\"")])])
    )
  }

  /// Reports a word that is not a code of a region, a language or a locale: `"usa"`, `"english"`.
  private mutating func checkCode(
    _ attribute: AttributeSchema.Attribute, _ format: AttributeSchema.Attribute.Format,
    _ text: String, _ id: NodeID
  ) {
    let meant = format.code(named: text)
    guard let sample = format.sample, let isCode = format.isCode(text), !isCode || meant != nil,
      meant != text
    else { return }
    let code = meant.map { "\"\($0)\"" }
    var helps = code.map { ["did you mean `\($0)`?"] } ?? []
    if format == .language, AttributeSchema.Attribute.Format.locale.spelling(of: text) != nil {
      let root = attribute.path.prefix { $0 != "." && $0 != "[" }
      let locales = schema.attributes(under: String(root)).filter { $0.format == .locale }
      // The one with the most similar name is about the same language.
      let nearest = locales.max {
        $0.path.beginning(sharedWith: attribute.path)
          < $1.path.beginning(sharedWith: attribute.path)
      }
      if let nearest { helps.append("a language with a region is in `\(nearest.path)`") }
    }
    report(
      Diagnostic(
        .impossibleValue, "`\(attribute.path)` is never `\"\(text)\"`", at: tree[id].span,
        label: "not such a code", notes: ["its values look like \"\(sample)\""],
        helps: helps))
  }

  /// Reports a date or a time in another notation, whose order as text means nothing, and a date
  /// that does not exist.
  mutating func checkMoment(
    _ value: Value, at id: NodeID, _ attribute: AttributeSchema.Attribute
  ) {
    guard case .string(let text) = value, !text.isEmpty, let format = attribute.format,
      let sample = format.sample, [.date, .time, .dateTime].contains(format)
    else { return }
    if !format.isBeginning(text) {
      report(
        Diagnostic(
          .impossibleValue, "`\"\(text)\"` is not written like `\(attribute.path)`",
          at: tree[id].span, label: format == .time ? "not such a time" : "not such a date",
          notes: ["its values look like \"\(sample)\", and texts are compared letter by letter"]))
    } else if format != .time, !CalendarDate.exists(text) {
      report(
        Diagnostic(
          .impossibleValue, "there is no date `\(text.prefix(10))`", at: tree[id].span,
          label: "not in the calendar",
          notes: ["months are 01 to 12, and have 28 to 31 days"]))
    }
  }

  /// Reports an element of a list that is outside the attribute's range.
  mutating func checkElementRange(
    _ value: Value, at id: NodeID, _ attribute: AttributeSchema.Attribute
  ) {
    guard let low = attribute.minimum, let number = ConditionTest.number(value),
      number < Double(low) || attribute.maximum.map({ number > Double($0) }) ?? false
    else { return }
    let range = attribute.maximum.map { "from \(low) to \($0)" } ?? "at least \(low)"
    report(
      Diagnostic(
        .impossibleValue, "`\(attribute.path)` is never `\(text(id))`", at: tree[id].span,
        label: "it is \(range)", notes: ["so this element never counts"]))
  }

  /// Reports a number outside the attribute's range. Returns whether it did.
  mutating func checkRange(
    _ node: SyntaxNode, _ comparison: ConstantComparison, _ attribute: AttributeSchema.Attribute
  ) -> Bool {
    guard let low = attribute.minimum, comparison.op != .in else { return false }
    let constant: Double
    switch comparison.value {
    case .int(let number): constant = Double(number)
    case .double(let number): constant = number
    default: return false
    }
    guard
      let truth = comparison.op.truth(
        from: Double(low), to: attribute.maximum.map(Double.init), constant)
    else { return false }
    if attribute.isOptional {
      // A missing attribute counts as zero, or is an error and no match.
      let missing = isSuperscript && ConditionTest(comparison).holds(for: .missing) == true
      guard missing == truth else { return false }
    }
    let range = attribute.maximum.map { "from \(low) to \($0)" } ?? "at least \(low)"
    report(
      Diagnostic(
        truth ? .alwaysTrue : .alwaysFalse, "this comparison is always \(truth)", at: node.span,
        label: "`\(attribute.path)` is \(range)",
        helps: ["compare it with a number that it may be, or remove the condition"]))
    return true
  }
}

extension Operator {
  /// Returns the result of comparing the numbers of a range with a constant, if it is the same for
  /// all of them.
  fileprivate func truth(from low: Double, to high: Double?, _ constant: Double) -> Bool? {
    let isBelow = constant < low
    let isAbove = high.map { constant > $0 } ?? false
    switch self {
    case .equal: return isBelow || isAbove ? false : nil
    case .notEqual: return isBelow || isAbove ? true : nil
    case .less: return constant <= low ? false : isAbove ? true : nil
    case .lessEqual: return isBelow ? false : high.map { constant >= $0 } == true ? true : nil
    case .greater: return isBelow ? true : high.map { constant >= $0 } == true ? false : nil
    case .greaterEqual: return constant <= low ? true : isAbove ? false : nil
    default: return nil
    }
  }
}

extension AttributeSchema.Attribute.Format {
  /// An example value of the format.
  var sample: String? {
    switch self {
    case .version, .paddedVersion: nil
    case .date: "2026-03-01"
    case .time: "18:30:00"
    case .dateTime: "2026-03-01T18:30:00"
    case .region: "SE"
    case .storefront: "SWE"
    case .language: "sv"
    case .locale: "sv_SE"
    case .currency: "SEK"
    }
  }

  /// Returns the correct spelling of a code; `nil` if the text is not such a code.
  func spelling(of text: String) -> String? {
    let parts = text.split(whereSeparator: { $0 == "-" || $0 == "_" }).map(String.init)
    guard parts.allSatisfy({ $0.utf8.allSatisfy { $0 | 0x20 >= 0x61 && $0 | 0x20 <= 0x7A } }) else {
      return nil
    }
    switch self {
    case .region: return parts.count == 1 && text.utf8.count == 2 ? text.uppercased() : nil
    case .storefront, .currency:
      return parts.count == 1 && text.utf8.count == 3 ? text.uppercased() : nil
    case .language: return parts.count == 1 && text.utf8.count == 2 ? text.lowercased() : nil
    case .locale:
      guard parts.count == 2, parts[0].utf8.count == 2, parts[1].utf8.count == 2 else { return nil }
      return "\(parts[0].lowercased())_\(parts[1].uppercased())"
    default: return nil
    }
  }

  /// Returns the correct spelling of a text that codes may start with; `nil` if it is not the
  /// beginning of a code that consists of letters.
  func spelling(ofBeginning text: String) -> String? {
    guard self == .locale else {
      let length = self == .region || self == .language ? 2 : 3
      let isWord = text.utf8.allSatisfy { $0 | 0x20 >= 0x61 && $0 | 0x20 <= 0x7A }
      guard isWord, text.utf8.count <= length else { return nil }
      switch self {
      case .region, .storefront, .currency: return text.uppercased()
      case .language: return text.lowercased()
      default: return nil
      }
    }
    let language = text.prefix { $0 != "-" && $0 != "_" }
    let region = text.dropFirst(language.count + 1)
    guard language.utf8.count == 2, region.utf8.count <= 2,
      (language + region).utf8.allSatisfy({ $0 | 0x20 >= 0x61 && $0 | 0x20 <= 0x7A })
    else { return nil }
    let separator = text.utf8.count > 2 ? "_" : ""
    return language.lowercased() + separator + region.uppercased()
  }

  /// Returns whether a text has the form of a code; `nil` if the format is not one of codes.
  func isCode(_ text: String) -> Bool? {
    let parts = text.split(
      omittingEmptySubsequences: false, whereSeparator: { $0 == "-" || $0 == "_" })
    func isWord(_ part: Substring, _ counts: ClosedRange<Int>) -> Bool {
      counts.contains(part.utf8.count)
        && part.utf8.allSatisfy { $0 | 0x20 >= 0x61 && $0 | 0x20 <= 0x7A }
    }
    func isNumber(_ part: Substring) -> Bool {
      part.utf8.count == 3 && part.utf8.allSatisfy { $0 &- 0x30 < 10 }
    }
    switch self {
    case .region: return parts.count == 1 && (isWord(parts[0], 2...2) || isNumber(parts[0]))
    case .storefront, .currency: return parts.count == 1 && isWord(parts[0], 3...3)
    // Some SDKs send a language with its script: `zh-Hans`. A region makes it a locale.
    case .language:
      return isWord(parts[0], 2...3)
        && (parts.count == 1 || !(isWord(parts[1], 2...2) || isNumber(parts[1])))
    case .locale: return isWord(parts[0], 2...3)
    default: return nil
    }
  }

  /// Returns the code of a country or a language that people often write in another way.
  func code(named text: String) -> String? {
    let name = text.lowercased()
    switch self {
    case .region, .storefront:
      guard let row = Self.countries.first(where: { $0.names.contains(name) }) else { return nil }
      return self == .region ? row.two : row.three
    case .language:
      let first = String(name.prefix { $0 != "-" && $0 != "_" })
      let isLocale = Self.locale.spelling(of: text) != nil
      return Self.languages[name] ?? (isLocale ? Self.languages[first] ?? first : nil)
    case .currency: return Self.currencies[name]
    default: return nil
    }
  }

  private static let countries: [(two: String, three: String, names: [String])] = [
    ("US", "USA", ["us", "usa", "united states", "america"]),
    ("GB", "GBR", ["gb", "gbr", "uk", "united kingdom", "great britain", "england"]),
    ("DE", "DEU", ["de", "deu", "ger", "germany"]), ("FR", "FRA", ["fr", "fra", "france"]),
    ("ES", "ESP", ["es", "esp", "spain"]), ("IT", "ITA", ["it", "ita", "italy"]),
    ("CA", "CAN", ["ca", "can", "canada"]), ("AU", "AUS", ["au", "aus", "australia"]),
    ("IN", "IND", ["in", "ind", "india"]), ("JP", "JPN", ["jp", "jpn", "ja", "japan"]),
    ("CN", "CHN", ["cn", "chn", "zh", "china"]), ("BR", "BRA", ["br", "bra", "brazil"]),
    ("MX", "MEX", ["mx", "mex", "mexico"]), ("SE", "SWE", ["se", "swe", "sweden"]),
    ("NL", "NLD", ["nl", "nld", "netherlands"]), ("KR", "KOR", ["kr", "kor", "ko", "korea"]),
  ]

  private static let languages = [
    "english": "en", "eng": "en", "german": "de", "deutsch": "de", "french": "fr",
    "spanish": "es", "italian": "it", "portuguese": "pt", "japanese": "ja", "chinese": "zh",
    "korean": "ko", "russian": "ru", "dutch": "nl", "swedish": "sv", "arabic": "ar",
    "hindi": "hi", "turkish": "tr", "polish": "pl",
    // Codes of regions that are not codes of languages.
    "jp": "ja", "cn": "zh", "kr": "ko", "gr": "el", "dk": "da", "cz": "cs", "ua": "uk",
  ]

  private static let currencies = [
    "$": "USD", "dollar": "USD", "dollars": "USD", "€": "EUR", "euro": "EUR",
    "euros": "EUR", "£": "GBP", "pound": "GBP", "pounds": "GBP", "¥": "JPY", "yen": "JPY",
  ]

  /// Returns whether a text is a value of the format or the beginning of one, and therefore has an
  /// order relative to its values.
  func isBeginning(_ text: String) -> Bool {
    guard let sample else { return true }
    let shape = text.utf8.map { $0 &- 0x30 < 10 ? UInt8(ascii: "9") : $0 }
    let full = sample.utf8.map { $0 &- 0x30 < 10 ? UInt8(ascii: "9") : $0 }
    return shape.starts(with: full) || full.starts(with: shape)
  }
}

extension String {
  /// Returns the number of characters that two texts have in common at their beginnings.
  fileprivate func beginning(sharedWith other: String) -> Int {
    zip(self, other).prefix { $0 == $1 }.count
  }
}
