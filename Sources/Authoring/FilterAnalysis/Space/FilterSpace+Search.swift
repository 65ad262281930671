import ExpressionEngine

/// A user that a search found: the class of each value.
package struct FoundUser {
  /// The levels that matter for being in the set; the others have their defaults.
  package let path: [Int]
  private let numbers: [Int: Int]
  private let defaults: [Int]

  package init(_ steps: [(level: Int, number: Int)], defaults: [Int]) {
    path = steps.map { $0.level }
    var numbers: [Int: Int] = [:]
    for step in steps where numbers[step.level] == nil { numbers[step.level] = step.number }
    self.numbers = numbers
    self.defaults = defaults
  }

  /// The class of a level.
  package subscript(level: Int) -> Int { numbers[level] ?? defaults[level] }
}

/// How a search ended.
package enum SearchResult {
  case found(FoundUser)
  /// There is no such user; the sets that were left out on the way.
  case nobody(excluded: [Diagram.Node])
  /// The limits were reached before.
  case undecided
}

extension FilterSpace {
  /// Looks for a user of a set who keeps to all constraints and is in none of the sets that
  /// `excluding` names for them.
  ///
  /// Sets are taken away only when a user in question is in them, so that most of them never are:
  /// the diagrams stay small, however many sets there are.
  ///
  /// - Parameters:
  ///   - isLikely: Whether only values count that the filters or the schema expect.
  ///   - excluding: A set that the user is in and should not be; `nil` for none.
  package func search(
    _ set: Diagram.Node, isLikely: Bool = false,
    excluding: (FoundUser) -> Diagram.Node? = { _ in nil }
  ) -> SearchResult {
    var rest = set
    var excluded: [Diagram.Node] = []
    do throws(Diagram.TooLarge) {
      for _ in 0..<limits.attempts {
        guard let user = try likeliest(rest, isLikely: isLikely) else {
          return .nobody(excluded: excluded)
        }
        try diagram.spend(constraints.count)
        if let broken = constraints.first(where: { !diagram.contains($0, user) }) {
          rest = try diagram.and(rest, broken)
        } else if let unwanted = excluding(user) {
          excluded.append(unwanted)
          rest = try diagram.without(rest, unwanted)
        } else {
          return .found(user)
        }
      }
    } catch {}
    return .undecided
  }

  /// The likeliest user of a set.
  private func likeliest(
    _ set: Diagram.Node, isLikely: Bool
  ) throws(Diagram.TooLarge) -> FoundUser? {
    let path = try diagram.likeliest(set) { level, range in
      var best: (number: Int, cost: Int)?
      for index in range.clamped(to: 0..<classes[level].count) {
        let cost = classes[level][index].cost
        if isLikely, cost >= ValueClass.unlikely / 2 { continue }
        if cost < best?.cost ?? .max { best = (index, cost) }
        if cost <= leastCosts[level] { break }
      }
      return best
    }
    return path.map { FoundUser($0, defaults: defaults) }
  }

  /// Whether no user of a set meets all constraints; `nil` if that is not decided.
  package func isEmpty(_ set: Diagram.Node) -> Bool? {
    // Without constraints every way through a diagram is a user.
    if set == .none || constraints.isEmpty { return set == .none }
    return switch search(set) {
    case .found: false
    case .nobody: true
    case .undecided: nil
    }
  }

  /// Returns whether a found user is in a set.
  package func contains(_ set: Diagram.Node, _ user: FoundUser) -> Bool {
    // Outside this module, reading the diagram copies it.
    diagram.contains(set, user)
  }

  /// Returns for each class of a node's level whether it leads to a set.
  package func classes(of node: Diagram.Node, leadTo target: Diagram.Node) -> [Bool] {
    classes[diagram.level(node)].indices.map { diagram.target(node, $0) == target }
  }

  /// Returns whether every user of a set is in another one, as far as that is decided.
  ///
  /// - Parameter both: The users who are in both.
  package func isSubset(
    _ set: Diagram.Node, of other: Diagram.Node, sharing both: Diagram.Node
  ) -> Bool {
    // Equal sets have the same node.
    if both == set || constraints.isEmpty { return both == set }
    guard let others = try? diagram.without(set, other) else { return false }
    return isEmpty(others) == true
  }

  // MARK: Users of flesh and blood

  /// A user with the classes of a found one, as far as they matter for some levels.
  ///
  /// - Parameter relevant: The levels that matter beside those that were decided.
  package func draft(_ user: FoundUser, relevant: Set<Int>) -> UserDraft {
    var draft = UserDraft()
    // Objects first, so that missing members find theirs.
    for level in relevant.union(user.path).sorted() {
      guard case .source(let source) = levels[level] else { continue }
      draft.set(sources[source], to: classes[level][user[level]])
    }
    return draft
  }

  /// The levels that the filters of some formulas read.
  package func levels(of formulas: [Formula]) -> Set<Int> {
    var result: Set<Int> = []
    for formula in formulas {
      for condition in Self.conditions(of: formula) {
        for source in conditions[condition].reads { result.insert(levelOfSource[source]) }
        if let free = levelOfFree[condition] { result.insert(free) }
      }
    }
    return result
  }

  /// The levels on which the set of the users for whom a condition is true depends.
  package func levels(deciding condition: Int) -> [Int] {
    levelOfFree[condition].map { [$0] } ?? conditions[condition].reads.map { levelOfSource[$0] }
  }

  /// The conditions of a formula, by number.
  package static func conditions(of formula: Formula) -> [Int] {
    if case .condition(let number) = formula.kind { return [number] }
    return formula.children.flatMap { conditions(of: $0) }
  }
}
