import AudienceFilters
import CAllocationCount
import ExpressionEngine
import FilterCorpus
import Foundation
import TestSupport
import Testing

@Suite("Memory stays flat")
struct MemoryTests {
  /// The number of evaluations that `make memory` sets; otherwise some of the cases are enough.
  private static let evaluations =
    ProcessInfo.processInfo.environment["SWEXPR_EVALUATIONS"].flatMap { Int($0) }

  private struct Sample {
    let filter: Filter
    let set: FilterSet
    let context: Context
  }

  /// The cases of the corpus in both dialects, with hosts that fail and without.
  private static func samples() throws -> [Sample] {
    try ["corpus/superscript", "corpus/cel", "corpus/cookbook"].flatMap { folder in
      try CaseFile.cases(at: TestFiles.path(folder)).compactMap { corpusCase in
        let request = corpusCase.request
        guard case .expression(let text) = request.question,
          let filter = try? Filter(text, environment: request.environment)
        else { return nil }
        return Sample(
          filter: filter, set: FilterSet([filter]), context: Context(variables: request.variables))
      }
    }
  }

  @Test("evaluations keep no memory, whatever they end in")
  func evaluations() throws {
    guard allocation_count_available() else {
      print("allocations cannot be counted here, so none are")
      return
    }
    let all = try Self.samples()
    let samples =
      Self.evaluations == nil ? stride(from: 0, to: all.count, by: 8).map { all[$0] } : all
    #expect(samples.count > 1_000)
    var live: [Int64] = []
    var done = 0
    while done < Self.evaluations ?? 0 || live.count < 3 {
      for sample in samples {
        _ = try? sample.filter.evaluate(sample.context)
        _ = sample.filter.matches(sample.context)
        _ = sample.set.matches(sample.context)
      }
      done += 3 * samples.count
      let count = allocation_count_now()
      live.append(Int64(count.allocations) - Int64(count.frees))
    }
    // The first round fills what is kept for as long as the process or the filter lives.
    #expect(Set(live[1...]).count == 1, "live allocations after each round: \(live)")
    if Self.evaluations != nil {
      print("\(done) evaluations in \(live.count) rounds; live allocations: \(live[1])")
    }
  }
}
