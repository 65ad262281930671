import TestSupport
import Testing

@testable import LanguageServer

@Suite("Texts of documents")
struct DocumentTextTests {
  private static let alphabet = [
    "a", "Z", " ", "\n", "\r", "\r\n", "é", "中", "😀", "\u{301}", "\"", "\\",
  ]

  private static func text(_ random: inout SeededGenerator, upTo count: Int) -> String {
    (0..<Int.random(in: 0...count, using: &random)).map { _ in
      // Long stretches of one kind, so that blocks of the index are of one kind, too.
      let piece = alphabet.randomElement(using: &random) ?? ""
      return String(repeating: piece, count: Int.random(in: 1...40, using: &random))
    }.joined()
  }

  /// The lines with their breaks, and the offset of each.
  private static func lines(_ text: String) -> [(offset: Int, content: [Unicode.Scalar])] {
    var lines: [(offset: Int, content: [Unicode.Scalar])] = [(0, [])]
    var offset = 0
    let scalars = Array(text.unicodeScalars)
    for (index, scalar) in scalars.enumerated() {
      offset += String(Character(scalar)).utf8.count
      let isBreak =
        scalar == "\n"
        || scalar == "\r" && !(index + 1 < scalars.count && scalars[index + 1] == "\n")
      if isBreak {
        lines.append((offset, []))
      } else if scalar != "\r" {
        lines[lines.count - 1].content.append(scalar)
      }
    }
    return lines
  }

  @Test("positions are those of a plain count", arguments: [PositionEncoding.utf8, .utf16])
  func positions(_ encoding: PositionEncoding) {
    var random = SeededGenerator(seed: 1)
    for _ in 0..<200 {
      let string = Self.text(&random, upTo: 40)
      let text = DocumentText(string, encoding: encoding)
      let lines = Self.lines(string)
      #expect(text.lineCount == lines.count)
      for (number, line) in lines.enumerated() {
        var offset = line.offset
        var column = 0
        for scalar in line.content + ["\0"] {
          let position = Position(line: number, character: column)
          #expect(text.position(of: offset) == position)
          #expect(text.offset(of: position) == offset)
          let character = String(Character(scalar))
          let units = encoding == .utf8 ? character.utf8.count : character.utf16.count
          if scalar != "\0" {
            for inside in 1..<max(units, 1) {
              // A column inside a character is its start.
              let place = Position(line: number, character: column + inside)
              #expect(text.offset(of: place) == offset)
            }
            offset += character.utf8.count
            column += units
          }
        }
        let beyond = Position(line: number, character: column + 7)
        #expect(text.offset(of: beyond) == offset, "past the end of a line is its end")
      }
      #expect(text.offset(of: Position(line: lines.count, character: 3)) == text.bytes.count)
      #expect(text.offset(of: Position(line: .max, character: .max)) == text.bytes.count)
    }
  }

  @Test("edits one after the other make the text that they make at once")
  func edits() {
    var random = SeededGenerator(seed: 2)
    for _ in 0..<200 {
      var string = Self.text(&random, upTo: 20)
      var text = DocumentText(string)
      for _ in 0..<10 {
        let scalars = string.unicodeScalars
        let indices = Array(scalars.indices) + [scalars.endIndex]
        let bounds = [indices.randomElement(using: &random), indices.randomElement(using: &random)]
          .compactMap(\.self).sorted()
        let insert = Self.text(&random, upTo: 3)
        let from = string.utf8.distance(from: string.startIndex, to: bounds[0])
        let to = string.utf8.distance(from: string.startIndex, to: bounds[1])
        let start = text.position(of: from)
        let end = text.position(of: to)
        // Between the two characters of a line break there is no position.
        guard text.offset(of: start) == from, text.offset(of: end) == to else { continue }
        string.unicodeScalars.replaceSubrange(bounds[0]..<bounds[1], with: insert.unicodeScalars)
        text.replace(from: start, to: end, with: insert)
        #expect(text.bytes == Array(string.utf8))
        let fresh = DocumentText(string)
        var cursor = DocumentText.Cursor(text)
        var offsets = (0..<20).map { _ in Int.random(in: 0...text.bytes.count, using: &random) }
        if Bool.random(using: &random) { offsets.sort() }
        for offset in offsets {
          #expect(text.position(of: offset) == fresh.position(of: offset))
          #expect(cursor.position(of: offset) == fresh.position(of: offset))
        }
      }
    }
  }
}
