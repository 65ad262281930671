import ExpressionEngine
import ExpressionSyntax
import FilterAnalysis
import LanguageService
import Testing

@Suite("What an editor knows about a filter")
struct AnalyzedFilterTests {
  #if DEBUG
    @Test("findings, hovers and counts of users need one tree")
    func work() {
      let text = #"user.age > 18 && user.plan == "shown once""#
      let count = ReadingCount.of(text) {
        let filter = AnalyzedFilter(SourceText(text), FilterLanguage())
        _ = filter.diagnostics
        _ = filter.diagnosticsWithoutProofs
        _ = filter.filter
        _ = filter.layout(width: 80)
        _ = filter.semanticTokens
        _ = filter.hover(at: 6)
      }
      // Once as the app runs it, and once with functions that read sample users.
      #expect(count == ReadingCount(parses: 1, compilations: 2))
    }
  #endif
}
