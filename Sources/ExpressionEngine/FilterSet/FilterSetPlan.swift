/// How a filter set is evaluated over contexts whose attributes are of certain kinds: which filters can
/// be true at all, found by what they demand of one attribute.
///
/// A plan is immutable. Its constants borrow memory of the set's programs.
final class FilterSetPlan: Sendable {
  /// The kinds of the set's attributes that the plan is for.
  let kinds: [UInt8]
  /// What is left to be checked of each filter once its index has let it through, and where in `lists`.
  let checks: [Check]
  /// Numbers of conditions, filter by filter.
  let lists: [UInt32]
  /// Every condition once. Those that several filters ask come first.
  let conditions: [PlacedCondition]
  /// How many conditions several filters ask; their answers are remembered during an evaluation.
  let sharedCount: Int
  let equalities: [EqualityIndex]
  let bounds: [BoundIndex]
  /// Filters that no index excludes.
  let unindexed: [UInt32]
  /// Filters that may fail or call the host, and are therefore evaluated by themselves; those of one
  /// program stand together.
  let alone: [[UInt32]]
  /// Owns the tables of `equalities`.
  private let arena: FrozenArena

  /// The conditions of one filter.
  struct Check {
    var first: UInt32 = 0
    var count: UInt32 = 0
    /// Whether the filter is true when all of them are; otherwise it has to be evaluated.
    var isComplete = true
  }

  init(
    kinds: [UInt8], checks: [Check], lists: [UInt32], conditions: [PlacedCondition],
    sharedCount: Int, equalities: [EqualityIndex], bounds: [BoundIndex], unindexed: [UInt32],
    alone: [[UInt32]], arena: consuming Arena
  ) {
    self.kinds = kinds
    self.checks = checks
    self.lists = lists
    self.conditions = conditions
    self.sharedCount = sharedCount
    self.equalities = equalities
    self.bounds = bounds
    self.unindexed = unindexed
    self.alone = alone
    self.arena = FrozenArena(arena)
  }
}

/// Filters by the value that they want one attribute to have.
struct EqualityIndex {
  let attribute: UInt32
  /// From the value to an int slot: where its filters start in `filters`, and in the upper half how
  /// many there are. It belongs to the plan's arena.
  let table: Slot
  let filters: [UInt32]

  /// The filters that want the attribute to be `slot`.
  @inline(__always)
  func filters(for slot: Slot) -> Range<Int> {
    guard let found = table.table.find(PlacedCondition.key(slot), crossNumeric: false) else {
      return 0..<0
    }
    let first = Int(found.pointee.word0 & 0xFFFF_FFFF)
    return first..<(first &+ Int(found.pointee.word0 >> 32))
  }
}

/// Filters by the bound that they set one attribute on one side.
struct BoundIndex {
  let attribute: UInt32
  /// The bounds, the widest first: a value within one is within all before it.
  let conditions: [PlacedCondition]
  /// For each bound the end of its filters in `filters`.
  let ends: [UInt32]
  let filters: [UInt32]

  /// How many of `filters` have bounds that `slot` is within; they stand first.
  @inline(__always)
  func count(for slot: Slot) -> Int {
    var low = 0
    var high = conditions.count
    while low < high {
      let middle = (low &+ high) / 2
      if conditions[middle].holds(slot) { low = middle &+ 1 } else { high = middle }
    }
    return low == 0 ? 0 : Int(ends[low &- 1])
  }
}

extension FilterSetPlan {
  /// Calls `body` with every filter whose conditions are all true, in no particular order, each once,
  /// and with whether that makes the filter true. Filters in ``alone`` are not among them.
  ///
  /// - Parameter attributes: The values of the set's attributes, of the kinds in ``kinds``.
  @inline(__always)
  func forEachSatisfied(_ attributes: UnsafePointer<Slot>, _ body: (Int, Bool) -> Void) {
    withUnsafeTemporaryAllocation(of: Answer.self, capacity: max(sharedCount, 1)) { answers in
      answers.initialize(repeating: .unknown)
      var evaluation = Evaluation(
        plan: self, attributes: attributes, answers: answers.baseAddress.unsafelyUnwrapped)
      for index in equalities {
        let range = index.filters(for: attributes[Int(index.attribute)])
        for position in range { evaluation.check(index.filters[position], body) }
      }
      for index in bounds {
        let count = index.count(for: attributes[Int(index.attribute)])
        for position in 0..<count { evaluation.check(index.filters[position], body) }
      }
      for filter in unindexed { evaluation.check(filter, body) }
    }
  }

  /// What is known of a condition during one evaluation.
  private enum Answer: UInt8 {
    case unknown
    case isFalse
    case isTrue
  }

  /// One evaluation of a plan.
  private struct Evaluation {
    let plan: FilterSetPlan
    let attributes: UnsafePointer<Slot>
    /// One for each shared condition.
    let answers: UnsafeMutablePointer<Answer>

    @inline(__always)
    mutating func check(_ filter: UInt32, _ body: (Int, Bool) -> Void) {
      let check = plan.checks[Int(filter)]
      let first = Int(check.first)
      for position in first..<(first &+ Int(check.count)) where !holds(plan.lists[position]) {
        return
      }
      body(Int(filter), check.isComplete)
    }

    @inline(__always)
    private mutating func holds(_ number: UInt32) -> Bool {
      let number = Int(number)
      guard number < plan.sharedCount else { return ask(number) }
      switch answers[number] {
      case .isTrue: return true
      case .isFalse: return false
      case .unknown:
        let answer = ask(number)
        answers[number] = answer ? .isTrue : .isFalse
        return answer
      }
    }

    @inline(__always)
    private func ask(_ number: Int) -> Bool {
      plan.conditions[number].holds(attributes[Int(plan.conditions[number].attribute)])
    }
  }
}
