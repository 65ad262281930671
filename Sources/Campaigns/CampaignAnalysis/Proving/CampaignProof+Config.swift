package import CampaignCore

// Proofs beside what decoding a config and checking its filters report.

extension CampaignProof {
  /// The faults that neither decoding a config nor checking its filters reports.
  package func faults(beyondDecoding config: CampaignConfig) -> [Finding] {
    faults.filter { finding in
      switch finding.kind {
      case .invalidFilter, .closedLimit: false
      case .shadowedAudience: !finding.isShadowedByEveryone(in: config)
      default: true
      }
    }
  }
}

extension Finding {
  /// Whether an audience that matches all users shadows this one.
  fileprivate func isShadowedByEveryone(in config: CampaignConfig) -> Bool {
    guard let placement, let trigger = config.trigger(of: placement), related.count == 1,
      trigger.audiences.indices.contains(related[0].index)
    else { return false }
    let audience = trigger.audiences[related[0].index]
    return audience.expression == nil && audience.limit == nil
  }

  /// The path of the finding in a config, as `ConfigDiagnostic` has it.
  package func path(in config: CampaignConfig) -> String {
    guard let placement,
      let trigger = config.triggers.lastIndex(where: { $0.placement == placement })
    else { return "paywall_responses" }
    guard let audience else { return "trigger_options[\(trigger)]" }
    return "trigger_options[\(trigger)].rules[\(audience.index)]"
  }
}
