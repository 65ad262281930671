import AudienceFilters
import ExpressionEngine
import ExpressionSyntax
import FilterAnalysis
import FilterAuthoring
import TestSupport
import Testing

@Suite("Simplified filters") struct SimplifyTests {
  private static let known = Context(
    user: Context.Layer(["age": 25, "plan": "pro", "tags": ["a", "b"], "nothing": .null]),
    device: nil, params: nil, roots: Context.Layer(["limit": 5]))
  private static let missing: Set<AttributePath> = [
    AttributePath(root: "user", names: ["gone"]), AttributePath(root: "device", names: ["gone"]),
    AttributePath(root: "ghost"),
  ]

  private func simplified(_ text: String, _ dialect: Dialect.Name) throws -> String {
    let environment = FilterEnvironment(
      dialect: .named(dialect), deviceFunctions: ["days": { _, _ in .int(3) }])
    let filter = try Filter(text, environment: environment)
    return filter.simplified(knowing: Self.known, missing: Self.missing).text
  }

  @Test(
    "what is left of a filter in superscript",
    arguments: [
      ("user.age >= 18", "true"), ("!(user.age >= 18)", "false"), ("user.age + 1", "26"),
      ("user.age >= 18 && user.sessions > 3", "user.sessions > 3"),
      (
        "user.sessions > 3 && user.age >= 18 && params.a == 1", "user.sessions > 3 && params.a == 1"
      ),
      // The other operand may fail, and then the filter does.
      ("user.age < 18 && user.sessions > 3", "false && user.sessions > 3"),
      ("user.age < 18 && params.a == 1", "false && params.a == 1"),
      // An attribute of a root that is there cannot fail to be read, and equality cannot either.
      (#"user.age < 18 && user.city == "Oslo""#, "false"),
      (#"user.city == "Oslo" && 1 / 0 == user.age && params.a == 1"#, "1 / 0 == user.age"),
      ("user.age < 18 || user.sessions > 3", "user.sessions > 3"),
      ("user.age >= 18 || user.sessions > 3", "true"),
      ("user.sessions > 3 || user.age >= 18 || params.a == 1", "user.sessions > 3 || true"),
      // The last operand is the value.
      ("user.city || user.age < 18", "user.city || false"),
      ("user.age >= 18 && user.city", "true && user.city"),
      ("user.age >= 18 ? user.city : 3", "user.city"),
      ("user.city ? user.age : 3", "user.city ? 25 : 3"),
      ("user.sessions + user.age > 30", "user.sessions + 25 > 30"),
      // A literal on the right would give a missing attribute a value.
      ("user.sessions == limit", "user.sessions == limit"),
      ("user.sessions == 5", "user.sessions == 5"),
      ("user.sessions > limit + params.a", "user.sessions > 5 + params.a"),
      ("(user.nothing || user.city) == 0", "(user.nothing || user.city) == 0"),
      (#"user.city in [user.plan, "free"]"#, #"user.city in [user.plan, "free"]"#),
      (#"params.p in [user.plan, params.q]"#, #"params.p in ["pro", params.q]"#),
      ("user.tags.exists(t, t == params.a)", "user.tags.exists(t, t == params.a)"),
      ("params.l.exists(user, user.age == 25)", "params.l.exists(user, user.age == 25)"),
      ("params.l.exists(x, x == 1 && user.age >= 18)", "params.l.exists(x, x == 1)"),
      ("device.days(user.plan) > 2", #"device.days("pro") > 2"#),
      ("user.gone == 0", "true"), ("device.gone == 0", "true"),
      ("params.gone == 0", "params.gone == 0"),
      ("user.sessions > 3 && ghost == 1", "user.sessions > 3 && ghost == 1"),
      ("has(user.sessions) && has(user.plan)", "has(user.sessions)"),
    ])
  func superscript(text: String, expected: String) throws {
    #expect(try simplified(text, .superscript) == expected)
  }

  @Test(
    "what is left of a filter in cel",
    arguments: [
      ("user.age >= 18 && user.sessions > 3", "user.sessions > 3"),
      ("user.sessions > 3 && user.age < 18", "false"),
      ("user.sessions > 3 || user.age >= 18", "true"),
      // What is not a bool fails here.
      ("user.age >= 18 && user.city", "user.city && true"),
      ("user.sessions == user.age", "user.sessions == 25"),
      (#"user.city in [user.plan, "free"]"#, #"user.city in ["pro", "free"]"#),
      ("user.gone == 0 && user.sessions > 3", "user.gone == 0 && user.sessions > 3"),
      ("user.gone == 0 && user.age < 18", "false"), ("has(user.gone)", "false"),
      ("user.age >= 18 ? user.city : 3", "user.city"),
      ("[1, 2].map(x, x + user.age + params.a)", "[1, 2].map(x, x + 25 + params.a)"),
      ("type(user.age) == int", "type(user.age) == int"),
    ])
  func cel(text: String, expected: String) throws {
    #expect(try simplified(text, .cel) == expected)
  }

  @Test("functions of the app are called by what is left, not before")
  func addedFunctions() throws {
    for dialect in [Dialect.Name.superscript, .cel] {
      let calls = CallCount()
      var environment = FilterEnvironment(dialect: .named(dialect))
      try environment.add(
        .init("isVIP", .init(parameters: ["int"], result: "bool")) { _, _ in
          calls.count()
          return true
        })
      let filter = try Filter("user.age > 3 && isVIP(user.age)", environment: environment)
      let rest = filter.simplified(knowing: Self.known)
      #expect(
        rest.text == "isVIP(25)" || rest.text == "true && isVIP(25)"
          || rest.text == "isVIP(25) && true")
      #expect(calls.total == 0)
      #expect(try rest.evaluate(Context()) == true)
    }
  }

  @Test("long and deep filters are left in time")
  func extremes() throws {
    let long = (0..<3_000).map { "user.a\($0) == 1" }.joined(separator: " && ")
    #expect(try simplified("user.age > 3 && " + long, .superscript).hasPrefix("user.a0 == 1"))
    let sum = (0..<3_000).map { _ in "user.age" }.joined(separator: " + ")
    #expect(try simplified("params.a + " + sum + " > 3", .superscript).hasPrefix("params.a"))
    let deep = String(repeating: "!(", count: 200) + "params.a" + String(repeating: ")", count: 200)
    #expect(try simplified(deep, .superscript).contains("params.a"))
  }
}
