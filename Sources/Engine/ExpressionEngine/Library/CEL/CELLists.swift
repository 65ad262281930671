// More functions for lists (docs/spec/cel.md §22).

enum CELLists {
  static let definitions: [FunctionDefinition] = [
    .cel(
      "slice", "the elements from one index up to another",
      [
        .init("list(A).slice(int, int) -> list(A)", "[1, 2, 3].slice(1, 3)", "[2, 3]") {
          $0.celSlice($1[0], $1[1], $1[2])
        }
      ]),
    .cel(
      "flatten", "a list with the elements of the lists in it, one level deep or more",
      [
        .init("list(dyn).flatten() -> list(dyn)", "[1, [2, [3]]].flatten()", "[1, 2, [3]]") {
          $0.celFlatten($1[0], levels: .int(1))
        },
        .init("list(dyn).flatten(int) -> list(dyn)", "[1, [2, [3]]].flatten(2)", "[1, 2, 3]") {
          $0.celFlatten($1[0], levels: $1[1])
        },
      ]),
    .cel(
      "distinct", "a list without repeated elements; the first of each stays",
      [
        .init("list(A).distinct() -> list(A)", "[1, 2, 1u].distinct()", "[1, 2]") {
          $0.celDistinct($1[0])
        }
      ]),
    .cel(
      "reverse", "a list in reverse order",
      [
        .init("list(A).reverse() -> list(A)", "[1, 2].reverse()", "[2, 1]") {
          machine, arguments in
          let reversed = Array(arguments[0].elements.reversed())
          return reversed.withUnsafeBufferPointer { machine.list($0) }
        }
      ]),
    .cel(
      "sort", "a list of numbers, texts, octets, bools or times of one kind, in order",
      sortExamples.map { type, list, sorted in
        .init("list(\(type)).sort() -> list(\(type))", "\(list).sort()", sorted) {
          $0.celSort($1[0], by: $1[0])
        }
      }),
    .celMacro(
      "sortBy", "a list in the order of the values of an expression over its elements",
      ["list(A).sortBy(variable, B) -> list(A)"],
      [.init(#"["ab", "c"].sortBy(x, size(x))"#, #"["c", "ab"]"#)]),
    .cel(
      "lists.range", "the numbers from 0 up to, but without, a number",
      [
        .init("lists.range(int) -> list(int)", "lists.range(3)", "[0, 1, 2]") {
          $0.celRange($1[0])
        }
      ]),
  ]

  /// For each type that has an order, a list and the same in order.
  private static let sortExamples = [
    ("int", "[3, 1, 2]", "[1, 2, 3]"),
    ("uint", "[2u, 1u]", "[1u, 2u]"),
    ("double", "[0.5, -0.5]", "[-0.5, 0.5]"),
    ("bool", "[true, false]", "[false, true]"),
    ("string", #"["b", "a"]"#, #"["a", "b"]"#),
    ("bytes", #"[b"b", b"a"]"#, #"[b"a", b"b"]"#),
    (
      "timestamp", "[timestamp(1), timestamp(0)]",
      #"[timestamp("1970-01-01T00:00:00Z"), timestamp("1970-01-01T00:00:01Z")]"#
    ),
    (
      "duration", #"[duration("1h"), duration("1s")]"#, #"[duration("1s"), duration("3600s")]"#
    ),
  ]
}

extension FunctionDefinition {
  /// The function that `sortBy` expands to: it takes a list and the list of its keys.
  static let celSortByKeys = FunctionDefinition(
    "sortBy", parameters: [.any, .list], signatures: [], summary: "", examples: [],
    form: .function { machine, arguments in
      arguments[0].isA(.list)
        ? machine.celSort(arguments[0], by: arguments[1]) : machine.failWithoutOverload(arguments)
    })
}

extension Machine {
  /// Copies slots into a list in the arena.
  mutating func list(_ slots: UnsafeBufferPointer<Slot>) -> Slot {
    orOutOfMemory(arena.copyList(slots))
  }

  mutating func celSlice(_ list: Slot, _ first: Slot, _ last: Slot) -> Slot {
    let start = first.intValue
    let end = last.intValue
    guard start >= 0, start <= end, end <= Int64(list.aux) else {
      return fail(.indexOutOfRange, start >= 0 && start <= Int64(list.aux) ? last : first, list)
    }
    // The elements are shared: lists never change.
    return Slot(
      .list, at: list.address + Int(start) &* MemoryLayout<Slot>.stride,
      count: UInt32(truncatingIfNeeded: end &- start))
  }

  mutating func celFlatten(_ list: Slot, levels: Slot) -> Slot {
    guard levels.intValue >= 0 else { return fail(.invalidArgument, levels) }
    let builder = beginBuilder(capacity: Int(list.aux))
    if builder.isA(.error) { return builder }
    return flatten(list, levels.intValue, into: builder, depth: 0)
      ? finishedList(builder) : fail(.memoryLimit)
  }

  /// Appends the elements of a list, and of the lists in it. Returns `false` when the arena is
  /// exhausted or the lists nest deeper than ``maximumValueDepth``.
  private mutating func flatten(
    _ list: Slot, _ levels: Int64, into builder: Slot, depth: Int
  ) -> Bool {
    guard depth < maximumValueDepth else { return false }
    for element in list.elements {
      if levels > 0, element.isA(.list) {
        guard flatten(element, levels &- 1, into: builder, depth: depth &+ 1) else {
          return false
        }
      } else if !append(element, to: builder) {
        return false
      }
    }
    return true
  }

  mutating func celDistinct(_ list: Slot) -> Slot {
    var index = ElementIndex(rules: rules)
    var kept: [Slot] = []
    let total = comparisonBudget
    var budget = total
    for element in list.elements where budget >= 0 {
      if index.insert(element, budget: &budget) { kept.append(element) }
    }
    guard pay(budget, of: total) else { return failed }
    return kept.withUnsafeBufferPointer { self.list($0) }
  }

  /// Returns the elements of a list sorted by their keys. The sort is stable.
  mutating func celSort(_ list: Slot, by keys: Slot) -> Slot {
    let keys = keys.elements
    guard let first = keys.first else { return list }
    switch first.tag {
    case .int, .uint, .double, .bool, .duration, .timestamp, .string, .bytes: break
    default: return fail(.unexpectedType, first)
    }
    for key in keys {
      guard key.tagByte == first.tagByte else { return fail(.notComparable, first, key) }
      if key.isA(.double), key.doubleValue.isNaN { return fail(.notComparable, key, key) }
    }
    guard spend(sorting: keys) else { return failed }
    let wanted = rules
    let order = keys.indices.sorted { a, b in
      let result = Slot.order(keys[a], keys[b], rules: wanted)
      return result == .equal ? a < b : result == .less
    }
    let elements = list.elements
    let sorted = order.map { elements[$0] }
    return sorted.withUnsafeBufferPointer { self.list($0) }
  }

  /// Consumes the steps for sorting, as ``spend(steps:)``.
  private mutating func spend(sorting keys: UnsafeBufferPointer<Slot>) -> Bool {
    var length = 0
    for key in keys where key.isA(.string) || key.isA(.bytes) { length = max(length, Int(key.aux)) }
    let rounds = Int.bitWidth - keys.count.leadingZeroBitCount
    let (comparisons, overflow) = (keys.count &* rounds).multipliedReportingOverflow(
      by: 1 &+ length / Slot.bytesPerComparison)
    return spend(comparisons: overflow ? .max : comparisons)
  }

  mutating func celRange(_ end: Slot) -> Slot {
    let count = max(end.intValue, 0)
    guard count <= Int64(UInt32.max),
      let memory = arena.allocate(max(Int(count), 1) &* MemoryLayout<Slot>.stride)
    else { return fail(.memoryLimit) }
    let slots = memory.bindMemory(to: Slot.self, capacity: max(Int(count), 1))
    for index in 0..<Int(count) { slots[index] = .int(Int64(index)) }
    return Slot(.list, at: memory, count: UInt32(truncatingIfNeeded: count))
  }
}
