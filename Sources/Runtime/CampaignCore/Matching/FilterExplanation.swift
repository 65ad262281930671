public import AudienceFilters
public import ExpressionEngine

/// The explanation of a filter's result.
public struct FilterExplanation: Sendable, Hashable {
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

  /// Explains a filter with `Filter.explain(_:)`.
  public init(of filter: Filter, in context: Context) {
    let explanation = filter.explain(context)
    self.init(
      failingCondition: explanation.deciding?.text,
      changes: explanation.changes?.map(\.text) ?? [])
    var seen: Set<String> = []
    addReadings(of: explanation.root, &seen)
    addComputed(of: explanation.root, &seen)
    addUnreached(of: filter, context, seen)
  }

  /// Adds what a condition and its parts read. The tree is only as deep as explanations go.
  private mutating func addReadings(
    of condition: Explanation.Condition, _ seen: inout Set<String>
  ) {
    for read in condition.reads where seen.insert(read.path).inserted {
      readings.append(AudienceReport.Reading(name: read.path, value: read.value))
    }
    for child in condition.children { addReadings(of: child, &seen) }
  }

  /// Adds the values of the parts of a condition that are neither attributes nor literals.
  private mutating func addComputed(
    of condition: Explanation.Condition, _ seen: inout Set<String>
  ) {
    for operand in condition.operands {
      guard case .value(let value) = operand.outcome, seen.insert(operand.text).inserted else {
        continue
      }
      computed.append(AudienceReport.Reading(name: operand.text, value: value))
    }
    for child in condition.children { addComputed(of: child, &seen) }
  }

  /// Adds the attributes that no condition got to.
  private mutating func addUnreached(
    of filter: Filter, _ context: Context, _ seen: Set<String>
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
          snapshot[root]?.object?[attribute.name]
        } else {
          snapshot[attribute.name]
        }
      readings.append(AudienceReport.Reading(name: path, value: value))
    }
  }
}
