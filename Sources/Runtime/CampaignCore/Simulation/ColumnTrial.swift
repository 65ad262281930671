import AudienceFilters
import ExpressionEngine

/// The placements of a simulation, prepared for users that are given as columns.
struct ColumnTrial {
  /// Placements whose filters see the same attributes.
  private struct Group {
    let matcher: BatchMatcher
    /// The state that history functions need.
    let evaluation: EvaluationState?
    /// The parameters that every registration adds, as far as filters read them.
    let parameters: [String: Value]
  }

  /// Where the filter of an audience is.
  enum Source {
    case everyone
    case nobody
    case filter(group: Int, number: Int)
  }

  private let groups: [Group]
  /// For each audience of each placement.
  let sources: [Source]

  init(_ places: [SimulationCounter.Place], _ scenario: NewUserScenario) {
    var groups: [Group] = []
    var sources: [Source] = []
    // Placements of which nothing but the attributes is read share their conditions.
    var shared: [Filter] = []
    let hasShared = places.contains { !$0.isSpecial }
    for place in places {
      var own: [Filter] = []
      let group = place.isSpecial ? groups.count + (hasShared ? 1 : 0) : 0
      for audience in place.trigger.audiences {
        switch audience.filter {
        case .everyone: sources.append(.everyone)
        case .invalid: sources.append(.nobody)
        case .compiled(let filter):
          let number = place.isSpecial ? own.count : shared.count
          sources.append(.filter(group: group, number: number))
          if place.isSpecial { own.append(filter) } else { shared.append(filter) }
        }
      }
      guard place.isSpecial else { continue }
      groups.append(
        Group(
          matcher: BatchMatcher(FilterSet(own)), evaluation: place.evaluation,
          parameters: place.readsStandardParameters ? place.standardParameters(scenario) : [:]))
    }
    if hasShared {
      groups.insert(
        Group(matcher: BatchMatcher(FilterSet(shared)), evaluation: nil, parameters: [:]), at: 0)
    }
    self.groups = groups
    self.sources = sources
  }

  /// Returns the evaluation of each group over users.
  ///
  /// - Parameter columns: The attributes of the users.
  func evaluations(
    of columns: [AttributePath: Column], count: Int
  ) throws(ColumnBatchError) -> [BatchEvaluation] {
    var result: [BatchEvaluation] = []
    for group in groups {
      var own = columns
      for (name, value) in group.parameters {
        let path = AttributePath(root: "params", names: [name])
        own[path] =
          own[path]?.filled { _ in value } ?? Column(repeating: value, count: count)
      }
      result.append(
        group.matcher.evaluation(
          of: try ColumnBatch(own, rowCount: count), hostState: group.evaluation))
    }
    return result
  }
}

extension SimulationCounter.Place {
  /// Whether filters read more of the placement than the attributes of the user.
  fileprivate var isSpecial: Bool { evaluation != nil || readsStandardParameters }

  /// The parameters that every registration adds.
  fileprivate func standardParameters(_ scenario: NewUserScenario) -> [String: Value] {
    var request = MatchRequest(trigger.trigger.placement)
    request.isStandardEvent = isStandardEvent
    return scenario.campaigns.sanitizer.parameters(
      of: request, sessionID: scenario.sessionID, names: nil)
  }
}

extension SimulationCounter {
  /// Counts users that are given as columns, which have been sanitized.
  ///
  /// - Parameters:
  ///   - columns: The attributes, with those that new users have.
  ///   - count: The number of users.
  mutating func count(
    _ trial: ColumnTrial, _ columns: [AttributePath: Column], count: Int
  ) throws(ColumnBatchError) {
    let evaluations = try trial.evaluations(of: columns, count: count)
    let units = sampler.unitNames.compactMap { name in
      columns[AttributePath(root: "user", names: [name])]
    }
    var round = ColumnRound(placeCount: places.count)
    let step = evaluations.reduce(1_024) { min($0, $1.chunkRows) }
    for first in stride(from: 0, to: count, by: step) {
      let rows = first..<min(first + step, count)
      for evaluation in evaluations { evaluation.evaluate(rows) }
      round.begin(rows.count)
      for number in places.indices { walk(number, trial, evaluations, &round) }
      round.forEachDraw { row, entry in
        draw(entry, user: users + rows.lowerBound + row + 1) { _ in
          for column in units {
            let value = column.value(at: column.start + rows.lowerBound + row)
            if case .string(let id)? = value, !id.isEmpty { return id }
          }
          return ""
        }
      }
    }
    users += count
  }

  /// Tries the users of a round at the audiences of a placement.
  private mutating func walk(
    _ number: Int, _ trial: ColumnTrial, _ evaluations: [BatchEvaluation],
    _ round: inout ColumnRound
  ) {
    round.tryAll()
    for index in places[number].range where !entries[index].isClosed {
      let matched: Int
      switch trial.sources[index] {
      case .everyone: matched = round.take(nil)
      case .nobody: continue
      case .filter(let group, let filter):
        matched = round.take(evaluations[group].bits(ofFilter: filter))
      }
      guard matched > 0 else { continue }
      matchedCounts[index] += matched
      let entry = entries[index]
      if sampler.variants(of: entry.experiment).count > 1 {
        round.noteTaken(entry: index, place: number)
      } else if let place = entry.places.first ?? nil {
        variantCounts[place] += matched
      }
    }
    unmatchedCounts[number] += round.remaining
  }
}

/// Some users, and the audiences that they have been tried at.
private struct ColumnRound {
  private let placeCount: Int
  private var count = 0
  /// The users that are still tried at the placement, and those that the last audience took.
  private var open: [UInt64] = []
  private var taken: [UInt64] = []
  /// The users of whom a variant must be drawn.
  private var pending: [UInt64] = []
  /// The audience with several variants that each user is in, by user and placement; negative for none.
  private var chosen: [Int32] = []

  init(placeCount: Int) { self.placeCount = placeCount }

  /// Begins with other users.
  mutating func begin(_ count: Int) {
    self.count = count
    let words = (count + 63) >> 6
    pending = [UInt64](repeating: 0, count: words)
    taken = pending
    chosen = [Int32](repeating: -1, count: count * placeCount)
  }

  /// Begins with another placement.
  mutating func tryAll() {
    open = [UInt64](repeating: .max, count: taken.count)
    if count & 63 != 0, let last = open.indices.last { open[last] = 1 << UInt64(count & 63) - 1 }
  }

  /// The number of users that are still tried.
  var remaining: Int { open.reduce(0) { $0 + $1.nonzeroBitCount } }

  /// Takes the users for whom a filter is true, and returns their number.
  ///
  /// - Parameter bits: A bit for each user; `nil` for everyone.
  mutating func take(_ bits: UnsafePointer<UInt64>?) -> Int {
    var sum = 0
    for word in open.indices {
      taken[word] = open[word] & (bits?[word] ?? .max)
      open[word] &= ~taken[word]
      sum += taken[word].nonzeroBitCount
    }
    return sum
  }

  /// Notes that a variant must be drawn for the users that have been taken.
  mutating func noteTaken(entry: Int, place: Int) {
    for (word, bits) in taken.enumerated() {
      pending[word] |= bits
      var bits = bits
      while bits != 0 {
        let row = word * 64 + bits.trailingZeroBitCount
        chosen[row * placeCount + place] = Int32(truncatingIfNeeded: entry)
        bits &= bits - 1
      }
    }
  }

  /// Calls a function with the users and their audiences, one user after the other.
  func forEachDraw(_ body: (_ row: Int, _ entry: Int) -> Void) {
    for (word, bits) in pending.enumerated() {
      var bits = bits
      while bits != 0 {
        let row = word * 64 + bits.trailingZeroBitCount
        for entry in chosen[row * placeCount..<(row + 1) * placeCount] where entry >= 0 {
          body(row, Int(entry))
        }
        bits &= bits - 1
      }
    }
  }
}
