import ExpressionEngine
import ExpressionSyntax
import FilterAnalysis

// Reports constants that are another kind of value than they look like.

extension FilterLinter {
  /// Reports `user.followers > 10.000`, which is ten: a dot does not separate thousands.
  private mutating func checkThousands(_ comparison: ConstantComparison, _ written: String) {
    let parts = written.split(separator: ".", omittingEmptySubsequences: false)
    guard case .double(let number) = comparison.value, parts.count == 2, parts[1] == "000",
      (1...3).contains(parts[0].count), number >= 1
    else { return }
    let span = tree[comparison.constant].span
    let right = "\(parts[0])000"
    report(
      Diagnostic(
        .otherUnit, "`\(written)` is \(parts[0])", at: span, label: "a dot before a fraction",
        notes: ["a number has no separators between its thousands"],
        fixIts: [Diagnostic.FixIt(write: right, at: span)]))
  }

  /// Reports `user.plan == "null"`, a text of four letters, and `user.zip == 01234`, the number
  /// 1234.
  mutating func checkPlainWord(_ comparison: ConstantComparison) {
    let span = tree[comparison.constant].span
    let written = text(comparison.constant)
    checkThousands(comparison, written)
    guard comparison.isEquality else { return }
    if case .string(let word) = comparison.value,
      // "Null" is a name of people.
      ["null", "nil", "undefined", "NULL", "NIL", "UNDEFINED"].contains(word),
      knownAttribute(comparison.subject).map({ $0.values.isEmpty && $0.format == nil }) ?? true
    {
      return report(
        Diagnostic(
          .typeMismatch, "`\(written)` is a text, and not the absence of a value", at: span,
          label: "a text of \(word.count) letters",
          fixIts: [Diagnostic.FixIt(write: "null", at: span)]))
    }
    if case .string(let word) = comparison.value,
      ["(not set)", "(none)", "(null)", "(empty)", "(missing)", "<null>", "[null]"]
        .contains(word.lowercased())
    {
      let presence = "has(\(text(comparison.subject)))"
      return report(
        Diagnostic(
          .typeMismatch, "`\(written)` is how reports show that there is no value", at: span,
          label: "a text like others here",
          helps: ["write `\(comparison.op == .equal ? "!" : "")\(presence)`"]))
    }
    let digits = written.drop { $0 == "-" }
    guard case .int(let number) = comparison.value, digits.count > 1, digits.first == "0",
      digits.utf8.allSatisfy({ $0 &- 0x30 < 10 })
    else { return }
    report(
      Diagnostic(
        .typeMismatch, "`\(written)` is the number \(number)", at: span,
        label: "a number has no zeros before it",
        fixIts: [Diagnostic.FixIt(write: "\"\(written)\"", at: span)]))
  }
}
