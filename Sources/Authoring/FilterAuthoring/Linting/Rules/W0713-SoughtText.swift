import ExpressionEngine
import ExpressionPrinting
import ExpressionSyntax
import FilterAnalysis

// Reports searches for texts that the attribute never has.

extension FilterLinter {
  /// Reports a text that no value of the attribute starts with, and a `*` that was meant for any
  /// text.
  mutating func checkSoughtText(_ node: SyntaxNode, _ name: String) {
    guard ["startsWith", "endsWith", "contains"].contains(name), let receiver = node.receiver,
      environment.deviceFunctions[name] == nil, environment.computedFunctions[name] == nil,
      node.childCount == 1, let argument = tree.arguments(of: node).first,
      case .string(let text)? = tree.constant(of: argument)
    else { return }
    guard !text.isEmpty else { return reportEmptyText(receiver, at: argument) }
    if checkWildcard(receiver, name, text, at: argument) { return }
    if name == "startsWith" {
      if reportDomain(receiver, text, "starts with", at: argument) { return }
      checkBeginning(receiver, text, at: argument)
    }
    if name == "endsWith", checkEndOfAddress(receiver, text, at: argument) { return }
    if name == "contains", checkListedIDs(receiver, text, at: argument) { return }
    if name == "contains", checkUnpaddedPart(receiver, text, at: argument) { return }
    checkSought(text, name, in: receiver, at: argument)
  }

  /// Reports `device.appVersionPadded.contains("2.1")`: a part of `"012.100.000"`, and not of
  /// `"002.001.000"`. Returns whether it did.
  private mutating func checkUnpaddedPart(
    _ receiver: NodeID, _ text: String, at argument: NodeID
  ) -> Bool {
    let numbers = text.split(separator: ".")
    guard knownAttribute(receiver)?.format == .paddedVersion,
      AttributeSchema.Attribute.Format.isVersion(text), numbers.count <= 3,
      numbers.allSatisfy({ $0.utf8.count <= 3 }),
      !numbers.dropLast().allSatisfy({ $0.utf8.count == 3 })
    else { return false }
    let padded = Self.padded(text).split(separator: ".").prefix(numbers.count)
    let end = numbers.count == 2 ? "." : ""
    report(
      Diagnostic(
        .unpaddedVersion, "a part of an unpadded version", at: tree[argument].span,
        label: "not padded", notes: ["its versions look like \"\(Self.padded(text))\""],
        helps: [
          "write `\(self.text(receiver)).startsWith(\"\(padded.joined(separator: "."))\(end)\")`"
        ]))
    return true
  }

  /// Reports `device.activeEntitlements.contains("pro,plus")`, in which no element has a comma.
  private mutating func checkListedIDs(
    _ receiver: NodeID, _ text: String, at argument: NodeID
  ) -> Bool {
    guard knownAttribute(receiver)?.type == .list(.string) || isListByName(receiver) else {
      return false
    }
    if let end = text.last, ".-_".contains(end), text.count > 2 {
      report(
        Diagnostic(
          .impossibleValue, "elements are compared as a whole", at: tree[argument].span,
          label: "the beginning of one",
          helps: [
            "write `\(self.text(receiver)).exists(x, x.startsWith(\(self.text(argument))))`"
          ]))
      return true
    }
    let parts = ListedTexts(text, separators: ",;|").texts
    guard parts.count > 1, parts.allSatisfy({ !$0.isEmpty }) else { return false }
    let calls = parts.map { "\(self.text(receiver)).contains(\"\($0)\")" }
    report(
      Diagnostic(
        .impossibleValue, "no element is called `\(self.text(argument))`", at: tree[argument].span,
        label: "several names in one text",
        helps: ["for one of them, write `(\(calls.joined(separator: " || ")))`"]))
    return true
  }

  /// Reports `user.email == "@acme.com"` and `startsWith("@acme.com")`: an address ends with its
  /// domain. Returns whether it did.
  mutating func reportDomain(
    _ subject: NodeID, _ text: String, _ verb: String, at constant: NodeID
  ) -> Bool {
    if text == "@", verb.hasPrefix("start") {
      report(
        Diagnostic(
          .impossibleValue, "no address starts with `@`", at: tree[constant].span,
          label: "after the name", helps: ["to look for it, write `.contains(\"@\")`"]))
      return true
    }
    guard text.isDomainAfterAt, text.utf8.count > 4 else { return false }
    let end = "\(self.text(subject)).endsWith(\(self.text(constant)))"
    let isNot = tree[parent(of: constant)].op == .notEqual
    report(
      Diagnostic(
        .impossibleValue, "no address \(verb) its domain", at: tree[constant].span,
        label: "the end of an address", helps: ["write `\(isNot ? "!" : "")\(end)`"]))
    return true
  }

  /// Returns whether an attribute is an e-mail address, by its name.
  func isAddress(_ id: NodeID) -> Bool {
    freePath(id)?.names.last?.lowercased().hasSuffix("mail") == true
  }

  /// Reports `user.email.endsWith("@gmail")`. Returns whether it did.
  private mutating func checkEndOfAddress(
    _ receiver: NodeID, _ text: String, at argument: NodeID
  ) -> Bool {
    if text.last == "@", text.count > 1, isAddress(receiver) {
      report(
        Diagnostic(
          .impossibleValue, "no address ends with `@`", at: tree[argument].span,
          label: "before the domain", helps: ["write `\"@\(text.dropLast())\"`"]))
      return true
    }
    guard text.first == "@", text.utf8.count > 3,
      text.dropFirst().allSatisfy({ $0.isLetter || $0.isNumber || $0 == "-" }),
      isAddress(receiver)
    else { return false }
    report(
      Diagnostic(
        .impossibleValue, "no address ends before the dot of its domain", at: tree[argument].span,
        label: "without `.com` or the like",
        helps: ["write `\(self.text(receiver)).contains(\"\(text).\")`"]))
    return true
  }

  /// Reports `user.email in ["gmail.com", "icloud.com"]`: addresses are compared with domains.
  mutating func checkListedDomains(_ comparison: ConstantComparison) {
    guard isAddress(comparison.subject),
      case .list(let elements) = comparison.value, !elements.isEmpty,
      elements.allSatisfy({
        guard case .string(let text) = $0 else { return false }
        return !text.dropFirst().contains("@") && text.contains(".")
      })
    else { return }
    let subject = text(comparison.subject)
    report(
      Diagnostic(
        .impossibleValue, "no address is only its domain", at: tree[comparison.constant].span,
        label: "the ends of addresses",
        helps: ["write `\(subject).endsWith(…)` for each, joined as `(… || …)`"]))
  }

  /// Reports a search for the empty text.
  private mutating func reportEmptyText(_ receiver: NodeID, at argument: NodeID) {
    if knownAttribute(receiver)?.type == .list(.string) {
      return report(
        Diagnostic(
          .impossibleValue, "no element is empty", at: tree[argument].span,
          label: "nothing to look for",
          helps: ["to ask whether there are none, write `size(\(text(receiver))) == 0`"]))
    }
    // `contains` may ask for an element of a list.
    if case .list = staticType(receiver) { return }
    report(
      .always(
        true, "every text contains the empty text", at: tree[argument].span,
        label: "nothing to look for",
        helps: [
          "fill in the text; for one that is not empty, write `\(text(receiver)) != \"\"`, and for an "
            + "empty one `\(text(receiver)) == \"\"`"
        ]))
  }

  /// Reports a beginning in a form that no value of the attribute has.
  private mutating func checkBeginning(
    _ receiver: NodeID, _ text: String, at argument: NodeID
  ) {
    guard let attribute = knownAttribute(receiver), attribute.values.isEmpty,
      let format = attribute.format
    else { return }
    checkMoment(.string(text), at: argument, attribute, isBeginning: true)
    checkVersionLetter(text, at: argument, attribute)
    checkVersionBeginning(receiver, text, at: argument, attribute)
    if format == .language, text.contains("_") || text.contains("-"),
      attribute.path.hasSuffix("LanguageCode")
    {
      let locale = attribute.path.dropLast(12) + "Locale"
      return report(
        Diagnostic(
          .impossibleValue, "`\(attribute.path)` never starts with `\(self.text(argument))`",
          at: tree[argument].span, label: "more than a language",
          helps: schema[String(locale)] == nil
            ? [] : ["compare the locale: `\(locale).startsWith(\(self.text(argument)))`"]))
    }
    let region = text.hasSuffix("_") || text.hasSuffix("-") ? String(text.dropLast()) : text
    if format == .locale, region.utf8.count == 2, region == region.uppercased(),
      AttributeSchema.Attribute.Format.region.isCode(region) == true
    {
      return reportRegion(receiver, region, at: argument)
    }
    guard let right = format.spelling(ofBeginning: text), right != text else { return }
    let literal = LiteralSpelling.string(Array(right.utf8), preferRaw: false, dialect: tree.dialect)
    report(
      Diagnostic(
        .wrongCase, "`\(attribute.path)` never starts with `\"\(text)\"`",
        at: tree[argument].span,
        label: right.lowercased() == text.lowercased() ? "wrong case" : "wrong form",
        notes: ["its values look like \"\(format.sample ?? right)\""],
        fixIts: [Diagnostic.FixIt(write: literal, at: tree[argument].span)]))
  }

  /// Reports a region that is sought at the beginning of a locale.
  private mutating func reportRegion(_ receiver: NodeID, _ region: String, at argument: NodeID) {
    let locale = text(receiver)
    let language = region.lowercased()
    var helps = ["for the region, write `\(locale).endsWith(\"_\(region)\")`"]
    if AttributeSchema.Attribute.Format.language.isCode(language) == true {
      helps.append("for the language, write `\(locale).startsWith(\"\(language)\")`")
    }
    report(
      Diagnostic(
        .wrongCase, "a locale ends with its region, and starts with its language",
        at: tree[argument].span, label: "a region", notes: ["its values look like \"sv_SE\""],
        helps: helps))
  }

  /// Reports `device.deviceLocale.endsWith("_UK")`: no region has this code. Returns whether it
  /// did.
  private mutating func checkRegionAtEnd(
    _ text: String, of attribute: AttributeSchema.Attribute, at argument: NodeID
  ) -> Bool {
    let region = text.drop { $0 == "_" || $0 == "-" }
    if attribute.format == .locale, region.utf8.count == 2, region.allSatisfy({ $0.isLowercase }),
      AttributeSchema.Attribute.Format.language.isCode(String(region)) == true
    {
      report(
        Diagnostic(
          .wrongCase, "a locale starts with its language, and ends with its region",
          at: tree[argument].span, label: "a language at the end",
          notes: ["its values look like \"sv_SE\""],
          helps: ["for the language, write `\(attribute.path).startsWith(\"\(region)\")`"]))
      return true
    }
    guard attribute.format == .locale, region.utf8.count == 2,
      region.allSatisfy({ $0.isUppercase }),
      AttributeSchema.Attribute.Format.region.isCode(String(region)) == false
    else { return false }
    let meant = AttributeSchema.Attribute.Format.region.code(named: String(region))
    report(
      Diagnostic(
        .impossibleValue, "no region has the code `\(region)`", at: tree[argument].span,
        label: "not such a code", notes: ["its values look like \"sv_SE\""],
        helps: meant.map { ["did you mean `\"_\($0)\"`?"] } ?? []))
    return true
  }

  /// Checks a text that is looked for in an attribute by the attribute's form, and for blanks that
  /// no text has there.
  private mutating func checkSought(
    _ text: String, _ name: String, in subject: NodeID, at argument: NodeID
  ) {
    checkBlank(text, name, at: argument)
    guard let attribute = knownAttribute(subject),
      attribute.type == .string || attribute.format?.isLinkPart == true
    else { return }
    checkModel(text, of: attribute, at: argument)
    if name == "endsWith", checkRegionAtEnd(text, of: attribute, at: argument) { return }
    switch name {
    case "startsWith": checkTest(.startsWith(text), of: attribute, at: argument)
    case "endsWith": checkTest(.endsWith(text), of: attribute, at: argument)
    default: checkTest(.contains(text), of: attribute, at: argument)
    }
    if name != "startsWith" { checkVersionLetter(text, at: argument, attribute) }
    if checkPartOfDate(text, name, in: subject, attribute, at: argument) { return }
    if checkPartOfCode(text, name, in: subject, attribute, at: argument) { return }
    let found = attribute.values.filter { value in
      switch name {
      case "startsWith": value.hasPrefix(text)
      case "endsWith": value.hasSuffix(text)
      default: value.firstOccurrence(of: text) != nil
      }
    }
    guard found.count > 1, found.contains(text), found.count < attribute.values.count else {
      return
    }
    let others = found.filter { $0 != text }.map { "\"\($0)\"" }.joined(separator: ", ")
    report(
      Diagnostic(
        .wildcardInText, "\(others) \(found.count > 2 ? "have" : "has") this text, too",
        at: tree[argument].span, label: "looked for letter by letter",
        helps: ["write `\(self.text(subject)) == \(self.text(argument))`"]))
  }

  /// Reports `device.localDate.contains("11")`, which finds a day and a month, and
  /// `contains("-12")`.
  private mutating func checkPartOfDate(
    _ text: String, _ name: String, in subject: NodeID, _ attribute: AttributeSchema.Attribute,
    at argument: NodeID
  ) -> Bool {
    guard name == "contains", attribute.format == .date || attribute.format == .dateTime else {
      return false
    }
    let digits = text.drop { $0 == "-" }
    guard digits.utf8.count == 2, digits.utf8.allSatisfy({ $0 &- 0x30 < 10 }),
      let number = Int(digits)
    else { return false }
    let written = self.text(subject)
    let isMonth = (1...12).contains(number)
    report(
      Diagnostic(
        .wildcardInText, "`\"\(text)\"` may be the day, the month or a part of the year",
        at: tree[argument].span, label: "anywhere in the text",
        helps: [
          isMonth
            ? "for the month, write `\(written).contains(\"-\(digits)-\")`"
            : "for the day, write `\(written).endsWith(\"-\(digits)\")`"
        ]))
    return true
  }

  /// Reports `device.storeFrontCountryCode.contains("US")`, which is also a part of other codes.
  private mutating func checkPartOfCode(
    _ text: String, _ name: String, in subject: NodeID, _ attribute: AttributeSchema.Attribute,
    at argument: NodeID
  ) -> Bool {
    guard name == "contains", attribute.format == .storefront || attribute.format == .currency,
      let format = attribute.format, text.utf8.count == 2
    else { return false }
    let meant = format == .storefront ? format.code(named: text) : nil
    report(
      Diagnostic(
        .wildcardInText, "several codes have `\"\(text)\"` in them", at: tree[argument].span,
        label: "a part of a code",
        helps: [
          meant.map { "write `\(self.text(subject)) == \"\($0)\"`" }
            ?? "compare the whole code: `\(self.text(subject)) == \"…\"`"
        ]))
    return true
  }

  /// Reports `endsWith("@acme.com ")`: texts rarely end with a blank.
  private mutating func checkBlank(_ text: String, _ name: String, at argument: NodeID) {
    let isAtEnd = name == "endsWith" && text.last == " " && text.count > 1
    let isAtStart = name == "startsWith" && text.first == " " && text.count > 1
    guard isAtEnd || isAtStart else { return }
    let right =
      isAtEnd
      ? text.reversed().drop { $0 == " " }.reversed().map { $0 } : Array(text.drop { $0 == " " })
    let literal = LiteralSpelling.string(
      Array(String(right).utf8), preferRaw: false, dialect: tree.dialect)
    report(
      Diagnostic(
        .wildcardInText, "the blank at the \(isAtEnd ? "end" : "start") is looked for, too",
        at: tree[argument].span, label: "with a blank",
        fixIts: [Diagnostic.FixIt(write: literal, at: tree[argument].span)]))
  }
}
