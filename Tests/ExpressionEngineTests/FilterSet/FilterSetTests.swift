import ExpressionSyntax
import Synchronization
import Testing

@testable import ExpressionEngine

@Suite("Filters that are evaluated together")
struct FilterSetTests {
  @Test(
    "A set answers what each filter answers alone, errors included",
    arguments: 0..<10 as Range<UInt64>, [Dialect.superscript, .cel])
  func equalsEachAlone(seed: UInt64, dialect: Dialect) throws {
    var generator = FilterSetGenerator(seed: seed)
    let environment = Environment(dialect: dialect)
    let filters = try (0..<60).map { _ in try CompiledFilter(generator.filter(), environment) }
    let set = CompiledFilterSet(filters)
    for _ in 0..<12 {
      let context = generator.context()
      for round in 0..<4 {
        let alone = filters.map { $0.alone(context) }
        let together = set.evaluate(context)
        for index in filters.indices {
          #expect(
            told(together[index]) == told(alone[index]),
            "\(filters[index].source.text), round \(round), \(context.snapshot())")
        }
        let matches = alone.map { told($0) == told(.success(.bool(true))) }
        #expect(set.matches(context) == matches)
        #expect(set.matchingIndices(context) == matches.indices.filter { matches[$0] })
        #expect(set.firstMatch(context) == matches.firstIndex(of: true))
      }
    }
  }

  @Test(
    "Filters that cannot fail are indexed in every dialect",
    arguments: [Dialect.superscript, .cel])
  func indexesDialects(dialect: Dialect) throws {
    let filters = try (0..<100).map {
      try CompiledFilter(
        "user.id == \"u\($0)\" && user.age > \($0) && user.plan in [\"a\", \"b\", \"c\"]",
        Environment(dialect: dialect))
    }
    let set = CompiledFilterSet(filters)
    let context = Context(
      user: Context.Layer(["id": .string("u7"), "age": .int(10), "plan": .string("c")]))
    for _ in 0..<3 { #expect(set.matchingIndices(context) == [7]) }
  }

  @Test("Contexts of one shape share a plan and have their own values")
  func sharesPlans() throws {
    var generator = FilterSetGenerator(seed: 99)
    let filters = try (0..<200).map { _ in
      try CompiledFilter(
        "user.a == \"\(generator.pick(["x", "y", "z"]))\" && user.b > \(Int.random(in: 0..<20, using: &generator.random)) && user.c <= 0.\(Int.random(in: 0..<10, using: &generator.random))"
      )
    }
    let set = CompiledFilterSet(filters)
    for _ in 0..<100 {
      let context = Context(
        user: Context.Layer([
          "a": .string(generator.pick(["x", "y", "z", "w"])),
          "b": .int(Int64.random(in: -2..<22, using: &generator.random)),
          "c": .double(Double.random(in: 0..<1, using: &generator.random)),
        ]))
      #expect(set.matches(context) == filters.map { $0.matches(context) })
    }
  }

  @Test("Filters that an equality or a bound excludes are not touched")
  func touchesFew() throws {
    let equalities = try (0..<1000).map { number in
      try CompiledFilter("user.age > 3 && user.id == \"u\(number)\" && device.os != \"x\"")
    }
    let bounds = try (0..<1000).map { try CompiledFilter("user.age >= \($0)") }
    let lists = try (0..<1000).map {
      try CompiledFilter("user.id in [\"u\($0)\", \"u\($0 + 1)\"] && user.age > 0")
    }
    let context = Context(
      user: Context.Layer(["id": .string("u7"), "age": .int(10)]),
      device: Context.Layer(["os": .string("y")]))
    let set = CompiledFilterSet(equalities + bounds + lists)
    _ = set.matches(context)
    _ = set.matches(context)
    #expect(set.matchingIndices(context) == [7] + (1000..<1011) + [2006, 2007])
  }

  @Test("A false condition excludes nothing while another condition may fail")
  func keepsFailures() throws {
    let failing = try CompiledFilter("user.id == \"u1\" && 1 / user.zero == 1")
    let unordered = try CompiledFilter("user.id == \"u1\" && user.id < 5")
    let set = CompiledFilterSet([failing, unordered])
    let context = Context(
      user: Context.Layer(["id": .string("u7"), "zero": .int(0)]))
    for _ in 0..<4 {
      for result in set.evaluate(context) {
        guard case .failure = result else {
          Issue.record("\(result) is no failure")
          continue
        }
      }
    }
  }

  @Test("The first match calls no host function of later filters")
  func stopsAtFirstMatch() throws {
    let calls = CallCounter()
    let environment = Environment(
      deviceFunctions: [
        "count": { _, _ in
          calls.add()
          return .int(1)
        }
      ])
    let sources = [
      "device.count() == 2", "user.age > 100", "device.count() == 1", "device.count() == 1",
    ]
    let set = CompiledFilterSet(
      try sources.map { try CompiledFilter(Source($0), environment: environment) })
    let context = Context(user: Context.Layer(["age": .int(10)]))
    for round in 1...4 {
      #expect(set.firstMatch(context) == 2)
      #expect(calls.count == 2 * round)
    }
  }

  @Test("Contexts of ever new kinds are answered too, and plans stay few")
  func survivesManyKinds() throws {
    var generator = FilterSetGenerator(seed: 5)
    let filters = try (0..<20).map { _ in try CompiledFilter(generator.filter()) }
    let set = CompiledFilterSet(filters)
    for number in 0..<300 {
      var attributes: [String: Value] = ["n\(number)": .int(1)]
      for name in ["a", "b", "c", "d"] { attributes[name] = generator.value() }
      let context = Context(user: Context.Layer(attributes))
      for _ in 0..<2 {
        #expect(set.matches(context) == filters.map { $0.matches(context) })
      }
    }
  }

  @Test("An empty set and an empty context are no exception")
  func emptiness() throws {
    let none = CompiledFilterSet([])
    #expect(none.matches(Context()) == [])
    #expect(none.firstMatch(Context()) == nil)
    let set = CompiledFilterSet([try CompiledFilter("true"), try CompiledFilter("1")])
    for _ in 0..<3 { #expect(set.matches(Context()) == [true, false]) }
  }
}

/// Counts calls from any thread.
final class CallCounter: Sendable {
  private let calls = Atomic<Int>(0)
  func add() { calls.add(1, ordering: .relaxed) }
  var count: Int { calls.load(ordering: .relaxed) }
}
