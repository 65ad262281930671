import ExpressionEngine
import ExpressionSyntax
import FilterAnalysis

// Reports versions that are compared letter by letter.

extension FilterLinter {
  mutating func checkVersion(
    _ comparison: ConstantComparison, _ attribute: AttributeSchema.Attribute
  ) {
    guard case .string(let text) = comparison.value,
      attribute.format == .version || attribute.format == .paddedVersion,
      AttributeSchema.Attribute.Format.isVersion(text)
        || (Int(text) != nil && comparison.isOrdering),
      !AttributeSchema.Attribute.Format.isPaddedVersion(text) || attribute.format == .version
    else { return }
    let span = tree[comparison.constant].span
    let padded = Self.padded(text)
    if attribute.format == .paddedVersion {
      report(
        Diagnostic(
          .unpaddedVersion, "`\(attribute.path)` is compared with an unpadded version", at: span,
          label: "not padded", notes: ["its versions look like \"\(padded)\""],
          fixIts: [
            Diagnostic.FixIt("write `\"\(padded)\"`", [Diagnostic.Edit(span, "\"\(padded)\"")])
          ]))
      return
    }
    guard comparison.isOrdering else { return }
    let sibling = attribute.path + "Padded"
    let subject = tree[comparison.subject]
    let isKnown = schema[sibling] != nil && subject.kind == .select
    // Operating systems have long had two-digit versions, and `"17.4" >= "17"` is right as text
    // too.
    if !isKnown, text.utf8.prefix(while: { $0 != 0x2E }).count >= 2, !text.contains(".") { return }
    report(
      Diagnostic(
        .unpaddedVersion, "versions are compared letter by letter here", at: span,
        label: "as text, \"10.0\" comes before \"9.0\"",
        secondary: [Diagnostic.Label(subject.span, "not padded")],
        helps: isKnown ? [] : ["compare a padded version if the app sends one"],
        fixIts: isKnown
          ? [
            Diagnostic.FixIt(
              "compare padded versions: `\(sibling) \(comparison.op.spelling) \"\(padded)\"`",
              [
                Diagnostic.Edit(tree.nameSpan(of: subject), tree.name(of: subject) + "Padded"),
                Diagnostic.Edit(span, "\"\(padded)\""),
              ].sorted { $0.span.start < $1.span.start })
          ] : []))
  }

  /// Returns a number of a version with three digits.
  static func paddedNumber(_ digits: Substring) -> String {
    String(repeating: "0", count: max(0, 3 - digits.count)) + digits
  }

  /// Returns a version with three digits for every number, and at least three numbers.
  static func padded(_ version: String) -> String {
    var parts = version.split(separator: ".").map { part in
      paddedNumber(part.count > 3 ? part.drop { $0 == "0" } : part)
    }
    while parts.count < 3 { parts.append("000") }
    return parts.joined(separator: ".")
  }
}
