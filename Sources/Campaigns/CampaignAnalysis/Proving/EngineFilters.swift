import AudienceFilters
import ExpressionEngine
import FilterAnalysis

/// The filters of a placement as the engine runs them.
struct EngineFilters {
  let sets: PlacementSets
  let space: FilterSpace

  func matches(_ index: Int, _ context: Context) -> Bool {
    let entry = sets.entries[index]
    guard let number = entry.number else { return !entry.isInvalid }
    return space.compiled(number)?.matches(context) ?? false
  }
}
