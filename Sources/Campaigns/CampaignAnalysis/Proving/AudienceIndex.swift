import FilterAnalysis

/// Finds the audiences that match a user without asking all of them.
struct AudienceIndex {
  /// By level and class the audiences that need that class there, in order.
  private var byClass: [Int: [[Int32]]] = [:]
  /// The audiences that need nothing in particular, in order.
  private var others: [Int32] = []
  private let users: [Diagram.Node]
  /// The levels at which audiences need the class that users have by default.
  private var defaultLevels: [Int] = []

  init(_ users: [Diagram.Node], space: FilterSpace) {
    self.users = users
    guard users.count > 32 else {
      others = users.indices.map { Int32(truncatingIfNeeded: $0) }
      return
    }
    for (index, node) in users.enumerated() {
      add(Int32(truncatingIfNeeded: index), node, space)
    }
    defaultLevels = byClass.keys.filter { level in
      byClass[level]?[space.defaults[level]].isEmpty == false
    }.sorted()
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
    var classes =
      byClass.removeValue(forKey: best.level)
      ?? [[Int32]](repeating: [], count: space.classes[best.level].count)
    for range in best.classes { for number in range { classes[number].append(index) } }
    byClass[best.level] = classes
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
    _ user: FoundUser, before end: Int, in diagram: Diagram, where isAdmitted: (Int) -> Bool
  ) -> Int? {
    var best = end
    func look(_ candidates: [Int32]) {
      for candidate in candidates {
        let index = Int(candidate)
        if index >= best { return }
        if diagram.contains(users[index], user), isAdmitted(index) { best = index }
      }
    }
    look(others)
    for level in defaultLevels { look(byClass[level]?[user[level]] ?? []) }
    for level in user.path { look(byClass[level]?[user[level]] ?? []) }
    return best < end ? best : nil
  }
}
