import ExpressionSyntax
import TestSupport
import Testing

@testable import ExpressionEngine

@Suite("Random programs mean the same however they are evaluated")
struct OracleFuzzTests {
  private static let programCount = Effort.times(2_000)

  @Test("programs agree between machine, graph, printed form, set and reference")
  func agreement() throws {
    let agreement = Agreement(
      environment: OracleContexts.environment, contexts: OracleContexts.all)
    let tally = try onThread(stack: 256 << 20) { Self.run(agreement) }
    for (number, disagreement) in tally.disagreements {
      Issue.record("program \(number): \(disagreement)")
    }
    // A generator that mostly makes programs without a meaning would test nothing.
    #expect(tally.refused * 100 < Self.programCount)
    #expect(tally.unspecified * 50 < Self.programCount)
    #expect(tally.values * 3 > Self.programCount, "\(tally)")
  }

  private struct Tally {
    var refused = 0
    var unspecified = 0
    /// Programs with a value other than null in the full context.
    var values = 0
    var disagreements: [(Int, Disagreement)] = []
  }

  private static func run(_ agreement: Agreement) -> Tally {
    var tally = Tally()
    for number in 0..<programCount {
      var generator = ProgramGenerator(seed: UInt64(number))
      let program = generator.program()
      switch agreement.check(program.text) {
      case .agrees: tally.values += hasValue(program.text) ? 1 : 0
      case .refused: tally.refused += 1
      case .unspecified: tally.unspecified += 1
      case .disagrees:
        guard tally.disagreements.count < 20 else { return tally }
        let small = program.shrunk { candidate in
          if case .disagrees = agreement.check(candidate.text) { true } else { false }
        }
        if case .disagrees(let found) = agreement.check(small.text) {
          tally.disagreements.append((number, found))
        }
      }
    }
    return tally
  }

  private static func hasValue(_ expression: String) -> Bool {
    guard
      let filter = try? Filter(
        SourceText(expression), environment: OracleContexts.environment),
      let value = try? filter.evaluate(OracleContexts.full.context)
    else { return false }
    return value != .null
  }
}
