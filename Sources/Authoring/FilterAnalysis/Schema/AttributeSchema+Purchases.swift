// The members of the objects that tell of purchases (docs/spec/campaigns.md §6.2).

extension AttributeSchema {
  /// The states of a subscription.
  static let subscriptionStates = [
    "subscribed", "inGracePeriod", "inBillingRetryPeriod", "expired", "revoked",
  ]
  private static let stores = [
    "APP_STORE", "STRIPE", "PADDLE", "PLAY_STORE", "SUPERWALL", "CUSTOM", "OTHER",
  ]
  private static let offers = ["trial", "code", "promotional", "winback"]

  /// The members that all purchases have.
  static let purchaseMembers: [Attribute] =
    commonMembers + [.init("isConsumable", .bool, summary: "whether it can be bought again")]

  private static let commonMembers: [Attribute] = [
    .init("transactionId", .string, summary: "the transaction"),
    .init("productId", .string, summary: "the product"),
    .init("purchaseDate", .number, unit: .referenceDate, summary: "when it was bought"),
    .init("isRevoked", .bool, summary: "whether it was taken back"),
    .init("store", .string, summary: "the store", values: stores),
  ]

  /// The members of a subscription.
  static let subscriptionMembers: [Attribute] =
    commonMembers + [
      .init("isActive", .bool, summary: "whether it is in force"),
      .init("willRenew", .bool, summary: "whether it renews"),
      .init("isInGracePeriod", .bool, summary: "whether the payment failed and access goes on"),
      .init("isInBillingRetryPeriod", .bool, summary: "whether the payment is tried again"),
      .init(
        "expirationDate", .number, unit: .referenceDate, summary: "when it ends",
        isOptional: true),
      .init(
        "offerType", .string, summary: "the offer it began with", values: offers,
        isOptional: true),
      .init(
        "subscriptionGroupId", .string, summary: "the group in the App Store", isOptional: true),
    ]

  /// The members of an entitlement.
  static let entitlementMembers: [Attribute] = [
    .init("identifier", .string, summary: "the id"),
    .init("type", .string, summary: "the kind", values: ["SERVICE_LEVEL"]),
    .init("isActive", .bool, summary: "whether it is in force"),
    .init("productIds", .list(.string), summary: "the products that give it"),
    .init("latestProductId", .string, summary: "the product that gave it last", isOptional: true),
    .init("store", .string, summary: "the store", values: stores, isOptional: true),
    .init(
      "startsAt", .number, unit: .referenceDate, summary: "when it began", isOptional: true),
    .init(
      "renewedAt", .number, unit: .referenceDate, summary: "when it was renewed",
      isOptional: true),
    .init(
      "expiresAt", .number, unit: .referenceDate, summary: "when it ends", isOptional: true),
    .init("isLifetime", .bool, summary: "whether it never ends", isOptional: true),
    .init("willRenew", .bool, summary: "whether it renews", isOptional: true),
    .init(
      "state", .string, summary: "the state of its subscription", values: subscriptionStates,
      isOptional: true),
    .init(
      "offerType", .string, summary: "the offer it began with", values: offers,
      isOptional: true),
  ]
}
