import AudienceFilters
import CampaignAnalysis
import ExpressionEngine
import Testing

/// How many single mistakes in a config the synthetic users find.
@Suite("Synthetic users")
struct SynthesisTests {
  /// A filter with single mistakes: another operator, another constant, a clause less.
  static func mutants(of filter: String) -> [String] {
    var result: [String] = []
    func replaceEach(_ text: String, _ replacement: String) {
      var search = filter.startIndex
      while let range = filter[search...].firstRange(of: text) {
        result.append(filter.replacingCharacters(in: range, with: replacement))
        search = range.upperBound
      }
    }
    for (one, other) in [
      (" == ", " != "), (" != ", " == "), (" < ", " <= "), (" <= ", " < "), (" > ", " >= "),
      (" >= ", " > "), (" && ", " || "), (" || ", " && "), (" >= ", " < "), (" > ", " < "),
    ] {
      replaceEach(one, other)
    }
    // Constants: one more, one less, another text.
    var index = filter.startIndex
    while index < filter.endIndex {
      let character = filter[index]
      if character == "\"" {
        let start = filter.index(after: index)
        guard let end = filter[start...].firstIndex(of: "\"") else { break }
        if filter[..<index].last != "(" || !filter[..<index].hasSuffix("placementsInWeek(") {
          result.append(filter.replacingCharacters(in: end..<end, with: "q"))
        }
        index = filter.index(after: end)
        continue
      }
      let isStart =
        index == filter.startIndex || " ([,".contains(filter[filter.index(before: index)])
      if character.isNumber, isStart {
        let end = filter[index...].firstIndex { !$0.isNumber } ?? filter.endIndex
        if let number = Int(filter[index..<end]) {
          for other in [number - 1, number + 1] where other >= 0 {
            result.append(filter.replacingCharacters(in: index..<end, with: "\(other)"))
          }
        }
        index = end
        continue
      }
      index = filter.index(after: index)
    }
    let clauses = filter.components(at: " && ")
    if clauses.count > 1, !filter.contains("(") || clauses.allSatisfy(\.isBalanced) {
      for position in clauses.indices {
        var fewer = clauses
        fewer.remove(at: position)
        result.append(fewer.joined(separator: " && "))
      }
    }
    return result.filter { (try? Filter($0)) != nil }
  }

  static func mutants(of model: AnalysisModel) -> [AnalysisModel] {
    var result: [AnalysisModel] = []
    for (number, placement) in model.placements.enumerated() {
      for (index, audience) in placement.audiences.enumerated() {
        for text in mutants(of: audience.filter ?? "") {
          var copy = model
          copy.placements[number].audiences[index].filter = text
          result.append(copy)
        }
        guard index > 0 else { continue }
        var copy = model
        copy.placements[number].audiences.swapAt(index - 1, index)
        result.append(copy)
      }
    }
    return result
  }

  /// The share of the mutants that users tell from the config, mutants that mean the same left out.
  private func killRate(_ model: AnalysisModel, _ users: [UserTest]) -> (killed: Int, all: Int) {
    var killed = 0
    var all = 0
    let expected = users.map { $0.outcome(of: model) }
    for mutant in Self.mutants(of: model) {
      let changes = CampaignComparison(old: model, new: mutant, schema: .builtIn).changes()
      guard !changes.isEmpty else { continue }
      all += 1
      if zip(users, expected).contains(where: { $0.outcome(of: mutant) != $1 }) { killed += 1 }
    }
    return (killed, all)
  }

  private func tests(_ suite: SyntheticSuite) throws -> [UserTest] {
    try suite.users.map { try #require(UserTest($0.value)) }
  }

  @Test("at least 95 % of the single mistakes in the sample are found")
  func sample() throws {
    let model = try InjectedFaultTests.sample()
    let suite = CampaignSynthesis(model).suite()
    let users = try tests(suite)
    for user in users { #expect(user.outcome(of: model) == user.expected) }
    let (killed, all) = killRate(model, users)
    print("sample: \(killed) of \(all) mutants by \(users.count) users")
    #expect(all > 100)
    #expect(killed * 100 >= all * 95)
  }

  @Test("and in generated configs")
  func generated() throws {
    var random = TestRandom(state: 3)
    var killed = 0
    var all = 0
    var count = 0
    for _ in 0..<2 {
      let model = InjectedFaultTests.cleanModel(&random)
      let users = try tests(CampaignSynthesis(model).suite())
      let rate = killRate(model, users)
      killed += rate.killed
      all += rate.all
      count += users.count
    }
    print("generated: \(killed) of \(all) mutants by \(count) users")
    #expect(killed * 100 >= all * 95)
  }
}

extension String {
  fileprivate func components(at separator: String) -> [String] {
    var parts: [String] = []
    var rest = self[...]
    while let range = rest.firstRange(of: separator) {
      parts.append(String(rest[..<range.lowerBound]))
      rest = rest[range.upperBound...]
    }
    return parts + [String(rest)]
  }

  fileprivate func replacingCharacters(in range: Range<Index>, with text: String) -> String {
    String(self[..<range.lowerBound]) + text + self[range.upperBound...]
  }

  fileprivate var isBalanced: Bool {
    var depth = 0
    for character in self {
      if "([".contains(character) { depth += 1 }
      if ")]".contains(character) { depth -= 1 }
      if depth < 0 { return false }
    }
    return depth == 0
  }
}
