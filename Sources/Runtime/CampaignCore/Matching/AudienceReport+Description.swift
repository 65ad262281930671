import ExpressionCoding

extension AudienceReport: CustomStringConvertible {
  /// The report for people: the outcome, then the filter, what it read, and what would have to change.
  ///
  ///     1. experiment fc-201: the filter is not true
  ///          params.days > 7
  ///          because of: params.days > 7
  ///          params.days = 5
  public var description: String { lines.joined(separator: "\n") }

  private var lines: [String] {
    let number = "\(index + 1). experiment \(experimentID)"
    var lines: [String]
    switch outcome {
    case .matched: lines = ["\(number): matched"]
    case .notTried: return ["\(number): not tried, an earlier audience matched"]
    case .expression: lines = ["\(number): the filter is not true"]
    case .occurrence: lines = ["\(number): the filter fits, but the limit is reached"]
    }
    lines.append("     \(expression ?? "(no filter: everyone)")")
    if outcome == .expression {
      switch answer {
      case .value(let value) where value != .bool(false):
        lines.append("     its value is \(value.jsonText()), and only true is a match")
      case .error(let message): lines.append("     it ends with an error: \(message)")
      case .invalid(let message): lines.append("     it does not compile: \(message)")
      case .value, nil: break
      }
      if let failingCondition { lines.append("     because of: \(failingCondition)") }
    }
    for reading in readings + computed {
      lines.append("     \(reading.name) = \(reading.value?.jsonText() ?? "(missing)")")
    }
    if !changes.isEmpty { lines.append("     to match: " + changes.joined(separator: "; ")) }
    if let limit { lines.append("     \(limit)") }
    return lines
  }
}

extension AudienceReport.Limit: CustomStringConvertible {
  /// The state for people: `2 of 2 in 60 minutes (key weekly), free again at …`.
  public var description: String {
    let window =
      switch interval {
      case .minutes(let minutes): "in \(minutes) minutes"
      case .infinity: "ever"
      }
    let reopens = reopensAt.map { ", free again at \($0)" } ?? ""
    return "\(count) of \(maximum) \(window) (key \(key))\(reopens)"
  }
}
