/// Finds what decodes but probably is not meant: duplicates, impossible weights and limits, audiences
/// that nobody can reach.
struct ConfigLint {
  let config: CampaignConfig
  let log: ConfigLog

  func run() {
    checkTriggers()
    let paywalls = Set(config.paywalls.map { ExactName($0.identifier) })
    var variantsByExperiment: [ExactName: Set<ExactName>] = [:]
    for (triggerIndex, trigger) in config.triggers.enumerated() {
      let path = ConfigPath.index(.member(.root, "trigger_options"), triggerIndex)
      checkReach(of: trigger, at: path)
      for (index, audience) in trigger.audiences.enumerated() {
        let path = ConfigPath.index(.member(path, "rules"), index)
        checkVariants(of: audience, at: path, paywalls: paywalls)
        checkLimit(of: audience, at: path)
        let ids = Set(audience.variants.map { ExactName($0.id) })
        let known = variantsByExperiment.updateValue(ids, forKey: ExactName(audience.experimentID))
        if let known, known != ids {
          log.warn(
            .conflictingExperiment, .member(path, "variants"),
            "experiment \"\(audience.experimentID)\" has other variants in an earlier audience")
        }
      }
    }
  }

  private func checkTriggers() {
    var first: [ExactName: Int] = [:]
    for (index, trigger) in config.triggers.enumerated() {
      let path = ConfigPath.index(.member(.root, "trigger_options"), index)
      if let earlier = first.updateValue(index, forKey: ExactName(trigger.placement)) {
        log.warn(
          .duplicateTrigger, .member(path, "event_name"),
          "placement \"\(trigger.placement)\" was already defined by trigger_options[\(earlier)];"
            + " this later one counts")
      }
      if let event = BuiltInEvent(rawValue: trigger.placement), !event.canTrigger {
        log.warn(
          .reservedPlacement, .member(path, "event_name"),
          "\"\(trigger.placement)\" is a built-in event that never presents a paywall")
      }
    }
  }

  private func checkReach(of trigger: Trigger, at path: ConfigPath) {
    guard
      let everyone = trigger.audiences.firstIndex(where: {
        $0.expression == nil && $0.limit == nil
      }), everyone < trigger.audiences.count - 1
    else { return }
    log.warn(
      .unreachableAudience, .index(.member(path, "rules"), everyone + 1),
      "audiences after rules[\(everyone)] are never tried, because that one matches everyone")
  }

  private func checkVariants(
    of audience: Audience, at path: ConfigPath, paywalls: Set<ExactName>
  ) {
    let path = ConfigPath.member(path, "variants")
    let experiment = "experiment \"\(audience.experimentID)\""
    if audience.variants.isEmpty {
      log.warn(.noVariants, path, "\(experiment) has no variants, so a match ends in error 404")
      return
    }
    var sum: Int64 = 0
    for (index, variant) in audience.variants.enumerated() {
      let path = ConfigPath.index(path, index)
      if variant.percentage < 0 || variant.percentage > 100 {
        let meaning = variant.percentage < 0 ? "counts as 0" : "is taken as a relative weight"
        log.warn(
          .impossiblePercentage, .member(path, "percentage"),
          "\(variant.percentage) is no percentage; it \(meaning)")
      }
      let (next, overflow) = sum.addingReportingOverflow(max(0, variant.percentage))
      sum = overflow ? .max : next
      if variant.kind == .treatment, !paywalls.contains(ExactName(variant.paywallIdentifier ?? ""))
      {
        log.warn(
          .unknownPaywall, .member(path, "paywall_identifier"),
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

  private func checkLimit(of audience: Audience, at path: ConfigPath) {
    guard let limit = audience.limit else { return }
    let path = ConfigPath.member(path, "occurrence")
    if limit.maximum < 1 {
      log.warn(
        .impossibleLimit, .member(path, "max_count"),
        "a limit of \(limit.maximum) is never met, so the audience never matches")
    }
    if case .minutes(let minutes) = limit.interval, minutes < 0 {
      log.warn(
        .impossibleLimit, .member(path, "interval"),
        "a window of \(minutes) minutes lies in the future, so nothing is ever counted")
    }
  }
}
