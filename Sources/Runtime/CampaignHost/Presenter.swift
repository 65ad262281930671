public import CampaignCore
public import PaywallLogic

/// The screen of an app: shows paywalls and takes them away. An SDK implements it.
///
/// A button of the paywall is a call of ``PaywallHost``: ``PaywallHost/buy(productName:dismisses:)``,
/// ``PaywallHost/restore()``, ``PaywallHost/close(_:)``, ``PaywallHost/tap(id:_:)``.
public protocol Presenter: Sendable {
  /// Returns whether a paywall need not be loaded, because it was preloaded or shown before.
  func isLoaded(_ paywall: PaywallDetails) async -> Bool

  /// Loads a paywall and its products. Nothing is tracked as shown, and no assignment is confirmed, before.
  ///
  /// - Throws: `MatchError.paywallNotFound` if the server does not know the paywall, or
  ///   `MatchError.loadFailed(_:)`.
  func load(_ paywall: PaywallDetails) async throws(MatchError) -> LoadedPaywall

  /// Finds a view on which the paywall that has loaded can be presented.
  ///
  /// - Throws: `MatchError.noPresenter` if there is none.
  func findView(for paywall: PaywallDetails) async throws(MatchError)

  /// Presents a paywall.
  ///
  /// Returns when the paywall has appeared; only then the limit of the audience counts it.
  ///
  /// - Throws: The reason why it could not, such as `MatchError.paywallAlreadyPresented`.
  func present(_ paywall: PaywallDetails) async throws(MatchError)

  /// Dismisses a paywall. Returns when it has gone, at once if it has gone already.
  func dismiss(_ paywall: PaywallDetails) async

  /// Asks a question before the paywall goes.
  ///
  /// - Parameters:
  ///   - survey: The survey.
  ///   - options: The answers in the order in which they are shown.
  /// - Returns: The answer; `nil` if the user closed the survey.
  func ask(_ survey: Survey, options: [Survey.Option]) async -> SurveyAnswer?

  /// Carries out any other effect: spinners, alerts, messages to the page, web addresses, permissions,
  /// requests to the server.
  ///
  /// - Returns: The event that follows, if any: the answer to a permission, or of the server.
  func perform(_ effect: PaywallEffect) async -> PaywallSession.Event?
}

extension Presenter {
  /// Returns `true`.
  public func isLoaded(_ paywall: PaywallDetails) async -> Bool { true }

  /// Returns the paywall as it is, without products.
  public func load(_ paywall: PaywallDetails) async throws(MatchError) -> LoadedPaywall {
    LoadedPaywall(paywall)
  }

  /// Takes for granted that there is a view.
  public func findView(for paywall: PaywallDetails) async throws(MatchError) {}

  /// Shows nothing, as if the user closed the survey.
  public func ask(_ survey: Survey, options: [Survey.Option]) async -> SurveyAnswer? { nil }

  /// Does nothing.
  public func perform(_ effect: PaywallEffect) async -> PaywallSession.Event? { nil }
}

/// A place to buy and to restore: the App Store, or the billing of an app.
public protocol BillingController: Sendable {
  /// Buys a product.
  func purchase(product: PaywallProduct) async -> PaywallPurchaseResult

  /// Restores purchases. Set the subscription status before returning: a restore that leaves the user
  /// without an active entitlement has failed.
  func restorePurchases() async -> PaywallRestoreResult

  /// Returns the store's record of the purchase that just succeeded, if it has one.
  func transaction(of product: PaywallProduct) async -> PaywallTransaction?
}

extension BillingController {
  /// Returns `nil`.
  public func transaction(of product: PaywallProduct) async -> PaywallTransaction? { nil }
}
