public import ExpressionEngine
public import ExpressionSyntax

extension Filter {
  /// Returns a text with the fixes of its diagnostics applied.
  ///
  /// The first fix of each diagnostic is applied. One that overlaps an earlier fix is left out;
  /// check the result again to find it.
  ///
  /// - Parameters:
  ///   - diagnostics: The result of ``check(schema:)`` for the text, or the diagnostics of a
  ///     `FilterError`.
  ///   - text: The text of the filter.
  public static func applyingFixes(of diagnostics: [Diagnostic], to text: String) -> String {
    SourceText(text).applyingFixes(of: diagnostics).text
  }
}
