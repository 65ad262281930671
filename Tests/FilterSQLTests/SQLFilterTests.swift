import AudienceFilters
import ExpressionEngine
import ExpressionSyntax
import FilterAnalysis
import FilterSQL
import Foundation
import Testing

/// The SQL that filters become, and what is refused.
struct SQLFilterTests {
  private let schema = TableSchema([
    .init("user.age", path: ["user", "age"], .int),
    .init("user.plan", path: ["user", "plan"], .string),
    .init("user.tags", path: ["user", "tags"], .list(.string)),
    .init("user.id", path: ["user", "id"], .int, isNullable: false),
  ])

  private func filter(
    _ text: String, _ engine: SQLDialect.Name = .duckdb, isPartial: Bool = false
  ) throws(SQLFilterError) -> SQLFilter {
    try SQLFilter(text, schema: schema, dialect: .named(engine), isPartial: isPartial)
  }

  @Test func aColumnThatIsNeverNullNeedsNoTest() throws {
    #expect(try filter("user.id >= 18").condition == #""user.id" >= 18"#)
    #expect(try filter("user.id >= 18").failure == "FALSE")
  }

  @Test func aMissingAttributeIsTheZeroOfItsKind() throws {
    #expect(
      try filter("user.age >= 18").condition == #""user.age" IS NOT NULL AND "user.age" >= 18"#)
    #expect(try filter("user.age < 18").condition == #""user.age" < 18 OR "user.age" IS NULL"#)
  }

  /// The deepest nesting of a filter that has SQL.
  private static let nesting = 24

  @Test(
    "a filter that nests deeply is refused before the stack of a small thread is used up",
    arguments: [
      ("-(", "user.age", ")"), ("(1 + ", "user.age", ")"), ("max(0, ", "user.age", ")"),
      ("user.id > 3 ? user.id : (", "user.age", ")"), ("[", "user.age", "]"),
      ("user.id == 3 && (user.id == 4 || ", "user.age == 1", ")"),
      ("user.tags.exists(t, t == \"a\" && ", "user.age == 1", ")"), ("!(1 == ", "1", ")"),
    ])
  func nesting(_ shape: (open: String, core: String, close: String)) async throws {
    for levels in [8, 16, 22, 24, 30, 45, 90, 150, 199] {
      let part =
        String(repeating: shape.open, count: levels) + shape.core
        + String(repeating: shape.close, count: levels)
      let schema = schema
      let isTranslated = await withCheckedContinuation { continuation in
        let thread = Thread {
          let text = "\(part) == 1"
          for dialect in [Dialect.superscript, .cel] {
            let environment = FilterEnvironment(dialect: dialect)
            _ = try? SQLFilter(
              text, environment: environment, schema: schema, dialect: .named(.spark))
          }
          continuation.resume(
            returning: (try? SQLFilter(text, schema: schema, dialect: .named(.duckdb))) != nil)
        }
        thread.stackSize = 512 << 10
        thread.start()
      }
      #expect(levels < Self.nesting || !isTranslated)
    }
  }

  @Test func textsAreQuoted() throws {
    let sql = try filter(#"user.plan == "it\"s; DROP TABLE users --'""#).condition
    #expect(sql.contains("'it\"s; DROP TABLE users --'''"))
  }

  @Test(
    "what cannot be seen is written by its code",
    arguments: [
      (SQLDialect.Name.duckdb, "('a' || chr(13) || chr(10) || 'b' || chr(8238) || '''')"),
      (.postgresql, "('a' || chr(13) || chr(10) || 'b' || chr(8238) || '''')"),
      (.sqlite, "('a' || char(13) || char(10) || 'b' || char(8238) || '''')"),
      (.spark, #"('a' || char(13) || char(10) || 'b' || '\u202e' || '\'')"#),
    ])
  func hiddenCharacters(_ name: SQLDialect.Name, _ literal: String) throws {
    let sql = try SQLFilter(
      #"user.plan == "a\r\nb\u202e'""#, schema: schema, dialect: .named(name)
    ).condition
    #expect(sql.contains(literal), "\(sql)")
    #expect(!sql.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" || $0 == "\u{202e}" })
  }

  @Test func hostFunctionsAreRefusedWithTheirPlace() {
    do {
      _ = try SQLFilter(
        #"user.age > 3 && device.days("x") > 2"#,
        environment: FilterEnvironment(deviceFunctions: ["days": { _, _ in .int(3) }]),
        schema: schema, dialect: .named(.duckdb))
      Issue.record("the filter was not refused")
    } catch {
      guard case .refused(let refusal) = error else {
        Issue.record("\(error)")
        return
      }
      #expect(refusal.reason == .hostFunction)
      #expect(refusal.span == SourceSpan(start: 16, length: 16))
    }
  }

  @Test func functionsOfTheAppAreRefusedWithTheirPlace() throws {
    for dialect in [Dialect.Name.superscript, .cel] {
      var environment = FilterEnvironment(dialect: .named(dialect))
      try environment.add(
        .init("isVIP", .init(parameters: ["int"], result: "bool")) { _, _ in true })
      let error = #expect(throws: SQLFilterError.self) {
        try SQLFilter(
          "user.id > 3 && isVIP(7)", environment: environment, schema: schema,
          dialect: .named(.duckdb))
      }
      guard case .refused(let refusal)? = error else {
        Issue.record("\(String(describing: error))")
        return
      }
      #expect(refusal.reason == .hostFunction)
      #expect(refusal.span == SourceSpan(start: 15, length: 8))
    }
  }

  @Test(
    "an attribute that no column holds is refused with its place, unless the table declares it missing",
    arguments: [
      ("user.agee < 3", "user.agee", 0, 9),
      ("user.age < 3 && device.os == \"x\"", "device.os", 16, 9),
      ("has(user.gone) && user.age < 3", "user.gone", 4, 9),
      ("user[\"first name\"] == \"a\"", "user[\"first name\"]", 0, 18),
      ("params == {}", "params", 0, 6), ("user.tags.exists(t, t == user.gone)", "user.gone", 25, 9),
      ("user.id > 3 ? user.a.b == 1 : true", "user.a.b", 14, 8),
    ])
  func unknownAttributes(_ text: String, _ path: String, _ start: Int, _ length: Int) throws {
    for environment in [FilterEnvironment.standard, .cel] {
      let error = #expect(throws: SQLFilterError.self) {
        try SQLFilter(text, environment: environment, schema: schema, dialect: .named(.duckdb))
      }
      guard case .refused(let refusal)? = error else {
        Issue.record("\(text): \(String(describing: error))")
        continue
      }
      #expect(refusal.reason == .attribute)
      #expect(refusal.attribute?.description == path)
      #expect(refusal.span == SourceSpan(start: UInt32(start), length: UInt32(length)))
      var accepting = schema
      accepting.absent = .only([try #require(refusal.attribute)])
      _ = try SQLFilter(text, environment: environment, schema: accepting, dialect: .named(.duckdb))
    }
  }

  @Test func aMisspelledAttributeIsRefusedWithTheRightName() throws {
    let error = #expect(throws: SQLFilterError.self) { try filter("user.agee < 3") }
    guard case .refused(let refusal)? = error else { return }
    #expect(refusal.message.hasPrefix("no column holds `user.agee`; did you mean `user.age`"))
    // What a loop names, a function and a part of a column are no attributes of their own.
    _ = try filter("user.tags.exists(t, t == \"a\") && size(user.tags) > 2")
    let partial = try filter("user.age > 3 && user.agee < 3", isPartial: true)
    #expect(partial.refusals.map(\.reason) == [.attribute])
  }

  @Test func aMissingAttributeIsMissingInEachRow() throws {
    var schema = schema
    schema.absent = .only([AttributePath(root: "user", names: ["gone"])])
    let condition = { (text: String) throws(SQLFilterError) in
      try SQLFilter(text, schema: schema, dialect: .named(.duckdb)).condition
    }
    #expect(try condition("user.gone < 3") == "TRUE")
    #expect(try condition("has(user.gone) && user.id > 3") == "FALSE")
    #expect(try condition("user.gone.inner == \"a\"") == "FALSE")
    #expect(throws: SQLFilterError.self) { try condition("user.other < 3") }
  }

  @Test func aPartialFilterIsImplied() throws {
    let text = #"user.age > 3 && user.plan.matches("\\w+")"#
    #expect(throws: SQLFilterError.self) { try filter(text) }
    let partial = try filter(text, isPartial: true)
    #expect(partial.isPartial)
    #expect(partial.condition == #""user.age" IS NOT NULL AND "user.age" > 3"#)
    #expect(partial.refusals.map(\.reason) == [.pattern])
  }

  @Test func enginesSpellThingsTheirWay() throws {
    let text = #"user.tags.contains("x")"#
    #expect(try filter(text).condition.contains("list_contains"))
    #expect(try filter(text, .postgresql).condition.contains("array_position"))
    #expect(try filter(text, .spark).condition.contains("array_contains(`user.tags`, 'x')"))
    #expect(throws: SQLFilterError.self) { try filter(text, .sqlite) }
  }

  @Test(arguments: [SQLDialect.Name.duckdb, .postgresql])
  func aMemberOfJSONIsExtractedOnce(_ engine: SQLDialect.Name) throws {
    let schema = TableSchema([.init("user.props", path: ["user", "props"], .json)])
    let sql = try SQLFilter(
      "user.props.level >= 20 && user.props.level * 2 < user.props.limit", schema: schema,
      dialect: .named(engine)
    ).condition
    #expect(sql.components(separatedBy: "\"user.props\"").count == 3)
  }

  @Test func tooMuchIsRefused() {
    let chain = Array(repeating: "user.age", count: 400).joined(separator: " * ")
    #expect(throws: SQLFilterError.self) { try filter("\(chain) > 1") }
  }

  /// Each element of a loop in a loop makes much SQL, which later turns out to decide nothing.
  @Test(arguments: [SQLDialect.Name.duckdb, .postgresql])
  func muchSQLForLittleIsRefused(_ engine: SQLDialect.Name) throws {
    let text = """
      params.exists_one(v, v == (params ? params.exists_one(v, v == params) : params)).c < .a * false
      """
    for environment in [FilterEnvironment.standard, .cel] {
      let error = #expect(throws: SQLFilterError.self) {
        try SQLFilter(
          text, environment: environment, schema: TableSchema(columnsFor: .builtIn),
          dialect: .named(engine))
      }
      guard case .refused(let refusal)? = error else {
        Issue.record("\(String(describing: error))")
        continue
      }
      #expect(refusal.reason == .size)
    }
  }

  @Test func audiencesAreTriedInOrder() {
    let query = CampaignQuery(
      [
        .init(
          name: "start",
          audiences: [
            .init(name: "a", filter: SourceText("user.id > 10")),
            .init(name: "b", filter: nil), .init(name: "c", filter: SourceText("user.id > 1")),
          ])
      ], schema: schema, table: "users", dialect: .named(.duckdb))
    // Nobody gets past an audience that everybody is in.
    #expect(query.columns.map(\.audience) == [0, 1, nil])
    #expect(query.text.contains(#"WHEN "user.id" > 10"#))
  }

  @Test func candidatesAreTheRowsThatMayMatch() throws {
    func candidates(_ filters: String...) throws -> CandidateQuery {
      var environment = FilterEnvironment()
      environment.deviceFunctions["daysSince"] = { _, _ in .null }
      return try CandidateQuery(
        .init(
          name: "start",
          audiences: filters.enumerated().map {
            .init(name: "\($0.offset)", filter: SourceText($0.element))
          }), environment: environment, schema: schema, table: "users", dialect: .named(.duckdb))
    }
    let one = try candidates(#"user.age >= 18 && device.daysSince("x") > 3"#)
    #expect(one.text.hasSuffix(#"WHERE "user.age" IS NOT NULL AND "user.age" >= 18"#))
    #expect(one.columns.map(\.name) == ["user.age", "user.id"])
    let two = try candidates(#"user.age >= 18 && device.daysSince("x") > 3"#, #"user.plan == "a""#)
    #expect(two.text.hasSuffix(#"OR ("user.plan" IS NOT NULL AND "user.plan" = 'a')"#))
    // The engine may know what no column holds.
    #expect(try candidates(#"user.age >= 18 && device.locale == "de""#).selectsAll)
    #expect(!one.selectsAll)
    #expect(throws: SQLFilterError.self) { try candidates("user.age >=") }
  }
}
