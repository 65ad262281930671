public import ExpressionEngine

/// Every platform difference and quirk of the reference SDKs, each under a name with its default.
///
/// The defaults are the behaviour of iOS v4, with three exceptions in favour of the caller, each
/// recommended by docs/spec/campaigns.md: a peek has no effects (``peekEffects``), audiences of all
/// triggers get assignments (``assignsOnlyRepresentativeTriggers``) and paywalls need not carry
/// their appearance (``ConfigRules/requiresPaywallAppearance``).
public struct MatchingOptions: Sendable, Equatable {
  /// The platform whose attribute names and text forms are used.
  public enum Platform: String, Sendable, Hashable, CaseIterable {
    /// iOS and its siblings.
    case iOS
    /// Android.
    case android
  }

  /// When a chosen variant becomes durable (§4.2).
  public enum AssignmentPersistence: Sendable, Hashable {
    /// At once, for all audiences, whenever a config is loaded (iOS ≥ 4.0.3).
    case immediate
    /// When the audience is first reached; until then each load rolls anew (Android, iOS v3).
    case onConfirmation
  }

  /// How a variant is chosen for a user without an assignment (§4.1).
  public enum VariantChoice: Sendable, Hashable {
    /// By the injected random source, as the reference does.
    case random
    /// By ``DeterministicBucketing``: the same unit gets the same variant on every device.
    case deterministic(BucketingUnit)
  }

  /// The identity by which deterministic bucketing picks a variant.
  public enum BucketingUnit: Sendable, Hashable {
    /// The identified user, or the alias while nobody is identified.
    case userOrAlias
    /// Always the alias.
    case alias
  }

  /// The result of a time function for an event that never happened (§5.2).
  public enum NeverOccurred: Sendable, Hashable {
    /// Null (iOS).
    case null
    /// Zero (Android).
    case zero
  }

  /// The length of the month that `placementsInMonth` looks back (§5.3).
  public enum MonthWindow: Sendable, Hashable {
    /// 43,200 minutes (iOS).
    case thirtyDays
    /// Back to the same day of the previous month (Android).
    case calendarMonth
  }

  /// The effects of asking for a result without presenting (§2.5).
  public struct PeekEffects: OptionSet, Sendable, Hashable {
    /// The bits of the set.
    public var rawValue: UInt8
    /// Creates a set from its bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// A holdout consumes one unit of its occurrence limit.
    public static let holdoutOccurrence = PeekEffects(rawValue: 1)
    /// `trigger_fire` is tracked for holdouts and non-matches.
    public static let triggerFire = PeekEffects(rawValue: 2)
    /// The assignment is confirmed.
    public static let confirmation = PeekEffects(rawValue: 4)
    /// `paywallPresentationRequest` is tracked when the subscription status stays unknown.
    public static let timeout = PeekEffects(rawValue: 8)
    /// The effects on iOS v4.
    public static let iOS: PeekEffects = [
      .holdoutOccurrence, .triggerFire, .confirmation, .timeout,
    ]
    /// The effects on Android.
    public static let android: PeekEffects = [.holdoutOccurrence, .confirmation, .timeout]
  }

  /// The prefixes under which `trigger_fire` names the audiences that did not match (§2.6).
  public struct UnmatchedKeys: OptionSet, Sendable, Hashable {
    /// The bits of the set.
    public var rawValue: UInt8
    /// Creates a set from its bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// `unmatched_audience_<experiment id>` (iOS v4).
    public static let audience = UnmatchedKeys(rawValue: 1)
    /// `unmatched_rule_<experiment id>` (v3 and the documentation).
    public static let rule = UnmatchedKeys(rawValue: 2)
  }

  /// Which placements may follow a paywall that was itself presented implicitly (§2.10).
  public enum ImplicitLoopGuard: Sendable, Hashable {
    /// None after an abandoned or failed transaction, a decline or a custom placement (iOS).
    case afterAnyFollowUp
    /// Any but the one that presented the paywall (Android).
    case afterSamePlacement
  }

  /// How long a request waits for each thing that is not there yet (§2.1).
  /// `nil` waits without a limit; ``unlimited`` does so everywhere.
  public struct ReadinessLimits: Sendable, Hashable {
    /// For a config; then the registration ends with error 104.
    public var config: Value.Duration?
    /// For a subscription status other than unknown; then the registration ends with error 105.
    public var subscriptionStatus: Value.Duration?
    /// For the server's assignments; then the registration goes on with those that there are.
    public var identity: Value.Duration?
    /// For the app to report what became of a paywall; then the next request has its turn, and the
    /// matcher tracks a warning.
    public var presentation: Value.Duration?

    /// Creates limits; by default 30 seconds for a config and for a paywall to appear, and 5 seconds
    /// for the status and for the server.
    public init(
      config: Value.Duration? = .seconds(30), subscriptionStatus: Value.Duration? = .seconds(5),
      identity: Value.Duration? = .seconds(5), presentation: Value.Duration? = .seconds(30)
    ) {
      self.config = config
      self.subscriptionStatus = subscriptionStatus
      self.identity = identity
      self.presentation = presentation
    }

    /// No limit for anything.
    public static let unlimited = ReadinessLimits(
      config: nil, subscriptionStatus: nil, identity: nil, presentation: nil)
    /// The limits of the iOS SDK: five seconds for the status, and none for anything else.
    public static let iOS = ReadinessLimits(config: nil, identity: nil, presentation: nil)
    /// The limits of the Android SDK: one second and five for a config, five for the status and the
    /// server, and none for a paywall to appear.
    public static let android = ReadinessLimits(config: .seconds(6), presentation: nil)
  }

  /// The attribute names and text forms in use. Default: iOS.
  public var platform = Platform.iOS
  /// How wire values outside the format are treated. Default: as iOS does.
  public var config = ConfigRules()
  /// When a chosen variant becomes durable. Default: at once (iOS v4).
  public var assignmentPersistence = AssignmentPersistence.immediate
  /// How a variant is chosen. Default: at random, as the reference does.
  public var variantChoice = VariantChoice.random
  /// Whether a lookup replaces the stored variant by the config's variant of the same id, so that a
  /// changed paywall is seen. Default: no; the reference keeps the stored snapshot (§4.5).
  public var resolvesVariantFromConfig = false
  /// Whether, as in the reference, only one trigger per campaign gets assignments (§4.3), which can
  /// leave audiences without one. Default: no.
  public var assignsOnlyRepresentativeTriggers = false
  /// How times since an event are counted. Default: whole calendar units (iOS).
  public var calendar = CalendarArithmetic.wholeUnits
  /// The result of a time function for an event that never happened. Default: null (iOS).
  public var neverOccurred = NeverOccurred.null
  /// The length of a month for `placementsInMonth`. Default: thirty days (iOS).
  public var monthWindow = MonthWindow.thirtyDays
  /// The effects of a peek. Default: none; `.iOS` and `.android` reproduce the reference.
  public var peekEffects: PeekEffects = []
  /// The key prefixes for audiences that did not match. Default: `unmatched_audience_` (iOS v4).
  public var unmatchedKeys: UnmatchedKeys = .audience
  /// Whether only the first matching IF_TRUE audience of a campaign is preloaded. Default: no (iOS).
  public var preloadsOnlyFirstMatch = false
  /// Whether reset keeps `app_install` and `app_launch` in the history. Default: yes (iOS ≥ 4.12.10).
  public var resetKeepsInstallEvents = true
  /// How a user id becomes a seed. Default: the iOS definition (§6.3).
  public var userSeed = UserSeed.iOS
  /// Which implicit placements may follow an implicit paywall. Default: the iOS guard.
  public var implicitLoopGuard = ImplicitLoopGuard.afterAnyFollowUp
  /// Whether a number that is not finite among the parameters makes every audience with an
  /// expression fail, as it does on iOS, where such a context cannot be encoded (§6.6). Default: yes.
  public var failsOnNonFiniteParameters = true
  /// How long a registration waits for config, subscription status, identity, and the paywall before
  /// it. Default: 30 seconds for the config and the paywall, 5 seconds for the others; `.iOS` and
  /// `.android` reproduce the reference.
  public var readinessLimits = ReadinessLimits()
  /// Whether a registration is refused with error 102 while a paywall is on screen. Default: yes.
  public var allowsOnePaywallOnly = true
  /// Whether a paywall that `getPaywall` returned takes up a unit of its limit before it appears. Default:
  /// no; in the reference two fetched paywalls can exceed a limit.
  public var reservesFetchedPaywalls = false
  /// Whether canonically equivalent names are the same placement, such as a composed and a decomposed
  /// `é`. Default: yes (iOS, where Swift compares them); experiments, variants, limits and events are
  /// always compared by their bytes.
  public var comparesPlacementsCanonically = true
  /// Whether JSON null inside collections becomes an empty map, as on iOS (§6.7). Default: yes.
  public var encodesNestedNullAsEmptyMap = true
  /// Whether every `$` is removed from strings that reach a filter (Android, §6.7). Default: no.
  public var stripsDollarSigns = false

  /// Creates the options with their defaults: iOS v4, with a limit for every wait.
  public init() {}

  /// The behaviour of iOS v4, which waits for a config without a limit.
  public static let iOS: MatchingOptions = {
    var options = MatchingOptions()
    options.readinessLimits = .iOS
    return options
  }()

  /// The behaviour of the Android SDK, where it differs.
  public static let android: MatchingOptions = {
    var options = MatchingOptions()
    options.platform = .android
    options.config = .android
    options.assignmentPersistence = .onConfirmation
    options.calendar = .androidFields
    options.neverOccurred = .zero
    options.monthWindow = .calendarMonth
    options.peekEffects = .android
    options.unmatchedKeys = []
    options.preloadsOnlyFirstMatch = true
    options.resetKeepsInstallEvents = false
    options.userSeed = .android
    options.implicitLoopGuard = .afterSamePlacement
    options.readinessLimits = .android
    options.failsOnNonFiniteParameters = false
    options.comparesPlacementsCanonically = false
    options.encodesNestedNullAsEmptyMap = false
    options.stripsDollarSigns = true
    return options
  }()
}

/// How the decoder treats wire values on which the platforms differ (docs/spec/campaigns.md §1.3).
public struct ConfigRules: Sendable, Hashable {
  /// Whether an unknown interval type fails the config instead of meaning "forever". Default: no.
  public var rejectsUnknownIntervals = false
  /// Whether `MINUTES` without a number is a window of 0 minutes instead of "forever". Default: no.
  public var treatsMissingMinutesAsZero = false
  /// Whether an unknown variant type fails the config instead of meaning TREATMENT. Default: no.
  public var rejectsUnknownVariantTypes = false
  /// Whether a computed property that does not decode fails the config instead of being dropped.
  /// Default: no.
  public var rejectsUnknownComputedProperties = false
  /// Whether preload behaviours are recognised in any letter case. Default: no.
  public var ignoresCaseOfPreload = false
  /// Whether `postback` and `products` must be present. Default: no.
  public var requiresPostbackAndProducts = false
  /// Whether a paywall must carry the members that only its appearance needs, as iOS demands; when
  /// not, their absence is a warning. Default: no.
  public var requiresPaywallAppearance = false

  /// Creates the rules with their defaults: iOS, but without the appearance of paywalls.
  public init() {}

  /// The rules of the Android SDK.
  public static let android: ConfigRules = {
    var rules = ConfigRules()
    rules.rejectsUnknownIntervals = true
    rules.treatsMissingMinutesAsZero = true
    rules.rejectsUnknownVariantTypes = true
    rules.rejectsUnknownComputedProperties = true
    rules.ignoresCaseOfPreload = true
    rules.requiresPostbackAndProducts = true
    return rules
  }()
}
