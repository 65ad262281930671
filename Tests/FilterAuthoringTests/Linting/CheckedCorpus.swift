import AudienceFilters
import ExpressionEngine
import ExpressionSyntax
import FilterAuthoring
import FilterCorpus
import TestSupport

/// The filters of the corpora of mistakes and of realistic filters, with what checks say of them.
///
/// Several suites ask for the same findings, which take most of their time.
enum CheckedCorpus {
  struct Entry {
    /// The first case with the filter.
    let id: String
    let text: String
    let dialect: Dialect.Name
    let findings: [Diagnostic]
  }

  /// The filters, each once.
  static let entries: [Entry] = {
    var seen: Set<String> = []
    return ["diagnostics", "superscript"].flatMap { folder in
      ((try? CaseFile.cases(at: TestFiles.path("corpus/\(folder)"))) ?? []).compactMap { item in
        let dialect = item.request.dialect
        guard case .expression(let text) = item.request.question,
          seen.insert("\(dialect) \(text)").inserted
        else { return nil }
        return Entry(
          id: item.id, text: text, dialect: dialect, findings: findings(text, dialect))
      }
    }
  }()

  /// Returns the findings in a filter, or the errors that keep it from compiling.
  static func findings(_ text: String, _ dialect: Dialect.Name) -> [Diagnostic] {
    do throws(FilterError) {
      return try Filter(text, environment: FilterEnvironment(dialect: .named(dialect))).check()
    } catch {
      return error.diagnostics
    }
  }
}
