import ExpressionCoding
import ExpressionEngine
import ExpressionSyntax
import Foundation
import TestSupport
import Testing

@testable import LanguageServer

@Suite("Filters in JSON")
struct JSONTextTests {
  @Test("a string is decoded as the strict reader decodes it, and every place has its way back")
  func strings() throws {
    var random = SeededGenerator(seed: 3)
    for entry in CorpusFilters.all + [.init(dialect: .cel, text: "a😀b\u{301}é\n\"\\/")] {
      let quoted = Configs.quotedAtRandom(entry.text, &random)
      let document = Array("[1, \(quoted)]".utf8)
      let content = 5..<document.count - 2
      let text = JSONStringText(content, in: document, hasEscapes: true)
      #expect(try Value(json: quoted) == .string(entry.text))
      #expect(text.bytes == Array(entry.text.utf8))
      #expect(text.isValid)
      var previous = 0
      for offset in 0...text.bytes.count {
        let place = text.writtenOffset(of: offset)
        #expect(place >= previous && place <= content.count)
        previous = place
        let isBoundary = offset == text.bytes.count || text.bytes[offset] & 0xC0 != 0x80
        if isBoundary { #expect(text.decodedOffset(of: place) == offset) }
      }
    }
  }

  @Test("half a surrogate pair, unknown escapes and cut ones do not stop the reader")
  func brokenEscapes() {
    for (raw, decoded) in [
      (#"\ud800x"#, "\u{FFFD}x"), (#"\udc00"#, "\u{FFFD}"), (#"\ud800\u0041"#, "\u{FFFD}A"),
      (#"\q"#, "\u{FFFD}q"), (#"\u12"#, "\u{FFFD}12"), (#"\"#, "\u{FFFD}"), (#"a\é"#, "a\u{FFFD}é"),
    ] {
      let document = Array(raw.utf8)
      let text = JSONStringText(0..<document.count, in: document, hasEscapes: true)
      #expect(String(decoding: text.bytes, as: UTF8.self) == decoded)
      #expect(!text.isValid)
    }
  }

  private static func configs() throws -> [String] {
    let folder = TestFiles.root.appending(path: "corpus/campaigns")
    let files = try #require(
      FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil))
    return files.compactMap { $0 as? URL }.filter { $0.pathExtension == "json" }
      .compactMap { try? String(contentsOf: $0, encoding: .utf8) }
      // Some are broken on purpose.
      .filter { (try? Value(json: $0)) != nil }
  }

  /// The strings, names included, and the brackets of a text, by the strict reader.
  private static func strictTokens(_ text: String) throws -> [String] {
    try text.withJSONBytes { bytes in
      var scanner = JSONScanner(bytes)
      var result: [String] = []
      while true {
        switch try scanner.nextToken() {
        case .key: result.append("key \(scanner.stringValue)")
        case .string: result.append("string \(scanner.stringValue)")
        case .beginArray: result.append("array")
        case .beginObject: result.append("object")
        case .endArray, .endObject: break
        case .end: return result
        default: result.append("other")
        }
      }
    }
  }

  @Test("valid JSON is read as the strict reader reads it")
  func valid() throws {
    let configs = try Self.configs()
    #expect(configs.count > 20)
    for text in configs {
      let bytes = Array(text.utf8)
      let outline = JSONOutline(bytes)
      var tokens: [String] = []
      for node in outline.nodes {
        func decoded(_ content: Range<Int>) -> String {
          let string = JSONStringText(content, in: bytes, hasEscapes: true)
          return String(decoding: string.bytes, as: UTF8.self)
        }
        if let key = node.key { tokens.append("key \(decoded(key))") }
        switch node.kind {
        case .object: tokens.append("object")
        case .array: tokens.append("array")
        case .string:
          tokens.append("string \(decoded(node.span.lowerBound + 1..<node.span.upperBound - 1))")
        case .other: tokens.append("other")
        }
        #expect(node.isClosed)
      }
      #expect(try tokens == Self.strictTokens(text))
    }
  }

  @Test("broken JSON is read to its end, with places inside the text")
  func broken() {
    var random = SeededGenerator(seed: 4)
    let config = Array(Configs.text(CorpusFilters.superscript.prefix(6).map(\.self)).utf8)
    for _ in 0..<3_000 {
      var bytes = config
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0:
          bytes.removeSubrange(
            place..<min(place + Int.random(in: 1...200, using: &random), bytes.count))
        case 1: bytes.insert("{}[]\",:\\\n".utf8.randomElement(using: &random) ?? 0, at: place)
        default: bytes.removeSubrange(place...)
        }
        if bytes.isEmpty { break }
      }
      let outline = JSONOutline(bytes)
      for (index, node) in outline.nodes.enumerated() {
        #expect(node.span.lowerBound >= 0 && node.span.upperBound <= bytes.count)
        #expect(node.next > index && node.next <= outline.nodes.count)
      }
      _ = ConfigOutline(bytes)
    }
  }

  @Test("while one filter is broken out of its quotes, the others are still found")
  func neighbours() {
    let text = Configs.text(["user.a == 1", "user.b == 2", "user.c == 3"])
      .replacing("\"user.b == 2\"", with: "\"user.b == \"x\" && ")
    let bytes = Array(text.utf8)
    let outline = ConfigOutline(bytes)
    let filters = outline.filters.map { outline.text(of: $0, in: bytes) }
    #expect(filters == ["user.a == 1", "user.b == ", "user.c == 3"])
  }
}
