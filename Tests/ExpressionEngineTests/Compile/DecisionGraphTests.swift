import ExpressionSyntax
import Testing

@testable import ExpressionEngine

@Suite("Filters that only ask questions run as graphs of decisions")
struct DecisionGraphTests {
  /// Contexts of one shape, whose values differ.
  private static let people: [[String: Value]] = {
    var generator = SplitMixGenerator(seed: 7)
    func pick<T>(_ choices: [T]) -> T {
      choices[Int.random(in: 0..<choices.count, using: &generator)]
    }
    return (0..<24).map { _ in
      [
        "user": .map([
          "age": .int(pick([-1, 0, 3, 17, 18, 19, .max])),
          "score": .double(pick([-0.0, 0.0, 2.5, 18, 1e300])),
          "plan": .string(pick(["", "free", "pro", "prof", "a longer name of a plan"])),
          "flag": .bool(pick([true, false])),
          "tags": .list(pick([[], ["a"], ["b", "a"], ["pro", 5, .null, ["a"]]])),
          "points": .list(pick([[], [1], [1, 5, 9], [5, 5]])),
          "mixed": .list(pick([[], [1, "a"], [9]])),
        ]),
        "device": .map(["os": .string(pick(["16.0", "17", "9"]))]), "params": .map([:]),
      ]
    }
  }()

  private static let first = Context(variables: people[0])

  private static func decisions(
    _ text: String, _ dialect: Dialect = .superscript
  ) throws -> [Decision]? {
    let tree = try parse(Source(text), dialect: dialect)
    let environment: Environment = dialect == .cel ? .cel : .standard
    let program = try Lowering.program(tree, environment: environment, fuses: true)
    let code = program.specialize(for: first.storage)
    defer { code.deallocate() }
    return DecisionGraph.decisions(of: program, code, first.roots)
  }

  @Test(
    "a filter asks as few questions as it can",
    arguments: [
      ("user.age >= 18", [.intAtLeast]), ("user.age < 18", [.intAtLeast]),
      ("user.age != 18", [.intEqual]), ("user.score <= 18", [.doubleAbove]),
      ("user.flag", [.truthy]), ("!user.flag", [.truthy]), ("user.flag == true", [.intEqual]),
      ("user.age && user.plan", [.truthy, .truthy]),
      ("user.plan == \"pro\" || user.plan > \"a\"", [.stringEqual, .stringAbove]),
      ("user.flag ? user.age > 3 : user.score > 3", [.truthy, .intAbove, .doubleAbove]),
      ("(user.flag ? user.age : user.age) > 3", [.intAbove]),
      (
        "user.plan.startsWith(\"p\") && user.plan.endsWith(\"o\")",
        [.stringHasPrefix, .stringHasSuffix]
      ),
      ("user.plan.contains(\"r\")", [.stringContains]),
      ("user.plan in [\"a\", \"b\"]", [.stringInList]),
      ("user.plan in [\"a\", \"b\", \"c\", \"d\", \"e\"]", [.stringInSet]),
      ("size(user.tags) == 0", [.lengthEqual]), ("size(user.tags) < 2", [.lengthAtLeast]),
      ("\"a\" in user.tags", [.listHasString]),
      ("[\"a\", \"b\"].exists(t, t in user.tags)", [.listHasString, .listHasString]),
      ("[\"a\", \"b\"].all(t, t in user.tags)", [.listHasString, .listHasString]),
      ("user.points.exists(p, p > 3)", [.listCounts]),
      ("size(user.points.filter(p, p > 3)) >= 2", [.listCounts]),
      // What settles the outcome, or cannot change it, is not asked.
      ("user.age > 3 && false", [.always]), ("user.gone == 3", [.always]),
      ("user.gone == 3 || user.age > 3", [.intAbove]), ("user.flag && user.gone == 1", [.always]),
      // A pattern may be given up, so that it is tried even where nothing depends on it.
      ("user.plan.matches(\"^p\") && false", [.stringMatches]),
    ] as [(String, [Decision.Test])])
  func questions(text: String, tests: [Decision.Test]) throws {
    let decisions = try #require(try Self.decisions(text))
    #expect(decisions.map(\.test) == tests)
  }

  @Test(
    "what computes, fails, calls the host or gives no bool has no graph",
    arguments: [
      "user.age", "user.age + 1 > 3", "user.age > \"a\"", "user.gone.deep == 1", "[user.age]",
      "device.daysSince(\"x\") > 3 && user.age > 3", "user.points.map(p, p + 1) == [2]",
      "user.tags.exists(t, t == \"a\")", "user.flag ? 1 : 2",
    ])
  func noGraph(text: String) throws {
    let tree = try parse(Source(text), dialect: .superscript)
    let environment = Environment(deviceFunctions: ["daysSince": { _, _ in 5 }])
    let program = try Lowering.program(tree, environment: environment, fuses: true)
    let code = program.specialize(for: Self.first.storage)
    defer { code.deallocate() }
    #expect(DecisionGraph.decisions(of: program, code, Self.first.roots) == nil)
  }

  @Test("shared ends are one: a conjunction of disjunctions grows by two questions a time")
  func sharing() throws {
    var text = "(user.age == 0 || user.plan == \"p0\")"
    for number in 1..<20 { text += " && (user.age == \(number) || user.plan == \"p\(number)\")" }
    #expect(try #require(try Self.decisions(text)).count == 40)
  }

  @Test("each condition of a flat conjunction is one visit")
  func flat() throws {
    let text = (0..<90).map { "user.age != \($0 + 20)" }.joined(separator: " && ")
    #expect(try Self.decisions(text)?.count == 90)
  }

  @Test("the functions that are decided by their names are in both dialects")
  func names() throws {
    for text in ["size(user.tags) == 0", "user.plan.contains(\"r\")"] {
      for dialect in [Dialect.superscript, .cel] {
        #expect(try Self.decisions(text, dialect)?.count == 1, "\(text) in \(dialect.name)")
      }
    }
    #expect(try Self.decisions("user.tags.size() == 0", .cel)?.count == 1)
  }

  @Test("very long filters have no graph, and the same answers")
  func long() throws {
    let text = (0..<400).map { "user.age != \($0 + 20)" }.joined(separator: " && ")
    #expect(try Self.decisions(text) == nil)
    let filter = try CompiledFilter(Source(text), environment: .standard)
    for _ in 0..<6 { #expect(filter.matches(Self.first)) }
  }

  // MARK: Agreement

  /// Writes random filters over the attributes of ``people``.
  private struct Writer {
    var generator: SplitMixGenerator
    let dialect: Dialect

    mutating func pick<T>(_ choices: [T]) -> T {
      choices[Int.random(in: 0..<choices.count, using: &generator)]
    }

    mutating func condition(_ depth: Int) -> String {
      guard depth > 0 else { return leaf() }
      let a = condition(depth - 1)
      let b = condition(depth - 1)
      switch pick([0, 0, 0, 1, 1, 1, 2, 3, 4]) {
      case 0: return "(\(a) && \(b))"
      case 1: return "(\(a) || \(b))"
      case 2: return "!(\(a))"
      case 3: return "(\(a) ? \(b) : \(condition(depth - 1)))"
      default: return leaf()
      }
    }

    private mutating func leaf() -> String {
      let comparison = pick(["==", "!=", "<", "<=", ">", ">="])
      // Loops of the cel dialect are no single instructions, so that filters with one have no graph.
      switch pick(dialect == .cel ? [0, 1, 2, 3, 4, 5, 6, 11, 12, 13, 14] : Array(0..<15)) {
      case 0: return "user.age \(comparison) \(pick([-1, 0, 18]))"
      case 1: return "user.score \(comparison) \(pick(["0.0", "2.5", "18.0"]))"
      case 2: return "user.plan \(comparison) \"\(pick(["", "pro", "free"]))\""
      case 3: return "user.flag"
      case 4: return "user.plan in [\(pick(["\"pro\"", "\"pro\", \"a\", \"b\", \"c\", \"d\""]))]"
      case 5:
        return
          "user.plan.\(pick(["startsWith", "endsWith", "contains"]))(\"\(pick(["", "pr", "o"]))\")"
      case 6: return "\"\(pick(["a", "pro", ""]))\" in user.tags"
      case 7: return "[\"a\", \"pro\"].\(pick(["exists", "all"]))(t, t in user.tags)"
      case 8: return "user.points.\(pick(["exists", "all"]))(p, p \(comparison) 5)"
      case 9: return "size(user.points.filter(p, p \(comparison) 5)) \(pick(["==", ">", "<="])) 1"
      case 10: return "user.mixed.exists(m, m > 3)"
      case 14: return "size(user.tags) \(comparison) \(pick([0, 1, 4]))"
      case 11: return "user.plan.matches(\"^pro?f*$\")"
      case 12:
        return dialect == .cel
          ? pick(["true", "false", "has(user.gone)"])
          : pick([
            "user.gone", "user.age", "user.plan", "user.tags", "user.gone > 3", "device.os > 16",
          ])
      default: return "(user.flag ? user.age : 18) \(comparison) 18"
      }
    }
  }

  @Test(
    "they answer what plain code and the machine answer", arguments: [Dialect.superscript, .cel])
  func agreement(dialect: Dialect) throws {
    var writer = Writer(generator: SplitMixGenerator(seed: 11), dialect: dialect)
    let contexts = Self.people.map { Context(variables: $0) }
    let environment: Environment = dialect == .cel ? .cel : .standard
    var graphs = 0
    for number in 0..<400 {
      let text = writer.condition(1 + number % 3)
      let filter = try CompiledFilter(Source(text), environment: environment)
      let tree = try parse(Source(text), dialect: dialect)
      for _ in 0..<4 { _ = filter.matches(contexts[0]) }
      let header = filter.program.header
      if VM.decide(UnsafePointer(header), contexts[0].roots) != nil { graphs += 1 }
      var unfused = try Lowering.program(tree, environment: environment, fuses: false)
      for (number, context) in contexts.enumerated() {
        // A program that has met a shape twice knows nothing of it yet.
        if number.isMultiple(of: 2) {
          unfused = try Lowering.program(tree, environment: environment, fuses: false)
        }
        let wanted = unfused.run(context)
        let outcome = ReferenceEvaluator.Outcome { () throws(EvaluationError) in
          try filter.evaluate(context)
        }
        #expect(
          outcome.isIdentical(to: wanted), "\(text) over \(context): \(outcome), not \(wanted)")
        #expect(
          filter.matches(context) == wanted.isIdentical(to: .value(true)), "\(text) over \(context)"
        )
      }
    }
    // Most filters ask questions only; if not, this test compares nothing.
    #expect(graphs > 200)
  }

  @Test("a listing names the attributes and says where to go on")
  func listing() throws {
    let filter = try CompiledFilter(
      Source("user.age >= 18 && (user.plan == \"pro\" || \"a\" in user.tags)"),
      environment: .standard)
    #expect(
      filter.specializedDisassembly(for: Self.first) == """
        3 decisions
          0000  intAtLeast     user["age"], 18      true: 0001  false: no
          0001  stringEqual    user["plan"], "pro"  true: yes   false: 0002
          0002  listHasString  user["tags"], "a"    true: yes   false: no

        """)
    let computing = try CompiledFilter(Source("user.age + 1 > 3"), environment: .standard)
    #expect(computing.specializedDisassembly(for: Self.first).contains("loadPlace"))
  }
}
