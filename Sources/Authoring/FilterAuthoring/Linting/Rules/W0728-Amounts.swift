import ExpressionEngine
import ExpressionSyntax
import FilterAnalysis

// Reports amounts in another unit, by the names of attributes.

extension FilterLinter {
  /// Reports `device.appBuildStringNumber >= 2.10`: a version, and not the number of a build.
  mutating func checkBuildNumber(
    _ comparison: ConstantComparison, _ attribute: AttributeSchema.Attribute?
  ) {
    guard let attribute, attribute.path.hasPrefix("device.appBuild"),
      case .double(let number) = comparison.value, number != number.rounded(),
      !wasReported(tree[comparison.constant].span)
    else { return }
    let written = text(comparison.constant)
    let padded = Self.padded(written)
    let thousands = written.split(separator: ".")
    report(
      Diagnostic(
        .otherUnit, "builds are counted by whole numbers", at: tree[comparison.constant].span,
        label: "looks like a version",
        helps: [
          "for a version, write `device.appVersionPadded \(comparison.op.spelling) \"\(padded)\"`"
        ]
          + (thousands.count == 2 && thousands[1].utf8.count == 3
            ? ["for thousands, write `\(thousands.joined())`"] : [])))
  }

  /// Reports a number in another unit than the name of its attribute says: a share for a
  /// percentage, a fraction of cents, metres or feet for centimetres, seconds for milliseconds.
  mutating func checkNamedUnit(_ comparison: ConstantComparison) {
    guard comparison.isOrdering, let path = freePath(comparison.subject),
      schema.attribute(at: path) == nil, let name = path.names.last
    else { return }
    let words = name.nameWords
    if case .int(let number) = comparison.value,
      (1_000_000_000..<10_000_000_000).contains(number),
      ["millis", "milliseconds", "ms"].contains(words.last)
    {
      return reportNamedUnit(comparison, "milliseconds", like: "seconds", "write `\(number)000`")
    }
    if words.contains("height"), words.last == "cm",
      let number = comparison.value.plainNumber, (3..<9).contains(number)
    {
      return reportNamedUnit(
        comparison, "centimetres", like: "feet",
        "a foot has 30.48 cm, and an inch 2.54: 5 feet and 9 inches are `175`")
    }
    guard case .double(let number) = comparison.value, number > 0, number != number.rounded(),
      case let right = (number * 100).rounded(), right < 1e15
    else { return }
    let help = "write `\(Int64(right))`"
    let lowercased = name.lowercased()
    if number < 1, lowercased.hasSuffix("percent") || lowercased.hasSuffix("percentage") {
      reportNamedUnit(comparison, "percent", like: "a share", help)
    } else if number < 3, words.last == "cm" {
      reportNamedUnit(comparison, "centimetres", like: "metres", help)
    } else if lowercased.hasSuffix("cents") {
      reportNamedUnit(comparison, "cents", like: "an amount", help)
    }
  }

  private mutating func reportNamedUnit(
    _ comparison: ConstantComparison, _ unit: String, like other: String, _ help: String
  ) {
    report(
      Diagnostic(
        .otherUnit, "`\(text(comparison.subject))` is not compared in its unit",
        at: tree[comparison.constant].span, label: "looks like \(other)",
        notes: ["its name says \(unit)"], helps: [help]))
  }

  /// Reports `double(params.abandoned_product_raw_price) >= 4999`, an amount in cents.
  mutating func checkPriceInCents(_ comparison: ConstantComparison) {
    let call = tree[comparison.subject]
    let isCall = call.kind == .call && ["double", "int"].contains(tree.name(of: call))
    var number = comparison.value.plainNumber
    if !isCall, case .string(let digits) = comparison.value, let whole = Int(digits) {
      number = Double(whole)
    }
    guard let price = isCall ? tree.operands(of: call).first : comparison.subject,
      let path = knownAttribute(price)?.path, path.hasSuffix("raw_price"), let number,
      (199..<100_000).contains(number), number.truncatingRemainder(dividingBy: 100) == 99
    else { return }
    let whole = Int(number)
    report(
      Diagnostic(
        .otherUnit, "`\(path)` is an amount in the currency, not in its hundredths",
        at: tree[comparison.constant].span, label: "looks like cents",
        helps: [
          isCall
            ? "write `\(whole / 100).\(CalendarDate.twoDigits(whole % 100))`"
            : "write `\"\(whole / 100).\(CalendarDate.twoDigits(whole % 100))\"`"
        ]))
  }

  /// Reports `device.daysSinceInstall > 2026` and `user.age >= 1990`, compared with years, and
  /// `device.fontSize < 2`, compared with a factor.
  mutating func checkYears(_ comparison: ConstantComparison) {
    guard comparison.isOrdering || comparison.op == .equal, comparison.isConstantRight,
      let number = comparison.value.plainNumber,
      let path = freePath(comparison.subject)?.description,
      !wasReported(tree[comparison.constant].span)
    else { return }
    let isWhole = number == number.rounded()
    let label: String
    let help: String
    switch path {
    case "device.daysSinceInstall" where isWhole && (2_015...2_050).contains(number):
      let year = number.formatted
      label = "looks like a year"
      help =
        "for users since \(year), write `device.appInstallDate >= \"\(year)\"`"
    case "user.age" where isWhole && (1_900...2_050).contains(number):
      label = "looks like a year of birth"
      help = "compare it with an age: those who are younger have smaller ones"
    case "device.fontSize" where number > 0 && number < 5:
      label = "looks like a factor"
      help =
        "for a factor, write `device.fontScale \(comparison.op.spelling) \(number.formatted)`"
    default: return
    }
    report(
      Diagnostic(
        .otherUnit, "`\(path)` is not compared in its unit", at: tree[comparison.constant].span,
        label: label, helps: [help]))
  }

  /// Reports `user.birthYear >= 18`, a year that is compared with an age.
  mutating func checkYearOfBirth(_ comparison: ConstantComparison) {
    guard comparison.isOrdering, let name = freePath(comparison.subject)?.names.last,
      case let words = Set(name.nameWords), words.contains("year"),
      !words.isDisjoint(with: ["birth", "born", "dob"]),
      case .int(let number) = comparison.value, (1...120).contains(number)
    else { return }
    report(
      Diagnostic(
        .otherUnit, "`\(text(comparison.subject))` is a year, and not an age",
        at: tree[comparison.constant].span, label: "looks like an age",
        helps: ["compare it with a year of birth: those who are younger have greater ones"]))
  }

  /// The languages whose letters take more than a byte.
  private static let otherScripts: Set<String> = [
    "ja", "zh", "ko", "ru", "uk", "bg", "el", "he", "ar", "fa", "hi", "th", "JP", "CN", "TW", "KR",
    "RU", "UA", "GR", "IL", "SA", "TH",
  ]

  /// Reports `size(user.name) <= 5 && device.deviceLanguageCode == "ja"`: a letter of Japanese has
  /// three bytes.
  mutating func checkSizeInBytes(_ operands: [NodeID]) {
    let comparisons = comparisons(among: operands)
    let language = comparisons.first { _, comparison in
      guard comparison.op == .equal || comparison.op == .in,
        let format = knownAttribute(comparison.subject)?.format
          ?? (freePath(comparison.subject)?.names.last?.nameWords.contains("country") == true
            ? .region : nil),
        format == .language || format == .region
      else { return false }
      return comparison.constants.contains {
        if case .string(let code) = $0 { Self.otherScripts.contains(code) } else { false }
      }
    }
    guard isSuperscript, let language else { return }
    for (_, size) in comparisons {
      let call = tree[size.subject]
      guard call.kind == .call, tree.name(of: call) == "size",
        let subject = tree.operands(of: call).first, let path = freePath(subject),
        path.names.last?.nameWords.last.map({ $0.hasSuffix("name") }) == true,
        let number = size.value.plainNumber, number > 1,
        size.isOrdering || size.op == .equal
      else { continue }
      let isUpper = !size.isLowerBound
      report(
        Diagnostic(
          .otherUnit, "`size` of a text counts bytes, and not letters", at: call.span,
          label: "two or three for each letter",
          secondary: [Diagnostic.Label(tree[language.id].span, "in this language")],
          helps: [
            size.op == .equal
              ? "for exactly so many letters, write `\(path).matches(\"^.{…}$\")`"
              : isUpper
                ? "for at most so many letters, write `\(path).matches(\"^.{0,…}$\")`"
                : "for at least so many letters, write `\(path).matches(\"^.{…,}$\")`"
          ]))
    }
  }
}
