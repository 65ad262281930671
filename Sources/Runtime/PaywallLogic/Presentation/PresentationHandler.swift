public import CampaignCore

/// The closures that a registration is given, and the feature that it guards.
///
///     var handler = PresentationHandler()
///     handler.onDismiss { info, result in print(result) }
///
/// A host calls the closures on the executor that the app names, one after the other; `PaywallHost` calls
/// them on the main actor unless its configuration says otherwise. ``onCustomCallback(_:)`` is asynchronous,
/// and runs wherever the closure says.
///
/// A host hands every effect to ``perform(_:)``, which carries out those that are the handler's.
public struct PresentationHandler: Sendable {
  private var present: (@Sendable (PaywallDetails) -> Void)?
  private var willDismiss: (@Sendable (PaywallDetails, PaywallOutcome) -> Void)?
  private var dismiss: (@Sendable (PaywallDetails, PaywallOutcome) -> Void)?
  private var skip: (@Sendable (SkipReason) -> Void)?
  private var error: (@Sendable (MatchError) -> Void)?
  private var callback: (@Sendable (PaywallCallback) async -> PaywallCallbackResult)?
  private let feature: (@Sendable () -> Void)?

  /// Creates a handler without closures.
  ///
  /// - Parameter feature: The feature that the placement guards.
  public init(feature: (@Sendable () -> Void)? = nil) {
    self.feature = feature
  }

  /// Sets what happens when the paywall has appeared.
  public mutating func onPresent(_ handler: @escaping @Sendable (PaywallDetails) -> Void) {
    present = handler
  }

  /// Sets what happens when the paywall is about to go.
  public mutating func onWillDismiss(
    _ handler: @escaping @Sendable (PaywallDetails, PaywallOutcome) -> Void
  ) {
    willDismiss = handler
  }

  /// Sets what happens when the paywall has gone.
  public mutating func onDismiss(
    _ handler: @escaping @Sendable (PaywallDetails, PaywallOutcome) -> Void
  ) {
    dismiss = handler
  }

  /// Sets what happens when there is a reason to show no paywall.
  public mutating func onSkip(_ handler: @escaping @Sendable (SkipReason) -> Void) {
    skip = handler
  }

  /// Sets what happens when the paywall could not be presented.
  public mutating func onError(_ handler: @escaping @Sendable (MatchError) -> Void) {
    error = handler
  }

  /// Sets the function that handles the paywall's callbacks.
  public mutating func onCustomCallback(
    _ handler: @escaping @Sendable (PaywallCallback) async -> PaywallCallbackResult
  ) {
    callback = handler
  }

  /// Whether there is a feature.
  public var hasFeature: Bool { feature != nil }

  /// Whether there is a handler of callbacks.
  public var handlesCallbacks: Bool { callback != nil }

  /// Carries out an effect if it is the handler's; does nothing with any other.
  public func perform(_ effect: PaywallEffect) {
    switch effect {
    case .onPresent(let info): present?(info)
    case .onWillDismiss(let info, let result): willDismiss?(info, result)
    case .onDismiss(let info, let result): dismiss?(info, result)
    case .onSkip(let reason): skip?(reason)
    case .onError(let reason): error?(reason)
    case .runFeature: feature?()
    default: break
    }
  }

  /// The answer to a callback; a failure without data if nothing was set.
  public func answer(_ request: PaywallCallback) async -> PaywallCallbackResult {
    await callback?(request) ?? .failure()
  }
}
