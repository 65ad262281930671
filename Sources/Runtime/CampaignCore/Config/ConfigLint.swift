/// Finds what decodes but probably is not meant: duplicates, impossible weights and limits, audiences
/// that nobody can reach.
struct ConfigLint {
  private typealias Place = (trigger: Int, audience: Int)

  let config: CampaignConfig
  let log: ConfigLog

  func run() {
    checkTriggers()
    let paywalls = Set(config.paywalls.map { ExactName($0.identifier) })
    var last: [ExactName: Place] = [:]
    last.reserveCapacity(config.triggers.reduce(0) { $0 + $1.audiences.count })
    for (triggerIndex, trigger) in config.triggers.enumerated() {
      checkReach(of: trigger, at: triggerIndex)
      for (index, audience) in trigger.audiences.enumerated() {
        let place = (trigger: triggerIndex, audience: index)
        checkVariants(of: audience, at: place, paywalls: paywalls)
        checkLimit(of: audience, at: place)
        if let earlier = last.updateValue(place, forKey: ExactName(audience.experimentID)),
          variantIDs(at: earlier) != variantIDs(at: place)
        {
          log.warn(
            .conflictingExperiment, Self.path(place, ".variants"),
            "experiment \"\(audience.experimentID)\" has other variants in an earlier audience")
        }
      }
    }
  }

  private func variantIDs(at place: Place) -> Set<ExactName> {
    let audience = config.triggers[place.trigger].audiences[place.audience]
    return Set(audience.variants.map { ExactName($0.id) })
  }

  /// Where a part of an audience is.
  private static func path(_ place: Place, _ part: String) -> String {
    "trigger_options[\(place.trigger)].rules[\(place.audience)]\(part)"
  }

  private func checkTriggers() {
    var first: [ExactName: Int] = [:]
    for (index, trigger) in config.triggers.enumerated() {
      if let earlier = first.updateValue(index, forKey: ExactName(trigger.placement)) {
        log.warn(
          .duplicateTrigger, "trigger_options[\(index)].event_name",
          "placement \"\(trigger.placement)\" was already defined by trigger_options[\(earlier)];"
            + " this later one counts")
      }
      if let event = BuiltInEvent(named: trigger.placement), !event.canTrigger {
        log.warn(
          .reservedPlacement, "trigger_options[\(index)].event_name",
          "\"\(trigger.placement)\" is a built-in event that never presents a paywall")
      }
    }
  }

  private func checkReach(of trigger: CampaignTrigger, at index: Int) {
    guard
      let everyone = trigger.audiences.firstIndex(where: {
        $0.expression == nil && $0.limit == nil
      }), everyone < trigger.audiences.count - 1
    else { return }
    log.warn(
      .unreachableAudience, Self.path((index, everyone + 1), ""),
      "audiences after rules[\(everyone)] are never tried, because that one matches everyone")
  }

  private func checkVariants(
    of audience: Audience, at place: Place, paywalls: Set<ExactName>
  ) {
    var experiment: String { "experiment \"\(audience.experimentID)\"" }
    var path: String { Self.path(place, ".variants") }
    if audience.variants.isEmpty {
      log.warn(.noVariants, path, "\(experiment) has no variants, so a match ends in error 404")
      return
    }
    var sum: Int64 = 0
    for (index, variant) in audience.variants.enumerated() {
      if variant.percentage < 0 || variant.percentage > 100 {
        let meaning = variant.percentage < 0 ? "counts as 0" : "is taken as a relative weight"
        log.warn(
          .impossiblePercentage, "\(path)[\(index)].percentage",
          "\(variant.percentage) is no percentage; it \(meaning)")
      }
      let (next, overflow) = sum.addingReportingOverflow(max(0, variant.percentage))
      sum = overflow ? .max : next
      if variant.kind == .treatment, !paywalls.contains(ExactName(variant.paywallIdentifier ?? ""))
      {
        log.warn(
          .unknownPaywall, "\(path)[\(index)].paywall_identifier",
          variant.paywallIdentifier.map { "the config has no paywall \"\($0)\"" }
            ?? "variant \"\(variant.id)\" is a treatment without a paywall")
      }
    }
    if sum == 0, audience.variants.count > 1 {
      log.warn(
        .impossiblePercentage, path,
        "all percentages of \(experiment) are 0, so its variants are equally likely")
    } else if sum != 100, audience.variants.count > 1 {
      log.warn(
        .impossiblePercentage, path,
        "the percentages of \(experiment) add up to \(sum == .max ? "too much" : String(sum)); they are taken as relative weights"
      )
    }
  }

  private func checkLimit(of audience: Audience, at place: Place) {
    guard let limit = audience.limit else { return }
    if limit.maximum < 1 {
      log.warn(
        .impossibleLimit, Self.path(place, ".occurrence.max_count"),
        "a limit of \(limit.maximum) is never met, so the audience never matches")
    }
    if case .minutes(let minutes) = limit.interval, minutes < 0 {
      log.warn(
        .impossibleLimit, Self.path(place, ".occurrence.interval"),
        "a window of \(minutes) minutes lies in the future, so nothing is ever counted")
    }
  }
}
