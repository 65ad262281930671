import ExpressionEngine
import FilterAnalysis

// Parts of locales, currencies of stores, and regions of countries.

extension RelatedAttributes {
  /// The most parts of locales of one kind that are combined.
  private static let mostParts = 16

  /// Locales of all languages and regions that are named, and of others.
  static func locales(_ constants: [Value]) -> [[Value?]] {
    var languages: Set<String> = ["xx"]
    var regions: Set<String> = ["ZZ"]
    var wholes: Set<String> = []
    for text in texts(constants) {
      let parts = text.split { $0 == "_" || $0 == "-" }
      for part in parts where part.utf8.count < 4 {
        if part.allSatisfy({ $0.isLowercase }) { languages.insert(String(part)) }
        if part.allSatisfy({ $0.isUppercase }) { regions.insert(String(part)) }
      }
      // With a script, as in `zh_Hans_CN`.
      if parts.contains(where: { $0.utf8.count == 4 }) { wholes.insert(text) }
    }
    guard languages.count <= mostParts, regions.count <= mostParts else { return [] }
    var stems = languages.union(wholes.filter { $0.first?.isLowercase == true })
    for whole in wholes where whole.first?.isLowercase != true {
      stems.formUnion(languages.map { "\($0)_\(whole.drop { $0 == "_" })" })
    }
    return stems.flatMap { stem -> [[Value?]] in
      let language = Value.string(String(stem.prefix { $0 != "_" }))
      let own = stem.split(separator: "_").last.map(String.init) ?? ""
      if own.utf8.count == 2, stem.contains("_") {
        return [[.string(stem), language, .string(own)]]
      }
      return [[.string(stem), language, .string("")]]
        + regions.map { [.string("\(stem)_\($0)"), language, .string($0)] }
    }
  }

  /// The countries whose stores have sold in one currency for years, by that currency.
  private static let countriesOfCurrencies = [
    "AED": "ARE", "AUD": "AUS", "BRL": "BRA", "CAD": "CAN", "CHF": "CHE", "CLP": "CHL",
    "CNY": "CHN", "COP": "COL", "CZK": "CZE", "DKK": "DNK", "EGP": "EGY",
    "EUR":
      "AUT BEL CYP DEU ESP EST FIN FRA GRC IRL ITA LTU LUX LVA MLT NLD PRT SVK SVN",
    "GBP": "GBR", "HKD": "HKG", "HUF": "HUN", "IDR": "IDN", "ILS": "ISR", "INR": "IND",
    "JPY": "JPN", "KRW": "KOR", "MXN": "MEX", "MYR": "MYS", "NGN": "NGA", "NOK": "NOR",
    "NZD": "NZL", "PHP": "PHL", "PLN": "POL", "RON": "ROU", "RUB": "RUS", "SAR": "SAU",
    "SEK": "SWE", "SGD": "SGP", "THB": "THA", "TRY": "TUR", "TWD": "TWN", "USD": "USA",
    "VND": "VNM", "ZAR": "ZAF",
  ]

  static func storefronts(_ constants: [Value]) -> [[Value?]] {
    let texts = Set(texts(constants)).union(["ZZZ", "XXX"])
    return texts.flatMap { country -> [[Value?]] in
      let own = countriesOfCurrencies.first { $0.value.contains(text: country) }
      guard country.utf8.count == 3, let own else {
        return texts.map { [.string(country), .string($0)] }
      }
      // An account may be odd, and a filter may look for what is not the country's currency.
      return [[.string(country), .string(own.key)], [.string(country), .string("XXX")]]
    }
  }

  /// The continents of countries that use the zones of an area.
  private static let continentsOfAreas = [
    "Africa": ["Africa"], "America": ["North America", "South America"],
    "Antarctica": ["Antarctica"], "Asia": ["Asia"], "Australia": ["Oceania"],
    "Europe": ["Europe"], "Pacific": ["Oceania", "North America", "South America"],
  ]

  /// The zones that are named, each with the countries that may use it.
  static func zones(_ constants: [Value]) -> [[Value?]] {
    let texts = texts(constants)
    let countries = continents(constants).filter { $0[1] != nil }
    return texts.flatMap { zone -> [[Value?]] in
      let area = String(zone.prefix { $0 != "/" })
      let continents = zone.contains("/") ? continentsOfAreas[area] : nil
      return [[.string(zone), nil]]
        + countries.filter { row in
          continents.map { names in names.contains { row[0] == .string($0) } } ?? true
        }.map { [.string(zone), $0[1]] }
    } + texts.map { [nil, .string($0)] } + [[nil, nil]]
  }

  /// The zones of Europe in countries that are said to be in Asia, too.
  private static let zonesOfBoth = [
    "Europe/Istanbul", "Europe/Moscow", "Europe/Samara", "Europe/Volgograd", "Europe/Saratov",
    "Europe/Astrakhan", "Europe/Ulyanovsk", "Europe/Kirov", "Europe/Kaliningrad",
  ]

  /// The zones that are named, and one of each area that is, each with its continents.
  static func zonesOfContinents(_ constants: [Value]) -> [[Value?]] {
    texts(constants).flatMap { text -> [[Value?]] in
      let area = String(text.prefix { $0 != "/" })
      var continents = continentsOfAreas[area] ?? []
      // Some countries are on both.
      if area == "Asia" || area == "Europe" && zonesOfBoth.contains(where: { $0.hasPrefix(text) }) {
        continents = ["Asia", "Europe"]
      }
      return [text, text + "Other", text + "/Other"].flatMap { zone in
        continents.map { [.string(zone), .string($0)] }
      }
    } + texts(constants).flatMap { [[.string("Etc/UTC"), .string($0)], [.string($0), nil]] }
      + [[nil, nil]]
  }

  /// Returns whether a country, a region or a zone is in America, west of Greenwich.
  static func isInAmerica(_ place: String) -> Bool {
    if place.hasPrefix("America/") || place.hasPrefix("US/") { return true }
    let region = AttributeSchema.Attribute.Format.region
    guard let code = region.isCode(place) == true ? place : region.code(named: place) else {
      return false
    }
    return continents(ofCode: code).contains { $0.hasSuffix("America") }
  }

  private static let states = Set(
    ("AL AK AZ AR CA CO CT DC DE FL GA HI IA ID IL IN KS KY LA MA MD ME MI MN MO MS MT NC ND NE NH "
      + "NJ NM NV NY OH OK OR PA RI SC SD TN TX UT VA VT WA WI WV WY").split(separator: " ")
      .map(String.init))
  private static let provinces = Set(
    "AB BC MB NB NL NS NT NU ON PE QC SK YT".split(separator: " ").map(String.init))

  /// Other countries have regions with the same codes.
  static func subdivisions(_ constants: [Value]) -> [[Value?]] {
    let texts = Set(texts(constants)).union(["Other"])
    return texts.flatMap { country in
      texts.filter { code in
        switch country {
        case "United States": !provinces.contains(code)
        case "Canada": !states.contains(code)
        default: true
        }
      }.map { [.string($0), .string(country)] }
    }
  }
}
