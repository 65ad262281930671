import ExpressionEngine
import ExpressionSyntax
import Testing

/// Functions of the app that filters call by their names.
@Suite("Functions of the app") struct AddedFunctionTests {
  private typealias Function = FilterEnvironment.Function

  private struct Unavailable: Error {}

  /// An environment with functions of several forms.
  private func environment(
    _ dialect: Dialect.Name, counting calls: CallCounter = CallCounter()
  ) throws -> FilterEnvironment {
    var environment = FilterEnvironment(dialect: .named(dialect))
    try environment.add(
      Function("isVIP", .init(parameters: ["string"], result: "bool")) { arguments, _ in
        calls.add()
        return .bool(arguments[0] == .string("ann"))
      })
    try environment.add(
      Function("isVIP", .init(parameters: ["int"], result: "bool")) { arguments, _ in
        .bool(arguments[0] == .int(7))
      })
    try environment.add(
      Function("tier", .init(isMember: true, parameters: ["map(string, dyn)"], result: "string")) {
        arguments, _ in .string(arguments[0] == .map([:]) ? "none" : "gold")
      })
    try environment.add(
      Function("fails", .init(parameters: [], result: "bool")) { _, _ in throw Unavailable() })
    try environment.add(
      Function("lies", .init(parameters: [], result: "int")) { _, _ in .string("five") })
    try environment.add(
      Function("state", .init(parameters: [], result: "int")) { _, state in
        .int((state as? Int64) ?? -1)
      })
    return environment
  }

  private static let user = Context(
    user: Context.Layer(["id": "ann", "age": 7, "isVIP": 3, "plan": ["name": "pro"]]))

  private func outcome(
    _ text: String, _ dialect: Dialect.Name, _ context: Context = user
  ) throws -> String {
    let filter = try Filter(text, environment: environment(dialect))
    do {
      let value = try filter.evaluate(context)
      #expect(filter.matches(context) == (value == .bool(true)))
      return value.literal
    } catch {
      #expect(!filter.matches(context))
      return error.id.rawValue
    }
  }

  @Test(
    "the form of calls is read back",
    arguments: [
      "isVIP(string) -> bool", "now() -> timestamp", "string.shout() -> string",
      "list(map(string, int)).sum(string, list(int)) -> map(string, dyn)",
    ])
  func signatures(_ text: String) throws {
    let environment = try FilterEnvironment(functions: [text: { _, _ in .null }])
    #expect(environment.functions.map(\.signature) == [text])
  }

  @Test(
    "a form that is not one is refused",
    arguments: [
      "isVIP", "isVIP()", "isVIP(string)", "isVIP(string) -> ", "-> bool", "isVIP(string -> bool",
      "isVIP(string,) -> bool", "isVIP)( -> bool", "a.b.c(int) -> bool", "(int) -> bool",
      "isVIP(text) -> bool", "f(int) -> bool -> bool", "",
    ])
  func wrongSignatures(_ text: String) {
    #expect(throws: FilterEnvironment.FunctionError.self) {
      _ = try FilterEnvironment(functions: [text: { _, _ in .null }])
    }
  }

  @Test(
    "a call takes the overload of its arguments' kinds, in both dialects",
    arguments: [
      ("isVIP(user.id)", "true"), ("isVIP(user.age)", "true"), ("isVIP(8)", "false"),
      ("isVIP(user.id) && isVIP(user.age)", "true"), ("user.plan.tier() == 'gold'", "true"),
      ("{}.tier()", #""none""#), ("[1, 7].exists(n, isVIP(n))", "true"), ("state()", "-1"),
      ("isVIP(1.5)", "E0505"), ("isVIP()", "E0505"), ("isVIP('a', 'b')", "E0505"),
      ("fails()", "E0514"), ("lies()", "E0514"), ("fails() || true", ""),
    ])
  func calls(text: String, expected: String) throws {
    for dialect in [Dialect.Name.superscript, .cel] {
      // In cel a failure beside `true` does not count.
      let expected = expected.isEmpty ? (dialect == .cel ? "true" : "E0514") : expected
      #expect(try outcome(text, dialect) == expected, "\(dialect)")
    }
  }

  @Test("a function reads the host's state of the context")
  func hostState() throws {
    for dialect in [Dialect.Name.superscript, .cel] {
      let filter = try Filter("state()", environment: environment(dialect))
      let context = Context().replacing(hostState: Int64(12))
      #expect(try filter.evaluate(context) == .int(12))
    }
  }

  @Test(
    "in superscript a function changes nothing but calls of an unknown function",
    arguments: [
      // An attribute of its name, and `hasFn`.
      ("user.isVIP", "3"), ("user.isVIP == 3", "true"), ("has(user.isVIP)", "true"),
      ("user.tier", "null"), (#"hasFn("isVIP")"#, "false"), (#"hasFn("device.isVIP")"#, "false"),
      // A call that the reference takes for one of the device, or of another style.
      ("device.isVIP(1) == 0", "true"), ("computed.isVIP(7)", "null"), ("user.isVIP(7)", "null"),
      ("tier(user.plan)", "null"), ("isVIPs(1)", "null"), ("isVIP", "null"),
    ])
  func onlyUnknownCalls(text: String, expected: String) throws {
    #expect(try outcome(text, .superscript) == expected)
    let plain = try Filter(text)
    #expect(try plain.evaluate(Self.user).literal == expected)
  }

  @Test("in superscript the value of a function is read like one of the host")
  func normalized() throws {
    var environment = FilterEnvironment.standard
    try environment.add(
      Function("flag", .init(parameters: [], result: "string")) { _, _ in .string("true") })
    #expect(try Filter("flag()", environment: environment).evaluate(Context()) == .bool(true))
  }

  @Test("failing arguments fail as they do elsewhere")
  func failingArguments() throws {
    #expect(try outcome("isVIP(ghost)", .superscript) == "null")
    #expect(try outcome("isVIP(user.gone)", .superscript) == "E0505")
    #expect(try outcome("isVIP(1 / 0)", .superscript) == "E0501")
    #expect(try outcome("isVIP(user.gone)", .cel) == "E0511")
    #expect(try outcome("isVIP(1 / 0)", .cel) == "E0501")
  }

  @Test(
    "a function that the dialect has, or that cannot be called, is refused",
    arguments: [
      ("size", ["string"], "int", "has a function of that name"),
      ("exists_one", ["string"], "int", "has a function of that name"),
      ("maybe", [], "int", "the superscript dialect has a function of that name"),
      ("days", [], "int", "`device` or `computed` has a function of that name"),
      ("is VIP", [], "bool", "it is not a name that filters can call"),
      ("in", [], "bool", "it is not a name that filters can call"),
      ("", [], "bool", "it is not a name that filters can call"),
      ("f", ["strin"], "bool", "`strin` is not a type"),
      ("f", ["list(strin)"], "bool", "`list(strin)` is not a type"),
      ("f", ["list(int"], "bool", "`list(int` is not a type"),
      ("f", ["map(int)"], "bool", "`map(int)` is not a type"), ("f", [], "", "`` is not a type"),
      ("known", ["list(int)"], "bool", "a call cannot tell `known(list(int)) -> bool` from"),
    ])
  func refusals(name: String, parameters: [String], result: String, message: String) throws {
    var environment = FilterEnvironment(deviceFunctions: ["days": { _, _ in .int(1) }])
    try environment.add(
      Function("known", .init(parameters: ["list(string)"], result: "bool")) { _, _ in true })
    do {
      try environment.add(
        Function(name, .init(parameters: parameters, result: result)) { _, _ in true })
      Issue.record("the function was added")
    } catch {
      #expect(error.description.hasPrefix("cannot add the function `\(name)`: "))
      #expect(error.message.contains(message), "\(error)")
    }
    #expect(environment.functions.map(\.signature) == ["known(list(string)) -> bool"])
  }

  @Test("cel refuses its own functions, and takes one that only superscript has")
  func refusalsOfCEL() throws {
    var environment = FilterEnvironment.cel
    #expect(throws: FilterEnvironment.FunctionError.self) {
      try environment.add(Function("all", .init(parameters: [], result: "bool")) { _, _ in true })
    }
    try environment.add(Function("maybe", .init(parameters: [], result: "bool")) { _, _ in true })
    #expect(try Filter("maybe()", environment: environment).evaluate(Context()) == true)
    // The dialect's own function comes first where the dialect was changed since.
    environment.dialect = .superscript
    #expect(try Filter("maybe(1, 2, 3)", environment: environment).evaluate(Context()) == .int(2))
  }

  @Test("a set evaluates filters with such calls, and only where the rest is true")
  func sets() throws {
    for dialect in [Dialect.Name.superscript, .cel] {
      let calls = CallCounter()
      let environment = try environment(dialect, counting: calls)
      let texts =
        (0..<100).map { "user.age == \($0) && isVIP(user.id)" } + [
          "isVIP(user.id)", "isVIP('bob')",
        ]
      let set = try FilterSet(texts: texts, environment: environment)
      let filters = try texts.map { try Filter($0, environment: environment) }
      #expect(set.matches(Self.user) == filters.map { $0.matches(Self.user) })
      #expect(set.matches(Self.user).indices.filter { set.matches(Self.user)[$0] } == [7, 100])
    }
  }

  @Test("a filter says which functions it calls")
  func requirements() throws {
    for dialect in [Dialect.Name.superscript, .cel] {
      let filter = try Filter(
        "isVIP('ann') && isVIP(user.id)", environment: environment(dialect))
      let calls = filter.requirements.hostCalls
      #expect(calls.map(\.name) == ["isVIP", "isVIP"])
      #expect(calls.map(\.table) == ["", ""])
      #expect(calls.map(\.arguments) == [[.string("ann")], nil])
    }
  }
}
