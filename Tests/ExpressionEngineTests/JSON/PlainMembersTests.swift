import ExpressionCoding
import TestSupport
import Testing

@testable import ExpressionEngine

/// Members that are written as most are take a shorter way into a layer than
/// ``JSONScanner/nextToken()``. Values read by `Value(json:)` do not.
@Suite("Layers find in JSON what the scanner finds token by token")
struct PlainMembersTests {
  private static let names = [
    "", "a", "plan", "seventh", "eightchr", "ninechars", "daysSinceInstall", "a\\u0062", "b\u{E9}",
    "exactlythirtyonebytesofplaintex", "exactlythirtytwobytesofplaintext", "true",
    "a name of much more than thirty-two bytes",
  ]
  private static let values = [
    "0", "7", "12345678901234567", "123456789012345678", "9223372036854775807",
    "18446744073709551615", "184467440737095516160", "-0", "-12", "01", "1.", "1.5", "0.1", "00.5",
    "123456.789", "9007199254740993.5", "0.12345678901234567", "1e3", "1.5E-3", "1.5e", "1.5.5",
    "1e",
    "true", "false", "null", "tru", "truex", "fals", "\"\"", "\"v\"", "\"true\"", "\"false\"",
    "\"exactlythirtyonebytesofplaintex\"", "\"exactlythirtytwobytesofplaintext\"",
    "\"\\n\\u00e9\\ud83d\\ude00\"", "\"\\ud83d\"", "\"\u{E9}\u{1F600}\"", "\"tab\there\"",
    "\"open", "[]", "{}", "[1, \"a\", [true], {\"k\": 1.5}]", "{\"k\": {\"l\": [1]}, \"m\": 2}",
    "[1", "",
  ]
  private static let separators = [
    ", ", ", ", ", ", ",", ",", " , ", ",  ", ",\n", ",\t ", "", ",,", "}",
  ]
  private static let colons = [": ", ": ", ": ", ":", ":", " :", ":  ", "", "::"]

  private static func document(_ generator: inout SeededGenerator, mistakes: Bool) -> String {
    var text = "{"
    let oddities = mistakes ? 6 : 0
    for number in 0..<Int.random(in: 0..<14, using: &generator) {
      let isOdd = Int.random(in: 0..<100, using: &generator) < oddities
      if number > 0 { text += (isOdd ? separators : Array(separators[..<9])).pick(&generator) }
      text += "\"\(names.pick(&generator))\""
      text += (isOdd ? colons : Array(colons[..<7])).pick(&generator)
      let value = values.pick(&generator)
      let isValid = (try? Value(json: value)) != nil
      text += isValid || isOdd ? value : "1"
    }
    return text + "}"
  }

  private static func check(_ bytes: [UInt8]) {
    // Exactly as much memory as the text has, so that a sanitizer notices reads beyond it.
    let memory = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: bytes.count)
    defer { memory.deallocate() }
    _ = memory.initialize(from: bytes)
    let text = UnsafeBufferPointer(memory)
    var expected: Result<Value, JSONError>
    do throws(JSONError) {
      expected = .success(try Value(json: text))
    } catch {
      expected = .failure(error)
    }
    var found: Result<Value, JSONError>
    do throws(JSONError) {
      found = .success(try Context.Layer(json: text).value)
    } catch {
      found = .failure(error)
    }
    #expect(found == expected, "\(String(decoding: bytes, as: UTF8.self))")
  }

  @Test("well-formed documents")
  func wellFormed() {
    var generator = SeededGenerator(seed: 41)
    for _ in 0..<3000 { Self.check(Array(Self.document(&generator, mistakes: false).utf8)) }
  }

  @Test("documents with mistakes, which are reported at the same place in the same words")
  func mistakes() {
    var generator = SeededGenerator(seed: 42)
    for _ in 0..<3000 {
      var bytes = Array(Self.document(&generator, mistakes: true).utf8)
      if Bool.random(using: &generator),
        let index = bytes.indices.dropFirst().randomElement(using: &generator)
      {
        bytes[index] = UInt8.random(in: 0...255, using: &generator)
      }
      if Bool.random(using: &generator) {
        bytes.removeLast(Int.random(in: 0..<bytes.count, using: &generator))
      }
      // Both say differently that they want an object.
      if bytes.first == UInt8(ascii: "{") { Self.check(bytes) }
    }
  }
}

extension Array {
  fileprivate func pick(_ generator: inout SeededGenerator) -> Element {
    self[Int.random(in: 0..<count, using: &generator)]
  }
}
