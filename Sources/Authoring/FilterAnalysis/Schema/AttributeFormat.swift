// How values of a format are spelled.

extension AttributeSchema.Attribute.Format {
  /// An example value of the format.
  package var sample: String? {
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
  package func spelling(of text: String) -> String? {
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
  package func spelling(ofBeginning text: String) -> String? {
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
  package func isCode(_ text: String) -> Bool? {
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
    case .region:
      // The codes of a continent and of a language, which regions do not have.
      let isOther = ["EU", "EN"].contains(text.uppercased())
      return parts.count == 1 && !isOther && (isWord(parts[0], 2...2) || isNumber(parts[0]))
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
  package func code(named text: String) -> String? {
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
    "english": "en", "eng": "en", "ger": "de", "deu": "de", "fre": "fr", "fra": "fr", "spa": "es",
    "ita": "it", "por": "pt", "jpn": "ja", "chi": "zh", "zho": "zh", "kor": "ko", "rus": "ru",
    "dut": "nl", "nld": "nl", "swe": "sv", "german": "de", "deutsch": "de", "french": "fr",
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
  package func isBeginning(_ text: String) -> Bool {
    guard let sample else { return true }
    let shape = text.utf8.map { $0 &- 0x30 < 10 ? UInt8(ascii: "9") : $0 }
    let full = sample.utf8.map { $0 &- 0x30 < 10 ? UInt8(ascii: "9") : $0 }
    return shape.starts(with: full) || full.starts(with: shape)
  }

  /// Returns whether a text has this format.
  func accepts(_ text: String) -> Bool {
    switch self {
    case .version, .paddedVersion, .date, .time, .dateTime: Self.formats(of: text).contains(self)
    default: spelling(of: text) == text
    }
  }
}
