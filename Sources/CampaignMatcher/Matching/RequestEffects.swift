/// The effects of a request, by its kind: the table of docs/spec/campaigns.md §2.5.
struct RequestEffects {
  let savesPlacement: Bool
  let presents: Bool
  let confirmsHoldout: Bool
  let confirmsPaywall: Bool
  let countsHoldout: Bool
  let tracksRequest: Bool
  private let firesOnSkip: Bool
  private let firesOnPaywall: Bool

  init(kind: RequestKind, options: MatchingOptions) {
    let peek = options.peekEffects
    switch kind {
    case .presentation, .getPaywall:
      savesPlacement = true
      presents = true
      confirmsHoldout = true
      confirmsPaywall = true
      countsHoldout = true
      tracksRequest = true
      firesOnSkip = true
      firesOnPaywall = true
    case .getPresentationResult:
      savesPlacement = false
      presents = false
      confirmsHoldout = peek.contains(.confirmation)
      confirmsPaywall = peek.contains(.confirmation)
      countsHoldout = peek.contains(.holdoutOccurrence)
      tracksRequest = peek.contains(.presentationRequest)
      firesOnSkip = peek.contains(.triggerFire)
      firesOnPaywall = false
    case .handleImplicitTrigger, .paywallDeclineCheck:
      let isTrigger = kind == .handleImplicitTrigger
      savesPlacement = false
      presents = false
      confirmsHoldout = isTrigger
      confirmsPaywall = isTrigger
      countsHoldout = true
      tracksRequest = true
      firesOnSkip = isTrigger && options.platform == .iOS
      firesOnPaywall = false
    case .confirmAllAssignments:
      savesPlacement = false
      presents = false
      confirmsHoldout = true
      confirmsPaywall = true
      countsHoldout = false
      tracksRequest = false
      firesOnSkip = false
      firesOnPaywall = false
    }
  }

  /// Whether there are any effects: only then a placement with the name of a built-in event is refused.
  var hasAny: Bool {
    savesPlacement || presents || confirmsHoldout || countsHoldout || tracksRequest || firesOnSkip
  }

  /// Whether `trigger_fire` is tracked; never for a placement that is in no campaign, nor for an
  /// error (§2.4).
  func firesTrigger(for result: TriggerResult) -> Bool {
    switch result {
    case .holdout, .noAudienceMatch: firesOnSkip
    case .paywall: firesOnPaywall
    case .placementNotFound, .error: false
    }
  }
}
