import ExpressionCoding
package import ExpressionEngine

extension TestCoverage {
  /// The coverage for people: a line with the totals, and a line for each gap.
  package var text: String {
    var lines = [
      "coverage: \(reachedCount) of \(audienceCount) audiences reached, \(coveredCount) of "
        + "\(conditionCount) conditions seen to hold and to fail"
    ]
    for placement in placements {
      for (index, audience) in placement.audiences.enumerated() {
        let place = "  \(placement.name), audience \(index + 1) \"\(audience.experimentID)\": "
        lines += audience.gaps.map { place + $0 }
      }
    }
    return lines.map { $0 + "\n" }.joined()
  }

  /// The coverage as JSON.
  package var value: Value {
    [
      "audiences": .int(Int64(audienceCount)), "reached": .int(Int64(reachedCount)),
      "conditions": .int(Int64(conditionCount)), "covered": .int(Int64(coveredCount)),
      "placements": .list(
        placements.map { placement in
          [
            "placement": .string(placement.name),
            "audiences": .list(placement.audiences.map(\.value)),
          ]
        }),
    ]
  }
}

extension TestCoverage.Audience {
  /// The parts that no user has tried, as sentences.
  fileprivate var gaps: [String] {
    guard tried > 0 else { return ["no user gets as far"] }
    var gaps: [String] = []
    if reached == 0 {
      gaps.append("tried by \(tried) user\(tried == 1 ? "" : "s"), reached by none")
    }
    for condition in conditions where !condition.isCovered {
      switch (condition.holds, condition.fails) {
      case (0, 0): gaps.append("`\(condition.text)` is never evaluated")
      case (0, _): gaps.append("`\(condition.text)` never holds")
      default: gaps.append("`\(condition.text)` never fails")
      }
    }
    return gaps
  }

  fileprivate var value: Value {
    [
      "experiment": .string(experimentID), "tried": .int(Int64(tried)),
      "reached": .int(Int64(reached)),
      "conditions": .list(
        conditions.map { condition in
          [
            "text": .string(condition.text), "holds": .int(Int64(condition.holds)),
            "fails": .int(Int64(condition.fails)),
          ]
        }),
    ]
  }
}
