import ExpressionPrinting
import ExpressionSyntax
import FilterCorpus
import Foundation
import TestSupport
import Testing

@testable import ExpressionEngine

@Suite("Deadlines and cancellation")
struct StopTests {
  private static func outcome(
    _ filter: Filter, _ context: Context, unless stop: EvaluationStop? = nil
  ) -> ReferenceEvaluator.Outcome {
    ReferenceEvaluator.Outcome { () throws(EvaluationError) in
      if let stop {
        try filter.evaluate(context, unless: stop)
      } else {
        try filter.evaluate(context)
      }
    }
  }

  private static func failure(
    _ filter: Filter, _ context: Context = Context(), unless stop: EvaluationStop
  ) -> DiagnosticID? {
    do throws(EvaluationError) {
      _ = try filter.evaluate(context, unless: stop)
      return nil
    } catch {
      return error.id
    }
  }

  @Test("a stop that is not requested changes no result of the corpus")
  func corpus() throws {
    let stop = EvaluationStop(deadline: .now + .seconds(100_000))
    var count = 0
    for folder in ["superscript", "cel", "limits"] {
      for item in try CaseFile.cases(at: TestFiles.path("corpus/\(folder)")) {
        guard case .expression(let text) = item.request.question,
          let filter = try? Filter(SourceText(text), environment: FilterEnvironment(item.request))
        else { continue }
        let context = Context(variables: item.request.variables)
        let plain = Self.outcome(filter, context)
        let watched = Self.outcome(filter, context, unless: stop)
        #expect(watched.isIdentical(to: plain), "\(item.id)")
        count += 1
      }
    }
    #expect(count > 3_000)
  }

  @Test(
    "the budget is exact, also where it is divided",
    arguments: [0, 1, 2, 1_023, 1_024, 1_025, 2_047, 2_048, 2_049, 5_000])
  func slices(limit: Int) throws {
    let filter = try Filter(
      "l.map(v, v)",
      environment: FilterEnvironment(limits: EvaluationLimits(steps: limit)))
    for turns in [limit, limit + 1] {
      let list = Value.list((0..<turns).map { .int(Int64($0)) })
      let context = Context(variables: ["l": list])
      let expected: DiagnosticID? = turns <= limit ? nil : .stepLimit
      #expect(Self.failure(filter, context, unless: EvaluationStop()) == expected)
      let plain = Self.outcome(filter, context)
      #expect(Self.outcome(filter, context, unless: EvaluationStop()).isIdentical(to: plain))
    }
  }

  @Test("a deadline that has passed, and a stop that was cancelled, end every evaluation")
  func atOnce() throws {
    let past = EvaluationStop(deadline: .now - .seconds(1))
    let cancelled = EvaluationStop()
    #expect(!cancelled.isCancelled)
    cancelled.cancel()
    cancelled.cancel()
    #expect(cancelled.isCancelled && !past.isCancelled)
    for text in ["true", "user.age == 25", "[1, 2].map(v, v)", "maybe(0, ghost.x.y, 1)"] {
      let filter = try Filter(text)
      #expect(Self.failure(filter, unless: past) == .deadlineExceeded)
      #expect(Self.failure(filter, unless: cancelled) == .evaluationCancelled)
      #expect(!filter.matches(Context(), unless: past))
    }
    #expect(try Filter("true").matches(Context(), unless: EvaluationStop()))
  }

  @Test("no function is called after a cancellation, and no construct recovers from it")
  func hostFunctions() throws {
    for (dialect, texts) in [
      (
        Dialect.superscript,
        [
          "[1, 2, 3].map(v, device.stop(v))", "maybe(0, [1, 2].map(v, device.stop(v)), 7)",
          "device.stop(1) == device.stop(2) || true",
        ]
      ),
      (.cel, ["[1, 2].exists(v, device.stop(v) == 0) || true"]),
    ] {
      for text in texts {
        let stop = EvaluationStop()
        let calls = Locked(0)
        let environment = FilterEnvironment(
          dialect: dialect,
          deviceFunctions: [
            "stop": { arguments, _ in
              calls.withLock { $0 += 1 }
              stop.cancel()
              return arguments.first ?? .null
            }
          ])
        let filter = try Filter(text, environment: environment)
        #expect(Self.failure(filter, unless: stop) == .evaluationCancelled, "\(text)")
        #expect(calls.withLock { $0 } == 1, "\(text)")
      }
    }
  }

  @Test("another thread ends a loop that nothing else would")
  func otherThread() throws {
    let stop = EvaluationStop()
    let environment = FilterEnvironment(
      deviceFunctions: [
        "start": { _, _ in
          Thread.detachNewThread { stop.cancel() }
          return 1
        }
      ], limits: EvaluationLimits(steps: .max))
    // A loop over 100 elements in a loop over 100 elements, and so on: 10^18 turns.
    let loops =
      (0..<9).map { "l.all(v\($0), " }.joined() + "true" + String(repeating: ")", count: 9)
    let filter = try Filter("device.start() == 1 && \(loops)", environment: environment)
    let context = Context(variables: ["l": .list(Array(repeating: 1, count: 100))])
    #expect(Self.failure(filter, context, unless: stop) == .evaluationCancelled)
  }

  @Test("a deadline ends a loop that nothing else would")
  func deadline() throws {
    let environment = FilterEnvironment(limits: EvaluationLimits(steps: .max))
    for body in ["true", "s.contains(\"b\")", "l == m", "s.matches(\"(a|b|ab)*c\")"] {
      let loops =
        (0..<9).map { "l.all(v\($0), " }.joined() + "(\(body)) || true"
        + String(repeating: ")", count: 9)
      let filter = try Filter(loops, environment: environment)
      let list = Value.list(Array(repeating: 1, count: 100))
      let context = Context(variables: [
        "l": list, "m": .list(Array(repeating: 1, count: 100)),
        "s": .string(String(repeating: "a", count: 1_000)),
      ])
      let stop = EvaluationStop(deadline: .now + .milliseconds(1))
      #expect(Self.failure(filter, context, unless: stop) == .deadlineExceeded, "\(body)")
    }
  }
}
