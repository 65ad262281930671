/// The paywalls to load ahead (docs/spec/campaigns.md §2.8).
public struct PreloadSet: Sendable, Hashable {
  /// Those of the prioritised campaign, to be loaded first; empty without one.
  public var prioritized: [String]
  /// All of them, in the order of the config.
  public var all: [String]

  /// Creates a set.
  public init(prioritized: [String] = [], all: [String] = []) {
    self.prioritized = prioritized
    self.all = all
  }
}

extension CompiledCampaigns {
  /// The paywalls to load ahead.
  ///
  /// - Parameters:
  ///   - situation: The user and the moment.
  ///   - placements: Only these triggers are considered, and nothing is prioritised; `nil` means all.
  ///   - onScreen: The paywall on screen, which needs no loading.
  /// - Throws: ``StoreError`` when the history, the occurrences or the assignments cannot be read.
  public func preloadSet(
    in situation: MatchSituation, placements: Set<String>? = nil, onScreen: String? = nil
  ) throws(StoreError) -> PreloadSet {
    guard !config.disablePreload.all else { return PreloadSet() }
    let disabled = Set(config.disablePreload.triggers.map { Self.name($0, options) })
    let wanted = placements.map { Set($0.map { Self.name($0, options) }) }
    let triggers = campaignTriggers().filter { trigger in
      let placement = Self.name(trigger.trigger.placement, options)
      return !disabled.contains(placement) && wanted?.contains(placement) ?? true
    }
    var set = PreloadSet(all: try paywalls(of: triggers, situation, onScreen))
    if let prioritized = config.prioritizedCampaignID, placements == nil {
      let first = triggers.filter { trigger in
        trigger.audiences.contains { $0.audience.campaignID.isExactly(prioritized) }
      }
      set.prioritized = try paywalls(of: first, situation, onScreen)
    }
    return set
  }

  /// The paywalls of triggers, of which one stands for its campaign, because every placement of a
  /// campaign carries all of the campaign's audiences.
  private func paywalls(
    of triggers: [CompiledTrigger], _ situation: MatchSituation, _ onScreen: String?
  ) throws(StoreError) -> [String] {
    var seen = Set([onScreen].compactMap(\.self).map(ExactName.init))
    var campaigns: Set<ExactName> = []
    var result: [String] = []
    for trigger in triggers {
      guard let campaign = trigger.trigger.audiences.first?.campaignID,
        campaigns.insert(ExactName(campaign)).inserted
      else { continue }
      for paywall in try paywalls(of: trigger, situation)
      where seen.insert(ExactName(paywall)).inserted {
        result.append(paywall)
      }
    }
    return result
  }

  /// Without a placement every parameter is missing. The reference makes `params` an empty text then,
  /// which a filter that reads parameters cannot tell from an empty map.
  private func paywalls(
    of trigger: CompiledTrigger, _ situation: MatchSituation
  ) throws(StoreError) -> [String] {
    let walk = try AudienceWalk(self, trigger, nil, situation)
    defer { walk.end() }
    var result: [String] = []
    var hasMatched = false
    for compiled in trigger.audiences {
      switch compiled.audience.preload {
      case .never: continue
      case .always: break
      case .ifTrue:
        if hasMatched, options.preloadsOnlyFirstMatch { continue }
        guard try walk.matches(compiled) else { continue }
        hasMatched = true
      }
      guard
        let variant = try situation.assignments.assignment(of: compiled.audience.experimentID)?
          .variant,
        variant.kind == .treatment, let paywall = variant.paywallIdentifier
      else { continue }
      result.append(paywall)
    }
    return result
  }
}
