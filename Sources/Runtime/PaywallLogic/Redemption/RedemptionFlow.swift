public import CampaignCore
import ExpressionEngine

/// The course of purchases on the web: codes from links, retries, and the age of what is known
/// (docs/spec/campaigns.md §8.4, §8.7).
public struct RedemptionFlow: StateMachine {
  /// A code, and whether this device redeems it for the first time.
  public struct Code: Sendable, Hashable, CustomStringConvertible {
    /// The code.
    public var code: String
    /// Whether this device redeems it for the first time.
    public var isFirstRedemption: Bool

    /// The code, with a mark for the first time.
    public var description: String { code + (isFirstRedemption ? "!" : "") }
  }

  /// The response of the server.
  public struct Response: Sendable, Hashable {
    /// A result for each code.
    public var results: [RedemptionResult]
    /// The customer's purchases on the web.
    public var customerInfo: CustomerInfo

    /// Creates a response.
    public init(results: [RedemptionResult], customerInfo: CustomerInfo) {
      self.results = results
      self.customerInfo = customerInfo
    }
  }

  /// Why codes are redeemed.
  public enum Kind: Sendable, Hashable {
    /// A link brought a code.
    case code(String)
    /// The known codes are redeemed once more.
    case existingCodes

    /// The word of the wire.
    public var wireName: String {
      switch self {
      case .code: "CODE"
      case .existingCodes: "EXISTING_CODES"
      }
    }
  }

  /// The choices of an app, and the settings of the config.
  public struct Options: Sendable, Hashable {
    /// Whether the app has a purchase controller, which then keeps entitlements fresh itself.
    public var hasPurchaseController = false
    /// How old the web entitlements may become, in milliseconds, `entitlements_max_age_ms`; `nil`
    /// without web checkout.
    public var maximumAge: Int64? = 86_400_000
    /// How often a failed request is repeated.
    public var maximumRetries = 6

    /// Creates the defaults.
    public init() {}
  }

  /// Where the flow is.
  public enum Phase: Sendable, Hashable {
    /// Nothing is under way.
    case idle
    /// The server was asked for these codes; `attempt` counts the repetitions.
    case redeeming(Kind, [Code], attempt: Int)
  }

  /// A paywall on screen, and what its products give.
  private struct OpenPaywall: Sendable, Hashable {
    var info: PaywallInfo
    var entitlements: Set<String>
  }

  /// The choices of the app.
  public let options: Options
  /// Where the flow is.
  public private(set) var phase = Phase.idle
  /// The codes that were redeemed, in order.
  public private(set) var codes: [String]
  /// The codes of links that came while another one was redeemed.
  public private(set) var queue: [String] = []
  private var paywall: OpenPaywall?
  /// When the web entitlements were fetched last.
  public private(set) var fetchedAt: WallTime?
  /// The customer's purchases on the web.
  public private(set) var web = CustomerInfo()

  /// Creates a flow.
  ///
  /// - Parameters:
  ///   - options: The options of the flow.
  ///   - codes: The codes of earlier launches.
  ///   - fetchedAt: When the web entitlements were fetched last.
  public init(
    options: Options = Options(), codes: [String] = [], fetchedAt: WallTime? = nil
  ) {
    self.options = options
    self.codes = codes
    self.fetchedAt = fetchedAt
  }

  /// The identifier of the paywall on screen.
  public var paywallIdentifier: String? { paywall?.info.identifier }

  /// Takes an event; see ``StateMachine``.
  public mutating func handle(_ event: Event) -> [PaywallEffect] {
    switch (event, phase) {
    case (.paywallPresented(let info, let entitlements), _):
      paywall = OpenPaywall(info: info, entitlements: entitlements)
      return []
    case (.paywallDismissed, _):
      paywall = nil
      return []
    case (.link(let code), .idle): return start(.code(code))
    case (.link(let code), .redeeming(let kind, _, _)):
      if kind != .code(code), !queue.contains(code) { queue.append(code) }
      return []
    case (.existingCodes, .idle): return start(.existingCodes)
    case (.responded(let response, let device, let now), .redeeming(let kind, _, _)):
      return finish(kind, response, device: device, at: now)
    case (.networkFailed(let message), .redeeming(let kind, let request, let attempt)):
      return retry(kind, request, attempt: attempt, message: message)
    case (.launched, _): return refreshes ? [.fetchWebEntitlements] : []
    case (.foregrounded(let now), _): return refresh(at: now)
    case (.fetched(let info, let now), _): return fetched(info, at: now)
    case (.checkout(let step, let product), _): return checkout(step, product)
    case (.existingCodes, .redeeming), (.responded, .idle), (.networkFailed, .idle): return []
    }
  }

  private mutating func start(_ kind: Kind) -> [PaywallEffect] {
    var effects: [PaywallEffect] = []
    var request = codes.map { Code(code: $0, isFirstRedemption: false) }
    if case .code(let code) = kind {
      if !codes.contains(code) {
        codes.append(code)
        request.append(Code(code: code, isFirstRedemption: true))
      }
      // With a paywall on screen a redemption counts as a restore.
      if let paywall { effects.append(.track(.restoreStart(paywall.info))) }
    }
    effects.append(.track(.redemptionStart(kind)))
    if case .code = kind {
      if paywall != nil { effects.append(.spinner(true)) }
      effects.append(.delegate(.willRedeemLink))
    }
    phase = .redeeming(kind, request, attempt: 0)
    return effects + [.redeem(request, afterMilliseconds: 0)]
  }

  private mutating func retry(
    _ kind: Kind, _ request: [Code], attempt: Int, message: String
  ) -> [PaywallEffect] {
    if attempt < options.maximumRetries {
      phase = .redeeming(kind, request, attempt: attempt + 1)
      let pause = Int64(1_000) << Int64(min(attempt, 6))
      return [.redeem(request, afterMilliseconds: pause)]
    }
    phase = .idle
    var effects: [PaywallEffect] = [.track(.redemptionFail(kind))]
    if case .code(let code) = kind {
      if paywall != nil { effects += failRestore(message) + [.spinner(false)] }
      effects.append(.delegate(.didRedeemLink(.error(code: code, message: message))))
    }
    return effects + next()
  }

  /// Goes on with the next link that came meanwhile.
  private mutating func next() -> [PaywallEffect] {
    queue.isEmpty ? [] : start(.code(queue.removeFirst()))
  }

  private func failRestore(_ message: String) -> [PaywallEffect] {
    guard let paywall else { return [] }
    return [.track(.restoreFail(paywall.info, message: message)), .alert(.restoreFailed)]
  }
}

extension RedemptionFlow {
  private mutating func finish(
    _ kind: Kind, _ response: Response, device: Set<String>, at now: WallTime
  ) -> [PaywallEffect] {
    phase = .idle
    fetchedAt = now
    web = response.customerInfo
    let active = device.union(
      response.customerInfo.entitlements.filter(\.isActive).map(\.identifier))
    var effects: [PaywallEffect] = [.track(.redemptionComplete(kind))]
    var isCovered = false
    if case .code = kind, let paywall, !paywall.entitlements.isEmpty {
      isCovered = paywall.entitlements.isSubset(of: active)
      effects +=
        isCovered
        ? [.track(.restoreComplete(paywall.info))]
        : failRestore("the web purchase does not give what the paywall sells")
    }
    effects.append(.applyWebCustomerInfo(response.customerInfo))
    if case .code(let code) = kind {
      // An app that shows a loading view must hear the end, even if the server forgot the code.
      let result =
        response.results.first { $0.code == code }
        ?? .error(code: code, message: "the server has no result for the code")
      effects += startTrial(result)
      if isCovered { effects.append(.finishPaywall(.restored)) }
      if paywall != nil, !isCovered { effects.append(.spinner(false)) }
      effects.append(.delegate(.didRedeemLink(result)))
    }
    return effects + next()
  }

  private func startTrial(_ result: RedemptionResult) -> [PaywallEffect] {
    guard case .success(_, let info) = result, let product = info.product,
      product.trialDays > 0, let paywall, paywall.info.isFreeTrialAvailable
    else { return [] }
    let details = TransactionDetails(
      product: StoreProduct(id: product.identifier, store: .stripe), info: paywall.info,
      source: "SUPERWALL")
    let delays = paywall.info.trialNotificationDelays
    return [.track(.freeTrialStart(details))]
      + (delays.isEmpty ? [] : [.scheduleTrialNotifications(delays)])
  }

  private var refreshes: Bool { options.maximumAge != nil && !options.hasPurchaseController }

  private func refresh(at now: WallTime) -> [PaywallEffect] {
    guard refreshes, let maximumAge = options.maximumAge else { return [] }
    guard let fetchedAt else { return [.fetchWebEntitlements] }
    let (age, overflow) = now.seconds.subtractingReportingOverflow(fetchedAt.seconds)
    return overflow || age > maximumAge / 1_000 ? [.fetchWebEntitlements] : []
  }

  /// An empty answer takes nothing away that is paid for: the server lists what was revoked as inactive.
  /// The date stays, so that the next look asks again.
  private mutating func fetched(
    _ info: CustomerInfo, at now: WallTime
  ) -> [PaywallEffect] {
    let isUnexpired = web.entitlements.contains { entitlement in
      entitlement.isActive && entitlement.expiresAt.map { now < $0 } ?? false
    }
    if info.entitlements.isEmpty, isUnexpired { return [] }
    fetchedAt = now
    web = info
    return [.applyWebCustomerInfo(info)]
  }

  private func checkout(_ step: CheckoutStep, _ product: String) -> [PaywallEffect] {
    let info = paywall?.info ?? .none
    switch step {
    case .start: return [.track(.stripeCheckoutStart(info, productID: product))]
    case .submit: return [.track(.stripeCheckoutSubmit(info, productID: product))]
    case .complete: return [.track(.stripeCheckoutComplete(info, productID: product))]
    case .fail: return [.track(.stripeCheckoutFail(info, productID: product))]
    case .abandon:
      let details = TransactionDetails(
        product: StoreProduct(id: product, store: .stripe), info: info, source: "SUPERWALL")
      return [.track(.transactionAbandon(details))]
    }
  }
}
