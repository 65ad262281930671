import ExpressionCoding
import ExpressionEngine

/// The results of running cases.
public struct CorpusReport: Sendable, Hashable {
  /// A case that was not answered as it wants.
  public struct Failure: Sendable, Hashable {
    /// The address of the case.
    public var id: String
    /// The expression or definition.
    public var expression: String
    /// The engine's answer.
    public var got: String
    /// The expected answer.
    public var want: String

    /// Creates a failure.
    public init(id: String, expression: String, got: String, want: String) {
      self.id = id
      self.expression = expression
      self.got = got
      self.want = want
    }

    /// `id: got … want …`
    public var line: String { "\(id): got \(got) want \(want)" }
  }

  /// The number of cases answered as they want.
  public var passed = 0
  /// The cases that were not, in the order of the cases.
  public var failures: [Failure] = []
  /// The number of cases left out, by reason.
  public var skips: [String: Int] = [:]

  /// Creates an empty report.
  public init() {}

  /// The number of cases that were not answered as they want.
  public var failed: Int { failures.count }

  /// The number of cases left out.
  public var skipped: Int { skips.values.reduce(0, +) }

  /// `N passed, M failed, K skipped`
  public var summary: String { "\(passed) passed, \(failed) failed, \(skipped) skipped" }

  /// The reasons of skipped cases, one line each with its count, the most frequent first.
  public var skipLines: [String] {
    skips.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
      .map { "\($0.value) skipped: \($0.key)" }
  }

  /// Appends the results of `other`.
  public mutating func append(_ other: CorpusReport) {
    passed += other.passed
    failures += other.failures
    skips.merge(other.skips, uniquingKeysWith: +)
  }

  /// The report as one JSON document:
  /// `{"passed", "failed", "skipped", "failures": [{"id", "expression", "got", "want"}]}`.
  public func jsonText(pretty: Bool = true) -> String {
    var writer = JSONWriter(pretty: pretty)
    writer.beginObject()
    for (name, count) in [("passed", passed), ("failed", failed), ("skipped", skipped)] {
      writer.key(name)
      writer.int(Int64(count))
    }
    writer.key("failures")
    writer.beginArray()
    for failure in failures {
      writer.beginObject()
      for (name, text) in [
        ("id", failure.id), ("expression", failure.expression), ("got", failure.got),
        ("want", failure.want),
      ] {
        writer.key(name)
        writer.string(text)
      }
      writer.endObject()
    }
    writer.endArray()
    writer.endObject()
    return writer.text
  }
}
