import ExpressionEngine
import ExpressionSyntax
import FilterAnalysis

// Reports amounts in another unit, by the names of attributes.

extension FilterLinter {
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
        helps: ["compare it with the year in which they were born, such as `<= …`"]))
  }
}
