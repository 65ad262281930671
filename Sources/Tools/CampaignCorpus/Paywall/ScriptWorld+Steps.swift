import CampaignCore
import ExpressionCoding
import ExpressionEngine
package import PaywallLogic

extension ScriptWorld {
  /// Carries out a step.
  ///
  /// - Returns: The lines that come of it.
  mutating func perform(_ step: CampaignCase.Step) throws(CaseProblem) -> [String] {
    let (name, rest) = (step.command, step.argument)
    if let answer = try ask(name, rest) { return answer }
    switch (name, rest) {
    case ("link", _):
      let isRecognized = session.links.recognizes(rest)
      let effects = show(session.timeline(of: .links(.opened(rest))))
      return [isRecognized ? "returns true" : "returns false"] + effects
    case ("adapty", _): return try adapty(rest)
    case ("integration", _):
      var changes: [IntegrationIdentifier: String?] = [:]
      for (key, value) in try CaseCommand.object(rest) {
        let attribute =
          IntegrationIdentifier.Known(rawValue: key).map(IntegrationIdentifier.known)
          ?? .custom(key)
        changes[attribute] = .some(value.text)
      }
      return show(integration.set(changes))
    default:
      guard let event = try event(name, rest) else {
        throw .input("there is no step `\(name)`")
      }
      return show(session.timeline(of: event))
    }
  }

  /// The lines of effects, whose events are remembered.
  private mutating func show(_ effects: [PaywallEffect]) -> [String] {
    var lines: [String] = []
    for effect in effects {
      lines.append("\(effect)")
      guard case .track(let event) = effect else { continue }
      tracked.append(event)
      if let grant = ledger.grant(for: event) {
        lines.append("the app grants \(grant.productID) for \(grant.transactionID)")
      }
    }
    return lines
  }

  /// The event that a step is; `nil` for a step that is not an event.
  package func event(
    _ name: String, _ rest: String
  ) throws(CaseProblem) -> PaywallSession.Event? {
    if let event = try presentationEvent(name, rest) { return event }
    if let event = try purchaseEvent(name, rest) { return event }
    if let event = try entitlementEvent(name, rest) { return event }
    if let event = try recoveryEvent(name, rest) { return event }
    switch name {
    case "tap":
      let id = String(rest.prefix { $0 != " " })
      let list = try Self.json(String(rest.dropFirst(id.count)))
      return .actions(.tapped(id: id, try PaywallAction.list(list)))
    case "callback":
      let words = Self.words(rest, 3)
      guard words.count >= 2 else { throw .input("a callback is `id status data`") }
      let data = words.count > 2 ? try CaseCommand.object(words[2]) : nil
      let status = try word(PaywallCallbackResult.Status(rawValue: words[1]), words[1])
      return .actions(
        .callbackFinished(
          requestID: words[0],
          status == .success ? .success(data: data) : .failure(data: data)))
    case "timeout": return .actions(.timedOut(requestID: rest))
    case "permission":
      let words = Self.words(rest, 2)
      guard words.count == 2 else { throw .input("an answer is `id yes` or `id no`") }
      return .actions(.permissionAnswered(requestID: words[0], isGranted: words[1] == "yes"))
    case "configured":
      return .links(.configured(hasDeepLinkTrigger: rest == "with deepLink_open"))
    case "cached":
      return .links(.cachedConfig(hasDeepLinkTrigger: rest == "config with deepLink_open"))
    default:
      if let event = try redemptionEvent(name, rest) { return event }
      return try testModeEvent(name, rest)
    }
  }

  private func presentationEvent(
    _ name: String, _ rest: String
  ) throws(CaseProblem) -> PaywallSession.Event? {
    switch (name, rest) {
    case ("register", _), ("getPaywall", _):
      let words = Self.words(rest, 2)
      guard words.count == 2, words[0].hasSuffix(":") else {
        throw .input("a registration is `register PLACEMENT: DECISION`")
      }
      let (outcome, settings) = words[1].parts(around: " with ")
      let overrides = try settings.map { text throws(CaseProblem) in try pairs(text) }
      return .registered(
        name == "register" ? .register : .getPaywall,
        try decision(outcome, placement: String(words[0].dropLast())),
        hasHandler: hasHandler, overrides: overrides)
    case ("loaded", _): return .presentation(.loaded(try loaded(rest)))
    case ("presented", ""): return .presentation(.presented)
    case ("content", _):
      return .presentation(.contentChanged(try word(ContentState(rawValue: rest), rest)))
    case ("make", "room"): return .presentation(.makeRoom)
    case ("decided", _): return .presentation(.decided(try decision(rest, placement: "")))
    case ("failed", _): return .presentation(.failed(try error(rest)))
    case ("offline", _):
      return .presentation(
        .networkFailed(isSubscribed: rest == "subscribed", .loadFailed("offline")))
    case ("close", _): return .presentation(.closed(try word(CloseReason(rawValue: rest), rest)))
    case ("survey", _):
      return .presentation(
        .surveyFinished(
          rest == "none" ? nil : try word(SurveyPicker.Presentation(rawValue: rest), rest)))
    case ("exitOffer", _):
      return .presentation(.exitOffer(isFound: rest == "found"))
    case ("replace", _): return .presentation(.replaced(try paywall(rest)))
    case ("gone", ""): return .presentation(.disappeared)
    default: return nil
    }
  }

  /// `loaded PAYWALL`, `loaded PAYWALL without PRODUCT,…`, `loaded PAYWALL but no products`.
  private func loaded(_ text: String) throws(CaseProblem) -> LoadedPaywall {
    let words = Self.words(text, 3)
    var info = try paywall(words.first ?? "")
    info.placement = session.presentation.paywall?.placement ?? info.placement
    var loaded = LoadedPaywall(info)
    switch words.dropFirst().first {
    case "without":
      loaded.missingProducts = (words.last ?? "").split(separator: ",").map(String.init)
    case "but": loaded.productsFailure = "the store does not respond"
    default: break
    }
    return loaded
  }

  private func decision(
    _ text: String, placement: String
  ) throws(CaseProblem) -> PresentationFlow.Decision {
    let words = text.split(separator: " ").map(String.init)
    switch (words.first, words.count) {
    case ("paywall", 2):
      var info = try paywall(words[1])
      info.placement = info.placement ?? placement
      return .paywall(info)
    case ("unloaded", 2):
      var info = try paywall(words[1])
      info.placement = info.placement ?? placement
      return .unloaded(info)
    case ("holdout", 3): return .skip(.holdout(Self.experiment(words[1], words[2])))
    case ("noAudienceMatch", 1): return .skip(.noAudienceMatch)
    case ("placementNotFound", 1): return .skip(.placementNotFound)
    case ("error", 2): return .failed(try error(words[1]))
    case ("reserved", 1): return .failed(.reservedPlacement)
    default: throw .input("`\(text)` is not a decision")
    }
  }

  private func error(_ text: String) throws(CaseProblem) -> MatchError {
    guard let code = Int(text) else { return .loadFailed(text) }
    return try word(MatchError.coded.first { $0.code == code }, text)
  }
}

extension ScriptWorld {
  /// The first words of a text; the last one takes the rest.
  static func words(_ text: String, _ count: Int) -> [String] {
    text.split(separator: " ", maxSplits: count - 1).map(String.init)
  }

  private func purchaseEvent(
    _ name: String, _ rest: String
  ) throws(CaseProblem) -> PaywallSession.Event? {
    let words = rest.split(separator: " ").map(String.init)
    switch (name, words.first) {
    case ("buy", let product?):
      return .buy(productName: product, dismisses: words.dropFirst().first != "and")
    case ("restore", nil): return .restore
    case ("app", "buys"):
      let product = try product(words.last ?? "")
      return .purchase(
        .purchase(product, from: .app, isTrialAvailable: session.beginsWithTrial(product)))
    case ("app", "restores"): return .purchase(.restore(from: .app))
    case ("purchase", "restored"):
      return .purchase(.purchaseRestored(transaction(words.dropFirst())))
    case ("purchase", let result?):
      let purchased = words.dropFirst()
      let outcome: PaywallPurchaseResult =
        switch result {
        case "purchased": .purchased
        case "cancelled": .cancelled
        case "pending": .pending
        case "failed":
          .failed(
            purchased == ["userCancelled"]
              ? PurchaseError.userCancelled : .message(purchased.joined(separator: " ")))
        default: throw .input("`\(rest)` is not a result of a purchase")
        }
      return .purchase(
        .purchaseFinished(outcome, outcome == .purchased ? transaction(purchased) : nil))
    case ("sheet", "late"): return .purchase(.sheetTimedOut)
    case ("restored", nil): return .restoreReturned(.restored)
    case ("restored", _):
      throw .input("what a restore finds is what the book of entitlements says")
    case ("restore", _):
      let message = words.dropFirst().joined(separator: " ")
      return .restoreReturned(
        .failed(message.isEmpty ? nil : PurchaseError.message(message)))
    case ("observe", let what?):
      guard words.count >= 2 else { throw .input("an observation is `what product`") }
      let product = try product(words[1])
      switch what {
      case "start": return .purchase(.observed(.started(product)))
      case "late": return .purchase(.observed(.timedOut(product)))
      case "pending": return .purchase(.observed(.pending(product)))
      case "failure":
        let message = words.dropFirst(2).joined(separator: " ")
        return .purchase(.observed(.failed(product, message: message)))
      case "abandon": return .purchase(.observed(.abandoned(product)))
      case "completion":
        return .purchase(.observed(.completed(product, transaction(words.dropFirst(2)))))
      default: throw .input("`\(what)` cannot be observed")
      }
    default: return nil
    }
  }

  /// `t1`, or `t1 with offer`.
  private func transaction(_ words: ArraySlice<String>) -> PaywallTransaction? {
    guard let id = words.first else { return nil }
    let product = session.presentation.paywall?.products.first?.id ?? ""
    let rest = words.dropFirst().joined(separator: " ")
    return PaywallTransaction(
      id: id, productID: product,
      hasOffer: rest == "with offer" ? true : rest == "without offer" ? false : nil)
  }

  private func entitlementEvent(
    _ name: String, _ rest: String
  ) throws(CaseProblem) -> PaywallSession.Event? {
    switch name {
    case "status": return .entitlements(.statusSet(try status(rest)))
    case "launchStatus": return .entitlements(.restored(try status(rest)))
    case "device": return .entitlements(.deviceLoaded(try customerInfo(rest), at: now))
    case "web": return .entitlements(.webLoaded(try customerInfo(rest)))
    case "customerInfo": return .entitlements(.customerInfoRequested)
    default: return nil
    }
  }

  private func status(_ text: String) throws(CaseProblem) -> UserSubscriptionStatus {
    let words = Self.words(text, 2)
    switch words.first {
    case "unknown": return .unknown
    case "inactive": return .inactive
    case "active":
      let ids = words.count > 1 ? words[1].split(separator: ",").map(String.init) : []
      var entitlements: Set<UserEntitlement> = []
      for id in ids { entitlements.insert(try entitlement("+" + id)) }
      return .active(entitlements)
    default: throw .input("`\(text)` is not a status")
    }
  }

  /// `+pro` or `-pro`, with an end and a store `+pro@2026-03-01T00:00:00Z/STRIPE`, and with the products that
  /// give it, `+pro:monthly`.
  private func entitlement(_ text: String) throws(CaseProblem) -> UserEntitlement {
    let parts = text.dropFirst().split(separator: "/", maxSplits: 1).map(String.init)
    let sides = (parts.first ?? "").split(separator: "@", maxSplits: 1).map(String.init)
    let names = (sides.first ?? "").split(separator: ":").map(String.init)
    guard let name = names.first else { throw .input("`\(text)` is not an entitlement") }
    var entitlement = UserEntitlement(active: name)
    if text.hasPrefix("-") { entitlement = UserEntitlement(identifier: name) }
    entitlement.productIDs = Array(names.dropFirst())
    if sides.count > 1 {
      entitlement.expiresAt = try word(WallTime(rfc3339: sides[1]), sides[1])
    }
    if parts.count > 1 { entitlement.store = try word(.init(rawValue: parts[1]), parts[1]) }
    return entitlement
  }

  /// `+pro -gold t1:monthly@2026-03-01T00:00:00Z c1:coins@…!`: active and inactive entitlements,
  /// subscriptions, with a plus sign at the end for one that runs, and other purchases with an exclamation
  /// mark.
  func customerInfo(_ text: String) throws(CaseProblem) -> CustomerRecord {
    var info = CustomerRecord()
    for part in text.split(separator: " ").map(String.init) {
      switch part.first {
      case "+", "-":
        var entitlement = try entitlement(part)
        entitlement.latestProductID = "bought"
        info.entitlements.append(entitlement)
      default:
        let isOther = part.hasSuffix("!")
        let isRunning = part.hasSuffix("+")
        let sides = (isOther || isRunning ? String(part.dropLast()) : part).split(
          separator: "@", maxSplits: 1
        ).map(String.init)
        let ids = (sides.first ?? "").split(separator: ":").map(String.init)
        guard sides.count == 2, ids.count == 2, let date = WallTime(rfc3339: sides[1])
        else { throw .input("`\(part)` is not an entitlement or a transaction") }
        if isOther {
          info.nonSubscriptions.append(
            .init(transactionID: ids[0], productID: ids[1], purchasedAt: date))
        } else {
          var subscription = CustomerRecord.Subscription(
            transactionID: ids[0], productID: ids[1], purchasedAt: date)
          subscription.isActive = isRunning
          info.subscriptions.append(subscription)
        }
      }
    }
    return info
  }

  private func redemptionEvent(
    _ name: String, _ rest: String
  ) throws(CaseProblem) -> PaywallSession.Event? {
    switch name {
    case "redeemed":
      let words = Self.words(rest, 4)
      guard words.count >= 3, let now = WallTime(rfc3339: words[2]) else {
        throw .input("an answer of the server is `result code date entitlements`")
      }
      let info = try customerInfo(words.count > 3 ? words[3] : "")
      return .redemptionReturned(
        .init(results: try results(words[0], words[1]), customerInfo: info), at: now)
    case "server":
      guard rest.hasPrefix("unreachable") else { throw .input("`\(rest)` means nothing here") }
      return .redemption(.networkFailed("offline"))
    case "launched": return .redemption(.launched)
    case "fetched":
      let words = Self.words(rest, 2)
      let now = try word(words.first.flatMap { WallTime(rfc3339: $0) }, rest)
      return .redemption(.fetched(try customerInfo(words.count > 1 ? words[1] : ""), at: now))
    case "checkout":
      let words = Self.words(rest, 2)
      let step = RedemptionFlow.CheckoutStep(rawValue: "stripe_checkout_" + (words.first ?? ""))
      return .redemption(.checkout(try word(step, rest), productID: words.last ?? ""))
    default: return nil
    }
  }

  private func results(
    _ kind: String, _ code: String
  ) throws(CaseProblem) -> [PaywallRedemptionResult] {
    switch kind {
    case "success": return [.success(code: code, .init())]
    case "trial":
      var info = RedemptionInfo()
      info.product = .init(identifier: "web_monthly", trialDays: 7)
      return [.success(code: code, info)]
    case "error": return [.error(code: code, message: "refused")]
    case "expiredCode":
      return [.expiredCode(code: code, isResent: true, obfuscatedEmail: "a***@b.c")]
    case "invalidCode": return [.invalidCode(code: code)]
    case "expiredSubscription": return [.expiredSubscription(code: code, .init())]
    case "nothing": return []
    default: throw .input("`\(kind)` is not a result of a redemption")
    }
  }

  private func testModeEvent(
    _ name: String, _ rest: String
  ) throws(CaseProblem) -> PaywallSession.Event? {
    let words = rest.split(separator: " ").map(String.init)
    switch (name, words.first) {
    case ("testMode", let word?):
      let behavior = try CampaignCorpus.word(TestMode.Behavior(rawValue: word), word)
      return .testMode(.evaluated(.init(behavior: behavior)))
    case ("modal", let word?):
      let override = try CampaignCorpus.word(TestMode.TrialOverride(rawValue: word), word)
      return .testMode(
        .modalClosed(.init(trialOverride: override, entitlements: Set(words.dropFirst()))))
    case ("defaults", nil): return .testMode(.resetToDefaults)
    case ("tester", "restores"):
      return .testMode(.restoreChosen(words.count > 1 ? Set(words.dropFirst()) : nil))
    case ("tester", let word?):
      let choice = try CampaignCorpus.word(TestMode.PurchaseChoice(rawValue: word), word)
      guard let purchase = session.purchases.purchases.first else {
        throw .input("no purchase is under way")
      }
      return .testMode(.purchaseChosen(choice, purchase.product))
    default: return nil
    }
  }
}
