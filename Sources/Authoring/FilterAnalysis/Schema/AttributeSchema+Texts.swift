import ExpressionEngine
package import ExpressionSyntax
import LinearRegex

extension AttributeSchema.Attribute.Format {
  /// A regular expression that matches every text of the format, and few others.
  var pattern: String? {
    switch self {
    case .version: #"^\S*[0-9]\S*$"#
    case .paddedVersion: #"^[0-9]{3,}(\.[0-9]{3,})*([^0-9.].*)?$"#
    case .systemVersion: #"^([0-9]+|[1-8]\.[0-9]|[0-9]+\.[0-9]+\.[0-9]+)$"#
    case .date: "^\(Self.day)$"
    case .time: "^\(Self.clock)$"
    case .dateTime: #"^(\#(Self.day)T\#(Self.clock)(\.[0-9]+)?(Z|[+-][0-9:]+)?)?$"#
    case .region: "^([A-Z]{2}|[0-9]{3})?$"
    case .storefront, .currency: "^([A-Z]{3})?$"
    case .language: "^[a-z]{2,3}([-_].+)?$"
    case .locale: "^[a-z]{2,3}([-_][A-Z][a-z]{3})?(_([A-Z]{2}|[0-9]{3}))?(@[a-z0-9=;]+)?$"
    case .timeZone: "^(\(Self.area)(/\(Self.city))+|UTC|GMT)$"
    case .country: #"^\p{Lu}\p{Ll}.+$"#
    case .subdivision: "^[A-Z0-9]{1,3}$"
    case .decimal: #"^-?[0-9]+(\.[0-9]+)?$"#
    case .integer: "^-?[0-9]+$"
    case .url: "^[A-Za-z][A-Za-z0-9+.-]*:.*$"
    case .host: "^[^/?#]*$"
    case .path: "^([^?#:]|:[^?#/])*:?$"
    case .pathComponent: "^([^/?#]+|/)?$"
    case .query: "^([^?#][^#]*)?$"
    case .fragment: "^([^#].*)?$"
    case .pathExtension: "^[^./?#]*$"
    case .model, .currencySymbol, .placement: nil
    }
  }

  /// The words that the identifiers of Apple's phones and tablets begin with.
  package static let appleFamilies = ["iPhone", "iPad", "iPod"]

  /// The words that names of models of other makers begin with.
  private static let otherFamilies = [
    "SM-", "Pixel", "Redmi", "moto", "motorola", "OnePlus", "Xiaomi", "HUAWEI", "LM-", "CPH",
  ]

  /// Returns the platforms of a model, in lower case, by the beginning of its name; `nil` if that
  /// does not tell.
  package static func platforms(ofModel name: String) -> Set<String>? {
    if appleFamilies.contains(where: name.hasPrefix) { return ["ios", "macos"] }
    return otherFamilies.contains(where: name.hasPrefix) ? ["android"] : nil
  }

  /// A regular expression that matches every identifier of a model of Apple's phones and tablets.
  fileprivate static let appleModel = "^(\(appleFamilies.joined(separator: "|")))[0-9]+,[0-9]+$"

  /// The areas of the database of time zones.
  private static let area =
    "(Africa|America|Antarctica|Arctic|Asia|Atlantic|Australia|Brazil|Canada|Chile|Etc|Europe"
    + "|Indian|Mexico|Pacific|US)"
  /// A city: words with `_` or `-` between them, and the few names of another form.
  private static let city =
    "(\(word)([-_]\(word))*|GMT[-+]?[0-9]*|McMurdo|DumontDUrville|DeNoronha|EasterIsland"
    + "|Baja(Norte|Sur)|ComodRivadavia)"
  private static let word = "([A-Z][a-z]+|[A-Z]{1,4}|[a-z]{1,3})"

  private static let day =
    "(19|20)[0-9]{2}-((0[1-9]|1[0-2])-(0[1-9]|[12][0-9])|(0[13-9]|1[0-2])-30|(0[13578]|1[02])-31)"
  private static let clock = "([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]"

  /// Whether the SDKs themselves write every text of the format.
  fileprivate var isExact: Bool { self == .date || self == .time }
}

extension AttributeSchema.Attribute {
  /// A test of a text.
  package enum TextTest: Sendable {
    case equals(String)
    case startsWith(String)
    case endsWith(String)
    case contains(String)
    /// A regular expression.
    case matches(String)

    /// The test as a regular expression.
    package var pattern: String {
      switch self {
      case .equals(let text): "^\(text.patternLiteral)$"
      case .startsWith(let text): "^\(text.patternLiteral)"
      case .endsWith(let text): "\(text.patternLiteral)$"
      case .contains(let text): text.patternLiteral
      case .matches(let pattern): pattern
      }
    }
  }

  /// Returns a regular expression that matches the attribute's texts that a test is about; `nil` if
  /// any text may be one.
  fileprivate func textPattern(for test: TextTest) -> String? {
    guard type == .string || format?.isLinkPart == true else { return nil }
    // A model of Android may have any name, but none of these.
    if format == .model, case .matches(let pattern) = test,
      Format.appleFamilies.contains(where: {
        pattern.lowercased().contains(text: $0.lowercased())
      })
    {
      return Format.appleModel
    }
    guard !values.isEmpty else { return format?.pattern }
    return "^(\(values.map { $0.patternLiteral }.joined(separator: "|")))$"
  }

  /// Whether the SDKs themselves write every text of the attribute.
  fileprivate var isExact: Bool { !values.isEmpty || format?.isExact == true }
}

/// A part of a text that a filter joins with `+`.
package enum JoinedPart {
  case text(String)
  /// An attribute; `nil` if the schema does not have it.
  case attribute(AttributeSchema.Attribute?)
}

/// Decides tests of texts for attributes whose texts have a form.
package struct TextForms: Sendable {
  private var programs: [String: RegexProgram] = [:]
  /// How many pairs of patterns may still be compared; longer filters are not examined to the end.
  private var budget = 512

  /// Creates one that has decided nothing.
  package init() {}

  /// Returns the result of a test that is the same for all texts of an attribute.
  ///
  /// - Returns: `nil` if it differs, or if the schema does not know the form of the texts.
  package mutating func result(
    of test: AttributeSchema.Attribute.TextTest, for attribute: AttributeSchema.Attribute,
    dialect: Dialect.Name
  ) -> Bool? {
    guard let texts = attribute.textPattern(for: test) else { return nil }
    let syntax = dialect.regexSyntax
    if case .equals(let text) = test {
      return matches(text, texts, syntax) == false ? false : nil
    }
    guard budget > 0 else { return nil }
    budget -= 1
    switch PatternRelation.between(Array(texts.utf8), Array(test.pattern.utf8), syntax: syntax) {
    case .disjoint: return false
    case .included: return attribute.isExact ? true : nil
    case .overlapping, nil: return nil
    }
  }

  /// Returns whether attributes and constants, joined in this order, can give a text.
  ///
  /// - Parameter parts: The attribute or the constant text of each part.
  /// - Returns: `nil` if the schema does not know the form of any attribute, and the constants do
  ///   not exclude the text.
  package mutating func canGive(
    _ text: String, joining parts: [JoinedPart], dialect: Dialect.Name
  ) -> Bool? {
    var pattern = ""
    var isKnown = false
    for part in parts {
      switch part {
      case .text(let constant): pattern += constant.patternLiteral
      case .attribute(let attribute):
        let form = attribute?.textPattern(for: .equals(text))
        isKnown = isKnown || form != nil
        // Every form is anchored at both ends.
        pattern += "(\(form?.dropFirst().dropLast() ?? "(?s:.*)"))"
      }
    }
    let isPossible = matches(text, "^\(pattern)$", dialect.regexSyntax)
    return isKnown || isPossible == false ? isPossible : nil
  }

  private mutating func matches(_ text: String, _ pattern: String, _ syntax: RegexSyntax) -> Bool? {
    if programs[pattern] == nil {
      var pattern = pattern
      programs[pattern] = pattern.withUTF8 { try? RegexProgram($0, syntax: syntax) }
    }
    var text = text
    if let result = text.withUTF8({ programs[pattern]?.matches($0) }) { return result }
    // The table of a large pattern is not complete.
    guard programs[pattern] != nil, budget > 0 else { return nil }
    budget -= 1
    let literal = AttributeSchema.Attribute.TextTest.equals(text).pattern
    return PatternRelation.between(Array(pattern.utf8), Array(literal.utf8), syntax: syntax)
      .map { $0 != .disjoint }
  }
}

extension String {
  /// The text as a pattern that matches just it.
  fileprivate var patternLiteral: String {
    var result = ""
    for scalar in unicodeScalars {
      if scalar.isASCII, !scalar.properties.isAlphabetic, !("0"..."9" ~= scalar),
        scalar.value >= 0x20
      {
        result += "\\"
      }
      result.unicodeScalars.append(scalar)
    }
    return result
  }
}
