import ExpressionEngine
import FilterAnalysis

/// Attributes of the SDKs whose values go together, with the combinations that occur.
struct RelatedAttributes: Sendable {
  let paths: [AttributePath]
  /// The relation in words, for a note.
  let meaning: String
  /// Whether users with the one and users with the other may both be meant.
  let areAlternatives: Bool
  /// Returns combinations of values, in the order of the paths, that tell conditions with some
  /// constants apart; `nil` for a missing value.
  let rows: @Sendable (_ constants: [Value]) -> [[Value?]]

  private init(
    _ paths: [String], _ meaning: String, areAlternatives: Bool = true,
    rows: @escaping @Sendable ([Value]) -> [[Value?]]
  ) {
    self.paths = paths.compactMap { AttributePath($0) }
    self.meaning = meaning
    self.areAlternatives = areAlternatives
    self.rows = rows
  }

  static let all: [RelatedAttributes] = [
    RelatedAttributes(["device.localDate"], "both are about one day") { days($0) },
    RelatedAttributes(["device.utcDate"], "both are about one day") { days($0) },
    RelatedAttributes(
      ["device.appVersion", "device.appVersionPadded"], "both are the version of the app"
    ) { versions($0) },
    RelatedAttributes(
      ["device.sdkVersion", "device.sdkVersionPadded"], "both are the version of the SDK"
    ) { versions($0) },
    RelatedAttributes(
      ["device.isFirstAppOpen", "device.daysSinceInstall", "device.minutesSinceInstall"],
      "an app is opened for the first time soon after its installation"
    ) { firstOpenings($0) },
    RelatedAttributes(
      ["device.daysSinceInstall", "device.minutesSinceInstall"], "a day has 1440 minutes",
      areAlternatives: false
    ) { firstOpenings($0).map { Array($0.dropFirst()) } },
    RelatedAttributes(
      ["device.daysSinceLastPaywallView", "device.minutesSinceLastPaywallView"],
      "a day has 1440 minutes", areAlternatives: false
    ) { firstOpenings($0).map { Array($0.dropFirst()) } + [[nil, nil]] },
    RelatedAttributes(
      ["device.ipContinent", "device.ipCountry"], "the country is on another continent"
    ) { continents($0) },
    RelatedAttributes(
      ["device.ipTimezone", "device.ipCountry"], "the zone is on another continent"
    ) { zones($0) },
    RelatedAttributes(
      ["device.ipTimezone", "device.ipContinent"], "the zone is on another continent"
    ) { zonesOfContinents($0) },
    RelatedAttributes(
      ["device.deviceCurrencyCode", "device.deviceCurrencySymbol"],
      "the sign is that of another currency"
    ) { currencies($0) },
    RelatedAttributes(
      ["params.abandoned_product_currency_code", "params.abandoned_product_currency_symbol"],
      "the sign is that of another currency"
    ) { currencies($0) },
    RelatedAttributes(
      ["device.interfaceType", "device.deviceModel"], "the model is a device of another kind"
    ) { interfaces($0) },
    RelatedAttributes(
      ["device.platform", "device.isMac"], "an app for iOS on a Mac has the platform \"macOS\"",
      areAlternatives: false
    ) { _ in macs },
    RelatedAttributes(
      ["device.subscriptionStatus", "device.activeEntitlements"],
      "the status is \"ACTIVE\" for users with an active entitlement, and for no others",
      areAlternatives: false
    ) { statuses($0) },
    RelatedAttributes(
      ["user.isLoggedIn", "user.appUserId", "device.appUserId"],
      "a user is logged in if there is an id, and only then",
      areAlternatives: false
    ) { identities($0) },
    RelatedAttributes(
      ["device.customerInfo.isPlaceholder"]
        + purchaseLists.map { "device.customerInfo.\($0)" },
      "the lists of a placeholder are empty until the purchases are loaded",
      areAlternatives: false
    ) { placeholders($0) },
    RelatedAttributes(
      ["device.deviceLocale", "device.deviceLanguageCode", "device.regionCode"],
      "the language and the region are parts of the locale"
    ) { locales($0) },
    RelatedAttributes(
      ["device.preferredLocale", "device.preferredLanguageCode", "device.preferredRegionCode"],
      "the language and the region are parts of the locale"
    ) { locales($0) },
    RelatedAttributes(
      ["device.storeFrontCountryCode", "device.storeFrontCurrency"],
      "the store of the country has another currency"
    ) { storefronts($0) },
    RelatedAttributes(
      ["device.ipRegionCode", "device.ipCountry"], "the region is in another country"
    ) { subdivisions($0) },
  ]

  static func texts(_ constants: [Value]) -> [String] {
    constants.compactMap { if case .string(let text) = $0 { text } else { nil } }
  }

  // MARK: Days and versions

  /// The most years whose days are tried.
  private static let mostYears = 12

  /// All days of the years that constants begin with, the year before and four after.
  private static func days(_ constants: [Value]) -> [[Value?]] {
    let named = texts(constants).compactMap { text -> Int? in
      let start = text.prefix(4)
      return start.utf8.count == 4
        ? Int(start).flatMap { (1900...2099).contains($0) ? $0 : nil } : nil
    }
    let first = (named.min() ?? 2_026) - 1
    let last = (named.max() ?? 2_026) + 4
    guard last - first < mostYears else { return [] }
    return (first...last).flatMap { year in
      (1...12).flatMap { month in
        (1...CalendarDate.days(in: month, of: year)).map { day in
          let text = "\(year)-\(CalendarDate.twoDigits(month))-\(CalendarDate.twoDigits(day))"
          return [Value.string(text)]
        }
      }
    }
  }

  /// The most numbers that are tried at each place of a version.
  private static let mostNumbers = 12

  /// Versions around those of the constants, plain and padded.
  private static func versions(_ constants: [Value]) -> [[Value?]] {
    var places: [Set<Int>] = [[0, 1], [0, 1], [0, 1]]
    // Few apps have versions of two numbers.
    var areShort = false
    for text in texts(constants) {
      areShort =
        areShort
        || text.split(separator: ".", omittingEmptySubsequences: false).count == 2
          && !text.hasSuffix(".")
      for (place, part) in text.split(separator: ".").prefix(3).enumerated() {
        guard let number = Int(part), (0...999).contains(number) else { return [] }
        places[place].formUnion([number - 1, number, number + 1].filter { (0...999).contains($0) })
      }
    }
    guard places.allSatisfy({ $0.count <= mostNumbers }) else { return [] }
    var rows: [[Value?]] = []
    for first in places[0] {
      for second in places[1] {
        let short = areShort ? [[first, second]] : []
        for numbers in short + places[2].map({ [first, second, $0] }) {
          let plain = numbers.map { "\($0)" }.joined(separator: ".")
          let padded = numbers.map { FilterLinter.paddedNumber("\($0)"[...]) }
            .joined(separator: ".")
          rows.append([.string(plain), .string(padded)])
        }
      }
    }
    return rows
  }

  // MARK: First openings

  private static let minutesOfDay = 1_440.0
  /// The most days after which an installed app is opened for the first time, as a rule.
  private static let latestOpening = 7.0

  private static func firstOpenings(_ constants: [Value]) -> [[Value?]] {
    var minutes: Set<Double> = [0, 1, 60, 100_000]
    let numbers = constants.compactMap { $0.plainNumber }
    for number in numbers where (0..<1e6).contains(number) {
      for near in [number.rounded(.down) - 1, number.rounded(.down), number.rounded(.up) + 1] {
        // The number may count minutes or days.
        minutes.formUnion([near, near * minutesOfDay, (near + 1) * minutesOfDay - 1])
      }
    }
    return minutes.filter { $0 >= 0 }.flatMap { number -> [[Value?]] in
      let days = (number / minutesOfDay).rounded(.down)
      let isEarly = days < latestOpening
      return (isEarly ? [true, false] : [false]).map { isFirst in
        [.bool(isFirst), .int(Int64(days)), .int(Int64(number))]
      }
    }
  }

  // MARK: Places and signs

  private static let continentsOfCountries: [(name: String, codes: String)] = [
    (
      "Africa",
      "AO BF BI BJ BW CD CF CG CI CM CV DJ DZ EG EH ER ET GA GH GM GN GQ GW KE KM LR LS LY MA MG ML "
        + "MR MU MW MZ NA NE NG RE RW SC SD SH SL SN SO SS ST SZ TD TG TN TZ UG YT ZA ZM ZW"
    ),
    (
      "Asia",
      "AE AF AM AZ BD BH BN BT CN CY EG GE HK ID IL IN IQ IR JO JP KG KH KP KR KW KZ LA LB LK MM MN "
        + "MO MV MY NP OM PH PK PS QA RU SA SG SY TH TJ TL TM TR TW UZ VN YE"
    ),
    (
      "Europe",
      "AD AL AM AT AX AZ BA BE BG BY CH CY CZ DE DK EE ES FI FO FR GB GE GG GI GR HR HU IE IM IS IT "
        + "JE KZ LI LT LU LV MC MD ME MK MT NL NO PL PT RO RS RU SE SI SJ SK SM TR UA VA XK"
    ),
    (
      "North America",
      "AG AI AW BB BL BM BQ BS BZ CA CR CU CW DM DO GD GL GP GT HN HT JM KN KY LC MF MQ MS MX NI PA "
        + "PM PR SV SX TC TT US VC VG VI"
    ),
    ("Oceania", "AS AU CK FJ FM GU KI MH MP NC NF NR NU NZ PF PG PN PW SB TK TL TO TV VU WF WS"),
    ("South America", "AR BO BR CL CO EC FK GF GY PE PY SR UY VE"),
  ]

  static func continents(_ constants: [Value]) -> [[Value?]] {
    var rows: [[Value?]] = [[.string("Antarctica"), nil], [nil, nil]]
    for (name, _) in continentsOfCountries { rows.append([.string(name), nil]) }
    for text in texts(constants) {
      let code = AttributeSchema.Attribute.Format.region.code(named: text)
      let own = code.map { continents(ofCode: $0) } ?? []
      // A country that is not known may be on any.
      for name in own.isEmpty ? continentsOfCountries.map({ $0.name }) : own {
        rows.append([.string(name), .string(text)])
      }
    }
    return rows
  }

  /// Returns the names of the continents of a country, by its code of two letters.
  static func continents(ofCode code: String) -> [String] {
    continentsOfCountries.filter { $0.codes.split(separator: " ").contains(code[...]) }
      .map { $0.name }
  }

  private static let currenciesOfSigns = [
    "$": "USD CAD AUD NZD SGD HKD TWD MXN ARS CLP COP BSD BBD BMD BND BZD FJD GYD JMD KYD LRD NAD "
      + "SBD SRD TTD XCD UYU BRL",
    "€": "EUR", "£": "GBP EGP LBP SYP GIP FKP SHP SDG SSP", "¥": "JPY CNY", "₹": "INR",
    "₩": "KRW KPW", "₽": "RUB BYN", "₺": "TRY", "₪": "ILS", "₫": "VND", "฿": "THB", "zł": "PLN",
    "kr": "SEK NOK DKK ISK", "R$": "BRL", "Kč": "CZK", "Ft": "HUF", "₴": "UAH", "₱": "PHP CUP",
  ]

  private static func currencies(_ constants: [Value]) -> [[Value?]] {
    let texts = texts(constants)
    let signs = texts.filter { currenciesOfSigns[$0] != nil }
    let codes = texts.filter { currenciesOfSigns[$0] == nil }
    // ISO 4217 has a code for no currency.
    var rows: [[Value?]] = (codes + ["XXX"]).map { [.string($0), .string("¤")] }
    for sign in signs {
      let own = currenciesOfSigns[sign, default: ""].split(separator: " ").map { String($0) }
      rows += own.map { [.string($0), .string(sign)] }
    }
    return rows
  }

  /// The kinds of devices that models with some beginnings can be. An iPad also runs apps for the
  /// iPhone, and a Mac those for the iPad.
  private static let kindsOfModels = [
    "iPhone": ["iphone"], "iPod": ["iphone"], "iPad": ["ipad", "iphone"],
    "Mac": ["mac", "ipad", "iphone"], "iMac": ["mac", "ipad", "iphone"], "AppleTV": ["tv"],
    "RealityDevice": ["vision", "ipad", "iphone"],
  ]

  private static func interfaces(_ constants: [Value]) -> [[Value?]] {
    let named = texts(constants)
    return kindsOfModels.flatMap { beginning, kinds in
      var models = [beginning + "9,9"]
      for model in named where model.hasPrefix(beginning) {
        models += [model, model + "1,1", model + ",1"]
      }
      return models.flatMap { model -> [[Value?]] in
        kinds.map { [.string($0), .string(model)] }
      }
    }
  }
}
