extension CustomerRecord {
  /// Reads the customer info of a response (docs/spec/campaigns.md §8.16).
  package init(response value: ConfigValue) throws(ConfigError) {
    let object = try value.object()
    self.init(entitlements: try object["entitlements"].array(UserEntitlement.init(response:)))
    subscriptions = try object["subscriptions"].array(Subscription.init(response:))
    nonSubscriptions = try object["non_subscriptions"].array(NonSubscription.init(response:))
    isPlaceholder = try object.optional("is_placeholder")?.bool() ?? false
  }
}

extension CustomerRecord.Subscription {
  /// Reads a transaction of a response.
  package init(response value: ConfigValue) throws(ConfigError) {
    let object = try value.object()
    self.init(
      transactionID: try object["transaction_id"].string(),
      productID: try object["product_id"].string(),
      purchasedAt: try object["purchase_date"].date())
    willRenew = try object["will_renew"].bool()
    isRevoked = try object["is_revoked"].bool()
    isInGracePeriod = try object["is_in_grace_period"].bool()
    isInBillingRetryPeriod = try object["is_in_billing_retry_period"].bool()
    isActive = try object["is_active"].bool()
    expiresAt = try object.optional("expiration_date")?.date()
    offerType = try object.optional("offer_type")?.word(OfferType.self)
    subscriptionGroupID = try object.optional("subscription_group_id")?.string()
    store = PaymentStore(rawValue: try object["store"].string()) ?? .other
  }
}

extension CustomerRecord.NonSubscription {
  /// Reads a transaction of a response.
  package init(response value: ConfigValue) throws(ConfigError) {
    let object = try value.object()
    self.init(
      transactionID: try object["transaction_id"].string(),
      productID: try object["product_id"].string(),
      purchasedAt: try object["purchase_date"].date())
    isConsumable = try object["is_consumable"].bool()
    isRevoked = try object["is_revoked"].bool()
    store = PaymentStore(rawValue: try object["store"].string()) ?? .other
  }
}

extension UserEntitlement {
  /// Reads an entitlement of a response. Unlike in a config, an unknown state or offer is an error.
  package init(response value: ConfigValue) throws(ConfigError) {
    try self.init(value)
    let object = try value.object()
    state = try object.optional("state")?.word(SubscriptionState.self)
    offerType = try object.optional("offer_type")?.word(OfferType.self)
  }
}
