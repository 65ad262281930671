import AudienceFilters
import ExpressionCoding
import ExpressionEngine
import Foundation
import TestSupport
import Testing

@Suite("JSON text and encodable types become contexts")
struct ContextJSONTests {
  @Test("layers read JSON as values do, whatever it holds")
  func layers() throws {
    for text in [
      "{}", #"{"a": 1}"#, #"{"a": null, "b": true, "c": false}"#,
      #" { "a" : [ 1 , [ 2 ] , { } ] } "#,
      #"{"a": 9223372036854775807, "b": 9223372036854775808, "c": 1.5e3, "d": -0}"#,
      #"{"a": "ü\n😀", "b": ""}"#, #"{"a": {"b": {"c": [{"d": "e"}]}}}"#,
      #"{"a": 1, "a": 2, "b": {"x": 1, "x": 2}}"#,
    ] {
      #expect(try Context.Layer(json: text).value == Value(json: text), "\(text)")
    }
  }

  @Test("generated documents are read as values are")
  func property() throws {
    var generator = SeededGenerator(seed: 5)
    for _ in 0..<Effort.times(100) {
      var entries: [Value.Key: Value] = [:]
      for index in 0..<Int.random(in: 0...9, using: &generator) {
        entries[.string("key\(index)")] = Self.random(&generator, depth: 0)
      }
      let text = Value.map(entries).jsonText()
      #expect(try Context.Layer(json: text).value == .map(entries))
      let context = try Context(json: #"{"user": \#(text), "other": \#(text)}"#)
      #expect(context.snapshot() == ["user": .map(entries), "other": .map(entries)])
    }
  }

  private static func random(_ generator: inout SeededGenerator, depth: Int) -> Value {
    switch Int.random(in: 0..<(depth < 4 ? 7 : 5), using: &generator) {
    case 0: return .int(Int64.random(in: .min ... .max, using: &generator))
    case 1: return .double(Double.random(in: -1e6...1e6, using: &generator))
    case 2: return .bool(Bool.random(using: &generator))
    case 3: return .null
    case 4:
      return .string(
        String(repeating: "\"é", count: Int.random(in: 0...200, using: &generator)))
    case 5:
      return .list(
        (0..<Int.random(in: 0...100, using: &generator)).map { _ in
          random(&generator, depth: depth + 2)
        })
    default:
      var entries: [Value.Key: Value] = [:]
      for index in 0..<Int.random(in: 0...5, using: &generator) {
        entries[.string("k\(index)")] = random(&generator, depth: depth + 1)
      }
      return .map(entries)
    }
  }

  @Test("the three layers and further roots; of repeated names the last one wins")
  func roots() throws {
    let context = try Context(
      json: #"{"user": {"a": 1}, "n": 5, "device": {"b": 2}, "params": 7, "user": {"a": 3}}"#)
    #expect(context.snapshot() == ["user": ["a": 3], "n": 5, "device": ["b": 2], "params": 7])
    #expect(try Context(json: #"{"user": 1, "user": {"a": 1}}"#).snapshot() == ["user": ["a": 1]])
    #expect(try Context(json: #"{"user": {"a": 1}, "user": 1}"#).snapshot() == ["user": 1])
    #expect(
      try Context(json: #"{"user": 1, "x": 2, "user": 3, "device": 4}"#).snapshot()
        == ["user": 3, "x": 2, "device": 4])
    #expect(try Context(json: "{}").snapshot() == [:])
    #expect(try evaluate(Filter("user.a + n"), context) == 8)
  }

  @Test(
    "broken JSON is an error with its position",
    arguments: [
      ("", 1), ("[1]", 1), ("5", 1), (#"{"a": 1"#, 8), (#"{"a" 1}"#, 6), (#"{"a": 1} x"#, 10),
      (#"{"a": [1, }"#, 11), (#"{"user": {"a": tru}}"#, 16), (#"{"a": "\x"}"#, 8), ("{\u{0}}", 2),
      (#"{"a": 1e999}"#, 7), (#"{"user": {"a": 1]}"#, 17),
    ])
  func errors(_ text: String, _ column: Int) {
    for read in [{ _ = try Context(json: text) }, { _ = try Context.Layer(json: text) }] {
      do {
        try read()
        Issue.record("no error: \(text)")
      } catch let error as JSONError {
        #expect(error.line == 1 && abs(error.column - column) <= 1, "\(text): \(error)")
      } catch {
        Issue.record("another error: \(error)")
      }
    }
  }

  @Test("depth is bounded without the stack's help, and invalid UTF-8 is found")
  func hostile() throws {
    let deep = #"{"a": "# + String(repeating: "[", count: 1_000_000)
    #expect(throws: JSONError.self) { try Context(json: deep) }
    #expect(throws: JSONError.self) { try Context.Layer(json: deep) }
    let nested =
      #"{"a": "# + String(repeating: "[", count: 900) + String(repeating: "]", count: 900) + "}"
    #expect(throws: JSONError.self) { try Context.Layer(json: nested) }
    #expect(try Context.Layer(json: nested, maximumDepth: 1000).count == 1)
    let bytes = Array(#"{"a": ""#.utf8) + [0xFF] + Array(#""}"#.utf8)
    #expect(throws: JSONError.self) {
      try bytes.withUnsafeBufferPointer { try Context(json: $0) }
    }
  }

  @Test("tagged JSON, as an object of values or as a map")
  func passable() throws {
    let object =
      #"{"user": {"type": "map", "value": {"age": {"type": "int", "value": 25}}}, "type": {"type": "uint", "value": 5}}"#
    let expected: [String: Value] = ["user": ["age": 25], "type": .uint(5)]
    #expect(try Context(passableJSON: object).snapshot() == expected)
    let map = #"{"type": "map", "value": \#(object)}"#
    #expect(try Context(passableJSON: map).snapshot() == expected)
    #expect(
      try Context.Layer(passableJSON: #"{"a": {"type": "bool", "value": true}}"#).value
        == ["a": true])
    #expect(try Context.Layer(passableJSON: "{}").count == 0)
    for text in [
      "", "5", "[]", #"{"a": 5}"#, #"{"type": "int", "value": 5}"#, #"{"type": "map"}"#,
      #"{"a": {"type": "int", "value": 5.5}}"#, #"{"a": {"type": "int", "value": 5}} x"#,
    ] {
      #expect(throws: JSONError.self, "\(text)") { try Context(passableJSON: text) }
    }
  }

  private struct Person: Encodable {
    enum Plan: String, Encodable { case trial, paid }
    struct Address: Encodable {
      var city: String?
      var zip: UInt16
    }
    var age = 25
    var height: Float = 1.5
    var big = UInt64.max
    var small: UInt8 = 7
    var plan = Plan.trial
    var address = Address(city: nil, zip: 12)
    var tags = ["a", "b"]
    var since = Date(timeIntervalSince1970: 1.5)
    var page = URL(string: "https://example.com/")
    var avatar = Data([1, 2])
    var price = Decimal(string: "9.99")
    var nested: [String: [Bool?]] = ["k": [true, nil]]
    var value = Value.uint(3)
  }

  @Test("an encodable type becomes a layer")
  func encodable() throws {
    let layer = try Context.Layer(encoding: Person())
    let expected: Value = [
      "age": 25, "height": .double(1.5), "big": .uint(.max), "small": 7, "plan": "trial",
      "address": ["zip": 12], "tags": ["a", "b"],
      "since": .timestamp(.init(seconds: 1, nanoseconds: 500_000_000)),
      "page": "https://example.com/", "avatar": .bytes([1, 2]), "price": .double(9.99),
      "nested": ["k": [true, .null]], "value": .uint(3),
    ]
    #expect(layer.value == expected)
    #expect(try Context.Layer(encoding: ["a": 1]).value == ["a": 1])
    for refused in [{ try Context.Layer(encoding: 5) }, { try Context.Layer(encoding: [1]) }] {
      #expect(throws: EncodingError.self) { try refused() }
    }
  }

  /// Encodes itself for ever.
  private struct Endless: Encodable {
    func encode(to encoder: any Encoder) throws {
      var container = encoder.unkeyedContainer()
      try container.encode(Endless())
    }
  }

  @Test("an encodable type that nests without end is an error")
  func endless() {
    #expect(throws: EncodingError.self) { try Context.Layer(encoding: ["a": Endless()]) }
  }

  /// Encodes what a superclass would, and nested containers.
  private struct Nested: Encodable {
    enum Key: String, CodingKey { case list, map, parent, none }
    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Key.self)
      var list = container.nestedUnkeyedContainer(forKey: .list)
      try list.encode(1)
      var inner = list.nestedContainer(keyedBy: Key.self)
      try inner.encode("x", forKey: .none)
      var map = container.nestedContainer(keyedBy: Key.self, forKey: .map)
      try map.encodeNil(forKey: .none)
      var single = container.superEncoder(forKey: .parent).singleValueContainer()
      try single.encode(true)
    }
  }

  @Test("nested containers")
  func nested() throws {
    #expect(
      try Context.Layer(encoding: Nested()).value
        == ["list": [1, ["none": "x"]], "map": ["none": .null], "parent": true])
  }

  @Test("one context serves many tasks")
  func tasks() async throws {
    let context = Context(
      user: ["age": 25, "tags": ["a", "b", "true"]], device: ["platform": "iOS"])
    let filter = try Filter(
      #"user.age >= 18 && "a" in user.tags && user.tags.filter(t, t != "a").size() == 2"#)
    let plain = try Filter(#"user.age >= 18 && device.platform == "iOS""#)
    let results = await withTaskGroup(of: Bool.self) { group in
      for task in 0..<64 {
        group.addTask {
          (0..<200).allSatisfy { round in
            let other = context.replacing(params: ["n": task * 1000 + round])
            let params = try? Filter("params.n").evaluateForTest(other)
            return plain.matches(other) && params == .int(Int64(task * 1000 + round))
              && filter.matches(context) == filter.matches(other)
          }
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(results == Array(repeating: true, count: 64))
  }
}

extension Filter {
  fileprivate func evaluateForTest(_ context: Context) throws -> Value {
    try AudienceFilters.evaluate(self, context)
  }
}
