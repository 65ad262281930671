import ExpressionCoding
import TestSupport
import Testing

@testable import ExpressionEngine

@Suite("JSONScanner")
struct JSONScannerTests {
  /// The tokens of a document in a short notation, or the kind of the error.
  static func trace(_ bytes: [UInt8], options: JSONScanner.Options = .init()) -> String {
    bytes.withUnsafeBufferPointer { buffer in
      var scanner = JSONScanner(buffer, options: options)
      var parts: [String] = []
      do throws(JSONError) {
        while true {
          let token = try scanner.nextToken()
          switch token {
          case .beginObject: parts.append("{")
          case .endObject: parts.append("}")
          case .beginArray: parts.append("[")
          case .endArray: parts.append("]")
          case .key: parts.append("\(scanner.stringValue):")
          case .string: parts.append("'\(scanner.stringValue)'")
          case .int: parts.append("i\(scanner.intValue)")
          case .uint: parts.append("u\(scanner.uintValue)")
          case .double: parts.append("d\(scanner.doubleValue)")
          case .true: parts.append("true")
          case .false: parts.append("false")
          case .null: parts.append("null")
          case .end: return parts.joined(separator: " ")
          }
        }
      } catch {
        return "!\(error.kind.rawValue)@\(error.line):\(error.column)"
      }
    }
  }

  static func trace(_ text: String) -> String { trace(Array(text.utf8)) }

  @Test(
    "every document of the grammar is read token by token",
    arguments: [
      ("null", "null"), ("true", "true"), (" false\n", "false"), ("\t[\r\n]", "[ ]"),
      ("{}", "{ }"), (#""""#, "''"), (#""a""#, "'a'"), ("[1,2]", "[ i1 i2 ]"),
      (#"{"a":1,"a":2}"#, "{ a: i1 a: i2 }"),
      (#"{"a" : [ {} , [ ] , "x" ] }"#, "{ a: [ { } [ ] 'x' ] }"),
      (#"{"":{"b":[null,true,false]}}"#, "{ : { b: [ null true false ] } }"),
      ("0", "i0"), ("-0", "i0"), ("10", "i10"), ("-1", "i-1"),
      ("9223372036854775807", "i9223372036854775807"),
      ("-9223372036854775808", "i-9223372036854775808"),
      ("9223372036854775808", "u9223372036854775808"),
      ("18446744073709551615", "u18446744073709551615"),
      ("18446744073709551616", "d1.8446744073709552e+19"),
      ("-9223372036854775809", "d-9.223372036854776e+18"),
      ("123456789012345678901234567890", "d1.2345678901234568e+29"),
      ("1.0", "d1.0"), ("-0.0", "d-0.0"), ("1e2", "d100.0"), ("1E+2", "d100.0"),
      ("1.5e-3", "d0.0015"), ("0e0", "d0.0"), ("0.1", "d0.1"),
      ("1e400000000000000", "!numberOutOfRange@1:1"),
      ("1e-400", "d0.0"), ("1e-99999999999999999999", "d0.0"), ("0e99999999999999999999", "d0.0"),
      ("5e-324", "d5e-324"), ("1.7976931348623157e308", "d1.7976931348623157e+308"),
      ("2.2250738585072011e-308", "d2.225073858507201e-308"),
      ("9007199254740993.0", "d9007199254740992.0"),
      ("0.30000000000000004", "d0.30000000000000004"),
      (#""\"\\\/\b\f\n\r\t""#, "'\"\\/\u{8}\u{c}\n\r\t'"),
      (#""\u0041\u00e9\u20AC""#, "'Aé€'"), (#""\ud83d\ude00x""#, "'😀x'"),
      (#""\u0000""#, "'\u{0}'"),
      (#""é€😀 and plain text after it""#, "'é€😀 and plain text after it'"),
      (#""0123456789abcdef\n0123456789""#, "'0123456789abcdef\n0123456789'"),
      (#"{"a\u0062":"\t"}"#, "{ ab: '\t' }"), ("\"\u{7f}\"", "'\u{7f}'"),
    ])
  func accepts(text: String, tokens: String) {
    #expect(Self.trace(text) == tokens)
  }

  @Test(
    "what is not in the grammar is refused where it goes wrong",
    arguments: [
      ("", "!unexpectedEnd@1:1"), ("  \n ", "!unexpectedEnd@2:2"),
      ("nul", "!unexpectedCharacter@1:1"),
      ("nulL", "!unexpectedCharacter@1:1"), ("True", "!unexpectedCharacter@1:1"),
      ("NaN", "!unexpectedCharacter@1:1"), ("Infinity", "!unexpectedCharacter@1:1"),
      ("'a'", "!unexpectedCharacter@1:1"), ("[1,]", "!unexpectedCharacter@1:4"),
      ("[,1]", "!unexpectedCharacter@1:2"), ("[1 2]", "!unexpectedCharacter@1:4"),
      ("[1", "!unexpectedEnd@1:3"), ("[", "!unexpectedEnd@1:2"), ("]", "!unexpectedCharacter@1:1"),
      ("}", "!unexpectedCharacter@1:1"), ("[}", "!unexpectedCharacter@1:2"),
      ("{]", "!unexpectedCharacter@1:2"), ("[1}", "!unexpectedCharacter@1:3"),
      (#"{"a":1]"#, "!unexpectedCharacter@1:7"), ("{1:2}", "!unexpectedCharacter@1:2"),
      (#"{"a"}"#, "!unexpectedCharacter@1:5"), (#"{"a":}"#, "!unexpectedCharacter@1:6"),
      (#"{"a":1,}"#, "!unexpectedCharacter@1:8"), (#"{"a" 1}"#, "!unexpectedCharacter@1:6"),
      (#"{"a":1"#, "!unexpectedEnd@1:7"), (#"{"a":"#, "!unexpectedEnd@1:6"),
      (#"{"a"#, "!unexpectedEnd@1:4"), ("{a:1}", "!unexpectedCharacter@1:2"),
      ("1 2", "!trailingText@1:3"), ("{} x", "!trailingText@1:4"), ("[]]", "!trailingText@1:3"),
      ("01", "!invalidNumber@1:2"), ("-01", "!invalidNumber@1:3"),
      ("+1", "!unexpectedCharacter@1:1"),
      ("-", "!unexpectedEnd@1:2"), ("-a", "!invalidNumber@1:2"), ("1.", "!unexpectedEnd@1:3"),
      (".5", "!unexpectedCharacter@1:1"), ("1.e1", "!invalidNumber@1:3"),
      ("1e", "!unexpectedEnd@1:3"),
      ("1e+", "!unexpectedEnd@1:4"), ("1ex", "!invalidNumber@1:3"), ("0x1F", "!trailingText@1:2"),
      ("1e400", "!numberOutOfRange@1:1"), ("[-1e309]", "!numberOutOfRange@1:2"),
      ("\"", "!unexpectedEnd@1:2"), ("\"abc", "!unexpectedEnd@1:5"),
      ("\"abcdefghijk", "!unexpectedEnd@1:13"), ("\"\\", "!unexpectedEnd@1:3"),
      (#""\q""#, "!invalidEscape@1:3"), (#""\x41""#, "!invalidEscape@1:3"),
      (#""\u12""#, "!invalidEscape@1:6"), (#""\u12g4""#, "!invalidEscape@1:6"),
      (#""\u123"#, "!unexpectedEnd@1:7"), (#""\ud800""#, "!loneSurrogate@1:2"),
      (#""\udc00""#, "!loneSurrogate@1:2"), (#""\ud800\u0041""#, "!loneSurrogate@1:2"),
      (#""\ud800\ud800""#, "!loneSurrogate@1:2"), ("\"a\nb\"", "!controlCharacter@1:3"),
      ("\"\u{0}\"", "!controlCharacter@1:2"), ("\"01234567\u{1f}\"", "!controlCharacter@1:10"),
      ("\u{0}", "!unexpectedCharacter@1:1"), ("\u{feff}1", "!unexpectedCharacter@1:1"),
      ("\u{a0}1", "!unexpectedCharacter@1:1"), ("[1,\n  \"é\", x]", "!unexpectedCharacter@2:8"),
      ("// c\n1", "!unexpectedCharacter@1:1"), ("/**/1", "!unexpectedCharacter@1:1"),
    ])
  func refuses(text: String, error: String) {
    #expect(Self.trace(text) == error)
  }

  @Test(
    "bytes that are not UTF-8 are refused",
    arguments: [
      [0x80], [0xFF], [0xC0, 0x80], [0xC1, 0xBF], [0xC3], [0xE0, 0x9F, 0xBF], [0xE2, 0x82],
      [0xED, 0xA0, 0x80], [0xF0, 0x8F, 0xBF, 0xBF], [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80],
      [0xE2, 0x28, 0xA1], [0xF0, 0x9F, 0x98, 0x22],
    ] as [[UInt8]])
  func refusesInvalidUTF8(bytes: [UInt8]) {
    #expect(Self.trace([0x22, 0x61] + bytes + [0x22]) == "!invalidUTF8@1:3")
  }

  @Test("128 levels are read, 129 are not, unless another limit is set")
  func depthLimit() {
    func nested(_ depth: Int) -> [UInt8] {
      Array(
        (String(repeating: #"[{"a":"#, count: depth / 2) + "1"
          + String(repeating: "}]", count: depth / 2)).utf8)
    }
    #expect(!Self.trace(nested(128)).hasPrefix("!"))
    #expect(Self.trace(nested(130)).hasPrefix("!tooDeep"))
    #expect(!Self.trace(nested(1000), options: .init(maximumDepth: 1000)).hasPrefix("!"))
    #expect(Self.trace(nested(1_000_000)).hasPrefix("!tooDeep"))
  }

  @Test("a skipped value may be deeper than the limit and hold any number")
  func skipping() throws {
    let deep = String(repeating: "[", count: 5000) + "1e999" + String(repeating: "]", count: 5000)
    let text = #"{"skip":{"a":[1,{"b":\#(deep)}],"s":"\ud800"},"keep":[true]}"#
    try text.withJSONBytes { (bytes) throws(JSONError) in
      var scanner = JSONScanner(bytes)
      #expect(try scanner.nextToken() == .beginObject)
      #expect(try scanner.nextToken() == .key)
      try scanner.skipValue()
      #expect(try scanner.nextToken() == .key)
      let isKeep = scanner.currentStringEquals("keep")
      #expect(isKeep)
      let list = try scanner.nextToken()
      try scanner.skipRest(of: list)
      #expect(scanner.depth == 1)
      #expect(try scanner.nextToken() == .endObject)
      #expect(try scanner.nextToken() == .end)
    }
  }

  @Test("skipping still checks the grammar")
  func skippingChecks() {
    for text in [#"{"a":[1,]}"#, #"{"a":{"b"}}"#, #"{"a":"\q"}"#, #"{"a":01}"#] {
      #expect(throws: JSONError.self) {
        try text.withJSONBytes { (bytes) throws(JSONError) in
          var scanner = JSONScanner(bytes)
          _ = try scanner.nextToken()
          _ = try scanner.nextToken()
          try scanner.skipValue()
        }
      }
    }
  }

  @Test("a string without escapes is a slice of the input, one with escapes is not")
  func slices() throws {
    try #"["plain text","with\nescape"]"#.withJSONBytes { (bytes) throws(JSONError) in
      var scanner = JSONScanner(bytes)
      _ = try scanner.nextToken()
      _ = try scanner.nextToken()
      let isSlice = !scanner.stringIsInScratch
      #expect(isSlice)
      #expect(scanner.stringBytes.baseAddress == bytes.baseAddress.map { $0 + 2 })
      _ = try scanner.nextToken()
      let isDecoded = scanner.stringIsInScratch
      #expect(isDecoded)
      #expect(scanner.stringValue == "with\nescape")
    }
  }

  @Test("every prefix and every changed byte of a document ends in tokens or an error")
  func mutations() {
    let document = Array(
      #"{"user":{"id":"u_1","näme":"\ud83d\ude00 \u00e9","age":-34,"ltv":12.5e-1,"l":[1,true,null]}}"#
        .utf8)
    for end in 0..<document.count {
      #expect(Self.trace(Array(document[..<end])).hasPrefix("!"))
    }
    var generator = SeededGenerator(seed: 7)
    for index in document.indices {
      for _ in 0..<40 {
        var changed = document
        changed[index] = UInt8.random(in: 0...255, using: &generator)
        let outcome = Self.trace(changed)
        #expect(!outcome.isEmpty)
      }
    }
  }

  @Test("numbers that are not exact are read to the nearest double, or scaled when told so")
  func doubleReadings() {
    var generator = SeededGenerator(seed: 11)
    for _ in 0..<20_000 {
      let number = Double(bitPattern: UInt64.random(in: 0...UInt64.max, using: &generator))
      guard number.isFinite else { continue }
      let text = number.shortestText
      #expect(Self.trace(Array(text.utf8)) == "d\(number)")
      let scaled = Self.trace(Array(text.utf8), options: .init(doubles: .scaled))
      guard let back = Double(scaled.dropFirst()) else {
        // The largest numbers can scale past the end of the range.
        #expect(number.magnitude > 1e307 && scaled.hasPrefix("!numberOutOfRange"))
        continue
      }
      #expect((back - number).magnitude <= 4 * number.ulp)
    }
  }

  @Test("positions count lines and characters, and bytes")
  func positions() {
    let error = #expect(throws: JSONError.self) { try Value(json: "[1,\n \"é\" x]") }
    #expect(error?.line == 2)
    #expect(error?.column == 6)
    #expect(error?.offset == 10)
    #expect(error?.description == "expected `,` or `]`, found `x` at line 2 column 6")
  }

  @Test("JSON Lines are split on line feeds only, blank lines left out")
  func lines() {
    let text = "{\"a\":1}\r\n\n  \n[2]\n\"\u{2028}\""
    text.withJSONBytes { bytes in
      var lines = JSONLines(bytes)
      var seen: [String] = []
      while let line = lines.next() {
        seen.append("\(lines.lineNumber) \(String(decoding: line, as: UTF8.self))")
      }
      #expect(seen == ["1 {\"a\":1}\r", "4 [2]", "5 \"\u{2028}\""])
    }
  }
}
