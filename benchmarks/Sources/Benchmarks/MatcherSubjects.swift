import AudienceFilters
import CampaignCore
import CampaignMatcher
import ExpressionCoding
import ExpressionEngine
import Harness

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Placements of the sample campaign, previewed and registered.
struct MatcherSubjects {
  private let config: Value
  private let context: [String: Value]

  /// - Parameter folder: The sample campaign: `config.json` and `contexts/`.
  init(folder: URL) throws {
    func value(_ name: String) throws -> Value {
      try Value(
        json: String(decoding: Data(contentsOf: folder.appending(path: name)), as: UTF8.self))
    }
    config = try value("config.json")
    context = try value("contexts/new-visitor.json").members
  }

  func cases() throws -> [BenchmarkCase] {
    try ConfigDecoder().decode(config).config.triggers.map(\.placement).map { placement in
      let matcher = try Matcher(.init(clock: ManualClock(WallTime(seconds: 1_800_000_000))))
      try matcher.load(config)
      matcher.device.set(values: context["device"]?.members ?? [:])
      var request = MatchRequest(placement, parameters: context["params"]?.members ?? [:])
      request.user = context["user"]?.members ?? [:]
      let wanted = request
      return BenchmarkCase(
        name: placement,
        subjects: [
          ClosureSubject(name: "preview", expectedSum: 1) { iterations in
            countAnswers(iterations) { try matcher.previewNow(wanted) }
          },
          ClosureSubject(name: "register", expectedSum: 1) { iterations in
            countAnswers(iterations) { try matcher.registerNow(wanted) }
          },
        ])
    }
  }
}

extension Value {
  fileprivate var members: [String: Value] {
    guard case .map(let entries) = self else { return [:] }
    var result: [String: Value] = [:]
    for case (.string(let name), let value) in entries { result[name] = value }
    return result
  }
}

/// Asks so many times and counts the answers.
@inline(never)
func countAnswers<Answer>(_ count: Int, _ ask: () throws -> Answer) -> UInt64 {
  var answers: UInt64 = 0
  for _ in 0..<count where (try? ask()) != nil { answers &+= 1 }
  return answers
}
