import CampaignCore

// The machines whose effects are not those of the session: their words are translated here.
extension PaywallSession {
  /// Lets the recovery of checkouts take an event.
  mutating func recover(_ event: CheckoutRecovery.Event) -> [PaywallEffect] {
    let effects = recovery.handle(event)
    return reported(event) + effects.flatMap { carryOut($0, at: event.time) }
  }

  /// The events of a checkout that are tracked whatever the recovery makes of them.
  private mutating func reported(_ event: CheckoutRecovery.Event) -> [PaywallEffect] {
    switch event {
    case .submitted(_, let id, _): redemption.handle(.checkout(.submit, productID: id))
    case .completed(_, let id, _): redemption.handle(.checkout(.complete, productID: id))
    default: []
    }
  }

  private mutating func carryOut(
    _ effect: CheckoutRecovery.Effect, at now: WallTime?
  ) -> [PaywallEffect] {
    switch effect {
    // It is part of the state of the session.
    case .save: []
    case .poll(let id): [.pollCheckout(contextID: id)]
    case .wait(let milliseconds): [.pauseCheckout(milliseconds: milliseconds)]
    case .spinner(let isShown): [.spinner(isShown)]
    case .apply(let response, let code): apply(response, code: code, at: now)
    case .confirmPurchase: [.alert(.checkoutCompleted)]
    case .willRedeemLink: [.delegate(.willRedeemLink)]
    case .didRedeemLink(let result, let pause):
      [.announceRedemption(result, afterMilliseconds: pause)]
    case .trackAbandoned(let id): redemption.handle(.checkout(.abandon, productID: id))
    case .refreshWebEntitlements: now.map { redemption.handle(.foregrounded(at: $0)) } ?? []
    }
  }

  private mutating func apply(
    _ response: RedeemResponse, code: String, at now: WallTime?
  ) -> [PaywallEffect] {
    guard let now else { return [] }
    return redemption.handle(
      .recovered(response.redemption, code: code, device: activeIDs, at: now))
  }

  /// Lets the tokens of introductory offers take an event.
  mutating func handleTokens(_ event: IntroOfferTokens.Event) -> [PaywallEffect] {
    offerTokens.handle(event).map { effect in
      switch effect {
      case .fetch(let request): .fetchOfferTokens(request)
      }
    }
  }

  /// Returns a product with the token of its introductory offer, unless that has expired.
  public func withOfferToken(_ product: PaywallProduct, at now: WallTime) -> PaywallProduct {
    guard let token = offerTokens.validToken(for: product.id, at: now) else { return product }
    var product = product
    product.introOfferToken = token.text
    return product
  }

  /// Lets the purchases take an event. The SDK's own transactions are none of the app's.
  mutating func handlePurchase(_ event: PurchaseFlow.Event) -> [PaywallEffect] {
    switch event {
    case .purchaseFinished(_, let transaction?, _), .purchaseRestored(let transaction?, _):
      observed.note(ownTransaction: transaction.id)
    default: break
    }
    return purchases.handle(event)
  }

  /// Looks for a purchase of the app in a list of all transactions.
  mutating func observe(_ transactions: [ObservedTransactions.Listed]) -> [PaywallEffect] {
    guard observed.hasBegun else {
      observed.begin(with: transactions)
      return []
    }
    let report = observed.handle(transactions, isPurchaseUnderWay: !purchases.purchases.isEmpty)
    return report.map { track($0) } ?? []
  }

  /// Takes a step of a payment of the app.
  mutating func observe(
    _ step: ObservedTransactions.Step, of productID: String
  ) -> [PaywallEffect] {
    observed.handle(step, productID: productID).flatMap { track($0, of: productID) }
  }

  /// Tracks a report. A product that did not load is known by its identifier only.
  private mutating func track(
    _ report: ObservedTransactions.Report, of productID: String = ""
  ) -> [PaywallEffect] {
    func product(_ id: String) -> PaywallProduct { products[id] ?? PaywallProduct(id: id) }
    switch report {
    case .started(let id): return purchases.handle(.observed(.started(product(id))))
    case .abandoned(let id): return purchases.handle(.observed(.abandoned(product(id))))
    case .failed(let id, let message):
      return purchases.handle(.observed(.failed(product(id), message: message)))
    case .pending: return purchases.handle(.observed(.pending(product(productID))))
    case .timedOut: return purchases.handle(.observed(.timedOut(product(productID))))
    case .completed(let id, let transactionID, let hasOffer):
      let product = product(id)
      let transaction = transactionID.map {
        PaywallTransaction(id: $0, productID: id, hasOffer: hasOffer)
      }
      return purchases.handle(
        .observed(
          .completed(product, transaction, isTrialAvailable: beginsWithTrial(product))))
    }
  }
}

extension CheckoutRecovery.Event {
  /// When the event happened, where that matters.
  fileprivate var time: WallTime? {
    switch self {
    case .launched(let now), .foregrounded(_, let now), .paywallOpened(let now),
      .submitted(_, _, let now), .completed(_, _, let now), .responded(_, let now),
      .requestFailed(let now), .pauseEnded(let now):
      now
    case .abandoned, .confirmed: nil
    }
  }
}
