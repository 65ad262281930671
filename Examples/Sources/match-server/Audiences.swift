import AudienceFilters
import CampaignMatcher

/// The audiences of a config, compiled once; immutable, and used by all threads at once.
struct Audiences: Sendable {
  private struct Compiled: Sendable {
    let audience: Audience
    /// `nil` matches everyone.
    let filter: Filter?
  }

  private let placements: [String: [Compiled]]

  /// Compiles the filters of a config.
  ///
  /// - Throws: `ConfigError`, or `FilterError` for a filter that does not compile. A server had better
  ///   not start than serve half a config.
  init(_ config: ConfigDocument) throws {
    var placements: [String: [Compiled]] = [:]
    for trigger in try ConfigDecoder().decode(config).config.triggers {
      placements[trigger.placement] = try trigger.audiences.map { audience in
        Compiled(audience: audience, filter: try audience.expression.map { try Filter($0) })
      }
    }
    self.placements = placements
  }

  var names: [String] { placements.keys.sorted() }

  /// What a placement leads to for a user; `nil` if there is no such placement.
  ///
  /// - Parameter variables: `user`, `device` and `params`.
  func answer(_ placement: String, _ variables: [String: Value]) -> Value? {
    guard let audiences = placements[placement] else { return nil }
    let context = Context(variables: variables)
    var unmatched: [Value] = []
    for compiled in audiences {
      guard compiled.filter?.matches(context) ?? true else {
        // An explanation is made only for those who want to know.
        let reason = compiled.filter?.explain(context).headline ?? ""
        unmatched.append([
          "experiment": .string(compiled.audience.experimentID), "reason": .string(reason),
        ])
        continue
      }
      let variant = DeterministicBucketing.choose(
        from: compiled.audience.variants, unitID: Self.unit(of: variables),
        experimentID: compiled.audience.experimentID)
      return [
        "result": .string(variant?.kind == .holdout ? "holdout" : "paywall"),
        "experiment": .string(compiled.audience.experimentID),
        "variant": variant.map { .string($0.id) } ?? .null,
        "paywall": variant?.paywallIdentifier.map { .string($0) } ?? .null,
        "unmatched": .list(unmatched),
      ]
    }
    return ["result": "noAudienceMatch", "unmatched": .list(unmatched)]
  }

  /// What is bucketed: the user's id.
  private static func unit(of variables: [String: Value]) -> String {
    guard case .map(let user)? = variables["user"], case .string(let id)? = user["id"] else {
      return ""
    }
    return id
  }
}
