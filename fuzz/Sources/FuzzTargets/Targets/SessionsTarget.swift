import PaywallLogic

/// Whatever happens to the state machines of a paywall, a feature runs at most once for each
/// registration, callbacks come in pairs, and no change of the status is lost.
///
/// Each byte of an input, or a few of them, are an event.
enum SessionsTarget {
  static func run(_ input: FuzzInput) {
    var choices = InputChoices(input.bytes)
    var options = PaywallSession.Options()
    options.purchases.hasPurchaseController = choices.below(2) == 1
    var session = PaywallSession(options: options, products: [Samples.monthly])
    var rules = SessionRules()
    var status = session.entitlements.status
    var saved = status
    while !choices.isAtEnd {
      if choices.below(64) == 63 {
        // The app ends, and is launched again with what was kept.
        session = PaywallSession(
          options: options, products: [Samples.monthly], state: session.state)
        rules = SessionRules()
        require(
          session.entitlements.status == status,
          "after a launch the status is \(session.entitlements.status), not \(status)")
        continue
      }
      let event = event(&choices)
      let effects = session.handle(event)
      if case .entitlements(.restored) = event {
        // The status of an earlier launch, which was told and stored then.
        status = session.entitlements.status
        saved = status
      }
      if let fault = rules.faults(after: event, effects).first { report("\(fault) after \(event)") }
      for effect in effects {
        switch effect {
        case .saveStatus(let new): saved = new
        case .delegate(.subscriptionStatusDidChange(let from, let to)):
          require(from == status, "the status changes from \(from), but was \(status)")
          status = to
        default: break
        }
      }
      require(
        session.entitlements.status == status && saved == status,
        "the status is \(session.entitlements.status), saved \(saved), told \(status) after \(event)"
      )
    }
  }

  private static func event(_ choices: inout InputChoices) -> PaywallSession.Event {
    switch choices.below(10) {
    case 0, 1:
      let decision = choices.pick([
        PresentationFlow.Decision.paywall(Samples.gated), .paywall(Samples.open),
        .paywall(Samples.surveyed), .skip(.noAudienceMatch), .failed(.noConfig),
        .unloaded(Samples.gated),
      ])
      return .registered(.register, decision, hasHandler: choices.below(2) == 0)
    case 2: return .presentation(.presented)
    case 3, 4: return .presentation(choices.pick(Samples.presentationEvents))
    case 5: return .purchase(choices.pick(Samples.purchaseEvents))
    case 6: return .entitlements(choices.pick(Samples.entitlementEvents))
    case 7: return .actions(choices.pick(Samples.actionEvents))
    case 8: return .redemption(choices.pick(Samples.redemptionEvents))
    default: return .buy(productName: "monthly", dismisses: choices.below(2) == 0)
    }
  }
}
