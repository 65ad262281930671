import AudienceFilters
import ExpressionEngine
import FilterSQL
import Foundation
import TestSupport
import Testing

/// The SQL of filters as it is written. The differential tests show that it gives the right
/// answers; this shows in a review if it becomes longer, or computes a value twice.
@Suite("The SQL of filters has the form that was reviewed")
struct FormTests {
  /// Columns of each type.
  private static let typed = TableSchema([
    .init("user.age", path: ["user", "age"], .int),
    .init("user.count", path: ["user", "count"], .uint),
    .init("user.share", path: ["user", "share"], .double),
    .init("user.plan", path: ["user", "plan"], .string),
    .init("user.isPro", path: ["user", "isPro"], .bool),
    .init("user.tags", path: ["user", "tags"], .list(.string)),
    .init("user.id", path: ["user", "id"], .int, isNullable: false),
    .init("user.seen", path: ["user", "seen"], .timestamp),
    .init("user.key", path: ["user", "key"], .bytes),
    .init(
      "user.home", path: ["user", "home"],
      .record([.init("city", .string), .init("floor", .int)])),
  ])
  /// The same attributes in one column.
  private static let json = TableSchema([.init("user", path: ["user"], .json)])

  private static let superscript = [
    #"user.age >= 18"#, #"user.age != 18"#, #"18 < user.age"#, #"user.plan == "pro""#,
    #"user.plan != "pro""#, #"user.plan in ["pro", "plus"]"#, #"!(user.plan in ["pro", "plus"])"#,
    #"user.isPro"#, #"!user.isPro"#, #"user.isPro == false"#, #"has(user.plan)"#,
    #"user.age >= 18 && user.age < 65 && user.plan == "pro""#,
    #"user.age >= 18 || user.plan == "pro""#, #"user.age > user.id"#, #"user.age == user.share"#,
    #"user.age + 1 > user.id * 2"#, #"user.age / 2 > 9"#, #"user.age % 10 == 3"#,
    #"user.share * 2.0 >= 0.5"#, #"user.count > 5"#, #""beta" in user.tags"#,
    #"size(user.tags) == 0"#, #"user.tags.exists(t, t.startsWith("v"))"#,
    #"user.tags.all(t, t != "x")"#, #"user.plan.contains("ro")"#, #"user.plan.endsWith("_%")"#,
    #"user.plan.matches("^p(ro|lus)+$")"#, #"user.plan.matches("^[a-z]{2,}_x?.*")"#,
    #"size(user.plan) > 3"#, #"user.home.city == "Rome""#, #"user.home.floor > 3"#,
    #"(user.isPro ? user.age : user.id) > 20"#, #"(user.plan || "free") == "free""#,
    #"int(user.plan) > 3"#, #"string(user.age) == "18""#, #"double(user.plan) >= 0.5"#,
    #"user.nothing == 1"#, #"user.age == user.plan"#, #"user.tags[0] == "a""#,
    #"max(user.age, 20) > user.id"#, #"user.age == null"#, #"user == 1"#,
    #"user.tags.exists_one(t, t == "a")"#, #"size(user.tags.filter(t, t != "a")) > 1"#,
    #"user.plan + "!" == "pro!""#, #"-user.age < -18"#,
  ]

  private static let cel = [
    #"user.age >= 18"#, #"user.plan != "pro""#, #"has(user.plan) && user.plan == "pro""#,
    #"user.age > 18u"#, #"user.seen > timestamp("2026-01-01T00:00:00Z")"#,
    #"user.seen.getFullYear() == 2026"#, #"user.key == b"ab""#, #"user.count + 1u > 5u"#,
    #"[1, 2].exists(n, n == user.age)"#, #"user.tags.map(t, t + "x").exists(t, t == "ax")"#,
    #"user.plan == "pro" || user.age / 0 == 1"#, #"dyn(user.age) == 18.0"#,
    #"user.tags == ["a", "b"]"#, #"user.home == {"city": "Rome", "floor": 3}"#,
    #"string(user.seen) == "2026-01-01T00:00:00Z""#,
  ]

  /// The filters of which the form over JSON, which is longer, is recorded, too.
  private static let overJSON: Set<String> = [
    #"user.age >= 18"#, #"user.plan in ["pro", "plus"]"#, #"user.isPro"#, #"user.age > user.id"#,
    #""beta" in user.tags"#, #"user.tags.exists(t, t.startsWith("v"))"#,
    #"user.home.city == "Rome""#, #"user.plan.matches("^p(ro|lus)+$")"#, #"user.age > 18u"#,
  ]

  private static func form(
    _ text: String, _ environment: FilterEnvironment, _ schema: TableSchema,
    _ dialect: SQLDialect.Name
  ) -> String {
    do {
      let filter = try SQLFilter(
        text, environment: environment, schema: schema, dialect: .named(dialect))
      return filter.condition
    } catch {
      return "refused: \(String(describing: error).prefix { $0 != "\n" }.prefix(100))"
    }
  }

  private static func forms() -> String {
    var result = ""
    for (name, environment, filters) in [
      ("superscript", FilterEnvironment.standard, superscript), ("cel", .cel, cel),
    ] {
      for text in filters {
        result += "\n# \(name): \(text)\n"
        for dialect in [SQLDialect.Name.duckdb, .postgresql, .sqlite, .spark] {
          result += "\(dialect.rawValue): \(form(text, environment, typed, dialect))\n"
        }
        guard overJSON.contains(text) else { continue }
        for dialect in [SQLDialect.Name.duckdb, .postgresql] {
          result += "\(dialect.rawValue), JSON: \(form(text, environment, json, dialect))\n"
        }
      }
    }
    return result
  }

  @Test func formsAreAsReviewed() throws {
    let file = TestFiles.root.appending(path: "corpus/sql/forms.txt")
    let forms = Self.forms()
    if ProcessInfo.processInfo.environment["SWEXPR_BLESS"] != nil {
      try forms.write(to: file, atomically: true, encoding: .utf8)
    }
    let reviewed = try String(contentsOf: file, encoding: .utf8)
    let (new, old) = (forms.split(separator: "\n"), reviewed.split(separator: "\n"))
    let changed = zip(new, old).first { $0 != $1 }
    #expect(
      new == old,
      "run the tests with SWEXPR_BLESS=1 and read the difference; first: \(changed.map { "\($0)" } ?? "")"
    )
  }
}
