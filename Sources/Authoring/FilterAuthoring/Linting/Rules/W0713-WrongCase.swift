import ExpressionEngine
import ExpressionSyntax
import FilterAnalysis

// Reports codes that are not spelled like the values of the attribute.

extension FilterLinter {
  /// Reports a misspelled code of a region, a language or a locale.
  mutating func checkForm(_ attribute: AttributeSchema.Attribute, _ text: String, at id: NodeID) {
    guard let format = attribute.format else { return }
    if [.locale, .timeZone].contains(format), format.code(named: text) != nil { return }
    guard let right = format.spelling(of: text), format.code(named: text) ?? right == right,
      format.isCode(right) != false
    else {
      return checkCode(attribute, format, text, id)
    }
    guard right != text else { return }
    if format == .language, reportRegion(attribute, text, right, at: id) { return }
    if format == .region, reportLanguage(attribute, text, right, at: id) { return }
    let span = tree[id].span
    report(
      Diagnostic(
        .wrongCase, "`\(attribute.path)` is never `\"\(text)\"`", at: span,
        label: right.lowercased() == text.lowercased() ? "wrong case" : "wrong form",
        notes: ["its values look like \"\(attribute.format?.sample ?? right)\""],
        fixIts: [Diagnostic.FixIt(write: "\"\(right)\"", at: span)])
    )
  }

  /// Reports a region in the place of a language whose code in lower case is the code of another
  /// language: `"BR"` is Brazil, and `"br"` is Breton. Returns whether it did.
  private mutating func reportRegion(
    _ attribute: AttributeSchema.Attribute, _ text: String, _ right: String, at id: NodeID
  ) -> Bool {
    guard text == text.uppercased(), AttributeSchema.Attribute.Format.region.isCode(text) == true,
      !Self.languagesOfTheirRegion.contains(right) || isAmongRegions(id)
    else { return false }
    let root = attribute.path.prefix { $0 != "." && $0 != "[" }
    let region = "\(root).regionCode"
    let language = Self.languagesOfRegions[text]
    report(
      Diagnostic(
        .wrongCase, "`\(attribute.path)` is never `\"\(text)\"`", at: tree[id].span,
        label: "a region", notes: ["its values look like \"\(attribute.format?.sample ?? right)\""],
        helps: (schema[region] == nil
          ? []
          : [
            tree[parent(of: id)].kind == .list
              ? "if the regions are meant, write `\(region) in …`"
              : "if the region is meant, write `\(region) == \"\(text)\"`"
          ])
          + [
            language.map { "if the language is meant, write `\"\($0)\"`" }
              ?? "the language `\"\(right)\"` is written in lower case"
          ]))
    return true
  }

  /// Reports a language in the place of a region, if its code in upper case is the code of another
  /// region: `"sv"` is Swedish, and `"SV"` is El Salvador. Returns whether it did.
  private mutating func reportLanguage(
    _ attribute: AttributeSchema.Attribute, _ text: String, _ right: String, at id: NodeID
  ) -> Bool {
    guard text == text.lowercased(), Self.languagesOfRegions[right] != nil,
      let region = Self.languagesOfRegions.filter({ $0.value == text }).keys.min(), region != right
    else { return false }
    report(
      Diagnostic(
        .wrongCase, "`\(attribute.path)` is never `\"\(text)\"`", at: tree[id].span,
        label: "wrong case, or a language",
        notes: ["its values look like \"\(attribute.format?.sample ?? right)\""],
        helps: [
          "for the region, write `\"\(right)\"`",
          "for a region of the language, write that, such as `\"\(region)\"`",
        ]))
    return true
  }

  /// Returns whether a text is in a list with regions whose codes are not those of languages that
  /// most people speak there: `["AT", "DE"]`.
  private func isAmongRegions(_ id: NodeID) -> Bool {
    let list = tree[parent(of: id)]
    guard list.kind == .list else { return false }
    return tree.arguments(of: list).contains { element in
      guard case .string(let code)? = tree.constant(of: element), code == code.uppercased() else {
        return false
      }
      return AttributeSchema.Attribute.Format.region.isCode(code) == true
        && !Self.languagesOfTheirRegion.contains(code.lowercased())
    }
  }

  /// The languages that most people speak in regions whose codes are those of other languages.
  private static let languagesOfRegions = [
    "SE": "sv", "BR": "pt", "MY": "ms", "SI": "sl", "SL": "en", "KM": "ar", "GA": "fr", "CA": "en",
    "AR": "es", "ET": "am", "EE": "et", "BE": "nl", "CH": "de", "AM": "hy", "BS": "en", "KY": "en",
    "SK": "sk", "SV": "es", "CV": "pt", "PA": "es", "LA": "lo", "TN": "ar", "BN": "ms", "BI": "fr",
    "BA": "bs", "MR": "ar", "MS": "en", "NE": "fr", "NA": "en", "NR": "en", "LB": "ar", "KG": "ky",
    "TT": "en", "TK": "tk", "GN": "fr", "GU": "en", "SD": "ar", "SM": "it", "SA": "ar", "SC": "en",
    "SG": "en", "SN": "fr", "SS": "en", "ST": "pt", "SR": "nl", "AS": "en", "AF": "fa", "DZ": "ar",
  ]

  /// The languages whose code is that of the region where most people speak them.
  private static let languagesOfTheirRegion: Set<String> = [
    "az", "bg", "de", "es", "fi", "fr", "hr", "ht", "hu", "id", "is", "it", "lt", "lv", "mg", "mk",
    "mn", "mt", "nl", "no", "pl", "pt", "ro", "ru", "rw", "sk", "so", "th", "to", "tr", "uz",
  ]

  /// Reports a word that is not a code of a region, a language or a locale: `"usa"`, `"english"`.
  private mutating func checkCode(
    _ attribute: AttributeSchema.Attribute, _ format: AttributeSchema.Attribute.Format,
    _ text: String, _ id: NodeID
  ) {
    let meant = format.code(named: text)
    guard let sample = format.sample, let isCode = format.isCode(text), !isCode || meant != nil,
      meant != text
    else { return }
    let trimmed = text.filter { !$0.isWhitespace }
    let code =
      (meant ?? (trimmed != text && format.isCode(trimmed) == true ? trimmed : nil))
      .map { "\"\($0)\"" }
    var helps = code.map { ["did you mean `\($0)`?"] } ?? []
    if format == .region, text == text.lowercased(), text.utf8.count == 2,
      AttributeSchema.Attribute.Format.language.isCode(text) == true,
      case let language = attribute.path == "device.regionCode"
        ? "device.deviceLanguageCode"
        : attribute.path.replacingFirst("RegionCode", by: "LanguageCode"),
      schema[language] != nil
    {
      helps = ["that is a language: `\(language) == \"\(text)\"`"]
    }
    let list = ListedTexts(text, separators: ",;/|")
    if list.texts.count > 1, list.texts.allSatisfy({ format.isCode($0) == true }),
      let comparison = ConstantComparison(tree[parent(of: id)], in: tree), comparison.isEquality
    {
      let isNegated = comparison.op == .notEqual
      helps = ["write `\(list.membership(of: attribute.path, isNegated: isNegated))`"]
    }
    // "Germany" is a country, which a locale ends with.
    if format == .locale, helps.isEmpty,
      let region = AttributeSchema.Attribute.Format.region.code(named: text)
    {
      helps = ["for the region, write `\(attribute.path).endsWith(\"_\(region)\")`"]
    }
    if format == .language, helps.isEmpty,
      AttributeSchema.Attribute.Format.region.isCode(text) == true
    {
      helps =
        tree[parent(of: id)].kind == .list && schema["device.regionCode"] != nil
        ? ["that is a region: if the regions are meant, write `device.regionCode in …`"]
        : ["that is a region; its language has a code of its own, such as \"de\" for Austria"]
    }
    if format == .region || format == .storefront, text.uppercased() == "EU" || text == "Europe",
      schema["device.ipContinent"] != nil
    {
      helps = ["for the continent, write `device.ipContinent == \"Europe\"`"]
    }
    if format == .language, AttributeSchema.Attribute.Format.locale.spelling(of: text) != nil {
      let root = attribute.path.prefix { $0 != "." && $0 != "[" }
      let locales = schema.attributes(under: String(root)).filter { $0.format == .locale }
      // The one with the most similar name is about the same language.
      let nearest = locales.max {
        $0.path.beginning(sharedWith: attribute.path)
          < $1.path.beginning(sharedWith: attribute.path)
      }
      if let nearest {
        let alone = code.map { "; for the language alone, write `\($0)`" } ?? ""
        helps = ["a language with a region is in `\(nearest.path)`\(alone)"]
      }
    }
    report(
      Diagnostic(
        .impossibleValue, "`\(attribute.path)` is never `\"\(text)\"`", at: tree[id].span,
        label: "not such a code", notes: ["its values look like \"\(sample)\""],
        helps: helps))
  }
}

extension String {
  /// Returns the number of characters that two texts have in common at their beginnings.
  fileprivate func beginning(sharedWith other: String) -> Int {
    zip(self, other).prefix { $0 == $1 }.count
  }
}
