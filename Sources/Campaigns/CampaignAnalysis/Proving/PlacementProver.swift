import ExpressionEngine
import FilterAnalysis

/// Finds what can be said of one placement.
struct PlacementProver {
  let sets: PlacementSets
  let space: FilterSpace
  var findings: [Finding] = []
  var openQuestions: [OpenQuestion] = []
  /// The paywalls of variants that users get, and of variants that no user gets.
  var shownPaywalls: Set<String> = []
  var hiddenPaywalls: Set<String> = []
  let engine: EngineFilters
  /// The levels that the filters read, which witnesses are shown to.
  private lazy var levels = space.levels(of: sets.entries.compactMap { $0.filter?.formula })

  /// Overlaps are listed for placements of no more audiences.
  static let overlapLimit = 64

  init(_ sets: PlacementSets, space: FilterSpace) {
    self.sets = sets
    self.space = space
    engine = EngineFilters(sets: sets, space: space)
  }

  mutating func run() {
    for index in sets.entries.indices {
      let isReached = checkReach(index)
      noteVariants(index, isReached: isReached)
      let entry = sets.entries[index]
      guard entry.users != .none, let filter = entry.filter else { continue }
      checkRedundancy(index, filter)
      checkFailures(index, filter)
      noteMissing(index, filter)
    }
    noteUnreached()
  }

  /// A search for users who are shown to one filter.
  func witnessSearch(_ filter: OutlinedFilter) -> WitnessSearch {
    WitnessSearch(space: space, formulas: [filter.formula])
  }

  /// A search for users who are shown to all filters. Where there are many, fewer users are tried.
  mutating func witnessSearch() -> WitnessSearch {
    var search = WitnessSearch(space: space, relevant: levels)
    search.attempts = min(search.attempts, max(10, 100_000 / max(1, sets.entries.count)))
    return search
  }

  mutating func add(_ finding: Finding) { findings.append(finding) }

  mutating func leaveOpen(_ index: Int?, _ question: String, _ reason: String? = nil) {
    openQuestions.append(
      OpenQuestion(
        placement: sets.name, audience: index.map { sets.place($0) }, question: question,
        reason: reason ?? OpenQuestion.limitReached))
  }

  func name(_ index: Int) -> String { "\"\(sets.entries[index].audience.experimentID)\"" }

  func names(_ indices: [Int]) -> String {
    let names = indices.prefix(5).map { name($0) }
    let more = indices.count > 5 ? ["\(indices.count - 5) more"] : []
    return (names + more).formattedList
  }

  // MARK: Reach

  /// - Returns: Whether the audience may be reached.
  private mutating func checkReach(_ index: Int) -> Bool {
    let entry = sets.entries[index]
    if entry.isInvalid {
      add(
        finding(
          .invalidFilter, index,
          "the filter of \(name(index)) does not compile, so no user matches it"))
      return false
    }
    if entry.isClosed {
      add(finding(.closedLimit, index, "the limit of \(name(index)) lets no user through"))
      return false
    }
    switch space.isEmpty(entry.users) {
    case true?:
      addDead(index)
      return false
    case nil: leaveOpen(index, "whether any user matches \(name(index))")
    case false?: break
    }
    return checkShadow(index)
  }

  private mutating func addDead(_ index: Int) {
    let entry = sets.entries[index]
    var finding = finding(.deadAudience, index, "no user can match \(name(index))")
    if let filter = entry.filter {
      let core = core(of: filter.formula)
      finding = Finding(
        kind: .deadAudience, placement: sets.name, audience: sets.place(index),
        message: core.count > 1
          ? "no user can match \(name(index)): its conditions exclude each other"
          : "no user can match \(name(index))")
      finding.conditions = core.map { filter.text(of: $0) }
    }
    add(finding)
  }

  /// A smallest set of conditions of a filter that exclude each other: none can be left out.
  private func core(of formula: Formula) -> [Formula] {
    var core = formula.conjuncts
    var position = 0
    while position < core.count, core.count > 1, core.count <= Self.conditionLimit {
      var fewer = core
      fewer.remove(at: position)
      let reduced = Formula(kind: .all, node: formula.node, children: fewer)
      if let users = try? space.matchesAsOperands(reduced), space.isEmpty(users) == true {
        core = fewer
      } else {
        position += 1
      }
    }
    return core
  }

  /// - Returns: Whether any user reaches the audience.
  private mutating func checkShadow(_ index: Int) -> Bool {
    let entry = sets.entries[index]
    var covers: Set<Int> = []
    let result = space.search(entry.users) { user in
      let found = sets.firstMatch(user, before: index, in: space.diagram) {
        sets.covers($0, entry)
      }
      guard let found else { return nil }
      covers.insert(found)
      return sets.entries[found].users
    }
    switch result {
    case .nobody:
      addShadow(index, by: neededCover(of: index, covers.sorted()))
      return false
    case .undecided:
      leaveOpen(index, "whether any user reaches \(name(index))")
      return true
    case .found(let user):
      checkLimits(index)
      noteOverlap(index)
      explainFree(index, user)
      return true
    }
  }

  private mutating func addShadow(_ index: Int, by covers: [Int]) {
    let entry = sets.entries[index]
    var message = "no user reaches \(name(index)): "
    if covers.count == 1, sets.entries[covers[0]].filter == nil {
      message += "\(name(covers[0])) before it matches all users"
    } else if covers.count == 1, sets.entries[covers[0]].users == entry.users {
      message += "\(name(covers[0])) before it matches the same users"
    } else {
      message += "every user who matches it matches \(names(covers)) before it"
    }
    var finding = finding(.shadowedAudience, index, message)
    finding.related = covers.map { sets.place($0) }
    add(finding)
  }

  /// The earlier audiences that together cover one, without those that are not needed for it.
  private func neededCover(of index: Int, _ covers: [Int]) -> [Int] {
    guard covers.count > 1, covers.count <= 16 else { return covers }
    var needed = covers
    for candidate in covers where needed.count > 1 {
      let fewer = needed.filter { $0 != candidate }
      var rest = sets.entries[index].users
      for other in fewer {
        guard let smaller = try? space.diagram.without(rest, sets.entries[other].users) else {
          return needed
        }
        rest = smaller
      }
      if space.isEmpty(rest) == true { needed = fewer }
    }
    return needed
  }

  /// Whether the audience is reached only after limits of earlier ones.
  private mutating func checkLimits(_ index: Int) {
    let entry = sets.entries[index]
    guard let first = sets.firstLimited, first < index else { return }
    var covers: Set<Int> = []
    let result = space.search(entry.users) { user in
      let found = sets.firstMatch(user, before: index, in: space.diagram) { !$0.isClosed }
      guard let found else { return nil }
      covers.insert(found)
      return sets.entries[found].users
    }
    guard case .nobody = result else { return }
    let needed = neededCover(of: index, covers.sorted())
    let limited = needed.filter { sets.entries[$0].audience.limit != nil }
    var finding = finding(
      .afterLimit, index,
      "\(name(index)) is reached only when the limit of \(names(limited)) is used up")
    finding.related = needed.map { sets.place($0) }
    add(finding)
  }

  /// If users reach an audience only because of a free part, one of them must be found.
  mutating func explainFree(_ index: Int, _ user: FoundUser) {
    let search = witnessSearch()
    let assumptions = search.assumptions(of: user)
    guard !assumptions.isEmpty else { return }
    let entry = sets.entries[index]
    let witness = search.witness(user) { context in
      guard engine.matches(index, context) else { return false }
      return !sets.entries[..<index].indices.contains {
        sets.covers(sets.entries[$0], entry) && engine.matches($0, context)
      }
    }
    guard witness == nil else { return }
    leaveOpen(
      index, "whether any user reaches \(name(index))",
      "someone does if \(assumptions.formattedList)")
  }

  // MARK: Users

  private mutating func noteUnreached() {
    let end = sets.entries.count
    let result = space.search(.everyone) { user in
      sets.firstMatch(user, before: end, in: space.diagram) { !$0.isClosed }
        .map { sets.entries[$0].users }
    }
    switch result {
    case .nobody: break
    case .undecided: leaveOpen(nil, "whether every user matches an audience")
    case .found(let user):
      let search = witnessSearch()
      let witness = search.witness(user) { context in
        !sets.entries.indices.contains {
          !sets.entries[$0].isClosed && engine.matches($0, context)
        }
      }
      var finding = Finding(
        kind: .unreachedUsers, placement: sets.name, audience: nil,
        message: "some users match no audience")
      finding.witness = witness
      if witness == nil { finding.assumptions = search.assumptions(of: user) }
      add(finding)
    }
  }

  func finding(_ kind: Finding.Kind, _ index: Int, _ message: String) -> Finding {
    Finding(kind: kind, placement: sets.name, audience: sets.place(index), message: message)
  }

  /// Whether the engine says that a filter matches.
  func engineMatches(_ index: Int, _ context: Context) -> Bool { engine.matches(index, context) }
}

extension [String] {
  /// `a`, `a and b`, `a, b and c`.
  var formattedList: String {
    guard count > 1, let last else { return first ?? "" }
    return dropLast().joined(separator: ", ") + " and " + last
  }
}
