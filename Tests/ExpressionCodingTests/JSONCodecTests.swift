import ExpressionCoding
import TestSupport
import Testing

@testable import ExpressionEngine

@Suite("Plain JSON and values")
struct JSONCodecTests {
  @Test(
    "numbers keep the kind they are written with",
    arguments: [
      ("5", Value.int(5)), ("5.0", .double(5)), ("5e0", .double(5)), ("-0", .int(0)),
      ("-0.0", .double(-0.0)), ("9223372036854775808", .uint(9_223_372_036_854_775_808)),
      ("18446744073709551616", .double(18_446_744_073_709_551_616)), ("null", .null),
      (#"{"a":[true,"x"],"a":{"b":1}}"#, ["a": ["b": 1]]), ("[[],{}]", [[], [:]]),
    ] as [(String, Value)])
  func reading(text: String, value: Value) throws {
    #expect(try Value(json: text) == value)
  }

  @Test("the cel way reads every number as a double")
  func celReading() throws {
    let reading = Value.JSONReading(numbers: .doubles)
    #expect(try Value(json: "[5, -0, 1e2]", reading: reading) == [5.0, -0.0, 100.0])
  }

  @Test("a repeated name is an error when asked for")
  func duplicates() {
    let reading = Value.JSONReading(duplicates: .error)
    let error = #expect(throws: JSONError.self) {
      try Value(json: #"{"a":1,"b":{"a":1},"a":2}"#, reading: reading)
    }
    #expect(error?.kind == .duplicateKey)
    #expect(error?.column == 20)
  }

  @Test(
    "doubles are written shortest, always as doubles",
    arguments: [
      (5.0, "5.0"), (-0.0, "-0.0"), (0.1, "0.1"), (1e15, "1000000000000000.0"), (1e16, "1e16"),
      (1e21, "1e21"), (1.5e300, "1.5e300"), (0.00001, "0.00001"), (0.000001, "1e-6"),
      (1.25e-7, "1.25e-7"), (123456.789, "123456.789"), (.leastNonzeroMagnitude, "5e-324"),
      (1.7976931348623157e308, "1.7976931348623157e308"), (100, "100.0"),
      (1234567890123456.7, "1234567890123456.8"), (12_345_678_901_234_568, "1.2345678901234568e16"),
      (.nan, "NaN"), (.infinity, "Infinity"), (-.infinity, "-Infinity"),
    ])
  func doubles(number: Double, text: String) {
    #expect(number.shortestText == text)
  }

  @Test("plain writing has a text for every kind and sorts keys")
  func plainWriting() {
    let value: Value = [
      "z": .uint(.max), "a": [.double(.nan), .bytes([0xFF, 0x00]), .type("int")],
      "m": .map([.int(2): 1, .bool(true): .optional(nil), .uint(10): .optional("x")]),
      "t": .timestamp(.init(seconds: -1, nanoseconds: 500_000_000)),
      "d": .duration(.init(seconds: -2, nanoseconds: 500_000_000)),
      "f": .function(name: "size", receiver: nil), "\u{1}\"\\/\n": "é\u{7f}",
      "n": .network(.init(octets: [10, 0, 0, 1], prefixLength: 8)),
    ]
    let text =
      #"{"\u0001\"\\/\n":"é"# + "\u{7f}" + #"","a":[null,"/wA=","int"],"d":"-1.5s","f":"size","#
      + #""m":{"10":"x","2":1,"true":null},"n":"10.0.0.1/8","t":"1969-12-31T23:59:59.5Z","#
      + #""z":18446744073709551615}"#
    #expect(value.jsonText() == text)
  }

  @Test("cel writing turns large integers into text and refuses what JSON does not have")
  func celWriting() throws {
    let value: Value = [.int(1 << 53), .int(1 << 53 - 1), .uint(1 << 60), .double(.infinity), 1.5]
    #expect(
      try value.celJSONText()
        == #"["9007199254740992",9007199254740991,"1152921504606846976","Infinity",1.5]"#)
    #expect(throws: Value.NotJSON.self) { try Value.type("int").celJSONText() }
    #expect(throws: Value.NotJSON.self) { try Value.map([.int(1): 1]).celJSONText() }
  }

  @Test("pretty writing breaks lines and keeps empty containers short")
  func prettyWriting() {
    let value: Value = ["a": [1, ["b": .null]], "e": [], "o": [:]]
    #expect(
      value.jsonText(pretty: true) == """
        {
          "a": [
            1,
            {
              "b": null
            }
          ],
          "e": [],
          "o": {}
        }
        """)
  }

  @Test("what is written reads back as the same value")
  func roundTrip() throws {
    var generator = SeededGenerator(seed: 3)
    for _ in 0..<2_000 {
      let value = Value.random(.json, depth: 4, using: &generator)
      #expect(try Value(json: value.jsonText()) == value)
      #expect(try Value(json: value.jsonText(pretty: true)) == value)
    }
  }

  @Test("reading from deep to shallow and back does not use the stack")
  func deepReading() throws {
    let reading = Value.JSONReading(maximumDepth: 1024)
    let text = String(repeating: "[", count: 1024) + String(repeating: "]", count: 1024)
    #expect(try Value(json: text, reading: reading).jsonText() == text)
    #expect(throws: JSONError.self) { try Value(json: "[" + text + "]", reading: reading) }
  }
}

/// What random values may hold.
enum RandomValueKinds {
  /// Only what plain JSON holds: no uint within the range of int, string keys, finite doubles.
  case json
  /// Only what tagged JSON holds.
  case passable
  /// Every kind.
  case all
}

extension Value {
  static func random(
    _ kinds: RandomValueKinds, depth: Int, using generator: inout SeededGenerator
  ) -> Value {
    let upper = kinds == .json ? 7 : kinds == .passable ? 9 : 14
    switch Int.random(in: depth > 0 ? 0...upper : 2...upper, using: &generator) {
    case 0:
      return .list(
        (0..<Int.random(in: 0...4, using: &generator)).map { _ in
          random(kinds, depth: depth - 1, using: &generator)
        })
    case 1:
      var entries: [Key: Value] = [:]
      for _ in 0..<Int.random(in: 0...4, using: &generator) {
        entries[randomKey(kinds, using: &generator)] =
          random(kinds, depth: depth - 1, using: &generator)
      }
      return .map(entries)
    case 2: return .null
    case 3: return .bool(.random(using: &generator))
    case 4: return .int(.random(in: .min ... .max, using: &generator))
    case 5: return .uint(.random(in: (1 << 63)...UInt64.max, using: &generator))
    case 6:
      let number = Double(bitPattern: .random(in: 0...UInt64.max, using: &generator))
      // Tagged JSON is read with scaled doubles, which are exact only where one step suffices.
      let small = Double(Int.random(in: -1_000_000...1_000_000, using: &generator)) / 64
      return .double(kinds == .passable || !number.isFinite ? small : number)
    case 7: return .string(randomText(using: &generator))
    case 8: return .bytes(randomOctets(using: &generator))
    case 9:
      let receiver = random(kinds, depth: 0, using: &generator)
      return .function(
        name: randomText(using: &generator), receiver: receiver == .null ? Value?.none : receiver)
    case 10:
      return .timestamp(
        .init(
          seconds: .random(in: -62_135_596_800...253_402_300_799, using: &generator),
          nanoseconds: .random(in: 0..<1_000_000_000, using: &generator)))
    case 11:
      return .duration(
        .init(
          seconds: .random(in: -1_000_000_000_000...1_000_000_000_000, using: &generator),
          nanoseconds: Bool.random(using: &generator)
            ? 0 : .random(in: 0..<1_000_000_000, using: &generator)))
    case 12:
      return .type(["int", "google.protobuf.Timestamp"].randomElement(using: &generator) ?? "")
    case 13:
      return .optional(
        Bool.random(using: &generator) ? Value?.none : random(kinds, depth: 0, using: &generator))
    default:
      let octets = (0..<(Bool.random(using: &generator) ? 4 : 16)).map { _ in
        [0, 0, UInt8.random(in: 0...255, using: &generator)].randomElement(using: &generator) ?? 0
      }
      return .network(
        .init(octets: octets, prefixLength: Bool.random(using: &generator) ? nil : 8))
    }
  }

  private static func randomKey(
    _ kinds: RandomValueKinds, using generator: inout SeededGenerator
  ) -> Key {
    switch kinds == .all ? Int.random(in: 0...3, using: &generator) : 3 {
    case 0: .bool(.random(using: &generator))
    case 1: .int(.random(in: -9...9, using: &generator))
    case 2: .uint(.random(in: 0...9, using: &generator))
    default: .string(randomText(using: &generator))
    }
  }

  private static func randomText(using generator: inout SeededGenerator) -> String {
    let pieces = [
      "a", "B", " ", "\"", "\\", "\n", "\t", "\u{0}", "\u{1f}", "é", "e\u{301}", "€", "😀",
      "\u{200d}", "\u{2028}", "true", "plain words", "\u{feff}", "/", "'", "`",
    ]
    return (0..<Int.random(in: 0...6, using: &generator)).map { _ in
      pieces.randomElement(using: &generator) ?? ""
    }.joined()
  }

  private static func randomOctets(using generator: inout SeededGenerator) -> [UInt8] {
    (0..<Int.random(in: 0...5, using: &generator)).map { _ in
      .random(in: 0...255, using: &generator)
    }
  }
}
