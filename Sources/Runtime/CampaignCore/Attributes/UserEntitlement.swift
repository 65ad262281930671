/// The store that sells a product or granted an entitlement, with the word of the wire.
public enum PaymentStore: String, Sendable, Hashable, CaseIterable, Codable {
  /// The App Store.
  case appStore = "APP_STORE"
  /// Stripe.
  case stripe = "STRIPE"
  /// Paddle.
  case paddle = "PADDLE"
  /// The Play Store.
  case playStore = "PLAY_STORE"
  /// The service itself, which grants.
  case superwall = "SUPERWALL"
  /// The app's own billing.
  case custom = "CUSTOM"
  /// Unknown.
  case other = "OTHER"
}

/// The state of a subscription, with the word of the wire.
public enum SubscriptionState: String, Sendable, Hashable, CaseIterable, Codable {
  /// The payment failed and access goes on for a while.
  case inGracePeriod
  /// It is in force.
  case subscribed
  /// It ended.
  case expired
  /// The payment is tried again.
  case inBillingRetryPeriod
  /// It was taken back.
  case revoked
}

/// An offer that a subscription began with, with the word of the wire.
public enum OfferType: String, Sendable, Hashable, CaseIterable, Codable {
  /// An introductory offer.
  case trial
  /// A code.
  case code
  /// A promotional offer.
  case promotional
  /// A win-back offer.
  case winback
}

/// A right that a product gives (docs/spec/campaigns.md §1.4, §6.2).
public struct UserEntitlement: Sendable, Hashable, Codable {
  /// The identifier.
  public var identifier: String
  /// The kind; only `SERVICE_LEVEL` exists.
  public var type = "SERVICE_LEVEL"
  /// Whether it is in force.
  public var isActive = false
  /// The products that give it, in order.
  public var productIDs: [String] = []
  /// The product that gave it last; `nil` if none ever did.
  public var latestProductID: String?
  /// Where it comes from.
  public var store: PaymentStore?
  /// When it began.
  public var startsAt: WallTime?
  /// When it was renewed.
  public var renewedAt: WallTime?
  /// When it ends.
  public var expiresAt: WallTime?
  /// Whether it never ends.
  public var isLifetime: Bool?
  /// Whether it will renew.
  public var willRenew: Bool?
  /// The state of the subscription that gives it.
  public var state: SubscriptionState?
  /// The offer that the subscription began with.
  public var offerType: OfferType?

  /// Creates an inactive entitlement, as the config knows it.
  public init(identifier: String, productIDs: [String] = []) {
    self.identifier = identifier
    self.productIDs = productIDs
  }

  /// Creates an entitlement that is in force, of the App Store, as an app makes one of which it knows the
  /// identifier only (docs/spec/campaigns.md §8.1).
  public init(active identifier: String) {
    self.identifier = identifier
    isActive = true
    store = .appStore
  }

  /// Whether it was taken back, as ``state`` says.
  public var isRevoked: Bool { state == .revoked }

  /// Whether the user ever had it: a product gave it, the service granted it, or it is in force.
  public var wasEverHeld: Bool { latestProductID != nil || store == .superwall || isActive }
}
