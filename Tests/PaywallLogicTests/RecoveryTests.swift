import CampaignCore
import ExpressionCoding
import ExpressionEngine
import PaywallLogic
import TestSupport
import Testing

/// What holds for every course of a checkout, for every period and for every response.
@Suite("Recovery, cycles and responses")
struct RecoveryTests {
  private static func event(
    using random: inout SeededGenerator, at now: WallTime
  ) -> CheckoutRecovery.Event {
    let context = ["a", "b"].randomElement(using: &random) ?? "a"
    var response = RedeemResponse(
      status: RedeemResponse.Status.allCases.randomElement(using: &random))
    switch Int.random(in: 0..<12, using: &random) {
    case 0: return .launched(at: now)
    case 1: return .foregrounded(hasPaywall: true, at: now)
    case 2: return .foregrounded(hasPaywall: false, at: now)
    case 3: return .paywallOpened(at: now)
    case 4: return .submitted(contextID: context, productID: "p", at: now)
    case 5: return .completed(contextID: context, productID: "p", at: now)
    case 6: return .abandoned(productID: "p")
    case 7: return .requestFailed(at: now)
    case 8: return .confirmed
    case 9:
      response.results = [.invalidCode(code: context)]
      return .responded(response, at: now)
    case 10: return .responded(response, at: now)
    default: return .pauseEnded(at: now)
    }
  }

  @Test("what is stored is always the checkout that is pending", arguments: [false, true])
  func stored(confirms: Bool) {
    var options = CheckoutRecovery.Options()
    options.confirmsPurchase = confirms
    var random = SeededGenerator(seed: confirms ? 1 : 2)
    for _ in 0..<Effort.times(200) {
      var recovery = CheckoutRecovery(options: options)
      var stored: CheckoutRecovery.Pending?
      var now: Int64 = 0
      for _ in 0..<60 {
        now += Int64.random(in: 0...20_000, using: &random)
        let before = recovery
        let event = Self.event(using: &random, at: WallTime(milliseconds: now))
        let effects = recovery.handle(event)
        var polls = 0
        for effect in effects {
          if case .save(let pending) = effect { stored = pending }
          if case .poll = effect { polls += 1 }
        }
        #expect(stored == recovery.pending, "\(event) in \(before)")
        #expect((recovery.pending?.attempts ?? 1) > 0, "\(event) in \(before)")
        #expect(polls <= 1 && (polls == 0 || recovery.poll != nil), "\(event) in \(before)")
      }
    }
  }

  @Test("a series of requests ends, whatever the server says")
  func ends() {
    var recovery = CheckoutRecovery()
    var effects = recovery.handle(
      .completed(contextID: "c", productID: "p", at: WallTime(milliseconds: 0)))
    var now: Int64 = 0
    var polls = 0
    while effects.contains(.poll(contextID: "c")) {
      polls += 1
      effects = recovery.handle(
        .responded(RedeemResponse(status: .pending), at: WallTime(milliseconds: now)))
      guard effects == [.wait(milliseconds: 1_500)] else { break }
      now += 1_500
      effects = recovery.handle(.pauseEnded(at: WallTime(milliseconds: now)))
    }
    #expect(polls == 40)
    #expect(recovery.poll == nil && recovery.pending == nil)
  }

  @Test("a clock that was set back or to the end of time does not trap")
  func clocks() {
    let extremes = [Int64.min, -1, 0, 1, Int64.max].map(WallTime.init(milliseconds:))
    for first in extremes {
      for second in extremes {
        var recovery = CheckoutRecovery()
        _ = recovery.handle(.completed(contextID: "c", productID: "p", at: first))
        _ = recovery.handle(.responded(RedeemResponse(status: .pending), at: second))
        _ = recovery.handle(.pauseEnded(at: second))
        _ = recovery.handle(.foregrounded(hasPaywall: true, at: second))
      }
    }
  }

  @Test("cycles are the quotient in a common unit, rounded to the nearest")
  func cycles() {
    func days(_ unit: BillingPeriod.Unit) -> Double {
      switch unit {
      case .day: 1
      case .week: 7
      case .month: 30
      case .year: 365
      }
    }
    func months(_ unit: BillingPeriod.Unit) -> Double? {
      switch unit {
      case .month: 1
      case .year: 12
      case .day, .week: nil
      }
    }
    func lengths(
      _ billing: BillingPeriod.Unit, _ commitment: BillingPeriod.Unit
    ) -> (part: Double, whole: Double) {
      if let part = months(billing), let whole = months(commitment) { return (part, whole) }
      return (days(billing), days(commitment))
    }
    for billing in BillingPeriod.Unit.allCases {
      for commitment in BillingPeriod.Unit.allCases {
        for count in 1...30 {
          for total in 1...30 {
            let (part, whole) = lengths(billing, commitment)
            let exact = whole * Double(total) / (part * Double(count))
            let cycles = BillingPeriod.cycles(of: count, billing, in: total, commitment)
            #expect(
              cycles == max(1, Int(exact.rounded())), "\(count) \(billing), \(total) \(commitment)")
          }
        }
      }
    }
    #expect(BillingPeriod.cycles(of: .max, .year, in: .max, .year) == 1)
    #expect(BillingPeriod.cycles(of: 1, .day, in: .max, .year) == 1)
    #expect(BillingPeriod(1, .month).repeated(3) == BillingPeriod(3, .month))
    #expect(BillingPeriod(1, .month).repeated(0) == BillingPeriod(1, .month))
    #expect(BillingPeriod(1, .week).repeated(.max).count == 10_000)
  }

  @Test("a response that is cut off anywhere is an error, and none traps")
  func cutOff() throws {
    let row = try #require(
      ReferenceCorpus.rows.first { $0.name == "a customer info" && $0.file == "responses" })
    let json = try Given(row.given)["json"].jsonText()
    #expect(throws: Never.self) { try ServerResponses.customerInfo(json: json) }
    for end in 0..<json.utf8.count {
      let text = String(decoding: json.utf8.prefix(end), as: UTF8.self)
      #expect(throws: ResponseError.self) { try ServerResponses.customerInfo(json: text) }
    }
  }

  @Test("errors of responses say where, as the response spells it")
  func errors() {
    let cases: [(json: String, message: String)] = [
      ("[]", "the response cannot be read: `response` must be an object, found an array"),
      (
        #"{"tokens": {"p": {"token": "t", "expiresAt": "soon"}}}"#,
        "the response cannot be read: `tokens.p.expiresAt` must be a number, found string \"soon\""
      ),
      (
        #"{"tokens": {"p": {"token": 1, "expiresAt": 1}}}"#,
        "the response cannot be read: `tokens.p.token` must be a string, found number 1"
      ),
    ]
    for (json, message) in cases {
      #expect(throws: ResponseError.self) {
        try ServerResponses.introOfferTokens(json: json)
      }
      do throws(ResponseError) {
        _ = try ServerResponses.introOfferTokens(json: json)
      } catch {
        #expect("\(error)" == message)
      }
    }
    #expect(throws: ResponseError.self) { try ServerResponses.webEntitlements(json: "{") }
  }

  @Test("tokens and web entitlements are read")
  func reads() throws {
    let tokens = try ServerResponses.introOfferTokens(
      json: #"{"tokens": {"p": {"token": "t", "expiresAt": 1500.5}}}"#)
    #expect(
      tokens == ["p": .init(text: "t", expiresAt: WallTime(milliseconds: 1_500))])
    let web = try ServerResponses.webEntitlements(
      json: #"{"customerInfo": {"subscriptions": [], "nonSubscriptions": [], "entitlements": []}}"#)
    #expect(web == CustomerRecord())
  }

  @Test("the switch of verbose events is the config's toggle")
  func verbose() {
    var config = CampaignConfig(buildID: "b")
    #expect(VerboseEvents(config).sends(.paywallResponseLoadStart))
    config.toggles = [.init(key: VerboseEvents.toggle, isEnabled: true)]
    #expect(!VerboseEvents(config).sends(.paywallResponseLoadStart))
    #expect(VerboseEvents(config, isSandbox: true).sends(.paywallResponseLoadStart))
  }
}
