import ExpressionCoding
import ExpressionEngine

/// The results of running cases.
package struct CorpusReport: Sendable, Hashable {
  /// A case whose result is not the expected one.
  package struct Failure: Sendable, Hashable {
    /// The address of the case.
    package var id: String
    /// The expression or definition.
    package var expression: String
    /// The engine's answer.
    package var got: String
    /// The expected answer.
    package var want: String

    /// Creates a failure.
    package init(id: String, expression: String, got: String, want: String) {
      self.id = id
      self.expression = expression
      self.got = got
      self.want = want
    }

    /// `id: got … want …`
    package var line: String { "\(id): got \(got) want \(want)" }
  }

  /// The number of cases with the expected result.
  package var passed = 0
  /// The cases that were not, in the order of the cases.
  package var failures: [Failure] = []
  /// The number of cases left out, by reason.
  package var skips: [String: Int] = [:]

  /// Creates an empty report.
  package init() {}

  /// The number of cases whose result is not the expected one.
  package var failed: Int { failures.count }

  /// The number of cases left out.
  package var skipped: Int { skips.values.reduce(0, +) }

  /// `N passed, M failed, K skipped`
  package var summary: String { "\(passed) passed, \(failed) failed, \(skipped) skipped" }

  /// The reasons of skipped cases, one line each with its count, the most frequent first.
  package var skipLines: [String] {
    skips.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
      .map { "\($0.value) skipped: \($0.key)" }
  }

  /// Appends the results of `other`.
  package mutating func append(_ other: CorpusReport) {
    passed += other.passed
    failures += other.failures
    skips.merge(other.skips, uniquingKeysWith: +)
  }

  /// The report as one JSON document:
  /// `{"passed", "failed", "skipped", "failures": [{"id", "expression", "got", "want"}]}`.
  package func jsonText(pretty: Bool = true) -> String {
    JSONWriter.document(pretty: pretty) { writer in
      writer.member("passed", passed)
      writer.member("failed", failed)
      writer.member("skipped", skipped)
      writer.member("failures", failures) { writer, failure in
        writer.object { writer in
          writer.member("id", failure.id)
          writer.member("expression", failure.expression)
          writer.member("got", failure.got)
          writer.member("want", failure.want)
        }
      }
    }
  }
}
