import CampaignCore
import CampaignCorpus
import ExpressionEngine
import Foundation
import PaywallLogic
import Testing

/// Every machine, every event in every state that the events reach; and the tables against those in
/// `corpus/paywall/tables`.
@Suite("The transition tables")
struct TransitionTests {
  private static let tables = Corpus.folder.appending(path: "tables")

  /// Compares a table with the committed one, and rewrites that when SWEXPR_BLESS is set.
  private func check<Machine: StateMachine>(
    _ name: String, _ table: TransitionTable<Machine>, states: ClosedRange<Int>
  ) throws {
    #expect(table.isComplete, "\(name) reaches more states than the table holds")
    #expect(states.contains(table.states.count), "\(table.states.count) states")
    let names = table.states.map { "\($0)" }
    #expect(Set(names).count == names.count, "two states of \(name) print alike")
    let file = Self.tables.appending(path: "\(name).txt")
    let text = "\(table)"
    if ProcessInfo.processInfo.environment["SWEXPR_BLESS"] != nil {
      try FileManager.default.createDirectory(
        at: Self.tables, withIntermediateDirectories: true)
      try text.write(to: file, atomically: true, encoding: .utf8)
    }
    let committed = try String(contentsOf: file, encoding: .utf8)
    #expect(committed == text, "run the tests with SWEXPR_BLESS=1 and read the difference")
  }

  @Test("presentations")
  func presentation() throws {
    let events = Samples.presentationEvents
    #expect(Set(events.map(\.kind)) == Set(PresentationFlow.Event.Kind.allCases))
    // What the page shows would only make the printed table longer.
    let small = events.filter { $0.kind != .contentChanged }
    try check(
      "PresentationFlow",
      TransitionTable(from: [PresentationFlow()], events: small, maximumStates: 400),
      states: 10...400)
    let table = TransitionTable(from: [PresentationFlow()], events: events, maximumStates: 2_000)
    #expect(table.isComplete)
    for row in table.rows {
      #expect(row.effects.filter { $0 == .runFeature }.count <= 1)
      if row.state.phase == .ended { #expect(row.isIgnored) }
      // A feature runs only when everything is over, and so at most once.
      if row.effects.contains(.runFeature) { #expect(row.next.phase == .ended) }
    }
  }

  @Test("presentations by the app")
  func getPaywall() throws {
    let table = TransitionTable(
      from: [PresentationFlow(.getPaywall)],
      events: Samples.presentationEvents.filter { $0.kind != .contentChanged },
      maximumStates: 400)
    try check("PresentationFlow-getPaywall", table, states: 10...400)
    for row in table.rows {
      #expect(!row.effects.contains(.runFeature))
      for effect in row.effects {
        switch effect {
        case .onPresent, .onDismiss, .onWillDismiss, .onSkip, .onError:
          Issue.record("the handler of a registration is called: \(effect)")
        default: break
        }
      }
    }
  }

  @Test("presentations without automatic dismissal")
  func staysOpen() throws {
    var options = PresentationFlow.Options()
    options.dismissesAutomatically = false
    let table = TransitionTable(
      from: [PresentationFlow(options: options)], events: Samples.presentationEvents,
      maximumStates: 2_000)
    #expect(table.isComplete)
    for row in table.rows where row.event == .restored || row.event.kind == .purchased {
      #expect(row.next == row.state)
      #expect(row.effects.isEmpty || row.effects.first == .spinner(false))
    }
    options.remembersPurchase = true
    let remembering = TransitionTable(
      from: [PresentationFlow(options: options)], events: Samples.presentationEvents,
      maximumStates: 2_000)
    #expect(remembering.isComplete)
    #expect(
      remembering.rows.contains { row in
        row.event == .closed(.manualClose) && "\(row.state)".contains("purchased monthly before")
          && row.effects.contains(.onWillDismiss(Samples.gated, .purchased("monthly")))
      })
  }

  @Test("purchases")
  func purchases() throws {
    let events = Samples.purchaseEvents
    #expect(Set(events.map(\.kind)) == Set(PurchaseFlow.Event.Kind.allCases))
    let table = TransitionTable(
      from: Samples.purchaseFlows, events: events, maximumStates: 500)
    try check("PurchaseFlow", table, states: 10...300)
    for row in table.rows {
      // What the app itself buys is observed, and never closes or opens a paywall.
      guard case .observed = row.event else { continue }
      #expect(row.next == row.state)
      for case .track(let event) in row.effects { #expect(!event.canTrigger) }
      for case .command(.finishPaywall) in row.effects {
        Issue.record("an observed purchase closes")
      }
    }
  }

  @Test("entitlements")
  func entitlements() throws {
    let events = Samples.entitlementEvents
    #expect(Set(events.map(\.kind)) == Set(EntitlementBook.Event.Kind.allCases))
    for hasController in [false, true] {
      let table = TransitionTable(
        from: [EntitlementBook(hasPurchaseController: hasController)], events: events,
        maximumStates: 2_000)
      #expect(table.isComplete)
      #expect(table.states.count > 20)
      for row in table.rows {
        if row.state.status == row.next.status {
          #expect(!row.effects.contains { $0.description.hasPrefix("save status") })
        } else if row.event.kind != .restored {
          #expect(row.effects.contains(.saveStatus(row.next.status)))
        }
        #expect(row.next.status != .active([]))
        guard hasController, row.state.status != row.next.status else { continue }
        #expect([.statusSet, .restored, .pinned].contains(row.event.kind), "\(row.event)")
      }
    }
    let small: [EntitlementBook.Event] = [
      .restored(.active([.init(active: "pro")])), .statusSet(.active([])),
      .deviceLoaded(.init(entitlements: [.init(active: "pro")])), .deviceLoaded(.init()),
      .customerInfoRequested,
    ]
    try check(
      "EntitlementBook", TransitionTable(from: [EntitlementBook()], events: small), states: 3...20)
  }

  @Test("actions")
  func actions() throws {
    let events = Samples.actionEvents
    #expect(Set(events.map(\.kind)) == Set(ActionChain.Event.Kind.allCases))
    let table = TransitionTable(
      from: [ActionChain(callbackTimeout: 5_000)], events: events, maximumStates: 1_000)
    #expect(table.isComplete)
    for row in table.rows {
      // Every callback that is handed to the app can come back.
      for case .onCustomCallback(let callback) in row.effects {
        #expect(row.next.pendingRequestIDs.contains(callback.requestID))
      }
    }
    let small = events.filter { event in
      switch event {
      case .presented, .timedOut, .callbackFinished(requestID: "wait.1", _), .dismissed: true
      case .tapped(let id, _): id == "wait"
      default: false
      }
    }
    try check(
      "ActionChain",
      TransitionTable(from: [ActionChain(callbackTimeout: 5_000)], events: small), states: 5...40)
  }

  @Test("redemptions")
  func redemption() throws {
    let events = Samples.redemptionEvents
    #expect(Set(events.map(\.kind)) == Set(RedemptionFlow.Event.Kind.allCases))
    var options = RedemptionFlow.Options()
    options.maximumRetries = 1
    let all = TransitionTable(
      from: [RedemptionFlow(options: options)],
      events: events.filter { $0 != .link(code: "def") }, maximumStates: 5_000)
    #expect(all.isComplete)
    // Two codes at a time have too many states for all events.
    options.maximumRetries = 0
    let codes = TransitionTable(
      from: [RedemptionFlow(options: options)],
      events: events.filter {
        [.paywallPresented, .paywallDismissed, .link, .responded, .networkFailed].contains($0.kind)
      }, maximumStates: 2_000)
    #expect(codes.isComplete)
    options.maximumRetries = 1
    for row in all.rows + codes.rows {
      // An app that hears of the beginning of a redemption hears of its end.
      let calls = row.effects.compactMap { effect -> DelegateCall? in
        if case .delegate(let call) = effect { call } else { nil }
      }
      for call in calls where call == .willRedeemLink {
        #expect(!row.next.running.isEmpty)
      }
    }
    let small = events.filter {
      [.paywallPresented, .link, .responded, .networkFailed].contains($0.kind)
        && $0 != .link(code: "def")
    }
    try check(
      "RedemptionFlow",
      TransitionTable(from: [RedemptionFlow(options: options)], events: small), states: 5...60)
  }

  @Test("links")
  func links() throws {
    let events: [DeepLinkRouter.Event] = [
      .cachedConfig(hasDeepLinkTrigger: true), .configured(hasDeepLinkTrigger: false),
      .configured(hasDeepLinkTrigger: true), .opened("myapp://promo?offer=summer"),
      .opened("https://myapp.superwall.app/app-link/campaign/7?x=1"),
      .opened("myapp://superwall/redeem?code=abc"),
    ]
    #expect(Set(events.map(\.kind)) == Set(DeepLinkRouter.Event.Kind.allCases))
    try check(
      "DeepLinkRouter", TransitionTable(from: [DeepLinkRouter()], events: events), states: 8...20)
  }

  @Test("test mode")
  func testMode() throws {
    let events: [TestMode.Event] = [
      .evaluated(TestMode.Situation(behavior: .always), stored: .init()),
      .evaluated(TestMode.Situation(behavior: .never), stored: .init()),
      .modalClosed(.init(trialOverride: .forceAvailable, entitlements: ["pro"])),
      .resetToDefaults, .purchaseChosen(.purchase, Samples.monthly),
      .purchaseChosen(.abandon, Samples.monthly), .purchaseChosen(.failure, Samples.monthly),
      .restoreChosen(["pro"]), .restoreChosen(nil),
    ]
    #expect(Set(events.map(\.kind)) == Set(TestMode.Event.Kind.allCases))
    try check("TestMode", TransitionTable(from: [TestMode()], events: events), states: 3...20)
  }
}
