import CampaignCore
import ExpressionEngine

/// The state of a matcher beside its store. Reachable only under the matcher's lock.
struct MatcherState {
  /// A paywall on screen.
  struct OnScreen {
    /// The number of its token.
    var number: UInt64
    var placement: String
  }

  /// The paywall that was presented last, whether it is still on screen or not.
  struct Presented {
    var placement: String
    var gating: FeatureGating
  }

  /// The base attributes, and what they were made from.
  struct Base {
    var revision: UInt64
    var generation: UInt64
    var attributes: BaseAttributes
  }

  var compiled: CompiledCampaigns?
  var device: [String: Value] = [:]
  /// The attributes of the last subscription status, as the store has them too; they do not count while
  /// `device` has a status of its own.
  var subscription: [String: Value] = [:]
  var enrichment: [String: Value] = [:]
  /// Variables beside `user`, `device` and `params`.
  var roots: [String: Value] = [:]
  /// Counts changes of the config, the device and these variables.
  var generation: UInt64 = 0
  /// Chosen but not yet confirmed variants, where they are not stored at once (§4.2).
  var unconfirmed: [ExactName: VariantAssignment] = [:]
  /// Units of occurrence limits held by presentations under way.
  var reserved: [ExactName: Int] = [:]
  /// Counts the resets. A presentation from before one holds nothing any more.
  var resets: UInt64 = 0
  /// The number of the last presentation.
  var presentations: UInt64 = 0
  var onScreen: OnScreen?
  var lastPresented: Presented?
  /// When the app was last left in this process; every launch begins a session (§8.8).
  var closedAt: WallTime?
  var sessionID: String
  var recordsSinceCompaction = 0
  var base: Base?
  var isIdentityReady = true
  /// The requests that wait.
  var line = WaitingLine()
  /// Whether there will be no config, so that nobody need wait for one.
  var isConfigUnavailable = false
  /// The user whose seed follows from their id as soon as a config says so (§6.3).
  var unseededUserID: String?
  var implicitHandler: (@Sendable (MatchOutcome) -> Void)?
  /// Who reports that the paywall of such a registration appeared.
  var implicitPresentation = PresentationMode.byHost
  /// Whether the app has become active in this process.
  var hasLaunched = false
}

extension MatcherState {
  /// The attributes that the app set for the device and the subscription; those of the device win.
  var ownDevice: [String: Value] {
    // The rest of a status makes no sense beside another one.
    guard !subscription.isEmpty, device[UserSubscriptionStatus.statusName] == nil else {
      return device
    }
    return device.merging(subscription) { own, _ in own }
  }

  /// Whether the subscription status is known to a request.
  func knowsSubscription(for request: MatchRequest) -> Bool {
    let name = UserSubscriptionStatus.statusName
    guard case .string(let text)? = request.device[name] ?? device[name] ?? subscription[name]
    else {
      return false
    }
    return text != UserSubscriptionStatus.unknown.wireName
  }
}
