import ExpressionCoding
import TestSupport
import Testing

@testable import ExpressionEngine

@Suite("Values as literals and as encodable data")
struct ValueCodingTests {
  @Test("literals are those of the cel dialect, in a fixed order")
  func literals() {
    let cases: [(Value, String)] = [
      (.null, "null"), (5, "5"), (.uint(5), "5u"), (1.0, "1.0"), (.double(.nan), "double(\"NaN\")"),
      (.double(-.infinity), "double(\"-Infinity\")"), (1e300, "1e300"),
      ("a\"\\\n\r\t\u{0}\u{7f}\u{200b}é😀", #""a\"\\\n\r\t\u0000\u007f\u200bé😀""#),
      ("\u{e000}\u{f0000}", #""\ue000\U000f0000""#),
      (.bytes([0x61, 0xFF, 0x22, 0]), #"b"a\xff\"\x00""#),
      (
        .map([.string("b"): 1, .uint(2): 2, .int(10): 3, .int(9): 4, .bool(true): [.null]]),
        #"{true: [null], 9: 4, 10: 3, 2u: 2, "b": 1}"#
      ),
      (.timestamp(.init(seconds: 0)), #"timestamp("1970-01-01T00:00:00Z")"#),
      (
        .timestamp(.init(seconds: 951_827_696, nanoseconds: 1_500_000_000, offsetMinutes: -90)),
        #"timestamp("2000-02-29T11:04:57.5-01:30")"#
      ),
      (.timestamp(.init(seconds: -62_135_596_801)), #"timestamp("0000-12-31T23:59:59Z")"#),
      (.duration(.init(seconds: -2, nanoseconds: 500_000_000)), #"duration("-1.5s")"#),
      (.duration(.init(seconds: -1)), #"duration("-1s")"#),
      (.duration(.init(seconds: .min)), #"duration("-9223372036854775808s")"#),
      (.type("int"), "int"), (.optional(Value?.none), "optional.none()"),
      (.optional(nil), "optional.none()"),
      (.optional(.null), "optional.of(null)"),
      (.function(name: "size", receiver: ["a": 1]), #"function("size", {"a": 1})"#),
      (.network(.init(octets: [10, 0, 0, 1])), #"ip("10.0.0.1")"#),
      (
        .network(.init(octets: Array(repeating: 0, count: 15) + [1], prefixLength: 128)),
        #"cidr("::1/128")"#
      ),
      (
        .network(.init(octets: [0x20, 1, 0xD, 0xB8, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1])),
        #"ip("2001:db8:0:1::1")"#
      ),
    ]
    for (value, literal) in cases { #expect(value.literal == literal) }
  }

  @Test("the kinds have the names that people see")
  func kindNames() {
    let values: [Value] = [
      .null, true, 1, .uint(1), 1.0, "", .bytes([]), [], [:], .timestamp(.init(seconds: 0)),
      .duration(.init(seconds: 0)), .function(name: "f", receiver: nil), .type("int"), .optional(1),
      .network(.init(octets: [1, 2, 3, 4])),
      .network(.init(octets: [1, 2, 3, 4], prefixLength: 8)),
    ]
    #expect(
      values.map(\.kindName) == [
        "null", "bool", "int", "uint", "double", "string", "bytes", "list", "map", "timestamp",
        "duration", "function", "type", "optional", "net.IP", "net.CIDR",
      ])
  }

  @Test("times read back as they print")
  func times() {
    var generator = SeededGenerator(seed: 17)
    for _ in 0..<5_000 {
      let instant = Value.Timestamp(
        seconds: .random(in: -62_135_596_800...253_402_300_799, using: &generator),
        nanoseconds: .random(in: 0..<1_000_000_000, using: &generator))
      #expect(Value.Timestamp(rfc3339: instant.rfc3339Text) == instant)
      let span = Value.Duration(
        seconds: .random(in: Int64.min / 2...Int64.max / 2, using: &generator),
        nanoseconds: .random(in: 0..<1_000_000_000, using: &generator))
      #expect(Value.Duration(secondsText: span.secondsText) == span)
    }
  }

  struct User: Encodable {
    struct Address: Encodable {
      var city: String
      var zip: String?
    }

    var name: String
    var age: UInt8
    var ltv: Float
    var score: Double
    var big: UInt64
    var address: Address?
    var missing: Address?
    var tags: Set<String>
    var counts: [Int: Bool]
    var odd: Value
    var nested: [[Int?]]
    var grade: Grade

    enum Grade: String, Encodable {
      case gold
    }
  }

  @Test("a struct becomes the map that its JSON would")
  func encoding() throws {
    let user = User(
      name: "Ann", age: 25, ltv: 0.1, score: 3, big: .max, address: .init(city: "Oslo"),
      tags: ["a"], counts: [1: true], odd: .uint(7), nested: [[1, nil], []], grade: .gold)
    #expect(
      try Value(encoding: user) == [
        "name": "Ann", "age": 25, "ltv": 0.1, "score": 3.0, "big": .uint(.max),
        "address": ["city": "Oslo"], "tags": ["a"], "counts": ["1": true], "odd": .uint(7),
        "nested": [[1, .null], []], "grade": "gold",
      ])
    #expect(try Value(encoding: 5) == 5)
    #expect(try Value(encoding: ["a": Optional<Int>.none]) == ["a": .null])
    #expect(try Value(encoding: [String: Int]()) == [:])
    #expect(try Value(encoding: [Int]()) == [])
  }

  class Animal: Encodable {
    let legs = 4
  }

  final class Dog: Animal {
    enum Keys: CodingKey {
      case name
      case parts
      case tags
    }

    override func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Keys.self)
      try container.encode("Rex", forKey: .name)
      try super.encode(to: container.superEncoder())
      var parts = container.nestedContainer(keyedBy: Keys.self, forKey: .parts)
      try parts.encode(1, forKey: .name)
      var tags = container.nestedUnkeyedContainer(forKey: .tags)
      try tags.encode("a")
      try tags.encodeNil()
      var inner = tags.nestedUnkeyedContainer()
      try inner.encode(2.5)
    }
  }

  @Test("nested containers and super encoders end up in their places")
  func nestedContainers() throws {
    #expect(
      try Value(encoding: Dog()) == [
        "name": "Rex", "super": ["legs": 4], "parts": ["name": 1], "tags": ["a", .null, [2.5]],
      ])
  }

  final class Loop: Encodable {
    var next: Loop?
  }

  @Test("endless data is an error, not a crash")
  func endlessData() {
    let loop = Loop()
    loop.next = loop
    #expect(throws: EncodingError.self) { try Value(encoding: loop) }
    loop.next = nil
    #expect(throws: EncodingError.self) { try Value(encoding: Int128.max) }
  }

  @Test("a value encoded by its own rules is its plain JSON")
  func encodingValues() throws {
    var generator = SeededGenerator(seed: 23)
    for _ in 0..<500 {
      let value = Value.random(.all, depth: 3, using: &generator)
      // Wrapped, so that the encoder does not take the value as it is.
      let plain = try Value(encoding: Wrapper(value: value))
      #expect(plain.jsonText() == value.jsonText())
    }
  }

  struct Wrapper: Encodable {
    var value: Value

    func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }
  }
}
