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
    // The first group has the filters of all placements that read only the attributes of users.
    var filters: [[Filter]] = [[]]
    var owners: [SimulationCounter.Place?] = [nil]
    var sources: [Source] = []
    for place in places {
      var own: Int?
      for audience in place.trigger.audiences {
        switch audience.filter {
        case .everyone: sources.append(.everyone)
        case .invalid: sources.append(.nobody)
        case .compiled(let filter):
          let filter = place.withKnownHistory(filter)
          var group = 0
          if place.readsStandardParameters || !filter.requirements.hostCalls.isEmpty {
            group = own ?? filters.count
            own = group
            if group == filters.count {
              filters.append([])
              owners.append(place)
            }
          }
          sources.append(.filter(group: group, number: filters[group].count))
          filters[group].append(filter)
        }
      }
    }
    groups = zip(filters, owners).map { filters, place in
      Group(
        matcher: BatchMatcher(FilterSet(filters)), evaluation: place?.evaluation,
        parameters: place.map {
          $0.readsStandardParameters ? $0.standardParameters(scenario) : [:]
        } ?? [:])
    }
    self.sources = sources
  }

  /// Returns the evaluation of each group over users.
  func evaluations(of users: ColumnBatch) -> [BatchEvaluation] {
    groups.map { group in
      var own = users
      for (name, value) in group.parameters {
        let path = AttributePath(root: "params", names: [name])
        own.setColumn(
          path,
          users.column(path)?.filled { _ in value }
            ?? Column(repeating: value, count: users.rowCount))
      }
      return group.matcher.evaluation(of: own, hostState: group.evaluation)
    }
  }
}

extension SimulationCounter.Place {
  /// Returns a filter in which what is asked of the history, the same for all new users, is a
  /// constant.
  fileprivate func withKnownHistory(_ filter: Filter) -> Filter {
    guard let evaluation, !filter.requirements.hostCalls.isEmpty else { return filter }
    var environment = filter.environment
    environment.knownState = evaluation
    // The same text was a filter before.
    return (try? Filter(filter.text, environment: environment)) ?? filter
  }

  /// The parameters that every registration adds.
  fileprivate func standardParameters(_ scenario: NewUserScenario) -> [String: Value] {
    var request = MatchRequest(trigger.trigger.placement)
    request.isStandardEvent = isStandardEvent
    return scenario.campaigns.sanitizer.parameters(
      of: request, sessionID: scenario.sessionID, names: nil)
  }
}

extension SimulationCounter {
  /// Counts users that are given as columns.
  ///
  /// - Parameter batch: The attributes as filters may see them, with those that new users have.
  mutating func count(_ trial: ColumnTrial, _ batch: ColumnBatch) {
    let count = batch.rowCount
    let evaluations = trial.evaluations(of: batch)
    let units = sampler.unitNames.compactMap { name in
      batch.column(AttributePath(root: "user", names: [name]))
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
