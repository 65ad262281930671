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
    case .systemVersion: "17.5.1"
    case .model: "iPhone16,2"
    case .timeZone: "Europe/Stockholm"
    case .country: "Sweden"
    case .subdivision: "CA"
    case .currencySymbol: "kr"
    case .decimal: "9.99"
    case .integer: "7"
    case .placement: "session_start"
    case .url: "https://acme.com/promo?ref=mail"
    case .host: "acme.com"
    case .path: "/promo/summer"
    case .pathComponent: "summer"
    case .query: "ref=mail"
    case .fragment: "prices"
    case .pathExtension: "html"
    }
  }

  /// The format in words.
  package var meaning: String {
    switch self {
    case .version: "a version; as text, 2.10.0 comes before 2.9.0"
    case .paddedVersion: "a version padded for comparing, such as 002.010.000"
    case .date: "a date such as 2026-03-01"
    case .time: "a time such as 18:30:00"
    case .dateTime: "a date and time such as 2026-03-01T18:30:00Z"
    case .region: "a code of a region, such as SE"
    case .storefront: "a code of a country with three letters, such as SWE"
    case .language: "a code of a language, such as sv"
    case .locale: "a language and a region, such as sv_SE"
    case .currency: "a code of a currency, such as SEK"
    case .systemVersion: "a version: 17.5.1 on iOS, 14 on Android"
    case .model: "an identifier of a model, such as iPhone16,2"
    case .timeZone: "a time zone such as Europe/Stockholm"
    case .country: "the English name of a country, such as Sweden"
    case .subdivision: "a code of a part of a country, such as CA"
    case .currencySymbol: "the sign of a currency, such as $"
    case .decimal: "a number as a text, such as 9.99"
    case .integer: "a whole number as a text, such as 7"
    case .placement: "the name of an event that starts a placement, such as session_start"
    case .url: "a whole link such as https://acme.com/promo?ref=mail"
    case .host: "the host of a link alone, such as acme.com"
    case .path: "the path of a link, which starts with a slash, such as /promo/summer"
    case .pathComponent: "the last part of a path, without slashes, such as summer"
    case .query: "what is after the question mark of a link, such as ref=mail"
    case .fragment: "what is after the `#` of a link, such as prices"
    case .pathExtension: "what is after the last dot of a path, such as html"
    }
  }

  /// Returns the correct spelling of a code; `nil` if the text is not such a code.
  package func spelling(of text: String) -> String? {
    let parts = text.split(whereSeparator: { $0 == "-" || $0 == "_" }).map(String.init)
    guard parts.allSatisfy({ $0.utf8.allSatisfy { $0 | 0x20 >= 0x61 && $0 | 0x20 <= 0x7A } }) else {
      return nil
    }
    switch self {
    case .region, .subdivision:
      return parts.count == 1 && text.utf8.count == 2 ? text.uppercased() : nil
    case .storefront, .currency:
      return parts.count == 1 && text.utf8.count == 3 ? text.uppercased() : nil
    case .language: return parts.count == 1 && text.utf8.count == 2 ? text.lowercased() : nil
    case .locale:
      guard parts.count == 2, parts[0].utf8.count == 2, parts[1].utf8.count == 2 else { return nil }
      // `US_en`, and `CH_de` although there are a language `ch` and a region `DE`.
      if parts[0] == parts[0].uppercased(), parts[1] == parts[1].lowercased(),
        Self.isLanguage(parts[1]) && ISOCodes.regions.contains(parts[0])
          || !Self.isLanguage(parts[0].lowercased())
          || !ISOCodes.regions.contains(parts[1].uppercased())
      {
        return "\(parts[1])_\(parts[0])"
      }
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

  private static func isLanguage(_ code: String) -> Bool {
    // Java wrote Hebrew, Indonesian and Yiddish with their older codes, and so does older Android.
    ISOCodes.languages.contains(code) || ["iw", "in", "ji"].contains(code)
  }

  /// Returns whether a text is a code; `nil` if the format is not one of codes.
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
      return parts.count == 1
        && (ISOCodes.regions.contains(text.uppercased()) || isNumber(parts[0]))
    case .storefront: return ISOCodes.countries.contains(text.uppercased())
    case .currency: return ISOCodes.currencies.contains(text.uppercased())
    case .language:
      return parts.count == 1
        && (isWord(parts[0], 3...3) || Self.isLanguage(parts[0].lowercased()))
    case .locale:
      guard isWord(parts[0], 3...3) || Self.isLanguage(parts[0].lowercased()) else {
        return false
      }
      return parts.dropFirst().allSatisfy { part in
        !isWord(part, 2...2) || ISOCodes.regions.contains(part.uppercased())
      }
    case .timeZone:
      guard text.contains("/"), !text.hasPrefix("Etc/") else { return nil }
      return ISOCodes.timeZones.contains(text) || ISOCodes.olderTimeZones.contains(text)
    default: return nil
    }
  }

  /// Returns the code of a country or a language that people often write in another way.
  package func code(named text: String) -> String? {
    let name = text.lowercased()
    switch self {
    case .region, .storefront, .country:
      // The first two letters of a currency are its country.
      if self != .country, text == text.uppercased(), ISOCodes.currencies.contains(text),
        !text.hasPrefix("X"), text != "EUR", Self.pair(of: text) == nil
      {
        return code(named: String(text.prefix(2)))
      }
      // Databases of addresses have one name or the other of these.
      if self == .country, ["türkiye", "czech republic"].contains(name) { return nil }
      guard let row = Self.countries.first(where: { $0.has(name) }) ?? Self.misspelled(name) else {
        // "fr-CA" has a language before it.
        let parts = text.split(whereSeparator: { $0 == "-" || $0 == "_" }).map(String.init)
        if self == .region, parts.count == 2, Self.isLanguage(parts[0].lowercased()),
          ISOCodes.regions.contains(parts[1].uppercased())
        {
          return parts[1].uppercased()
        }
        guard let pair = Self.pair(of: text) else { return nil }
        return self == .region
          ? String(pair.prefix(2)) : self == .storefront ? String(pair.dropFirst(2)) : nil
      }
      return self == .region ? row.two : self == .storefront ? row.three : row.name
    case .language:
      let first = String(name.prefix { $0 != "-" && $0 != "_" })
      let isLocale = Self.locale.spelling(of: text) != nil
      return Self.languages[name] ?? (isLocale ? Self.languages[first] ?? first : nil)
    case .currency:
      return Self.currencies[name] ?? Self.currency(ofCountry: text) ?? Self.anagram(of: text)
    case .timeZone: return Self.timeZones[name] ?? Self.zoneSpelling(of: text)
    case .subdivision:
      // "US-CA" begins with the country.
      let parts = text.split(whereSeparator: { $0 == "-" || $0 == "_" })
      return parts.count == 2 && parts[0].count == 2 && ISOCodes.regions.contains(String(parts[0]))
        ? String(parts[1]) : nil
    case .locale:
      // "en_UK" has a name of a country in the place of its code.
      let parts = text.split(whereSeparator: { $0 == "-" || $0 == "_" }).map(String.init)
      guard parts.count == 2 else { return nil }
      let isLanguage = parts.map { ISOCodes.languages.contains($0.lowercased()) }
      // "CA_en" says by its letters which of the two is the language.
      let isSwapped = parts[0] == parts[0].uppercased() && parts[1] == parts[1].lowercased()
      if isLanguage[1], Self.region.isCode(parts[0].uppercased()) == true,
        isSwapped
          || Self.region.isCode(parts[1]) == false && parts[1] == parts[1].uppercased()
            && parts[1] != "UK" && Self.region.isCode(parts[0]) == true
      {
        return "\(parts[1].lowercased())_\(parts[0].uppercased())"
      }
      if isLanguage[0], Self.region.isCode(parts[1]) == false,
        let region = Self.region.code(named: parts[1])
      {
        return "\(parts[0].lowercased())_\(region)"
      }
      // "us_EN" has them in the other order.
      guard !isLanguage[0], isLanguage[1], Self.region.isCode(parts[0]) == true else { return nil }
      return "\(parts[1].lowercased())_\(parts[0].uppercased())"
    case .currencySymbol: return Self.signs[text.uppercased()]
    default: return nil
    }
  }

  /// Returns the codes of a country, the one with two letters first, by one of them.
  private static func pair(of text: String) -> String? {
    let code = text.uppercased()
    switch code.utf8.count {
    case 2: return ISOCodes.countryPairs.filter { $0.hasPrefix(code) }.min()
    case 3: return ISOCodes.countryPairs.first { $0.dropFirst(2) == code }
    default: return nil
    }
  }

  /// Returns the currency that begins with the code of a country, as most do: `"CAD"` for `"CAN"`.
  private static func currency(ofCountry text: String) -> String? {
    let row = countries.first { $0.has(text.lowercased()) }?.two
    guard let region = row ?? pair(of: text).map({ String($0.prefix(2)) }) else { return nil }
    let all = ISOCodes.currencies.filter { $0.hasPrefix(region) }
    // Some countries have units of account beside their currency.
    return all.count == 1 ? all.first : nil
  }

  /// Returns the only currency with the letters of a text in another order: `"GBP"` for `"GPB"`.
  private static func anagram(of text: String) -> String? {
    let letters = text.uppercased().sorted()
    guard letters.count == 3 else { return nil }
    let all = ISOCodes.currencies.filter { $0.sorted() == letters }
    return all.count == 1 ? all.first : nil
  }

  /// Returns the country whose name has the letters of a text in another order, or one of them
  /// otherwise: `"untied states"`.
  private static func misspelled(_ name: String) -> Country? {
    guard (6...40).contains(name.utf8.count) else { return nil }
    let letters = name.sorted()
    let scalars = Array(name.unicodeScalars)
    return countries.first { country in
      let right = country.name.lowercased()
      return right.first == name.first
        && (right.sorted() == letters
          || Suggestions.distance(scalars, Array(right.unicodeScalars)) == 1)
    }
  }

  /// Returns the name of a time zone that a text is in another spelling: `"America/New_York"` for
  /// `"america/new york"`.
  private static func zoneSpelling(of text: String) -> String? {
    func key(_ name: String) -> String {
      String(name.lowercased().map { " -".contains($0) ? "_" : $0 })
    }
    guard text.contains("/"), !ISOCodes.timeZones.contains(text) else { return nil }
    let sought = key(text)
    return ISOCodes.timeZones.first { key($0) == sought }
  }

  /// A country, with the ways in which people write it.
  private struct Country {
    let two: String
    let three: String
    let name: String
    let others: [String]

    init(_ two: String, _ three: String, _ name: String, _ others: String...) {
      (self.two, self.three, self.name, self.others) = (two, three, name, others)
    }

    /// - Parameter text: A text in lower case.
    func has(_ text: String) -> Bool {
      [two, three, name].contains { $0.lowercased() == text } || others.contains(text)
    }
  }

  private static let countries = [
    Country("US", "USA", "United States", "america", "united states of america", "u.s.", "u.s.a."),
    Country(
      "GB", "GBR", "United Kingdom", "uk", "en", "great britain", "england", "britain", "eng"),
    Country("DE", "DEU", "Germany", "ger", "deutschland", "allemagne", "alemania"),
    Country("FR", "FRA", "France", "frankreich", "francia"),
    Country("ES", "ESP", "Spain", "spn", "españa", "espana", "spanien"),
    Country("IT", "ITA", "Italy", "italia", "italien"), Country("CA", "CAN", "Canada", "kanada"),
    Country("AU", "AUS", "Australia"), Country("IN", "IND", "India", "bharat"),
    Country("JP", "JPN", "Japan", "ja", "nippon", "jap"), Country("CN", "CHN", "China", "zh"),
    Country("BR", "BRA", "Brazil", "brasil", "brz"), Country("MX", "MEX", "Mexico", "méxico"),
    Country("SE", "SWE", "Sweden", "sverige", "swd"),
    Country("NL", "NLD", "Netherlands", "the netherlands", "holland", "nederland", "ned"),
    Country("KR", "KOR", "South Korea", "ko", "korea"),
    Country("CH", "CHE", "Switzerland", "schweiz", "sui"),
    Country("AT", "AUT", "Austria", "österreich"), Country("PT", "PRT", "Portugal", "por"),
    Country("DK", "DNK", "Denmark", "danmark", "den"), Country("NO", "NOR", "Norway", "norge"),
    Country("FI", "FIN", "Finland", "suomi"), Country("PL", "POL", "Poland", "polska"),
    Country("BE", "BEL", "Belgium", "belgique"), Country("IE", "IRL", "Ireland"),
    Country("TR", "TUR", "Turkey", "türkiye"), Country("RU", "RUS", "Russia"),
    Country("GR", "GRC", "Greece", "gre"), Country("ID", "IDN", "Indonesia", "ino"),
    Country("SA", "SAU", "Saudi Arabia", "ksa"), Country("ZA", "ZAF", "South Africa", "rsa"),
    Country("AE", "ARE", "United Arab Emirates", "uae"), Country("CL", "CHL", "Chile", "chi"),
    Country("AR", "ARG", "Argentina"), Country("CO", "COL", "Colombia"),
    Country("SG", "SGP", "Singapore", "sin"), Country("TW", "TWN", "Taiwan"),
    Country("UA", "UKR", "Ukraine"), Country("VN", "VNM", "Vietnam", "vie"),
    Country("PH", "PHL", "Philippines", "phi"), Country("MY", "MYS", "Malaysia", "mas"),
    Country("HR", "HRV", "Croatia", "cro"), Country("BG", "BGR", "Bulgaria", "bul"),
    Country("NZ", "NZL", "New Zealand"), Country("CZ", "CZE", "Czechia", "czech republic"),
    Country("HU", "HUN", "Hungary", "ungarn"), Country("RO", "ROU", "Romania"),
    Country("IS", "ISL", "Iceland"), Country("IL", "ISR", "Israel"),
    Country("TH", "THA", "Thailand"),
    Country("EG", "EGY", "Egypt"), Country("NG", "NGA", "Nigeria"), Country("KE", "KEN", "Kenya"),
    Country("MA", "MAR", "Morocco"), Country("PK", "PAK", "Pakistan"), Country("PE", "PER", "Peru"),
    Country("BD", "BGD", "Bangladesh"), Country("HK", "HKG", "Hong Kong"),
  ]

  private static let languages = [
    "ukr": "uk", "ara": "ar", "hin": "hi", "tur": "tr", "pol": "pl", "dan": "da", "nor": "nb",
    "fin": "fi", "ces": "cs", "cze": "cs", "slk": "sk", "hun": "hu", "ron": "ro", "rum": "ro",
    "bul": "bg", "ell": "el", "gre": "el", "heb": "he", "vie": "vi", "tha": "th", "ind": "id",
    "msa": "ms", "hrv": "hr", "srp": "sr", "cat": "ca", "fas": "fa", "per": "fa",
    "english": "en", "eng": "en", "ger": "de", "deu": "de", "fre": "fr", "fra": "fr", "spa": "es",
    "ita": "it", "por": "pt", "jpn": "ja", "chi": "zh", "zho": "zh", "kor": "ko", "rus": "ru",
    "dut": "nl", "nld": "nl", "swe": "sv", "german": "de", "deutsch": "de", "french": "fr",
    "spanish": "es", "italian": "it", "portuguese": "pt", "japanese": "ja", "chinese": "zh",
    "korean": "ko", "russian": "ru", "dutch": "nl", "swedish": "sv", "arabic": "ar",
    "hindi": "hi", "turkish": "tr", "polish": "pl", "danish": "da", "norwegian": "nb",
    "finnish": "fi", "czech": "cs", "slovak": "sk", "hungarian": "hu", "romanian": "ro",
    "bulgarian": "bg", "greek": "el", "hebrew": "he", "ukrainian": "uk", "vietnamese": "vi",
    "thai": "th", "indonesian": "id", "malay": "ms", "croatian": "hr", "serbian": "sr",
    "catalan": "ca", "persian": "fa", "bengali": "bn", "urdu": "ur", "tamil": "ta",
    "français": "fr", "francais": "fr", "español": "es", "espanol": "es", "italiano": "it",
    "português": "pt", "portugues": "pt", "nederlands": "nl", "svenska": "sv", "dansk": "da",
    "norsk": "nb", "suomi": "fi", "polski": "pl", "čeština": "cs", "türkçe": "tr", "turkce": "tr",
    "русский": "ru", "українська": "uk", "ελληνικά": "el", "עברית": "he", "العربية": "ar",
    "हिन्दी": "hi", "ไทย": "th", "中文": "zh", "日本語": "ja", "한국어": "ko", "magyar": "hu",
    "englisch": "en", "anglais": "en", "inglés": "en", "ingles": "en", "inglês": "en",
    "inglese": "en", "engelska": "en", "französisch": "fr", "spanisch": "es", "espagnol": "es",
    "italienisch": "it", "allemand": "de", "alemán": "de", "aleman": "de", "tedesco": "de",
    "alemão": "de", "japanisch": "ja", "chinesisch": "zh", "russisch": "ru", "türkisch": "tr",
    "română": "ro", "bahasa indonesia": "id", "tiếng việt": "vi",
    // Codes of regions that are not codes of languages.
    "jp": "ja", "cn": "zh", "kr": "ko", "gr": "el", "dk": "da", "cz": "cs",
    "ua": "uk",
  ]

  private static let currencies = [
    "$": "USD", "dollar": "USD", "dollars": "USD", "€": "EUR", "euro": "EUR",
    "euros": "EUR", "£": "GBP", "pound": "GBP", "pounds": "GBP", "¥": "JPY", "yen": "JPY",
    "rmb": "CNY", "yuan": "CNY", "ntd": "TWD", "rupee": "INR", "rupees": "INR", "₹": "INR",
    "won": "KRW", "₩": "KRW", "real": "BRL", "r$": "BRL", "stg": "GBP", "us$": "USD",
    "zł": "PLN", "zl": "PLN", "rs": "INR", "rs.": "INR", "sfr": "CHF", "fr.": "CHF", "dkr": "DKK",
    "nkr": "NOK", "skr": "SEK", "tl": "TRY", "₺": "TRY", "a$": "AUD", "au$": "AUD", "c$": "CAD",
    "ca$": "CAD", "nz$": "NZD", "hk$": "HKD", "nt$": "TWD", "mx$": "MXN", "s$": "SGD",
    "₽": "RUB", "₴": "UAH", "₪": "ILS", "฿": "THB", "₫": "VND", "₱": "PHP", "₦": "NGN",
    "us": "USD", "usa": "USD", "cdn": "CAD", "eu": "EUR", "uk": "GBP",
    "元": "CNY", "円": "JPY", "kč": "CZK", "ft": "HUF", "lei": "RON", "bath": "THB",
  ]

  /// Abbreviations of time zones, each with a zone that has it.
  private static let timeZones = [
    "pst": "America/Los_Angeles", "pdt": "America/Los_Angeles", "mst": "America/Denver",
    "mdt": "America/Denver", "cst": "America/Chicago", "cdt": "America/Chicago",
    "est": "America/New_York", "edt": "America/New_York", "bst": "Europe/London",
    "eet": "Europe/Athens", "msk": "Europe/Moscow",
    "ist": "Asia/Kolkata", "jst": "Asia/Tokyo", "kst": "Asia/Seoul", "aest": "Australia/Sydney",
  ]

  /// Signs of currencies that are never written as a code.
  private static let signs = [
    "USD": "$", "EUR": "€", "GBP": "£", "JPY": "¥", "INR": "₹", "KRW": "₩",
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
  package func accepts(_ text: String) -> Bool {
    switch self {
    case .version, .paddedVersion, .date, .time, .dateTime: Self.formats(of: text).contains(self)
    case .systemVersion, .model, .timeZone, .country, .currencySymbol, .placement: true
    case .url, .host, .path, .pathComponent, .query, .fragment, .pathExtension: true
    case .decimal: Double(text) != nil
    case .integer: Int64(text) != nil
    default: spelling(of: text) == text
    }
  }
}
