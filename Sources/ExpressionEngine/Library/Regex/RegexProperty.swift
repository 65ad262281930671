/// Names of Unicode properties in patterns.
enum RegexProperty {
  /// General categories by their long names in lower case without separators.
  private static let categories: [String: String] = [
    "letter": "L", "casedletter": "L&", "uppercaseletter": "Lu", "lowercaseletter": "Ll",
    "titlecaseletter": "Lt", "modifierletter": "Lm", "otherletter": "Lo", "mark": "M",
    "combiningmark": "M", "nonspacingmark": "Mn", "spacingmark": "Mc", "enclosingmark": "Me",
    "number": "N", "decimalnumber": "Nd", "digit": "Nd", "letternumber": "Nl", "othernumber": "No",
    "punctuation": "P", "punct": "P", "connectorpunctuation": "Pc", "dashpunctuation": "Pd",
    "openpunctuation": "Ps", "closepunctuation": "Pe", "initialpunctuation": "Pi",
    "finalpunctuation": "Pf", "otherpunctuation": "Po", "symbol": "S", "mathsymbol": "Sm",
    "currencysymbol": "Sc", "modifiersymbol": "Sk", "othersymbol": "So", "separator": "Z",
    "spaceseparator": "Zs", "lineseparator": "Zl", "paragraphseparator": "Zp", "other": "C",
    "control": "Cc", "cntrl": "Cc", "format": "Cf", "surrogate": "Cs", "privateuse": "Co",
    "unassigned": "Cn",
  ]

  /// The short names of general categories.
  private static let shortCategories: Set<String> = [
    "L", "Lu", "Ll", "Lt", "Lm", "Lo", "M", "Mn", "Mc", "Me", "N", "Nd", "Nl", "No", "P", "Pc",
    "Pd", "Ps", "Pe", "Pi", "Pf", "Po", "S", "Sm", "Sc", "Sk", "So", "Z", "Zs", "Zl", "Zp", "C",
    "Cc", "Cf", "Cs", "Co", "Cn",
  ]

  /// Binary properties in lower case without separators; a few short names among them.
  private static let binary: Set<String> = [
    "ahex", "alpha", "alphabetic", "asciihexdigit", "bidic", "bidicontrol", "bidim",
    "bidimirrored", "cased", "caseignorable", "changeswhencasefolded", "changeswhencasemapped",
    "changeswhenlowercased", "changeswhentitlecased", "changeswhenuppercased", "ci", "dash",
    "defaultignorablecodepoint", "dep", "deprecated", "di", "dia", "diacritic", "emoji",
    "emojicomponent", "emojimodifier", "emojimodifierbase", "emojipresentation", "ext",
    "extendedpictographic", "extender", "graphemebase", "graphemeextend", "hex", "hexdigit",
    "idc", "idcontinue", "ideo", "ideographic", "ids", "idstart", "joinc", "joincontrol", "loe",
    "logicalorderexception", "lower", "lowercase", "math", "nchar", "noncharactercodepoint",
    "patsyn", "patternsyntax", "patternwhitespace", "patws", "qmark", "quotationmark", "radical",
    "regionalindicator", "sd", "sentenceterminal", "softdotted", "space", "sterm", "term",
    "terminalpunctuation", "uideo", "unifiedideograph", "upper", "uppercase", "variationselector",
    "vs", "whitespace", "wspace", "xidc", "xidcontinue", "xids", "xidstart",
  ]

  /// The items of a PCRE2 class for a property; `nil` for a name that the flavour cannot have.
  ///
  /// Whether a script of that name exists is left for PCRE2 to say.
  static func items(
    named name: String, flavor: RegexFlavor, isNegated: Bool, ignoresCase: Bool
  ) -> RegexClass? {
    var isNegated = isNegated
    var key: String?
    var value = name
    if flavor == .rust {
      // `name=value`, `name:value` or `name!=value`.
      if let separator = name.firstIndex(where: { $0 == "=" || $0 == ":" }) {
        var end = separator
        if name[separator] == "=", end > name.startIndex {
          let previous = name.index(before: separator)
          if name[previous] == "!" {
            isNegated.toggle()
            end = previous
          }
        }
        key = normalized(String(name[..<end]))
        value = String(name[name.index(after: separator)...])
      }
      value = normalized(value)
    }
    guard !value.isEmpty, value.utf8.allSatisfy(isNamePart) else { return nil }
    switch (key, value.lowercased()) {
    case (nil, "any"): return isNegated ? .items([]) : .items(RegexClass.items([0...0x10_FFFF]))
    case (nil, "assigned") where flavor == .rust: return property("Cn", !isNegated)
    case (nil, "ascii") where flavor == .rust:
      return .items(
        isNegated ? RegexClass.complementItems([0...0x7F]) : RegexClass.items([0...0x7F]))
    case (nil, _):
      if flavor == .rust, binary.contains(value), value != "sc" {
        return property(folded(value, ignoresCase), isNegated)
      }
      if let category = category(value, flavor) {
        return property(folded(category, ignoresCase), isNegated)
      }
      // PCRE2 does not care about case, and RE2 does: its scripts start with a capital.
      let isScript = value.utf8.count > 2 && value.utf8.first.map { $0 &- 0x41 < 26 } ?? false
      return flavor == .rust || isScript ? property("sc:" + value, isNegated) : nil
    case ("gc", _), ("generalcategory", _):
      return category(value, flavor).map { property(folded($0, ignoresCase), isNegated) }
    case ("sc", _), ("script", _): return property("sc:" + value, isNegated)
    case ("scx", _), ("scriptextensions", _): return property("scx:" + value, isNegated)
    default: return nil
    }
  }

  private static func isNamePart(_ byte: UInt8) -> Bool {
    (byte | 0x20) &- 0x61 < 26 || byte &- 0x30 < 10 || byte == UInt8(ascii: "_")
  }

  private static func property(_ name: String, _ isNegated: Bool) -> RegexClass {
    .items(Array("\\\(isNegated ? "P" : "p"){\(name)}".utf8))
  }

  private static func normalized(_ name: String) -> String {
    name.lowercased().filter { $0 != "_" && $0 != "-" && $0 != " " }
  }

  private static func category(_ name: String, _ flavor: RegexFlavor) -> String? {
    if flavor == .re2 { return shortCategories.contains(name) ? name : nil }
    if name == "lc" { return "L&" }
    if let long = categories[name] { return long }
    let short = name.prefix(1).uppercased() + name.dropFirst()
    return shortCategories.contains(short) ? short : nil
  }

  /// Without regard to case, upper and lower case letters are the same set.
  private static func folded(_ name: String, _ ignoresCase: Bool) -> String {
    let cased: Set<String> = ["Lu", "Ll", "Lt", "upper", "uppercase", "lower", "lowercase"]
    return ignoresCase && cased.contains(name) ? "L&" : name
  }
}
