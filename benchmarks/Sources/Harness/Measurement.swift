import AllocationCount

/// How a measurement is taken.
package struct Method: Sendable {
  /// How long one batch should run, in nanoseconds.
  package var batchNanoseconds: Double = 5_000_000
  /// How many batches of each subject are timed.
  package var rounds = 21

  package init() {}

  package init(batchNanoseconds: Double, rounds: Int) {
    self.batchNanoseconds = batchNanoseconds
    self.rounds = rounds
  }
}

/// What was measured of one subject in one case.
package struct Measurement: Sendable {
  package let subject: String
  /// Nanoseconds per evaluation, over the rounds.
  package let medianNanoseconds: Double
  package let minimumNanoseconds: Double
  /// The median over the rounds of this subject's time divided by the baseline's in the same round.
  package let ratio: Double?
  /// Allocations per evaluation; nil where they cannot be counted.
  package let mallocs: Double?
}

/// Why a measurement was refused.
package enum MeasurementError: Error, CustomStringConvertible {
  /// The subject's results are wrong, so its time means nothing.
  case wrongAnswer(subject: String, case: String, got: UInt64, want: UInt64)
  /// However often it is repeated it takes no time: the optimiser has removed the work.
  case nothingToTime(subject: String, case: String)

  package var description: String {
    switch self {
    case .wrongAnswer(let subject, let name, let got, let want):
      return "\(subject) answers \(name) wrongly: the sum of its answers is \(got), not \(want)"
    case .nothingToTime(let subject, let name):
      return "\(subject) does nothing in \(name): no number of repetitions takes any time"
    }
  }
}

/// Times the subjects of one case.
///
/// Each round runs one batch of every subject, in rotating order, so that a change of the machine's
/// speed meets all of them alike and cancels in the ratios.
///
/// - Throws: `MeasurementError` when a subject's result is wrong in any batch.
@inline(never)
package func measure(
  _ row: BenchmarkCase, baseline: String?, method: Method
) throws(MeasurementError) -> [Measurement] {
  var iterations: [Int] = []
  for subject in row.subjects {
    iterations.append(try calibrate(subject, in: row, method: method))
  }
  var times = [[Double]](repeating: [], count: row.subjects.count)
  for round in 0..<method.rounds {
    for offset in row.subjects.indices {
      let index = (offset + round) % row.subjects.count
      let subject = row.subjects[index]
      let elapsed = try time(subject, iterations: iterations[index], in: row)
      times[index].append(
        elapsed / (Double(iterations[index]) * Double(subject.evaluationsPerIteration)))
    }
  }
  let baselineTimes = row.subjects.firstIndex { $0.name == baseline }.map { times[$0] }
  return row.subjects.indices.map { index in
    let ratios = baselineTimes.map { zip(times[index], $0).map { $0 / $1 } }
    return Measurement(
      subject: row.subjects[index].name,
      medianNanoseconds: median(times[index]) ?? .nan,
      minimumNanoseconds: times[index].min() ?? .nan,
      ratio: ratios.flatMap { median($0) },
      mallocs: countMallocs(row.subjects[index]))
  }
}

/// Allocations per evaluation of a warm subject; nil where they cannot be counted.
package func countMallocs(_ subject: any Subject) -> Double? {
  guard allocation_count_available() else { return nil }
  // Few iterations for work that is long or allocates much, enough to divide by for the rest.
  let iterations = subject.evaluationsPerIteration > 100 ? 2 : 64
  _ = subject.run(iterations: iterations)
  let before = allocation_count_now().allocations
  _ = subject.run(iterations: iterations)
  let after = allocation_count_now().allocations
  return Double(after - before)
    / (Double(iterations) * Double(subject.evaluationsPerIteration))
}

/// The number of iterations that fill a batch. Warms the subject up on the way.
private func calibrate(
  _ subject: any Subject, in row: BenchmarkCase, method: Method
) throws(MeasurementError) -> Int {
  var iterations = 1
  while true {
    let elapsed = try time(subject, iterations: iterations, in: row)
    if elapsed >= method.batchNanoseconds / 4 {
      let scaled = Double(iterations) * method.batchNanoseconds / max(elapsed, 1)
      return max(1, Int(scaled.rounded()))
    }
    guard iterations < 1 << 36 else { throw .nothingToTime(subject: subject.name, case: row.name) }
    iterations *= 2
  }
}

/// The nanoseconds that a batch takes.
private func time(
  _ subject: any Subject, iterations: Int, in row: BenchmarkCase
) throws(MeasurementError) -> Double {
  let start = ContinuousClock.now
  let sum = subject.run(iterations: iterations)
  let elapsed = ContinuousClock.now - start
  let want = subject.expectedSum &* UInt64(iterations)
  guard sum == want else {
    throw .wrongAnswer(subject: subject.name, case: row.name, got: sum, want: want)
  }
  let parts = elapsed.components
  return Double(parts.seconds) * 1e9 + Double(parts.attoseconds) / 1e9
}
