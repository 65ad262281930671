public import ExpressionEngine
public import ExpressionSyntax

extension Filter {
  /// Looks for what is probably not meant: misspelled attributes, comparisons that never hold, traps
  /// of the dialect.
  ///
  /// The filter compiled, so that nothing here keeps it from running. A warning is silenced with a
  /// comment in the filter: `// swexpr:ignore W0704` at the end of the line that it points at or alone
  /// on the line before, `// swexpr:ignore-filter W0704` for all of the filter. Without ids, every
  /// warning is silenced.
  ///
  /// - Parameter schema: The attributes that exist; the vocabulary of the SDKs unless told.
  /// - Returns: What was found, in source order. ``applyingFixes(of:to:)`` applies the fixes.
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
  /// The text after the fixes of some diagnostics.
  ///
  /// The first fix of each diagnostic is taken; one that overlaps an earlier one is left out, and can
  /// be found by checking again.
  ///
  /// - Parameter diagnostics: What was found in this text, by ``AudienceFilters/Filter/check(schema:)``
  ///   or as a `FilterError`.
  /// - Returns: The new text, and the diagnostics whose fix is in it.
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
