public import ExpressionEngine
public import ExpressionSyntax
public import FilterAnalysis

extension Filter {
  /// Looks for probable mistakes: misspelled attributes, comparisons that never hold, conditions
  /// that exclude each other, pitfalls of the dialect.
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
    ParsedFilter(self).diagnostics(schema: schema)
  }

  /// Returns everything that is wrong with a text, or probably wrong: the mistakes that keep it
  /// from compiling, or else the result of ``check(schema:)``.
  ///
  /// - Parameters:
  ///   - text: The text of a filter.
  ///   - environment: The dialect, the host functions and the limits.
  ///   - schema: The attributes that exist; by default the vocabulary of the SDKs.
  /// - Returns: The findings, in source order. ``applyingFixes(of:to:)`` applies the fixes.
  public static func check(
    _ text: String, environment: FilterEnvironment = .standard, schema: AttributeSchema = .builtIn
  ) -> [Diagnostic] {
    ParsedFilter(SourceText(text), environment: environment).diagnostics(schema: schema)
  }

  /// Returns a text with the fixes of its diagnostics applied.
  ///
  /// The fix of each diagnostic that has exactly one is applied; among several the author
  /// has to choose. A fix that overlaps an earlier one is left out; check the result again.
  ///
  /// - Parameters:
  ///   - diagnostics: The result of ``check(schema:)`` for the text, or the diagnostics of a
  ///     `FilterError`.
  ///   - text: The text of the filter.
  public static func applyingFixes(of diagnostics: [Diagnostic], to text: String) -> String {
    SourceText(text).applyingFixes(of: diagnostics).text
  }
}

extension SourceText {
  /// Returns the text with one fix applied.
  package func applying(_ fix: Diagnostic.FixIt) -> SourceText {
    let carrier = Diagnostic(
      .trailingText, "", at: SourceSpan(start: 0, length: 0), fixIts: [fix])
    return SourceText(applyingFixes(of: [carrier]).text)
  }

  /// Returns the text with the fixes of some diagnostics applied.
  ///
  /// The fix of each diagnostic that has exactly one is applied; among several the author
  /// has to choose. A fix that overlaps an earlier one is left out; check the result again.
  ///
  /// - Parameter diagnostics: The findings in this text, by
  ///   `Filter.check(schema:)` or as a `FilterError`.
  /// - Returns: The new text, and the diagnostics whose fix was applied.
  /// - Complexity: O(n log n) in the number of diagnostics, and O(n) in the length of the text.
  package func applyingFixes(of diagnostics: [Diagnostic]) -> (text: String, fixed: [Diagnostic]) {
    // The edits in the order of the text; no two of them overlap.
    var edits: [Diagnostic.Edit] = []
    var fixed: [Diagnostic] = []
    for diagnostic in diagnostics {
      guard diagnostic.fixIts.count == 1, let fix = diagnostic.fixIts.first else { continue }
      guard !fix.edits.contains(where: { Self.overlaps($0, edits) }) else { continue }
      for edit in fix.edits { edits.insert(edit, at: Self.position(of: edit.span.start, edits)) }
      fixed.append(diagnostic)
    }
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var end = 0
    for edit in edits {
      let start = min(Int(edit.span.start), bytes.count)
      guard start >= end else { continue }
      result += bytes[end..<start]
      result += edit.replacement.utf8
      end = min(max(Int(edit.span.end), start), bytes.count)
    }
    result += bytes[end...]
    return (String(decoding: result, as: UTF8.self), fixed)
  }

  /// Returns whether an edit touches one of the sorted edits, which do not overlap each other.
  private static func overlaps(_ edit: Diagnostic.Edit, _ sorted: [Diagnostic.Edit]) -> Bool {
    let index = position(of: edit.span.start, sorted)
    if index < sorted.count {
      let next = sorted[index].span
      if next.start < edit.span.end || next.start == edit.span.start { return true }
    }
    return index > 0 && sorted[index - 1].span.end > edit.span.start
  }

  /// Returns the index of the first edit that does not start before an offset.
  private static func position(of offset: UInt32, _ sorted: [Diagnostic.Edit]) -> Int {
    var low = 0
    var high = sorted.count
    while low < high {
      let middle = low + (high - low) / 2
      if sorted[middle].span.start < offset { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
