public import ExpressionEngine

/// A placement, its parameters, and what else holds for this one request.
public struct MatchRequest: Sendable {
  /// The placement.
  public var placement: String
  /// The parameters as the app provides them; they are sanitized (docs/spec/campaigns.md §6.7).
  public var parameters: [String: Value]
  /// Why the result is wanted, which decides the effects.
  public var kind: RequestKind
  /// User attributes that hold for this request only, over the stored ones.
  public var user: [String: Value] = [:]
  /// Device attributes that hold for this request only, over all others.
  public var device: [String: Value] = [:]
  /// How much is reported about each audience.
  public var detail = ReportDetail.result
  /// Who reports that a paywall appeared.
  public var presentation = PresentationMode.byHost
  /// Whether, and how long, the request waits for what is not there yet. Only requests that are
  /// awaited can wait.
  public var waiting = Waiting.asConfigured
  /// Whether a feature follows the placement; part of the standard parameters. By default one follows a
  /// registration, and none a paywall that the app presents.
  public var isFeatureGatable: Bool {
    get { gatable ?? (kind != .getPaywall) }
    set { gatable = newValue }
  }
  private var gatable: Bool?
  /// The gating that a follow-up inherits from the paywall it replaces.
  package var inheritedGating: FeatureGating?
  /// Whether the paywall on screen makes room, so that it is no obstacle.
  package var replacesPaywall = false
  /// Whether the placement is an event of the SDK rather than of the app. A look at a built-in event
  /// takes it for one.
  package var isStandardEvent: Bool {
    get { origin ?? (kind == .getPresentationResult && BuiltInEvent.isStandard(placement)) }
    set { origin = newValue }
  }
  private var origin: Bool?
  /// The parameters of an event of the SDK that filters also see with `$` before their names, where
  /// they are not those of ``parameters`` (§6.6).
  package var copied: [String: Value]?
  /// Whether the request waits for a subscription status at all; cases of the corpus that never speak
  /// of one are about something else.
  package var waitsForStatus = true
  /// When the placement was recorded as an event; `nil` while it is not.
  package var recordedAt: WallTime?

  /// Creates a request.
  public init(
    _ placement: String, parameters: [String: Value] = [:], kind: RequestKind = .presentation
  ) {
    self.placement = placement
    self.parameters = parameters
    self.kind = kind
  }

  /// The request as a look without effects.
  package var asPreview: MatchRequest {
    var request = self
    request.kind = .getPresentationResult
    return request
  }

  /// Whether an app cannot register the placement, because it has the name of a built-in event.
  package func isRefused(_ options: MatchingOptions) -> Bool {
    kind == .presentation && !isStandardEvent
      && BuiltInEvent(named: placement)?.isReserved(on: options.platform) ?? false
  }
}

extension MatchRequest {
  /// Whether, and how long, a request waits for a config, a subscription status and an identity.
  public enum Waiting: Sendable, Hashable {
    /// As long as ``MatchingOptions/readinessLimits`` say.
    case asConfigured
    /// As long as these limits say; ``MatchingOptions/ReadinessLimits/unlimited`` for any time.
    case atMost(MatchingOptions.ReadinessLimits)
    /// Not at all: the request is decided with what there is, and ahead of those that wait.
    case never
  }
}

/// Who reports that a paywall appeared.
public enum PresentationMode: Sendable, Hashable {
  /// The app, through the presentation token.
  case byHost
  /// The app, which first has to load the paywall and to find a view for it. Nothing is tracked and no
  /// assignment is confirmed before the token hears that the paywall is about to appear.
  case whenLoaded
  /// Nobody: the paywall counts as presented and dismissed in the transaction of the registration.
  /// For servers, tools and apps without a screen.
  case immediate
}
