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
    guard !text.isEmpty else { return }
    checkModel(text, of: attribute, at: argument)
    checkUsualValue(text, of: attribute, at: argument)
    checkPlacement(text, of: attribute, at: argument)
    checkName(text, of: attribute, at: argument)
    checkLanguage(text, of: attribute, at: argument)
    checkContinent(text, of: attribute, at: argument)
    checkTest(.equals(text), of: attribute, at: argument)
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
        ]))
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
    let parts = text.split { ",|;/".contains($0) }.map { $0.trimmed }
    if parts.count > 1, parts.allSatisfy(attribute.values.contains) {
      let list = "[\(parts.map { "\"\($0)\"" }.joined(separator: ", "))]"
      let written = "\(attribute.path) in \(list)"
      return report(
        Diagnostic(
          .impossibleValue, "`\(attribute.path)` is never `\"\(text)\"`", at: span,
          label: "several values in one text", notes: ["it is one of them, \(result)"],
          helps: ["write `\(isInequality == true ? "!(\(written))" : written)`"]))
    }
    let known = attribute.values.filter { !$0.isEmpty }.map { "\"\($0)\"" }.joined(separator: ", ")
    let (closest, isSame) = Self.values(meantBy: text, among: attribute.values)
    let isCertain = isSame && closest.count == 1
    report(
      Diagnostic(
        .impossibleValue, "`\(attribute.path)` is never `\"\(text)\"`", at: span,
        label: "not one of its values", notes: ["it is one of \(known), \(result)"],
        helps: isCertain
          ? [] : helpForUnknownValue(text, of: attribute, closest: closest).map { [$0] } ?? [],
        fixIts: isCertain ? [Diagnostic.FixIt(write: "\"\(closest[0])\"", at: span)] : []))
  }

  /// Returns advice for a text that is not a value of an attribute.
  ///
  /// - Parameter closest: The values that it may mean.
  private func helpForUnknownValue(
    _ text: String, of attribute: AttributeSchema.Attribute, closest: [String]
  ) -> String? {
    if closest.count > 2, closest.allSatisfy({ $0.lowercased().hasPrefix(text.lowercased()) }) {
      let start = closest[0].prefix(text.count)
      return "to ask for all of them, write `\(attribute.path).startsWith(\"\(start)\")`"
    }
    if let instead = Self.otherConditions[text.lowercased()], attribute.path == "device.platform" {
      return "its platform is \"iOS\"; write `\(instead)`"
    }
    if text.lowercased().hasPrefix("cancel"), attribute.path.hasSuffix("SubscriptionState") {
      return
        "one who cancelled has `device.latestSubscriptionWillAutoRenew == false`, and later the "
        + "state `\"expired\"`"
    }
    if closest.isEmpty {
      return attributeWith(text, besides: attribute).map { other in
        "that is a value of `\(other.path)`: `\(other.path) == \"\(other.value)\"`"
      }
    }
    return closest.count > 4
      ? nil : "did you mean \(closest.map { "`\"\($0)\"`" }.joined(separator: " or "))?"
  }

  /// Returns the attribute under the same root that has a text as a value, in whatever case.
  private func attributeWith(
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

  /// Other words for values of the SDKs.
  private static let valueSynonyms: [String: [String]] = [
    "desktop": ["mac"], "computer": ["mac"], "tablet": ["ipad"], "phone": ["iphone"],
    "offline": ["No Internet"], "none": ["No Internet"], "lte": ["Cellular"], "4g": ["Cellular"],
    "5g": ["Cellular"], "3g": ["Cellular"], "mobile": ["Cellular"], "wlan": ["Wifi"],
    "active": ["subscribed"], "australia": ["Oceania"], "osx": ["macOS"], "event": ["placement"],
    "us": ["North America"], "usa": ["North America"], "medium": ["mid"],
    "extralarge": ["xLarge"], "extrasmall": ["xSmall"], "canceled": ["expired"],
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
    let words = Set(text.nameWords)
    let sharing = values.filter { value in
      let own = value.nameWords
      return !own.isEmpty && (own.allSatisfy(words.contains) || words.allSatisfy(own.contains))
        || key.utf8.count >= 2 && (value.nameKey.hasPrefix(key) || key.hasPrefix(value.nameKey))
          && !value.isEmpty
    }
    if !sharing.isEmpty { return (sharing, false) }
    return (Suggestions.closest(to: text, among: values), false)
  }

  /// Reports a date or a time in another notation, whose order as text means nothing, and a date
  /// that does not exist.
  ///
  /// - Parameter isBeginning: Whether the text is the beginning of a value.
  /// - Returns: Whether it did.
  @discardableResult
  mutating func checkMoment(
    _ value: Value, at id: NodeID, _ attribute: AttributeSchema.Attribute,
    isBeginning: Bool = false
  ) -> Bool {
    guard case .string(let text) = value, !text.isEmpty, let format = attribute.format,
      let sample = format.sample, [.date, .time, .dateTime].contains(format)
    else { return false }
    let otherNotation = "`\"\(text)\"` is not written like `\(attribute.path)`"
    let looks = "its values look like \"\(sample)\", and texts are compared letter by letter"
    // "2026-11-2" is the beginning of ten days.
    let isOpen = isBeginning && format.isBeginning(text) && CalendarDate.exists(text)
    if format != .time, !isOpen, let right = CalendarDate.padded(text) {
      return reportMoment(
        otherNotation, at: id, label: "without a zero before a single digit", note: looks,
        fix: right)
    }
    if !format.isBeginning(text) {
      return reportMoment(
        otherNotation, at: id, label: format == .time ? "not such a time" : "not such a date",
        note: looks,
        help: helpForDate(of: attribute, isBeginning ? .startsWith(text) : .equals(text)),
        fix: momentMeant(by: text, format))
    }
    if format == .time {
      return !CalendarDate.isTime(text)
        && reportMoment(
          "there is no time `\(text)`", at: id, label: "not on a clock", note: Self.timesOfDay,
          fix: text.utf8.count == 1 ? "0\(text)" : nil)
    }
    if !CalendarDate.exists(text) {
      return reportMoment(
        "there is no date `\(text.prefix(10))`", at: id, label: "not in the calendar",
        note: "months are 01 to 12, and have 28 to 31 days")
    }
    guard format == .dateTime else { return false }
    if let right = CalendarDate.utc(from: text) {
      let isLocal = attribute.path.nameWords.contains("local")
      return reportMoment(
        "`\(attribute.path)` is not in this time zone", at: id, label: "with an offset",
        note: "texts are compared letter by letter, and the offset does not count",
        help: isLocal ? "write the local time, without an offset" : nil,
        fix: isLocal ? nil : right)
    }
    guard let mark = text.firstIndex(of: "T") else { return false }
    let time = text[text.index(after: mark)...]
    return !CalendarDate.isTime(String(time.prefix(8)))
      && reportMoment(
        "there is no time `\(time)`", at: id, label: "not on a clock", note: Self.timesOfDay)
  }

  private static let timesOfDay = "times are \"00:00:00\" to \"23:59:59\""

  /// Reports a text that no date or time is.
  ///
  /// - Parameter fix: The text to write instead.
  /// - Returns: `true`.
  private mutating func reportMoment(
    _ message: String, at id: NodeID, label: String, note: String, help: String? = nil,
    fix: String? = nil
  ) -> Bool {
    let span = tree[id].span
    report(
      Diagnostic(
        .impossibleValue, message, at: span, label: label, notes: [note],
        helps: help.map { [$0] } ?? [],
        fixIts: fix.map { [Diagnostic.FixIt(write: "\"\($0)\"", at: span)] } ?? []))
    return true
  }

  /// Returns the text in the form of an attribute that another notation of a moment means.
  private func momentMeant(
    by text: String, _ format: AttributeSchema.Attribute.Format
  ) -> String? {
    switch format {
    case .time:
      // "09." is the beginning of an hour.
      if text.last == ".", text.utf8.count == 3 { return "\(text.dropLast()):" }
      return CalendarDate.timeOfDay(from: text)
    case .date: return CalendarDate.date(from: text)
    default:
      let parts = text.split(separator: " ")
      guard parts.count == 2, let time = CalendarDate.time(from: String(parts[1])) else {
        return CalendarDate.date(from: text)
      }
      let day = String(parts[0])
      guard AttributeSchema.Attribute.Format.formats(of: day).contains(.date) else { return nil }
      return "\(day)T\(time)"
    }
  }

  /// Reports a date or a time that is shorter or longer than those of the attribute, as far as the
  /// result depends on it.
  private mutating func checkWholeMoment(
    _ comparison: ConstantComparison, _ attribute: AttributeSchema.Attribute
  ) {
    guard case .string(let text) = comparison.value, let format = attribute.format else { return }
    if format == .dateTime { return checkDay(text, comparison, attribute) }
    guard format == .date || format == .time, let sample = format.sample else { return }
    let (count, whole) = (text.utf8.count, sample.utf8.count)
    // The beginning of a date orders as the date does, but equals none.
    guard count > whole || count < whole && comparison.isEquality else { return }
    var right: String?
    var helps: [String] = []
    if count > whole, format == .time {
      let isUniversal = attribute.path.nameWords.contains("utc")
      right = isUniversal || text.hasSuffix("Z") ? CalendarDate.utc(from: text) : nil
      if isUniversal, text.hasSuffix("Z") { right = String(text.prefix(whole)) }
      helps = ["write the time alone, without a zone"]
    } else if count > whole {
      let isMidnight = text.dropFirst(whole + 1).allSatisfy { "0:Z.".contains($0) }
      let sibling = attribute.path + "Time"
      right = isMidnight || schema[sibling] == nil ? String(text.prefix(whole)) : nil
      let moment = text.prefix(19)
      helps = [
        "compare moments: `\(sibling) \(comparison.op.spelling) \"\(moment)\"`"
      ]
    } else if format == .time, count == "18:30".utf8.count, !comparison.isEquality {
      right = text + ":00"
    }
    let span = tree[comparison.constant].span
    let fixes = right.map { right in
      [Diagnostic.FixIt(write: "\"\(right)\"", at: span)]
    }
    report(
      Diagnostic(
        .impossibleValue,
        count > whole
          ? "`\"\(text)\"` is longer than the values of `\(attribute.path)`"
          : "`\(attribute.path)` is never `\"\(text)\"`", at: span,
        label: count > whole ? "with more than a \(format.rawValue)" : "only the beginning",
        notes: ["its values look like \"\(sample)\", and texts are compared letter by letter"],
        helps: fixes != nil
          ? []
          : helps.isEmpty
            ? ["write `\(self.text(comparison.subject)).startsWith(\"\(text)\")`"] : helps,
        fixIts: fixes ?? []))
  }

  /// Reports `device.localDateTime <= "2026-03-31"`, which leaves that day out: its moments are
  /// longer texts, and so come after it.
  private mutating func checkDay(
    _ text: String, _ comparison: ConstantComparison, _ attribute: AttributeSchema.Attribute
  ) {
    guard AttributeSchema.Attribute.Format.formats(of: text).contains(.date),
      comparison.isEquality || comparison.op == .lessEqual
    else { return }
    let subject = self.text(comparison.subject)
    let literal = self.text(comparison.constant)
    let isEquality = comparison.isEquality
    let message =
      isEquality
      ? "`\(subject)` has a time, too"
      : "every moment of \(text) comes after `\(literal)`"
    let sibling = attribute.path.hasSuffix("DateTime") ? String(attribute.path.dropLast(4)) : ""
    let isNegated = comparison.op == .notEqual
    let starts = "\(isNegated ? "!" : "")\(subject).startsWith(\(literal))"
    report(
      Diagnostic(
        .impossibleValue, message, at: tree[comparison.constant].span, label: "only a day",
        notes: [
          isEquality
            ? "so this is always \(isNegated)"
            : "so the day itself does not count"
        ],
        helps: [
          schema[sibling] != nil
            ? "compare days: `\(sibling) \(comparison.op.spelling) \(literal)`"
            : isEquality
              ? "write `\(starts)`"
              : "compare with the day after: "
                + "`\(subject) < \"\(CalendarDate.nextDay(after: text) ?? "…")\"`"
        ]))
  }

  /// Reports an element of a list that is outside the attribute's range.
  mutating func checkElementRange(
    _ value: Value, at id: NodeID, _ attribute: AttributeSchema.Attribute
  ) {
    guard let low = attribute.minimum, let number = value.plainNumber,
      number < Double(low) || attribute.maximum.map({ number > Double($0) }) ?? false
    else { return }
    let range = attribute.maximum.map { "from \(low) to \($0)" } ?? "at least \(low)"
    report(
      Diagnostic(
        .impossibleValue, "`\(attribute.path)` is never `\(text(id))`", at: tree[id].span,
        label: "it is \(range)", notes: ["so this element never counts"]))
  }
}
