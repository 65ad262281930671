import AudienceFilters
import ExpressionEngine
import ExpressionSyntax
import FilterAuthoring
import Testing

/// Checks and explanations of filters that call functions of the app.
@Suite("Functions of the app, for authors") struct AddedFunctionTests {
  private func environment(
    _ dialect: Dialect.Name, counting calls: CallCount = CallCount()
  ) throws -> FilterEnvironment {
    var environment = FilterEnvironment(dialect: .named(dialect))
    try environment.add(
      .init("isVIP", .init(parameters: ["string"], result: "bool")) { arguments, _ in
        calls.count()
        return .bool(arguments[0] == .string("ann"))
      })
    try environment.add(
      .init("tier", .init(isMember: true, parameters: ["string"], result: "string")) { _, _ in
        "gold"
      })
    return environment
  }

  @Test(
    "checks know them, with their forms",
    arguments: [
      ("isVIP(user.id)", []), ("isVIP('ann') && user.age > 3", []), ("'x'.tier() == 'gold'", []),
      ("isVIP(5)", ["E0404"]), ("isVIP('a', 'b')", ["E0404"]), ("'ann'.isVIP()", ["E0404"]),
    ])
  func checks(text: String, expected: [String]) throws {
    for dialect in [Dialect.Name.superscript, .cel] {
      let filter = try Filter(text, environment: environment(dialect))
      let found = filter.check().filter { $0.severity == .error }
      #expect(found.map(\.id.rawValue) == expected, "\(dialect)")
      #expect(found.allSatisfy { $0.notes.contains("there is `isVIP(string) -> bool`") })
    }
  }

  @Test("a function that was not added is unknown")
  func unknown() throws {
    for dialect in [Dialect.Name.superscript, .cel] {
      let filter = try Filter("isVIPs('a')", environment: environment(dialect))
      #expect(!filter.check().isEmpty)
    }
  }

  @Test("an explanation shows the condition, and calls a function once for the same arguments")
  func explanation() throws {
    for dialect in [Dialect.Name.superscript, .cel] {
      let calls = CallCount()
      let filter = try Filter(
        "user.age > 3 && isVIP(user.id)", environment: environment(dialect, counting: calls))
      let context = Context(user: ["age": 5, "id": "bob"])
      // The whole filter and the condition alone each call the function.
      #expect(filter.conditions(context).children.count == 2)
      #expect(calls.total == 1)
      #expect(filter.explain(context).headline == "no match: `isVIP(user.id)` is false")
      #expect(filter.explain(Context(user: ["age": 5, "id": "ann"])).matches)
    }
  }
}
