/// Something that can be run many times: the unit the harness times.
///
/// The loop belongs to the subject, so that no call through a protocol is timed.
package protocol Subject {
  /// A short name, the column of the table: `c-hashed`, `engine`.
  var name: String { get }

  /// Runs `iterations` times and returns a sum that depends on every answer.
  ///
  /// The sum must be `iterations` times ``expectedSum``; the harness checks it.
  func run(iterations: Int) -> UInt64

  /// What one iteration adds to the sum.
  var expectedSum: UInt64 { get }

  /// How many evaluations one iteration stands for; figures are divided by it.
  var evaluationsPerIteration: Int { get }
}

extension Subject {
  package var evaluationsPerIteration: Int { 1 }
}

/// A subject made of a closure that runs the whole loop.
package struct ClosureSubject: Subject {
  package let name: String
  package let expectedSum: UInt64
  package let evaluationsPerIteration: Int
  private let loop: (Int) -> UInt64

  /// Makes a subject.
  ///
  /// - Parameters:
  ///   - name: the column of the table.
  ///   - expectedSum: what one iteration adds to the sum.
  ///   - evaluationsPerIteration: how many evaluations one iteration stands for.
  ///   - loop: runs the given number of iterations and returns the sum.
  package init(
    name: String, expectedSum: UInt64, evaluationsPerIteration: Int = 1,
    loop: @escaping (Int) -> UInt64
  ) {
    self.name = name
    self.expectedSum = expectedSum
    self.evaluationsPerIteration = evaluationsPerIteration
    self.loop = loop
  }

  package func run(iterations: Int) -> UInt64 { loop(iterations) }
}

/// One row of a table: subjects that do the same work and are compared.
package struct BenchmarkCase {
  package let name: String
  package let subjects: [any Subject]

  package init(name: String, subjects: [any Subject]) {
    self.name = name
    self.subjects = subjects
  }
}

/// A table: rows of the same kind, with the subject every other is divided by.
package protocol Suite {
  /// The name on the command line and in the JSON.
  var name: String { get }

  /// One line that says what a figure means.
  var summary: String { get }

  /// The name of the subject that ratios are taken to, when there is one.
  var baseline: String? { get }

  /// Makes the rows. Costly preparation belongs here.
  ///
  /// - Parameter filters: the names to measure; empty means all. A suite that is not about single
  ///   filters ignores it.
  func cases(filters: [String]) throws -> [BenchmarkCase]
}
