import ExpressionEngine

/// The audiences of one placement with the users that they match, and questions about them.
struct PlacementSets {
  /// An audience and its users.
  struct Entry {
    let audience: AnalysisModel.Audience
    /// The filter; `nil` when there is none, or none that compiles.
    let filter: AnalyzedFilter?
    /// The users who match the filter.
    let users: Diagram.Node
    let isInvalid: Bool

    /// Whether a limit keeps everyone out.
    var isClosed: Bool { audience.limit?.isClosed ?? false }
  }

  let name: String
  let entries: [Entry]
  private let index: AudienceIndex

  init(
    _ placement: AnalysisModel.Placement, filters: [Int?], space: FilterSpace
  ) throws(Diagram.TooLarge) {
    name = placement.name
    var entries: [Entry] = []
    for (audience, number) in zip(placement.audiences, filters) {
      var users = Diagram.Node.everyone
      var filter: AnalyzedFilter?
      if let number {
        filter = space.filters[number]
        users = try space.matches(space.filters[number].formula)
      } else if audience.filter != nil {
        users = .none
      }
      entries.append(
        Entry(
          audience: audience, filter: filter, users: users,
          isInvalid: number == nil && audience.filter != nil))
    }
    self.entries = entries
    index = AudienceIndex(entries.map(\.users), space: space)
  }

  func place(_ index: Int) -> Finding.Place {
    Finding.Place(index: index, experimentID: entries[index].audience.experimentID)
  }

  /// The first audience before another that matches a user, of those that `counts` admits.
  func firstMatch(
    _ classes: [Int], before end: Int, in diagram: Diagram, where counts: (Entry) -> Bool
  ) -> Int? {
    index.first(classes, before: end, in: diagram) { counts(entries[$0]) }
  }

  /// Whether every user of an earlier audience who matches it now never comes to a later one: the
  /// earlier one has no limit, or one that is reached only when the later one's is.
  func covers(_ earlier: Entry, _ later: Entry) -> Bool {
    if earlier.isClosed { return false }
    guard let limit = earlier.audience.limit else { return true }
    return later.audience.limit?.isReached(whenever: limit) ?? false
  }
}

/// Finds the audiences that match a user without asking all of them.
struct AudienceIndex {
  /// By level and class the audiences that need that class there, in order.
  private var byClass: [[[Int32]]] = []
  /// The audiences that need nothing in particular, in order.
  private var others: [Int32] = []
  private let users: [Diagram.Node]
  private var levels: [Int] = []

  init(_ users: [Diagram.Node], space: FilterSpace) {
    self.users = users
    guard users.count > 32 else {
      others = users.indices.map { Int32(truncatingIfNeeded: $0) }
      return
    }
    byClass = space.classes.map { _ in [] }
    for (index, node) in users.enumerated() {
      add(Int32(truncatingIfNeeded: index), node, space)
    }
    levels = byClass.indices.filter { !byClass[$0].isEmpty }
  }

  /// Files an audience under the level where it takes the fewest classes.
  private mutating func add(_ index: Int32, _ node: Diagram.Node, _ space: FilterSpace) {
    if node == .none { return }
    var best: (level: Int, classes: [Range<Int>], share: Double)?
    for level in space.diagram.levels(of: node).prefix(16) {
      let count = space.classes[level].count
      guard let ranges = Self.needed(node, level, count, space.diagram) else { continue }
      let share = Double(ranges.reduce(0) { $0 + $1.count }) / Double(count)
      if share < best?.share ?? 0.6 { best = (level, ranges, share) }
    }
    guard let best else {
      others.append(index)
      return
    }
    if byClass[best.level].isEmpty {
      byClass[best.level] = [[Int32]](repeating: [], count: space.classes[best.level].count)
    }
    for range in best.classes { for number in range { byClass[best.level][number].append(index) } }
  }

  /// The classes of a level that lead to a set; `nil` when another way leads there without asking.
  private static func needed(
    _ node: Diagram.Node, _ level: Int, _ count: Int, _ diagram: Diagram
  ) -> [Range<Int>]? {
    var isIn = [Bool](repeating: false, count: count)
    var seen: Set<Diagram.Node> = []
    var work = [node]
    while let next = work.popLast() {
      if next == .none { continue }
      guard !next.isTerminal, diagram.level(next) <= level else { return nil }
      guard seen.insert(next).inserted else { continue }
      let branches = diagram.branches(next)
      for position in branches.indices {
        let run = branches[position]
        if diagram.level(next) < level {
          work.append(run.target)
        } else if run.target != .none {
          let end =
            position + 1 < branches.endIndex ? Int(branches[position + 1].start) : count
          for number in Int(run.start)..<end { isIn[number] = true }
        }
      }
    }
    var ranges: [Range<Int>] = []
    for number in isIn.indices where isIn[number] {
      if let last = ranges.last, last.upperBound == number {
        ranges[ranges.count - 1] = last.lowerBound..<number + 1
      } else {
        ranges.append(number..<number + 1)
      }
    }
    return ranges
  }

  /// The first audience before another that matches a user, of those that are admitted.
  func first(
    _ classes: [Int], before end: Int, in diagram: Diagram, where isAdmitted: (Int) -> Bool
  ) -> Int? {
    var best = end
    func look(_ candidates: [Int32]) {
      for candidate in candidates {
        let index = Int(candidate)
        if index >= best { return }
        if diagram.contains(users[index], classes), isAdmitted(index) { best = index }
      }
    }
    look(others)
    for level in levels { look(byClass[level][classes[level]]) }
    return best < end ? best : nil
  }
}
