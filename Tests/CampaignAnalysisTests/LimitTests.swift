import AudienceFilters
import CampaignAnalysis
import ExpressionEngine
import FilterAnalysis
import TestSupport
import Testing

/// Inputs that are too large to be analysed: the outcome is "not decided", and never a wrong
/// finding.
@Suite("Limits of the analysis")
struct LimitTests {
  /// Filters about one long text, by how they search for it.
  static let searches = ["startsWith", "endsWith", "contains"]

  private func filter(_ search: String, _ count: Int) -> String {
    "user.d.\(search)(\"\(String(repeating: "a", count: count))\")"
  }

  @Test("long texts are decided up to a limit, and free beyond", arguments: searches)
  func longTexts(_ search: String) {
    for (count, isDecided) in [(1_000, true), (65_535, false), (65_536, false), (70_000, false)] {
      let filter = filter(search, count)
      let proof = CampaignProver(ProverTests.model(filter, filter)).proof()
      #expect(proof.freeParts.map(\.reason) == (isDecided ? [] : [.tooManyClasses]), "\(count)")
      // Both audiences have the same users, whoever these are.
      #expect(proof.faults.map(\.kind) == [.shadowedAudience], "\(count)")
    }
  }

  @Test("every part of the analysis takes long texts", arguments: searches)
  func longTextsEverywhere(_ search: String) throws {
    let old = ProverTests.model(filter(search, 70_000))
    let new = ProverTests.model("\(filter(search, 70_000)) && user.a == 1")
    let changes = CampaignComparison(old: old, new: new).changes()
    #expect(changes.placements.count == 1)
    #expect(changes.freeParts.map(\.reason) == [.tooManyClasses])
    // No value is found that has the long text, so that one side of the condition is left open.
    let suite = CampaignSynthesis(old).suite()
    #expect(suite.users.count + suite.openQuestions.count >= 2)
    let parsed = ParsedFilter(try Filter(filter(search, 70_000)))
    #expect(FilterProver().diagnostics(parsed).isEmpty)
  }

  /// All texts of up to four letters.
  private static let shortTexts = allTexts(of: ["a", "b", "ä"], upTo: 4)

  @Test("searches for several words find nobody only where nobody is", arguments: 0..<8)
  func severalWords(_ part: Int) throws {
    var random = TestRandom(state: 40 + UInt64(part))
    var dead = 0
    for _ in 0..<12 {
      func word() -> String {
        (0...random.below(3)).map { _ in random.pick(["a", "b", "ä"]) }.joined()
      }
      let conditions = (0...random.below(4)).map { _ -> String in
        let sign = random.isLucky(percent: 40) ? "!" : ""
        return switch random.below(6) {
        case 0: "\(sign)user.d.startsWith(\"\(word())\")"
        case 1: "\(sign)user.d.endsWith(\"\(word())\")"
        case 2, 3: "\(sign)user.d.contains(\"\(word())\")"
        case 4: "user.d \(random.pick(["<", ">=", "=="])) \"\(word())\""
        default: "size(user.d) < \(random.below(6))"
        }
      }
      let text = conditions.joined(separator: " && ")
      let filter = try Filter(text)
      let proof = CampaignProver(ProverTests.model(text)).proof()
      #expect(proof.freeParts.isEmpty, "\(text)")
      let isDead = proof.faults.contains { $0.kind == .deadAudience }
      if isDead { dead += 1 }
      let match = Self.shortTexts.first { candidate in
        filter.matches(Context(variables: ["user": .map([.string("d"): .string(candidate)])]))
      }
      // Longer texts may be needed, so that the reverse is not asked.
      #expect(!isDead || match == nil, "\(text) matches \(match ?? "")")
    }
    #expect(dead > 0)
  }

  @Test("conditions beside each other that ask for one value take a few nodes, however many")
  func wide() {
    let texts = (0..<3_000).map { "user.a == \"t\($0)\"" }.joined(separator: " || ")
    let numbers = (0..<3_000).map { "user.a != \($0)" }.joined(separator: " && ")
    let proof = CampaignProver(
      ProverTests.model(texts, numbers, "user.a == \"t1\""),
      limits: AnalysisLimits(nodes: 100, branches: 30_000)
    ).proof()
    // The last one has the users of the first.
    #expect(proof.faults.map(\.kind) == [.shadowedAudience])
    #expect(proof.faults.first?.related.map(\.index) == [0])
  }

  @Test("a filter beyond the number of conditions may be anything")
  func conditions() {
    let proof = CampaignProver(
      ProverTests.model("user.a == 1", "user.a == 1 && user.b == 2", "user.c == 3 && false"),
      limits: AnalysisLimits(conditions: 2)
    ).proof()
    #expect(proof.freeParts.map(\.reason) == [.size])
    #expect(proof.freeParts.map(\.text) == ["user.c == 3 && false"])
    #expect(proof.faults.map(\.kind) == [.shadowedAudience])
  }

  @Test("a way through more values than can be walked is left open")
  func long() {
    let names = (0..<5_000).map { "user.a\($0) == 1" }
    let model = AnalysisModel(placements: [
      // The values are asked for in the order of the first placement, so that each condition of the
      // second one comes before those that were read.
      AnalysisModel.Placement(
        name: "first",
        audiences: names.enumerated().map {
          AnalysisModel.Audience(experimentID: "\($0)", filter: $1)
        }),
      AnalysisModel.Placement(
        name: "second",
        audiences: [
          AnalysisModel.Audience(
            experimentID: "x", filter: names.reversed().joined(separator: " && "))
        ]),
    ])
    let proof = CampaignProver(model).proof()
    #expect(proof.openQuestions.map(\.placement) == ["second"])
  }
}
