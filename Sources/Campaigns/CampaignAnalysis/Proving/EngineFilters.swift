import AudienceFilters
import ExpressionEngine
import FilterAnalysis

/// The filters of a placement as the engine runs them.
struct EngineFilters {
  let sets: PlacementSets

  func matches(_ index: Int, _ context: Context) -> Bool {
    let entry = sets.entries[index]
    return entry.filter?.compiled.matches(context) ?? !entry.isInvalid
  }
}
