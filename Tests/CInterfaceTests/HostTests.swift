import CSwexpr
import ExpressionEngine
import Testing

@Suite("Host functions of the C interface")
struct HostTests {
  private static let options = #"{"device": {"f": []}, "computed": {"g": []}}"#

  /// Evaluates a text in an environment of a host.
  private func evaluate(
    _ text: String, _ options: String = options,
    _ answer: @escaping TestHost.Answer
  ) throws -> String {
    try TestHost(answer).withEnvironment(options) { try Calls.evaluate(text, "{}", $0) }
  }

  @Test("a function gets its name and arguments, and replies with a value")
  func values() throws {
    let result = try evaluate(#"[device.f("a", 1, [true]), computed.g()]"#) {
      name, arguments, reply in
      let text = #"{"name": "\#(name)", "arguments": \#(arguments)}"#
      #expect(swexpr_reply_value(reply, text, text.utf8.count))
    }
    #expect(
      result
        == #"[{"arguments":["a",1,[true]],"name":"device.f"},{"arguments":[],"name":"computed.g"}]"#
    )
  }

  @Test("values are tagged where the environment says so")
  func tagged() throws {
    let options = #"{"device": {"f": []}, "values": "tagged"}"#
    let result = try evaluate("device.f(1)", options) { _, arguments, reply in
      #expect(arguments == #"[{"type":"int","value":1}]"#)
      #expect(swexpr_reply_value(reply, #"{"type": "uint", "value": 7}"#, -1))
    }
    #expect(result == "7")
    #expect(throws: CError.self) {
      try evaluate("device.f()", options) { _, _, reply in
        #expect(!swexpr_reply_value(reply, "7", 1))
      }
    }
  }

  @Test("without a reply the result is null, and the last of several replies counts")
  func replies() throws {
    #expect(try evaluate("device.f()") { _, _, _ in } == "null")
    let last = try evaluate("device.f()") { _, _, reply in
      #expect(!swexpr_reply_value(reply, "nonsense", -1))
      #expect(swexpr_reply_error(reply, "no", -1))
      #expect(swexpr_reply_value(reply, "5", -1))
    }
    #expect(last == "5")
  }

  @Test("a failure, and a reply that is no value, fail the evaluation and say why")
  func failures() throws {
    let answers: [(String, TestHost.Answer)] = [
      (
        "the clock is broken",
        { _, _, reply in
          #expect(swexpr_reply_error(reply, "the clock is broken", -1))
        }
      ),
      ("no value", { _, _, reply in #expect(!swexpr_reply_value(reply, "{", 1)) }),
      ("`value` is NULL", { _, _, reply in #expect(!swexpr_reply_value(reply, nil, 1)) }),
      ("`message` is NULL", { _, _, reply in #expect(!swexpr_reply_error(reply, nil, 1)) }),
      (
        "not UTF-8",
        { _, _, reply in
          let bytes: [CChar] = [-1]
          #expect(!swexpr_reply_value(reply, bytes, 1))
        }
      ),
    ]
    for (wanted, answer) in answers {
      do {
        let result = try evaluate("device.f()", Self.options, answer)
        Issue.record("\(wanted): \(result)")
      } catch let error as CError {
        #expect(error.description.contains(wanted))
      }
    }
  }

  @Test("a host function may use the library itself")
  func nested() throws {
    let result = try evaluate("device.f(20) + 2") { _, arguments, reply in
      let inner = try? Calls.evaluate("params.list[0] * 2", #"{"params": {"list": \#(arguments)}}"#)
      #expect(swexpr_reply_value(reply, inner ?? "", -1))
    }
    #expect(result == "42")
  }

  @Test("an environment may be freed before its filters; the data are released once, after them")
  func lifetime() throws {
    let host = TestHost { _, _, reply in swexpr_reply_value(reply, "true", 4) }
    let options = #"{"device": {"f": []}}"#
    let environment = swexpr_environment_create(
      options, -1, TestHost.function, host.data, TestHost.release, nil)
    let filter = swexpr_filter_create("device.f()", -1, environment, nil)
    let set = Calls.withStrings(["false", "device.f()"]) {
      swexpr_set_create($0, nil, 2, environment, nil)
    }
    swexpr_environment_free(environment)
    try Calls.withContext("{}") { context in
      #expect(swexpr_filter_matches(filter, context, nil))
      swexpr_filter_free(filter)
      #expect(host.releases.withLock { $0 } == 0)
      #expect(swexpr_set_first_match(set, context, nil) == 1)
    }
    swexpr_set_free(set)
    #expect(host.releases.withLock { $0 } == 1)
    #expect(host.calls.withLock { $0 } >= 2)
  }

  @Test("the data are released as well when there is no environment")
  func failedCreation() {
    let host = TestHost { _, _, _ in }
    for options in ["{", #"{"steps": 0}"#] {
      #expect(throws: CError.self) { try host.withEnvironment(options) { _ in } }
    }
    #expect(host.releases.withLock { $0 } == 2)
  }

  @Test("the reference's functions call the host, with tagged values")
  func reference() {
    let host = TestHost { name, arguments, reply in
      switch name {
      case "device.twice" where arguments == #"[{"type":"int","value":20}]"#:
        swexpr_reply_value(reply, #"{"type":"int","value":40}"#, -1)
      case "computed.fails": swexpr_reply_error(reply, "no", -1)
      default: swexpr_reply_value(reply, "nonsense", -1)
      }
    }
    func evaluate(_ text: String, _ function: swexpr_host?) -> String? {
      let definition =
        #"{"variables":{"map":{}},"device":{"twice":[]},"computed":{"fails":[]},"expression":"\#(text)"}"#
      return Calls.take(swexpr_reference_evaluate_with_context(definition, -1, function, host.data))
    }
    #expect(evaluate("device.twice(20)", TestHost.function) == #"{"Ok":{"type":"int","value":40}}"#)
    #expect(evaluate("device.twice(3)", TestHost.function) == #"{"Ok":{"type":"Null"}}"#)
    #expect(evaluate("computed.fails()", TestHost.function) == #"{"Ok":{"type":"Null"}}"#)
    #expect(evaluate("device.twice(20)", nil) == #"{"Ok":{"type":"Null"}}"#)
    let tree = Calls.take(swexpr_reference_parse_to_ast("device.twice(20) + 1", -1)) ?? ""
    let definition =
      #"{"variables":{"map":{}},"device":{"twice":[]},"computed":null,"expression":\#(tree)}"#
    #expect(
      Calls.take(
        swexpr_reference_evaluate_ast_with_context(definition, -1, TestHost.function, host.data))
        == #"{"Ok":{"type":"int","value":41}}"#)
    let sum = Calls.take(swexpr_reference_parse_to_ast("1 + 2", -1)) ?? ""
    #expect(
      Calls.take(swexpr_reference_evaluate_ast(sum, -1)) == #"{"Ok":{"type":"int","value":3}}"#)
    // The pointer to the host keeps nothing alive.
    withExtendedLifetime(host) {}
  }
}
