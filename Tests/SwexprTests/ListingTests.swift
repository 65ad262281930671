@_spi(Tools) import ExpressionEngine
import ExpressionSyntax
import FilterCorpus
import Foundation
import TestSupport
import Testing

@Suite("Listings")
struct ListingTests {
  /// All filters of the superscript corpus that compile.
  private static func filters() throws -> [Filter] {
    try CaseFile.cases(at: TestFiles.path("corpus/superscript")).compactMap {
      guard case .expression(let text) = $0.request.question else { return nil }
      return try? Filter(SourceText(text), environment: $0.request.environment)
    }
  }

  @Test("the code of every filter of the corpus is listed, one line an instruction")
  func disassembly() throws {
    let filters = try Self.filters()
    #expect(filters.count > 3000)
    for filter in filters {
      let lines = filter.disassembly.split(separator: "\n", omittingEmptySubsequences: false)
      // The header says how many instructions follow; each line starts with its number.
      let header = try #require(lines.first)
      let count = header.split(separator: ", ").first { $0.contains("instruction") }
        .flatMap { Int($0.prefix { $0.isNumber }) }
      let numbered = lines.dropFirst().prefix { $0.hasPrefix("  ") }
      #expect(numbered.count == count, "\(filter.source.text)")
      for (index, line) in numbered.enumerated() {
        #expect(Int(line.dropFirst(2).prefix(4)) == index)
        // Columns are padded, but lines do not end in spaces.
        #expect(line.last != " ")
      }
      #expect(!filter.opcodeLegend.isEmpty)
    }
  }

  @Test("the graph of every filter of the corpus that has one is listed, one line a decision")
  func decisions() throws {
    var graphs = 0
    for filter in try Self.filters() {
      guard let listing = filter.decisionListing else { continue }
      graphs += 1
      let lines = listing.split(separator: "\n")
      let count = try #require(lines.first?.split(separator: " ").first.flatMap { Int($0) })
      #expect(lines.count == count + 1, "\(filter.source.text)")
      for (index, line) in lines.dropFirst().enumerated() {
        #expect(Int(line.dropFirst(2).prefix(4)) == index)
        #expect(line.last != " ")
        // What a decision leads to stands below it.
        for target in line.split(separator: ": ").dropFirst() {
          guard let number = Int(target.prefix { $0.isNumber }) else { continue }
          #expect(index < number && number < count, "\(line)")
        }
      }
    }
    #expect(graphs > 300)
  }

  @Test("the intermediate form names only operands that stand above")
  func intermediate() throws {
    for text in [
      "user.age >= 18 && device.platform == \"iOS\"", "[1, user.a].exists(x, x > 3) ? 1 : 2",
      "{\"a\": user.b}[\"a\"] + -user.c", "has(user.a) || user.name.matches(\"a+\")",
    ] {
      let listing = try Filter.intermediateText(of: SourceText(text), environment: .standard)
      for (index, line) in listing.split(separator: "\n").enumerated() {
        let node = try #require(line.split(separator: ";").first)
        let numbers = node.split(separator: "%").dropFirst().compactMap {
          Int($0.prefix { $0.isNumber })
        }
        #expect(numbers.first == index)
        #expect(numbers.dropFirst().allSatisfy { $0 < index }, "\(line)")
      }
    }
  }
}
