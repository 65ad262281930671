/// Makes the plan of a filter set for the kinds of one context's attributes.
struct FilterSetPlanBuilder: ~Copyable {
  private let set: CompiledFilterSet
  /// Every condition once, as it was met.
  private var conditions: [PlacedCondition] = []
  private var numbers: [PlacedCondition: Int] = [:]
  /// What each filter demands, as numbers of `conditions`.
  private var demands: [Demands] = []
  private var alone: [[UInt32]] = []
  /// The values that conditions want each attribute to have.
  private var wanted: [UInt32: Set<UInt64>] = [:]

  private struct Demands {
    var filter: UInt32
    var conditions: [Int]
    var isComplete: Bool
  }

  private init(_ set: CompiledFilterSet) { self.set = set }

  /// Makes the plan.
  ///
  /// - Parameter kinds: The kinds of the set's attributes in `context`.
  /// - Complexity: O(n log n) in the number of conditions of all filters.
  static func plan(
    of set: CompiledFilterSet, for context: ContextStorage, kinds: [UInt8]
  ) -> FilterSetPlan {
    var builder = FilterSetPlanBuilder(set)
    builder.collect(context)
    return builder.finish(kinds: kinds)
  }

  // MARK: What the filters demand

  private mutating func collect(_ context: ContextStorage) {
    // Filters that are copies of one another share what is found out about their program.
    var known: [ObjectIdentifier: FilterDemands?] = [:]
    var groups: [ObjectIdentifier: Int] = [:]
    for (index, filter) in set.filters.enumerated() {
      let number = UInt32(truncatingIfNeeded: index)
      let program = filter.program
      let id = ObjectIdentifier(program)
      let found = known[id] ?? program.demands(of: context)
      known[id] = .some(found)
      if let found {
        if found.isNever { continue }
        add(found, number)
      } else if program.hostFunctions.isEmpty, let group = groups[id] {
        alone[group].append(number)
      } else {
        groups[id] = alone.count
        alone.append([number])
      }
    }
  }

  private mutating func add(_ found: FilterDemands, _ filter: UInt32) {
    var mine: Set<Int> = []
    for condition in found.conditions {
      let placed = PlacedCondition(
        constant: condition.constant,
        attribute: set.number(ofAttribute: condition.attribute, in: Int(filter)),
        opcode: condition.opcode, mask: condition.mask)
      let number: Int
      if let known = numbers[placed] {
        number = known
      } else {
        number = conditions.count
        numbers[placed] = number
        conditions.append(placed)
        for key in placed.keys ?? [] {
          wanted[placed.attribute, default: []].insert(KeyHash.of(key))
        }
      }
      mine.insert(number)
    }
    demands.append(
      Demands(filter: filter, conditions: Array(mine), isComplete: found.isComplete))
  }

  // MARK: Indexes

  /// The share of contexts for which a condition is expected to be true.
  private func share(_ number: Int) -> Double {
    let condition = conditions[number]
    if let keys = condition.keys {
      return Double(keys.count) / Double(max(wanted[condition.attribute]?.count ?? 2, 2))
    }
    return condition.bound == nil ? 0.9 : 0.5
  }

  private consuming func finish(kinds: [UInt8]) -> FilterSetPlan {
    let shares = conditions.indices.map { share($0) }
    // Each filter stands in the index of the condition that is true most rarely.
    var indexed: [Int: [UInt32]] = [:]
    var unindexed: [UInt32] = []
    var uses = [Int](repeating: 0, count: conditions.count)
    for index in demands.indices {
      demands[index].conditions.sort {
        shares[$0] == shares[$1] ? $0 < $1 : shares[$0] < shares[$1]
      }
      let position = demands[index].conditions.firstIndex {
        conditions[$0].keys != nil || conditions[$0].bound != nil
      }
      if let position {
        // The index answers this condition.
        let number = demands[index].conditions.remove(at: position)
        indexed[number, default: []].append(demands[index].filter)
      } else {
        unindexed.append(demands[index].filter)
      }
      for number in demands[index].conditions { uses[number] += 1 }
    }

    // Conditions that are shared get the first numbers.
    let shared = conditions.indices.filter { uses[$0] > 1 }
    let order = shared + conditions.indices.filter { uses[$0] == 1 }
    var renumbered = [UInt32](repeating: 0, count: conditions.count)
    for (new, old) in order.enumerated() { renumbered[old] = UInt32(truncatingIfNeeded: new) }

    var checks = [FilterSetPlan.Check](repeating: .init(), count: set.filters.count)
    var lists: [UInt32] = []
    for demand in demands {
      checks[Int(demand.filter)] = FilterSetPlan.Check(
        first: UInt32(truncatingIfNeeded: lists.count),
        count: UInt32(truncatingIfNeeded: demand.conditions.count), isComplete: demand.isComplete)
      lists.append(contentsOf: demand.conditions.map { renumbered[$0] })
    }

    var arena = Arena(firstChunk: 4096)
    let equalities = Self.equalities(indexed, conditions, in: &arena)
    return FilterSetPlan(
      kinds: kinds, checks: checks, lists: lists, conditions: order.map { conditions[$0] },
      sharedCount: shared.count, equalities: equalities,
      bounds: Self.bounds(indexed, conditions), unindexed: unindexed, alone: alone, arena: arena)
  }

  private static func equalities(
    _ indexed: [Int: [UInt32]], _ conditions: [PlacedCondition], in arena: inout Arena
  ) -> [EqualityIndex] {
    var wishes: [Wish] = []
    for (number, filters) in indexed {
      for key in conditions[number].keys ?? [] {
        wishes.append(
          Wish(
            attribute: conditions[number].attribute, hash: KeyHash.of(key), key: key,
            condition: number, filters: filters))
      }
    }
    wishes.sort { ($0.attribute, $0.hash, $0.condition) < ($1.attribute, $1.hash, $1.condition) }
    var result: [EqualityIndex] = []
    var rest = wishes[...]
    while let attribute = rest.first?.attribute {
      let mine = rest.prefix { $0.attribute == attribute }
      rest = rest[mine.endIndex...]
      result.append(equalityIndex(attribute, mine, in: &arena))
    }
    return result
  }

  /// A condition of some filters that wants an attribute to have a value.
  private struct Wish {
    let attribute: UInt32
    let hash: UInt64
    let key: Slot
    let condition: Int
    let filters: [UInt32]
  }

  /// The index of one attribute; `wishes` are in the order of their hashes.
  private static func equalityIndex(
    _ attribute: UInt32, _ wishes: ArraySlice<Wish>, in arena: inout Arena
  ) -> EqualityIndex {
    var pairs: [Slot] = []
    var filters: [UInt32] = []
    var rest = Array(wishes)[...]
    while let first = rest.first {
      let alike = rest.prefix { $0.hash == first.hash }
      rest = rest[alike.endIndex...]
      // Different values of one hash are rare; each takes its own wishes out.
      var open = Array(alike)
      while let key = open.first?.key {
        let start = filters.count
        var previous: Int?
        for wish in open where same(wish.key, key) {
          // A value that a list has twice must not find its filters twice.
          if wish.condition != previous { filters += wish.filters }
          previous = wish.condition
        }
        open.removeAll { same($0.key, key) }
        pairs.append(key)
        pairs.append(.uint(UInt64(start) | UInt64(filters.count - start) << 32))
      }
    }
    let table = pairs.withUnsafeBufferPointer { pairs in
      // The arena has no limit and duplicates are allowed, so that building cannot fail.
      try? MapTable.build(pairs, duplicates: .lastWins, crossNumeric: false, in: &arena)
    }
    return EqualityIndex(
      attribute: attribute, table: table ?? LayerStorage.empty.map, filters: filters)
  }

  private static func same(_ a: Slot, _ b: Slot) -> Bool {
    MapTable.sameKey(a, b, crossNumeric: false)
  }

  private static func bounds(
    _ indexed: [Int: [UInt32]], _ conditions: [PlacedCondition]
  ) -> [BoundIndex] {
    struct Side: Hashable {
      let attribute: UInt32
      let bound: PlacedCondition.Bound
    }
    var bySide: [Side: [Int]] = [:]
    for number in indexed.keys where conditions[number].keys == nil {
      let condition = conditions[number]
      guard let bound = condition.bound else { continue }
      bySide[Side(attribute: condition.attribute, bound: bound), default: []].append(number)
    }
    return bySide.map { side, numbers in
      let sorted = numbers.sorted { conditions[$0].isWiderThan(conditions[$1]) }
      var ends: [UInt32] = []
      var filters: [UInt32] = []
      for number in sorted {
        filters += indexed[number] ?? []
        ends.append(UInt32(truncatingIfNeeded: filters.count))
      }
      return BoundIndex(
        attribute: side.attribute, conditions: sorted.map { conditions[$0] }, ends: ends,
        filters: filters)
    }
  }
}
