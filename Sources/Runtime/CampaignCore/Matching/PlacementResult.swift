/// The kind of call that a request came from, which selects its effects (docs/spec/campaigns.md §2.5).
public enum RequestKind: String, Sendable, Hashable, CaseIterable, CustomStringConvertible {
  /// A registration that presents.
  case presentation
  /// The app presents the paywall itself.
  case getPaywall
  /// A peek.
  case getPresentationResult
  /// A follow-up of a paywall.
  case handleImplicitTrigger
  /// All assignments are confirmed.
  case confirmAllAssignments

  /// The word of the wire.
  public var description: String {
    switch self {
    case .getPaywall: "getPaywallViewController"
    case .handleImplicitTrigger: "getImplicitPresentationResult"
    case .presentation, .getPresentationResult, .confirmAllAssignments: rawValue
    }
  }
}

/// An experiment that a user is in, with the variant they got.
public struct CampaignExperiment: Sendable, Hashable, CustomStringConvertible {
  /// The experiment.
  public var id: String
  /// The campaign.
  public var campaignID: String
  /// The variant as it was stored; see ``MatchingOptions/resolvesVariantFromConfig``.
  public var variant: Variant

  /// The experiment with its variant, such as `experiment 10, variant 10a`.
  public var description: String { "experiment \(id), variant \(variant.id)" }

  /// Creates an experiment.
  public init(id: String, campaignID: String, variant: Variant) {
    self.id = id
    self.campaignID = campaignID
    self.variant = variant
  }
}

/// An audience that did not match.
public struct UnmatchedAudience: Sendable, Equatable {
  /// The check that kept the user out.
  public enum Source: String, Sendable, Hashable {
    /// The filter.
    case expression = "EXPRESSION"
    /// The occurrence limit.
    case occurrence = "OCCURRENCE"
  }

  /// The experiment of the audience.
  public var experimentID: String
  /// The check that kept the user out.
  public var source: Source

  /// Creates a record.
  public init(experimentID: String, source: Source) {
    self.experimentID = experimentID
    self.source = source
  }
}

/// Why a request ended without a result, with the domain and code of the reference.
public struct MatchError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The domain of the code.
  public var domain: String
  /// The code.
  public var code: Int
  /// The message for a person.
  public var message: String
  /// The `status_reason` of `paywallPresentationRequest`, if it is tracked.
  public var statusReason: String?

  /// The error as one line.
  public var description: String { "\(message) (\(domain) \(code))" }

  /// Creates an error.
  public init(domain: String, code: Int, message: String, statusReason: String? = nil) {
    self.domain = domain
    self.code = code
    self.message = message
    self.statusReason = statusReason
  }

  /// Returns an error of the presentation's domain.
  private static func presentation(
    _ code: Int, _ message: String, statusReason: String?
  ) -> MatchError {
    MatchError(
      domain: "SWKPresentationError", code: code, message: message, statusReason: statusReason)
  }

  /// The experiment has no assignment (code 404).
  public static let noAssignment = MatchError(
    domain: "SWPaywallNotFound", code: 404,
    message: "the matched audience has no variant assigned",
    statusReason: "no_paywall_view_controller")
  /// The debugger is on screen (code 101).
  public static let debuggerPresented = presentation(
    101, "the debugger is on screen", statusReason: "debugger_presented")
  /// A paywall is on screen already (code 102).
  public static let paywallAlreadyPresented = presentation(
    102, "a paywall is already on screen", statusReason: "paywall_already_presented")
  /// There is no view to present the paywall on (code 103).
  public static let noPresenter = presentation(
    103, "there is no view to present the paywall on", statusReason: "no_presenter")
  /// No config has been loaded (code 104).
  public static let noConfig = presentation(
    104, "no campaign config is loaded", statusReason: "no_config")
  /// The subscription status was still unknown when the time to wait for it had passed (code 105).
  /// No feature runs.
  public static let subscriptionStatusTimeout = presentation(
    105, "the subscription status is still unknown", statusReason: "subscriptionStatus_timeout")
  /// The content of a gated paywall did not load (code 106).
  public static let webViewFailed = presentation(
    106, "the content of a gated paywall did not load", statusReason: nil)
  /// The paywall did not load (code 107).
  public static func loadFailed(_ reason: String) -> MatchError {
    presentation(
      107, "the paywall did not load: \(reason)", statusReason: "no_paywall_view_controller")
  }
  /// The server does not know the paywall (code 404).
  public static let paywallNotFound = MatchError(
    domain: "SWKPaywallNotFound", code: 404, message: "the server does not know the paywall",
    statusReason: "no_paywall_view_controller")
  /// Every error with a code of the reference.
  public static let coded = [
    debuggerPresented, paywallAlreadyPresented, noPresenter, noConfig, subscriptionStatusTimeout,
    webViewFailed, loadFailed("no connection"), paywallNotFound, noAssignment,
  ]
  /// The placement has the name of a built-in event. Nothing is tracked and no feature runs.
  public static let reservedPlacement = MatchError(
    domain: "CampaignMatcher", code: 1, message: "the placement has the name of a built-in event",
    statusReason: nil)
  /// The task was cancelled while it waited. Nothing but the placement is tracked and no feature runs.
  public static let cancelled = MatchError(
    domain: "CampaignMatcher", code: 2,
    message: "the task was cancelled while it waited", statusReason: nil)
}

/// The result of a placement (§2.4).
public enum PlacementResult: Sendable, Equatable, CustomStringConvertible {
  /// No campaign has the placement.
  case placementNotFound
  /// No audience matched; each is listed with the reason, in order.
  case noAudienceMatch([UnmatchedAudience])
  /// The user is held out.
  case holdout(CampaignExperiment)
  /// A paywall is to be shown.
  case paywall(CampaignExperiment)
  /// The request failed.
  case error(MatchError)

  /// The experiment of a holdout or a paywall.
  public var experiment: CampaignExperiment? {
    switch self {
    case .holdout(let experiment), .paywall(let experiment): experiment
    case .placementNotFound, .noAudienceMatch, .error: nil
    }
  }

  /// Why no paywall is shown; `nil` for a paywall, and for a request that failed.
  public var skipReason: SkipReason? {
    switch self {
    case .placementNotFound: .placementNotFound
    case .noAudienceMatch: .noAudienceMatch
    case .holdout(let experiment): .holdout(experiment)
    case .paywall, .error: nil
    }
  }

  /// The `result` of `trigger_fire`.
  public var wireName: String {
    switch self {
    case .placementNotFound: "eventNotFound"
    case .noAudienceMatch: "no_rule_match"
    case .holdout: "holdout"
    case .paywall: "present"
    case .error: "error"
    }
  }

  /// The name of the case: `placementNotFound`, `noAudienceMatch`, `holdout`, `paywall`, `error`.
  public var caseName: String {
    switch self {
    case .placementNotFound: "placementNotFound"
    case .noAudienceMatch: "noAudienceMatch"
    case .holdout: "holdout"
    case .paywall: "paywall"
    case .error: "error"
    }
  }

  /// The result for people, such as `shows paywall pw_1 (experiment 10, variant 10a)`.
  public var description: String {
    switch self {
    case .placementNotFound: "no campaign has this placement"
    case .noAudienceMatch(let unmatched):
      "no audience matched"
        + unmatched.map { " \($0.experimentID)=\($0.source.rawValue)" }.joined()
    case .holdout(let experiment): "held out (\(experiment))"
    case .paywall(let experiment):
      "shows paywall \(experiment.variant.paywallIdentifier ?? "without identifier")"
        + " (\(experiment))"
    case .error(let error): error.description
    }
  }

  /// The `status_reason` of `paywallPresentationRequest`; `nil` for a presentation.
  var statusReason: String? {
    switch self {
    case .placementNotFound: "event_not_found"
    case .noAudienceMatch: "no_rule_match"
    case .holdout: "holdout"
    case .paywall: nil
    case .error(let error): error.statusReason
    }
  }
}
