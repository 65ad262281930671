import ExpressionEngine
import FilterAnalysis

/// The audiences of one placement with the users that they match, and questions about them.
struct PlacementSets {
  /// An audience and its users.
  struct Entry {
    let audience: AnalysisModel.Audience
    /// The filter; `nil` when there is none, or none that compiles.
    let filter: OutlinedFilter?
    /// The number of the filter in the space.
    let number: Int?
    /// The users who match the filter.
    let users: Diagram.Node
    let isInvalid: Bool

    /// Whether a limit lets no user through.
    var isClosed: Bool { audience.limit?.isClosed ?? false }
  }

  let name: String
  let entries: [Entry]
  /// The first audience with a limit that lets a user through.
  let firstLimited: Int?
  private let index: AudienceIndex

  init(
    _ placement: AnalysisModel.Placement, filters: [Int?], space: FilterSpace
  ) throws(Diagram.TooLarge) {
    name = placement.name
    var entries: [Entry] = []
    for (audience, number) in zip(placement.audiences, filters) {
      var users = Diagram.Node.everyone
      var filter: OutlinedFilter?
      if let number {
        filter = space.filters[number]
        users = try space.matches(space.filters[number].formula)
      } else if audience.filter != nil {
        users = .none
      }
      entries.append(
        Entry(
          audience: audience, filter: filter, number: number, users: users,
          isInvalid: number == nil && audience.filter != nil))
    }
    self.entries = entries
    firstLimited = entries.firstIndex { $0.audience.limit != nil && !$0.isClosed }
    index = AudienceIndex(entries.map(\.users), space: space)
  }

  func place(_ index: Int) -> Finding.Place {
    Finding.Place(index: index, experimentID: entries[index].audience.experimentID)
  }

  /// The first audience before another that matches a user, of those that `counts` admits.
  func firstMatch(
    _ user: FoundUser, before end: Int, in diagram: Diagram, where counts: (Entry) -> Bool
  ) -> Int? {
    index.first(user, before: end, in: diagram) { counts(entries[$0]) }
  }

  /// Whether every user of an earlier audience who matches it now never reaches a later one: the
  /// earlier one has no limit, or one that is reached only when the later one's is.
  func covers(_ earlier: Entry, _ later: Entry) -> Bool {
    if earlier.isClosed { return false }
    guard let limit = earlier.audience.limit else { return true }
    return later.audience.limit?.isReached(whenever: limit) ?? false
  }
}
