import AudienceFilters
public import ExpressionEngine
public import ExpressionSyntax

/// A campaign config with compiled filters. It decides what a placement leads to, and changes nothing.
///
/// ``decide(_:in:)`` takes everything that matters as values (the placement, the attributes, the
/// history, the limits, the assignments) and returns the result, the reasons, and the effects that
/// a caller has to make durable. One instance serves any number of users and threads.
public final class CompiledCampaigns: Sendable {
  /// The config.
  public let config: CampaignConfig
  /// The findings of decoding and compiling.
  public let diagnostics: [ConfigDiagnostic]
  /// The options in force.
  public let options: MatchingOptions
  package let sanitizer: AttributeSanitizer
  package let environment: FilterEnvironment
  let explain: AudienceExplainer
  /// The audiences that have an experiment, first per experiment in document order.
  package let experiments: [ExactName: CompiledAudience]
  private let triggers: [PlacementName: CompiledTrigger]
  /// The gating of the paywalls, first per identifier in document order.
  private let gatings: [ExactName: FeatureGating]

  /// Compiles the filters of a config.
  ///
  /// - Parameters:
  ///   - config: The config.
  ///   - diagnostics: The findings of decoding it.
  ///   - options: Platform differences and quirks; iOS v4 by default.
  ///   - dialect: The language of the filters.
  ///   - includesVersionFunctions: Whether filters can call ``VersionFunction``; by default only outside
  ///     the reference dialect, which does not have them.
  ///   - explain: Finds the reason why a filter is not true.
  public convenience init(
    _ config: CampaignConfig, diagnostics: [ConfigDiagnostic] = [], options: MatchingOptions = .iOS,
    dialect: Dialect = .superscript, includesVersionFunctions: Bool? = nil,
    explain: @escaping AudienceExplainer = FilterExplanation.init(readingsOf:in:)
  ) {
    self.init(
      config, diagnostics: diagnostics, options: options,
      environment: HostFunctions.environment(
        dialect: dialect, includesVersions: includesVersionFunctions ?? (dialect != .superscript)),
      explain: explain)
  }

  package init(
    _ config: CampaignConfig, diagnostics: [ConfigDiagnostic], options: MatchingOptions,
    environment: FilterEnvironment, explain: @escaping AudienceExplainer
  ) {
    self.config = config
    self.options = options
    self.environment = environment
    self.explain = explain
    sanitizer = AttributeSanitizer(options: options)
    var log = diagnostics
    var filters: [ExactName: AudienceFilter] = [:]
    filters.reserveCapacity(config.triggers.reduce(0) { $0 + $1.audiences.count })
    var triggers: [PlacementName: CompiledTrigger] = [:]
    for (triggerIndex, trigger) in config.triggers.enumerated() {
      var audiences: [CompiledAudience] = []
      audiences.reserveCapacity(trigger.audiences.count)
      for (index, audience) in trigger.audiences.enumerated() {
        var filter = AudienceFilter.everyone
        if let source = audience.expression {
          let known = filters[ExactName(source)]
          filter = known ?? AudienceFilter(source, environment: environment)
          if known == nil {
            filters[ExactName(source)] = filter
            if case .invalid(let flaw) = filter {
              log.append(
                ConfigDiagnostic(
                  kind: .invalidFilter,
                  path: "trigger_options[\(triggerIndex)].rules[\(index)].expression_cel",
                  message: "the filter of experiment \"\(audience.experimentID)\""
                    + " does not compile, so nobody matches it: \(flaw.message)"))
            }
          }
        }
        audiences.append(CompiledAudience(audience: audience, filter: filter))
      }
      // Of two triggers with one placement the later one counts (§1.7).
      triggers[Self.name(trigger.placement, options)] = CompiledTrigger(
        trigger: trigger, audiences: audiences)
    }
    gatings = Dictionary(
      config.paywalls.map { (ExactName($0.identifier), $0.featureGating) },
      uniquingKeysWith: { first, _ in first })
    var experiments: [ExactName: CompiledAudience] = [:]
    for trigger in config.triggers {
      for audience in triggers[Self.name(trigger.placement, options)]?.audiences ?? [] {
        let id = ExactName(audience.audience.experimentID)
        if experiments[id] == nil { experiments[id] = audience }
      }
    }
    self.experiments = experiments
    self.triggers = triggers
    self.diagnostics = log
  }

  static func name(_ placement: String, _ options: MatchingOptions) -> PlacementName {
    options.comparesPlacementsCanonically ? .canonical(placement) : .exact(ExactName(placement))
  }

  /// The trigger of a placement.
  package func trigger(of placement: String) -> CompiledTrigger? {
    triggers[Self.name(placement, options)]
  }

  /// The gating of the paywall that a variant shows.
  func gating(of variant: Variant) -> FeatureGating {
    guard let identifier = variant.paywallIdentifier else { return .nonGated }
    return gatings[ExactName(identifier)] ?? .nonGated
  }

  /// Whether a campaign has a placement.
  public func contains(_ placement: String) -> Bool { trigger(of: placement) != nil }

  /// The audiences that get assignments, first per experiment.
  ///
  /// - Parameter representativeOnly: Reproduces the grouping of the reference (§4.3): only the first
  ///   trigger per campaign counts, the campaign being that of the trigger's first audience.
  package func assignableAudiences(representativeOnly: Bool) -> [CompiledAudience] {
    var seen: Set<ExactName> = []
    return campaignTriggers(representativeOnly: representativeOnly).flatMap(\.audiences).filter {
      seen.insert(ExactName($0.audience.experimentID)).inserted
    }
  }

  /// The triggers in document order, each placement once; with `representativeOnly`, one per
  /// campaign.
  package func campaignTriggers(representativeOnly: Bool = false) -> [CompiledTrigger] {
    var placements: Set<PlacementName> = []
    var campaigns: Set<ExactName> = []
    return config.triggers.compactMap { trigger in
      guard placements.insert(Self.name(trigger.placement, options)).inserted,
        let compiled = self.trigger(of: trigger.placement)
      else { return nil }
      if representativeOnly {
        guard let campaign = compiled.trigger.audiences.first?.campaignID,
          campaigns.insert(ExactName(campaign)).inserted
        else { return nil }
      }
      return compiled
    }
  }
}

/// The name of a placement as the options compare it.
enum PlacementName: Hashable {
  case exact(ExactName)
  /// Canonically equivalent texts are the same name, as in Swift's dictionaries (iOS).
  case canonical(String)
}

/// Finds out why a filter is not true. The default is ``FilterExplanation/init(readingsOf:in:)``.
///
/// It runs within a decision, for each audience that is reported on. With a matcher it must not call
/// the matcher, which is locked meanwhile. The context can ask the event history only during the call
/// and on its thread; if it escapes, history functions report an empty history.
public typealias AudienceExplainer =
  @Sendable (_ filter: Filter, _ context: Context) -> FilterExplanation
