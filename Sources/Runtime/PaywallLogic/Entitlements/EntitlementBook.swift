public import CampaignCore

/// The rights of the user: the entitlements of the device, of the web and of the app, and the
/// subscription status that follows (docs/spec/campaigns.md §8.1–§8.3).
///
/// With a purchase controller the app sets the status and the book never changes it. Without one the
/// status follows from the purchases on the device and on the web.
public struct EntitlementBook: StateMachine {
  /// An event of the book.
  public enum Event: Sendable, Hashable {
    /// The status of the last launch was read.
    case restored(SubscriptionStatus)
    /// The config came with the entitlements of each product.
    case configured([String: [Entitlement]])
    /// The app set the status.
    case statusSet(SubscriptionStatus)
    /// The purchases on the device were read.
    case deviceLoaded(CustomerInfo)
    /// The purchases on the web were read.
    case webLoaded(CustomerInfo)
    /// The app waits for the customer info.
    case customerInfoRequested
    /// Test mode pins status and customer info; `nil` frees them.
    case pinned(Set<Entitlement>?)

    /// The kinds of events, for tests that must try each.
    public enum Kind: String, Sendable, CaseIterable {
      /// See ``Event/restored(_:)``.
      case restored
      /// See ``Event/configured(_:)``.
      case configured
      /// See ``Event/statusSet(_:)``.
      case statusSet
      /// See ``Event/deviceLoaded(_:)``.
      case deviceLoaded
      /// See ``Event/webLoaded(_:)``.
      case webLoaded
      /// See ``Event/customerInfoRequested``.
      case customerInfoRequested
      /// See ``Event/pinned(_:)``.
      case pinned
    }

    /// The kind of the event.
    public var kind: Kind {
      switch self {
      case .restored: .restored
      case .configured: .configured
      case .statusSet: .statusSet
      case .deviceLoaded: .deviceLoaded
      case .webLoaded: .webLoaded
      case .customerInfoRequested: .customerInfoRequested
      case .pinned: .pinned
      }
    }
  }

  /// Whether the app has a purchase controller.
  public let hasPurchaseController: Bool
  /// Whether the user has bought something.
  public private(set) var status = SubscriptionStatus.unknown
  /// The customer's purchases, as far as they are known.
  public private(set) var customerInfo = CustomerInfo.placeholder
  /// The entitlements that the config gives each product.
  private var configured: [String: [Entitlement]] = [:]
  private var device: CustomerInfo?
  private var webInfo: CustomerInfo?
  /// Whether anybody waits for the first real customer info.
  private var isAwaited = false
  /// Whether test mode pins the values.
  private var isPinned = false

  /// Creates an empty book.
  public init(hasPurchaseController: Bool = false) {
    self.hasPurchaseController = hasPurchaseController
  }

  /// The entitlements in force, by identifier.
  public var active: [Entitlement] { status.entitlements }

  /// All entitlements, by identifier: those of the config and those of the purchases.
  public var all: [Entitlement] {
    (active + customerInfo.entitlements + configured.values.flatMap { $0 }).merged()
  }

  /// The entitlements that are not in force, by identifier.
  public var inactive: [Entitlement] {
    let names = Set(active.map(\.identifier))
    return all.filter { !names.contains($0.identifier) }
  }

  /// The active entitlements of the web, by identifier.
  public var web: [Entitlement] { (webInfo?.entitlements ?? []).filter(\.isActive) }

  /// The entitlements that the config gives a product; none for a product that it does not know.
  public func byProductID(_ id: String) -> [Entitlement] { byProductIDs([id]) }

  /// The entitlements that the config gives any of the products. Unknown products add nothing.
  public func byProductIDs(_ ids: Set<String>) -> [Entitlement] {
    ids.sorted().flatMap { configured[$0] ?? [] }.merged()
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
    case .deviceLoaded(let info):
      device = info
      return updateInfo() + deriveStatus()
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
      isPinned = false
      guard let entitlements else { return updateInfo() + deriveStatus() }
      let effects =
        setStatus(.active(entitlements))
        + setInfo(CustomerInfo(entitlements: entitlements.sorted { $0.identifier < $1.identifier }))
      isPinned = true
      return effects
    }
  }
}

extension EntitlementBook {
  private mutating func setStatus(_ status: SubscriptionStatus) -> [PaywallEffect] {
    let (old, new) = (self.status, status.normalized)
    guard old != new else { return [] }
    self.status = new
    return [
      .saveStatus(new), .delegate(.subscriptionStatusDidChange(from: old, to: new)),
      .track(.subscriptionStatusDidChange(new)), .track(.deviceAttributes([:])),
    ]
  }

  /// Without a purchase controller the status follows from the purchases. Nobody is inactive before those
  /// of the device are known.
  private mutating func deriveStatus() -> [PaywallEffect] {
    guard !hasPurchaseController, !isPinned else { return [] }
    // As in the reference, an inactive record of the device does not take part.
    let onDevice = device?.entitlements.filter(\.isActive) ?? []
    let known = (onDevice + (webInfo?.entitlements ?? [])).merged().filter(\.isActive)
    return known.isEmpty && device == nil ? [] : setStatus(.active(Set(known)))
  }

  private mutating func updateInfo() -> [PaywallEffect] {
    guard !isPinned, device != nil || webInfo != nil else { return [] }
    let web = webInfo ?? CustomerInfo()
    var info = (device ?? .placeholder).merging(web: web)
    info.isPlaceholder = device == nil
    if hasPurchaseController {
      let fromApp = active.filter { $0.store == .appStore }
      let lapsed = (device?.entitlements ?? []).filter { !$0.isActive }
      info.entitlements = (fromApp + web.entitlements + lapsed).merged()
    }
    return setInfo(info)
  }

  private mutating func setInfo(_ info: CustomerInfo) -> [PaywallEffect] {
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

extension EntitlementBook.Event: CustomStringConvertible {
  /// The event in a few words.
  public var description: String {
    switch self {
    case .restored(let status): "restored \(status)"
    case .configured(let products): "configured \(products.keys.sorted().joined(separator: ","))"
    case .statusSet(let status): "statusSet \(status)"
    case .deviceLoaded(let info): "deviceLoaded \(info.summary)"
    case .webLoaded(let info): "webLoaded \(info.summary)"
    case .customerInfoRequested: "customerInfoRequested"
    case .pinned(let entitlements):
      "pinned \(entitlements.map { "\(SubscriptionStatus.active($0))" } ?? "to nothing")"
    }
  }
}

extension EntitlementBook: CustomStringConvertible {
  /// The status and the customer info, and who waits.
  public var description: String {
    var parts = ["\(status)", "info \(customerInfo.summary)"]
    if let device { parts.append("device \(device.summary)") }
    if let webInfo { parts.append("web \(webInfo.summary)") }
    if !configured.isEmpty { parts.append("config \(configured.keys.sorted())") }
    if isAwaited { parts.append("awaited") }
    if isPinned { parts.append("pinned") }
    if hasPurchaseController { parts.append("controller") }
    return parts.joined(separator: "; ")
  }
}

extension SubscriptionStatus {
  /// The status with an empty active set as inactive.
  var normalized: SubscriptionStatus { self == .active([]) ? .inactive : self }
}
