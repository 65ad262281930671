import ExpressionEngine
import ExpressionSyntax
import FilterAnalysis

/// Tries the fixes of findings: each is applied to the filter by itself, and one that does not help
/// is not offered.
struct FixTrial {
  /// The number of fixes that are tried. A text with more mistakes has other problems.
  static let maximumFixes = 24
  /// The length of the texts whose fixes are tried, in bytes.
  static let maximumLength = 4_096

  let filter: ParsedFilter
  let schema: AttributeSchema

  /// Returns the findings with those of their fixes that help.
  func keepingFixesThatHelp(_ found: [Diagnostic]) -> [Diagnostic] {
    let count = found.reduce(0) { $0 + $1.fixIts.count }
    guard count > 0, count <= Self.maximumFixes, filter.source.bytes.count <= Self.maximumLength
    else { return found }
    let known = Set(found.map { $0.id })
    let leadsOn = leadsToFilter(found)
    return found.map { diagnostic in
      var tried = diagnostic
      tried.fixIts = []
      for fix in diagnostic.fixIts where diagnostic.severity != .error || leadsOn {
        switch trial(of: fix, diagnostic, known) {
        case .helps: tried.fixIts.append(fix)
        // The rest of the filter is as wrong as before, and the advice is right.
        case .leadsOn: tried.helps.append(fix.message)
        case .fails: break
        }
      }
      // What the label says to write is one of them.
      let label = diagnostic.primary.message
      if tried.fixIts.isEmpty, diagnostic.fixIts.contains(where: { $0.message == label }) {
        tried.primary.message = diagnostic.severity == .error ? "not read here" : ""
      }
      return tried
    }
  }

  /// The number of times that all fixes are applied, each time to what they left.
  private static let rounds = 6

  /// Returns whether the fixes of errors lead to a filter that compiles. If they do not, the text
  /// is something else than a filter with slips, and each of them is a guess. A text that is not
  /// finished says nothing about that.
  private func leadsToFilter(_ found: [Diagnostic]) -> Bool {
    guard case .failure = filter.compiled else { return true }
    if found.contains(where: { $0.id == .unclosedString || $0.id == .unclosedBracket }) {
      return true
    }
    return fixed(found) != nil
  }

  /// Returns whether the fixes of errors lead to a filter in which no lint finds anything.
  func leadsToCleanFilter(_ found: [Diagnostic]) -> Bool {
    guard let outline = fixed(found)?.outline else { return false }
    return FilterLinter.check(outline, schema: schema, triesFixes: false)
      .allSatisfy { $0.id == .missingCountsAsZero }
  }

  /// Returns the filter to which the fixes of errors lead; `nil` if they do not lead to one.
  private func fixed(_ found: [Diagnostic]) -> ParsedFilter? {
    var text = filter.source.text
    var errors = found
    for _ in 0..<Self.rounds {
      let next = SourceText(text).applyingFixes(of: errors).text
      guard next != text else { return nil }
      text = next
      let candidate = ParsedFilter(SourceText(text), environment: filter.environment)
      guard case .failure(let error) = candidate.compiled else { return candidate }
      errors = error.diagnostics
    }
    return nil
  }

  /// Findings about the right attribute, which the wrong one hid.
  static let aboutMissing: Set<DiagnosticID> = [
    .missingCountsAsZero, .missingAgainstAttribute, .failsWhenMissing,
  ]

  private enum Outcome {
    case helps
    /// Something else is wrong then.
    case leadsOn
    case fails
  }

  private func trial(
    of fix: Diagnostic.FixIt, _ diagnostic: Diagnostic, _ known: Set<DiagnosticID>
  ) -> Outcome {
    let fixed = ParsedFilter(filter.source.applying(fix), environment: filter.environment)
    switch fixed.compiled {
    case .failure(let error):
      // The rest of the text may have mistakes, but neither the same one nor one of the fix.
      let written = Self.written(fix)
      let isSame = error.diagnostics.contains { next in
        let span = next.primary.span
        return next.id == diagnostic.id && span.start == diagnostic.primary.span.start
          || written.contains { span.start < $0.upperBound && span.end > $0.lowerBound }
      }
      return diagnostic.severity == .error && !isSame ? .helps : .fails
    case .success:
      guard let outline = fixed.outline else { return .helps }
      guard diagnostic.severity != .error else {
        // What was written is a mistake again, and has no correction itself.
        let written = Self.written(fix).filter { $0.count > 2 }
        let isRight = FilterLinter.check(outline, schema: schema, triesFixes: false)
          .allSatisfy { next in
            let span = next.primary.span
            return !next.fixIts.isEmpty
              || !written.contains { $0.contains(span.start) && span.end <= $0.upperBound }
          }
        return isRight ? .helps : .fails
      }
      let new = FilterLinter.check(outline, schema: schema, triesFixes: false)
        .filter { !known.contains($0.id) }
      let written = Self.written(fix)
      let isAside = new.allSatisfy { next in
        Self.aboutMissing.contains(next.id)
          || next.id == .alwaysFalse
            && !written.contains {
              $0.contains(next.primary.span.start) && next.primary.span.end <= $0.upperBound
            }
      }
      return new.isEmpty ? .helps : isAside ? .leadsOn : .fails
    }
  }

  /// The places in the new text that a fix has written.
  private static func written(_ fix: Diagnostic.FixIt) -> [Range<UInt32>] {
    var shift: Int64 = 0
    return fix.edits.map { edit in
      let length = Int64(edit.replacement.utf8.count)
      let start = Int64(edit.span.start) + shift
      shift += length - Int64(edit.span.end) + Int64(edit.span.start)
      return UInt32(clamping: start)..<UInt32(clamping: start + length)
    }
  }
}
