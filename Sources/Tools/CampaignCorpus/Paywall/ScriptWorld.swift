package import CampaignCore
import ExpressionCoding
import ExpressionEngine
package import PaywallLogic

/// The app of a case: a session, its products and paywalls, and the events that it tracked.
package struct ScriptWorld: Sendable {
  let evaluate: PaywallCorpus.Evaluator
  package private(set) var options = PaywallSession.Options()
  package private(set) var products: [String: PaywallProduct] = [:]
  private(set) var paywalls: [String: PaywallDetails] = [:]
  package private(set) var hasHandler = true
  private(set) var testUserIDs: Set<String> = []
  /// A requirement of the case that this module does not meet.
  private(set) var need: String?
  package var session = PaywallSession()
  var tracked: [AnalyticsEvent] = []
  var ledger = ConsumableLedger()
  var integration = IntegrationAttributes()
  /// The fields of the last event of Adapty.
  var adaptyParameters: [String: Value]?
  /// The time, for steps that do not say when something happened.
  package var now: WallTime?

  package init(evaluate: @escaping PaywallCorpus.Evaluator) {
    self.evaluate = evaluate
  }

  /// Begins the story with the settings.
  mutating func begin() {
    session = PaywallSession(options: options, products: Array(products.values))
    session.productsWithOffer = Set(products.keys)
    let configured = products.values.filter { !$0.entitlements.isEmpty }
    guard !configured.isEmpty else { return }
    let pairs = configured.map { product in
      (
        product.id,
        product.entitlements.map {
          UserEntitlement(identifier: $0, productIDs: [product.id])
        }
      )
    }
    _ = session.handle(
      .entitlements(.configured(Dictionary(pairs, uniquingKeysWith: { _, last in last }))))
  }

  /// Takes a setting.
  package mutating func set(_ key: String, _ value: String) throws(CaseProblem) {
    switch key {
    case "title", "spec", "differs": break
    case "needs": need = value
    case "handler": hasHandler = try flag(value)
    case "controller": options.purchases.hasPurchaseController = try flag(value)
    case "automatic dismissal":
      options.presentation.dismissesAutomatically = try flag(value)
    case "remembers purchase": options.presentation.remembersPurchase = try flag(value)
    case "failure alert": options.purchases.showsFailureAlert = try flag(value)
    case "transaction_fail presents":
      options.purchases.hasTransactionFailTrigger = try flag(value)
    case "observer": options.purchases.observesPurchases = try flag(value)
    case "web restore needs an entitlement":
      options.purchases.webRestoreNeedsEntitlement = try flag(value)
    case "custom store": options.purchases.reportsCustomStore = try flag(value)
    case "second code": options.redemption.secondCode = try word(.init(rawValue: value), value)
    case "web restore": options.purchases.offersWebRestore = try flag(value)
    case "StoreKit":
      options.purchases.storeKitVersion = try word(
        PurchaseFlow.StoreKitVersion(rawValue: "STOREKIT\(value)"), value)
    case "network": options.presentation.networkPolicy = try word(.init(rawValue: value), value)
    case "app transaction": options.appTransactionID = value
    case "confirmation alert": options.recovery.confirmsPurchase = try flag(value)
    case "callback timeout": options.callbackTimeout = try word(Int64(value), value)
    case "maximum age":
      options.redemption.maximumAge = value == "none" ? nil : try word(Int64(value), value)
    case "override": options.overrides.global = try pairs(value)
    case "permission":
      let words = value.split(separator: " ").map(String.init)
      guard words.count == 2 else { throw .input("a permission is `name answer`") }
      let permission = try word(Permission(rawValue: words[0]), words[0])
      options.permissions.answers[permission] = try word(.init(rawValue: words[1]), words[1])
    case "without permission":
      options.permissions.supported.remove(try word(Permission(rawValue: value), value))
    case "without key": options.permissions.propertyListKeys.remove(value)
    case "product": try addProduct(value)
    case "paywall": try addPaywall(value)
    default: throw .input("there is no setting `\(key)`")
    }
  }

  /// `monthly {"price": "9.99", "period": "1 month", …}`.
  private mutating func addProduct(_ text: String) throws(CaseProblem) {
    let (id, members) = try CaseCommand.nameAndObject(text)
    var product = PaywallProduct(id: id)
    for (name, value) in members {
      switch (name, value) {
      case ("price", .string(let text)): product.price = try word(Price(text), text)
      case ("period", .string(let text)): product.period = try word(BillingPeriod(text), text)
      case ("trial", .string(let text)):
        product.trial = .init(
          period: try word(BillingPeriod(text), text), price: product.trial?.price ?? .zero)
      case ("group", .string(let text)): product.subscriptionGroupID = text
      case ("store", .string(let text)): product.store = try word(.init(rawValue: text), text)
      case ("entitlements", .list(let ids)): product.entitlements = ids.compactMap(\.text)
      case ("consumable", .bool(let flag)): product.isConsumable = flag
      case ("symbol", .string(let text)): product.priceFormat.symbol = text
      case ("currency", .string(let text)): product.currencyCode = text
      case ("locale", .string(let text)): product.locale = text
      default: throw .input("a product has no member `\(name)` like this")
      }
    }
    products[id] = product
  }

  /// `pw_gated {"gating": "GATED", "products": {"primary": "monthly"}, …}`.
  private mutating func addPaywall(_ text: String) throws(CaseProblem) {
    let (identifier, members) = try CaseCommand.nameAndObject(text)
    var info = PaywallDetails(identifier: identifier)
    for (name, value) in members {
      switch (name, value) {
      case ("gating", .string(let text)): info.featureGating = try word(.init(rawValue: text), text)
      case ("placement", .string(let text)): info.placement = text
      case ("experiment", .string(let text)):
        info.experiment = Self.experiment(text, text + "a")
      case ("trial", .bool(let flag)): info.isFreeTrialAvailable = flag
      case ("offer", .string(let text)):
        info.offerEligibility = try word(.init(rawValue: text), text)
      case ("trial notifications", .list(let delays)):
        info.trialNotificationDelays = delays.compactMap { delay in
          if case .int(let number) = delay { number } else { nil }
        }
      case ("products", .list(let list)):
        info.products = list.compactMap { element in
          guard let id = element.objectValue?["id"]?.text else { return nil }
          return .init(name: element.objectValue?["name"]?.text, id: id)
        }
      case ("survey", .string(let text)):
        info.surveys.append(
          Survey(id: text, assignmentKey: "key_" + text, condition: .onManualClose))
      case ("survey on purchase", .string(let text)):
        info.surveys.append(
          Survey(id: text, assignmentKey: "key_" + text, condition: .onPurchase))
      default: throw .input("a paywall has no member `\(name)` like this")
      }
    }
    paywalls[identifier] = info
  }
}

extension ScriptWorld {
  /// The paywall with an identifier.
  func paywall(_ identifier: String) throws(CaseProblem) -> PaywallDetails {
    guard let info = paywalls[identifier] else {
      throw .input("there is no paywall `\(identifier)`")
    }
    return info
  }

  /// The product with an identifier.
  package func product(_ id: String) throws(CaseProblem) -> PaywallProduct {
    guard let product = products[id] else { throw .input("there is no product `\(id)`") }
    return product
  }

  /// An experiment with its variant.
  static func experiment(_ id: String, _ variantID: String) -> CampaignExperiment {
    CampaignExperiment(
      id: id, campaignID: "",
      variant: Variant(id: variantID, kind: .treatment, percentage: 0))
  }

  static func json(_ text: String) throws(CaseProblem) -> Value {
    do {
      return try Value(json: text)
    } catch {
      throw .input("`\(text)` is not JSON: \(error)")
    }
  }

  private func flag(_ text: String) throws(CaseProblem) -> Bool {
    switch text {
    case "yes": true
    case "no": false
    default: throw .input("`\(text)` is neither yes nor no")
    }
  }

  /// `primary=monthly_promo, secondary=annual_promo`.
  package func pairs(_ text: String) throws(CaseProblem) -> [String: String] {
    var result: [String: String] = [:]
    for part in text.split(separator: ",") {
      let sides = part.split(separator: "=").map { $0.filter { $0 != " " } }
      guard sides.count == 2 else { throw .input("`\(part)` is not `name=product`") }
      result[sides[0]] = sides[1]
    }
    return result
  }
}

/// A value that was read, or an error that names the text.
func word<Wrapped>(_ value: Wrapped?, _ text: String) throws(CaseProblem) -> Wrapped {
  guard let value else { throw .input("`\(text)` means nothing here") }
  return value
}

extension Value {
  /// The text of a string.
  var text: String? {
    if case .string(let text) = self { text } else { nil }
  }
}
