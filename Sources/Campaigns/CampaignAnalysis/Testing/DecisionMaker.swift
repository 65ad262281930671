import AudienceFilters
import ExpressionEngine
import FilterAnalysis

/// Decides for users what they get of a placement, with the engine alone.
package struct DecisionMaker {
  /// The audiences of the placement.
  let audiences: [AnalysisModel.Audience]
  private let filters: [(filter: Filter?, isOpen: Bool)]

  /// Compiles the filters of a placement.
  package init(_ placement: String, in model: AnalysisModel) {
    let environment = model.environment
    audiences = model.placements.last { $0.name == placement }?.audiences ?? []
    filters = audiences.map { audience in
      let isOpen = !(audience.limit?.isClosed ?? false)
      guard let text = audience.filter else { return (nil, isOpen) }
      let filter = try? Filter(text, environment: environment)
      return (filter, isOpen && filter != nil)
    }
  }

  /// The position of the audience of a user whose limits are not used up; `nil` for none.
  package func decision(_ context: Context) -> Int? { decision(context) { _ in true } }

  /// The position of the first audience that matches and is admitted; `nil` for none.
  func decision(_ context: Context, where isAdmitted: (Int) -> Bool) -> Int? {
    filters.indices.first { index in
      filters[index].isOpen && filters[index].filter?.matches(context) ?? true && isAdmitted(index)
    }
  }
}

extension AnalysisModel {
  /// Returns what decides at each placement, by its name, for many users.
  package func decisionMakers() -> [String: DecisionMaker] {
    var result: [String: DecisionMaker] = [:]
    for placement in placements where result[placement.name] == nil {
      result[placement.name] = DecisionMaker(placement.name, in: self)
    }
    return result
  }
}
