import ExpressionEngine
import ExpressionSyntax
import FilterAnalysis

// Reports tests of texts that more or other texts pass than those that are meant.

extension FilterLinter {
  /// Reports `user.email.endsWith("acme.com")`, `params.query.contains("offer=1")` and
  /// `user.zip.matches("[0-9]{5}")`, which longer texts pass, too.
  mutating func checkOpenEnd(_ node: SyntaxNode, _ name: String) {
    guard let receiver = node.receiver, let argument = tree.arguments(of: node).first,
      case .string(let sought)? = tree.constant(of: argument), !wasReported(tree[argument].span)
    else { return }
    let subject = text(receiver)
    switch name {
    case "endsWith" where isAddress(receiver) && sought.isDomain:
      report(
        Diagnostic(
          .seldomMeant, "addresses of other domains end with this, too",
          at: tree[argument].span, label: "`not\(sought)` is one",
          helps: ["write `\(subject).endsWith(\"@\(sought)\")`"]))
    case "matches" where isAddress(receiver) && Self.domain(inPattern: sought) != nil:
      let domain = Self.domain(inPattern: sought) ?? ""
      report(
        Diagnostic(
          .patternMeansOther, "`.` stands for any character, and the text may be anywhere",
          at: tree[argument].span, label: "addresses of other domains have this, too",
          helps: ["write `\(subject).endsWith(\"@\(domain)\")`"]))
    case "matches"
    where sought.hasPrefix("^") && sought.hasSuffix("}") && sought.contains(text: "]{")
      && !sought.contains("|"):
      report(
        Diagnostic(
          .seldomMeant, "the text may go on after this", at: tree[argument].span, label: "no `$`",
          helps: ["for the whole text, write `\((sought + "$").patternLiteral)`"]))
    case "matches" where sought.hasPrefix("^iPad") || sought.hasPrefix("^iPhone"):
      checkOpenModel(receiver, String(sought.dropFirst()), argument)
    case "startsWith" where sought.hasSuffix(",1"):
      checkOpenModel(receiver, sought, argument)
    case "startsWith" where knownAttribute(receiver)?.format == .locale && sought.utf8.count == 2:
      guard AttributeSchema.Attribute.Format.language.isCode(sought) == false else { return }
      let region = sought.uppercased()
      report(
        Diagnostic(
          .impossibleValue, "a locale begins with a language, and `\(sought)` is not one",
          at: tree[argument].span, label: "not such a code",
          helps: AttributeSchema.Attribute.Format.region.isCode(region) == true
            ? ["for the region, write `\(subject).endsWith(\"_\(region)\")`"] : []))
    case "startsWith" where knownAttribute(receiver)?.format == .timeZone:
      if ["US/", "USA/", "EU/"].contains(sought) {
        return report(
          Diagnostic(
            .impossibleValue, "zones have names such as \"Europe/Stockholm\"",
            at: tree[argument].span, label: "not such a beginning",
            helps: ["write `\(subject).startsWith(\"\(sought == "EU/" ? "Europe" : "America")/\")`"]
          ))
      }
      guard (3...4).contains(sought.utf8.count), sought.utf8.allSatisfy({ $0 &- 0x41 < 26 }) else {
        return
      }
      report(
        Diagnostic(
          .impossibleValue, "zones have names such as \"Europe/Stockholm\"",
          at: tree[argument].span, label: "an abbreviation",
          helps: ["for all places with one clock, compare `device.timezoneOffset`, in seconds"]))
    case "startsWith" where sought == "iPhone1" || sought == "iPad1":
      guard knownAttribute(receiver)?.format == .model, !isComparedElsewhere(receiver),
        readings(of: AttributePath(root: "device", names: ["interfaceType"])) == 0
      else {
        return
      }
      reportOpenModel(
        sought, argument, label: "without its comma",
        help: "for the first generation, write `\(subject).startsWith(\"\(sought),\")`")
    case "startsWith" where knownAttribute(receiver)?.format?.hasDate == true:
      // `2026-1` is October to December.
      guard let last = sought.split(separator: "-", omittingEmptySubsequences: false).last,
        last == "1", sought.utf8.count == 6 || sought.utf8.count == 9
      else { return }
      report(
        Diagnostic(
          .seldomMeant, "numbers from 10 on begin so, and 1 is written 01",
          at: tree[argument].span, label: "not `01`",
          helps: ["for the first, write `\(subject).startsWith(\"\(sought.dropLast())01\")`"]))
    case "contains" where knownAttribute(receiver)?.format?.hasTime == true:
      guard sought.utf8.count == 2, sought.utf8.allSatisfy({ $0 &- 0x30 < 10 }) else { return }
      let isTime = knownAttribute(receiver)?.format == .time
      report(
        Diagnostic(
          .seldomMeant, "minutes and seconds are numbers of two digits, too",
          at: tree[argument].span, label: "anywhere in the text",
          helps: [
            isTime
              ? "for an hour, write `\(subject).startsWith(\"\(sought):\")`"
              : "for an hour, write `\(subject).contains(\"T\(sought):\")`"
          ]))
    case "matches" where sought.isWords && typeByName(receiver) == .string && !isAddress(receiver):
      let words = sought.split(separator: "|").map { "\"\($0)\"" }
      let isName = freePath(receiver)?.names.last?.nameWords.last.map {
        ["plan", "role", "status", "tier"].contains($0)
      }
      guard isName == true, !words.isEmpty else { return }
      report(
        Diagnostic(
          .seldomMeant, "longer texts with this in them match, too", at: tree[argument].span,
          label: "anywhere in the text",
          helps: [
            words.count == 1
              ? "for this value alone, write `\(subject) == \(words[0])`"
              : "for these values alone, write `\(subject) in [\(words.joined(separator: ", "))]`"
          ]))
    case "startsWith"
    where knownAttribute(receiver)?.path == "params.url" && sought.hasPrefix("www."):
      report(
        Diagnostic(
          .seldomMeant, "a link begins with its scheme, as in `https://`",
          at: tree[argument].span, label: "without one",
          helps: ["for links to this host, write `params.host == \"\(sought)\"`"]))
    case "contains" where isPlainVersion(receiver):
      guard sought.contains("."), sought.utf8.allSatisfy({ $0 == 0x2E || $0 &- 0x30 < 10 }),
        sought.first != ".", sought.last != "."
      else { return }
      report(
        Diagnostic(
          .seldomMeant, "`\(sought)0` and `1\(sought)` contain this, too", at: tree[argument].span,
          label: "anywhere in the text",
          helps: [
            "for versions that begin so, write `(\(subject) == \"\(sought)\" || "
              + "\(subject).startsWith(\"\(sought).\"))`"
          ]))
    case "matches" where isPlainVersion(receiver):
      guard let first = sought.first, first.isNumber || first == "[" || first == "(",
        sought.first != "(" || !sought.contains("^")
      else { return }
      report(
        Diagnostic(
          .patternMeansOther, "the pattern may be anywhere in the version", at: tree[argument].span,
          label: "without `^`",
          helps: ["for the first number, write `\("^\(sought)".patternLiteral)`"]))
    case "startsWith" where knownAttribute(receiver)?.format == .path && !sought.hasPrefix("/"):
      guard sought.first?.isLetter == true || sought.first?.isNumber == true else { return }
      report(
        Diagnostic(
          .seldomMeant, "the path of a link starts with a slash", at: tree[argument].span,
          label: "without one", helps: ["write `\(subject).startsWith(\"/\(sought)\")`"]))
    case "contains" where knownAttribute(receiver)?.format?.hasQuery == true:
      let parts = sought.split(separator: "=", omittingEmptySubsequences: false)
      guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty,
        // `download=1` is a switch.
        parts[1].allSatisfy({ $0.isNumber }), parts[1] != "0", parts[1] != "1"
      else { return }
      report(
        Diagnostic(
          .seldomMeant, "`\(sought)0` contains this, too", at: tree[argument].span,
          label: "longer numbers begin with it",
          helps: [
            "write `\(subject).matches(\"(^|[?&])\(sought)(&|$)\")`"
          ]))
    case "matches" where sought.isCountOfCharacters:
      report(
        Diagnostic(
          .patternMeansOther, "the text may be anywhere, so that longer ones pass, too",
          at: tree[argument].span, label: "without `^` and `$`",
          helps: ["for the whole text, write `\("^\(sought)$".patternLiteral)`"]))
    default: break
    }
  }

  /// Returns whether a text is a version whose numbers are not padded.
  func isPlainVersion(_ id: NodeID) -> Bool {
    let format = knownAttribute(id)?.format
    return format == .version || format == .systemVersion
  }

  /// Returns the domain that is a whole pattern but for an anchor at its end: `gmail.com$`.
  private static func domain(inPattern pattern: String) -> String? {
    let text = pattern.hasSuffix("$") ? String(pattern.dropLast()) : pattern
    return text.isDomain ? text : nil
  }

  /// Reports the model `iPad13,1` as a beginning, which `iPad13,16` has, too.
  private mutating func checkOpenModel(
    _ receiver: NodeID, _ model: String, _ argument: NodeID
  ) {
    guard model.hasSuffix(",1"), knownAttribute(receiver)?.format == .model,
      model.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "," })
    else { return }
    reportOpenModel(
      model, argument, label: "only the beginning",
      help: "for this model alone, write `\(text(receiver)) == \"\(model)\"`")
  }

  private mutating func reportOpenModel(
    _ model: String, _ argument: NodeID, label: String, help: String
  ) {
    report(
      Diagnostic(
        .seldomMeant, "`\(model)0` to `\(model)9` begin so, too", at: tree[argument].span,
        label: label, helps: [help]))
  }

  /// Reports `"ACTIVE" in device.subscriptionStatus`, which `"INACTIVE"` contains, too.
  mutating func checkPartOfValue(_ node: SyntaxNode) {
    guard node.op == .in, case .string(let sought)? = tree.constant(of: node.left),
      let attribute = knownAttribute(node.right), attribute.type == .string,
      attribute.values.contains(sought),
      let other = attribute.values.first(where: { $0 != sought && $0.contains(text: sought) })
    else { return }
    report(
      Diagnostic(
        .seldomMeant, "`\"\(other)\"` contains this, too", at: tree[node.left].span,
        label: "a part of the text",
        helps: ["write `\(text(node.right)) == \"\(sought)\"`"]))
  }

  /// Reports `device.minutesSinceLastPaywallView == 1440`, which holds for one minute.
  mutating func checkOneMinute(
    _ comparison: ConstantComparison, _ attribute: AttributeSchema.Attribute?
  ) {
    let unit = attribute?.unit ?? historyFunction(tree[comparison.subject])?.unit
    guard comparison.op == .equal, unit == .minutes,
      let number = comparison.value.plainNumber, number >= 60
    else { return }
    report(
      Diagnostic(
        .seldomMeant, "this holds for one minute only",
        at: tree[comparison.constant].span, label: "seldom exactly this",
        helps: [
          "for the time from then on, write `\(text(comparison.subject)) >= "
            + "\(text(comparison.constant))`"
        ]))
  }

  /// Reports `device.deviceCurrencySymbol == "$"`, the sign of many currencies.
  mutating func checkSharedSymbol(
    _ comparison: ConstantComparison, _ attribute: AttributeSchema.Attribute?
  ) {
    guard let attribute, attribute.format == .currencySymbol, comparison.op == .equal,
      case .string(let sign) = comparison.value,
      let currencies = [
        "$": ("USD", "Canada, Australia, Mexico"), "kr": ("SEK", "Norway, Denmark"),
      ][
        sign],
      case let code = attribute.path.replacingFirst("Symbol", by: "Code"), schema[code] != nil,
      AttributePath(code).map({ readings(of: $0) }) == 0
    else { return }
    report(
      Diagnostic(
        .seldomMeant, "`\(sign)` is the sign of several currencies, also of \(currencies.1)",
        at: tree[comparison.constant].span, label: "not of one currency",
        helps: ["for one of them, write `\(code) == \"\(currencies.0)\"`, or the code of another"]))
  }

  /// Reports `device.localResourceIds == "hero"`, one text of all ids, and
  /// `size(device.appVersion) == 3`, the length of a text.
  mutating func checkJoinedText(_ comparison: ConstantComparison) {
    if knownAttribute(comparison.subject)?.path == "device.localResourceIds",
      comparison.isEquality, case .string(let id) = comparison.value, !id.isEmpty,
      !id.contains(",")
    {
      let isNegated = comparison.op == .notEqual
      let subject = text(comparison.subject)
      return report(
        Diagnostic(
          .seldomMeant, "`\(subject)` is one text with all ids", at: tree[comparison.constant].span,
          label: "only where there is no other",
          helps: [
            "for one among others, write "
              + "`\(isNegated ? "!" : "")\(subject).contains(\"\(id)\")`"
          ]))
    }
    let call = tree[comparison.subject]
    guard call.kind == .call, tree.name(of: call) == "size",
      let subject = tree.operands(of: call).first, let attribute = knownAttribute(subject),
      [.version, .paddedVersion, .systemVersion].contains(attribute.format),
      comparison.value.plainNumber.map({ $0 > 0 }) == true
    else { return }
    report(
      Diagnostic(
        .seldomMeant, "`size` of a version is the number of its characters", at: call.span,
        label: "not that of its parts",
        helps: [
          "for three parts, write `\(text(subject)).matches(\"^[0-9]+[.][0-9]+[.][0-9]+$\")`"
        ]))
  }

  /// Reports `user.discount + 0.1 == 0.3`: sums of decimal numbers are not exact.
  mutating func checkExactDecimal(_ comparison: ConstantComparison) {
    let subject = tree[comparison.subject]
    guard comparison.isEquality, subject.kind == .binary,
      [.add, .subtract, .multiply].contains(subject.op),
      case .double(let number) = comparison.value, number.isFractional,
      let operand = [subject.left, subject.right].first(where: { tree.constant(of: $0) != nil }),
      case .double(let other)? = tree.constant(of: operand), other.isFractional,
      case let written = text(comparison.subject)
    else { return }
    report(
      Diagnostic(
        .seldomMeant, "decimal numbers are not exact: 0.1 + 0.2 is not 0.3",
        at: tree.operatorSpan(of: tree[parent(of: comparison.subject)]),
        label: "differs in the last digit",
        helps: [
          "compare with a range: `\(written) > … && \(written) < …`, or use whole numbers"
        ]))
  }
}

extension Double {
  /// Whether the number is between two quarters, so that most sums with it are rounded.
  fileprivate var isFractional: Bool { isFinite && (self * 4).rounded() != self * 4 }
}

extension AttributeSchema.Attribute.Format {
  /// Whether values begin with a date.
  fileprivate var hasDate: Bool { self == .date || self == .dateTime }

  /// Whether values contain a time.
  fileprivate var hasTime: Bool { self == .time || self == .dateTime }

  /// Whether values contain the query of a link.
  fileprivate var hasQuery: Bool { self == .query || self == .url }
}

extension String {
  /// Whether the text is a domain: `acme.com`.
  fileprivate var isDomain: Bool {
    guard let dot = lastIndex(of: "."), dot != startIndex, first != ".", first?.isLetter == true
    else { return false }
    return self[index(after: dot)...].allSatisfy { $0.isLetter }
      && self[index(after: dot)...].utf8.count > 1
      && allSatisfy { $0.isLetter || $0.isNumber || $0 == "." || $0 == "-" }
  }

  /// Whether the pattern consists of words, perhaps as alternatives: `pro|team`.
  fileprivate var isWords: Bool {
    !isEmpty && allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "|" }
  }

  /// Whether the pattern is one class of characters, counted: `[0-9]{5}`, `\d{4}`.
  fileprivate var isCountOfCharacters: Bool {
    var rest = self[...]
    while !rest.isEmpty {
      let end: Index
      if rest.hasPrefix("\\d") || rest.hasPrefix("\\w") {
        end = rest.index(rest.startIndex, offsetBy: 2)
      } else {
        guard rest.first == "[", let close = rest.firstIndex(of: "]"),
          !rest[..<close].dropFirst().contains("[")
        else { return false }
        end = rest.index(after: close)
      }
      rest = rest[end...]
      guard rest.first == "{" else { return false }
      let count = rest.dropFirst().prefix { $0.isNumber }
      let close = rest.dropFirst(1 + count.count)
      guard !count.isEmpty, close.first == "}" else { return false }
      rest = close.dropFirst()
      // `[A-Z]{4}-[0-9]{4}`
      if rest.first == "-" { rest = rest.dropFirst() }
    }
    return last == "}"
  }
}
