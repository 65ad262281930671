import ExpressionEngine
import ExpressionPrinting
import ExpressionSyntax
import FilterAnalysis

// Reports versions that start with a letter.

extension FilterLinter {
  /// Reports `"v3.2"`: versions have no letter before them.
  mutating func checkVersionLetter(
    _ text: String, at id: NodeID, _ attribute: AttributeSchema.Attribute
  ) {
    guard attribute.format == .version || attribute.format == .paddedVersion,
      text.first == "v" || text.first == "V",
      let digit = text.utf8.dropFirst().first, digit &- 0x30 < 10
    else { return }
    let right = "\"\(text.dropFirst())\""
    guard !right.contains("\\") else { return }
    report(
      Diagnostic(
        .impossibleValue, "`\(attribute.path)` never starts with `\(text.prefix(1))`",
        at: tree[id].span, label: "starts with a letter",
        notes: ["its values are versions such as \"2.10.0\""],
        fixIts: [Diagnostic.FixIt("write `\(right)`", [Diagnostic.Edit(tree[id].span, right)])]))
  }
}
