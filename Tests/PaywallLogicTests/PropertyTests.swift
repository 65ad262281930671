import CampaignCore
import CampaignCorpus
import ExpressionEngine
import PaywallLogic
import Testing

/// Properties that hold for random input.
@Suite("Properties")
struct PropertyTests {
  /// Numbers that are the same in each run.
  struct Generator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return state ^ (state >> 33)
    }
  }

  @Test("prices of periods agree with whole numbers")
  func prices() throws {
    var random = Generator(state: 1)
    // Days, weeks and months of a year, for `ratio` units of one in the other.
    let perYear: [BillingPeriod.Unit: Int] = [.day: 365, .week: 52, .month: 12, .year: 1]
    for _ in 0..<5_000 {
      let units = Int64.random(in: 0...1_000_000, using: &random)
      let digits = Int.random(in: 0...3, using: &random)
      let count = Int.random(in: 1...40, using: &random)
      let unit = try #require(BillingPeriod.Unit.allCases.randomElement(using: &random))
      let period = BillingPeriod(count, unit)
      let scale = (0..<digits).reduce(Int64(1)) { power, _ in power * 10 }
      for target in BillingPeriod.Unit.allCases {
        let price = try #require(
          period.price(Price(units: units, fractionDigits: digits), per: target))
        #expect(price.fractionDigits == 2)
        let isWeekAndDay = Set([period.unit, target]) == [.day, .week]
        let own = isWeekAndDay ? (period.unit == .week ? 1 : 7) : perYear[period.unit] ?? 0
        let other = isWeekAndDay ? (target == .week ? 1 : 7) : perYear[target] ?? 0
        // In cents: units * 100 * own / (scale * count * other), rounded down.
        let dividend = units * 100 * Int64(own)
        let divisor = scale * Int64(period.count * other)
        #expect(price.units * divisor <= dividend)
        #expect((price.units + 1) * divisor > dividend)
      }
    }
  }

  @Test("a price reads as it prints")
  func priceText() {
    var random = Generator(state: 2)
    for _ in 0..<2_000 {
      let digits = Int.random(in: 0...6, using: &random)
      let price = Price(
        units: Int64.random(in: -1_000_000_000...1_000_000_000, using: &random),
        fractionDigits: digits)
      #expect(Price("\(price)") == price)
    }
    for text in [
      "", "-", ".", "1.", ".5", "1.2.3", "1e3", "+1", "1,5", "１", "1234567890123456789", "0x1",
    ] {
      #expect(Price(text) == nil, "\(text)")
    }
    #expect(Price(9.99) == Price(units: 999))
    #expect(Price(.infinity) == nil && Price(.nan) == nil && Price(1e300) == nil)
    #expect(Price(units: 1).scaled(by: 1, over: 0) == nil)
    #expect(Price(units: .max, fractionDigits: 0).scaled(by: .max, over: 1) == nil)
    #expect(
      Price(units: .min, fractionDigits: 0).scaled(by: .max, over: -1, fractionDigits: 18) == nil)
    #expect(Price(units: -5).description == "-0.05")
  }

  @Test("periods of any length are lengths of days")
  func periods() {
    for count in [Int.min, -1, 0, 1, 9_999, Int.max] {
      for unit in BillingPeriod.Unit.allCases {
        let period = BillingPeriod(count, unit)
        #expect(period.count >= 1)
        for other in BillingPeriod.Unit.allCases { #expect(period.length(in: other) >= 0) }
        #expect(BillingPeriod("\(period)") == period)
      }
    }
  }

  private func entitlement(_ random: inout Generator) -> UserEntitlement {
    var result = UserEntitlement(identifier: "pro")
    result.isActive = .random(using: &random)
    result.latestProductID = Bool.random(using: &random) ? "p" : nil
    result.store = [nil, .appStore, .superwall].randomElement(using: &random) ?? nil
    result.isLifetime = [nil, true, false].randomElement(using: &random) ?? nil
    result.expiresAt =
      [nil, Samples.instant(1), Samples.instant(2)].randomElement(using: &random) ?? nil
    result.willRenew = [nil, true, false].randomElement(using: &random) ?? nil
    result.state =
      [nil, .subscribed, .inGracePeriod, .revoked].randomElement(using: &random) ?? nil
    result.productIDs = [["a"], ["b"], []].randomElement(using: &random) ?? []
    return result
  }

  @Test("of two records at most one wins, and winning is transitive")
  func precedence() {
    var random = Generator(state: 3)
    for _ in 0..<5_000 {
      let (a, b, c) = (entitlement(&random), entitlement(&random), entitlement(&random))
      #expect(!(a.wins(over: b) && b.wins(over: a)))
      #expect(!a.wins(over: a))
      if a.wins(over: b), b.wins(over: c) { #expect(a.wins(over: c)) }
      let merged = [a, b, c].merged()
      #expect(merged.count == 1)
      #expect(
        Set(merged.first?.productIDs ?? []) == Set(a.productIDs + b.productIDs + c.productIDs))
      #expect(merged.merged() == merged)
      // Nothing wins over what won, whatever the order.
      for record in [a, b, c] {
        #expect(merged.first.map { record.wins(over: $0) } == false)
      }
    }
  }

  @Test("any text is a link, and none of another domain is the service's")
  func links() {
    var random = Generator(state: 4)
    let alphabet =
      Array("ab/:?#&=%.@[]é🙂 0".map(String.init)) + [
        "superwall.app", "/app-link/", "https://", "myapp", "code=", "redeem", "%2f",
      ]
    for _ in 0..<5_000 {
      let parts = (0..<Int.random(in: 0...9, using: &random)).map { _ in
        alphabet.randomElement(using: &random) ?? ""
      }
      let link = AppLink(parts.joined())
      _ = (link.trackedURL, link.redemptionCode, link.pathComponents, link.queryParameters)
      if link.isServiceLink {
        #expect(link.host.hasSuffix(".superwall.app"))
      } else {
        #expect(link.trackedURL == link.url && link.pathComponents.isEmpty)
      }
    }
  }

  private func event(_ random: inout Generator) -> PaywallSession.Event? {
    switch Int.random(in: 0..<10, using: &random) {
    case 0, 1:
      let decision: PresentationFlow.Decision? =
        [
          .paywall(Samples.gated), .paywall(Samples.open), .paywall(Samples.surveyed),
          .skip(.noAudienceMatch), .failed(.noConfig),
        ].randomElement(using: &random)
      return decision.map { .registered(.register, $0, hasHandler: .random(using: &random)) }
    case 2: return .presentation(.presented)
    case 3, 4:
      return Samples.presentationEvents.randomElement(using: &random).map { .presentation($0) }
    case 5: return Samples.purchaseEvents.randomElement(using: &random).map { .purchase($0) }
    case 6:
      return Samples.entitlementEvents.randomElement(using: &random).map { .entitlements($0) }
    case 7: return Samples.actionEvents.randomElement(using: &random).map { .actions($0) }
    case 8: return Samples.redemptionEvents.randomElement(using: &random).map { .redemption($0) }
    default: return .buy(productName: "monthly", dismisses: .random(using: &random))
    }
  }

  @Test("whatever happens, callbacks come in pairs and features at most once")
  func sessions() {
    var total = 0
    for seed in 0..<200 as Range<UInt64> {
      var random = Generator(state: seed)
      var session = PaywallSession(products: [Samples.monthly])
      var rules = SessionRules()
      for _ in 0..<200 {
        guard let event = event(&random) else { continue }
        let faults = rules.faults(after: event, session.handle(event))
        #expect(faults.isEmpty)
      }
      total += rules.presented
    }
    #expect(total > 400, "the random events reach too little: \(total) presentations")
  }

  @Test("running a case twice changes nothing")
  func corpusIsStable() throws {
    let corpus = PaywallCorpus { _, _ in "" }
    let text = """
      == a
      title: A story

      register x: holdout 1 1a
        > something wrong
      nonsense
      close sometimes

      == b
      needs: something else
      what: this

      nonsense
      """
    let first = corpus.run(text)
    #expect(first.run == ["a"])
    #expect(first.skipped == ["b": "something else"])
    #expect(
      first.faults == [
        "6: there is no step `nonsense`", "7: `sometimes` means nothing here",
        "11: there is no setting `what`",
      ])
    #expect(first.text.contains("  > onSkip holdout 1\n  > run feature\n"))
    #expect(!first.text.contains("something wrong"))
    #expect(corpus.run(first.text).text == first.text)
  }
}
