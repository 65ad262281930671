import CampaignAnalysis
import CampaignCore
import ExpressionEngine
import Testing

/// Reports for people list a few changes, and say how many are left.
@Suite("The length of reports")
struct ReportLengthTests {
  /// A placement whose audiences have users of their own, two changes each for another value.
  private static func model(_ count: Int, _ value: Int) -> AnalysisModel {
    AnalysisModel(placements: [
      AnalysisModel.Placement(
        name: "open",
        audiences: (0..<count).map { index in
          AnalysisModel.Audience(
            experimentID: "e\(index)", filter: "user.k == \(10 * index + value)")
        })
    ])
  }

  @Test("eight changes are listed, or all", arguments: [(4, 8), (5, 10), (9, 18)])
  func changes(_ audiences: Int, _ count: Int) {
    let changes = CampaignComparison(old: Self.model(audiences, 1), new: Self.model(audiences, 2))
      .changes()
    #expect(changes.placements.first?.changes.count == count)
    #expect(!changes.text(full: true).contains("--full"))
    let short = changes.text()
    #expect(short.contains("more change") == (count > 8))
    #expect(short.contains("and \(count - 8) more changes: see --full") == (count > 8))
  }

  @Test("filters are listed up to a length, and the first one whatever its length")
  func longFilters() {
    func filters(_ length: Int) -> [Substring] {
      func model(_ letter: Character) -> AnalysisModel {
        let text = "\"\(String(repeating: letter, count: length))\""
        return ProverTests.model("user.k == \(text) || user.j == \(text)")
      }
      return CampaignComparison(old: model("a"), new: model("b")).changes().text()
        .split(separator: "\n").filter { $0.contains("user.k ") || $0.contains("user.j ") }
    }
    #expect(filters(20).count > filters(600).count)
    #expect(filters(600).contains { $0.contains("more characters") })
  }

  @Test("a bar in a name does not end a cell of a table")
  func cells() {
    func model(_ value: Int) -> AnalysisModel {
      AnalysisModel(placements: [
        .init(name: "open", audiences: [.init(experimentID: "a||b", filter: "user.k == \(value)")])
      ])
    }
    let table = CampaignComparison(old: model(1), new: model(2)).changes().markdown()
    #expect(table.contains(#"a\|\|b"#))
  }
}
