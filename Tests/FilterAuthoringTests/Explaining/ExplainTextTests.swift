import AudienceFilters
import ExpressionCoding
import ExpressionEngine
import ExpressionSyntax
import FilterAnalysis
import FilterAuthoring
import Testing

@Suite("Explanations in words") struct ExplainTextTests {
  static let context = Context(
    user: Context.Layer([
      "age": 16, "email": "ann@example.com", "tags": ["a", "b"], "plan": "pro",
      "orders": [["total": 5], ["total": 50]],
    ]),
    device: Context.Layer(["platform": "iOS", "activeEntitlements": ["gold"]]))

  private func lines(_ text: String) throws -> [String] {
    try Filter(text).explain(Self.context).text.split(
      separator: "\n", omittingEmptySubsequences: false
    ).map(String.init)
  }

  @Test("a conjunction shows each condition with what it read, and what to change")
  func conjunction() throws {
    #expect(
      try lines(#"user.age >= 18 && device.platform == "iOS""#) == [
        "no match: `user.age >= 18` is false",
        "",
        "  false  all of",
        "> false    user.age >= 18            user.age is 16",
        "  true     device.platform == \"iOS\"  device.platform is \"iOS\"",
        "",
        "to match, change:",
        "  user.age is 16, needs >= 18",
        "",
      ])
  }

  @Test("a change is tried with a part of the budget, which is enough for ordinary loops")
  func trialBudget() throws {
    let context = Context(
      user: Context.Layer([
        "age": 16, "many": .list((0..<2_000).map { .int($0) }),
        "few": .list((0..<30).map { .int($0) }),
      ]))
    let ordinary = try Filter("user.many.all(n, n >= 0) && user.age >= 18").explain(context)
    #expect(ordinary.changes?.map(\.path.description) == ["user.age"])
    let heavy = try Filter(
      "user.few.all(a, user.few.all(b, user.few.all(c, a + b >= c - 30))) && user.age >= 18")
    let explanation = heavy.explain(context)
    #expect(explanation.outcome == .value(.bool(false)))
    #expect(explanation.changes == nil)
  }

  @Test("a missing attribute is shown with what stands in for it")
  func missing() throws {
    #expect(
      try lines("user.gone > 10 || user.other == user.age") == [
        "no match: the filter is false",
        "",
        "> false  any of",
        "  false    user.gone > 10          user.gone is missing, counts as 0",
        "  false    user.other == user.age  user.other is missing",
        "                                   a comparison of a missing attribute with anything but a "
          + "literal is false, also `!=`",
        "",
        "to match, change:",
        "  user.gone is missing, needs > 10",
        "",
      ])
  }

  @Test("a match says so, and what was not evaluated")
  func match() throws {
    #expect(
      try lines(#"user.plan == "pro" || user.age > 3"#) == [
        "match",
        "",
        "  true  any of",
        "  true    user.plan == \"pro\"  user.plan is \"pro\"",
        "  -       user.age > 3",
        "",
      ])
  }

  @Test("an error under && counts although the left side is false, and the text says so")
  func errorUnderConjunction() throws {
    let lines = try lines(#"has(user.gone) && user.gone.startsWith("a")"#)
    #expect(lines[0].hasPrefix("no match: error E0505"))
    #expect(lines.contains { $0.hasPrefix("> error") && $0.contains("startsWith") })
    #expect(lines.contains { $0.contains("`&&` goes on after a false operand in this dialect") })
  }

  @Test("a missing root makes the filter null, with its name as the reason")
  func undeclared() throws {
    let lines = try lines("user.age < 18 && ghost.x == 1")
    #expect(lines[0].contains("null"))
    #expect(lines[0].contains("ghost"))
    #expect(lines.contains { $0.contains("ghost.x is not in the context") })
  }

  @Test("a loop shows the element that decided")
  func loop() throws {
    let filter = try Filter("user.orders.all(o, o.total > 10)")
    let explanation = filter.explain(Self.context)
    let element = try #require(explanation.root.children.first)
    #expect(element.element?.index == 0)
    #expect(element.reads.first?.value == 5)
    #expect(explanation.text.contains("o = {\"total\": 5}: o.total > 10"))
  }

  @Test("the idiom for entitlements gets a suggestion that keeps what is there")
  func entitlements() throws {
    let filter = try Filter(#"["vip"].all(x, device.activeEntitlements.contains(x))"#)
    let change = try #require(filter.explain(Self.context).changes?.first)
    #expect(change.example == ["gold", "vip"])
    #expect(change.text == #"device.activeEntitlements is ["gold"], needs to contain ["vip"]"#)
  }

  @Test("several conditions on one attribute make one change")
  func interval() throws {
    let filter = try Filter("user.age >= 18 && user.age < 65")
    let changes = try #require(filter.explain(Self.context).changes)
    #expect(changes.map(\.text) == ["user.age is 16, needs >= 18 and < 65"])
  }

  @Test("the cheapest alternative is chosen")
  func cheapest() throws {
    let filter = try Filter(
      #"(user.age > 20 && user.plan == "free") || device.platform == "Android""#)
    let changes = try #require(filter.explain(Self.context).changes)
    #expect(changes.map(\.path.description) == ["device.platform"])
  }

  @Test("a filter without constants gets a change, too")
  func unmentioned() throws {
    for text in ["user.gone <= device.count", "user.items.exists_one(x, x in user.items)"] {
      let filter = try Filter(text)
      let changes = try #require(filter.explain(Self.context).changes, "\(text)")
      #expect(changes.count == 1, "\(text)")
      let changed = changes.reduce(Self.context) { $0.setting($1.path, to: $1.example) }
      #expect(filter.matches(changed), "\(text)")
    }
  }

  @Test("what cannot be reached by changing attributes gets no suggestion")
  func impossible() throws {
    #expect(try Filter("1 > 2").explain(Self.context).changes == nil)
    #expect(try Filter("user.age > 5 && user.age < 3").explain(Self.context).changes == nil)
  }

  @Test("very many conditions are explained and checked, each of them")
  func manyConditions() throws {
    let count = 1_500
    let filter = try Filter(
      "("
        + (0..<count).map { "has(user.a\($0)) && user.a\($0).startsWith(\"x\")" }
        .joined(separator: " && ") + ") || user.b")
    #expect(filter.check().count { $0.id == .uselessGuard } == count)
    let missing = try Filter(
      (0..<count).map { "user.a\($0) == 5" }.joined(separator: " && ")
    ).explain(Self.context)
    // Nobody is helped by a list of 1,500 attributes to change.
    #expect(missing.changes == nil)
    let few = try Filter(
      (0..<count).map { "user.age < \(100 + $0)" }.joined(separator: " && ") + " && user.gone == 5"
    ).explain(Self.context)
    #expect(few.changes?.map(\.path.description) == ["user.gone"])
  }

  @Test("a chain of very many members is explained without a value that nests as deep")
  func longChain() throws {
    for count in [100, 101, 20_000] {
      let chain = "user" + String(repeating: ".a", count: count)
      let path = AttributePath(chain)
      #expect(path?.names.count == (count > 100 ? nil : count))
      let explanation = try Filter("\(chain) == 5").explain(Self.context)
      #expect(!explanation.text.isEmpty)
      let long = AttributePath(root: "user", names: Array(repeating: "a", count: count))
      let changed = Self.context.setting(long, to: 5)
      #expect(changed.value(at: long) == (count > 100 ? nil : 5))
    }
  }

  @Test("host functions are called once with the same arguments")
  func hostCalls() throws {
    let calls = CallCount()
    let environment = FilterEnvironment(deviceFunctions: [
      "daysSince": { _, _ in
        calls.count()
        return 3
      }
    ])
    let filter = try Filter(
      #"device.daysSince("a") > 5 || device.daysSince("a") == 4"#, environment: environment)
    let explanation = filter.explain(Self.context)
    #expect(calls.total == 1)
    #expect(explanation.text.contains(#"device.daysSince("a") is 3"#))
  }

  @Test("the JSON has the same tree")
  func json() throws {
    let explanation = try Filter("user.age >= 18").explain(Self.context)
    let value = try Value(json: explanation.jsonText())
    guard case .map(let object) = value, case .map(let root)? = object["root"],
      case .list(let changes)? = object["changes"], case .map(let change)? = changes.first
    else {
      Issue.record("the JSON has another shape: \(explanation.jsonText())")
      return
    }
    #expect(object["matches"] == false)
    #expect(root["text"] == "user.age >= 18")
    #expect(change["requirement"] == ">= 18")
  }
}
