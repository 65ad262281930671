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
    let parts = text(comparison.constant).split(separator: ".").map { part in
      String(repeating: "0", count: max(0, 3 - part.utf8.count)) + part
    }
    let padded = (parts + ["000"]).joined(separator: ".")
    report(
      Diagnostic(
        .otherUnit, "builds are counted by whole numbers", at: tree[comparison.constant].span,
        label: "looks like a version",
        helps: [
          "for a version, write `device.appVersionPadded \(comparison.op.spelling) \"\(padded)\"`"
        ]))
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
        path.names.last?.nameWords.last == "name", let number = size.value.plainNumber, number > 1,
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
