import AudienceFilters
import ExpressionEngine

/// The filters of a placement as the engine runs them, compiled when they are first asked.
final class EngineFilters {
  private let sets: PlacementSets
  private let environment: FilterEnvironment
  private var filters: [Int: Filter] = [:]

  init(_ sets: PlacementSets, environment: FilterEnvironment) {
    self.sets = sets
    self.environment = environment
  }

  func matches(_ index: Int, _ context: Context) -> Bool {
    if let filter = filters[index] { return filter.matches(context) }
    let entry = sets.entries[index]
    guard let tree = entry.filter?.tree else { return !entry.isInvalid }
    guard let filter = try? Filter(tree, environment: environment) else { return false }
    filters[index] = filter
    return filter.matches(context)
  }
}
