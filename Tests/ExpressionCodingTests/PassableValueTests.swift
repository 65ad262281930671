import ExpressionCoding
import TestSupport
import Testing

@testable import ExpressionEngine

@Suite("Tagged JSON")
struct PassableValueTests {
  @Test(
    "everything the reference accepts is read",
    arguments: [
      (#"{"type":"int","value":5}"#, Value.int(5)),
      (#"{"value":5,"type":"int"}"#, .int(5)),
      (#"{"x":{"type":"y"},"value":5,"more":[1],"type":"int","z":null}"#, .int(5)),
      (#"["int",5]"#, .int(5)), (#"["Null",null]"#, .null),
      (#"{"type":"Null"}"#, .null), (#"{"type":"Null","value":null}"#, .null),
      (#"{"value":null,"type":"Null"}"#, .null),
      (#"{"type":"uint","value":18446744073709551615}"#, .uint(.max)),
      (#"{"type":"float","value":5}"#, .double(5)),
      (#"{"type":"float","value":1e2}"#, .double(100)),
      (#"{"type":"float","value":18446744073709551615}"#, .double(18_446_744_073_709_551_616)),
      (#"{"type":"float","value":-0}"#, .double(-0.0)),
      (#"{"type":"timestamp","value":5}"#, .int(5)),
      (#"{"type":"bytes","value":[0,255]}"#, .bytes([0, 255])),
      (#"{"type":"string","value":"é\n"}"#, "é\n"), (#"{"type":"bool","value":true}"#, true),
      (#"{"type":"list","value":[{"type":"int","value":1},["bool",false]]}"#, [1, false]),
      (#"{"type":"map","value":{"a":{"type":"Null"},"a":{"type":"int","value":2}}}"#, ["a": 2]),
      (#"{"value":{"a":{"value":[["int",1]],"type":"list"}},"type":"map"}"#, ["a": [1]]),
      (#"{"type":"function","value":["f",null]}"#, .function(name: "f", receiver: nil)),
      (
        #"{"type":"function","value":["f",{"type":"int","value":1}]}"#,
        .function(name: "f", receiver: 1)
      ),
      (#" [ "list" , [ ] ] "#, []),
    ] as [(String, Value)])
  func accepts(text: String, value: Value) throws {
    #expect(try PassableValue.read(text) == value)
  }

  @Test(
    "everything else is refused",
    arguments: [
      "", "5", "null", "\"int\"", "[]", "{}", #"["int"]"#, #"["int",5,6]"#, #"["Null"]"#,
      #"{"type":"int"}"#, #"{"value":5}"#, #"{"type":"null"}"#, #"{"type":"Int","value":5}"#,
      #"{"type":5,"value":5}"#, #"{"type":"int","value":5.0}"#, #"{"type":"int","value":1e2}"#,
      #"{"type":"int","value":"5"}"#, #"{"type":"int","value":9223372036854775808}"#,
      #"{"type":"int","value":-0}"#, #"{"type":"uint","value":-1}"#, #"{"type":"uint","value":-0}"#,
      #"{"type":"uint","value":18446744073709551616}"#, #"{"type":"float","value":"1"}"#,
      #"{"type":"float","value":1e400}"#, #"{"type":"float","value":null}"#,
      #"{"type":"bool","value":1}"#, #"{"type":"bool","value":"true"}"#,
      #"{"type":"string","value":5}"#, #"{"type":"string","value":null}"#, #"{"type":"string"}"#,
      #"{"type":"bytes","value":[256]}"#, #"{"type":"bytes","value":[-1]}"#,
      #"{"type":"bytes","value":[1.0]}"#, #"{"type":"bytes","value":"YQ=="}"#,
      #"{"type":"list","value":[1]}"#, #"{"type":"list","value":{}}"#,
      #"{"type":"map","value":[]}"#, #"{"type":"map","value":{"a":1}}"#,
      #"{"type":"timestamp","value":5.5}"#, #"{"type":"Null","value":0}"#,
      #"{"type":"function","value":["f"]}"#, #"{"type":"function","value":["f",null,1]}"#,
      #"{"type":"function","value":[null,null]}"#, #"{"type":"function","value":"f"}"#,
      #"{"type":"int","type":"int","value":5}"#, #"{"type":"int","value":5,"value":5}"#,
      #"{"type":"int","value":5,"type":"int"}"#, #"{"value":5,"value":5,"type":"int"}"#,
      #"{"value":1e400,"type":"Null"}"#, #"{"type":"int","value":5} x"#,
      #"{"value":}"#, #"{"type":"duration","value":5}"#,
    ])
  func refuses(text: String) {
    #expect(throws: JSONError.self) { try PassableValue.read(text) }
  }

  @Test("writing gives what the reference reports")
  func writing() {
    let cases: [(Value, String)] = [
      (.int(5), #"{"type":"int","value":5}"#), (.uint(5), #"{"type":"uint","value":5}"#),
      (.double(5), #"{"type":"float","value":5.0}"#),
      (.double(1e21), #"{"type":"float","value":1e21}"#),
      (.double(.nan), #"{"type":"float","value":null}"#),
      (.double(-.infinity), #"{"type":"float","value":null}"#), (.null, #"{"type":"Null"}"#),
      (.duration(.init(seconds: 1)), #"{"type":"Null"}"#),
      (
        .timestamp(.init(seconds: -1, nanoseconds: 500_000_000)),
        #"{"type":"timestamp","value":-1}"#
      ),
      (.bytes([104, 105]), #"{"type":"bytes","value":[104,105]}"#),
      (
        .map([.int(1): "x", .bool(true): .null, .uint(3): true]),
        #"{"type":"map","value":{"1":{"type":"string","value":"x"},"3":{"type":"bool","value":true},"true":{"type":"Null"}}}"#
      ),
      (
        [.function(name: "size", receiver: nil), .function(name: "f", receiver: 1)],
        #"{"type":"list","value":[{"type":"function","value":["size",null]},{"type":"function","value":["f",{"type":"int","value":1}]}]}"#
      ),
    ]
    for (value, text) in cases { #expect(PassableValue.text(value) == text) }
  }

  @Test("what is written reads back as the same value")
  func roundTrip() throws {
    var generator = SeededGenerator(seed: 5)
    for _ in 0..<2_000 {
      let value = Value.random(.passable, depth: 4, using: &generator)
      #expect(try PassableValue.read(PassableValue.text(value)) == value)
    }
  }

  /// A definition whose variable `a` is `inner` inside `depth` lists.
  static func definition(listDepth depth: Int, inner: String) -> String {
    #"{"variables": {"map": {"a": "#
      + String(repeating: #"{"type": "list", "value": ["#, count: depth) + inner
      + String(repeating: "]}", count: depth) + #"}}, "expression": "1"}"#
  }

  @Test("61 lists around an int are read, 62 are refused where the reference refuses them")
  func recursionLimit() throws {
    let int = #"{"type": "int", "value": 1}"#
    #expect(throws: Never.self) {
      try EvaluationDefinition(json: Self.definition(listDepth: 61, inner: int))
    }
    for depth in [62, 63, 64, 70, 130] {
      let error = #expect(throws: JSONError.self) {
        try EvaluationDefinition(json: Self.definition(listDepth: depth, inner: int))
      }
      #expect(error?.kind == .tooDeep)
      #expect(error?.column == 1703)
    }
    // An empty list takes one level less than a list with an element.
    #expect(throws: Never.self) {
      try EvaluationDefinition(json: Self.definition(listDepth: 62, inner: ""))
    }
  }

  @Test("an ignored member may be as deep as it likes")
  func ignoredDepth() throws {
    let deep = String(repeating: "[", count: 4000) + String(repeating: "]", count: 4000)
    let text = #"{"more": \#(deep), "variables":{"x":\#(deep),"map":{}},"expression":"1"}"#
    #expect(try EvaluationDefinition(json: text).expression == "1")
  }
}

@Suite("EvaluationDefinition")
struct EvaluationDefinitionTests {
  @Test("members, optional tables and both forms are read")
  func accepts() throws {
    let definition = try EvaluationDefinition(
      json: #"""
        {"device":{"daysSince":[{"type":"string","value":"event_name"}],"none":[]},"x":1,
         "expression":"user.age > 18","computed":null,
         "variables":{"map":{"user":{"type":"map","value":{"age":{"type":"int","value":25}}}}}}
        """#)
    #expect(definition.expression == "user.age > 18")
    #expect(definition.variables == ["user": ["age": 25]])
    #expect(definition.device == ["daysSince": ["event_name"], "none": []])
    #expect(definition.computed == nil)
    let sequence = try EvaluationDefinition(
      json: #"[[{"a":["int",1]}],"a",null,{"f":[]}]"#)
    #expect(sequence.variables == ["a": 1])
    #expect(sequence.device == ["f": []])
  }

  @Test(
    "other shapes are refused",
    arguments: [
      "", "nonsense", "null", "[]", "{}", #"{"expression":"1"}"#, #"{"variables":{"map":{}}}"#,
      #"{"variables":{},"expression":"1"}"#, #"{"variables":{"map":{}},"expression":null}"#,
      #"{"variables":{"map":{}},"expression":"1","device":[]}"#,
      #"{"variables":{"map":{}},"expression":"1","device":{"f":null}}"#,
      #"{"variables":{"map":{}},"expression":"1","expression":"1"}"#,
      #"{"variables":{"map":{},"map":{}},"expression":"1"}"#,
      #"{"variables":{"map":{}},"expression":"1"} x"#,
      #"{"variables":{"map":{}},"expression":"\ud800"}"#,
      #"[[{}],"a",null]"#, #"[[{}],"a",null,null,null]"#,
    ])
  func refuses(text: String) {
    #expect(throws: JSONError.self) { try EvaluationDefinition(json: text) }
  }
}
