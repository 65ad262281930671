import ExpressionEngine
import ExpressionPrinting
import ExpressionSyntax
import FilterAnalysis

// Reports constants that the attribute never equals.

extension FilterLinter {
  /// Checks the constant that an attribute is compared with.
  mutating func checkValue(
    _ comparison: ConstantComparison, _ attribute: AttributeSchema.Attribute
  ) {
    // What is wrong with its letters was said.
    let span = tree[comparison.constant].span
    guard !diagnostics.suffix(2).contains(where: { $0.id == .wildcardInText && $0.overlaps(span) })
    else { return }
    if comparison.isEquality {
      checkKnownValue(
        attribute, comparison.value, at: comparison.constant,
        isInequality: comparison.op == .notEqual)
    }
    checkVersion(comparison, attribute)
    if case .string(let text) = comparison.value {
      checkVersionLetter(text, at: comparison.constant, attribute)
    }
    if !checkMoment(comparison.value, at: comparison.constant, attribute) {
      checkWholeMoment(comparison, attribute)
    }
    guard case .string(let text) = comparison.value, comparison.isEquality else { return }
    // To exclude a version that does not exist excludes none.
    if attribute.format == .systemVersion, comparison.op == .notEqual { return }
    checkEqualText(text, at: comparison.constant, attribute)
  }

  /// Checks a text that an attribute is equal to, or that is an element of a list of such texts.
  mutating func checkEqualText(
    _ text: String, at argument: NodeID, _ attribute: AttributeSchema.Attribute
  ) {
    guard !text.isEmpty else { return checkNoPlacement(attribute, at: argument) }
    checkModel(text, of: attribute, at: argument)
    if attribute.path.hasSuffix("undleId"), text.contains(" ") || !text.contains(".") {
      report(
        Diagnostic(
          .impossibleValue, "`\(attribute.path)` is never `\(self.text(argument))`",
          at: tree[argument].span, label: "not an id",
          notes: ["ids of apps are names with dots, such as \"com.acme.app\""]))
    }
    checkUsualValue(text, of: attribute, at: argument)
    checkPlacement(text, of: attribute, at: argument)
    checkName(text, of: attribute, at: argument)
    checkLanguage(text, of: attribute, at: argument)
    checkContinent(text, of: attribute, at: argument)
    checkSubdivision(text, of: attribute, at: argument)
    checkPrice(text, of: attribute, at: argument)
    checkShortVersion(text, at: argument, attribute)
    checkTest(.equals(text), of: attribute, at: argument)
  }

  /// Reports `params.event_name == ""`: every placement has a name.
  private mutating func checkNoPlacement(
    _ attribute: AttributeSchema.Attribute, at argument: NodeID
  ) {
    guard attribute.format == .placement, tree[parent(of: argument)].op == .equal else { return }
    report(
      Diagnostic(
        .impossibleValue, "`\(attribute.path)` is never empty", at: tree[argument].span,
        label: "a name is missing", notes: ["it is the name of the placement"],
        helps: ["write a name, such as `\"session_start\"`"]))
  }

  /// Reports `"Deutschland"` and `"GBP"`, where names are English and a sign is not a code.
  private mutating func checkName(
    _ text: String, of attribute: AttributeSchema.Attribute, at argument: NodeID
  ) {
    let named: [AttributeSchema.Attribute.Format] = [
      .country, .currencySymbol, .subdivision, .locale, .timeZone,
    ]
    guard let format = attribute.format, named.contains(format), !wasReported(tree[argument].span),
      let meant = format.code(named: text), meant != text
    else { return }
    let span = tree[argument].span
    report(
      Diagnostic(
        .impossibleValue, "`\(attribute.path)` is never `\(self.text(argument))`", at: span,
        label: "not of that form", notes: ["it is \(format.meaning)"],
        fixIts: [Diagnostic.FixIt(write: "\"\(meant)\"", at: span)]))
  }

  /// Reports `device.ipCountry == "Europe"`, a value of another attribute.
  private mutating func checkContinent(
    _ text: String, of attribute: AttributeSchema.Attribute, at argument: NodeID
  ) {
    guard attribute.format == .country, !wasReported(tree[argument].span),
      let other = attributeWith(text, besides: attribute), other.path.hasSuffix("Continent"),
      text != "Australia"
    else { return }
    report(
      Diagnostic(
        .impossibleValue, "`\(attribute.path)` is never `\(self.text(argument))`",
        at: tree[argument].span, label: "not a country",
        helps: ["compare the continent: `\(other.path) == \"\(other.value)\"`"]))
  }

  /// Reports `device.ipRegion == "CA"`, a code where names are.
  private mutating func checkSubdivision(
    _ text: String, of attribute: AttributeSchema.Attribute, at argument: NodeID
  ) {
    let sibling = attribute.path + "Code"
    guard schema[sibling]?.format == .subdivision, text.utf8.count == 2,
      text == text.uppercased(), !wasReported(tree[argument].span)
    else { return }
    report(
      Diagnostic(
        .impossibleValue, "`\(attribute.path)` is never `\(self.text(argument))`",
        at: tree[argument].span, label: "a code", notes: ["it is a name, such as \"California\""],
        helps: ["compare the code: `\(sibling) == \(self.text(argument))`"]))
  }

  /// Reports `params.primary_product_price == "9.99"`: prices have the sign of a currency.
  private mutating func checkPrice(
    _ text: String, of attribute: AttributeSchema.Attribute, at argument: NodeID
  ) {
    let words = attribute.path.nameWords
    guard words.last == "price", attribute.format == nil, Double(text) != nil,
      AttributeSchema.builtIn[attribute.path] != nil, !wasReported(tree[argument].span)
    else { return }
    let number = schema.sorted.first { other in
      other.format == .decimal && other.path.nameWords.filter { $0 != "raw" } == words
    }
    report(
      Diagnostic(
        .impossibleValue, "`\(attribute.path)` is never `\(self.text(argument))`",
        at: tree[argument].span, label: "without a sign",
        notes: ["it is a text for people, with the sign of a currency"],
        helps: number.map { ["the number is in `\($0.path)`"] } ?? []))
  }

  /// Reports a locale that is only a language.
  private mutating func checkLanguage(
    _ text: String, of attribute: AttributeSchema.Attribute, at argument: NodeID
  ) {
    guard attribute.format == .locale, text.utf8.count == 2,
      AttributeSchema.Attribute.Format.language.isCode(text) == true
    else { return }
    let sibling =
      attribute.path.hasSuffix("Locale") ? attribute.path.dropLast(6) + "LanguageCode" : ""
    report(
      Diagnostic(
        .impossibleValue, "a locale has a region: `\"\(text)\"` is only a language",
        at: tree[argument].span, label: "a language",
        notes: ["its values look like \"sv_SE\""],
        helps: [
          schema[String(sibling)] == nil
            ? "write `\(attribute.path).startsWith(\"\(text)\")`"
            : "compare the language: `\(sibling) == \"\(text)\"`"
        ]
          + (AttributeSchema.Attribute.Format.region.isCode(text.uppercased()) == true
            && tree[parent(of: argument)].kind == .list
            ? ["for the region, write `\(attribute.path).endsWith(\"_\(text.uppercased())\")`"]
            : [])))
  }

  mutating func checkKnownValue(
    _ attribute: AttributeSchema.Attribute, _ value: Value, at id: NodeID, isInequality: Bool?
  ) {
    guard case .string(let text) = value, !text.isEmpty else { return }
    if attribute.values.isEmpty { return checkForm(attribute, text, at: id) }
    guard !attribute.values.contains(text) else { return }
    let span = tree[id].span
    let result = isInequality.map { "so this is always \($0)" } ?? "so it never counts"
    if let right = attribute.values.first(where: { $0.lowercased() == text.lowercased() }) {
      let literal = LiteralSpelling.string(
        Array(right.utf8), preferRaw: false, dialect: tree.dialect)
      report(
        Diagnostic(
          .wrongCase, "`\(attribute.path)` is never `\"\(text)\"`", at: span,
          label: "wrong case", notes: ["texts are compared letter by letter, \(result)"],
          fixIts: [Diagnostic.FixIt(write: literal, at: span)]))
      return
    }
    let plain = [" or ", " and ", " & "].reduce(text) { $0.replacing($1, by: ",") as String }
    let list = ListedTexts(plain, separators: ",|;/").map { part in
      let (meant, isSame) = Self.values(meantBy: part, among: attribute.values)
      return isSame && meant.count == 1 ? meant[0] : part
    }
    if list.texts.count > 1, list.texts.allSatisfy(attribute.values.contains) {
      let written = list.membership(of: attribute.path, isNegated: isInequality == true)
      return report(
        Diagnostic(
          .impossibleValue, "`\(attribute.path)` is never `\"\(text)\"`", at: span,
          label: "several values in one text", notes: ["it is one of them, \(result)"],
          helps: ["write `\(written)`"]))
    }
    let known = attribute.quotedValues.joined(separator: ", ")
    let (closest, isSame) = Self.values(meantBy: text, among: attribute.values)
    // Australia is a country, and a name of its continent.
    let country =
      attribute.path == "device.ipContinent" && isInequality == false && text.utf8.count > 3
      ? AttributeSchema.Attribute.Format.country.code(named: text) : nil
    let isCertain = isSame && closest.count == 1
    report(
      Diagnostic(
        .impossibleValue, "`\(attribute.path)` is never `\"\(text)\"`", at: span,
        label: "not one of its values",
        notes: [
          "it is one of \(known)\(attribute.values.contains("") ? ", or empty" : ""), \(result)"
        ],
        helps: [
          isCertain
            ? nil
            : helpForUnknownValue(
              text, of: attribute, closest: closest, isInequality: isInequality == true,
              isInList: tree[parent(of: id)].kind == .list),
          country.map { "for the country, write `device.ipCountry == \"\($0)\"`" },
        ].compactMap { $0 },
        fixIts: isCertain ? [Diagnostic.FixIt(write: "\"\(closest[0])\"", at: span)] : []))
  }

  /// Returns advice for a text that is not a value of an attribute.
  ///
  /// - Parameter closest: The values that it may mean.
  private func helpForUnknownValue(
    _ text: String, of attribute: AttributeSchema.Attribute, closest: [String],
    isInequality: Bool, isInList: Bool
  ) -> String? {
    if let instead = Self.otherConditions[text.lowercased()], attribute.path == "device.platform" {
      if isInList { return "its platform is \"iOS\": leave it out" }
      return "its platform is \"iOS\"; write `\(instead)`"
    }
    if Self.wordsOfPeriods.contains(text.lowercased()), attribute.path.hasSuffix("PeriodType") {
      return "the length of a period is not known; ask for the product: "
        + "`device.activeProducts.contains(\"…\")`"
    }
    if text.lowercased().hasPrefix("cancel"), attribute.path.hasSuffix("SubscriptionState") {
      return
        "of one who cancelled, `device.latestSubscriptionWillAutoRenew` is false, beside "
        + "`has(device.latestSubscriptionWillAutoRenew)`, and the state is `\"expired\"` later"
    }
    if closest.isEmpty {
      let other = attributeWith(text, besides: attribute).map { other in
        "`\(other.path) \(isInequality ? "!=" : "==") \"\(other.value)\"`"
      }
      if let own = Self.statusValues[attribute.path]?[text.lowercased()] {
        // All users without a subscription are inactive, not only those who had one.
        guard own == "INACTIVE" else { return "did you mean `\"\(own)\"`?" }
        return isInequality || other == nil
          ? "did you mean `\"\(own)\"`, which all users without a subscription have?"
          : "users without a subscription have `\"\(own)\"`; those who had one, \(other ?? "")"
      }
      return other.map { "that is a value of another attribute: \($0)" }
    }
    if closest.count > 4, closest.allSatisfy({ $0.lowercased().hasPrefix(text.lowercased()) }) {
      let start = closest[0].prefix(text.count)
      return "to ask for all of them, write `\(attribute.path).startsWith(\"\(start)\")`"
    }
    return closest.count > 4
      ? nil : "did you mean \(closest.map { "`\"\($0)\"`" }.joined(separator: " or "))?"
  }

  /// The states of subscriptions by the words of other attributes and other tools.
  private static let statusValues = [
    "device.subscriptionStatus": [
      "subscribed": "ACTIVE", "paid": "ACTIVE",
      "premium": "ACTIVE", "ingraceperiod": "ACTIVE", "expired": "INACTIVE",
      "revoked": "INACTIVE", "unsubscribed": "INACTIVE", "churned": "INACTIVE", "free": "INACTIVE",
      "lapsed": "INACTIVE", "none": "INACTIVE",
    ],
    "device.latestSubscriptionState": [
      "active": "subscribed", "inactive": "expired", "unsubscribed": "expired",
      "lapsed": "expired", "churned": "expired",
    ],
  ]

  /// Returns the attribute under the same root that has a text as a value, in whatever case.
  func attributeWith(
    _ text: String, besides attribute: AttributeSchema.Attribute
  ) -> (path: String, value: String)? {
    let root = attribute.path.prefix { $0 != "." }
    let key = text.nameKey
    guard !key.isEmpty, schema[attribute.path] != nil else { return nil }
    for other in schema.attributes(under: String(root)) where other.path != attribute.path {
      if let value = other.values.first(where: { $0.nameKey == key }) { return (other.path, value) }
    }
    return nil
  }

  /// Systems of Apple's that send `iOS` as their platform, and the condition for each.
  private static let otherConditions = [
    "ipados": "device.interfaceType == \"ipad\"", "visionos": "device.interfaceType == \"vision\"",
    "tvos": "device.interfaceType == \"tv\"", "carplay": "device.interfaceType == \"carplay\"",
  ]

  static let wordsOfPeriods: Set<String> = [
    "yearly", "annual", "annually", "year", "monthly", "month", "weekly", "week", "lifetime",
    "quarterly",
  ]

  /// Other words for values of the SDKs.
  private static let valueSynonyms: [String: [String]] = [
    "desktop": ["mac"], "computer": ["mac"], "tablet": ["ipad"], "phone": ["iphone"],
    "offline": ["No Internet"], "none": ["No Internet", "INACTIVE"], "lte": ["Cellular"],
    "4g": ["Cellular"],
    "5g": ["Cellular"], "3g": ["Cellular"], "mobile": ["Cellular"], "wlan": ["Wifi"],
    "active": ["subscribed"], "australia": ["Oceania"], "osx": ["macOS"], "event": ["placement"],
    "na": ["North America"], "sa": ["South America"], "af": ["Africa"], "as": ["Asia"],
    "oc": ["Oceania"], "latin america": ["South America"], "latam": ["South America"],
    "eu": ["Europe"],
    "middle east": ["Asia"], "us": ["North America"], "usa": ["North America"], "medium": ["mid"],
    "accessibilityextralarge": ["accessibilityXLarge"],
    "accessibilityextraextralarge": ["accessibilityXXLarge"],
    "extralarge": ["xLarge"], "extraextralarge": ["xxLarge"], "extraextraextralarge": ["xxxLarge"],
    "extrasmall": ["xSmall"], "canceled": ["expired"],
    "night": ["Dark"], "black": ["Dark"], "day": ["Light"], "white": ["Light"],
    "appletv": ["tv"], "google": ["Android"], "googleplay": ["Android"], "play": ["Android"],
    "playstore": ["Android"], "apple": ["iOS"], "appstore": ["iOS"], "free": ["INACTIVE"],
    "no": ["INACTIVE"], "yes": ["ACTIVE"], "paid": ["ACTIVE"], "subscriber": ["ACTIVE"],
    "lapsed": ["expired"], "grace": ["inGracePeriod"], "refunded": ["revoked"],
  ]

  /// Returns the values that a text means, and whether it is one of them in another spelling.
  static func values(
    meantBy text: String, among values: [String]
  ) -> (values: [String], isSame: Bool) {
    let key = text.nameKey
    let same = values.filter { $0.nameKey == key && !key.isEmpty }
    if !same.isEmpty { return (same, true) }
    if let known = valueSynonyms[key]?.filter({ values.contains($0) }), !known.isEmpty {
      return (known, false)
    }
    // "ungated" is the opposite of "GATED", and so is "NON_GATED".
    for denial in ["un", "non", "not", "in"] where key.hasPrefix(denial) {
      let denied = key.dropFirst(denial.utf8.count)
      guard values.contains(where: { $0.nameKey == denied }) else { continue }
      return (values.filter { $0.nameKey != denied && $0.nameKey.hasSuffix(denied) }, false)
    }
    let words = Set(text.nameWords)
    let sharing = values.filter { value in
      let own = value.nameWords
      // "accessibilitySmall" is not "small": the other word belongs to other values.
      let others = words.subtracting(own)
      if values.contains(where: { $0 != value && !others.isDisjoint(with: $0.nameWords) }) {
        return false
      }
      return !own.isEmpty && (own.allSatisfy(words.contains) || words.allSatisfy(own.contains))
        || key.utf8.count >= 2 && (value.nameKey.hasPrefix(key) || key.hasPrefix(value.nameKey))
          && !value.isEmpty
    }
    if !sharing.isEmpty { return (sharing, false) }
    return (Suggestions.closest(to: text, among: values), false)
  }
}
