public import CampaignCore
import ExpressionEngine

/// The course of purchases on the web: codes from links, retries, and the age of what is known
/// (docs/spec/campaigns.md §8.4, §8.7).
public struct RedemptionFlow: StateMachine {
  /// A code, and whether this device redeems it for the first time.
  public struct Code: Sendable, Equatable, CustomStringConvertible {
    /// The code.
    public var code: String
    /// Whether this device redeems it for the first time.
    public var isFirstRedemption: Bool

    /// The code, with a mark for the first time.
    public var description: String { code + (isFirstRedemption ? "!" : "") }
  }

  /// The response of the server.
  public struct Response: Sendable, Equatable {
    /// A result for each code.
    public var results: [PaywallRedemptionResult]
    /// The customer's purchases on the web.
    public var customerInfo: CustomerRecord

    /// Creates a response.
    public init(results: [PaywallRedemptionResult], customerInfo: CustomerRecord) {
      self.results = results
      self.customerInfo = customerInfo
    }
  }

  /// Why codes are redeemed.
  public enum Kind: Sendable, Equatable {
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
  public struct Options: Sendable, Equatable {
    /// How old the web entitlements may become, in milliseconds, `entitlements_max_age_ms`; `nil`
    /// without web checkout.
    public var maximumAge: Int64? = 86_400_000
    /// The policy for a code that comes while another one is redeemed.
    public var secondCode = SecondCode.asReference
    /// How often a failed request is repeated.
    public var maximumRetries = 6

    /// Creates the defaults.
    public init() {}
  }

  /// A policy for a code that comes while another one is redeemed.
  public enum SecondCode: String, Sendable, Hashable, CaseIterable {
    /// It is dropped if the first one was opened over a paywall, and redeemed beside it if not.
    case asReference
    /// It is redeemed after the first one.
    case queued
  }

  /// A request that is under way.
  public struct Redemption: Sendable, Equatable {
    /// Tells the request from the others that are under way.
    public var id: Int
    /// Why the codes are redeemed.
    public var kind: Kind
    /// The codes.
    public var codes: [Code]
    /// How often the request was repeated.
    public var attempt = 0
    /// Whether it began over a paywall, which it may close.
    package var isOverPaywall: Bool
    /// Whether it is to be made once more, because something was bought meanwhile.
    package var isRepeated = false
  }

  /// A paywall on screen, and what its products give.
  private struct OpenPaywall: Sendable, Equatable {
    var info: PaywallDetails
    var entitlements: Set<String>
  }

  /// The choices of the app.
  public let options: Options
  /// The requests that are under way, in the order in which they began.
  public private(set) var running: [Redemption] = []
  /// The codes that the server knows, in order.
  public private(set) var codes: [String]
  /// The codes of links that wait for the one that is redeemed.
  public private(set) var queue: [String] = []
  @_Boxed private var paywall: OpenPaywall? = nil
  /// When the web entitlements were fetched last.
  public private(set) var fetchedAt: WallTime?
  /// The customer's purchases on the web.
  public private(set) var web: CustomerRecord

  /// Creates a flow.
  ///
  /// - Parameters:
  ///   - options: The options of the flow.
  ///   - state: What is known from the last launch.
  public init(options: Options = Options(), state: SessionState = SessionState()) {
    self.options = options
    codes = state.codes
    fetchedAt = state.fetchedAt
    web = state.web ?? CustomerRecord()
  }

  /// Puts what outlives a launch into a state.
  func save(to state: inout SessionState) {
    state.codes = codes
    state.fetchedAt = fetchedAt
  }

  /// The identifier of the paywall on screen.
  public var paywallIdentifier: String? { paywall?.info.identifier }

  /// Takes an event; see ``StateMachine``.
  public mutating func handle(_ event: Event) -> [PaywallEffect] {
    switch event {
    case .paywallPresented(let info, let entitlements):
      paywall = OpenPaywall(info: info, entitlements: entitlements)
      return []
    case .paywallDismissed:
      paywall = nil
      return []
    case .link(let code): return redeem(code)
    case .existingCodes: return redeemExistingCodes()
    case .responded(let response, let device, let now, let id):
      guard let index = index(of: id, response) else { return [] }
      return finish(running.remove(at: index), response, device: device, at: now)
    case .recovered(let response, let code, let device, let now):
      let redemption = Redemption(
        id: 0, kind: .code(code), codes: [], isOverPaywall: paywall != nil)
      return finish(redemption, response, device: device, at: now, isAnnounced: false)
    case .networkFailed(let message, let id):
      guard let index = index(of: id, nil) else { return [] }
      return retry(index, message)
    case .launched: return options.maximumAge == nil ? [] : [.fetchWebEntitlements]
    case .foregrounded(let now): return refresh(at: now)
    case .fetched(let info, let now, let others): return fetched(info, at: now, others: others)
    case .checkout(let step, let product): return checkout(step, product)
    }
  }

  private mutating func redeem(_ code: String) -> [PaywallEffect] {
    let others = running.filter { $0.kind != .existingCodes }
    guard !others.contains(where: { $0.kind == .code(code) }) else { return [] }
    switch options.secondCode {
    case .queued where !others.isEmpty:
      if !queue.contains(code) { queue.append(code) }
      return []
    case .asReference where others.contains(where: \.isOverPaywall): return []
    case .queued, .asReference: return start(.code(code))
    }
  }

  /// Redeems the known codes beside whatever is under way. A request of the same kind is made once more
  /// when it is over, because it may not have seen the purchase.
  private mutating func redeemExistingCodes() -> [PaywallEffect] {
    if let index = running.firstIndex(where: { $0.kind == .existingCodes }) {
      running[index].isRepeated = true
      return []
    }
    return start(.existingCodes)
  }

  private mutating func start(_ kind: Kind) -> [PaywallEffect] {
    var effects: [PaywallEffect] = []
    var request = codes.map { Code(code: $0, isFirstRedemption: false) }
    if case .code(let code) = kind {
      if !codes.contains(code) { request.append(Code(code: code, isFirstRedemption: true)) }
      // With a paywall on screen a redemption counts as a restore.
      if let paywall { effects.append(.track(.restoreStart(paywall.info))) }
    }
    effects.append(.track(.redemptionStart(kind)))
    if case .code = kind {
      if paywall != nil { effects.append(.spinner(true)) }
      effects.append(.delegate(.willRedeemLink))
    }
    let taken = Set(running.map(\.id))
    let id = (0...running.count).first { !taken.contains($0) } ?? 0
    let isOverPaywall = kind != .existingCodes && paywall != nil
    running.append(Redemption(id: id, kind: kind, codes: request, isOverPaywall: isOverPaywall))
    return effects + [.redeem(request, afterMilliseconds: 0, id: id)]
  }

  /// The request that an answer is for: that with the id, or without an id the oldest one whose code the
  /// answer has a result for, or the oldest one.
  private func index(of id: Int?, _ response: Response?) -> Int? {
    if let id { return running.firstIndex { $0.id == id } }
    let answered = running.firstIndex { redemption in
      guard case .code(let code) = redemption.kind else { return false }
      return response?.results.contains { $0.code == code } ?? false
    }
    return answered ?? running.indices.first
  }

  private mutating func retry(_ index: Int, _ message: String) -> [PaywallEffect] {
    let redemption = running[index]
    if redemption.attempt < options.maximumRetries {
      running[index].attempt += 1
      let pause = Int64(1_000) << Int64(min(redemption.attempt, 6))
      return [.redeem(redemption.codes, afterMilliseconds: pause, id: redemption.id)]
    }
    running.remove(at: index)
    var effects: [PaywallEffect] = [.track(.redemptionFail(redemption.kind))]
    if case .code(let code) = redemption.kind {
      if paywall != nil { effects += failRestore(message) + [.spinner(false)] }
      effects.append(.delegate(.didRedeemLink(.error(code: code, message: message))))
    }
    return effects + next(after: redemption)
  }

  /// Goes on with what came meanwhile.
  private mutating func next(after redemption: Redemption) -> [PaywallEffect] {
    if redemption.isRepeated { return start(.existingCodes) }
    // A recovered checkout ends beside a code that is still being redeemed.
    guard case .code = redemption.kind, !queue.isEmpty,
      !running.contains(where: { $0.kind != .existingCodes })
    else { return [] }
    return start(.code(queue.removeFirst()))
  }

  private func failRestore(_ message: String) -> [PaywallEffect] {
    guard let paywall else { return [] }
    return [.track(.restoreFail(paywall.info, message: message)), .alert(.restoreFailed)]
  }
}

extension RedemptionFlow {
  private mutating func finish(
    _ redemption: Redemption, _ response: Response, device: Set<String>, at now: WallTime,
    isAnnounced: Bool = true
  ) -> [PaywallEffect] {
    let kind = redemption.kind
    fetchedAt = now
    for result in response.results where !codes.contains(result.code) { codes.append(result.code) }
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
    effects.append(.command(.applyWebCustomerInfo(response.customerInfo)))
    if case .code(let code) = kind {
      // An app that shows a loading view must hear the end, even if the server forgot the code.
      let result =
        response.results.first { $0.code == code }
        ?? .error(code: code, message: "the server has no result for the code")
      effects += startTrial(result)
      if isCovered { effects.append(.command(.finishPaywall(.restored))) }
      if paywall != nil, !isCovered { effects.append(.spinner(false)) }
      if isAnnounced { effects.append(.delegate(.didRedeemLink(result))) }
    }
    return effects + next(after: redemption)
  }

  private func startTrial(_ result: PaywallRedemptionResult) -> [PaywallEffect] {
    guard case .success(_, let info) = result, let product = info.product,
      product.trialDays > 0, let paywall, paywall.info.isFreeTrialAvailable
    else { return [] }
    let details = TransactionDetails(
      product: PaywallProduct(id: product.identifier, store: .stripe), info: paywall.info,
      source: "SUPERWALL")
    let delays = paywall.info.trialNotificationDelays
    return [.track(.freeTrialStart(details))]
      + (delays.isEmpty ? [] : [.scheduleTrialNotifications(delays)])
  }

  private func refresh(at now: WallTime) -> [PaywallEffect] {
    guard let maximumAge = options.maximumAge else { return [] }
    guard let fetchedAt else { return [.fetchWebEntitlements] }
    let (age, overflow) = now.seconds.subtractingReportingOverflow(fetchedAt.seconds)
    return overflow || age > maximumAge / 1_000 ? [.fetchWebEntitlements] : []
  }

  /// An empty answer takes nothing away that is paid for: the server lists what was revoked as inactive.
  /// The date stays, so that the next look asks again. Purchases that cover the paywall on screen close it.
  private mutating func fetched(
    _ info: CustomerRecord, at now: WallTime, others: Set<String>
  ) -> [PaywallEffect] {
    let isUnexpired = web.entitlements.contains { entitlement in
      entitlement.isActive && entitlement.expiresAt.map { now < $0 } ?? false
    }
    if info.entitlements.isEmpty, isUnexpired { return [] }
    let isChange = Set(web.entitlements) != Set(info.entitlements)
    fetchedAt = now
    web = info
    let apply = PaywallEffect.command(.applyWebCustomerInfo(info))
    let active = others.union(info.entitlements.filter(\.isActive).map(\.identifier))
    guard isChange, let paywall, !paywall.entitlements.isEmpty,
      paywall.entitlements.isSubset(of: active)
    else { return [apply] }
    return [apply, .track(.restoreComplete(paywall.info)), .command(.finishPaywall(.restored))]
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
        product: PaywallProduct(id: product, store: .stripe), info: info, source: "SUPERWALL",
        store: .stripe)
      return [.track(.transactionAbandon(details))]
    }
  }
}
