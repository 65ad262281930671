import ExpressionSyntax
import TestSupport
import Testing

@testable import ExpressionEngine

@Suite("Graphs of decisions agree with the machine on random filters")
struct DecisionAgreementTests {
  private static let filterCount = Effort.times(1_200)
  /// Each share runs on its own.
  private static let shareCount = 4

  /// Contexts as filters expect them, whose values differ; every other one has some of odd kinds.
  private static let contexts: [OracleContext] = {
    var generator = SeededGenerator(seed: 7)
    func pick<T>(_ choices: [T]) -> T {
      choices[Int.random(in: 0..<choices.count, using: &generator)]
    }
    func odd() -> Value {
      pick([
        .null, .bool(true), .bool(false), .int(3), .int(18), .int(.max), .uint(18), .uint(.max),
        .double(.nan), .double(-.infinity), .double(2.5), .double(18), .double(-0.0), .string(""),
        .string("pro"), .string("true"), .string("false"), .string("18"), .string("2.5"),
        .string("a longer name of a plan"), .bytes([112, 114, 111]), .list([]), .list([3, "a"]),
        .list([.double(.nan), .null]), .list([[1], ["k": 2]]), .map([:]),
        .map(["a": 3, "pro": .null]),
        .map([3: 1]), .timestamp(.init(seconds: 1_700_000_000)), .duration(.init(seconds: 3)),
      ])
    }
    return (0..<240).map { number in
      var user: [Value.Key: Value] = [
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
        "word": .string(pick(["true", "false", "truth"])),
        "ts": .timestamp(.init(seconds: 1_700_000_000)),
      ]
      var device: [Value.Key: Value] = ["os": .string(pick(["16.0", "17", "9"]))]
      var variables: [String: Value] = ["params": .map([:])]
      if number.isMultiple(of: 2) {
        for name in user.keys.sorted(by: { $0.text < $1.text }) where pick([true, false, false]) {
          user[name] = pick([odd(), odd(), odd(), nil])
        }
        if pick([true, false]) { user["gone"] = odd() }
        if pick([true, false]) { device["x"] = odd() }
        if pick([true, false, false, false]) { variables["params"] = pick([nil, odd()]) }
        if pick([true, false, false, false]) { variables["stray"] = pick([odd(), ["x": odd()]]) }
        if pick([true, false, false, false]) { variables["user.gone"] = odd() }
        if pick([true, false, false, false]) { variables["plan"] = odd() }
      }
      if number % 8 != 6 { variables["device"] = .map(device) }
      variables["user"] = number % 16 == 12 ? pick([nil, odd()]) : .map(user)
      return OracleContext("context \(number)", variables)
    }
  }()

  /// Writes random filters over the attributes of ``people``.
  private struct Writer {
    var generator: SeededGenerator
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
      switch pick(Array(0..<26)) {
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
      case 22: return odd(comparison)
      case 23: return "\(pick(["device", "params", "stray"])).x \(comparison) \(literal())"
      case 24: return "\(attribute()) \(comparison) \(literal())"
      case 25: return attribute()
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

    private mutating func attribute() -> String {
      "user.\(pick(["age", "age2", "score", "plan", "flag", "tags", "points", "gone"]))"
    }

    private mutating func literal() -> String {
      pick([
        "3", "18", "-1", "2.5", "0.0", "\"pro\"", "\"\"", "\"18\"", "\"2.5\"", "\"true\"", "true",
        "false", "null", "b\"pro\"", dialect == .cel ? "18u" : "18", "\"a longer name of a plan\"",
      ])
    }

    /// What is written seldom, or means something else in each dialect.
    private mutating func odd(_ comparison: String) -> String {
      let attribute = attribute()
      let both = [
        "\(attribute) in [\(literal()), \(literal())]", "\(literal()) in \(attribute)",
        "\(literal()) \(comparison) \(attribute)",
        "[3, 18, 25].exists(n, n \(comparison) user.age)",
        "[3, 18].all(n, user.age \(comparison) n || user.flag)", "has(\(attribute))",
        "has(user.gone) && \(attribute) \(comparison) \(literal())", "!\(attribute)",
        "\(attribute) ? \(attribute) \(comparison) \(literal()) : user.flag",
        "\(attribute) \(comparison) user.age", "size(\(attribute)) \(comparison) 2",
        "plan == \"pro\"",
        "\(attribute).startsWith(\"p\")", "\(attribute).contains(\"o\")",
        "\(attribute).matches(\"o\")",
        "(user.flag ? \(attribute) : user.age) \(comparison) \(literal())",
        "\(attribute) % 7 \(comparison) 3",
        "user.tags.all(t, \(attribute) \(comparison) \(literal()))",
      ]
      return dialect == .cel
        ? pick(
          both + [
            "user.ts \(comparison) timestamp(\"2024-02-29T12:34:56Z\")",
            "user.ts \(comparison) duration(\"3s\")", "type(user.age) == int",
          ])
        : pick(
          both + [
            "user.ts \(comparison) 1700000000", "!!\(attribute)", "user.word == \"true\"",
            "user.word", "user.word == \(literal())",
            "maybe(\(attribute), user.flag && \(attribute) \(comparison) 3, user.age == 3)",
            "maybe(1, user.flag && \(attribute) \(comparison) 3, user.flag) && user.flag",
            "!maybe(1, !(user.flag && \(attribute) \(comparison) 3), user.flag)",
            "maybe(\(attribute) > 3, \(attribute) \(comparison) \(literal()), true)",
          ])
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

  /// What came of a share of the filters.
  private struct Tally {
    var graphs = 0
    var refused = 0
    /// Evaluations that a graph decided.
    var decided = 0
    var evaluations = 0
    var disagreements: [String] = []
  }

  @Test(
    "all ways to evaluate a filter agree", arguments: [Dialect.superscript, .cel], 0..<shareCount)
  func agreement(dialect: Dialect, share: Int) throws {
    var writer = Writer(generator: SeededGenerator(seed: 11 + UInt64(share)), dialect: dialect)
    var tally = Tally()
    for number in 0..<Self.filterCount / Self.shareCount {
      let text = writer.condition(number % 4)
      let first = number * 8 % Self.contexts.count
      try Self.compare(
        text, dialect, Array(Self.contexts[first..<min(first + 8, Self.contexts.count)]), &tally)
      guard tally.disagreements.count < 20 else { break }
    }
    for disagreement in tally.disagreements { Issue.record("\(disagreement)") }
    #expect(tally.refused * 50 < Self.filterCount / Self.shareCount)
    // Graphs decide most filters over most contexts; if not, this test compares nothing.
    #expect(tally.graphs * 10 > Self.filterCount / Self.shareCount * 7, "\(tally)")
    #expect(tally.decided * 2 > tally.evaluations, "\(tally)")
  }

  private static func compare(
    _ text: String, _ dialect: Dialect, _ contexts: [OracleContext], _ tally: inout Tally
  ) throws {
    let environment: FilterEnvironment = dialect == .cel ? .cel : .standard
    guard let tree = try? parse(SourceText(text), dialect: dialect) else {
      tally.refused += 1
      return
    }
    let filter = try Filter(tree, environment: environment)
    if filter.program.header.pointee.graph != nil { tally.graphs += 1 }
    var wanted: [Bool] = []
    for context in contexts {
      let machine = ReferenceEvaluator.Outcome {
        () throws(EvaluationError) in try filter.evaluateOnMachine(context.context)
      }
      wanted.append(machine.isIdentical(to: .value(true)))
      tally.evaluations += 1
      if let outcome = filter.outcome(context.context), outcome != .bailout { tally.decided += 1 }
      let answer = ReferenceEvaluator.Outcome {
        () throws(EvaluationError) in try filter.evaluate(context.context)
      }
      if !answer.isIdentical(to: machine) {
        tally.disagreements.append(
          "`\(text)` over \(context.variables): the filter says \(answer), the machine \(machine)")
      }
    }
    if let (context, answers) = filter.matchDisagreement(contexts, wanted) {
      tally.disagreements.append("`\(text)` over \(context.variables): \(answers)")
    }
  }
}
