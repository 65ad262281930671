/// The paywalls to load ahead (docs/spec/campaigns.md §2.8).
public struct PreloadSet: Sendable, Equatable {
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
    var campaigns: Set<ExactName> = []
    var experiments: [(id: String, isPassedOver: Bool)] = []
    for trigger in triggers {
      guard let campaign = trigger.trigger.audiences.first?.campaignID,
        campaigns.insert(ExactName(campaign)).inserted
      else { continue }
      experiments += try preloadedExperiments(of: trigger, situation)
    }
    // An experiment that one audience passes over is not loaded for another one either.
    let passedOver = Set(experiments.filter(\.isPassedOver).map { ExactName($0.id) })
    var seen = Set([onScreen].compactMap(\.self).map(ExactName.init))
    var result: [String] = []
    for (id, _) in experiments where !passedOver.contains(ExactName(id)) {
      guard let variant = try situation.assignments.assignment(of: id)?.variant,
        variant.kind == .treatment, let paywall = variant.paywallIdentifier,
        seen.insert(ExactName(paywall)).inserted
      else { continue }
      result.append(paywall)
    }
    return result
  }

  /// Returns the experiments of a trigger, and whether their audiences are to be passed over.
  ///
  /// Without a placement every parameter is missing. The reference makes `params` an empty text then,
  /// which a filter that reads parameters cannot tell from an empty map.
  private func preloadedExperiments(
    of trigger: CompiledTrigger, _ situation: MatchSituation
  ) throws(StoreError) -> [(id: String, isPassedOver: Bool)] {
    let walk = try AudienceWalk(self, trigger, situation)
    defer { walk.end() }
    var result: [(id: String, isPassedOver: Bool)] = []
    var hasMatched = false
    for compiled in trigger.audiences {
      let isLoaded: Bool
      switch compiled.audience.preload {
      case .never: isLoaded = false
      case .always: isLoaded = true
      case .ifTrue:
        let isNext = !hasMatched || !options.preloadsOnlyFirstMatch
        isLoaded = isNext ? try walk.matches(compiled) : false
        hasMatched = hasMatched || isLoaded
      }
      result.append((compiled.audience.experimentID, !isLoaded))
    }
    return result
  }
}
