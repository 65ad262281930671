import AudienceFilters
import CampaignAnalysis
import CampaignCore

/// The audiences of a config, compiled once; immutable, and used by all threads at once.
struct Audiences: Sendable {
  private let campaigns: CompiledCampaigns

  /// Compiles the filters of a config.
  ///
  /// - Throws: `ConfigError`, or `UnusableFilter` for a filter that does not compile. A server had
  ///   better not start than serve half a config.
  init(_ config: ConfigDocument) throws {
    let (config, diagnostics) = try ConfigDecoder().decode(config)
    campaigns = CompiledCampaigns(
      config, diagnostics: diagnostics, explain: FilterExplanation.init(of:in:))
    let problem = campaigns.diagnostics.first { $0.kind == .invalidFilter }
    if let problem { throw UnusableFilter(description: problem.description) }
  }

  struct UnusableFilter: Error, CustomStringConvertible {
    var description: String
  }

  var names: [String] { campaigns.config.triggers.map(\.placement).sorted() }

  /// What a placement leads to for a user; `nil` if there is no such placement.
  ///
  /// The server remembers nobody: limits count nothing, and variants are chosen by hash.
  ///
  /// - Parameter variables: `user`, `device` and `params`.
  /// - Throws: Nothing, as long as the history and the limits are in memory.
  func answer(
    _ placement: String, _ variables: [String: Value]
  ) throws(StoreError) -> Value? {
    guard campaigns.contains(placement) else { return nil }
    let user = Self.object(variables["user"])
    var request = MatchRequest(placement, parameters: Self.object(variables["params"]))
    // Reasons are there for those who want to know.
    request.detail = .full
    let unit = if case .string(let id)? = user["id"] { id } else { "" }
    let situation = MatchSituation(
      now: .now,
      attributes: BaseAttributes(
        user: user, device: Self.object(variables["device"]),
        identity: UserIdentity(aliasID: unit, seed: UserSeed.iOS.seed(of: unit))),
      assignments: BucketedAssignments(campaigns, unitID: unit))
    let decision = try campaigns.decide(request, in: situation)
    let unmatched = decision.audiences.filter { $0.outcome == .expression }.map { audience in
      [
        "experiment": .string(audience.experimentID),
        "reason": .string(audience.failingCondition ?? ""),
      ] as Value
    }
    let variant = decision.result.experiment?.variant
    var answer: [Value.Key: Value] = [
      "result": .string(decision.result.caseName), "unmatched": .list(unmatched),
    ]
    if let experiment = decision.result.experiment {
      answer["experiment"] = .string(experiment.id)
      answer["variant"] = .string(experiment.variant.id)
      answer["paywall"] = variant?.paywallIdentifier.map { .string($0) } ?? .null
    }
    return .map(answer)
  }

  private static func object(_ value: Value?) -> [String: Value] {
    guard case .map(let entries)? = value else { return [:] }
    var object: [String: Value] = [:]
    for case (.string(let name), let value) in entries { object[name] = value }
    return object
  }
}
