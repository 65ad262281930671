import ExpressionSyntax
import Testing

@testable import ExpressionEngine

@Suite("Work on large values is paid for in steps")
struct WorkBudgetTests {
  /// A tenth of the default.
  private static let limits = EvaluationLimits(steps: 100_000)

  private static func answer(
    _ text: String, _ dialect: Dialect, _ variables: [String: Value] = [:],
    limits: EvaluationLimits = limits
  ) throws -> String {
    let filter = try Filter(text, environment: FilterEnvironment(dialect: dialect, limits: limits))
    do throws(EvaluationError) {
      return try filter.evaluate(Context(variables: variables)).literal
    } catch {
      return error.id.rawValue
    }
  }

  /// A list of two lists of two lists and so on, the same at each place: `levels` lists in memory
  /// and 2^levels to compare.
  private static func shared(_ levels: Int, _ core: String) -> String {
    "[\(core)]" + String(repeating: ".map(v, [v, v])", count: levels) + "[0]"
  }

  @Test("comparing lists that share their parts ends", arguments: ["==", "!=", "in", "contains"])
  func sharedParts(operation: String) throws {
    let (left, right) = (Self.shared(40, "n"), Self.shared(40, "m"))
    let text =
      switch operation {
      case "in": "\(left) in [\(right)]"
      case "contains": "[\(right)].contains(\(left))"
      default: "\(left) \(operation) \(right)"
      }
    #expect(try Self.answer(text, .superscript, ["n": 1, "m": 1]) == "E0602")
    // The first difference ends it.
    #expect(
      ["true", "false"].contains(try Self.answer(text, .superscript, ["n": 1, "m": 2])))
  }

  @Test(
    "functions that compare elements end",
    arguments: [
      "size([x, y].distinct()) == 1", "sets.contains([x], [y])", "sets.intersects([x], [y])",
      "sets.equivalent([x], [y])", "x in [y]", "x == y",
    ])
  func elements(text: String) throws {
    let (x, y) = (Self.shared(40, "n"), Self.shared(40, "m"))
    let whole = "cel.bind(x, \(x), cel.bind(y, \(y), \(text)))"
    #expect(try Self.answer(whole, .cel, ["n": 1, "m": 1]) == "E0602")
  }

  /// Operations that read 128 KiB for each turn of a loop.
  private static let operations: [(name: String, superscript: String?, cel: String?)] = [
    ("equality of texts", "s == t", "s == t"), ("order of texts", "s <= t", "s <= t"),
    ("search", "s.contains(\"b\") || true", "s.contains('b') || true"),
    ("pattern", "s.matches(\"b\") || true", "s.matches('b') || true"),
    ("computed pattern", "s.matches(p) || true", "s.matches(p) || true"),
    ("size", nil, "size(s) > 0"), ("membership in a list", "!(v in big)", "!(v in big)"),
    ("equality of lists", "big == other", "big == other"),
    ("key", "{\"a\": 1}[s] == null", "!(s in {'a': 1})"),
    ("upper case", nil, "s.upperAscii() != ''"),
    ("sorting", nil, "size([s, t, s, t].sort()) == 4"),
    ("set", nil, "sets.contains([s], [t])"),
    ("extraction", nil, "!regex.extract(s, 'b').hasValue()"),
  ]

  @Test("large operations in loops end", arguments: operations.indices)
  func large(index: Int) throws {
    let size = 1 << 17
    // A machine that does not count the work would need 2,000 steps.
    let limits = EvaluationLimits(steps: 20_000)
    // Equal, but not the same memory.
    let texts = [0, 1].map { _ in Value.string(String(repeating: "a", count: size)) }
    let lists = [0, 1].map { _ in Value.list(Array(repeating: 7, count: size >> 4)) }
    let variables: [String: Value] = [
      "s": texts[0], "t": texts[1], "big": lists[0], "other": lists[1], "p": "b",
      "l": .list((0..<2_000).map { .int(Int64($0 + 8)) }),
    ]
    let operation = Self.operations[index]
    for (dialect, text) in [(Dialect.superscript, operation.superscript), (.cel, operation.cel)] {
      guard let text else { continue }
      let answer = try Self.answer(
        "size(l.map(v, \(text))) == 2000", dialect, variables, limits: limits)
      #expect(answer == "E0602" || answer == "E0604", "\(operation.name): \(answer)")
      let once = try Self.answer(
        "size([\(text)]) == 1".replacing("v in", with: "8 in"), dialect, variables, limits: limits)
      #expect(once == "true", "\(operation.name): \(once)")
    }
  }

  @Test("failures about lists that share their parts have a message")
  func failures() throws {
    let list = Self.shared(40, "n")
    for text in ["\(list) < 1", "-(\(list))", "1 + {\"a\": \(list)}"] {
      #expect(try Self.answer(text, .superscript, ["n": 1]).hasPrefix("E05"), "\(text)")
    }
    for text in ["\(list) < 1", "optional.of(\(list)) < 1", "string(optional.of(\(list)))"] {
      #expect(try Self.answer(text, .cel, ["n": 1]).hasPrefix("E05"), "\(text)")
    }
  }

  @Test("values deeper than the stack of a small thread fail or are compared")
  func depth() throws {
    let brackets = String(repeating: "[", count: 60)
    let level = ".map(v, \(brackets)v\(String(repeating: "]", count: 60)))"
    let deep = "[1]" + String(repeating: level, count: 16)
    let rows: [(String, Dialect, String)] = [
      ("\(deep) < 1", .superscript, "E0503"), ("-(\(deep))", .superscript, "E0504"),
      ("\(deep) == [2]", .superscript, "false"), ("\(deep)", .superscript, "E0604"),
      ("'%s'.format([\(deep)])", .cel, "E0512"), ("\(deep) < [1]", .cel, "E0503"),
      ("{'a': \(deep)}.b", .cel, "E0511"), ("\(deep).distinct()", .cel, "E0604"),
    ]
    for (text, dialect, wanted) in rows {
      let answer = try onThread(stack: 512 << 10) {
        (try? Self.answer(text, dialect)) ?? "not a filter"
      }
      #expect(answer == wanted, "\(text.suffix(20)): \(answer)")
    }
  }

  @Test("work on small values is free")
  func small() throws {
    let list = Value.list((0..<1_000).map { .string("word \($0)") })
    let text = """
      l.all(v, v != "x" && !v.contains("x") && v.matches("^word [0-9]+$") && v in l) || \
      l.exists(v, v > "x")
      """
    // One step for each turn, and 62 for each search of the whole list at most.
    let limits = EvaluationLimits(steps: 1_000 * 64)
    #expect(try Self.answer(text, .superscript, ["l": list], limits: limits) == "true")
  }

  @Test("a budget without an end compares as much as it likes")
  func endless() throws {
    let limits = EvaluationLimits(steps: .max)
    #expect(
      try Self.answer("l == m", .superscript, ["l": [1, 2], "m": [1, 2]], limits: limits) == "true")
  }
}
