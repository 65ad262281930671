/// Runs cases through an engine and counts.
public struct CaseRunner: Sendable {
  /// How far a run has come.
  public struct Progress: Sendable, Hashable {
    /// The number of cases done.
    public var done: Int
    /// The number of all cases.
    public var total: Int
  }

  /// The engine.
  public let evaluator: any CaseEvaluator

  /// Creates a runner.
  public init(evaluator: any CaseEvaluator) {
    self.evaluator = evaluator
  }

  /// Runs `cases` one after the other.
  ///
  /// - Parameter progress: Called now and then and at the end.
  public func run(
    _ cases: [ConformanceCase], progress: (Progress) -> Void = { _ in }
  ) -> CorpusReport {
    var report = CorpusReport()
    for (index, item) in cases.enumerated() {
      run(item, into: &report)
      if (index + 1) % Self.chunkSize == 0 {
        progress(Progress(done: index + 1, total: cases.count))
      }
    }
    progress(Progress(done: cases.count, total: cases.count))
    return report
  }

  /// Runs `cases` on all cores. The report is the same as that of a serial run.
  ///
  /// - Parameter progress: Called now and then and at the end, by one task at a time.
  public func runConcurrently(
    _ cases: [ConformanceCase], progress: (Progress) -> Void = { _ in }
  ) async -> CorpusReport {
    let starts = Array(stride(from: 0, to: cases.count, by: Self.chunkSize))
    var parts: [CorpusReport?] = Array(repeating: nil, count: starts.count)
    await withTaskGroup(of: (Int, CorpusReport).self) { group in
      for (part, start) in starts.enumerated() {
        let chunk = cases[start..<min(start + Self.chunkSize, cases.count)]
        group.addTask {
          var report = CorpusReport()
          for item in chunk { run(item, into: &report) }
          return (part, report)
        }
      }
      var done = 0
      for await (part, report) in group {
        parts[part] = report
        done += min(Self.chunkSize, cases.count - starts[part])
        progress(Progress(done: done, total: cases.count))
      }
    }
    return parts.reduce(into: CorpusReport()) { report, part in
      if let part { report.append(part) }
    }
  }

  /// How many cases a task takes at a time.
  private static let chunkSize = 64

  private func run(_ item: ConformanceCase, into report: inout CorpusReport) {
    if let reason = item.skipReason {
      report.skips[reason, default: 0] += 1
      return
    }
    if let need = item.needs.first(where: { !evaluator.offers($0) }) {
      report.skips["needs \(need)", default: 0] += 1
      return
    }
    let outcome = evaluator.evaluate(item.request)
    if item.expectation.isMet(by: outcome, dialect: item.request.dialect) {
      report.passed += 1
    } else {
      report.failures.append(
        CorpusReport.Failure(
          id: item.id, expression: item.request.question.text, got: outcome.summary,
          want: item.expectation.summary))
    }
  }
}
