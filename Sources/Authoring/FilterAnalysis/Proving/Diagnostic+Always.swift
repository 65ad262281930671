package import ExpressionSyntax

extension Diagnostic {
  /// Returns a finding about a part that has the same result for every user.
  ///
  /// - Parameters:
  ///   - result: The result.
  ///   - message: One line in the user's words.
  ///   - span: The part, or the piece of it that decides.
  ///   - label: A few words below the part.
  package static func always(
    _ result: Bool, _ message: String, at span: SourceSpan, label: String = "",
    secondary: [Label] = [], notes: [String] = [], helps: [String] = [], fixIts: [FixIt] = []
  ) -> Diagnostic {
    Diagnostic(
      result ? .alwaysTrue : .alwaysFalse, message, at: span, label: label, secondary: secondary,
      notes: notes, helps: helps, fixIts: fixIts)
  }
}
