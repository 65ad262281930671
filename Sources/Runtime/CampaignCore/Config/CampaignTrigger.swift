/// A placement and the audiences that are tried for it, in order.
public struct CampaignTrigger: Sendable, Equatable {
  /// The name of the placement (`event_name`), compared exactly.
  public var placement: String
  /// The audiences (`rules`), first match wins.
  public var audiences: [Audience]

  /// Creates a trigger.
  public init(placement: String, audiences: [Audience]) {
    self.placement = placement
    self.audiences = audiences
  }
}

/// One audience of a campaign: who is in it, how often, and the variants of its experiment.
public struct Audience: Sendable, Equatable {
  /// The campaign (`experiment_group_id`).
  public var campaignID: String
  /// The experiment (`experiment_id`).
  public var experimentID: String
  /// The filter (`expression_cel`); `nil` matches everyone.
  public var expression: String?
  /// The variants in order.
  public var variants: [Variant]
  /// How often the audience may match.
  public var limit: OccurrenceLimit?
  /// The legacy keys that are merged into `device` for this audience.
  public var computedProperties: [ComputedProperty]
  /// Whether its paywall is loaded ahead.
  public var preload: PreloadBehavior

  /// Creates an audience that everyone is in.
  public init(campaignID: String, experimentID: String, variants: [Variant]) {
    self.campaignID = campaignID
    self.experimentID = experimentID
    self.variants = variants
    expression = nil
    limit = nil
    computedProperties = []
    preload = .ifTrue
  }
}

/// When the paywall of an audience is loaded ahead (§2.8).
public enum PreloadBehavior: String, Sendable, Hashable, CaseIterable {
  /// When the audience matches without a placement.
  case ifTrue = "IF_TRUE"
  /// Always.
  case always = "ALWAYS"
  /// Never.
  case never = "NEVER"
}

/// One way an experiment can turn out.
public struct Variant: Sendable, Hashable {
  /// The effect of a variant.
  public enum Kind: String, Sendable, Hashable {
    /// Shows a paywall.
    case treatment = "TREATMENT"
    /// Shows nothing, to compare with.
    case holdout = "HOLDOUT"
  }

  /// The id of the variant.
  public var id: String
  /// Treatment or holdout.
  public var kind: Kind
  /// The relative weight; weights need not add up to 100.
  public var percentage: Int64
  /// The paywall of a treatment.
  public var paywallIdentifier: String?

  /// Creates a variant.
  public init(id: String, kind: Kind, percentage: Int64, paywallIdentifier: String? = nil) {
    self.id = id
    self.kind = kind
    self.percentage = percentage
    self.paywallIdentifier = paywallIdentifier
  }
}

/// A legacy key such as `device.daysSince_app_install` that an audience asks for (§5.1).
public struct ComputedProperty: Sendable, Equatable {
  /// The kind of computation (`type`), by its wire name.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// Minutes since the event.
    case minutesSince = "MINUTES_SINCE"
    /// Hours since the event.
    case hoursSince = "HOURS_SINCE"
    /// Days since the event.
    case daysSince = "DAYS_SINCE"
    /// Months since the event.
    case monthsSince = "MONTHS_SINCE"
    /// Years since the event.
    case yearsSince = "YEARS_SINCE"
    /// Occurrences in the last 60 minutes.
    case placementsInHour = "PLACEMENTS_IN_HOUR"
    /// Occurrences in the last 1,440 minutes.
    case placementsInDay = "PLACEMENTS_IN_DAY"
    /// Occurrences in the last 10,080 minutes.
    case placementsInWeek = "PLACEMENTS_IN_WEEK"
    /// Occurrences in the last month.
    case placementsInMonth = "PLACEMENTS_IN_MONTH"
    /// All occurrences.
    case placementsSinceInstall = "PLACEMENTS_SINCE_INSTALL"
  }

  /// The kind of computation.
  public var kind: Kind
  /// The event it is about.
  public var eventName: String

  /// Creates a request for a legacy key.
  public init(kind: Kind, eventName: String) {
    self.kind = kind
    self.eventName = eventName
  }
}
