public import ExpressionEngine
public import ExpressionSyntax

extension Filter {
  /// Looks for probable mistakes: misspelled attributes, comparisons that never hold, pitfalls of
  /// the dialect.
  ///
  /// The filter has compiled, so these findings do not keep it from running. To silence a warning,
  /// add a comment to the filter: `// swexpr:ignore W0704` at the end of the line or alone on the
  /// line before, or `// swexpr:ignore-filter W0704` for the whole filter. A comment without ids
  /// silences every warning.
  ///
  /// - Parameter schema: The attributes that exist; by default the vocabulary of the SDKs.
  /// - Returns: The findings, in source order. ``applyingFixes(of:to:)`` applies the fixes.
  /// - Complexity: About O(n log n) in the length of the filter.
  public func check(schema: AttributeSchema = .builtIn) -> [Diagnostic] {
    guard
      let tree = try? parse(
        SourceText(text), dialect: environment.dialect, limits: environment.parserLimits)
    else { return [] }
    return FilterLinter.check(tree, schema: schema, environment: environment)
  }
}

extension SourceText {
  /// Returns the text with the fixes of some diagnostics applied.
  ///
  /// The first fix of each diagnostic is applied. One that overlaps an earlier fix is left out;
  /// check the result again to find it.
  ///
  /// - Parameter diagnostics: The findings in this text, by
  ///   `Filter.check(schema:)` or as a `FilterError`.
  /// - Returns: The new text, and the diagnostics whose fix was applied.
  package func applyingFixes(of diagnostics: [Diagnostic]) -> (text: String, fixed: [Diagnostic]) {
    var edits: [Diagnostic.Edit] = []
    var fixed: [Diagnostic] = []
    for diagnostic in diagnostics {
      guard let fix = diagnostic.fixIts.first else { continue }
      let overlaps = fix.edits.contains { edit in
        edits.contains {
          $0.span.start < edit.span.end && edit.span.start < $0.span.end
            || $0.span.start == edit.span.start
        }
      }
      guard !overlaps else { continue }
      edits += fix.edits
      fixed.append(diagnostic)
    }
    var bytes = self.bytes
    for edit in edits.sorted(by: { $0.span.start > $1.span.start }) {
      let start = min(Int(edit.span.start), bytes.count)
      let end = min(max(Int(edit.span.end), start), bytes.count)
      bytes.replaceSubrange(start..<end, with: edit.replacement.utf8)
    }
    return (String(decoding: bytes, as: UTF8.self), fixed)
  }
}
