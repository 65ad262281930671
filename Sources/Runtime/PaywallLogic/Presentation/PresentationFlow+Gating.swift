extension PresentationFlow {
  /// The gating table: the effects that follow `onDismiss` (docs/spec/campaigns.md §8.5).
  public static func consequence(
    of result: PaywallOutcome, _ reason: CloseReason, gating: FeatureGating
  ) -> [PaywallEffect] {
    let dismissal: FeatureGating.Dismissal =
      switch (result, reason) {
      case (.purchased, _): .purchased
      case (.restored, _): .restored
      case (.declined, .forNextPaywall): .forNextPaywall
      case (.declined, .webViewFailedToLoad): .contentFailed
      case (.declined, _): .declined
      }
    return switch gating.feature(after: dismissal) {
    case .run: [.runFeature]
    case .doNotRun: []
    case .fail: [.onError(.webViewFailed)]
    }
  }
}
