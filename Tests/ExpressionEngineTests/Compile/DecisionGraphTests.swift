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
          "age2": .int(pick([.min, -15, -14, -13, 0, 2, 7, 13, 14, 1 << 53])),
          "score": .double(pick([-0.0, 0.0, 2.5, 18, 1e300])),
          "score2": .double(pick([0.0, 2.5, -1e300, .infinity])),
          "plan": .string(pick(["", "free", "pro", "prof", "a longer name of a plan"])),
          "flag": .bool(pick([true, false])),
          "tags": .list(pick([[], ["a"], ["b", "a"], ["pro", 5, .null, ["a"]]])),
          "points": .list(pick([[], [1], [1, 5, 9], [5, 5]])),
          "names": .list(pick([[], ["a"], ["a", "pro", "a longer one"], ["b", "prof"]])),
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
    return DecisionGraph.decisions(of: program, code, first.roots)?.decisions
  }

  @Test(
    "a filter asks as few questions as it can",
    arguments: [
      ("user.age >= 18", [.intAtLeast]), ("user.age < 18", [.intAtLeast]),
      ("user.age != 18", [.intEqual]), ("user.score <= 18", [.doubleAbove]),
      ("user.flag", [.truthy]), ("!user.flag", [.truthy]), ("user.flag == true", [.intEqual]),
      ("user.age && user.plan", [.truthy, .truthy]),
      ("user.plan == \"pro\" || user.plan > \"a\"", [.shortStringEqual, .stringAbove]),
      ("user.plan == \"a longer one\"", [.stringEqual]), ("user.plan != \"\"", [.stringEqual]),
      // Constants on the left, and of other kinds.
      ("18 <= user.age", [.intAtLeast]), ("\"pro\" == user.plan", [.shortStringEqual]),
      ("user.age > 18.5", [.intAbove]), ("user.age <= 18.0", [.intAbove]),
      ("user.age == 18.5", [.always]), ("user.plan != null", [.always]),
      ("(user.flag ? \"old\" : \"new\") == \"new\"", [.truthy]),
      ("user.age == user.tags", [.always]), ("user.age >= user.age", [.attributesCompare]),
      ("user.plan < device.os", [.attributesCompare]),
      ("user.age in [3]", [.intEqual]), ("user.age in [3, 18]", [.intInSet]),
      ("user.age in [3, 18, \"a\", 19, 20, 21]", [.intInSet]),
      ("user.age in [\"a\", \"b\"]", [.always]), ("user.plan in [1, 2]", [.always]),
      ("user.flag ? user.age > 3 : user.score > 3", [.truthy, .intAbove, .doubleAbove]),
      ("(user.flag ? user.age : user.age) > 3", [.intAbove]),
      (
        "user.plan.startsWith(\"p\") && user.plan.endsWith(\"o\")",
        [.stringHasPrefix, .stringHasSuffix]
      ),
      ("user.plan.contains(\"r\")", [.stringContains]),
      ("user.plan in [\"a\"]", [.shortStringEqual]),
      ("user.plan in [\"a\", \"b\"]", [.shortStringInSet]),
      ("user.plan in [\"a\", \"b\", \"c\", \"d\", \"e\"]", [.shortStringInSet]),
      ("user.plan in [\"a\", \"longer than eight\"]", [.stringInList]),
      ("user.plan in [\"a\", \"\", \"c\", \"d\", \"e\"]", [.stringInSet]),
      ("size(user.plan) > 3", [.lengthAbove]),
      ("size(user.tags) == 0", [.lengthEqual]), ("size(user.tags) < 2", [.lengthAtLeast]),
      ("\"a\" in user.tags", [.listHasString]),
      ("[\"a\", \"b\"].exists(t, t in user.tags)", [.listHasString, .listHasString]),
      ("[\"a\", \"b\"].all(t, t in user.tags)", [.listHasString, .listHasString]),
      ("user.points.exists(p, p > 3)", [.listCounts]),
      ("size(user.points.filter(p, p > 3)) >= 2", [.listCounts]),
      ("user.points.exists_one(p, p > 3)", [.listCounts]),
      ("user.tags.exists(t, t == \"a\")", [.listCounts]),
      ("user.tags.contains(\"a\")", [.listHasString]),
      // Loops have graphs of their own, or are ranges.
      ("user.points.all(p, p >= 3 && p < 9)", [.listRange]),
      ("user.points.exists(p, p < 3 || p > 9)", [.listRange]),
      ("size(user.points.filter(p, p > 3 && p != 4)) > 1", [.listRange]),
      ("user.points.exists(p, p > 3 && p != 5)", [.listLoop, .intAbove, .intEqual]),
      ("user.points.exists(p, p > user.age)", [.listLoop, .attributesCompare]),
      ("user.points.exists(p, user.age < p)", [.listLoop, .attributesCompare]),
      ("user.points.exists_one(p, p % 2 == 0)", [.listLoop, .intLoad, .intApply, .resultEqual]),
      (
        "user.tags.exists(t, t.startsWith(\"a\") || t.contains(\"x\")) && user.flag",
        [.listLoop, .truthy, .stringHasPrefix, .stringContains]
      ),
      ("user.tags.all(t, t in [\"a\", \"b\"])", [.truthy, .listLoop, .shortStringInSet]),
      (
        "size(user.tags.filter(t, t in [\"a\", \"b\"])) > 0",
        [.truthy, .listLoop, .shortStringInSet]
      ),
      (
        "user.points.exists(p, p > 1) && user.points.all(p, p > 3 && p < 5)",
        [.listCounts, .listRange, .listRange]
      ),
      // Two ways to one loop.
      (
        "(user.flag || user.gone == 1 || user.age > 3) ? user.points.exists(p, p > 3 && p != 5) : false",
        [.truthy, .listLoop, .intAbove, .intEqual, .intAbove]
      ),
      // What is computed is computed where the result is asked for.
      ("user.age + 1 > 3", [.intLoad, .intApply, .resultAbove]),
      ("-user.age > 3", [.intLoad, .resultAbove]),
      ("user.age % 2 == 0", [.intLoad, .intApply, .resultEqual]),
      (
        "user.age * 3 + user.age * 10 - user.age > 3.5",
        [.intLoad, .intAddProduct, .intSubtractProduct, .resultAbove]
      ),
      ("10 - user.age > user.age", [.intLoad, .intApply, .intSubtractProduct, .resultAbove]),
      ("user.age / 7 >= 2", [.intAtLeast]), ("user.age / 7 > -2", [.intAbove]),
      ("user.age / 7 == 2", [.intLoad, .intApply, .resultEqual]),
      ("user.score * 2.0 > 3.0", [.doubleOperation, .doubleResult]),
      (
        "user.score / 2.0 + user.age * 1.5 <= 3",
        [.doubleOperation, .doubleOperation, .doubleOperation, .doubleResult]
      ),
      ("user.flag || user.age * 2 > 3", [.truthy, .intLoad, .resultAbove]),
      ("user.age * 2 > 3 && false", [.intLoad, .resultAbove]),
      // What settles the outcome, or cannot change it, is not asked.
      ("user.age > 3 && false", [.always]), ("user.gone == 3", [.always]),
      ("user.gone == 3 || user.age > 3", [.intAbove]), ("user.flag && user.gone == 1", [.always]),
      ("has(user.gone) || user.age > 3", [.intAbove]), ("!has(user.gone)", [.always]),
      ("has(user.age) && user.age > 3", [.intAbove]), ("user.gone.deep == 1", [.always]),
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
      "user.age", "user.age + 1", "user.age * user.age > 3", "user.age > \"a\"",
      "user.age / 0 > 3", "user.age / -1 > 3", "user.plan + \"a\" == \"b\"", "7 / user.age > 1",
      "user.plan.deep == 1", "[user.age]",
      "device.daysSince(\"x\") > 3 && user.age > 3", "user.points.map(p, p + 1) == [2]",
      "user.tags.exists(t, size(t) > user.gone)", "user.flag ? 1 : 2",
      "user.points.exists(p, user.tags.exists(t, t == \"a\" && p > 3))",
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
      let both = [0, 1, 2, 3, 4, 5, 6, 8, 10, 11, 12, 13, 14, 15, 16, 17, 19, 20, 20, 20]
      switch pick(dialect == .cel ? both : Array(0..<22)) {
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
      case 15: return arithmetic(comparison)
      case 16:
        let (a, b) = pick([
          ("user.age", "user.age2"), ("user.plan", "device.os"), ("user.flag", "user.flag"),
          ("user.score", "user.score2"), ("user.age", "user.score"),
        ])
        let isOrdered = a != "user.flag" && a != "user.score"
        return "\(a) \(isOrdered ? comparison : pick(["==", "!="])) \(b)"
      case 17:
        return "user.age in [\(pick(["3, 17", "18", "-1, 0, 3, 17, 18, 19, 20", "0, 5, 6"]))]"
      case 18:
        return pick([
          "user.age in [3, \"a\", 18.5, 19]", "user.tags.exists(t, t == \"pro\")",
          "user.tags.all(t, t != \"a\")", "user.points.exists_one(p, p \(comparison) 5)",
          "user.tags.contains(\"b\")", "size(user.plan) \(comparison) 3", "user.plan == null",
          "user.age \(comparison) \(pick(["18.0", "17.5", "-0.5", "9e15"]))",
          "user.score + user.age * 1.5 \(comparison) 18.0", "user.plan == 5", "user.age == \"18\"",
          "\"18\" != user.age", "user.age in {18: 1, 19: 2}",
          "(user.flag ? user.age : 3) in [3, 17]",
        ])
      case 20: return loop(comparison)
      case 21: return "size(user.points.filter(p, \(body("p", ofInt: true)))) \(comparison) 1"
      case 19: return "\(pick(["18", "3"])) \(comparison) user.age"
      case 11: return "user.plan.matches(\"^pro?f*$\")"
      case 12:
        return dialect == .cel
          ? pick([
            "true", "false", "has(user.gone)", "user.age in [18u, 3u]",
            "user.age in {3u: 1, 19u: 2}",
            "user.age in [0u, 3u, 17u, 18u, 19u]", "user.plan in {\"pro\": 1}",
          ])
          : pick([
            "user.gone", "user.age", "user.plan", "user.tags", "user.gone > 3", "has(user.gone)",
            "has(user.gone) && user.gone > 3", "has(user.age)", "user.gone.deep == 1",
            "device.os > 16",
          ])
      default: return "(user.flag ? user.age : 18) \(comparison) 18"
      }
    }

    private mutating func loop(_ comparison: String) -> String {
      let macro = pick(["all", "exists", "exists_one"])
      let ofInt = pick([true, false])
      let list = ofInt ? pick(["points", "points", "mixed"]) : pick(["tags", "names"])
      return "user.\(list).\(macro)(e, \(body("e", ofInt: ofInt)))"
    }

    /// What is asked about an element.
    private mutating func body(_ name: String, ofInt: Bool) -> String {
      let comparison = pick(["==", "!=", "<", "<=", ">", ">="])
      let leaf: String
      if ofInt {
        leaf = pick([
          "\(name) \(comparison) \(pick([1, 5, 9]))", "\(name) \(comparison) \(pick([1, 5, 9]))",
          "\(name) in [1, 9]", "\(name) \(comparison) user.age", "user.age \(comparison) \(name)",
          "\(name) * 2 - user.age2 \(comparison) 10", "user.flag",
        ])
      } else {
        leaf = pick([
          "\(name) \(comparison) \"\(pick(["a", "pro"]))\"", "\(name).startsWith(\"a\")",
          "\(name) in [\"a\", \"pro\"]", "\(name) == user.plan", "\(name).contains(\"o\")",
        ])
      }
      guard pick([true, false]) else { return leaf }
      return "(\(leaf) \(pick(["&&", "||"])) \(body(name, ofInt: ofInt)))"
    }

    /// Arithmetic of ints or of doubles, now and then with a result too large.
    private mutating func arithmetic(_ comparison: String) -> String {
      let isDouble = pick([false, false, true])
      let names = isDouble ? ["user.score", "user.score2"] : ["user.age", "user.age2"]
      let constants =
        isDouble ? ["2.5", "-3.0", "0.0", "1e308"] : ["1", "3", "-2", "7", "4611686018427387904"]
      let operators = isDouble ? ["+", "-", "*", "/"] : ["+", "-", "*", "/", "%"]
      var text = pick(names)
      for _ in 0..<pick([1, 1, 2, 3]) {
        switch pick([0, 1, 2, 3, 4]) {
        case 0: text = "(\(text)) \(pick(["+", "-"])) \(pick(names)) * \(pick(constants))"
        case 1: text = "\(pick(constants)) \(pick(["+", "-", "*"])) (\(text))"
        case 2: text = "\(pick(names)) \(pick(["+", "-"])) (\(text))"
        case 3: text = "-(\(text))"
        default: text = "(\(text)) \(pick(operators)) \(pick(constants))"
        }
      }
      return "\(text) \(comparison) \(pick(constants))"
    }
  }

  @Test(
    "they answer what plain code and the machine answer", arguments: [Dialect.superscript, .cel])
  func agreement(dialect: Dialect) throws {
    var writer = Writer(generator: SplitMixGenerator(seed: 11), dialect: dialect)
    let contexts = Self.people.map { Context(variables: $0) }
    let environment: Environment = dialect == .cel ? .cel : .standard
    var graphs = 0
    for number in 0..<1000 {
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
          0000  intAtLeast        user["age"], 18      true: 0001  false: no
          0001  shortStringEqual  user["plan"], "pro"  true: yes   false: 0002
          0002  listHasString     user["tags"], "a"    true: yes   false: no

        """)
    let computing = try CompiledFilter(
      Source("user.age * 3 / 2 > 5 || user.plan in [\"b\", \"a\"] || user.age in [-3, 4]"),
      environment: .standard)
    #expect(
      computing.specializedDisassembly(for: Self.first) == """
        5 decisions
          0000  intLoad           user["age"], * 3          true: 0001  false: another way
          0001  intApply          divide 2                  true: 0002  false: another way
          0002  resultAbove       5                         true: yes   false: 0003
          0003  shortStringInSet  user["plan"], ["a", "b"]  true: yes   false: 0004
          0004  intInSet          user["age"], [-3, 4]      true: yes   false: no

        """)
    let building = try CompiledFilter(Source("[user.age] == [3]"), environment: .standard)
    #expect(building.specializedDisassembly(for: Self.first).contains("loadPlace"))
  }
}
