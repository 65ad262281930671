import CampaignCore
import ExpressionEngine

extension RedeemResponse {
  init(_ value: ConfigValue) throws(ConfigError) {
    let object = try value.object()
    self.init(results: try object["codes"].array(PaywallRedemptionResult.init(_:)))
    if let info = object.optional("customer_info") {
      customerInfo = try CustomerRecord(response: info)
    }
    status = try object.optional("status").map { value throws(ConfigError) in
      try value.word(Status.self)
    }
  }
}

extension PaywallRedemptionResult {
  /// The words of the wire.
  private enum Status: String, CaseIterable {
    case success = "SUCCESS"
    case error = "ERROR"
    case codeExpired = "CODE_EXPIRED"
    case invalidCode = "INVALID_CODE"
    case expiredSubscription = "EXPIRED_SUBSCRIPTION"
  }

  fileprivate init(_ value: ConfigValue) throws(ConfigError) {
    let object = try value.object()
    let status = try object["status"].word(Status.self)
    let code = try object["code"].string()
    switch status {
    case .success:
      self = .success(code: code, try RedemptionInfo(object["redemption_info"]))
    case .expiredSubscription:
      self = .expiredSubscription(code: code, try RedemptionInfo(object["redemption_info"]))
    case .error:
      let message = try object["error"].object()["message"].string()
      self = .error(code: code, message: message)
    case .codeExpired:
      let expired = try object["expired"].object()
      self = .expiredCode(
        code: code, isResent: try expired["resent"].bool(),
        obfuscatedEmail: try expired.optional("obfuscated_email")?.string())
    case .invalidCode: self = .invalidCode(code: code)
    }
  }
}

extension RedemptionInfo {
  fileprivate init(_ value: ConfigValue) throws(ConfigError) {
    self.init()
    let object = try value.object()
    owner = try Owner(object["ownership"])
    let purchaser = try object["purchaser_info"].object()
    appUserID = try purchaser["app_user_id"].string()
    email = try purchaser.optional("email")?.string()
    try read(identifiers: purchaser["store_identifiers"].object())
    if let paywall = try object.optional("paywall_info")?.object() { try read(paywall: paywall) }
    entitlements = try object["entitlements"].array(UserEntitlement.init(response:))
  }

  private mutating func read(identifiers: ConfigObject) throws(ConfigError) {
    func texts(_ name: MemberName) throws(ConfigError) -> [String] {
      try identifiers[name].array { value throws(ConfigError) in try value.string() }
    }
    let word = try identifiers["store"].string()
    store = PaymentStore(rawValue: word) ?? .other
    switch store {
    case .stripe:
      storeCustomerID = try identifiers["stripe_customer_id"].string()
      stripeSubscriptionIDs = try texts("stripe_subscription_ids")
    case .paddle:
      storeCustomerID = try identifiers["paddle_customer_id"].string()
      paddleSubscriptionIDs = try texts("paddle_subscription_ids")
    default: break
    }
  }

  private mutating func read(paywall: ConfigObject) throws(ConfigError) {
    paywallIdentifier = try paywall["identifier"].string()
    placement = try paywall["placement_name"].string()
    variantID = try paywall["variant_id"].string()
    experimentID = try paywall["experiment_id"].string()
    // Parameters that are not an object count as none.
    placementParameters = try paywall["placement_params"].tree.objectValue ?? [:]
    if let product = try paywall.optional("product")?.object() {
      self.product = Product(
        identifier: try product["identifier"].string(),
        trialDays: Int(clamping: try product["trial_period_days"].int()))
    } else if let identifier = try paywall.optional("product_identifier")?.string() {
      product = Product(identifier: identifier)
    }
  }
}

extension RedemptionInfo.Owner {
  /// The words of the wire.
  private enum Kind: String, CaseIterable {
    case appUser = "APP_USER"
    case device = "DEVICE"
  }

  fileprivate init(_ value: ConfigValue) throws(ConfigError) {
    let object = try value.object()
    switch try object["type"].word(Kind.self) {
    case .appUser: self = .appUser(try object["app_user_id"].string())
    case .device: self = .device(try object["device_id"].string())
    }
  }
}
