import ExpressionEngine
import ExpressionSyntax
import FilterAnalysis

// Reports constants that are names of something else: products as entitlements, parts of products,
// accounts as anonymous ids, regions as languages.

extension FilterLinter {
  private static let periods: Set<String> = [
    "weekly", "monthly", "quarterly", "yearly", "annual", "annually", "lifetime", "week", "month",
    "year",
  ]

  /// Reports `device.activeEntitlements.contains("com.acme.yearly")` and
  /// `device.activeProducts.contains("yearly")`.
  mutating func checkNameOfPurchase(_ id: NodeID) {
    let subject: NodeID
    let constant: NodeID
    switch outline.relation(of: id) {
    case .search("contains", in: let list, .string, let written):
      (subject, constant) = (list, written)
    case .elements(let values, let written, in: let list):
      guard values.count == 1 else { return }
      (subject, constant) = (list, written)
    default: return
    }
    guard case .string(let name)? = tree.constant(of: constant), !wasReported(tree[constant].span)
    else { return }
    let list = freePath(subject)?.description
    if list == "device.activeEntitlements", name.split(separator: ".").count > 2 {
      report(
        Diagnostic(
          .seldomMeant, "this looks like the id of a product", at: tree[constant].span,
          label: "entitlements have short names",
          helps: ["for a product, write `\"\(name)\" in device.activeProducts`"]))
    } else if list == "device.activeProducts", Self.periods.contains(name.lowercased()) {
      report(
        Diagnostic(
          .seldomMeant, "this looks for a product of just this name", at: tree[constant].span,
          label: "compared as a whole",
          helps: [
            "for a part of a name, write `device.activeProducts.exists(p, p.contains(\"\(name)\"))`"
          ]))
    }
  }

  /// Reports `user.aliasId == "anna@example.com"`, and `device.appInstallDate < "2026-01-01"`,
  /// which is true where the date is not known.
  mutating func checkOtherID(
    _ comparison: ConstantComparison, _ attribute: AttributeSchema.Attribute?
  ) {
    guard let attribute, case .string(let text) = comparison.value, !text.isEmpty,
      comparison.isConstantRight, !wasReported(tree[comparison.constant].span)
    else { return }
    if attribute.path == "user.aliasId", comparison.isEquality, !text.hasPrefix("$") {
      report(
        Diagnostic(
          .impossibleValue, "`user.aliasId` is an anonymous id of the SDK",
          at: tree[comparison.constant].span, label: "begins with `$SuperwallAlias:`",
          helps: ["the id of an account is `user.appUserId`"]))
    } else if attribute.path == "device.appInstallDate", isSuperscript,
      comparison.op == .less || comparison.op == .lessEqual,
      !isComparedElsewhere(comparison.subject)
    {
      let condition = self.text(parent(of: comparison.constant))
      report(
        Diagnostic(
          .missingCountsAsZero, "this is true where the date is not known",
          at: tree[comparison.constant].span, label: "the empty text comes before every date",
          helps: [
            "if that is not meant, write `device.appInstallDate != \"\" && \(condition)`"
          ]))
    }
  }

  /// Languages whose codes are those of regions in which few speak them.
  private static let namesakes: [String: (language: String, region: String)] = [
    "br": ("Breton", "BR"), "uk": ("Ukrainian", "GB"), "se": ("Northern Sami", "SE"),
    "ch": ("Chamorro", "CH"), "kr": ("Kanuri", "KR"), "ee": ("Ewe", "EE"),
    "be": ("Belarusian", "BE"), "ca": ("Catalan", "CA"), "ar": ("Arabic", "AR"),
    "my": ("Burmese", "MY"), "sa": ("Sanskrit", "SA"), "co": ("Corsican", "CO"),
    "lb": ("Luxembourgish", "LB"), "sv": ("Swedish", "SV"), "et": ("Estonian", "ET"),
  ]

  /// Reports `device.deviceLanguageCode == "br" && device.regionCode == "BR"`.
  mutating func checkNamesakes(_ operands: [NodeID]) {
    func equality(
      _ id: NodeID, _ format: AttributeSchema.Attribute.Format
    ) -> (id: NodeID, text: String)? {
      guard let comparison = ConstantComparison(tree[id], in: tree), comparison.op == .equal,
        case .string(let text) = comparison.value,
        knownAttribute(comparison.subject)?.format == format
      else { return nil }
      return (comparison.constant, text)
    }
    guard let language = operands.compactMap({ equality($0, .language) }).first,
      let namesake = Self.namesakes[language.text],
      let region = operands.compactMap({ equality($0, .region) }).first,
      region.text == namesake.region
    else { return }
    report(
      Diagnostic(
        .seldomMeant, "the language `\"\(language.text)\"` is \(namesake.language)",
        at: tree[language.id].span, label: "not the code of the region",
        secondary: [Diagnostic.Label(tree[region.id].span, "")],
        helps: ["write the code of the language that is meant"]))
  }
}
