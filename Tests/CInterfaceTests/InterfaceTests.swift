import CSwexpr
import FilterCorpus
import TestSupport
import Testing

@Suite("The functions of swexpr.h")
struct InterfaceTests {
  @Test("the version is that of the changelog, and the ABI that of the header")
  func versions() throws {
    #expect(swexpr_abi_version() == UInt32(SWEXPR_ABI_VERSION))
    let changelog = try TextFile.read(TestFiles.path("CHANGELOG.md"))
    let newest = changelog.split(separator: "\n").first {
      $0.hasPrefix("## ") && $0.dropFirst(3).first?.isNumber == true
    }
    let version = try #require(newest?.dropFirst(3).prefix { $0 != " " })
    #expect(String(cString: try #require(swexpr_version())) == version)
  }

  @Test("a filter has its value in every form")
  func forms() throws {
    let json = #"{"user": {"age": 25, "tags": ["a"]}}"#
    #expect(try Calls.evaluate("user.age + 1", json) == "26")
    #expect(
      try Calls.evaluate("user.age + 1", json, format: SWEXPR_TAGGED)
        == #"{"type":"int","value":26}"#)
    #expect(try Calls.evaluate("b'a'", json, format: SWEXPR_LITERAL) == #"b"a""#)
    #expect(try Calls.evaluate("user", json) == #"{"age":25,"tags":["a"]}"#)
    #expect(try Calls.evaluate(#""ü\u0000""#, json) == #""ü\u0000""#)
  }

  @Test("a text may end with NUL or have a length")
  func lengths() throws {
    for (text, length, wanted) in [("1 + 1", -1, "2"), ("17 no filter", 2, "17")] {
      var error: UnsafeMutablePointer<CChar>?
      let filter = swexpr_filter_create(text, length, nil, &error)
      defer { swexpr_filter_free(filter) }
      #expect(Calls.take(error) == nil)
      #expect(try Calls.withContext("{}") { try Calls.evaluate(filter, $0) } == wanted)
    }
  }

  @Test("only true matches")
  func matches() throws {
    let cases = [
      ("user.age >= 18", true), ("user.age < 18", false), ("user.age", false), ("1 / 0", false),
    ]
    for (text, isMatch) in cases {
      let found = try Calls.withFilter(text) { filter in
        try Calls.withContext(#"{"user": {"age": 25}}"#) { context in
          try Calls.throwing { swexpr_filter_matches(filter, context, $0) }
        }
      }
      #expect(found == isMatch, "\(text)")
    }
  }

  @Test("layers are replaced one by one, in both forms")
  func layers() throws {
    let result = try Calls.withContext(#"{"user": {"a": 1}, "device": {"b": 2}}"#) { first in
      try Calls.using(
        {
          swexpr_context_replacing(
            first, swexpr_layer(SWEXPR_PARAMS), swexpr_format(SWEXPR_PLAIN), #"{"c": 3}"#, 8, $0)
        }, swexpr_context_free
      ) { second in
        let tagged = #"{"b": {"type": "int", "value": 40}}"#
        return try Calls.using(
          {
            swexpr_context_replacing(
              second, swexpr_layer(SWEXPR_DEVICE), swexpr_format(SWEXPR_TAGGED), tagged,
              tagged.utf8.count, $0)
          }, swexpr_context_free
        ) { third in
          try Calls.using(
            {
              swexpr_context_replacing(
                third, swexpr_layer(SWEXPR_USER), swexpr_format(SWEXPR_PLAIN), #"{"a":5}"#, 7, $0)
            }, swexpr_context_free
          ) { fourth in
            try Calls.withFilter("[user.a, device.b, params.c]") { filter in
              [
                try Calls.evaluate(filter, second), try Calls.evaluate(filter, third),
                try Calls.evaluate(filter, fourth),
              ]
            }
          }
        }
      }
    }
    #expect(result == ["[1,2,3]", "[1,40,3]", "[5,40,3]"])
  }

  @Test("an explanation names the condition that decides")
  func explain() throws {
    let json = try Calls.withFilter("user.age >= 18 && user.plan == \"pro\"") { filter in
      try Calls.withContext(#"{"user": {"age": 25, "plan": "free"}}"#) { context in
        try Calls.text { swexpr_filter_explain(filter, context, $0) }
      }
    }
    #expect(json.hasPrefix("{"))
    #expect(json.contains(#"user.plan"#) && json.contains("free"))
  }

  /// Checks a text.
  private func check(_ text: String, schema: String? = nil) throws -> String {
    try Calls.text {
      swexpr_check(text, text.utf8.count, nil, schema, schema?.utf8.count ?? 0, $0)
    }
  }

  @Test("a check reports errors, warnings, and nothing")
  func check() throws {
    #expect(try check("user.age >= 18") == "[]")
    #expect(try check("user.age >=").contains(#""severity":"error""#))
    #expect(try check("device.platfrom == \"iOS\"").contains(#""severity":"warning""#))
    let schema = #"{"user": {"plan": "string"}}"#
    #expect(try check("user.plan == 5", schema: schema) != "[]")
    #expect(throws: CError.self) { try check("true", schema: "5") }
  }

  @Test("a set gives what its filters give")
  func sets() throws {
    let texts = ["user.age > 30", "user.age > 20", "1 / (user.age - 25) == 0", "user.plan", "true"]
    try Calls.withSet(texts) { set in
      try Calls.withContext(#"{"user": {"age": 25, "plan": "pro"}}"#) { context in
        #expect(swexpr_set_count(set) == 5)
        #expect(try Calls.throwing { swexpr_set_first_match(set, context, $0) } == 1)
        var indices = [Int](repeating: -7, count: 3)
        #expect(try Calls.throwing { swexpr_set_matches(set, context, &indices, 3, $0) } == 2)
        #expect(indices == [1, 4, -7])
        indices = [-7]
        #expect(try Calls.throwing { swexpr_set_matches(set, context, &indices, 1, $0) } == 2)
        #expect(indices == [1])
        #expect(try Calls.throwing { swexpr_set_matches(set, context, nil, 0, $0) } == 2)
        let results = try Calls.text {
          swexpr_set_evaluate(set, context, swexpr_format(SWEXPR_PLAIN), $0)
        }
        #expect(results.hasPrefix(#"[{"value":false},{"value":true},{"error":""#))
        #expect(results.hasSuffix(#"},{"value":"pro"},{"value":true}]"#))
      }
    }
    try Calls.withSet([]) { set in
      try Calls.withContext("{}") { context in
        #expect(try Calls.throwing { swexpr_set_first_match(set, context, $0) } == -1)
        let results = try Calls.text {
          swexpr_set_evaluate(set, context, swexpr_format(SWEXPR_TAGGED), $0)
        }
        #expect(results == "[]")
      }
    }
  }

  @Test("texts of a set may have lengths")
  func setLengths() throws {
    let first = try Calls.withStrings(["falsetrue", "truefalse"]) { strings in
      try Calls.using(
        { swexpr_set_create(strings, [5, 4], 2, nil, $0) }, swexpr_set_free
      ) { set in
        try Calls.withContext("{}") { context in
          try Calls.throwing { swexpr_set_first_match(set, context, $0) }
        }
      }
    }
    #expect(first == 1)
  }

  @Test("the options of an environment hold")
  func options() throws {
    let host = TestHost { _, _, _ in }
    let options = [
      (#"{"dialect": "cel"}"#, "type(1u) == uint"),
      (#"{"dialect": "cel", "container": "a.b"}"#, "x == 1"),
    ]
    for (options, text) in options {
      try host.withEnvironment(options) { environment in
        let value = try Calls.evaluate(text, #"{"a.b.x": 1, "a": {"b": {"x": 1}}}"#, environment)
        #expect(value == "true")
      }
    }
    for options in [#"{"steps": 10}"#, #"{"memory": 100}"#] {
      try host.withEnvironment(options) { environment in
        let long = #"size(user.list.map(x, string(x) + "abcdefgh"))"#
        let list = Array(0..<200)
        let context = #"{"user": {"list": \#(list)}}"#
        #expect(throws: CError.self) { try Calls.evaluate(long, context, environment) }
        let size = try Calls.evaluate(long, context)
        #expect(size == "200")
      }
    }
    for options in [#"{"sourceLength": 5}"#, #"{"nesting": 1}"#] {
      try host.withEnvironment(options) { environment in
        #expect(throws: CError.self) { try Calls.evaluate("[[[1]]]", "{}", environment) }
      }
    }
  }
}
