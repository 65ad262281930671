import TestSupport
import Testing

@testable import ExpressionEngine

@Suite("UTF-8")
struct TextUTF8Tests {
  private func lossy(_ bytes: [UInt8], collapsing: Bool = false) -> String {
    printed { output in
      bytes.withUnsafeBufferPointer {
        UTF8Text.appendLossy($0, collapsingRuns: collapsing, to: &output)
      }
    }
  }

  @Test("Lossy decoding replaces each longest well-formed prefix, or each run, by one U+FFFD")
  func lossyDecoding() {
    #expect(lossy([0xFF]) == "\u{FFFD}")
    #expect(lossy([0x61, 0xFF, 0xFE, 0x62]) == "a\u{FFFD}\u{FFFD}b")
    #expect(lossy([0x61, 0xFF, 0xFE, 0x62], collapsing: true) == "a\u{FFFD}b")
    #expect(lossy([0xF0, 0x9F, 0x98]) == "\u{FFFD}")
    #expect(lossy([0xED, 0xA0, 0x80]) == "\u{FFFD}\u{FFFD}\u{FFFD}")
    #expect(lossy(Array("ÿ".utf8)) == "ÿ")
  }

  @Test("Validation and lossy decoding agree with the standard library on random bytes")
  func agreesWithTheLibrary() {
    var generator = SeededGenerator(seed: 1)
    let pieces: [[UInt8]] = [
      [0x41], Array("é".utf8), Array("€".utf8), Array("😀".utf8), [0x80], [0xC0, 0xAF],
      [0xE0, 0x80],
      [0xED, 0xA0, 0x80], [0xF0, 0x9F, 0x98], [0xF4, 0x90, 0x80, 0x80], [0xF5], [0xFF],
      Array("abcdefghij".utf8),
    ]
    for _ in 0..<5_000 {
      var bytes: [UInt8] = []
      for _ in 0..<Int.random(in: 0...6, using: &generator) {
        bytes += pieces.randomElement(using: &generator) ?? []
      }
      let decoded = String(decoding: bytes, as: UTF8.self)
      #expect(lossy(bytes) == decoded)
      let isValid = bytes.withUnsafeBufferPointer { UTF8Text.isValid($0) }
      #expect(isValid == Array(decoded.utf8).elementsEqual(bytes))
      let count = withBytes(decoded) { UTF8Text.codePointCount($0) }
      #expect(count == decoded.unicodeScalars.count)
      let reversed = printed { output in
        withBytes(decoded) { UTF8Text.appendReversed($0, to: &output) }
      }
      #expect(Array(reversed.unicodeScalars) == Array(decoded.unicodeScalars.reversed()))
    }
  }

  @Test("Positions count code points")
  func positions() {
    func offset(_ text: String, _ position: Int) -> Int? {
      withBytes(text) { UTF8Text.byteOffset($0, ofCodePoint: position) }
    }
    #expect(offset("aé😀b", 0) == 0)
    #expect(offset("aé😀b", 2) == 3)
    #expect(offset("aé😀b", 4) == 8)
    #expect(offset("aé😀b", 5) == nil)
    #expect(offset("aé😀b", -1) == nil)
    #expect(withBytes("e\u{301}") { UTF8Text.codePointCount($0) } == 2)
  }

  @Test(
    "trim takes Unicode white space and nothing else (docs/spec/cel.md §17)",
    arguments: [
      (" \u{c}\n\r\t\u{b}text  ", "text"), ("\u{85}\u{a0}\u{1680}text", "text"),
      ("text\u{2000}\u{2028}\u{202f}\u{205f}\u{3000}", "text"), ("", ""), (" \u{3000} ", ""),
      ("\u{180e}text\u{200b}\u{2060}\u{feff}", "\u{180e}text\u{200b}\u{2060}\u{feff}"),
      ("é x é", "é x é"),
    ])
  func trim(text: String, expected: String) {
    let trimmed = withBytes(text) { bytes in
      String(decoding: bytes[UTF8Text.trimmedRange(bytes)], as: UTF8.self)
    }
    #expect(trimmed == expected)
  }

  @Test("ASCII case leaves other letters alone")
  func asciiCase() {
    #expect(
      printed { output in
        withBytes("TacoCÆt Ä@[`{") { UTF8Text.appendLowercasedASCII($0, to: &output) }
      } == "tacocÆt Ä@[`{")
    #expect(
      printed { output in
        withBytes("tacoCæt ß@[`{") { UTF8Text.appendUppercasedASCII($0, to: &output) }
      } == "TACOCæT ß@[`{")
  }

  private func replace(_ text: String, _ needle: String, _ with: String, _ limit: Int = -1)
    -> String
  {
    printed { output in
      withBytes(text) { text in
        withBytes(needle) { needle in
          withBytes(with) {
            _ = UTF8Text.appendReplacing(needle, with: $0, in: text, limit: limit, to: &output)
          }
        }
      }
    }
  }

  @Test("replace goes left to right; an empty needle is before every code point and at the end")
  func replacing() {
    #expect(replace("12 days 12 hours", "{0}", "2") == "12 days 12 hours")
    #expect(replace("{0} days {0} hours", "{0}", "2") == "2 days 2 hours")
    #expect(replace("{0} days {0} hours", "{0}", "2", 1) == "2 days {0} hours")
    #expect(replace("aaaa", "aa", "b") == "bb")
    #expect(replace("né", "", "-") == "-n-é-")
    #expect(replace("né", "", "-", 2) == "-n-é")
    #expect(replace("", "", "-") == "-")
    #expect(replace("abc", "b", "x", 0) == "abc")
  }

  @Test("replace stops at the largest permitted length")
  func replacingIsBounded() {
    var output: [UInt8] = []
    let fits = withBytes(String(repeating: "a", count: 1_000)) { text in
      withBytes("a") { needle in
        withBytes(String(repeating: "b", count: 1_000)) {
          UTF8Text.appendReplacing(
            needle, with: $0, in: text, maximumLength: 10_000, to: &output)
        }
      }
    }
    #expect(!fits)
    #expect(output.count <= 10_000)
  }

  private func split(_ text: String, _ separator: String, _ limit: Int = -1) -> [String] {
    var pieces: [String] = []
    withBytes(text) { text in
      withBytes(separator) {
        UTF8Text.forEachPiece(of: text, separatedBy: $0, limit: limit) { range in
          pieces.append(String(decoding: text[range], as: UTF8.self))
        }
      }
    }
    return pieces
  }

  @Test("split (docs/spec/cel.md §17)")
  func splitting() {
    #expect(split("hello world", " ") == ["hello", "world"])
    #expect(split("hello world events!", " ", 0) == [])
    #expect(split("hello world events!", " ", 1) == ["hello world events!"])
    #expect(split("a,b,,c", ",") == ["a", "b", "", "c"])
    #expect(split("a,b,,c", ",", 3) == ["a", "b", ",c"])
    #expect(split("", ",") == [""])
    #expect(split("né😀", "") == ["n", "é", "😀"])
    #expect(split("né😀", "", 2) == ["n", "é😀"])
    #expect(split("", "") == [])
  }

  @Test("Search finds the same places as the naive search, forwards and backwards")
  func searching() {
    var generator = SeededGenerator(seed: 2)
    func random(_ count: Int) -> [UInt8] {
      (0..<count).map { _ in UInt8.random(in: 0x61...0x62, using: &generator) }
    }
    for round in 0..<4_000 {
      let text = random(Int.random(in: 0...(round % 10 == 0 ? 3_000 : 40), using: &generator))
      let needle = random(Int.random(in: 0...(round % 10 == 0 ? 14 : 5), using: &generator))
      let places = (0...max(0, text.count - needle.count)).filter {
        text.dropFirst($0).starts(with: needle)
      }
      text.withUnsafeBufferPointer { text in
        needle.withUnsafeBufferPointer { needle in
          #expect(UTF8Text.firstIndex(of: needle, in: text) == places.first)
          #expect(
            UTF8Text.lastIndex(of: needle, in: text, startingAtMost: text.count) == places.last)
          #expect(UTF8Text.hasPrefix(needle, in: text) == (places.first == 0))
          #expect(
            UTF8Text.hasSuffix(needle, in: text) == (places.last == text.count - needle.count))
        }
      }
    }
  }

  @Test("Search on hostile text is linear")
  func hostileSearch() {
    let text = [UInt8](repeating: 0x61, count: 1_000_000)
    let needle = [UInt8](repeating: 0x61, count: 200_000) + [0x62]
    let reversed = [0x62] + [UInt8](repeating: 0x61, count: 200_000)
    let clock = ContinuousClock()
    let time = clock.measure {
      text.withUnsafeBufferPointer { text in
        needle.withUnsafeBufferPointer {
          #expect(UTF8Text.firstIndex(of: $0, in: text) == nil)
          #expect(UTF8Text.lastIndex(of: $0, in: text, startingAtMost: text.count) == nil)
        }
        reversed.withUnsafeBufferPointer { #expect(!UTF8Text.contains($0, in: text)) }
      }
    }
    #expect(time < .seconds(10))
  }
}
