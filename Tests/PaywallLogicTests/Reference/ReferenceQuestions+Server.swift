import CampaignCore
import ExpressionCoding
import ExpressionEngine
import PaywallLogic

extension ReferenceQuestions {
  static func response(_ given: Given) throws -> Value {
    let json = try given["json"].jsonText()
    do {
      switch try given.text("kind") {
      case "subscription": return describe(try ServerResponses.subscription(json: json))
      case "nonSubscription": return describe(try ServerResponses.nonSubscription(json: json))
      case "entitlement": return describe(try ServerResponses.entitlement(json: json))
      case "customer": return describe(try ServerResponses.customerInfo(json: json))
      case "redemption": return describe(try ServerResponses.redemption(json: json))
      default: throw Given.Missing(name: "kind")
      }
    } catch ResponseError.member(let error) {
      return ["error": .string("\(error)")]
    }
  }

  private static func describe(_ response: RedeemResponse) -> Value {
    Value(members: [
      "results": .list(response.results.map(describe)),
      "codes": Value(response.codes),
      "customerInfo": describe(response.customerInfo),
      "status": text(response.status?.rawValue),
    ])
  }

  private static func describe(_ result: PaywallRedemptionResult) -> Value {
    var members: [String: Value?] = ["code": .string(result.code)]
    switch result {
    case .success(_, let info):
      members["status"] = "success"
      members.merge(describe(info)) { first, _ in first }
    case .expiredSubscription(_, let info):
      members["status"] = "expiredSubscription"
      members.merge(describe(info)) { first, _ in first }
    case .error(_, let message):
      members["status"] = "error"
      members["message"] = .string(message)
    case .expiredCode(_, let isResent, let email):
      members["status"] = "expiredCode"
      members["resent"] = .bool(isResent)
      members["obfuscatedEmail"] = text(email)
    case .invalidCode: members["status"] = "invalidCode"
    }
    return Value(members: members)
  }

  private static func describe(_ info: RedemptionInfo) -> [String: Value?] {
    let owner: String? =
      switch info.owner {
      case .appUser(let id): "user \(id)"
      case .device(let id): "device \(id)"
      case nil: nil
      }
    return [
      "owner": text(owner), "appUserId": text(info.appUserID),
      "email": text(info.email), "store": text(info.store?.rawValue),
      "customerId": text(info.storeCustomerID),
      "stripeSubscriptionIds": Value(info.stripeSubscriptionIDs),
      "paddleSubscriptionIds": Value(info.paddleSubscriptionIDs),
      "entitlements": Value(info.entitlements.map(\.identifier)),
      "paywall": text(info.paywallIdentifier),
      "placement": text(info.placement),
      "variantId": text(info.variantID),
      "experimentId": text(info.experimentID),
      "product": text(info.product?.identifier),
      "trialDays": number(info.product?.trialDays),
      "placementParams": Value(object: info.placementParameters),
    ]
  }
}

extension ReferenceQuestions {
  /// What a script of a checkout did.
  private struct CheckoutLog {
    var members: [String: Value?] = [:]
    var counts: [String: Int64] = [
      "polls": 0, "refreshes": 0, "willRedeem": 0, "confirms": 0,
    ]

    mutating func add(_ effect: CheckoutRecovery.Effect) {
      switch effect {
      case .save: break
      case .poll: counts["polls", default: 0] += 1
      case .wait(let milliseconds): members["wait"] = .int(milliseconds)
      case .spinner(let isShown): members["spinner"] = .bool(isShown)
      case .apply(_, let code): members["applied"] = .string(code)
      case .confirmPurchase: counts["confirms", default: 0] += 1
      case .willRedeemLink: counts["willRedeem", default: 0] += 1
      case .didRedeemLink(let result, let pause):
        members["didRedeem"] = .string(result.code)
        members["didRedeemAfter"] = .int(pause)
      case .trackAbandoned(let product): members["abandoned"] = .string(product)
      case .refreshWebEntitlements: counts["refreshes", default: 0] += 1
      }
    }
  }

  static func checkout(_ given: Given) throws -> Value {
    var options = CheckoutRecovery.Options()
    options.confirmsPurchase = try given.isSet("confirms")
    let stored = try given.optional("pending").map(Given.init).map { row in
      CheckoutRecovery.Pending(
        contextID: try row.text("context"), productID: try row.text("product"),
        attempts: Int(try row.optionalNumber("attempts") ?? 5), updatedAt: try row.time("updatedAt")
      )
    }
    var recovery = CheckoutRecovery(options: options, pending: stored)
    var log = CheckoutLog()
    var awaited: String?
    for step in try given.objects("steps") {
      if try step.text("do") == "open" { awaited = recovery.pending?.contextID }
      for effect in recovery.handle(try checkoutEvent(step)) { log.add(effect) }
    }
    var members = log.members
    for (name, count) in log.counts { members[name] = .int(count) }
    members["isPolling"] = .bool(recovery.poll != nil)
    let last = recovery.last
    members["found"] = .bool(last?.outcome == .redeemed && last?.contextID == awaited)
    members["pending"] = recovery.pending.map { pending -> Value in
      [
        "context": .string(pending.contextID), "product": .string(pending.productID),
        "attempts": .int(Int64(pending.attempts)),
      ]
    }
    return Value(members: members)
  }

  private static func checkoutEvent(_ step: Given) throws -> CheckoutRecovery.Event {
    let word = try step.text("do")
    if word == "abandon" { return .abandoned(productID: try step.text("product")) }
    if word == "confirm" { return .confirmed }
    let now = try step.time("at")
    switch word {
    case "launch": return .launched(at: now)
    case "foreground": return .foregrounded(hasPaywall: try step.flag("paywall"), at: now)
    case "open": return .paywallOpened(at: now)
    case "submit":
      return .submitted(
        contextID: try step.text("context"), productID: try step.text("product"), at: now)
    case "complete":
      return .completed(
        contextID: try step.text("context"), productID: try step.text("product"), at: now)
    case "answer":
      var response = RedeemResponse()
      if let code = try step.optionalText("code") {
        response.results = [.success(code: code, RedemptionInfo())]
      }
      response.status = try step.optionalText("status").flatMap(RedeemResponse.Status.init)
      return .responded(response, at: now)
    case "fail": return .requestFailed(at: now)
    case "tick": return .pauseEnded(at: now)
    default: throw Given.Missing(name: word)
    }
  }
}

extension ReferenceQuestions {
  static func tokens(_ given: Given) throws -> Value {
    var tokens = IntroOfferTokens()
    var members: [String: Value?] = [:]
    var fetches: [IntroOfferTokens.Request] = []
    for step in try given.objects("steps") {
      let event: IntroOfferTokens.Event
      switch try step.text("do") {
      case "load":
        let eligibility = OfferEligibility(rawValue: try step.text("eligibility"))
        event = .paywallLoaded(
          identifier: "paywall", eligibility ?? .automatic, productIDs: try step.texts("products"),
          appTransactionID: try step.optionalText("transaction"))
      case "fetched":
        event = .fetched(
          try step.members("tokens").mapValues { value in
            let token = Given(value)
            return IntroOfferTokens.Token(
              text: try token.text("token"), expiresAt: try token.time("expiresAt"))
          })
      case "failed": event = .fetchFailed
      case "foreground": event = .foregrounded(at: try step.time("at"))
      default:
        let valid = tokens.validToken(for: try step.text("product"), at: try step.time("at"))
        members["valid"] = text(valid?.text)
        continue
      }
      for case .fetch(let request) in tokens.handle(event) { fetches.append(request) }
    }
    members["tokens"] = Value(object: tokens.tokens.mapValues { .string($0.text) })
    members["fetches"] = .int(Int64(fetches.count))
    members["grants"] = flag(fetches.last?.grantsOffers)
    members["request"] = fetches.last.map { request -> Value in
      [
        "products": Value(request.productIDs),
        "transaction": .string(request.appTransactionID),
      ]
    }
    return Value(members: members)
  }

  static func observed(_ given: Given) throws -> Value {
    var observed = ObservedTransactions(
      knownIDs: Set(try given.optionalList("known")?.map { try $0.string } ?? []),
      hasBegun: try given.isSet("hasBegun"),
      purchasing: Set(try given.optionalList("purchasing")?.map { try $0.string } ?? []))
    var reports: [ObservedTransactions.Report] = []
    for step in try given.objects("steps") {
      switch try step.text("do") {
      case "begin": observed.begin(with: try step.objects("transactions").map(listed))
      case "own": observed.note(ownTransaction: try step.text("id"))
      case "list":
        let report = observed.handle(
          try step.objects("transactions").map(listed),
          isPurchaseUnderWay: try step.isSet("underWay"))
        if let report { reports.append(report) }
      default:
        reports += observed.handle(try payment(step), productID: try step.text("product"))
      }
    }
    return [
      "reports": Value(reports.map(words)), "known": Value(observed.knownIDs.sorted()),
      "purchasing": Value(observed.purchasing.sorted()),
    ]
  }

  private static func listed(_ row: Given) throws -> ObservedTransactions.Listed {
    ObservedTransactions.Listed(
      id: try row.text("id"), productID: try row.text("product"),
      purchasedAt: try row.time("purchasedAt"),
      isVerified: row.optional("isVerified") == nil ? true : try row.flag("isVerified"),
      isRenewal: try row.isSet("isRenewal"))
  }

  private static func payment(_ row: Given) throws -> ObservedTransactions.Step {
    switch try row.text("step") {
    case "purchasing": .purchasing
    case "purchased": .purchased(transactionID: try row.optionalText("id"))
    case "failed": .failed(message: try row.text("message"))
    case "cancelled": .cancelled
    case "timedOut": .timedOut
    case "deferred": .deferred
    case "removed": .removed
    case let other: throw Given.Missing(name: other)
    }
  }

  private static func words(_ report: ObservedTransactions.Report) -> String {
    switch report {
    case .started(let product): "started \(product)"
    case .completed(let product, let id, _): "completed \(product) \(id ?? "")"
    case .abandoned(let product): "abandoned \(product)"
    case .failed(let product, let message): "failed \(product): \(message)"
    case .pending: "pending"
    case .timedOut: "timed out"
    }
  }
}
