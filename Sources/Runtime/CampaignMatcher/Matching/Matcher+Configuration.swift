import AudienceFilters
public import CampaignCore
public import ExpressionSyntax

extension Matcher {
  /// The parts of a matcher. Each part has a default.
  public struct Configuration: Sendable {
    /// The store of everything that the matcher remembers; in memory by default.
    public var store: any MatcherStore
    /// Platform differences and quirks; by default those of iOS v4, with a limit for every wait.
    public var options: MatchingOptions
    /// The clock, read once per request. Clock, random source and store are called while the matcher
    /// is locked, so they must not call it.
    public var clock: any WallClock
    /// The zone that decides calendar days and local times.
    public var zone: ZoneRules
    /// The source of variants, seeds and aliases.
    public var random: any RandomSource
    /// How long single events are kept.
    public var retention: RetentionPolicy
    /// The language of the filters.
    public var dialect: Dialect
    /// Whether filters can call `VersionFunction`; `nil` for only outside the reference dialect,
    /// which does not have them.
    public var includesVersionFunctions: Bool?
    /// Finds the reason why a filter is not true; it must not call the matcher.
    public var explain: AudienceExplainer
    /// Called after each decision, also about previews; `nil` for none, which costs nothing.
    ///
    /// The matcher is locked meanwhile, so that the closure must not call it. With a closure, the
    /// filters that did not match are evaluated once more, to know which of them fail.
    public var onDecision: (@Sendable (DecisionRecord) -> Void)?

    /// Creates a configuration.
    public init(
      store: any MatcherStore = InMemoryStore(),
      options: MatchingOptions = MatchingOptions(),
      clock: any WallClock = SystemClock(), zone: ZoneRules = .system,
      random: any RandomSource = SystemRandomSource(),
      retention: RetentionPolicy = RetentionPolicy(), dialect: Dialect = .superscript,
      includesVersionFunctions: Bool? = nil,
      explain: @escaping AudienceExplainer = FilterExplanation.init(readingsOf:in:)
    ) {
      self.store = store
      self.options = options
      self.clock = clock
      self.zone = zone
      self.random = random
      self.retention = retention
      self.dialect = dialect
      self.includesVersionFunctions = includesVersionFunctions
      self.explain = explain
    }
  }
}
