import ExpressionSyntax
import TestSupport
import Testing

@testable import ExpressionEngine

@Suite("Filters that are evaluated together")
struct FilterSetTests {
  @Test(
    "A set gives what each filter gives alone, errors included, whatever is added and removed",
    arguments: 0..<12 as Range<UInt64>, [Dialect.superscript, .cel])
  func equalsEachAlone(seed: UInt64, dialect: Dialect) throws {
    var generator = FilterSetGenerator(seed: seed)
    let environment = FilterEnvironment(dialect: dialect)
    let size = [1, 7, 9, 60][Int(seed % 4)]
    var filters = try (0..<size).map { _ in try generator.compiledFilter(environment) }
    let tuning = FilterSet.Tuning(
      minimumGraph: [1, 8, 48][Int(seed / 4)], maximumSingles: [1, 8, 32][Int(seed / 4)],
      usesBitmaps: seed % 4 > 1)
    var set =
      seed % 3 == 0
      ? try FilterSet(
        texts: filters.map(\.source.text), environment: environment, tuning: tuning)
      : FilterSet(filters, tuning: tuning)
    for step in 0..<16 {
      expectSame(set, filters, generator.context())
      guard seed % 2 == 0 else { continue }
      for _ in 0..<generator.number(below: 12) {
        let filter = try generator.compiledFilter(environment)
        filters.append(filter)
        if step % 2 == 0 {
          set.append(filter)
        } else {
          try set.append(text: filter.source.text, environment: environment)
        }
      }
      for _ in 0..<generator.number(below: 6) {
        let number = generator.number(below: filters.count)
        filters[number] = try Filter("false", environment)
        set.remove(at: number)
        #expect(set[number].source.text == "false")
      }
    }
  }

  private func expectSame(
    _ set: FilterSet, _ filters: [Filter], _ context: Context
  ) {
    let alone = filters.map { $0.alone(context) }
    let together = set.evaluate(context)
    for index in filters.indices {
      #expect(
        told(together[index]) == told(alone[index]),
        "\(filters[index].source.text), \(context.snapshot())")
    }
    let matches = alone.map { told($0) == told(.success(.bool(true))) }
    #expect(set.matches(context) == matches)
    #expect(set.matchingIndices(context) == matches.indices.filter { matches[$0] })
    #expect(set.indexOfFirstMatch(context) == matches.firstIndex(of: true))
  }

  @Test(
    "Several conditions of one attribute come to one row of bits",
    arguments: 0..<8 as Range<UInt64>)
  func severalConditionsOfAnAttribute(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    func condition() -> String {
      let name = ["a", "b", "c"][Int.random(in: 0..<3, using: &random)]
      let value = Int.random(in: 0..<6, using: &random)
      if Int.random(in: 0..<4, using: &random) == 0 { return "user.\(name) in [\(value), 3]" }
      let op = ["<", "<=", ">", ">=", "==", "!="][Int.random(in: 0..<6, using: &random)]
      return "user.\(name) \(op) \(value)"
    }
    let texts = (0..<60).map { _ in
      (0..<Int.random(in: 1...4, using: &random)).map { _ in
        let clause = (0..<Int.random(in: 1...3, using: &random)).map { _ in condition() }
        return "(" + clause.joined(separator: " || ") + ")"
      }.joined(separator: " && ")
    }
    let set = try FilterSet(texts: texts, environment: .standard)
    #expect(set.graphs.contains { $0.bitmap != nil })
    let filters = try texts.map { try Filter($0) }
    for number in 0..<8 * 8 * 8 {
      // Seven of the eight values are a number; otherwise the attribute is missing.
      var user: [String: Value] = [:]
      for (name, digit) in [("a", number % 8), ("b", number / 8 % 8), ("c", number / 64)]
      where digit < 7 {
        user[name] = .int(Int64(digit))
      }
      expectSame(set, filters, Context(user: Context.Layer(user)))
    }
  }

  /// Conditions with each form of a constant; what two of them have in common is read once.
  private static let conditions = [
    "user.a > 1", "user.a == 1", "user.a != \"x\"", "user.a == 9007199254740992",
    "user.a == 9007199254740993", "user.a in [1, \"x\"]", "user.a.startsWith(\"x\")", "user.a",
    "has(user.a)", "user.b > 1", "user.b == true", "[1, 2].exists(e, user.b == e)",
    "[\"x\", \"y\"].all(e, user.b != e)", "[true, 1].exists(e, e)", "size(user.b) == 1",
    "user.a + 1 > 2",
  ]

  /// Loops that only the cel dialect has.
  private static let celConditions = [
    "[3, 2].exists(i, e, user.b == i)", "[1, 2].all(i, e, user.b != e)",
    "[1, 2].exists(e, e)", "a == 1",
  ]

  @Test(
    "Every two conditions come to the same in a set, however they are joined",
    arguments: ["%1 || %2", "!(%1 && %2)", "(%1) == (%2)", "%1 ? %2 : user.b == 2"],
    [Dialect.superscript, .cel])
  func everyTwo(form: String, dialect: Dialect) throws {
    let environment = FilterEnvironment(dialect: dialect)
    let conditions = Self.conditions + (dialect == .cel ? Self.celConditions : [])
    let filters = try conditions.flatMap { first in
      try conditions.compactMap { second in
        let text = form.replacing("%1", with: first).replacing("%2", with: second)
        // Not each dialect takes each of them.
        return try dialect == .cel ? try? Filter(text, environment) : Filter(text, environment)
      }
    }
    #expect(filters.count > 100)
    let set = FilterSet(filters)
    let values: [Value?] = [
      nil, .null, .bool(true), .int(1), .int(2), .double(1.5), .string("x"), .string("y"),
      .int(9_007_199_254_740_993), .double(9_007_199_254_740_992),
    ]
    for index in values.indices {
      // Each value of the one attribute with two values of the other.
      for other in [index + 1, 3 * index + 2] {
        var user: [String: Value] = [:]
        user["a"] = values[index]
        user["b"] = values[other % 8]
        expectSame(set, filters, Context(user: Context.Layer(user)))
      }
    }
    // Names with a dot, which the cel dialect looks up first.
    for variables in [["user.a": 1], ["a": 1], ["user.a": "x", "user.b": 2]] as [[String: Value]] {
      expectSame(set, filters, Context(variables: variables))
    }
  }

  @Test("A copy of a set does not see what is changed in the other")
  func copies() throws {
    let texts = (0..<100).map { "user.age == \($0)" }
    let set = try FilterSet(texts: texts, environment: .standard)
    var other = set
    try other.append(text: "user.age > 6", environment: .standard)
    other.remove(at: 7)
    let context = Context(user: Context.Layer(["age": .int(7)]))
    #expect(set.matchingIndices(context) == [7])
    #expect(other.matchingIndices(context) == [100])
    #expect(set.count == 100)
    #expect(other.count == 101)
  }

  @Test("A set grows filter by filter")
  func grows() throws {
    var set = FilterSet()
    var filters: [Filter] = []
    for number in 0..<500 {
      filters.append(try Filter("user.age > \(number % 100) && user.plan == \"x\""))
      set.append(filters[number])
    }
    let context = Context(user: Context.Layer(["age": .int(50), "plan": .string("x")]))
    #expect(set.matchingIndices(context) == filters.indices.filter { filters[$0].matches(context) })
    for number in filters.indices where number % 3 != 0 { set.remove(at: number) }
    #expect(
      set.matchingIndices(context)
        == filters.indices.filter { $0 % 3 == 0 && filters[$0].matches(context) })
  }

  @Test("Nodes may have more operands than a byte counts")
  func countsBeyondBytes() throws {
    let all = (0..<1000).map { "user.a\($0) == \($0)" }
    let texts =
      [all.joined(separator: " && "), all.joined(separator: " || ")]
      + (0..<10).map { "(\(all[$0...].joined(separator: " || "))) && user.b == 1" }
    let set = try FilterSet(texts: texts, environment: .standard)
    var attributes: [String: Value] = ["b": .int(1)]
    for number in 0..<1000 { attributes["a\(number)"] = .int(Int64(number)) }
    let everything = Context(user: Context.Layer(attributes))
    #expect(set.matchingIndices(everything) == Array(0..<12))
    attributes["a999"] = .int(0)
    #expect(
      set.matchingIndices(Context(user: Context.Layer(attributes))) == Array(1..<12))
    #expect(set.matchingIndices(Context(user: Context.Layer(["a1": .int(1)]))) == [1])
  }

  @Test("Huge sets find their attributes in the context, and the other way round")
  func looksUpBothWays() throws {
    let texts = (0..<2000).map { "user.a\($0) < 5 && user.b == 1" }
    let set = try FilterSet(texts: texts, environment: .standard)
    let context = Context(user: Context.Layer(["a3": .int(7), "b": .int(1)]))
    // A missing attribute is zero.
    #expect(set.matchingIndices(context) == (0..<2000).filter { $0 != 3 })
    #expect(set.matchingIndices(Context(user: nil)) == [])
  }

  @Test("A set of texts takes a fraction of the memory of its filters")
  func isSmall() throws {
    let texts = (0..<1000).map { "user.id == \"u\($0)\" && user.age > \($0 % 7)" }
    let set = try FilterSet(texts: texts, environment: .standard)
    #expect(set.approximateByteCount < 500 * 1000)
  }

  @Test("A text that is no filter is refused")
  func refusesMistakes() throws {
    let good = Array(repeating: "user.a == 1", count: 20)
    #expect(throws: FilterError.self) {
      try FilterSet(texts: good + ["user.a =="], environment: .standard)
    }
    var set = try FilterSet(texts: good, environment: .standard)
    #expect(throws: FilterError.self) {
      try set.append(text: "user.a ==", environment: .standard)
    }
    #expect(set.count == 20)
  }

  @Test("The first match calls no host function of later filters")
  func stopsAtFirstMatch() throws {
    let calls = CallCounter()
    let environment = FilterEnvironment(
      deviceFunctions: [
        "count": { _, _ in
          calls.add()
          return .int(1)
        }
      ])
    let others = (0..<20).map { "user.age > \(100 + $0)" }
    let sources =
      ["device.count() == 2", "user.age > 100", "device.count() == 1", "device.count() == 1"]
      + others
    let set = try FilterSet(texts: sources, environment: environment)
    let context = Context(user: Context.Layer(["age": .int(10)]))
    for round in 1...4 {
      #expect(set.indexOfFirstMatch(context) == 2)
      #expect(calls.count == 2 * round)
    }
  }

  /// A set whose filters are all read into one graph.
  private func graph(of filters: [Filter]) -> FilterSet {
    FilterSet(
      filters, tuning: FilterSet.Tuning(minimumGraph: 1, maximumSingles: 1, usesBitmaps: false))
  }

  @Test("Sizes in calculations count what the dialect counts", arguments: Dialect.Name.allCases)
  func sizes(dialect: Dialect.Name) throws {
    let environment = FilterEnvironment(dialect: .named(dialect))
    let filters = try (1...4).map { try Filter("size(user.a) * 2 == \(2 * $0)", environment) }
    for text in ["", "ä", "ab", "äö", "x"] {
      expectSame(
        graph(of: filters), filters, Context(user: Context.Layer(["a": .string(text)])))
    }
  }

  @Test("An access that may fail is not a test for presence", arguments: Dialect.Name.allCases)
  func accesses(dialect: Dialect.Name) throws {
    let environment = FilterEnvironment(dialect: .named(dialect))
    let filters = try [
      "user.m[\"k\"]", "!user.m[\"k\"]", "user.m[\"k\"] == true", "user.m.x[\"k\"]",
      "user.m[\"k\"] || user.a == 1", "user.m[\"k\"] && user.a == 1", "has(user.m.k)",
    ].map { try Filter($0, environment) }
    let members: [[Value.Key: Value]] = [
      [:], ["m": .map([:])], ["m": .map(["k": true])], ["m": .map(["k": false]), "a": .int(1)],
      ["m": .map(["x": .map(["k": true])])], ["m": .int(1)], ["m": .null], ["a": .int(1)],
    ]
    for user in members {
      expectSame(graph(of: filters), filters, Context(variables: ["user": .map(user)]))
    }
  }

  @Test("An empty set and an empty context are no exception")
  func emptiness() throws {
    let none = FilterSet()
    #expect(none.matches(Context()) == [])
    #expect(none.indexOfFirstMatch(Context()) == nil)
    let set = try FilterSet(texts: ["true", "1"], environment: .standard)
    for _ in 0..<3 { #expect(set.matches(Context()) == [true, false]) }
  }
}

/// Counts calls from any thread.
final class CallCounter: Sendable {
  private let calls = Locked(0)
  func add() { calls.withLock { $0 += 1 } }
  var count: Int { calls.withLock { $0 } }
}
