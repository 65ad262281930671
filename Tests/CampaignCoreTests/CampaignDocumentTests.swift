import CampaignCore
import Foundation
import TestSupport
import Testing

/// `docs/campaigns.md` against the sources that it tells of.
@Suite("The guide to campaigns")
struct CampaignDocumentTests {
  private static let guide = TestFiles.root.appending(path: "docs/campaigns.md")

  /// An option as the source declares it.
  private struct Option {
    var name: String
    var text: String
  }

  /// The public variables of a type in a source file, with their comments on one line.
  private static func options(of type: String, in source: String) throws -> [Option] {
    let body = try #require(source.range(of: "public struct \(type): Sendable, "))
    var result: [Option] = []
    var comment: [String] = []
    for line in source[body.upperBound...].split(separator: "\n", omittingEmptySubsequences: false)
    {
      // The next type begins where this one ends.
      if line == "}" { break }
      if line.hasPrefix("  /// ") {
        comment.append(String(line.dropFirst(6)))
        continue
      }
      if line.hasPrefix("  public var "), line.contains(" = ") {
        let name = line.dropFirst(13).prefix { $0 != ":" && $0 != " " }
        result.append(Option(name: String(name), text: comment.joined(separator: " ")))
      }
      comment = []
    }
    return result
  }

  private static func table() throws -> String {
    let source = try String(
      contentsOf: TestFiles.root.appending(
        path: "Sources/Runtime/CampaignCore/MatchingOptions.swift"),
      encoding: .utf8)
    var text = "| option | what it decides |\n|---|---|\n"
    for (type, prefix) in [("MatchingOptions", ""), ("ConfigRules", "config.")] {
      for option in try options(of: type, in: source) {
        text += "| `\(prefix)\(option.name)` | \(option.text.replacing("``", with: "`")) |\n"
      }
    }
    return text
  }

  @Test("the table of platform differences is the one of the source")
  func options() throws {
    let table = try Self.table()
    #expect(table.split(separator: "\n").count > 25)
    var text = try String(contentsOf: Self.guide, encoding: .utf8)
    let begin = try #require(text.range(of: "<!-- options begin -->\n"))
    let end = try #require(text.range(of: "<!-- options end -->"))
    if ProcessInfo.processInfo.environment["SWEXPR_BLESS"] != nil {
      text.replaceSubrange(begin.upperBound..<end.lowerBound, with: table)
      try text.write(to: Self.guide, atomically: true, encoding: .utf8)
    } else {
      #expect(text[begin.upperBound..<end.lowerBound] == table)
    }
  }

  @Test("the test vectors of bucketing are right")
  func vectors() throws {
    let text = try String(contentsOf: Self.guide, encoding: .utf8)
    var count = 0
    for line in text.split(separator: "\n") where line.contains("| `0x") {
      let cells = line.split(separator: "|").map { cell in
        let text = cell.trimmingCharacters(in: CharacterSet(charactersIn: " `"))
        return text == "(empty)" ? "" : text
      }
      try #require(cells.count == 5)
      let hash = DeterministicBucketing.hash(
        unitID: cells[0], experimentID: cells[1], variantID: cells[2])
      #expect(hash == UInt64(cells[3].dropFirst(2), radix: 16))
      #expect(DeterministicBucketing.cost(of: hash) == UInt64(cells[4]))
      count += 1
    }
    #expect(count == 7)
  }
}
