/// The effects of a request, by its kind: the table of docs/spec/campaigns.md §2.5.
package struct RequestEffects {
  package let savesPlacement: Bool
  package let presents: Bool
  /// Whether a paywall on screen is an obstacle.
  let isRefusedOnScreen: Bool
  let confirmsHoldout: Bool
  let confirmsPaywall: Bool
  let countsHoldout: Bool
  /// Whether `paywallPresentationRequest` is tracked when a paywall is to be presented.
  private let tracksPresentation: Bool
  /// Whether it is tracked when none is.
  package let tracksSkip: Bool
  /// Whether `paywallPresentationRequest` is tracked when the request waits in vain.
  package let tracksTimeout: Bool
  private let firesOnSkip: Bool
  private let firesOnPaywall: Bool

  package init(kind: RequestKind, options: MatchingOptions) {
    let peek = options.peekEffects
    switch kind {
    case .presentation, .getPaywall:
      savesPlacement = true
      presents = true
      isRefusedOnScreen = kind == .presentation
      confirmsHoldout = true
      confirmsPaywall = true
      countsHoldout = true
      // The app presents what `getPaywall` returns, and nobody hears of it.
      tracksPresentation = kind == .presentation
      tracksSkip = true
      tracksTimeout = true
      firesOnSkip = true
      firesOnPaywall = true
    case .getPresentationResult:
      savesPlacement = false
      presents = false
      isRefusedOnScreen = false
      confirmsHoldout = peek.contains(.confirmation)
      confirmsPaywall = peek.contains(.confirmation)
      countsHoldout = peek.contains(.holdoutOccurrence)
      tracksPresentation = false
      tracksSkip = false
      tracksTimeout = peek.contains(.timeout)
      firesOnSkip = peek.contains(.triggerFire)
      firesOnPaywall = false
    case .handleImplicitTrigger:
      savesPlacement = false
      presents = false
      isRefusedOnScreen = false
      confirmsHoldout = true
      confirmsPaywall = true
      countsHoldout = true
      tracksPresentation = false
      tracksSkip = false
      tracksTimeout = true
      firesOnSkip = options.platform == .iOS
      firesOnPaywall = false
    case .confirmAllAssignments:
      savesPlacement = false
      presents = false
      isRefusedOnScreen = false
      confirmsHoldout = true
      confirmsPaywall = true
      countsHoldout = false
      tracksPresentation = false
      tracksSkip = false
      tracksTimeout = false
      firesOnSkip = false
      firesOnPaywall = false
    }
  }

  /// Whether there are any effects.
  var hasAny: Bool {
    savesPlacement || presents || confirmsHoldout || countsHoldout || tracksSkip || firesOnSkip
  }

  /// Whether `paywallPresentationRequest` is tracked.
  func tracksRequest(for result: PlacementResult) -> Bool {
    if case .paywall = result { tracksPresentation } else { tracksSkip }
  }

  /// Whether `trigger_fire` is tracked; never for a placement that is in no campaign, nor for an
  /// error (§2.4).
  func firesTrigger(for result: PlacementResult) -> Bool {
    switch result {
    case .holdout, .noAudienceMatch: firesOnSkip
    case .paywall: firesOnPaywall
    case .placementNotFound, .error: false
    }
  }
}
