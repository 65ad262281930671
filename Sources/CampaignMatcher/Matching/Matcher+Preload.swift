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

extension Matcher {
  /// Finds the paywalls to load ahead. Nothing is recorded or counted.
  ///
  /// - Parameters:
  ///   - placements: only these triggers are looked at; `nil` means all.
  ///   - onScreen: the paywall that is on screen, which needs no loading.
  /// - Throws: ``StoreError`` when the store cannot be read.
  public func preloadSet(
    placements: Set<String>? = nil, onScreen: String? = nil
  ) throws(StoreError) -> PreloadSet {
    try state.withLock { state throws(StoreError) in
      try store.read { transaction throws(StoreError) in
        guard let compiled = state.compiled, !compiled.config.disablePreload.all else {
          return PreloadSet()
        }
        let disabled = Set(compiled.config.disablePreload.triggers.map(ExactName.init))
        let wanted = placements.map { Set($0.map(ExactName.init)) }
        let triggers = compiled.campaignTriggers(representativeOnly: false).filter { trigger in
          let placement = ExactName(trigger.trigger.placement)
          return !disabled.contains(placement) && wanted?.contains(placement) ?? true
        }
        // One trigger stands for its campaign, because every placement of a campaign carries all of
        // the campaign's audiences.
        func paywalls(of triggers: [CompiledTrigger]) throws(StoreError) -> [String] {
          // What is on screen needs no loading.
          var seen = Set([onScreen].compactMap(\.self).map(ExactName.init))
          var campaigns: Set<ExactName> = []
          var result: [String] = []
          for trigger in triggers {
            guard let campaign = trigger.trigger.audiences.first?.campaignID,
              campaigns.insert(ExactName(campaign)).inserted
            else { continue }
            for paywall in try preloadPaywalls(of: trigger, &state, transaction)
            where seen.insert(ExactName(paywall)).inserted {
              result.append(paywall)
            }
          }
          return result
        }
        var set = PreloadSet(all: try paywalls(of: triggers))
        if let prioritized = compiled.config.prioritizedCampaignID {
          set.prioritized = try paywalls(
            of: triggers.filter { trigger in
              trigger.trigger.audiences.contains { $0.campaignID.isExactly(prioritized) }
            })
        }
        return set
      }
    }
  }

  /// Tracks that preloading begins.
  ///
  /// - Throws: ``StoreError`` when the store cannot be written; nothing has happened then.
  public func notePreloadStart(count: Int) throws(StoreError) {
    try track([.preloadStart(count: count)])
  }

  /// Tracks that preloading is done.
  ///
  /// - Throws: ``StoreError`` when the store cannot be written; nothing has happened then.
  public func notePreloadComplete(count: Int) throws(StoreError) {
    try track([.preloadComplete(count: count)])
  }

  private func preloadPaywalls(
    of trigger: CompiledTrigger, _ state: inout MatcherState, _ transaction: any StoreTransaction
  ) throws(StoreError) -> [String] {
    var walk = try walkWithoutPlacement(&state, transaction)
    var result: [String] = []
    var hasMatched = false
    for (index, compiled) in trigger.audiences.enumerated() {
      switch compiled.audience.preload {
      case .never: continue
      case .always: break
      case .ifTrue:
        if hasMatched, options.preloadsOnlyFirstMatch { continue }
        guard try walk.match(compiled, index: index) != nil else { continue }
        hasMatched = true
      }
      let assignment = try assignment(
        of: compiled.audience.experimentID, state: state, transaction: transaction)
      guard let variant = assignment?.variant, variant.kind == .treatment,
        let paywall = variant.paywallIdentifier
      else { continue }
      result.append(paywall)
    }
    return result
  }

  /// Without a placement every parameter is missing. The reference makes `params` an empty string
  /// there, which a filter cannot tell from an empty map by reading parameters.
  private func walkWithoutPlacement(
    _ state: inout MatcherState, _ transaction: any StoreTransaction
  ) throws(StoreError) -> AudienceWalk {
    let now = clock.now()
    let base = try base(&state, transaction, at: now)
    return AudienceWalk(
      context: base.context, device: base.device, placement: nil, recordedAt: nil,
      reader: HistoryReader(now: now, zone: zone, options: options), transaction: transaction,
      reserved: state.reserved, detail: .result, failsEveryFilter: false, explain: explain)
  }
}
