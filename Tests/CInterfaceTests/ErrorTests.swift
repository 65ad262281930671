import CSwexpr
import Testing

@Suite("Errors of the C interface")
struct ErrorTests {
  /// `{"` and an octet that UTF-8 does not have.
  private static let invalid: [CChar] = [0x7B, 0x22, -1, 0]

  /// Expects that a call fails with a message that contains `wanted`, and that it needs no place
  /// for it.
  private func fails<Result: Equatable>(
    _ wanted: String, returning failure: Result, _ call: (Calls.Place?) -> Result,
    at location: Testing.SourceLocation = #_sourceLocation
  ) {
    var error: UnsafeMutablePointer<CChar>?
    #expect(call(&error) == failure, sourceLocation: location)
    let message = Calls.take(error)
    #expect(message?.contains(wanted) == true, "\(message ?? "no error")", sourceLocation: location)
    #expect(call(nil) == failure, sourceLocation: location)
  }

  private let none: OpaquePointer? = nil
  private let noText: UnsafeMutablePointer<CChar>? = nil
  private let plain = swexpr_format(SWEXPR_PLAIN)
  private let literal = swexpr_format(SWEXPR_LITERAL)

  @Test("texts: NULL, a length that is none, invalid UTF-8, no filter")
  func texts() {
    fails("`text` is NULL", returning: none) { swexpr_filter_create(nil, 3, nil, $0) }
    fails("length of `text`", returning: none) { swexpr_filter_create("true", -2, nil, $0) }
    fails("byte 2 is invalid", returning: none) {
      swexpr_filter_create(Self.invalid, -1, nil, $0)
    }
    fails("E0", returning: none) { swexpr_filter_create("user.age >=", -1, nil, $0) }
    fails("`text` is NULL", returning: noText) { swexpr_check(nil, 0, nil, nil, 0, $0) }
    fails("`schema` is not UTF-8", returning: noText) {
      swexpr_check("true", -1, nil, Self.invalid, 3, $0)
    }
    fails("not JSON", returning: noText) { swexpr_check("true", -1, nil, "{", 1, $0) }
  }

  @Test("contexts: NULL, malformed JSON, other shapes, constants that do not exist")
  func contexts() throws {
    let tagged = swexpr_format(SWEXPR_TAGGED)
    fails("`json` is NULL", returning: none) { swexpr_context_create(plain, nil, 0, $0) }
    fails("line 1", returning: none) { swexpr_context_create(plain, #"{"a": "#, -1, $0) }
    fails("object", returning: none) { swexpr_context_create(plain, "[]", -1, $0) }
    fails("UTF-8", returning: none) { swexpr_context_create(plain, Self.invalid, -1, $0) }
    fails("UTF-8", returning: none) { swexpr_context_create(tagged, Self.invalid, -1, $0) }
    fails("type", returning: none) { swexpr_context_create(tagged, #"{"a": 5}"#, -1, $0) }
    fails("LITERAL", returning: none) { swexpr_context_create(literal, "{}", -1, $0) }
    fails("77 is not a `swexpr_format`", returning: none) {
      swexpr_context_create(77, "{}", -1, $0)
    }
    let deep = String(repeating: "[", count: 100_000)
    fails("line 1", returning: none) { swexpr_context_create(plain, #"{"a":"# + deep, -1, $0) }

    fails("`context` is NULL", returning: none) {
      swexpr_context_replacing(nil, 0, plain, "{}", -1, $0)
    }
    try Calls.withContext("{}") { context in
      fails("9 is not a `swexpr_layer`", returning: none) {
        swexpr_context_replacing(context, 9, plain, "{}", -1, $0)
      }
      fails("LITERAL", returning: none) {
        swexpr_context_replacing(context, 0, literal, "{}", -1, $0)
      }
      fails("object", returning: none) { swexpr_context_replacing(context, 0, plain, "5", -1, $0) }
    }
  }

  @Test("filters: NULL, an evaluation that fails")
  func filters() throws {
    try Calls.withFilter("1 / user.n") { filter in
      try Calls.withContext(#"{"user": {"n": 0}}"#) { context in
        fails("`filter` is NULL", returning: false) { swexpr_filter_matches(nil, context, $0) }
        fails("`context` is NULL", returning: false) { swexpr_filter_matches(filter, nil, $0) }
        fails("`filter` is NULL", returning: noText) {
          swexpr_filter_evaluate(nil, context, plain, $0)
        }
        fails("`context` is NULL", returning: noText) {
          swexpr_filter_evaluate(filter, nil, plain, $0)
        }
        fails("77 is not", returning: noText) { swexpr_filter_evaluate(filter, context, 77, $0) }
        fails("E0501", returning: noText) { swexpr_filter_evaluate(filter, context, plain, $0) }
        fails("`filter` is NULL", returning: noText) { swexpr_filter_explain(nil, context, $0) }
        fails("`context` is NULL", returning: noText) { swexpr_filter_explain(filter, nil, $0) }
      }
    }
  }

  @Test("sets: NULL, counts that are none, a text among them that is no filter")
  func sets() throws {
    fails("`texts` is NULL", returning: none) { swexpr_set_create(nil, nil, 1, nil, $0) }
    fails("`count` is out of range", returning: none) { swexpr_set_create(nil, nil, -1, nil, $0) }
    fails("filter 0: `texts` is NULL", returning: none) {
      swexpr_set_create([nil], nil, 1, nil, $0)
    }
    Calls.withStrings(["true", "user."]) { strings in
      fails("E0", returning: none) { swexpr_set_create(strings, nil, 2, nil, $0) }
      fails("filter 1: the length", returning: none) {
        swexpr_set_create(strings, [4, -9], 2, nil, $0)
      }
    }
    #expect(swexpr_set_count(nil) == 0)
    try Calls.withSet(["true"]) { set in
      try Calls.withContext("{}") { context in
        fails("`set` is NULL", returning: -1) { swexpr_set_first_match(nil, context, $0) }
        fails("`context` is NULL", returning: -1) { swexpr_set_first_match(set, nil, $0) }
        fails("`set` is NULL", returning: -1) { swexpr_set_matches(nil, context, nil, 0, $0) }
        fails("`context` is NULL", returning: -1) { swexpr_set_matches(set, nil, nil, 0, $0) }
        fails("`indices` is NULL", returning: -1) { swexpr_set_matches(set, context, nil, 1, $0) }
        fails("`capacity`", returning: -1) { swexpr_set_matches(set, context, nil, -1, $0) }
        fails("`set` is NULL", returning: noText) { swexpr_set_evaluate(nil, context, plain, $0) }
        fails("`context` is NULL", returning: noText) { swexpr_set_evaluate(set, nil, plain, $0) }
        fails("LITERAL", returning: noText) { swexpr_set_evaluate(set, context, literal, $0) }
        fails("77 is not", returning: noText) { swexpr_set_evaluate(set, context, 77, $0) }
      }
    }
  }

  @Test(
    "options that cannot be used",
    arguments: [
      ("", "line 1"), ("5", "not a JSON object"), (#"{"dialekt": "cel"}"#, "no option `dialekt`"),
      (#"{"dialect": "lua"}"#, "no dialect `lua`"), (#"{"dialect": 1}"#, "must be a string"),
      (#"{"container": []}"#, "must be a string"), (#"{"values": "xml"}"#, "not `xml`"),
      (#"{"device": ["f"]}"#, "must be an object"),
      (#"{"computed": {"f": 1}}"#, "must be an array"),
      (#"{"device": {"f\u0000": []}}"#, "NUL"), (#"{"steps": 0}"#, "from 1 to"),
      (#"{"steps": 1000000001}"#, "from 1 to"), (#"{"memory": -1}"#, "from 1 to"),
      (#"{"memory": 1.5}"#, "from 1 to"), (#"{"sourceLength": 3000000}"#, "from 1 to"),
      (#"{"nesting": 431}"#, "from 1 to 430"), (#"{"nesting": "x"}"#, "from 1 to"),
      (#"{"steps": 5, "steps": 6}"#, "occurs twice"), (#"{"device": {"f": []}}"#, "`host` is NULL"),
    ])
  func options(_ options: String, _ wanted: String) {
    fails(wanted, returning: none) {
      swexpr_environment_create(options, -1, nil, nil, nil, $0)
    }
  }

  @Test("NULL is freed without effect, and replies to nothing are refused")
  func null() {
    swexpr_string_free(nil)
    swexpr_environment_free(nil)
    swexpr_filter_free(nil)
    swexpr_context_free(nil)
    swexpr_set_free(nil)
    #expect(!swexpr_reply_value(nil, "1", 1))
    #expect(!swexpr_reply_error(nil, "no", 2))
    fails("`options` is NULL", returning: none) {
      swexpr_environment_create(nil, 0, nil, nil, nil, $0)
    }
  }

  @Test("the reference's functions report arguments as they report everything")
  func reference() {
    let answers = [
      swexpr_reference_evaluate_with_context(nil, 0, nil, nil),
      swexpr_reference_evaluate_with_context(Self.invalid, 3, nil, nil),
      swexpr_reference_evaluate_with_context("{", 1, nil, nil),
      swexpr_reference_evaluate_ast_with_context(nil, 0, nil, nil),
      swexpr_reference_evaluate_ast_with_context("[]", -1, nil, nil),
      swexpr_reference_evaluate_ast(nil, 0), swexpr_reference_evaluate_ast("x", -5),
      swexpr_reference_parse_to_ast(nil, 0), swexpr_reference_parse_to_ast("1 +", -1),
    ]
    for answer in answers {
      #expect(Calls.take(answer)?.hasPrefix(#"{"Err":""#) == true)
    }
  }
}
