import AudienceFilters
import ExpressionSyntax
import Testing

@Suite("Monitored evaluations")
struct EvaluationMonitorTests {
  private let context = Context(user: ["age": 25])

  @Test("values and failures are those of the filter, and are counted")
  func totals() throws {
    let monitor = EvaluationMonitor()
    let (old, young) = (try Filter("user.age >= 18"), try Filter("user.age < 18"))
    let failing = try Filter("1 / user.none == 1")
    #expect(monitor.matches(old, context))
    #expect(!monitor.matches(young, context))
    #expect(!monitor.matches(failing, context))
    #expect(try monitor.evaluate(Filter("user.age + 1"), context) == 26)
    #expect(throws: EvaluationError.self) { try monitor.evaluate(failing, context) }
    let totals = monitor.takeTotals()
    #expect(totals.evaluations == 5)
    #expect(totals.matches == 1)
    #expect(totals.failures == [.unsupportedOperands: 2])
    #expect(totals.slowest <= totals.nanoseconds)
    #expect(monitor.totals == EvaluationMonitor.Totals())
  }

  @Test("the observer gets each evaluation, from any thread")
  func observer() async throws {
    let filter = try Filter("user.age >= 18")
    let texts = AsyncStream.makeStream(of: String.self)
    let monitor = EvaluationMonitor { record in
      texts.continuation.yield("\(record.filter.text) \(record.isMatch)")
    }
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<8 { group.addTask { _ = monitor.matches(filter, context) } }
    }
    texts.continuation.finish()
    var count = 0
    for await text in texts.stream {
      #expect(text == "user.age >= 18 true")
      count += 1
    }
    #expect(count == 8)
    #expect(monitor.totals.matches == 8)
  }
}
