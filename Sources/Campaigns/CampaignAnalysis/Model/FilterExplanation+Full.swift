import AudienceFilters
public import CampaignCore
public import ExpressionEngine
import FilterAuthoring

extension FilterExplanation {
  /// Explains a filter with `Filter.explain(_:)`: the smallest part that decides, the values read,
  /// and the changes after which it would match.
  public init(of filter: Filter, in context: Context) {
    let explanation = filter.explain(context)
    self.init(
      failingCondition: explanation.deciding?.text,
      changes: explanation.changes?.map(\.text) ?? [])
    var seen: Set<String> = []
    addReadings(of: explanation.root, &seen)
    addComputed(of: explanation.root, &seen)
    addReadings(of: filter, context, besides: seen)
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
}
