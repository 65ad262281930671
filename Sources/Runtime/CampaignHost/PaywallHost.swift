public import CampaignCore
public import CampaignMatcher
import ExpressionEngine
public import PaywallLogic

/// Matcher and paywall logic in one, for an SDK: it hands decisions to the state machines, carries their
/// effects out, and writes into the history what they track.
///
/// An SDK implements a ``Presenter`` and a ``BillingController``. The app registers placements, and may
/// listen by handler, delegate or stream. Each call returns when everything that it leads to has
/// happened, except what waits for a person, for the status or for the network.
///
/// ```text
/// app ── register ──▶ PaywallHost ── request ──▶ Matcher ── decision ──▶ PaywallSession
///                          ▲                                                   │ effects
///                          └── what came of it ── Presenter, BillingController, handler ◀┘
/// ```
public actor PaywallHost {
  /// The parts of a host beside matcher, screen and store. Each has a default.
  public struct Configuration: Sendable {
    /// The options of the state machines. Whether there is a purchase controller and whether
    /// `transaction_fail` presents a paywall are known here and need not be set.
    public var session = PaywallSession.Options()
    /// The products that loaded. Others can be added later, by ``PaywallHost/add(products:)`` or with the
    /// paywall that they belong to.
    public var products: [PaywallProduct] = []
    /// The app's own billing, which takes the place of the store.
    public var purchaseController: (any BillingController)?
    /// The listener of the app.
    public var delegate: (any PaywallDelegate)?
    /// Where handlers, features and the delegate are called.
    public var callbacks = CallbackExecutor.mainActor
    /// Returns whether the App Store grants an introductory offer of a product. Without an answer, no trial
    /// is promised. It is asked before a paywall appears and before the app buys.
    public var isEligibleForOffer: @Sendable (PaywallProduct) async -> Bool = { _ in false }
    /// Which events go to the app's server; see ``PaywallHost/sends(_:)``.
    public var tracking = EventTracking.all
    /// Whether the app runs in the sandbox of the store, where verbose events are always sent.
    public var isSandbox = false
    /// The state to begin with; `nil` for that of the last launch, which the matcher's store has.
    public var state: SessionState?
    /// Whether somebody else calls ``PaywallHost/drain()`` when a message has come, as scripts do.
    package var isDrainedByHand = false

    /// Creates the defaults.
    public init() {}
  }

  /// The paywall of a registration, from the decision to its end.
  struct Running {
    var presentation: Presentation
    var request: HostRequest
  }

  /// The name under which the store keeps the state of the session.
  static let recordName = "paywall session"

  /// The matcher, for identity, attributes and the life of the app.
  public nonisolated let matcher: Matcher
  let presenter: any Presenter
  let store: any BillingController
  let configuration: Configuration
  let inbox = HostInbox()
  package nonisolated let outlet: HostOutlet
  /// The state machines.
  public internal(set) var session: PaywallSession
  /// The state that the store has; `nil` if the store must not be written, because its state cannot be
  /// read.
  var savedState: SessionState?
  var running: Running?
  /// The events of a paywall that may lead to another one, with their requests.
  var triggers: [(event: BuiltInEvent, request: MatchRequest)] = []
  /// The requests of paywalls that follow from events.
  var followUps: [MatchRequest] = []
  /// The request that is decided when the paywall on screen has made room.
  var following: MatchRequest?
  /// Why the paywall that was loaded last did not load.
  var loadFault: MatchError?
  var lastNumber: UInt64 = 0
  /// The number of events of which not all effects have been carried out yet.
  private var unfinished = 0
  /// The number of calls that deal with messages and wait for nothing.
  private var busy = 0
  /// The continuations of callers that await a request, by its number.
  var waiting: [UInt64: CheckedContinuation<Result<PlacementResult, StoreError>, Never>] = [:]
  /// The requests whose callers wait, or are about to.
  var awaited: Set<UInt64> = []
  /// The results of requests whose callers are about to wait.
  var ended: [UInt64: Result<PlacementResult, StoreError>] = [:]
  var waitingForPaywall: [UInt64: CheckedContinuation<PaywallAnswer, Never>] = [:]
  var waitingForPurchase:
    [(product: String, continuation: CheckedContinuation<PaywallPurchaseResult, Never>)] = []
  var waitingForRestore: [CheckedContinuation<PaywallRestoreResult, Never>] = []
  var waitingForCustomerInfo: [CheckedContinuation<CustomerRecord, Never>] = []

  /// Creates a host and takes over the matcher's events.
  ///
  /// - Parameters:
  ///   - matcher: The matcher; its `onEvent` and `onImplicitRegistration` are the host's from now on.
  ///   - presenter: The screen.
  ///   - store: The App Store.
  ///   - configuration: Everything else.
  public init(
    matcher: Matcher, presenter: any Presenter, store: any BillingController,
    configuration: Configuration = Configuration()
  ) {
    self.matcher = matcher
    self.presenter = presenter
    self.store = store
    self.configuration = configuration
    var options = configuration.session
    options.purchases.hasPurchaseController = configuration.purchaseController != nil
    let outlet = HostOutlet(delegate: configuration.delegate, callbacks: configuration.callbacks)
    self.outlet = outlet
    let stored = Self.storedState(of: matcher, outlet)
    savedState = stored
    let state = configuration.state ?? stored ?? SessionState()
    session = PaywallSession(options: options, products: configuration.products, state: state)
    Self.restore(state.status, in: matcher, outlet)
    let usesController = options.purchases.hasPurchaseController
    matcher.events.onEvent { tracked in
      guard let event = AnalyticsEvent(tracked, usesPurchaseController: usesController) else {
        return
      }
      outlet.announce(event)
    }
    let inbox = inbox
    matcher.events.onImplicitRegistration(presentation: .whenLoaded) { outcome in
      inbox.put(.decided(.implicit, .success(outcome)))
    }
    if !configuration.isDrainedByHand {
      inbox.onMessage { [weak self] in Task { await self?.drainUnlessBusy() } }
    }
  }

  deinit {
    matcher.events.onEvent(nil)
    matcher.events.onImplicitRegistration(nil)
    outlet.finish()
  }

  // MARK: Listening

  /// A stream of all events from now on, in order.
  public nonisolated func events() -> AsyncStream<AnalyticsEvent> { outlet.events() }

  /// A stream of the customer infos from now on.
  public nonisolated func customerInfos() -> AsyncStream<CustomerRecord> { outlet.customerInfos() }

  /// The surroundings of an event, for its parameters.
  ///
  /// - Throws: `StoreError` when the store cannot be read.
  public nonisolated func eventContext() throws(StoreError) -> EventContext {
    let attributes = try matcher.contextSnapshot()
    var context = EventContext(sessionID: matcher.app.sessionID)
    context.userAttributes = attributes["user"]?.objectValue ?? [:]
    let device = attributes["device"]?.objectValue ?? [:]
    if case .int(let score)? = device["demandScore"] { context.demandScore = score }
    if case .string(let tier)? = device["demandTier"] { context.demandTier = tier }
    return context
  }

  /// Returns whether an event goes to the app's server, by the choice of the app and the toggle of the
  /// config (docs/spec/campaigns.md §8.20). Before the config comes, that of the last launch counts.
  /// Delegate, streams and history get all events.
  public func sends(_ event: AnalyticsEvent) -> Bool {
    let verbose = VerboseEvents(
      areDisabled: session.areVerboseEventsDisabled, isSandbox: configuration.isSandbox)
    return configuration.tracking.sends(event) && verbose.sends(event.name)
  }

  // MARK: The loop

  /// Reports something that happened, such as a purchase that the app observed.
  public func send(_ event: PaywallSession.Event) async {
    inbox.put(.happened(event))
    await drain()
  }

  /// Processes all pending messages. The host calls it itself.
  package func drain() async {
    busy += 1
    while let message = inbox.take() {
      switch message {
      case .happened(let event): await handle(event)
      case .decided(let request, let result): await decided(request, result)
      case .turn(let turn): await take(turn)
      }
    }
    busy -= 1
    await outlet.callbacks.flush()
  }

  /// Deals with what has happened, unless a call is about to: it returns after all that it leads to,
  /// so nothing else may take its messages. While it waits for the screen or the store, they are
  /// dealt with here.
  private func drainUnlessBusy() async {
    if busy == 0 { await drain() }
  }

  /// Takes an event and carries the effects out: at once what needs no answer, then what does.
  ///
  /// - Parameters:
  ///   - decided: The request that is decided; without one, effects are about that of the paywall in
  ///     question.
  ///   - presentation: The paywall of that request, which becomes the present one if the session takes it.
  func handle(
    _ event: PaywallSession.Event, decided: HostRequest? = nil, presentation: Presentation? = nil
  ) async {
    let effects = advance(by: event, decided, presentation)
    let request = decided ?? running?.request
    let unanswered = await performAtOnce(effects, of: request)
    finishStep()
    await outlet.callbacks.flush()
    // The screen first: a paywall goes without waiting for the network.
    for effect in unanswered.filter(\.isOnScreen) + unanswered.filter({ !$0.isOnScreen }) {
      await ask(effect, of: request)
    }
    await presentNext()
  }

  /// Moves the session on, and returns the effects of that.
  private func advance(
    by event: PaywallSession.Event, _ decided: HostRequest?, _ presentation: Presentation?
  ) -> [PaywallEffect] {
    let before = session.presentation.paywall?.presentationID
    let effects = session.timeline(of: event)
    saveState()
    if effects.isEmpty { refuse(event) }
    if let presentation, let decided, session.presentation.paywall?.presentationID != before {
      running = Running(presentation: presentation, request: decided)
    }
    return effects
  }

  /// Performs the effects that need no reply, and returns the others.
  private func performAtOnce(
    _ effects: [PaywallEffect], of request: HostRequest?
  ) async -> [PaywallEffect] {
    var unanswered: [PaywallEffect] = []
    unfinished += 1
    for effect in effects where !carryOut(effect, of: request) {
      // As in the SDK, the status that a purchase leads to is known when its event is tracked, the
      // paywall goes and the feature runs.
      if case .reloadReceipts = effect {
        await ask(effect, of: request)
      } else {
        unanswered.append(effect)
      }
    }
    unfinished -= 1
    return unanswered
  }

  /// Takes over what the session has become: what filters read, and whether the paywall has ended.
  private func finishStep() {
    matcher.setRoots(session.filterRoots)
    if session.presentation.phase == .ended, unfinished == 0 { running = nil }
    lookForFollowUps()
  }

  /// Presents what waits for the end of another paywall.
  private func presentNext() async {
    if case .vacated = session.presentation.phase, let request = following {
      following = nil
      await follow(request)
    }
    await presentFollowUps()
  }

  /// Asks screen, store or handler to carry an effect out, and takes the event that follows. What
  /// happens in the meantime is dealt with at once.
  private func ask(_ effect: PaywallEffect, of request: HostRequest?) async {
    let wasBusy = busy > 0
    if wasBusy { busy -= 1 }
    let answer = await answer(effect, of: request)
    if wasBusy { busy += 1 }
    if let answer { await handle(answer) }
  }
}

extension PaywallEffect {
  /// Whether the effect shows or hides a paywall.
  fileprivate var isOnScreen: Bool {
    switch self {
    case .present, .dismiss: true
    default: false
    }
  }
}
