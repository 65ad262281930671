import ExpressionSyntax
import TestSupport
import Testing

@testable import ExpressionEngine

@Suite("The machine under the cel dialect") struct CELMachineTests {
  /// Random expressions with much that fails and much that absorbs it.
  private struct Writer {
    var generator: SeededGenerator

    mutating func expression(_ depth: Int) -> String {
      guard depth > 0 else {
        return pick([
          "true", "false", "1 / 0 > 0", "x", "unbound", "1", "user.age > 3", "user.none > 3", "d.e",
          "[]",
        ])
      }
      let a = expression(depth - 1)
      let b = expression(depth - 1)
      return pick([
        "(\(a) && \(b))", "(\(a) || \(b))", "!(\(a))", "(\(a) ? \(b) : \(a))",
        "[\(a), \(b)].all(x, x)",
        "[\(a), \(b)].exists(x, x && \(b))", "[true, false].exists_one(x, \(a))",
        "cel.bind(x, \(a), \(b))", "cel.bind(x, \(a), x && \(b) || x)", "has({'a': \(a)}.a)",
        "optional.of(\(a)).orValue(\(b))", "(\(a)) == (\(b))",
      ])
    }

    private mutating func pick(_ choices: [String]) -> String {
      choices[Int.random(in: 0..<choices.count, using: &generator)]
    }
  }

  private let context = Context(variables: ["x": true, "user": ["age": 5], "d.e": false])

  @Test("the graph of decisions agrees with the machine")
  func codeAgrees() throws {
    var writer = Writer(generator: SeededGenerator(seed: 1))
    for _ in 0..<400 {
      let text = writer.expression(3)
      let tree = try parse(SourceText(text), dialect: .cel)
      let program = try Lowering.program(tree, environment: .cel)
      var machine = Machine(UnsafePointer(program.header))
      let result = VM.run(UnsafePointer(program.header), context.storage, &machine)
      let answer = result.isA(.error) ? nil : Value(result).literal
      let filter = try Filter(tree, environment: .cel)
      do throws(EvaluationError) {
        #expect(try filter.evaluate(context).literal == answer, "\(text)")
      } catch {
        #expect(answer == nil, "\(text)")
      }
      #expect(filter.matches(context) == (answer == "true"), "\(text)")
    }
  }

  @Test("the handlers of an instruction are those that cover it, the inner ones first")
  func handlers() throws {
    var writer = Writer(generator: SeededGenerator(seed: 2))
    for _ in 0..<200 {
      let tree = try parse(SourceText(writer.expression(4)), dialect: .cel)
      let lowered = try Lowering.lower(tree, environment: .cel)
      let program = try Compiler.compile(lowered.takeIR())
      for pc in 0..<program.codeCount {
        let covering = program.handlers.indices.filter {
          program.handlers[$0].start <= pc && pc < program.handlers[$0].end
        }
        var found: [Int] = []
        var next = program.handler(at: pc)
        while let number = next {
          found.append(number)
          next = program.handler(around: number)
        }
        #expect(found == covering)
      }
    }
  }

  @Test("elements found by hash are those found one by one")
  func elementIndex() {
    var generator = SeededGenerator(seed: 3)
    let pool: [Value] = [
      .int(1), .uint(1), .double(1), .double(1.5), .int(-1), .double(-0.0), .int(0), .double(.nan),
      .int(9_007_199_254_740_993), .double(9_007_199_254_740_992), .uint(9_007_199_254_740_992),
      .double(0x1p63), .uint(1 << 63), .int(.max), .string("a"), .string(""), .bytes([97]),
      .bool(true),
      .bool(false), .null, .list([1]), .list([1.0]), .list([.double(.nan)]), .map([1: 2]),
      .type("int"),
      .optional(nil), .optional(1), .duration(.init(seconds: 1)), .timestamp(.init(seconds: 1)),
    ]
    var arena = Arena()
    let slots = pool.compactMap { Slot.make($0, in: &arena) }
    for _ in 0..<300 {
      var index = ElementIndex(rules: .cel)
      var budget = Int.max
      var plain: [Slot] = []
      for _ in 0..<12 {
        let slot = slots[Int.random(in: 0..<slots.count, using: &generator)]
        let isKnown = plain.contains { Slot.equal($0, slot, rules: .cel) }
        #expect(index.contains(slot, budget: &budget) == isKnown)
        #expect(index.insert(slot, budget: &budget) == !isKnown)
        if !isKnown { plain.append(slot) }
      }
    }
  }

  @Test("hostile filters end soon, with an error that says why")
  func hostileFilters() {
    let doubling = (0..<40).map { "cel.bind(x\($0 + 1), [x\($0), x\($0)], " }.joined()
    let closing = String(repeating: ")", count: 41)
    let rows: [(String, String)] = [
      ("cel.bind(x0, [[v], [v]], \(doubling)x40 == [x39, x39]\(closing)", "E0602"),
      ("cel.bind(x0, [[v], [v]], \(doubling)x40\(closing)", "E0604"),
      ("[[v]]" + String(repeating: ".map(a, [a, a])", count: 40), "E0604"),
      ("lists.range(100000000)", "E0604"), ("lists.range(9223372036854775807)", "E0604"),
      ("lists.range(2000).all(x, lists.range(2000).all(y, x >= 0))", "E0602"),
      ("lists.range(20000).map(x, [x]).distinct()", "E0602"),
      ("'\(String(repeating: "a", count: 20_000))b'.matches('(a+)+$')", "false"),
      ("'a'" + String(repeating: ".trim()", count: 5_000), "E0606"),
      ("optional.none()" + String(repeating: ".or(optional.none())", count: 5_000), "E0606"),
      (
        String(repeating: "cel.bind(x, v, ", count: 48) + "x" + String(repeating: ")", count: 48),
        "1"
      ),
      (Array(repeating: "1 / 0 > 0", count: 3_000).joined(separator: " || ") + " || true", "true"),
      ("a" + String(repeating: ".b", count: 5_000), "E0301"),
      ("[[v]]" + String(repeating: "[0]", count: 5_000), "E0509"),
    ]
    for (expression, wanted) in rows {
      #expect(answer(expression, ["v": 1]) == wanted, "\(expression.prefix(60))")
    }
  }

  @Test("a filter that only compares attributes is decided by its graph")
  func graphs() throws {
    for text in [
      "user.age >= 18 && user.plan == 'pro'", "user.age < 18 || user.plan in ['a', 'b', 'pro']",
      "!(user.age < 18) && (user.plan == 'x' || user.age == 25)",
    ] {
      let filter = try Filter(SourceText(text), environment: .cel)
      let context = Context(variables: ["user": ["age": 25, "plan": "pro"]])
      #expect(filter.outcome(context) == .true)
      #expect(try filter.evaluate(context) == true)
    }
  }
}
