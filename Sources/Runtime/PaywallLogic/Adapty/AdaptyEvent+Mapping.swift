public import ExpressionEngine

extension AdaptyEvent {
  /// How long a host waits before it loads products again.
  public static let retryMilliseconds: Int64 = 2_000

  /// The events of the history that this one is, so that filters can count it. The selection of a
  /// product and the navigation to a web payment have no counterpart.
  ///
  /// - Parameter info: The paywall on screen.
  public func analyticsEvents(on info: PaywallDetails) -> [AnalyticsEvent] {
    switch self {
    case .didAppear: [.paywallOpen(info)]
    case .didDisappear: [.paywallClose(info, .none, survey: nil)]
    case .didPerformAction(.close): [.paywallDecline(info)]
    case .didPerformAction(.custom(let id)): [.customPlacement(info, name: id, parameters: [:])]
    case .didStartPurchase(let product): [.transactionStart(product.details(on: info))]
    case .didFinishPurchase(let product, .success(let profile)):
      [.transactionComplete(product.details(on: info), profile.transactionType(of: product))]
    case .didFinishPurchase(let product, .cancelled):
      [.transactionAbandon(product.details(on: info))]
    case .didFailPurchase(let product, let error):
      [.transactionFail(product.details(on: info), message: error.message)]
    case .didStartRestore: [.restoreStart(info)]
    case .didFinishRestore: [.restoreComplete(info)]
    case .didFailRestore(let error): [.restoreFail(info, message: error.message)]
    case .didFailLoadingProducts(let error):
      [.paywallProductsLoadFail(info, isTriggered: false, message: error.message)]
    case .didFailRendering(let error):
      [.paywallWebviewLoadFail(info, message: error.message, urls: [])]
    case .didPerformAction(.openURL), .didSelectProduct, .shouldContinueWebPaymentNavigation,
      .didFailWebPaymentNavigation, .didFinishWebPaymentNavigation, .didPartiallyLoadProducts:
      []
    }
  }

  /// The profile that the event brings.
  public var profile: AdaptyProfile? {
    switch self {
    case .didFinishPurchase(_, .success(let profile)), .didFinishRestore(let profile): profile
    default: nil
    }
  }

  /// Whether the app should close the paywall: after a purchase, after a restore that gave the access
  /// level, and when the paywall could not be drawn.
  ///
  /// - Parameter accessLevel: The access level that the paywall sells.
  public func closesPaywall(for accessLevel: String) -> Bool {
    switch self {
    case .didFinishPurchase(_, .success), .didFailRendering, .didPerformAction(.close): true
    case .didFinishRestore(let profile):
      profile.accessLevels.contains { $0.id == accessLevel && $0.isActive }
    default: false
    }
  }

  /// The fields of the event for filters, as `params.<name>`.
  public var parameters: [String: Value] {
    switch self {
    case .didPerformAction(.close): ["action": "close"]
    case .didPerformAction(.openURL(let url)): ["action": "openURL", "url": .string(url)]
    case .didPerformAction(.custom(let id)): ["action": .string(id)]
    case .didSelectProduct(let product), .didStartPurchase(let product),
      .shouldContinueWebPaymentNavigation(let product):
      product.parameters
    case .didFinishPurchase(let product, .success(let profile)):
      product.parameters.merging(profile.parameters) { first, _ in first }
        .merging(["purchase_result": "success"]) { first, _ in first }
    case .didFinishPurchase(let product, .cancelled):
      product.parameters.merging(["purchase_result": "cancelled"]) { first, _ in first }
    case .didFailPurchase(let product, let error),
      .didFailWebPaymentNavigation(let product, let error):
      product.parameters.merging(error.parameters) { first, _ in first }
    case .didFinishRestore(let profile): profile.parameters
    case .didFailRestore(let error), .didFailLoadingProducts(let error),
      .didFailRendering(let error):
      error.parameters
    case .didAppear, .didDisappear, .didFinishWebPaymentNavigation, .didStartRestore,
      .didPartiallyLoadProducts:
      [:]
    }
  }
}

extension AdaptyProduct {
  /// The product as the store describes it. Adapty's events do not tell the period.
  public var storeProduct: PaywallProduct {
    var product = PaywallProduct(id: vendorProductID, price: price)
    product.currencyCode = currencyCode
    return product
  }

  fileprivate func details(on info: PaywallDetails) -> TransactionDetails {
    TransactionDetails(product: storeProduct, info: info, source: "SUPERWALL")
  }

  fileprivate var parameters: [String: Value] {
    [
      "product_id": .string(vendorProductID), "product_title": .string(localizedTitle),
      "product_description": .string(localizedDescription),
      "product_localized_price": .string(localizedPrice),
      "product_price": .double(Double("\(price)") ?? 0),
      "product_currency_code": .string(currencyCode),
    ]
  }
}

extension AdaptyError {
  fileprivate var parameters: [String: Value] {
    var result: [String: Value] = [
      "error_code": .string(code.wireName), "error_message": .string(message),
    ]
    result["underlying_error"] = underlyingError.map(Value.string)
    return result
  }
}

extension AdaptyProfile {
  /// The type of a purchase that led to this profile. The event does not tell the period of a product:
  /// it is a subscription if the profile lists it as one, or has access that ends.
  fileprivate func transactionType(of product: AdaptyProduct) -> PurchaseKind {
    let isSubscription =
      subscriptions.contains { $0.vendorProductID == product.vendorProductID }
      || accessLevels.contains { $0.isActive && $0.expiresAt != nil }
    return isSubscription ? .subscriptionStart : .nonRecurringProductPurchase
  }

  /// Whether each access level is active, and the products in force.
  fileprivate var parameters: [String: Value] {
    var result: [String: Value] = [:]
    for level in accessLevels { result["access_level_" + level.id] = .bool(level.isActive) }
    result["active_product_ids"] = .list(
      subscriptions.filter(\.isActive).map { .string($0.vendorProductID) })
    return result
  }
}
