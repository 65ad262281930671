/// Runs cases through an engine and counts.
package struct CaseRunner: Sendable {
  /// The progress of a run.
  package struct Progress: Sendable, Hashable {
    /// The number of cases done.
    package var done: Int
    /// The number of all cases.
    package var total: Int
  }

  /// The engine.
  package let evaluator: any CaseEvaluator

  /// Creates a runner.
  package init(evaluator: any CaseEvaluator) {
    self.evaluator = evaluator
  }

  /// Runs `cases` one after the other.
  ///
  /// - Parameter progress: Called now and then and at the end.
  package func run(
    _ cases: [ConformanceCase], progress: (Progress) -> Void = { _ in }
  ) -> CorpusReport {
    var verdicts: [Verdict?] = Array(repeating: nil, count: cases.count)
    var done = 0
    for batch in Self.batches(of: cases) {
      for (index, verdict) in zip(batch, run(batch.map { cases[$0] })) { verdicts[index] = verdict }
      done += batch.count
      progress(Progress(done: done, total: cases.count))
    }
    return Self.report(on: verdicts)
  }

  /// Runs `cases` on all cores. The report is the same as that of a serial run.
  ///
  /// - Parameter progress: Called now and then and at the end, by one task at a time.
  package func runConcurrently(
    _ cases: [ConformanceCase], progress: (Progress) -> Void = { _ in }
  ) async -> CorpusReport {
    let batches = Self.batches(of: cases)
    var verdicts: [Verdict?] = Array(repeating: nil, count: cases.count)
    await withTaskGroup(of: (batch: Int, verdicts: [Verdict]).self) { group in
      for (number, batch) in batches.enumerated() {
        group.addTask { (number, run(batch.map { cases[$0] })) }
      }
      var done = 0
      for await result in group {
        for (index, verdict) in zip(batches[result.batch], result.verdicts) {
          verdicts[index] = verdict
        }
        done += batches[result.batch].count
        progress(Progress(done: done, total: cases.count))
      }
    }
    return Self.report(on: verdicts)
  }

  /// The verdict on a case.
  private enum Verdict: Sendable {
    case passed
    case failed(CorpusReport.Failure)
    case skipped(String)
  }

  /// A task takes at least so many cases at a time, unless there are fewer.
  private static let batchSize = 64
  /// The most cases that are evaluated together.
  private static let groupSize = 256

  /// The positions of the cases in batches, those that differ only in their question side by side
  /// and in the same batch.
  private static func batches(of cases: [ConformanceCase]) -> [[Int]] {
    var groups: [[Int]] = []
    var newest: [CaseSetting: Int] = [:]
    for (index, item) in cases.enumerated() {
      let setting = CaseSetting(of: item.request)
      if let group = newest[setting], groups[group].count < groupSize {
        groups[group].append(index)
      } else {
        newest[setting] = groups.count
        groups.append([index])
      }
    }
    var batches: [[Int]] = []
    for group in groups {
      if let last = batches.indices.last, batches[last].count < batchSize {
        batches[last] += group
      } else {
        batches.append(group)
      }
    }
    return batches
  }

  private static func report(on verdicts: [Verdict?]) -> CorpusReport {
    var report = CorpusReport()
    for verdict in verdicts {
      switch verdict {
      case .passed: report.passed += 1
      case .failed(let failure): report.failures.append(failure)
      case .skipped(let reason): report.skips[reason, default: 0] += 1
      case nil: break
      }
    }
    return report
  }

  private func run(_ cases: [ConformanceCase]) -> [Verdict] {
    let skips = cases.map { skipReason($0) }
    let asked = zip(cases, skips).filter { $1 == nil }.map { $0.0.request }
    var outcomes = evaluator.evaluate(asked)[...]
    return zip(cases, skips).map { item, skip in
      if let skip { return .skipped(skip) }
      return verdict(on: item, outcomes.popFirst())
    }
  }

  private func skipReason(_ item: ConformanceCase) -> String? {
    if let reason = item.skipReason { return reason }
    return item.needs.first { !evaluator.offers($0) }.map { "needs \($0)" }
  }

  private func verdict(on item: ConformanceCase, _ outcome: CaseOutcome?) -> Verdict {
    var got = "no answer"
    var want = item.expectation.summary
    if let outcome {
      let isMet = item.expectation.isMet(by: outcome, dialect: item.request.dialect)
      if isMet, outcome.differences.isEmpty { return .passed }
      got = ([outcome.summary] + outcome.differences).joined(separator: "; ")
      if isMet { want += ", on every path" }
    }
    return .failed(
      CorpusReport.Failure(
        id: item.id, expression: item.request.question.text, got: got, want: want))
  }
}
