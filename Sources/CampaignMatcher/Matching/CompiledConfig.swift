import AudienceFilters
import ExpressionEngine
import ExpressionSyntax

/// A config whose filters are compiled, indexed by placement. It never changes; the matcher swaps it
/// as a whole.
final class CompiledConfig: Sendable {
  let config: CampaignConfig
  let diagnostics: [ConfigDiagnostic]
  let triggers: [ExactName: CompiledTrigger]
  /// Which derived attributes any filter reads.
  let derived: [DerivedAttribute]

  init(
    _ config: CampaignConfig, diagnostics: [ConfigDiagnostic], environment: FilterEnvironment
  ) {
    var log = diagnostics
    var filters: [ExactName: (filter: AudienceFilter, reads: [Requirements.Attribute])] = [:]
    var triggers: [ExactName: CompiledTrigger] = [:]
    var derived: Set<DerivedAttribute> = []
    filters.reserveCapacity(config.triggers.reduce(0) { $0 + $1.audiences.count })
    for (triggerIndex, trigger) in config.triggers.enumerated() {
      var audiences: [CompiledAudience] = []
      audiences.reserveCapacity(trigger.audiences.count)
      var needs = FilterNeeds()
      for index in trigger.audiences.indices {
        var filter = AudienceFilter.everyone
        if let source = trigger.audiences[index].expression {
          let known = filters[ExactName(source)]
          filter = known?.filter ?? AudienceFilter(source, environment: environment)
          let reads = known?.reads ?? filter.reads
          needs.add(reads)
          if known == nil {
            filters[ExactName(source)] = (filter, reads)
            if case .invalid(let flaw) = filter {
              log.append(
                ConfigDiagnostic(
                  kind: .invalidFilter,
                  path: "trigger_options[\(triggerIndex)].rules[\(index)].expression_cel",
                  message: "the filter of experiment \"\(trigger.audiences[index].experimentID)\""
                    + " does not compile, so nobody matches it: \(flaw.message)"))
            }
          }
        }
        audiences.append(CompiledAudience(audience: trigger.audiences[index], filter: filter))
      }
      derived.formUnion(needs.derived)
      // Of two triggers with one placement the later one counts (§1.7).
      triggers[ExactName(trigger.placement)] = CompiledTrigger(
        trigger: trigger, audiences: audiences, parameterNames: needs.parameterNames)
    }
    self.config = config
    self.diagnostics = log
    self.triggers = triggers
    self.derived = derived.sorted { $0.rawValue < $1.rawValue }
  }

  /// The audiences that get assignments, first per experiment.
  ///
  /// - Parameter representativeOnly: reproduces the grouping of the reference (§4.3): only the first
  ///   trigger per campaign counts, the campaign being that of the trigger's first audience.
  func assignableAudiences(representativeOnly: Bool) -> [CompiledAudience] {
    var seen: Set<ExactName> = []
    return campaignTriggers(representativeOnly: representativeOnly).flatMap(\.audiences).filter {
      seen.insert(ExactName($0.audience.experimentID)).inserted
    }
  }

  /// The triggers in document order, each placement once; with `representativeOnly`, one per
  /// campaign.
  func campaignTriggers(representativeOnly: Bool) -> [CompiledTrigger] {
    var placements: Set<ExactName> = []
    var campaigns: Set<ExactName> = []
    return config.triggers.compactMap { trigger in
      guard placements.insert(ExactName(trigger.placement)).inserted,
        let compiled = triggers[ExactName(trigger.placement)]
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

/// A placement with its audiences.
final class CompiledTrigger: Sendable {
  let trigger: Trigger
  let audiences: [CompiledAudience]
  /// The parameters that filters read, in order; `nil` when one looks at them as a whole. The others
  /// need not be made.
  let parameterNames: [String]?

  init(trigger: Trigger, audiences: [CompiledAudience], parameterNames: [String]?) {
    self.trigger = trigger
    self.audiences = audiences
    self.parameterNames = parameterNames
  }
}

/// An audience with its filter.
///
/// It is a class, because an ``Audience`` has so many members that copying one costs more than
/// evaluating its filter.
final class CompiledAudience: Sendable {
  let audience: Audience
  let filter: AudienceFilter
  let limit: OccurrenceLimit?
  let hasComputedProperties: Bool

  init(audience: Audience, filter: AudienceFilter) {
    self.audience = audience
    self.filter = filter
    limit = audience.limit
    hasComputedProperties = !audience.computedProperties.isEmpty
  }
}

/// What stands for the expression of an audience.
enum AudienceFilter: Sendable {
  /// No expression: everyone matches.
  case everyone
  /// A filter.
  case compiled(SharedFilter)
  /// Text that does not compile: nobody matches.
  case invalid(FilterFlaw)

  init(_ source: String, environment: FilterEnvironment) {
    do throws(FilterError) {
      self = .compiled(SharedFilter(try Filter(source, environment: environment)))
    } catch {
      self = .invalid(FilterFlaw(error.diagnostics.first))
    }
  }

  /// The attributes that the filter reads.
  var reads: [Requirements.Attribute] {
    guard case .compiled(let shared) = self else { return [] }
    return shared.filter.requirements.attributes
  }
}

/// Why a filter does not compile; at an address of its own, so that filters that do stay small.
final class FilterFlaw: Sendable {
  let diagnostic: Diagnostic?
  /// The reason for a person.
  let message: String

  init(_ diagnostic: Diagnostic?) {
    self.diagnostic = diagnostic
    message = diagnostic.map { "\($0.message) [\($0.id.rawValue)]" } ?? "the text is no filter"
  }
}

/// A filter at an address of its own: handing a filter around by value counts several references,
/// which costs more than evaluating it.
final class SharedFilter: Sendable {
  let filter: Filter

  init(_ filter: Filter) { self.filter = filter }

  func matches(_ context: Context) -> Bool { filter.matches(context) }
}
