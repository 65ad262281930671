import ExpressionSyntax
import Testing

@testable import ExpressionEngine

@Suite("Filters that only ask questions become graphs of decisions")
struct DecisionGraphTests {
  private static func environment(_ dialect: Dialect) -> FilterEnvironment {
    dialect == .cel
      ? .cel : FilterEnvironment(deviceFunctions: ["daysSince": { _, _ in 5 }])
  }

  private static func filter(
    _ text: String, _ dialect: Dialect = .superscript
  ) throws -> Filter {
    try Filter(SourceText(text), environment: environment(dialect))
  }

  /// The tests of a filter's graph, from the first on; `nil` without a graph.
  private static func tests(
    _ text: String, _ dialect: Dialect = .superscript
  ) throws -> [Decision.Test]? {
    let filter = try filter(text, dialect)
    return withExtendedLifetime(filter) {
      filter.program.header.pointee.graph.map { graph in
        (0..<Int(graph.count)).map { graph.decisions[$0].test }
      }
    }
  }

  private static let person = Context(variables: [
    "user": [
      "age": 25, "plan": "pro", "flag": true, "tags": ["a", "b"], "points": [1, 5, 9],
      "score": 2.5,
    ], "device": ["os": "17"],
  ])

  @Test(
    "a filter asks as few questions as it can",
    arguments: [
      ("user.age >= 18", "intAtLeast"),
      ("user.age < 18", "intAtLeast"),
      ("user.age != 18", "intEqual"),
      ("user.score <= 18.5", "doubleAbove"),
      ("user.flag", "boolEqual boolEqual"),
      ("!user.flag", "truthy"),
      ("user.flag == true", "boolEqual"),
      ("user.age && user.plan", "truthy truthy"),
      ("user.plan == \"pro\" || user.plan > \"a\"", "shortStringEqual stringAbove"),
      ("user.plan == \"a longer one\"", "stringEqual"),
      ("user.plan != \"\"", "stringEqual"),
      ("18 <= user.age", "intAtLeast"),
      ("\"pro\" == user.plan", "shortStringEqual"),
      ("user.age > 18.5", "doubleAbove"),
      ("user.plan != null", "compare"),
      ("user.plan == b\"a\"", "compare"),
      ("user.plan == \"18\"", "readingsEqual"),
      ("\"18\" != user.age", "readingsEqual"),
      ("(user.flag ? \"old\" : \"new\") == \"new\"", "truthy"),
      ("(user.flag ? user.age : user.age) > 3", "truthy intAbove intAbove"),
      ("user.age >= user.age", "load resultValue"),
      ("user.plan < device.os", "load resultValue"),
      ("user.age in [3]", "inWordSet"),
      ("user.age in [3, 18]", "inWordSet"),
      ("user.plan in [\"a\", \"b\"]", "inWordSet"),
      ("user.plan in [\"a\", \"b\", \"c\", \"d\", \"e\"]", "inWordSet"),
      ("user.plan in [\"a\", 3]", "inWordSet"),
      ("user.plan in [\"a\", \"longer than eight\"]", "inCollection"),
      ("user.age in [1.5, 3]", "inCollection"),
      ("user.flag ? user.age > 3 : user.score > 3.0", "truthy doubleAbove intAbove"),
      ("user.plan.startsWith(\"p\") && user.plan.endsWith(\"o\")", "hasPrefix hasSuffix"),
      ("user.plan.contains(\"r\")", "contains"),
      ("user.plan.matches(\"^p\")", "matches"),
      ("user.plan.matches(\"^p\") && false", "matches"),
      ("size(user.tags) == 0", "count"),
      ("size(user.tags) < 2", "count"),
      ("\"a\" in user.tags", "has"),
      ("[\"a\", \"b\"].exists(t, t in user.tags)", "has has"),
      ("[\"a\", \"b\"].all(t, t in user.tags)", "has has"),
      ("user.points.exists(p, p > 3)", "range"),
      ("user.points.all(p, p >= 3 && p < 9)", "range"),
      ("size(user.points.filter(p, p > 3)) >= 2", "range result"),
      ("size(user.points.filter(p, p > 3 && p != 4)) > 1", "loop intAbove intEqual result"),
      ("user.points.exists_one(p, p > 3)", "range"),
      ("user.tags.exists(t, t == \"a\")", "loop shortStringEqual"),
      ("user.points.exists(p, !(p >= 3 && p <= 9))", "loop intAtLeast intAbove"),
      ("user.points.exists(p, p > user.age)", "loop load resultValue"),
      ("user.points.exists(p, user.age < p)", "loop load resultValue"),
      ("user.points.exists_one(p, p % 2 == 0)", "loop load apply result"),
      ("user.tags.all(t, t in [\"a\", \"b\"])", "loop inWordSet"),
      ("user.age + 1 > 3", "load apply result"),
      ("user.age % 2 == 0", "load apply result"),
      (
        "user.age * 3 + user.age * 10 - user.age > 3.5",
        "loadProduct addProduct subtractProduct result"
      ),
      ("user.age / 7 >= 2", "load apply result"),
      ("user.score * 2.0 > 3.0", "load apply result"),
      ("user.age + 1 > user.score", "load apply resultValue"),
      ("user.flag || user.age * 2 > 3", "boolEqual boolEqual truthy loadProduct result"),
      ("user.gone == 3 || user.age > 3", "intEqual intAbove"),
      ("has(user.gone) || user.age > 3", "present intAbove"),
      ("!has(user.gone)", "present"),
    ] as [(String, String)])
  func questions(text: String, tests: String) throws {
    #expect(try Self.tests(text)?.map { "\($0)" }.joined(separator: " ") == tests)
  }

  @Test(
    "what computes, fails, calls the host or gives no bool has no graph",
    arguments: [
      "user.age + 1", "user.age * user.age > 3", "user.plan.deep == 1", "[user.age]",
      "7 / user.age > 1",
      "device.daysSince(\"x\") > 3 && user.age > 3", "user.points.map(p, p + 1) == [2]",
      "user.tags.exists(t, size(t) > user.gone)",
      "user.points.exists(p, user.tags.exists(t, t == \"a\" && p > 3))",
    ])
  func noGraph(text: String) throws {
    #expect(try Self.tests(text) == nil)
    #expect(try Self.filter(text).decisionListing == nil)
  }

  // MARK: Size

  @Test("shared ends are one: a conjunction of disjunctions grows by two questions a time")
  func sharing() throws {
    for count in [20, 200, 2_000] {
      let text = (0..<count).map { "(user.age == \($0) || user.plan == \"p\($0)\")" }
        .joined(separator: " && ")
      #expect(try Self.tests(text)?.count == 2 * count)
    }
  }

  @Test(
    "each condition of a long filter is one question, up to a limit", arguments: [" && ", " || "])
  func long(op: String) throws {
    for count in [90, 5_000, Decision.Branch.maximumCount - 1, Decision.Branch.maximumCount + 1] {
      let text = (0..<count).map { "user.age != \($0 + 26)" }.joined(separator: op)
      let filter = try Self.filter(text)
      let wanted = count <= Decision.Branch.maximumCount ? count : nil
      #expect((filter.program.header.pointee.graph?.count).map { Int($0) } == wanted)
      #expect(filter.matches(Self.person))
      #expect(try filter.evaluate(Self.person) == true)
    }
  }

  @Test("loops in loops over constants do not multiply beyond the limit, nor take time")
  func unrolling() throws {
    let list = "[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16]"
    for body in ["user.age == 26", "a0 == a1", "a0 == user.age", "user.points.all(p, p < a0)"] {
      for dialect in [Dialect.superscript, .cel] {
        var text = body
        for level in 0..<12 { text = "\(list).exists(a\(level), \(text))" }
        let clock = ContinuousClock()
        let time = try clock.measure { _ = try Self.filter(text, dialect) }
        #expect(time < .seconds(20), "\(body)")
      }
    }
  }

  @Test("a graph takes no more steps than the limits allow for")
  func steps() throws {
    let list = "[1, 2, 3, 4, 5, 6, 7, 8, 9, 10]"
    let rows = [
      "\(list).all(a, user.points.all(p, p < 100 + a))",
      "\(list).all(a, \(list).all(b, \(list).all(c, user.points.all(p, p < 100))))",
      "user.points.all(p, \(list).all(a, p < 100 + a || p < 50))",
      "user.points.all(p, p < 100)", "\(list).all(a, user.age > a)",
    ]
    let context = Context(
      variables: ["user": ["points": .list(Array(repeating: 5, count: 1_000)), "age": 25]])
    for text in rows {
      for dialect in [Dialect.superscript, .cel] {
        for steps in [5, 20, 500, 1_000, 2_000, 5_000, 20_000, 1_000_000] {
          var environment = Self.environment(dialect)
          environment.limits.steps = steps
          let filter = try Filter(SourceText(text), environment: environment)
          let machine = ReferenceEvaluator.Outcome { () throws(EvaluationError) in
            try filter.evaluateOnMachine(context)
          }
          let outcome = ReferenceEvaluator.Outcome { () throws(EvaluationError) in
            try filter.evaluate(context)
          }
          #expect(outcome.isIdentical(to: machine), "\(text) in \(steps) steps: \(outcome)")
          #expect(filter.matches(context) == machine.isIdentical(to: .value(true)))
        }
      }
    }
  }

  @Test("what nests deeply is left to the machine", arguments: [Dialect.superscript, .cel])
  func nesting(dialect: Dialect) throws {
    for depth in [2, 20, 23, 24, 25, 26, 40, 70] {
      for (open, close) in [
        ("!(user.age == 3 || ", ")"), ("user.age == 25 && (user.age == 3 || ", ")"),
        ("(user.age == 3 ? user.age == 4 : ", ")"),
        ("(user.age == 25 ? ", " : user.age == 4)"),
      ] {
        let text =
          String(repeating: open, count: depth) + "user.age == 25"
          + String(repeating: close, count: depth)
        guard let filter = try? Self.filter(text, dialect) else { continue }
        #expect(
          try filter.evaluate(Self.person) == filter.evaluateOnMachine(Self.person), "\(text)")
        #expect(try filter.matches(Self.person) == (filter.evaluate(Self.person) == true))
      }
    }
  }

  @Test("a chain of conditionals has any length", arguments: [Dialect.superscript, .cel])
  func conditionals(dialect: Dialect) throws {
    for count in [10, 30, 5_000] {
      let chain = (0..<count).map { "user.age == \($0) ? \($0) : " }.joined()
      for text in ["(\(chain)-1) == 25", "\(chain)0"] {
        guard let filter = try? Self.filter(text, dialect) else { continue }
        let machine = try filter.evaluateOnMachine(Self.person)
        #expect(try filter.evaluate(Self.person) == machine)
        #expect(filter.matches(Self.person) == (machine == true))
      }
    }
  }

  // MARK: Skipped operands

  /// What a filter says in each dialect, or that it fails.
  struct Saying: Sendable {
    let text: String
    var superscript: Value?
    var cel: Value?
  }

  @Test(
    "operands that are skipped may fail",
    arguments: [
      Saying(text: "user.no && user.name > 3", superscript: nil, cel: false),
      Saying(text: "user.no && user.age > 3", superscript: false, cel: false),
      Saying(text: "user.name > 3 && user.no", superscript: nil, cel: false),
      Saying(text: "!(user.no && user.name > 3)", superscript: nil, cel: true),
      Saying(text: "!(user.no && user.age > 3)", superscript: true, cel: true),
      Saying(text: "user.no && user.name > 3 || user.yes", superscript: nil, cel: true),
      Saying(text: "user.no && user.age > 3 || user.yes", superscript: true, cel: true),
      Saying(text: "user.no && user.name > 3 || user.no", superscript: nil, cel: false),
      Saying(text: "user.yes || user.name > 3", superscript: true, cel: true),
      Saying(text: "user.no || user.name > 3", superscript: nil, cel: nil),
      Saying(text: "user.name > 3 || user.yes", superscript: nil, cel: true),
      Saying(
        text: "user.no && user.name > 3 ? user.yes : user.yes", superscript: nil, cel: true),
      Saying(
        text: "user.no && user.age > 3 ? user.no : user.yes", superscript: true, cel: true),
      Saying(
        text: "user.yes && (user.no && user.name > 3 || user.yes)", superscript: nil, cel: true),
      Saying(text: "user.no && user.nan > 3.0", superscript: nil, cel: false),
      Saying(text: "!(user.no && user.nan > 3.0)", superscript: nil, cel: true),
      Saying(text: "!(user.no && user.tags.startsWith(\"a\"))", superscript: nil, cel: true),
      Saying(text: "!(user.no && user.name.matches(\"a\"))", superscript: true, cel: true),
      Saying(text: "!(user.no && user.tags.exists(t, t > 3))", superscript: nil, cel: true),
      Saying(text: "!(user.no && user.age in [1, 2])", superscript: true, cel: true),
      Saying(text: "!(user.no && \"a\" in user.age)", superscript: nil, cel: true),
      Saying(text: "!(user.no && user.age + 1 > 3)", superscript: true, cel: true),
      Saying(text: "!(user.no && user.name + 1 > 3)", superscript: nil, cel: true),
      Saying(text: "!(user.no && user.max + 1 > 3)", superscript: true, cel: true),
      Saying(text: "!(user.no && user.age / 0 > 3)", superscript: nil, cel: true),
    ])
  func skipping(saying: Saying) throws {
    let context = Context(variables: [
      "user": [
        "yes": true, "no": false, "name": "Ann", "age": 25, "nan": .double(.nan), "tags": ["a"],
        "max": .int(.max),
      ]
    ])
    for (dialect, wanted) in [(Dialect.superscript, saying.superscript), (.cel, saying.cel)] {
      let filter = try Self.filter(saying.text, dialect)
      #expect((try? filter.evaluateOnMachine(context)) == wanted, "\(dialect.name)")
      #expect((try? filter.evaluate(context)) == wanted, "\(dialect.name)")
      #expect(filter.matches(context) == (wanted == true), "\(dialect.name)")
      #expect(filter.matches([context]) == [wanted == true], "\(dialect.name)")
    }
  }

  @Test("a failure of a skipped operand is replaced where `maybe` replaces failures")
  func replacing() throws {
    let context = Context(variables: ["user": ["yes": true, "no": false, "name": "Ann"]])
    for (text, wanted) in [
      ("maybe(1, user.no && user.name > 3, user.yes) && user.yes", true),
      ("maybe(1, user.no && user.yes, user.yes) && user.yes", false),
      ("!maybe(1, user.no && user.name > 3, user.yes)", false),
      ("!maybe(1, maybe(1, user.no, user.yes) && user.name > 3, user.yes)", false),
      ("maybe(user.yes, user.no && user.name > 3, user.yes)", true),
      ("maybe(user.yes, user.no && user.yes, user.yes)", false),
      ("maybe(user.yes, user.name > 3, user.yes)", true),
      ("maybe(user.yes, !(user.no && user.name > 3), user.no)", false),
    ] {
      let filter = try Self.filter(text)
      #expect(try filter.evaluateOnMachine(context) == .bool(wanted), "\(text)")
      #expect(try filter.evaluate(context) == .bool(wanted), "\(text)")
      #expect(filter.matches(context) == wanted, "\(text)")
    }
  }

  @Test("a graph decides without a machine what it can")
  func outcomes() throws {
    let rows: [(String, Decision.Branch)] = [
      ("user.age >= 18 && user.plan == \"pro\"", .true), ("user.age < 18", .false),
      ("user.plan > 3", .noMatch), ("user.flag", .true), ("user.age", .noMatch),
      ("user.gone == 1", .false), ("user.flag || user.plan > 3", .true),
      ("user.age == 3 && user.plan > 3 || user.flag", .bailout),
      ("user.age == 3 && user.score > 3 || user.flag", .true), ("ghost == 1", .bailout),
      ("user.points.all(p, p < user.age)", .true), ("user.tags.exists(t, t > 3)", .bailout),
    ]
    for (text, wanted) in rows {
      #expect(try Self.filter(text).outcome(Self.person) == wanted, "\(text)")
    }
  }

  // MARK: Listing

  @Test("a listing names the attributes and says where to go on")
  func listing() throws {
    #expect(
      try Self.filter("user.age >= 18 && (user.plan == \"pro\" || \"a\" in user.tags)")
        .decisionListing == """
          3 decisions
            0000  intAtLeast        user.age 18      true: 0001, false: no (skipping), missing: no (skipping), else: no match
            0001  shortStringEqual  user.plan "pro"  true: yes, false: 0002, missing: 0002, else: no match
            0002  has               user.tags "a"    true: yes, false: no, missing: no match, else: no match

          """)
    #expect(
      try Self.filter(
        "user.age * 3 / 2 > 5 || user.plan in [\"b\", \"a\"] || user.age in [-3, 4]"
      ).decisionListing == """
        5 decisions
          0000  loadProduct  user.age * 3          true: 0001, missing: no match, else: machine
          0001  apply        divide 2              true: 0002, else: machine
          0002  result       > 5                   true: yes, false: 0003, else: no match
          0003  inWordSet    user.plan ["a", "b"]  true: yes, false: 0004, missing: 0004, else: no match
          0004  inWordSet    user.age [-3, 4]      true: yes, false: no, missing: no, else: no match

        """)
  }
}
