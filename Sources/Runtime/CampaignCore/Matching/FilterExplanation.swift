import AudienceFilters
public import ExpressionEngine

/// The explanation of a filter's result.
public struct FilterExplanation: Sendable, Equatable {
  /// The smallest part of the filter that explains why it is not true.
  public var failingCondition: String?
  /// The attributes that were read, in order.
  public var readings: [AudienceReport.Reading]
  /// The values computed from them or asked of the history, as written in the filter, in order.
  public var computed: [AudienceReport.Reading]
  /// The changes after which it would match, one sentence each; empty when nothing simple is known.
  public var changes: [String]

  /// Creates an explanation.
  public init(
    failingCondition: String? = nil, readings: [AudienceReport.Reading] = [],
    computed: [AudienceReport.Reading] = [], changes: [String] = []
  ) {
    self.failingCondition = failingCondition
    self.readings = readings
    self.computed = computed
    self.changes = changes
  }

  /// Creates an explanation that has only the attributes of the filter, with their values.
  ///
  /// `FilterExplanation.init(of:in:)` in the module `CampaignAnalysis` also finds the failing
  /// condition and the changes.
  public init(readingsOf filter: Filter, in context: Context) {
    self.init()
    addReadings(of: filter, context, besides: [])
  }

  /// Adds the attributes of a filter.
  ///
  /// - Parameter seen: Paths that are in the explanation already.
  package mutating func addReadings(
    of filter: Filter, _ context: Context, besides seen: Set<String>
  ) {
    let snapshot = context.snapshot()
    for attribute in filter.requirements.attributes {
      let path = attribute.path
      let isKnown = seen.contains {
        $0 == path || $0.hasPrefix(path + ".") || $0.hasPrefix(path + "[")
      }
      guard !isKnown else { continue }
      let value =
        if let root = attribute.root {
          snapshot[root]?.objectValue?[attribute.name]
        } else {
          snapshot[attribute.name]
        }
      readings.append(AudienceReport.Reading(name: path, value: value))
    }
  }
}
