import ExpressionEngine
import ExpressionSyntax
import FilterAnalysis

// Reports constants that are another kind of value than they look like.

extension FilterLinter {
  /// Reports `user.plan == "null"`, a text of four letters, and `user.zip == 01234`, the number
  /// 1234.
  mutating func checkPlainWord(_ comparison: ConstantComparison) {
    guard comparison.isEquality else { return }
    let span = tree[comparison.constant].span
    let written = text(comparison.constant)
    if case .string(let word) = comparison.value,
      ["null", "nil", "undefined", "none"].contains(word.lowercased()),
      knownAttribute(comparison.subject) == nil, word.lowercased() != "none"
    {
      return report(
        Diagnostic(
          .typeMismatch, "`\(written)` is a text, and not the absence of a value", at: span,
          label: "a text of \(word.count) letters",
          fixIts: [Diagnostic.FixIt("write `null`", [Diagnostic.Edit(span, "null")])]))
    }
    let digits = written.drop { $0 == "-" }
    guard case .int(let number) = comparison.value, digits.count > 1, digits.first == "0",
      digits.utf8.allSatisfy({ $0 &- 0x30 < 10 })
    else { return }
    report(
      Diagnostic(
        .typeMismatch, "`\(written)` is the number \(number)", at: span,
        label: "a number has no zeros before it",
        fixIts: [
          Diagnostic.FixIt("write `\"\(written)\"`", [Diagnostic.Edit(span, "\"\(written)\"")])
        ]))
  }
}
