import CampaignCore
import ExpressionEngine
import ExpressionSyntax
import FilterAnalysis
import FilterSQL
import Foundation
import Testing

/// Random filters over random rows. `make warehouse-all` takes 300 filters over 10,000 rows, for
/// several seeds.
@Suite("Random filters in SQL give the engine's answers", .serialized)
struct RandomFilterTests {
  private static let dialects = [Dialect.Name.superscript, .cel]

  private static func number(_ name: String, _ standard: Int) -> Int {
    ProcessInfo.processInfo.environment[name].flatMap(Int.init) ?? standard
  }

  @Test("in DuckDB", .needs(.duckdb), arguments: dialects)
  func duckDB(_ dialect: Dialect.Name) throws { try compare(.duckdb, dialect) }

  @Test("in SQLite", .needs(.sqlite), arguments: dialects)
  func sqlite(_ dialect: Dialect.Name) throws { try compare(.sqlite, dialect) }

  @Test("in PostgreSQL", .needs(.postgresql), arguments: dialects)
  func postgreSQL(_ dialect: Dialect.Name) throws { try compare(.postgresql, dialect) }

  @Test("in DuckDB, over JSON columns", .needs(.duckdb), arguments: dialects)
  func duckDBOverJSON(_ dialect: Dialect.Name) throws { try compare(.duckdb, dialect, .json) }

  @Test("in PostgreSQL, over JSON columns", .needs(.postgresql), arguments: dialects)
  func postgreSQLOverJSON(_ dialect: Dialect.Name) throws {
    try compare(.postgresql, dialect, .json)
  }

  @Test("in Spark", .needs(.spark), arguments: dialects)
  func spark(_ dialect: Dialect.Name) throws { try compare(.spark, dialect) }

  private func compare(
    _ engine: SQLDialect.Name, _ dialect: Dialect.Name, _ form: ContextTable.Form = .typed
  ) throws {
    let process = try SQLProcess(engine)
    // Spark reads the text of a view for each query. A table of files is also what it is for.
    let saving =
      engine == .spark
      ? [
        "DROP TABLE IF EXISTS saved", "CREATE TABLE saved USING parquet AS SELECT * FROM t",
        "CREATE OR REPLACE TEMPORARY VIEW t AS SELECT * FROM saved",
      ] : []
    for seed in 1...Self.number("SWEXPR_SQL_SEEDS", 1) {
      var random = RandomFilter(seed: UInt64(seed), dialect: dialect, engine: engine)
      let contexts = (0..<Self.number("SWEXPR_SQL_ROWS", 300)).map { _ in random.row() }
      let table = ContextTable(contexts, form: form, dialect: engine)
      let rows = table.rows.map { Context(variables: $0) }
      let environment = FilterEnvironment(dialect: .named(dialect))
      var prepared: [(text: String, filter: Filter, answer: String)] = []
      var refused = 0
      let wanted = Self.number("SWEXPR_SQL_FILTERS", 60)
      while prepared.count < wanted, refused < 4 * wanted {
        let text = random.filter()
        guard let filter = try? Filter(text, environment: environment) else { continue }
        do throws(SQLFilterError) {
          let sql = try SQLFilter(
            text, environment: environment, schema: table.schema, dialect: .named(engine))
          prepared.append((text, filter, sql.answer))
        } catch {
          refused += 1
        }
      }
      #expect(prepared.count == wanted, "\(refused) filters are refused")
      var varied = 0
      for start in stride(from: 0, to: prepared.count, by: 20) {
        let batch = prepared[start..<min(start + 20, prepared.count)]
        let answers = try process.rows(
          setup: start == 0 ? table.setup + saving : [], query: table.query(batch.map(\.answer))
        ).get().map(Array.init)
        try #require(answers.count == rows.count)
        for (column, one) in batch.enumerated() {
          var seen: Set<FilterAnswer> = []
          for (index, row) in rows.enumerated() {
            let expected = FilterAnswer(one.filter, row)
            seen.insert(expected)
            guard answers[index][column] != expected.rawValue else { continue }
            Issue.record(
              """
              seed \(seed): \(one.text): \(answers[index][column]), not \(expected.rawValue), \
              in \(table.description(ofRow: index))
              \(one.answer.prefix(1500))
              """)
            break
          }
          if seen.count > 1 { varied += 1 }
        }
      }
      // Filters with the same answer everywhere show nothing.
      #expect(varied * 2 > prepared.count)
    }
  }
}

/// Makes up filters and the rows that they are evaluated over.
private struct RandomFilter {
  private var random: SplitMix64
  private let isSuperscript: Bool
  private let hasLists: Bool

  init(seed: UInt64, dialect: Dialect.Name, engine: SQLDialect.Name) {
    random = SplitMix64(seed: seed)
    isSuperscript = dialect == .superscript
    hasLists = engine != .sqlite
  }

  private mutating func below(_ bound: Int) -> Int { random.below(bound) }

  private mutating func pick<Element>(_ elements: [Element]) -> Element {
    elements[below(elements.count)]
  }

  private static let ints: [Int64] = [
    0, 1, -1, 2, 3, 7, 18, 50, 99, 100, 1000, 1 << 53, (1 << 53) + 1, .max, .min, .min + 1,
  ]
  private static let doubles: [Double] = [0, -0.0, 0.5, 1, 1.5, -2.25, 18, 1e10, 9e18, 1e300]
  private static let texts = [
    "", "a", "A", "ab", "abc", "b", "pro", "free", "0", "1", "18", "1.5", "-1", "1e2", " 1", "é",
    "z",
    "\u{1F388}", "\u{FFFD}", "a%b", "a_b", "a'b", "a\\b", "true", "null",
  ]

  mutating func row() -> [String: Value] {
    var row: [String: Value] = [:]
    for name in ["i", "j"] where below(4) > 0 { row[name] = .int(pick(Self.ints)) }
    for name in ["d", "e"] where below(4) > 0 { row[name] = .double(pick(Self.doubles)) }
    for name in ["s", "t"] where below(4) > 0 { row[name] = .string(pick(Self.texts)) }
    for name in ["p", "q"] where below(4) > 0 { row[name] = .bool(below(2) == 0) }
    if hasLists {
      if below(4) > 0 { row["m"] = .list((0..<below(4)).map { _ in .int(pick(Self.ints)) }) }
      if below(4) > 0 { row["n"] = .list((0..<below(4)).map { _ in .string(pick(Self.texts)) }) }
    }
    return row
  }

  mutating func filter() -> String { condition(3) }

  private mutating func condition(_ depth: Int) -> String {
    if depth > 0, below(10) < 6 {
      switch below(7) {
      case 0, 1:
        return (0...(1 + below(3))).map { _ in operand(depth) }.joined(separator: " && ")
      case 2, 3:
        return (0...(1 + below(3))).map { _ in operand(depth) }.joined(separator: " || ")
      case 4: return "!\(operand(depth))"
      case 5: return "\(operand(depth)) ? \(operand(depth)) : \(operand(depth))"
      default: return "\(operand(depth)) == \(operand(depth))"
      }
    }
    let comparison = pick(["==", "!=", "<", "<=", ">", ">="])
    switch below(hasLists ? 12 : 9) {
    case 0, 1: return "\(attribute("ij")) \(comparison) \(number(2))"
    case 2: return "\(double()) \(comparison) \(number(1))"
    case 3: return "\(attribute("st")) \(comparison) \(text())"
    // Kinds that differ.
    case 4: return "\(attribute("ijdestpq")) \(comparison) \(constant())"
    case 5:
      return
        "\(attribute("ijst")) in [\((0...below(4)).map { _ in constant() }.joined(separator: ", "))]"
    case 6: return "\(attribute("st")).\(pick(["startsWith", "endsWith", "contains"]))(\(text()))"
    case 7: return attribute("pq")
    case 8: return "\(attribute("ijdest")) \(comparison) \(attribute("ijdest"))"
    case 9: return "\(constant()) in \(attribute("mn"))"
    case 10: return "size(\(attribute("mnst"))) \(comparison) \(below(4))"
    default:
      let list = pick(["m", "n"])
      let element = list == "m" ? "x \(comparison) \(int())" : "x \(comparison) \(text())"
      return "\(list).\(pick(["all", "exists", "exists_one"]))(x, \(element))"
    }
  }

  private mutating func operand(_ depth: Int) -> String { "(\(condition(depth - 1)))" }

  private mutating func attribute(_ names: String) -> String { String(pick(Array(names))) }

  private mutating func int() -> String { "\(pick(Self.ints.filter { $0 != .min }))" }

  private mutating func text() -> String {
    "\"" + pick(Self.texts).replacing("\\", with: "\\\\") + "\""
  }

  private mutating func constant() -> String {
    switch below(5) {
    case 0, 1: int()
    case 2: pick(["0.0", "0.5", "1.0", "1.5", "-2.25", "18.0"])
    case 3: text()
    default: pick(["true", "false"])
    }
  }

  /// A double of the row, or a computation with it.
  private mutating func double() -> String {
    let name = attribute("de")
    guard hasLists, below(3) == 0 else { return name }
    return "(\(name) \(pick(["+", "-", "*", "/"])) \(pick([attribute("de"), "2.0", "1e-300"])))"
  }

  /// An int, or a computation with attributes.
  private mutating func number(_ depth: Int) -> String {
    if depth > 0, below(3) == 0 {
      let op = pick(["+", "-", "*", "/", "%"])
      return "(\(attribute("ij")) \(op) \(number(depth - 1)))"
    }
    return int()
  }
}
