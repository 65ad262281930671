public import CampaignCore

/// The rights of the user: the entitlements of the device, of the web and of the app, and the
/// subscription status that follows (docs/spec/campaigns.md §8.1–§8.3).
///
/// With a purchase controller the app sets the status and the book never changes it. Without one the
/// status follows from the purchases on the device and on the web.
public struct EntitlementBook: StateMachine {
  /// An event of the book.
  public indirect enum Event: Sendable, Equatable {
    /// The status of the last launch was read.
    case restored(UserSubscriptionStatus)
    /// The config came with the entitlements of each product.
    case configured([String: [UserEntitlement]])
    /// The app set the status.
    case statusSet(UserSubscriptionStatus)
    /// The purchases on the device were read, at a time. Without a time, every end of an entitlement
    /// counts as ahead.
    case deviceLoaded(CustomerRecord, at: WallTime? = nil)
    /// The purchases on the web were read.
    case webLoaded(CustomerRecord)
    /// The app waits for the customer info.
    case customerInfoRequested
    /// Test mode pins status and customer info; `nil` frees them.
    case pinned(Set<UserEntitlement>?)
  }

  /// Whether the app has a purchase controller.
  public let hasPurchaseController: Bool
  /// Whether the user has bought something.
  public private(set) var status = UserSubscriptionStatus.unknown
  /// The customer's purchases, as far as they are known.
  public private(set) var customerInfo = CustomerRecord.placeholder
  /// The entitlements that the config gives each product.
  package private(set) var configured: [String: [UserEntitlement]] = [:]
  package private(set) var device: CustomerRecord?
  package private(set) var webInfo: CustomerRecord?
  /// Whether anybody waits for the first real customer info.
  package private(set) var isAwaited = false
  /// Whether test mode pins the values.
  package private(set) var isPinned = false

  /// Creates a book.
  ///
  /// - Parameters:
  ///   - hasPurchaseController: Whether the app has a purchase controller.
  ///   - state: What is known from the last launch.
  public init(hasPurchaseController: Bool = false, state: SessionState = SessionState()) {
    self.hasPurchaseController = hasPurchaseController
    status = state.status.normalized
    configured = state.entitlementsByProduct
    device = state.device
    webInfo = state.web
    customerInfo = knownInfo ?? .placeholder
  }

  /// Puts what outlives a launch into a state.
  func save(to state: inout SessionState) {
    state.status = status
    state.entitlementsByProduct = configured
    state.device = device
    state.web = webInfo
  }

  /// The entitlements in force, by identifier.
  public var active: [UserEntitlement] { status.entitlements }

  /// All entitlements that products of the config give, by identifier, each as the purchases on the device
  /// know it.
  public var all: [UserEntitlement] { byProductIDs(Set(configured.keys)) }

  /// The entitlements that are not in force, by identifier.
  public var inactive: [UserEntitlement] {
    let names = Set(active.map(\.identifier))
    return all.filter { !names.contains($0.identifier) }
  }

  /// The active entitlements of the web, by identifier.
  public var web: [UserEntitlement] { (webInfo?.entitlements ?? []).filter(\.isActive) }

  /// The identifiers of the entitlements in force that do not come from the web.
  var activeIDsWithoutWeb: Set<String> {
    let entitlements =
      hasPurchaseController
      ? active.filter { $0.store == .appStore } : (device?.entitlements ?? []).filter(\.isActive)
    return Set(entitlements.map(\.identifier))
  }

  /// The entitlements that the config gives a product, each as the purchases on the device know it; none
  /// for a product that the config does not know.
  public func byProductID(_ id: String) -> [UserEntitlement] { byProductIDs([id]) }

  /// The entitlements that the config gives any of the products. Unknown products add nothing.
  public func byProductIDs(_ ids: Set<String>) -> [UserEntitlement] {
    let bought = Dictionary(
      (device?.entitlements ?? []).map { ($0.identifier, $0) }, uniquingKeysWith: { $1 })
    return ids.sorted().flatMap { configured[$0] ?? [] }.map { bare in
      guard var entitlement = bought[bare.identifier] else { return bare }
      let added = bare.productIDs.filter { !entitlement.productIDs.contains($0) }
      entitlement.productIDs += added
      return entitlement
    }.merged()
  }

  /// Takes an event; see ``StateMachine``.
  public mutating func handle(_ event: Event) -> [PaywallEffect] {
    switch event {
    case .restored(let status):
      guard self.status == .unknown else { return [] }
      // It has been announced and stored before.
      self.status = status.normalized
      return []
    case .configured(let entitlements):
      configured = entitlements
      return []
    case .statusSet(let status): return isPinned ? [] : setStatus(status) + updateInfo()
    case .deviceLoaded(let info, let now):
      device = info
      return updateInfo() + (isHeld(by: info, at: now) ? [] : deriveStatus())
    case .webLoaded(let info):
      webInfo = info
      return updateInfo() + deriveStatus()
    case .customerInfoRequested:
      guard customerInfo.isPlaceholder else {
        return [.returnCustomerInfo(customerInfo)]
      }
      isAwaited = true
      return []
    case .pinned(let entitlements):
      let wasPinned = isPinned
      isPinned = false
      guard let entitlements else { return wasPinned ? unpin() : [] }
      let effects =
        setStatus(.active(entitlements))
        + setInfo(CustomerRecord(entitlements: Array(entitlements).sortedByIdentifier()))
      isPinned = true
      return effects
    }
  }
}

extension EntitlementBook {
  private mutating func setStatus(_ status: UserSubscriptionStatus) -> [PaywallEffect] {
    let (old, new) = (self.status, status.normalized)
    guard old != new else { return [] }
    self.status = new
    return [
      .saveStatus(new), .delegate(.subscriptionStatusDidChange(from: old, to: new)),
      .track(.subscriptionStatusDidChange(new)), .track(.deviceAttributes([:])),
    ]
  }

  /// The entitlements in force on device and web. An inactive record does not take part.
  private var bought: Set<UserEntitlement> {
    let onDevice = device?.entitlements.filter(\.isActive) ?? []
    return Set((onDevice + web).merged())
  }

  /// Without a purchase controller the status follows from the purchases. Nobody is inactive before those
  /// of the device are known.
  private mutating func deriveStatus() -> [PaywallEffect] {
    guard !hasPurchaseController, !isPinned else { return [] }
    let bought = bought
    return bought.isEmpty && device == nil ? [] : setStatus(.active(bought))
  }

  /// Whether a read of the device that gives no entitlement leaves an active status alone, because it is no
  /// answer: one of the entitlements ends later, and nothing was read at all, or the App Store did not
  /// grant it, or a product that gives it is still bought (docs/spec/campaigns.md §8.1).
  private func isHeld(by info: CustomerRecord, at now: WallTime?) -> Bool {
    guard !info.entitlements.contains(where: \.isActive) else { return false }
    let isEmpty = info.subscriptions.isEmpty && info.nonSubscriptions.isEmpty
    let products = info.activeProductIDs
    return active.contains { entitlement in
      guard entitlement.isActive, let end = entitlement.expiresAt, now.map({ $0 < end }) ?? true
      else { return false }
      return isEmpty || entitlement.store != .appStore
        || !products.isDisjoint(with: entitlement.productIDs)
    }
  }

  /// Test mode has ended. Nothing of the tester's choices stays.
  private mutating func unpin() -> [PaywallEffect] {
    if hasPurchaseController { return updateInfo() }
    guard device != nil || webInfo != nil else {
      return setStatus(.inactive) + setInfo(CustomerRecord())
    }
    return updateInfo() + setStatus(.active(bought))
  }

  private mutating func updateInfo() -> [PaywallEffect] {
    guard !isPinned, let info = knownInfo else { return [] }
    return setInfo(info)
  }

  /// The customer's purchases on device and web; `nil` before either was read. With a purchase controller,
  /// the app says what is in force.
  private var knownInfo: CustomerRecord? {
    guard device != nil || webInfo != nil else { return nil }
    let web = webInfo ?? CustomerRecord()
    var info = (device ?? .placeholder).merging(web: web)
    if hasPurchaseController {
      let fromApp = active.filter { $0.store == .appStore }
      let lapsed = (device?.entitlements ?? []).filter { !$0.isActive }
      info.entitlements = (fromApp + web.entitlements + lapsed).merged()
    }
    return info
  }

  private mutating func setInfo(_ info: CustomerRecord) -> [PaywallEffect] {
    let old = customerInfo
    guard old != info else { return [] }
    customerInfo = info
    var effects: [PaywallEffect] = [
      .yieldCustomerInfo(info), .delegate(.customerInfoDidChange(from: old, to: info)),
      .track(.customerInfoDidChange(from: old, to: info)),
    ]
    if !info.isPlaceholder, isAwaited {
      effects.append(.returnCustomerInfo(info))
      isAwaited = false
    }
    return effects
  }
}

extension UserSubscriptionStatus {
  /// The status with an empty active set as inactive.
  package var normalized: UserSubscriptionStatus { self == .active([]) ? .inactive : self }
}
