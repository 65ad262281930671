import CampaignCore
import PaywallLogic

extension PaywallDetails {
  /// Creates the info of a paywall that a placement leads to.
  ///
  /// - Parameters:
  ///   - experiment: The experiment that chose the paywall.
  ///   - paywall: The paywall in the config; `nil` if it is not there.
  ///   - placement: The placement.
  ///   - time: When the placement was registered.
  init(
    _ experiment: CampaignExperiment, paywall: Paywall?, placement: String, at time: WallTime,
    source: PresentationSource
  ) {
    self.init(
      identifier: experiment.variant.paywallIdentifier ?? "", databaseID: paywall?.id,
      name: paywall?.name)
    self.experiment = experiment
    self.placement = placement
    self.source = source
    placementTime = time.description
    guard let paywall else { return }
    cacheKey = paywall.cacheKey ?? ""
    offerEligibility = paywall.offerEligibility
    surveys = paywall.surveys
    trialNotificationDelays = paywall.trialNotifications.map(\.delay)
    products = paywall.products.map { NamedProduct(name: $0.referenceName, id: $0.id) }
  }
}
