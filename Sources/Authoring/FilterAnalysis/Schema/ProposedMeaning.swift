// What the names and the values of samples together say about an attribute. Each alone is too
// little: "DE" may be a country or a language, and 90 days or points.

/// The words of an attribute's name, in lower case: `days`, `since`, `install`.
struct NameWords {
  private let words: [String]

  init(_ path: String) {
    words = path.drop { $0 != "." }.nameWords.map { $0.filter { $0.isLetter } }
  }

  /// Returns whether one of some words is in the name, alone or in the plural.
  func has(_ wanted: String...) -> Bool {
    words.contains { word in wanted.contains(word) || wanted.contains { $0 + "s" == word } }
  }

  /// Whether the name says that a text only looks like a number.
  var isLabel: Bool {
    has("id", "code", "zip", "postcode", "phone", "build", "version", "sku", "number")
  }
}

extension AttributeSchema.Attribute.Format {
  /// Returns the formats that a text has if the name of its attribute says so.
  static func formats(of text: String, named name: NameWords) -> Set<Self> {
    var formats: Set<Self> = []
    func add(_ format: Self, if isNamed: Bool) {
      guard isNamed, format.spelling(of: text) == text, format.isCode(text) == true else { return }
      formats.insert(format)
    }
    add(.region, if: name.has("country", "region"))
    add(.storefront, if: name.has("storefront", "country"))
    add(.language, if: name.has("language", "lang"))
    add(.locale, if: name.has("locale", "language", "lang"))
    add(.currency, if: name.has("currency"))
    if name.has("timezone", "zone"), text.contains("/"), !text.contains(" ") {
      formats.insert(.timeZone)
    }
    if !name.isLabel, !(text.hasPrefix("0") && text.utf8.count > 1 && !text.hasPrefix("0.")) {
      if Int64(text) != nil {
        formats.formUnion([.integer, .decimal])
      } else if Double(text) != nil, text.utf8.allSatisfy({ $0 < 0x3A }) {
        formats.insert(.decimal)
      }
    }
    return formats
  }

  /// Returns one of several formats that all texts have: the narrowest.
  static func narrowest(of formats: Set<Self>) -> Self? {
    if formats.contains(.integer) { return .integer }
    // Two numbers with a dot are a number or a version.
    return formats.count == 1 ? formats.first : nil
  }
}

extension AttributeSchema.Attribute.Unit {
  /// Returns the unit of numbers between two, if the name of their attribute says so.
  static func proposed(
    _ name: NameWords, from least: Double, to most: Double, areWhole: Bool
  ) -> Self? {
    if areWhole, least >= 0 {
      let times: [(String, Self)] = [
        ("minute", .minutes), ("hour", .hours), ("day", .days), ("month", .months),
        ("year", .years),
      ]
      // "yearOfBirth" does not count years.
      let named = times.filter { name.has($0.0) && most < 1_900 }
      if named.count == 1 { return named.first?.1 }
    }
    if areWhole, name.has("offset"), most > 14 || least < -14, least >= -50_400, most <= 50_400 {
      return .offset
    }
    if name.has("percent", "percentage", "percentile", "score"), least >= 0, most <= 100, most > 1 {
      return .points
    }
    if !areWhole, name.has("share", "ratio", "rate", "probability", "fraction", "factor", "scale"),
      least >= 0, most < 10
    {
      return .factor
    }
    return nil
  }
}
