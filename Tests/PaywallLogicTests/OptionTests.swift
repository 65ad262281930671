import CampaignCore
import ExpressionEngine
import PaywallLogic
import TestSupport
import Testing

/// The options of the SDK that are logic.
@Suite("Options")
struct OptionTests {
  @Test("the token of the App Store is the user's UUID or the alias'")
  func appAccountToken() {
    let alias = "$SuperwallAlias:3F2504E0-4F89-11D3-9A0C-0305E82C3301"
    let id = "3f2504e0-4f89-11d3-9a0c-0305e82c3302"
    #expect(AppAccountToken.token(userID: id, alias: alias) == id)
    let own = "3F2504E0-4F89-11D3-9A0C-0305E82C3301"
    #expect(AppAccountToken.token(userID: nil, alias: alias) == own)
    for user in [
      "alice", "", "3F2504E0-4F89-11D3-9A0C-0305E82C330", "3F2504E0-4F89-11D3-9A0C0305E82C3301",
      "3F2504E0-4F89-11D3-9A0C-0305E82C330G", "3F2504E0-4F89-11D3-9A0C-0305E82C33011",
      "3F2504E04F8911D39A0C0305E82C3301",
    ] {
      #expect(AppAccountToken.token(userID: user, alias: alias) == own, "\(user)")
    }
    #expect(AppAccountToken.token(userID: nil, alias: own) == own)
    #expect(AppAccountToken.token(userID: "alice", alias: "$SuperwallAlias:x") == nil)
  }

  @Test("the locale overrides locale, language and region")
  func locale() {
    func region(_ identifier: String) -> [Value?] {
      let attributes = DeviceOverrides(localeIdentifier: identifier).attributes
      return [
        attributes["deviceLocale"], attributes["deviceLanguageCode"], attributes["regionCode"],
      ]
    }
    #expect(region("en_GB") == ["en_GB", "en", "GB"])
    #expect(region("en-GB") == ["en-GB", "en", "GB"])
    #expect(region("zh_Hant_TW") == ["zh_Hant_TW", "zh", "TW"])
    #expect(region("es_419") == ["es_419", "es", "419"])
    #expect(region("de_DE@currency=EUR") == ["de_DE@currency=EUR", "de", "DE"])
    #expect(region("fr") == ["fr", "fr", ""])
    #expect(region("") == ["", "", ""])
    #expect(DeviceOverrides().attributes == ["interfaceStyleMode": "automatic"])
  }

  @Test("the interface style is manual once it is set")
  func interfaceStyle() {
    #expect(
      DeviceOverrides(interfaceStyle: .dark).attributes == [
        "interfaceStyle": "Dark", "interfaceStyleMode": "manual",
      ])
    #expect(DeviceOverrides(interfaceStyle: .light).attributes["interfaceStyle"] == "Light")
  }

  @Test("ids of other services are merged, removed and tracked")
  func integration() {
    var attributes = IntegrationAttributes()
    let set = attributes.set([
      .known(.amplitudeUserId): "user123", .custom("myCustomKey"): "customValue",
    ])
    #expect(attributes.values == ["amplitudeUserId": "user123", "myCustomKey": "customValue"])
    #expect(
      set == [
        .mergeUserAttributes(["amplitudeUserId": "user123", "myCustomKey": "customValue"]),
        .track(.integrationAttributes(attributes.values)),
      ])
    #expect(attributes.set([.known(.amplitudeUserId): "user123"]).isEmpty)
    #expect(
      attributes.set([.known(.amplitudeUserId): nil]).first
        == .mergeUserAttributes(["amplitudeUserId": nil]))
    #expect(attributes.values == ["myCustomKey": "customValue"])
    #expect(attributes.set([.known(.amplitudeUserId): nil]).isEmpty)
    #expect(IntegrationIdentifier.Known.allCases.count == 23)
  }

  @Test("the experimental attributes are there when switched on, and of the latest subscription")
  func experimental() {
    var old = CustomerRecord.Subscription(
      transactionID: "1", productID: "m", purchasedAt: Samples.instant(1))
    old.offerType = .winback
    var new = CustomerRecord.Subscription(
      transactionID: "2", productID: "m", purchasedAt: Samples.instant(2))
    new.offerType = .trial
    new.isActive = true
    var customer = CustomerRecord()
    customer.subscriptions = [new, old]
    #expect(ExperimentalAttributes().attributes(of: customer).isEmpty)
    #expect(ExperimentalAttributes(isEnabled: true).attributes(of: .init()).isEmpty)
    // The documented use: a trial that was cancelled.
    #expect(
      ExperimentalAttributes(isEnabled: true).attributes(of: customer) == [
        "latestSubscriptionPeriodType": "trial", "latestSubscriptionState": "subscribed",
        "latestSubscriptionWillAutoRenew": false,
      ])
    new.isActive = false
    #expect(new.state == .expired)
    new.isInBillingRetryPeriod = true
    #expect(new.state == .inBillingRetryPeriod)
    new.isInGracePeriod = true
    #expect(new.state == .inGracePeriod)
    new.isRevoked = true
    customer.subscriptions = [new]
    #expect(
      ExperimentalAttributes(isEnabled: true).attributes(of: customer)[
        "latestSubscriptionPeriodType"] == "revoked")
    old.offerType = nil
    customer.subscriptions = [old]
    #expect(
      ExperimentalAttributes(isEnabled: true).attributes(of: customer)[
        "latestSubscriptionPeriodType"] == "subscription")
  }

  @Test("the log prints from its level on, in its scopes")
  func logging() {
    for threshold in PaywallLogLevel.allCases {
      for level in PaywallLogLevel.allCases {
        let prints = threshold != .none && level != .none && level >= threshold
        #expect(LoggingOptions(level: threshold).prints(level, .network) == prints)
        #expect(!LoggingOptions(level: threshold, scopes: []).prints(level, .network))
        #expect(
          LoggingOptions(level: threshold, scopes: [.network]).prints(level, .network) == prints)
        #expect(!LoggingOptions(level: threshold, scopes: [.cache]).prints(level, .network))
      }
    }
    #expect(LoggingOptions().level == .info)
    #expect(PaywallLogScope(rawValue: "paywallTransactions") == nil)
  }

  @Test("less tracking sends less, and nothing else")
  func tracking() {
    for event in EventSamples.all {
      #expect(EventTracking.all.sends(event))
      #expect(!EventTracking.none.sends(event))
      let isOfTheApp = event.name == .triggerFire || event.name == .userAttributes
      #expect(EventTracking.superwallOnly.sends(event) == !isOfTheApp)
    }
    #expect(EventTracking.allCases.filter(\.sendsRegistrations) == [.all])
  }

  @Test("each level of gating meets each policy and user once")
  func networkPolicy() {
    for gating in [FeatureGating.gated, .nonGated, nil] {
      for isSubscribed in [false, true] {
        #expect(
          NetworkPolicy.reference.decision(isSubscribed: isSubscribed, gating: gating)
            == .reportError)
      }
    }
    let policy = NetworkPolicy.documented
    #expect(policy.decision(isSubscribed: true, gating: .nonGated) == .runFeature)
    #expect(policy.decision(isSubscribed: true, gating: .gated) == .reportError)
    #expect(policy.decision(isSubscribed: true, gating: nil) == .reportError)
    for gating in [FeatureGating.gated, .nonGated, nil] {
      #expect(policy.decision(isSubscribed: false, gating: gating) == .retry)
    }
  }

  @Test("a survey holds out the share that its probability says")
  func surveyShare() {
    var survey = Samples.survey
    survey.probability = 0.3
    var random = SeededGenerator(seed: 12)
    var shown = 0
    for _ in 0..<4_000 {
      let outcome = SurveyPicker.pick(
        from: [survey], after: .declined, .manualClose, storedKey: nil, using: &random)
      #expect(outcome.storedKey == "k1")
      if outcome.presentation == .show { shown += 1 }
    }
    // Nine standard deviations on either side.
    #expect((1_200 - 261...1_200 + 261).contains(shown))
  }
}
