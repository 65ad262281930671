import ExpressionEngine
import ExpressionSyntax
import Testing

@Suite("Names of the cel dialect") struct CELNameTests {
  /// Answers in a container.
  private func answer(
    _ expression: String, container: String, _ variables: [String: Value] = [:],
    declarations: [FilterEnvironment.Declaration] = []
  ) -> String {
    var environment = FilterEnvironment.cel
    environment.container = container
    environment.declarations = declarations
    return ExpressionEngineTests.answer(expression, variables, in: environment)
  }

  @Test("the longest variable wins, and the rest are fields")
  func dotted() {
    let variables: [String: Value] = [
      "a.b.c": 1, "a.b": ["c": 2, "d": 3], "a": ["b": ["e": 4], "f": 5], "x.y": true,
    ]
    for (expression, wanted) in [
      ("a.b.c", "1"), ("a.b.d", "3"), ("a.f", "5"), ("x.y", "true"), ("a.b.e", "E0511"),
      ("x", "E0301"), ("x.z", "E0301"), ("x.y.z", "E0511"), ("a.`b`.e", "4"), ("a.g", "E0511"),
      ("has(a.b.d)", "true"), ("has(a.b.c)", "true"), ("has(a.f)", "true"), ("[a.b.c]", "[1]"),
    ] {
      #expect(answer(expression, container: "", variables) == wanted, "\(expression)")
    }
  }

  @Test("a container's scopes are tried from the inside out")
  func containers() {
    let variables: [String: Value] = [
      "com.ex.y": "inner", "com.y": "middle", "y": "outer", "com.z": "middle", "w": "outer",
      "com.ex.p.q": 1, "p": ["q": 2, "r": 3],
    ]
    for (expression, wanted) in [
      ("y", "\"inner\""), (".y", "\"outer\""), ("z", "\"middle\""), ("w", "\"outer\""),
      ("com.y", "\"middle\""), (".com.ex.y", "\"inner\""), ("p.q", "1"), ("p.r", "3"),
      (".p.q", "2"),
      ("['e'].map(y, y)[0]", "\"e\""), ("['e'].map(y, .y)[0]", "\"outer\""),
      ("[{'q': 7}].map(p, p.q)[0]", "7"), ("cel.bind(y, 0, y)", "0"), ("int", "int"),
      ("unknown", "E0301"),
    ] {
      #expect(answer(expression, container: "com.ex", variables) == wanted, "\(expression)")
    }
    // Functions are looked up in the same scopes.
    #expect(answer("abs(-1)", container: "math") == "1")
    #expect(answer(".abs(-1)", container: "math") == "E0401")
  }

  @Test("a declaration settles what a dotted name means")
  func declarations() {
    let variables: [String: Value] = ["a": ["b": 1], "a.b": 2]
    #expect(answer("a.b", container: "", variables) == "2")
    #expect(
      answer(
        "a.b", container: "", variables,
        declarations: [.variable(name: "a", type: "map(string, int)")]) == "1")
    #expect(
      answer(
        "a.b", container: "", ["a": ["b": 1]], declarations: [.variable(name: "a.b", type: "int")])
        == "E0301")
  }

  @Test("types are values, variables of their names come first")
  func types() {
    #expect(answer("type(1) == int", container: "") == "true")
    #expect(answer("google.protobuf.Timestamp", container: "") == "google.protobuf.Timestamp")
    #expect(answer("google.protobuf.Timestamp == type(timestamp(0))", container: "") == "true")
    #expect(answer("Timestamp", container: "google.protobuf") == "google.protobuf.Timestamp")
    #expect(answer("int", container: "", ["int": 5]) == "5")
    #expect(answer("dyn", container: "") == "E0301")
    #expect(answer("google.protobuf", container: "") == "E0301")
  }

  @Test("the layers of a context are variables like others")
  func layers() {
    let variables: [String: Value] = [
      "user": ["age": 25, "address": ["city": "Lund"]], "device.os": "iOS", "params.x.y": 1,
    ]
    for (expression, wanted) in [
      ("user.age >= 18", "true"), ("user.address.city", "\"Lund\""), ("user.name", "E0511"),
      ("has(user.age)", "true"), ("has(user.name)", "false"), ("has(user.address.city)", "true"),
      ("device.os == 'iOS'", "true"), ("device.os", "\"iOS\""), ("params.x.y", "1"),
      ("params", "E0301"), ("user", "{\"address\": {\"city\": \"Lund\"}, \"age\": 25}"),
      ("has(device.os)", "true"), ("[{'age': 1}].map(user, user.age)", "[1]"),
      ("user[\"age\"]", "25"),
      ("user.?name.orValue('none')", "\"none\""), ("device.name", "E0301"),
    ] {
      #expect(answer(expression, container: "", variables) == wanted, "\(expression)")
    }
  }

  @Test("host functions are called, and macros can be switched off")
  func hostFunctions() throws {
    var environment = FilterEnvironment.cel
    environment.deviceFunctions["double"] = { arguments, _ in
      guard case .int(let number)? = arguments.first else { return .null }
      return .int(number * 2)
    }
    #expect(ExpressionEngineTests.answer("device.double(4) + 1", in: environment) == "9")
    #expect(
      ExpressionEngineTests.answer("device.double(1 / 0) == 1 || true", in: environment) == "true")
    let filter = try Filter(SourceText("device.double(x) > 0"), environment: environment)
    #expect(filter.requirements.hostCalls.count == 1)
    #expect(filter.requirements.attributes.map(\.path) == ["x"])
    environment.expandsMacros = false
    #expect(ExpressionEngineTests.answer("[1].all(x, x > 0)", in: environment) == "E0401")
    #expect(ExpressionEngineTests.answer("optional.none().orValue(3)", in: environment) == "3")
  }
}
