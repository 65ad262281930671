import ExpressionEngine
import ExpressionSyntax
import FilterAnalysis

// Reports constants that are names of something else: products as entitlements, parts of products,
// regions as languages.

extension FilterLinter {
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
    } else if list == "device.activeProducts", Self.wordsOfPeriods.contains(name.lowercased()) {
      report(
        Diagnostic(
          .seldomMeant, "this looks for a product of just this name", at: tree[constant].span,
          label: "compared as a whole",
          helps: [
            "for a part of a name, write `device.activeProducts.exists(p, p.contains(\"\(name)\"))`"
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
