public import ExpressionEngine

/// How much a request says about each audience.
public enum ReportDetail: Sendable, Hashable {
  /// Only what the result itself carries.
  case result
  /// The filters that have no value as well.
  case failures
  /// Everything: the failing condition, the values read, what was missing, count versus limit.
  case full
}

/// The report about one audience: the answer to "why not?".
public struct AudienceReport: Sendable, Equatable {
  /// How the audience came out.
  public enum Outcome: String, Sendable, Hashable {
    /// It matched.
    case matched
    /// Its filter is not true.
    case expression = "EXPRESSION"
    /// Its limit is reached.
    case occurrence = "OCCURRENCE"
    /// An earlier audience matched.
    case notTried
  }

  /// An attribute that the filter reads.
  public struct Reading: Sendable, Equatable {
    /// The attribute, such as `user.plan`.
    public var name: String
    /// Its value; `nil` when it is missing.
    public var value: Value?

    /// Creates a reading.
    public init(name: String, value: Value?) {
      self.name = name
      self.value = value
    }
  }

  /// The state of an occurrence limit.
  public struct Limit: Sendable, Equatable {
    /// The counter.
    public var key: String
    /// How often the audience matched in the window, presentations under way included.
    public var count: Int
    /// How often it may.
    public var maximum: Int64
    /// The window.
    public var interval: OccurrenceLimit.Interval
    /// When a unit becomes free, if nothing else happens; `nil` when it is free or never will be.
    public var reopensAt: WallTime?
  }

  /// The position in the trigger, from 0.
  public var index: Int
  /// The campaign.
  public var campaignID: String
  /// The experiment.
  public var experimentID: String
  /// The filter; `nil` matches everyone.
  public var expression: String?
  /// How the audience came out.
  public var outcome: Outcome
  /// The result of the filter, or the error it ended with; `nil` without a filter.
  public var answer: FilterAnswer?
  /// The smallest part of the filter that explains why it is not true, when it is known.
  public var failingCondition: String?
  /// The attributes that the filter reads.
  public var readings: [Reading] = []
  /// The values that the filter computed from them or asked of the history, such as
  /// `device.daysSince("app_open")`; they are never missing.
  public var computed: [Reading] = []
  /// The changes after which the filter would be true, one sentence each, when they are known.
  public var changes: [String] = []
  /// The state of the limit, if there is one and it was reached.
  public var limit: Limit?

  /// The names of the attributes that are missing.
  public var missing: [String] { readings.filter { $0.value == nil }.map(\.name) }

  package init(_ audience: Audience, index: Int, outcome: Outcome) {
    self.index = index
    campaignID = audience.campaignID
    experimentID = audience.experimentID
    expression = audience.expression
    self.outcome = outcome
  }
}

/// The result of a filter.
public enum FilterAnswer: Sendable, Equatable {
  /// A value; only `true` is a match.
  case value(Value)
  /// The evaluation ended with an error.
  case error(String)
  /// The filter does not compile.
  case invalid(String)
}
