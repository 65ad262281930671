import ExpressionEngine
import ExpressionSyntax
import FilterAnalysis

// Reports tests that no text of an attribute's form passes, or that all of them pass.

extension FilterLinter {
  /// Reports a test of an attribute's text whose result does not depend on the text, unless
  /// something was reported about it.
  ///
  /// - Parameters:
  ///   - argument: The constant.
  mutating func checkTest(
    _ test: AttributeSchema.Attribute.TextTest, of attribute: AttributeSchema.Attribute,
    at argument: NodeID
  ) {
    let span = tree[argument].span
    guard !wasReported(span),
      let result = textForms.result(of: test, for: attribute, dialect: tree.dialect.name)
    else { return }
    let written = text(argument)
    var message: String
    switch test {
    case .equals: message = "`\(attribute.path)` is never `\(written)`"
    case .startsWith: message = "never starts with `\(written)`"
    case .endsWith: message = "never ends with `\(written)`"
    case .contains: message = "never contains `\(written)`"
    case .matches: message = "never matches `\(written)`"
    }
    if result { message = message.replacingFirst("never", by: "always") }
    if case .equals = test {} else { message = "`\(attribute.path)` \(message)" }
    report(
      Diagnostic(
        result ? .alwaysTrue : .impossibleValue, message, at: span,
        label: result ? "no restriction" : "not of that form", notes: Self.forms(of: attribute),
        helps: helpForForm(of: attribute, test)))
  }

  /// Returns a note about what the values of an attribute are, if that is known.
  static func forms(of attribute: AttributeSchema.Attribute) -> [String] {
    let values = attribute.quotedValues
    guard values.isEmpty else { return ["it is one of \(values.joined(separator: ", "))"] }
    guard let format = attribute.format else { return [] }
    return format == .dateTime && attribute.path.nameWords.contains("local")
      ? ["it is a date and time without a zone"] : ["it is \(format.meaning)"]
  }

  private func helpForForm(
    of attribute: AttributeSchema.Attribute, _ test: AttributeSchema.Attribute.TextTest
  ) -> [String] {
    if let help = helpForDate(of: attribute, test) { return [help] }
    if let help = helpForLink(of: attribute, test) ?? helpForMomentPattern(of: attribute, test) {
      return [help]
    }
    if attribute.format == .locale, case .endsWith(let end) = test, end.hasPrefix("-") {
      return ["a locale has a `_` before its region: write `\"_\(end.dropFirst())\"`"]
    }
    guard case .equals(let text) = test else { return helpForCase(of: attribute, test) }
    if let meant = attribute.format?.code(named: text) { return ["did you mean `\"\(meant)\"`?"] }
    switch attribute.format {
    case .language where text.contains("-") || text.contains("_"):
      let locale = attribute.path.replacing("LanguageCode", by: "Locale")
      return schema[locale] == nil
        ? [] : ["it is the language alone; scripts and regions are in `\(locale)`"]
    case .integer where attribute.path == "device.storeFrontId":
      guard
        let code = AttributeSchema.Attribute.Format.storefront.code(named: text)
          ?? (AttributeSchema.Attribute.Format.storefront.isCode(text) == true ? text : nil)
      else { return [] }
      return ["for the country, write `device.storeFrontCountryCode == \"\(code)\"`"]
    case .integer, .decimal:
      return attribute.number(meantBy: text).map { ["write `\"\($0)\"`"] } ?? []
    case .systemVersion
    where text.split(separator: ".").count == 2
      && text.allSatisfy({ $0.isNumber || $0 == "." }):
      return [
        "iOS sends three numbers: write `\"\(text).0\"`, or ask for the beginning: "
          + "`\(attribute.path).startsWith(\"\(text).\")`"
      ]
    case .timeZone:
      let zone = text.uppercased()
      if zone == "CET" || zone == "CEST" || zone == "MEZ" {
        return [
          "for all of Central Europe, compare the offset: `device.timezoneOffset == 3600`, or 7200 "
            + "in summer; or list the zones: `… in [\"Europe/Berlin\", …]`"
        ]
      }
      guard zone.hasPrefix("GMT") || zone.hasPrefix("UTC"),
        let hours = Int(zone.dropFirst(3).drop { $0 == "+" }), (-12...14).contains(hours)
      else { return [] }
      return ["compare the offset: `device.timezoneOffset == \(hours * 3_600)`"]
    case .subdivision:
      let sibling = attribute.path.hasSuffix("Code") ? String(attribute.path.dropLast(4)) : ""
      return schema[sibling] == nil ? [] : ["names are in `\(sibling)`"]
    case .country:
      let code = attribute.path.prefix { $0 != "." } + ".regionCode"
      return text.utf8.count == 2 && schema[String(code)] != nil
        ? ["codes are in `\(code)`, which is about the device and not about the address"] : []
    default: return []
    }
  }

  /// Returns advice for a pattern that no date or time matches.
  private func helpForMomentPattern(
    of attribute: AttributeSchema.Attribute, _ test: AttributeSchema.Attribute.TextTest
  ) -> String? {
    guard case .matches = test else { return nil }
    switch attribute.format {
    case .date, .dateTime:
      return "for a month, look for its beginning: `\(attribute.path).startsWith(\"…\")`"
    case .time:
      return "for an hour, look for its beginning: `\(attribute.path).startsWith(\"…:\")`"
    default: return nil
    }
  }

  /// Returns advice for a text that is another part of a link, or more of it.
  private func helpForLink(
    of attribute: AttributeSchema.Attribute, _ test: AttributeSchema.Attribute.TextTest
  ) -> String? {
    guard let format = attribute.format, format.isLinkPart else { return nil }
    let text: String
    switch test {
    case .equals(let sought), .startsWith(let sought), .endsWith(let sought), .contains(let sought):
      text = sought
    case .matches: return nil
    }
    if text.first == "<", text.last == ">", let bar = text.lastIndex(of: "|") {
      return "without what a chat program adds, it is "
        + "`\"\(text[text.index(after: bar)...].dropLast())\"`"
    }
    let isLink = text.contains(text: "://")
    let root = attribute.path.prefix { $0 != "." }
    let url = schema.attributes(under: String(root)).first { $0.format == .url }
    let path = schema.attributes(under: String(root)).first { $0.format == .path }
    let afterScheme = isLink ? text.split(separator: "/").dropFirst().first.map { String($0) } : nil
    switch format {
    case .url:
      let scheme = text.hasSuffix(":") ? String(text.dropLast()) : text
      if scheme.isPlainName {
        return "for links of a scheme, write `\(attribute.path).startsWith(\"\(scheme):\")`; for a "
          + "host, `params.host == \"\(scheme)\"`"
      }
      return path.map { "a part of it is in another attribute: `\($0.path) == \"/…\"`" }
    case .host:
      let host = afterScheme ?? String(text.prefix { $0 != "/" && $0 != "?" })
      let rest = (afterScheme == nil ? text[...] : text.afterHost).drop { $0 != "/" }
      if case .equals = test, !host.isEmpty, rest.count > 1, let path {
        return "the path is an attribute of its own: "
          + "`\(attribute.path) == \"\(host)\" && \(path.path) == \"\(rest)\"`"
      }
      return host.isEmpty ? nil : "write the host alone: `\"\(host)\"`"
    case .fragment where text == "#", .pathExtension where text == ".", .query where text == "?":
      return "to ask whether there is one, write `\(attribute.path) != \"\"`"
    case .fragment where text.hasPrefix("#"), .pathExtension where text.hasPrefix("."):
      return "write it without the `\(text.prefix(1))`: `\"\(text.dropFirst())\"`"
    case .query where text.hasPrefix("?"):
      return "write it without the `?`: `\"\(text.dropFirst())\"`"
    case .path where text.hasPrefix("?"):
      let query = schema.attributes(under: String(root)).first { $0.format == .query }
      return query.map { "that is in `\($0.path)`, without the `?`" }
    case .path where !isLink && text.contains("?"):
      let own = text.prefix { $0 != "?" }
      return "write the path alone: `\"\(own.hasPrefix("/") ? "" : "/")\(own)\"`; what follows is "
        + "the query"
    case .pathComponent:
      return text.split(separator: "/").last.map { "write the last part alone: `\"\($0)\"`" }
    default: return url.map { "the whole link is in `\($0.path)`" }
    }
  }

  /// Returns advice for a part of a date in another notation: `contains("Dec")`,
  /// `contains("/11/")`, `endsWith("13-10")`.
  func helpForDate(
    of attribute: AttributeSchema.Attribute, _ test: AttributeSchema.Attribute.TextTest
  ) -> String? {
    guard let format = attribute.format, format == .date || format == .dateTime else { return nil }
    let text: String
    switch test {
    case .equals(let whole): text = whole
    case .startsWith(let part), .endsWith(let part), .contains(let part): text = part
    case .matches: return nil
    }
    let letters = text.filter { $0.isLetter }
    let numbers = text.split { !$0.isNumber }.map { String($0) }
    if numbers.isEmpty, let month = CalendarDate.month(named: letters) {
      return
        "for the month, write `\(attribute.path).contains(\"-\(CalendarDate.twoDigits(month))-\")`"
    }
    if numbers.isEmpty, CalendarDate.isWeekday(letters) {
      return Self.noWeekday
    }
    if case .equals = test, let both = CalendarDate.dates(ofAmbiguous: text) {
      return "the year comes first: `\"\(both.monthFirst)\"`, or `\"\(both.dayFirst)\"` if the "
        + "first number is the day"
    }
    guard letters.isEmpty, numbers.allSatisfy({ (1...2).contains($0.utf8.count) }) else {
      return nil
    }
    let parts = numbers.compactMap { Int($0) }
    let two = parts.map { CalendarDate.twoDigits($0) }
    if parts.count == 1, (1...12).contains(parts[0]) {
      return "for the month, write `\(attribute.path).contains(\"-\(two[0])-\")`"
    }
    guard parts.count == 2 else { return nil }
    if case .startsWith = test {
      guard parts[0] > 12, (1...12).contains(parts[1]) else { return nil }
      let year = "for a year, which has four digits, write `\"20\(two[0])-\(two[1])\"`"
      return parts[0] > 31
        ? year
        : "for a day, which comes last, write "
          + "`\(attribute.path).\(attribute.format == .date ? "endsWith" : "contains")"
          + "(\"-\(two[1])-\(two[0])\")`; \(year)"
    }
    let isDayFirst = parts[0] > 12
    let (month, day) = isDayFirst ? (1, 0) : (0, 1)
    guard (1...12).contains(parts[month]),
      (1...CalendarDate.days(in: parts[month], of: 2024)).contains(parts[day])
    else { return nil }
    let sought = "-\(two[month])-\(two[day])"
    return format == .date
      ? "for the day of every year, write `\(attribute.path).endsWith(\"\(sought)\")`"
      : "for the day of every year, write `\(attribute.path).contains(\"\(sought)T\")`"
  }

  /// Returns the part of a value that a text differs from in its case only.
  private func helpForCase(
    of attribute: AttributeSchema.Attribute, _ test: AttributeSchema.Attribute.TextTest
  ) -> [String] {
    let sought: String
    switch test {
    case .startsWith(let text), .endsWith(let text), .contains(let text): sought = text
    default: return []
    }
    for value in attribute.values {
      let lowered = value.lowercased()
      guard let place = lowered.firstOccurrence(of: sought.lowercased()),
        lowered.count == value.count
      else { continue }
      let written = value.dropFirst(lowered[..<place.lowerBound].count).prefix(sought.count)
      return ["write `\"\(written)\"`: texts are compared letter by letter"]
    }
    return []
  }

  /// Reports an identifier of a model that Apple writes in another way, or a name that Apple sells
  /// it under: `"iphone16,2"`, `"iPhone 15 Pro"`.
  mutating func checkModel(
    _ text: String, of attribute: AttributeSchema.Attribute, at argument: NodeID
  ) {
    guard attribute.format == .model else { return }
    for brand in ["Apple ", "Samsung "] where text.hasPrefix(brand) {
      let example = brand == "Apple " ? "iPhone16,2" : "SM-S911B"
      return report(
        Diagnostic(
          .impossibleValue, "no model is written like `\(self.text(argument))`",
          at: tree[argument].span, label: "with the name of the maker",
          notes: ["models are codes such as \"\(example)\""],
          helps: brand == "Apple "
            ? ["write `\"\(text.dropFirst(brand.count))\"`"]
            : ["ask for the code, or for the maker by other means"]))
    }
    guard
      let family = AttributeSchema.Attribute.Format.appleFamilies.first(where: {
        text.lowercased().hasPrefix($0.lowercased())
      })
    else {
      // Macs have models such as "MacBookPro18,3".
      if text.lowercased().contains(text: "pro max") || text == "Pro" && mentions("iOS") {
        reportMarketingName(at: argument)
      }
      return
    }
    let rest = text.dropFirst(family.count)
    let hasForm = rest.utf8.allSatisfy { $0 &- 0x30 < 10 || $0 == 0x2C }
    let isEquality = [.binary, .list].contains(tree[parent(of: argument)].kind)
    if isEquality, text.hasPrefix(family), rest.utf8.allSatisfy({ $0 &- 0x30 < 10 }) {
      return reportBeginning(text, of: attribute, at: argument)
    }
    guard !text.hasPrefix(family) || !hasForm else { return }
    let number = rest.filter { $0 == "." || $0 == "," || $0.isNumber }
    let isIdentifier = rest == number && !rest.isEmpty
    let right = "\"\(family)\(number.map { $0 == "." ? "," : String($0) }.joined())\""
    let span = tree[argument].span
    report(
      Diagnostic(
        hasForm ? .wrongCase : .impossibleValue,
        "no model is written like `\(self.text(argument))`", at: span,
        label: hasForm ? "wrong case" : "not an identifier",
        notes: [Self.identifiersOfModels],
        helps: isIdentifier || hasForm
          ? []
          : (text.lowercased() == "iphone 15 pro max" ? ["write `\"iPhone16,2\"`"] : [])
            + [
              number.isEmpty
                ? "for every model of the family, write `startsWith(\"\(family)\")`"
                : "list the identifiers that are meant: `\(attribute.path) in [\"\(family)…\"]`"
            ],
        fixIts: isIdentifier || hasForm
          ? [Diagnostic.FixIt(write: right, at: span)] : []))
  }

  private static let identifiersOfModels =
    "identifiers look like \"iPhone16,2\", which is sold as iPhone 15 Pro Max"

  /// Reports `device.deviceModel == "iPad"` and `"iPhone15"`, which are only beginnings of models.
  private mutating func reportBeginning(
    _ text: String, of attribute: AttributeSchema.Attribute, at argument: NodeID
  ) {
    let beginning = text.last?.isNumber == true ? text + "," : text
    report(
      Diagnostic(
        .impossibleValue, "`\(attribute.path)` is never `\"\(text)\"`", at: tree[argument].span,
        label: "only the beginning", notes: [Self.identifiersOfModels],
        helps: ["for all of them, write `\(attribute.path).startsWith(\"\(beginning)\")`"]))
  }

  /// Reports `device.deviceModel.contains("Pro Max")`, a part of names that Apple sells under.
  private mutating func reportMarketingName(at argument: NodeID) {
    report(
      Diagnostic(
        .impossibleValue, "no model is written like `\(text(argument))`", at: tree[argument].span,
        label: "a name that it is sold under", notes: [Self.identifiersOfModels],
        helps: ["ask for the identifiers of these models"]))
  }

  /// Reports a usual value of an attribute in another case.
  mutating func checkUsualValue(
    _ text: String, of attribute: AttributeSchema.Attribute, at argument: NodeID
  ) {
    guard !attribute.usualValues.contains(text),
      let right = attribute.usualValues.first(where: { $0.lowercased() == text.lowercased() })
    else { return }
    let span = tree[argument].span
    report(
      Diagnostic(
        .wrongCase, "`\(attribute.path)` is `\"\(right)\"`, in this case", at: span,
        label: "wrong case", notes: ["texts are compared letter by letter"],
        fixIts: [Diagnostic.FixIt(write: "\"\(right)\"", at: span)])
    )
  }
}

extension String {
  /// The rest of a link from its host on.
  fileprivate var afterHost: Substring {
    guard let scheme = firstOccurrence(of: "://") else { return self[...] }
    return self[scheme.upperBound...]
  }

  func replacingFirst(_ word: String, by other: String) -> String {
    guard let range = firstOccurrence(of: word) else { return self }
    return self[..<range.lowerBound] + other + self[range.upperBound...]
  }
}
