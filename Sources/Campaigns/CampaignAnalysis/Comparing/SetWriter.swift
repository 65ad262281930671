import ExpressionEngine
import ExpressionSyntax
import FilterAnalysis

/// Covers a set of users with filters (a DNF): each user matches one, no other user matches any.
///
/// They are several filters and not one with `||`, because an operand that fails makes the whole fail.
struct SetWriter {
  /// A filter, or something that comes close to the set.
  struct Text {
    var filters: [String]
    /// How many of them, from the first on, are about expected values.
    var likelyCount: Int
    /// Whether the filters select exactly the set.
    var isExact: Bool
  }

  /// A condition about one level, and for which classes it is true.
  private struct Literal {
    let text: String
    let isIn: [Bool]
    let node: Diagram.Node
    /// The number of classes for which it is true.
    let size: Int

    init(text: String, isIn: [Bool], node: Diagram.Node) {
      self.text = text
      self.isIn = isIn
      self.node = node
      size = isIn.count { $0 }
    }
  }

  let space: FilterSpace
  private var literals: [Int: [Literal]] = [:]

  private static let maximumFilters = 256
  /// The most classes of a level for which literals are made.
  private static let maximumClasses = 2_000

  init(_ space: FilterSpace) { self.space = space }

  /// Filters for a set.
  ///
  /// - Parameter others: Users of whom it does not matter whether the filters select them.
  mutating func text(
    _ set: Diagram.Node, ignoring others: Diagram.Node = .none
  ) throws(Diagram.TooLarge) -> Text {
    let allowed = try space.diagram.or(set, others)
    var rest = set
    var cubes: [(text: String, node: Diagram.Node, isLikely: Bool)] = []
    while case .found(let user) = space.search(rest) {
      guard cubes.count < Self.maximumFilters,
        let cube = try cube(around: user, in: set, allowed: allowed)
      else { return Self.text(cubes, isExact: false) }
      // What the new filter selects needs no other.
      var kept: [(text: String, node: Diagram.Node, isLikely: Bool)] = []
      for known in cubes {
        let own = try space.diagram.and(known.node, set)
        if try space.diagram.without(own, cube.node) != .none { kept.append(known) }
      }
      cubes = kept
      cubes.append((cube.text, cube.node, isLikely(user)))
      rest = try space.diagram.without(rest, cube.node)
    }
    return Self.text(cubes, isExact: space.isEmpty(rest) == true)
  }

  /// The filters with those of likely users first.
  private static func text(
    _ cubes: [(text: String, node: Diagram.Node, isLikely: Bool)], isExact: Bool
  ) -> Text {
    let likely = cubes.filter(\.isLikely)
    return Text(
      filters: (likely + cubes.filter { !$0.isLikely }).map(\.text), likelyCount: likely.count,
      isExact: isExact)
  }

  private func isLikely(_ user: FoundUser) -> Bool {
    user.path.allSatisfy { space.classes[$0][user[$0]].cost < ValueClass.unlikely / 2 }
  }

  /// A conjunction that is true for a user of a set, and only for allowed users.
  private mutating func cube(
    around user: FoundUser, in set: Diagram.Node, allowed: Diagram.Node
  ) throws(Diagram.TooLarge) -> (text: String, node: Diagram.Node)? {
    var pieces: [Literal] = []
    var node = set
    while !node.isTerminal {
      let level = space.diagram.level(node)
      let target = space.diagram.target(node, user[level])
      guard let found = try expressed(level, node, target, user[level]) else { return nil }
      pieces += found
      node = target
    }
    // A piece is left out if those that are kept and those after it select only allowed users.
    var after = [Diagram.Node.everyone]
    for piece in pieces.reversed() {
      after.append(try space.diagram.and(piece.node, after[after.count - 1]))
    }
    var texts: [String] = []
    var kept = Diagram.Node.everyone
    for (index, piece) in pieces.enumerated() {
      let others = try space.diagram.and(kept, after[pieces.count - 1 - index])
      if space.isEmpty(try space.diagram.without(others, allowed)) == true { continue }
      kept = try space.diagram.and(kept, piece.node)
      texts.append(piece.text)
    }
    return (texts.isEmpty ? "true" : texts.joined(separator: " && "), kept)
  }

  /// Literals for the classes that lead where one class does: all of them, the run, or the class.
  private mutating func expressed(
    _ level: Int, _ node: Diagram.Node, _ target: Diagram.Node, _ number: Int
  ) throws(Diagram.TooLarge) -> [Literal]? {
    let count = space.classes[level].count
    guard count <= Self.maximumClasses else { return nil }
    let all = space.classes(of: node, leadTo: target)
    var run = [Bool](repeating: false, count: count)
    var low = number
    while low >= 0, all[low] {
      run[low] = true
      low -= 1
    }
    var high = number
    while high < count, all[high] {
      run[high] = true
      high += 1
    }
    let kind = space.classes[level][number].kind
    let sameKind = all.indices.map { all[$0] && space.classes[level][$0].kind == kind }
    let one = all.indices.map { $0 == number }
    var tried: [[Bool]] = []
    for wanted in [all, run, sameKind, one] where !tried.contains(wanted) {
      tried.append(wanted)
      if let found = try expressed(level, wanted) { return found }
    }
    return try literals(of: level, around: number, within: all)
  }

  /// The fewest literals that are true for one class and only for classes of some.
  private mutating func literals(
    of level: Int, around number: Int, within allowed: [Bool]
  ) throws(Diagram.TooLarge) -> [Literal]? {
    Self.fewest(try literals(of: level).filter { $0.isIn[number] }, within: allowed)
  }

  /// Those literals, the first if possible, that together are true only for some classes; `nil` if
  /// all of them are not.
  private static func fewest(_ pieces: [Literal], within allowed: [Bool]) -> [Literal]? {
    let others = allowed.indices.filter { !allowed[$0] }
    guard others.allSatisfy({ index in pieces.contains { !$0.isIn[index] } }) else { return nil }
    var excluders = others.map { index in pieces.count { !$0.isIn[index] } }
    var kept: [Literal] = []
    for piece in pieces.reversed() {
      let excluded = others.indices.filter { !piece.isIn[others[$0]] }
      if excluded.contains(where: { excluders[$0] == 1 }) {
        kept.append(piece)
      } else {
        for place in excluded { excluders[place] -= 1 }
      }
    }
    return kept.reversed()
  }

  /// The fewest literals, three at most, that together are true for exactly some classes.
  private mutating func expressed(
    _ level: Int, _ wanted: [Bool]
  ) throws(Diagram.TooLarge) -> [Literal]? {
    if !wanted.contains(false) { return [] }
    let known = try literals(of: level)
    let members = wanted.indices.filter { wanted[$0] }
    let wider = known.filter { literal in members.allSatisfy { literal.isIn[$0] } }
    if let one = wider.first(where: { $0.isIn == wanted }) { return [one] }
    func isMeant(_ pieces: [Literal]) -> Bool {
      wanted.indices.allSatisfy { index in
        wanted[index] == pieces.allSatisfy { $0.isIn[index] }
      }
    }
    // Two that are meant are among those that are true for the fewest classes.
    let sizes = wider.map(\.size)
    let tight = Set(wider.indices.sorted { (sizes[$0], $0) < (sizes[$1], $1) }.prefix(40))
    let close = wider.indices.filter(tight.contains).map { wider[$0] }
    for (position, first) in close.enumerated() {
      for second in close.dropFirst(position + 1) where isMeant([first, second]) {
        return [first, second]
      }
    }
    // More than two: those of them that cannot be left out.
    return Self.fewest(close, within: wanted) ?? Self.fewest(wider, within: wanted)
  }

  // MARK: Literals

  private mutating func literals(of level: Int) throws(Diagram.TooLarge) -> [Literal] {
    if let known = literals[level] { return known }
    var made: [Literal] = []
    switch space.levels[level] {
    case .free(let number):
      let text = space.conditions[number].text
      let outcomes = space.freeOutcomes[number] ?? []
      for (text, outcome) in [(text, Outcome.true), ("!(\(text))", .false)] {
        let isIn = outcomes.map { $0 == outcome }
        made.append(
          Literal(text: text, isIn: isIn, node: try space.diagram.node(level: level, where: isIn)))
      }
    case .source(let source):
      for text in Self.texts(about: space.sources[source], space, source) {
        if let literal = try literal(text, source, level) { made.append(literal) }
      }
    }
    literals[level] = made
    return made
  }

  /// A text as a literal, if it is true or else no match for each class.
  private func literal(
    _ text: String, _ source: Int, _ level: Int
  ) throws(Diagram.TooLarge) -> Literal? {
    guard let tree = try? parse(SourceText(text), dialect: space.environment.dialect),
      let fragment = try? CompiledFragment(tree, tree.root, environment: space.environment)
    else { return nil }
    let outcomes = try space.outcomes(of: fragment, source: source)
    guard !outcomes.contains(.truthy), outcomes.contains(.true) else { return nil }
    let isIn = outcomes.map { $0 == .true }
    return Literal(text: text, isIn: isIn, node: try space.diagram.node(level: level, where: isIn))
  }

  /// Conditions about a source, the most natural first.
  private static func texts(about source: Source, _ space: FilterSpace, _ number: Int) -> [String] {
    let name = source.text
    let partition = space.partitions[number]
    var texts: [String] = []
    let own = space.conditions.filter { $0.reason == nil && $0.reads == [number] }.map(\.text)
    let needsParentheses = { (text: String) in "!(\(text))" }
    texts += own
    let points =
      partition.classes.filter { $0.isSingle && ($0.kind == .number || $0.kind == .text) }
      .compactMap { $0.value?.literal }
    for point in points where points.count <= 400 {
      texts += ["==", "<", "<=", ">", ">=", "!="].map { "\(name) \($0) \(point)" }
    }
    texts += ["\(name) == true", "\(name) == null", "has(\(name))", "!has(\(name))"]
    texts += ["has(\(name)) && \(name) == null", "has(\(name)) && \(name) == false"]
    texts += own.map(needsParentheses)
    // The kinds, by what only values of one can do.
    texts += [
      "has(\(name)) && \(name) >= \"\"", "has(\(name)) && (\(name) >= 0 || \(name) < 0)",
      "\(name) + [] == \(name)", "\(name) + {} == \(name)", "\(name) == []", "\(name) == {}",
      "\(name) != []", "\(name) != {}",
    ]
    var seen: Set<String> = []
    return texts.filter { seen.insert($0).inserted }
  }
}
