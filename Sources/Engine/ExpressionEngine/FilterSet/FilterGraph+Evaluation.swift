/// The memory of one evaluation of a ``FilterGraph``.
struct FilterGraphScratch {
  /// The counts of the nodes.
  let left: UnsafeMutablePointer<Int8>
  /// Nodes that have become true and whose parents must be notified, in this order.
  let queue: UnsafeMutablePointer<UInt32>
  var queueCount = 0
  /// Nodes that are no longer true.
  let retracted: UnsafeMutablePointer<UInt32>
  var retractedCount = 0
  /// The positions in ``FilterGraph/lists`` of conjunctions that are attached to a true node.
  let candidates: UnsafeMutablePointer<UInt32>
  var candidateCount = 0
  /// The numbers in ``FilterGraph/checked`` of filters whose formulas are true.
  let checked: UnsafeMutablePointer<UInt32>
  var checkedCount = 0
  /// Filters that must be evaluated, whatever their formulas are, because a condition failed.
  var guarded: [UInt32] = []
  /// Whether any condition failed.
  var hasFailed = false

  /// The number of elements at each pointer.
  struct Sizes {
    let nodes: Int
    let initial: Int
    let hanging: Int
    let checked: Int

    var words: Int { nodes &+ hanging &+ initial &+ checked }
    var bytes: Int { 4 &* words &+ nodes }
  }

  init(_ memory: UnsafeMutableRawPointer, _ sizes: Sizes) {
    queue = memory.bindMemory(to: UInt32.self, capacity: sizes.words)
    candidates = queue + sizes.nodes
    retracted = candidates + sizes.hanging
    checked = retracted + sizes.initial
    left = UnsafeMutableRawPointer(queue + sizes.words).bindMemory(
      to: Int8.self, capacity: sizes.nodes)
  }
}

/// A few memory blocks of one size that evaluations on any thread borrow without locks.
final class ScratchPool: Sendable {
  /// The addresses of two free blocks, or 0.
  private let free = AtomicWords(count: 2)
  private let size: Int

  init(size: Int) { self.size = size }

  deinit {
    UnsafeMutableRawPointer(bitPattern: free.load(0))?.deallocate()
    UnsafeMutableRawPointer(bitPattern: free.load(1))?.deallocate()
    free.destroy()
  }

  /// Calls `body` with uninitialized memory.
  @inline(__always)
  func withMemory<Result>(_ body: (UnsafeMutableRawPointer) -> Result) -> Result {
    let memory =
      UnsafeMutableRawPointer(bitPattern: free.exchange(0, at: 0))
      ?? UnsafeMutableRawPointer(bitPattern: free.exchange(0, at: 1))
      ?? .allocate(byteCount: size, alignment: 16)
    defer { giveBack(memory) }
    return body(memory)
  }

  @inline(__always)
  private func giveBack(_ memory: UnsafeMutableRawPointer) {
    let address = UInt(bitPattern: memory)
    if !free.fill(0, with: address), !free.fill(1, with: address) { memory.deallocate() }
  }
}

extension FilterGraph {
  /// Finds the filters whose formulas are true. Filters that are thereby true are set as bits in
  /// `matches`; those that must be evaluated are in `scratch`.
  ///
  /// - Complexity: O(attributes of the context, plus conditions and nodes that they make true),
  ///   plus a byte for each node.
  func evaluate(
    _ context: ContextStorage, _ scratch: inout FilterGraphScratch,
    _ matches: UnsafeMutablePointer<UInt64>
  ) {
    if let bitmap { return evaluate(bitmap, context, &scratch, matches) }
    if let source = start.baseAddress {
      scratch.left.update(from: source, count: start.count)
    }
    readAttributes(context, &scratch)
    retract(&scratch)
    propagate(&scratch, matches)
    checkCandidates(&scratch, matches)
    var index = 0
    while index < initialRoots.count {
      if scratch.left[Int(initialRoots[index])] <= 0 {
        report(initialRoots[index &+ 1], &scratch, matches)
      }
      index &+= 2
    }
  }

  // MARK: Attributes

  static func bucket(_ hash: UInt64, _ root: UInt32, _ size: Int) -> Int {
    Int(truncatingIfNeeded: hash &+ UInt64(root) &* 0x9E37_79B9) & (size &- 1)
  }

  /// Queues the conditions that the context's attributes change.
  @inline(__always)
  private func readAttributes(_ context: ContextStorage, _ scratch: inout FilterGraphScratch) {
    let roots = context.roots
    if attributes.count <= Self.fewAttributes || attributes.count <= 2 &* Self.count(roots) {
      for index in attributes.indices {
        let attribute = attributes.baseAddress.unsafelyUnwrapped + index
        let value = value(attribute, roots)
        if !value.isA(.error) { read(value, attribute, &scratch) }
      }
    } else {
      readContext(roots, &scratch)
      for number in computed {
        let attribute = attributes.baseAddress.unsafelyUnwrapped + Int(number)
        let value = value(attribute, roots)
        if !value.isA(.error) { read(value, attribute, &scratch) }
      }
    }
    if lacksSensitiveRoot(roots) { readUndeclared(context, &scratch) }
  }

  /// Returns whether an undeclared root makes a difference.
  @inline(__always)
  private func lacksSensitiveRoot(_ roots: UnsafePointer<UInt>) -> Bool {
    guard sensitiveRoots != 0 else { return false }
    for root in 0..<(2 &* ContextStorage.rootCount)
    where sensitiveRoots & 1 << UInt32(truncatingIfNeeded: root) != 0 {
      if LayerRow(address: roots[root]).tableAddress == 0 { return true }
    }
    return false
  }

  /// Up to this number, attributes are looked up one by one in any context.
  private static let fewAttributes = 64

  /// Returns the number of attributes of a context, in both forms.
  private static func count(_ roots: UnsafePointer<UInt>) -> Int {
    (0..<(2 &* ContextStorage.rootCount)).reduce(0) {
      $0 &+ (LayerRow(address: roots[$1]).table?.count ?? 0)
    }
  }

  /// Reads the attributes of undeclared roots: conditions that are true of a missing attribute are
  /// not true of them.
  @inline(never)
  private func readUndeclared(
    _ context: ContextStorage, _ scratch: inout FilterGraphScratch
  ) {
    for index in attributes.indices {
      let attribute = attributes.baseAddress.unsafelyUnwrapped + index
      if isUndeclared(attribute, context) {
        read(position: ValueLine.undeclared, attribute, &scratch)
      }
    }
  }

  /// Returns whether a condition fails for an attribute that the context does not have.
  func failsForMissing(_ context: ContextStorage) -> Bool {
    attributes.indices.contains { index in
      let attribute = attributes.baseAddress.unsafelyUnwrapped + index
      guard value(attribute, context.roots).isA(.error) else { return false }
      let reference = attribute.pointee.reference
      return attribute.pointee.failures.contains(.missing)
        || !reference.rootIsOptional
          && LayerRow(address: context.roots[Int(reference.root)]).tableAddress == 0
    }
  }

  /// Returns the value of an attribute in a context, or ``Slot/absent``.
  @inline(__always)
  private func value(
    _ attribute: UnsafePointer<Attribute>, _ roots: UnsafePointer<UInt>
  ) -> Slot {
    attribute.pointee.code.isEmpty ? Self.find(attribute, roots) : compute(attribute, roots)
  }

  @inline(never)
  private func compute(
    _ attribute: UnsafePointer<Attribute>, _ roots: UnsafePointer<UInt>
  ) -> Slot {
    ComputedAttribute.compute(
      UnsafeBufferPointer(rebasing: code[attribute.pointee.code.range]),
      isSuperscript: attribute.pointee.reference.isSuperscript
    ) { number in
      Self.find(attributes.baseAddress.unsafelyUnwrapped + number, roots)
    }
  }

  @inline(__always)
  private static func find(
    _ attribute: UnsafePointer<Attribute>, _ roots: UnsafePointer<UInt>
  ) -> Slot {
    let row = LayerRow(address: roots[Int(attribute.pointee.reference.root)])
    let number = attribute.pointee.number
    if _fastPath(UInt(number) < row.count) { return row.values[Int(number)] }
    if UInt(number) < row.known { return .absent }
    return row.table?.find(
      hash: attribute.pointee.reference.hash, string: attribute.pointee.reference.name)?.pointee
      ?? .absent
  }

  /// Looks up the context's attributes in the set, for sets that have many more attributes.
  private func readContext(_ roots: UnsafePointer<UInt>, _ scratch: inout FilterGraphScratch) {
    for root in 0..<(2 &* ContextStorage.rootCount) {
      guard usedRoots & 1 << UInt32(truncatingIfNeeded: root) != 0,
        let table = LayerRow(address: roots[root]).table
      else { continue }
      for entry in 0..<table.count where table.key(entry).isA(.string) {
        let key = table.key(entry)
        let hash = KeyHash.of(key)
        let root = UInt32(truncatingIfNeeded: root)
        var bucket = Self.bucket(hash, root, attributeTable.count)
        while attributeTable[bucket] != 0 {
          let attribute =
            attributes.baseAddress.unsafelyUnwrapped + (Int(attributeTable[bucket]) &- 1)
          let reference = attribute.pointee.reference
          // An attribute may occur twice, if its root is optional in only some of the filters.
          if reference.hash == hash, reference.root == root, reference.name.word1 == key.word1,
            Slot.sameBytes(reference.name.word0, key.word0, count: key.aux)
          {
            read(table.value(entry), attribute, &scratch)
          }
          bucket = (bucket &+ 1) & (attributeTable.count &- 1)
        }
      }
    }
  }

  /// Returns whether a root without attributes is a variable that is not a map, whose attributes
  /// are missing.
  private static func isDeclared(
    _ reference: AttributeReference, _ context: ContextStorage
  ) -> Bool {
    let root = Root.allCases[Int(reference.root) % ContextStorage.rootCount]
    return root == .other || context.layers.other?.storage.contains(root.name) == true
  }

  @inline(__always)
  private func read(
    _ value: Slot, _ attribute: UnsafePointer<Attribute>, _ scratch: inout FilterGraphScratch
  ) {
    let position = attribute.pointee.line.position(of: value)
    if !attribute.pointee.tests.isEmpty { runTests(value, attribute, &scratch) }
    read(position: position, attribute, &scratch)
  }

  @inline(__always)
  private func read(
    position: UInt32, _ attribute: UnsafePointer<Attribute>, _ scratch: inout FilterGraphScratch
  ) {
    let line = attribute.pointee.line
    if noteFailures(position, attribute, &scratch), position == ValueLine.undeclared {
      failTests(attribute, &scratch)
    }
    var tree = Int(position &+ line.count)
    let ends = treeEnds.baseAddress.unsafelyUnwrapped + attribute.pointee.tree
    let items = treeItems.baseAddress.unsafelyUnwrapped
    while tree > 0 {
      var next = ends[tree &- 1]
      let end = ends[tree]
      while next < end {
        change(items[Int(next)], &scratch)
        next &+= 1
      }
      tree >>= 1
    }
  }

  /// Records the filters that must be evaluated because a condition fails for a position.
  ///
  /// - Returns: Whether any condition fails.
  @inline(__always)
  private func noteFailures(
    _ position: UInt32, _ attribute: UnsafePointer<Attribute>,
    _ scratch: inout FilterGraphScratch
  ) -> Bool {
    let kind = attribute.pointee.line.kind(at: position)
    guard !attribute.pointee.failures.isDisjoint(with: kind) else { return false }
    scratch.hasFailed = true
    if !attribute.pointee.guardedKinds.isDisjoint(with: kind) {
      for entry in guards[attribute.pointee.guards.range]
      where !entry.kinds.isDisjoint(with: kind) {
        noteGuarded(entry, &scratch)
      }
    }
    return true
  }

  /// Records the filters that must be evaluated because a test fails.
  private func noteFailure(
    of test: Test, _ attribute: UnsafePointer<Attribute>, _ scratch: inout FilterGraphScratch
  ) {
    scratch.hasFailed = true
    for entry in guards[attribute.pointee.guards.range] where entry.test == test.condition {
      noteGuarded(entry, &scratch)
    }
  }

  @inline(never)
  private func noteGuarded(_ entry: Guard, _ scratch: inout FilterGraphScratch) {
    let first = UInt32(truncatingIfNeeded: filters.lowerBound)
    NumberRuns.forEach(in: guardedFilters[entry.filters.range]) { number in
      scratch.guarded.append(first &+ number)
    }
  }

  /// Records that a condition becomes true, or is no longer true.
  @inline(__always)
  private func change(_ item: UInt32, _ scratch: inout FilterGraphScratch) {
    if item & Self.retracts == 0 {
      scratch.left[Int(item)] = 0
      scratch.queue[scratch.queueCount] = item
      scratch.queueCount &+= 1
    } else {
      let node = item & ~Self.retracts
      scratch.left[Int(node)] = 1
      scratch.retracted[scratch.retractedCount] = node
      scratch.retractedCount &+= 1
    }
  }

  @inline(never)
  private func runTests(
    _ value: Slot, _ attribute: UnsafePointer<Attribute>, _ scratch: inout FilterGraphScratch
  ) {
    let isSuperscript = attribute.pointee.reference.isSuperscript
    for test in tests[attribute.pointee.tests.range] {
      let holds = test.test.holds(value, test.constant, isSuperscript: isSuperscript)
      let node = test.ifTrue == .max ? test.ifFalse : test.ifTrue
      let isTrue = holds == (test.ifTrue != .max)
      let isInitial = start[Int(node)] == 0
      if isTrue != isInitial { change(isTrue ? node : node | Self.retracts, &scratch) }
      if holds == nil { noteFailure(of: test, attribute, &scratch) }
    }
  }

  /// Retracts the tests of an attribute whose root is undeclared.
  private func failTests(
    _ attribute: UnsafePointer<Attribute>, _ scratch: inout FilterGraphScratch
  ) {
    for test in tests[attribute.pointee.tests.range] {
      let node = test.ifTrue == .max ? test.ifFalse : test.ifTrue
      if start[Int(node)] == 0 { change(node | Self.retracts, &scratch) }
    }
  }

  // MARK: Bitmaps

  /// Applies the rows of all attributes.
  private func evaluate(
    _ bitmap: FilterBitmap, _ context: ContextStorage, _ scratch: inout FilterGraphScratch,
    _ matches: UnsafeMutablePointer<UInt64>
  ) {
    let count = bitmap.initial.count
    withUnsafeTemporaryAllocation(of: UInt64.self, capacity: max(count, 1)) { memory in
      guard let result = memory.baseAddress, let initial = bitmap.initial.baseAddress else {
        return
      }
      result.initialize(from: initial, count: count)
      let roots = context.roots
      let findsUndeclared = lacksSensitiveRoot(roots)
      for index in attributes.indices {
        let attribute = attributes.baseAddress.unsafelyUnwrapped + index
        let value = value(attribute, roots)
        var position = ValueLine.missing
        if !value.isA(.error) {
          position = attribute.pointee.line.position(of: value)
        } else if findsUndeclared, isUndeclared(attribute, context) {
          position = ValueLine.undeclared
        }
        if position != ValueLine.missing { _ = noteFailures(position, attribute, &scratch) }
        bitmap.join(bitmap.attributes[index], Int(position), result)
        for number in attribute.pointee.tests.range {
          let holds = holds(tests[number], value, position, attribute, &scratch)
          bitmap.join(bitmap.tests[number], holds ? 1 : 0, result)
        }
      }
      bitmap.finish(result)
      for word in 0..<bitmap.wordCount {
        var bits = result[word]
        while bits != 0 {
          let filter = bitmap.filters[word &* 64 &+ bits.trailingZeroBitCount]
          report(filter, &scratch, matches)
          bits &= bits &- 1
        }
      }
    }
  }

  /// Returns whether the condition of a test is true.
  @inline(__always)
  private func holds(
    _ test: Test, _ value: Slot, _ position: UInt32, _ attribute: UnsafePointer<Attribute>,
    _ scratch: inout FilterGraphScratch
  ) -> Bool {
    if position == ValueLine.missing { return test.isInitial }
    guard position != ValueLine.undeclared else { return false }
    let holds = test.test.holds(
      value, test.constant, isSuperscript: attribute.pointee.reference.isSuperscript)
    guard let holds else {
      noteFailure(of: test, attribute, &scratch)
      return false
    }
    return holds == (test.ifTrue != .max)
  }

  /// Returns whether an absent attribute is undeclared, rather than missing.
  private func isUndeclared(
    _ attribute: UnsafePointer<Attribute>, _ context: ContextStorage
  ) -> Bool {
    let reference = attribute.pointee.reference
    return attribute.pointee.isSensitive && !reference.rootIsOptional
      && LayerRow(address: context.roots[Int(reference.root)]).tableAddress == 0
      && !Self.isDeclared(reference, context)
  }

  // MARK: Nodes

  /// Notifies parents that nodes that were true at the start no longer are.
  private func retract(_ scratch: inout FilterGraphScratch) {
    var head = 0
    while head < scratch.retractedCount {
      let list = parents(of: scratch.retracted[head])
      head &+= 1
      for position in list.parents {
        let parent = Int(lists[position])
        let left = scratch.left[parent]
        scratch.left[parent] = left &+ 1
        if left == 0 {
          scratch.retracted[scratch.retractedCount] = UInt32(truncatingIfNeeded: parent)
          scratch.retractedCount &+= 1
        }
      }
    }
  }

  /// Notifies parents and filters of nodes that have become true.
  private func propagate(
    _ scratch: inout FilterGraphScratch, _ matches: UnsafeMutablePointer<UInt64>
  ) {
    let left = scratch.left
    let queue = scratch.queue
    let lists = lists.baseAddress.unsafelyUnwrapped
    var head = 0
    var tail = scratch.queueCount
    var candidateCount = 0
    while head < tail {
      let list = parents(of: queue[head])
      head &+= 1
      for position in list.parents {
        let parent = lists[position]
        let count = left[Int(parent)] &- 1
        left[Int(parent)] = count
        if count == 0 {
          queue[tail] = parent
          tail &+= 1
        }
      }
      for position in list.filters { report(lists[position], &scratch, matches) }
      if list.hasCandidates {
        scratch.candidates[candidateCount] = UInt32(truncatingIfNeeded: list.filters.upperBound)
        candidateCount &+= 1
      }
    }
    scratch.candidateCount = candidateCount
  }

  /// Checks the conjunctions whose rarest operand is true.
  private func checkCandidates(
    _ scratch: inout FilterGraphScratch, _ matches: UnsafeMutablePointer<UInt64>
  ) {
    let left = scratch.left
    let lists = lists.baseAddress.unsafelyUnwrapped
    for index in 0..<scratch.candidateCount {
      var next = lists + Int(scratch.candidates[index])
      var remaining = next.pointee
      next += 1
      while remaining > 0 {
        remaining &-= 1
        let operands = next + 2
        let filters = operands + Int(next[0])
        let end = filters + Int(next[1])
        next = operands
        while next < filters, left[Int(next.pointee)] <= 0 { next += 1 }
        if next == filters {
          while next < end {
            report(next.pointee, &scratch, matches)
            next += 1
          }
        }
        next = end
      }
    }
  }

  /// Records that the formula of a filter is true.
  @inline(__always)
  private func report(
    _ filter: UInt32, _ scratch: inout FilterGraphScratch, _ matches: UnsafeMutablePointer<UInt64>
  ) {
    if filter & Self.isChecked == 0 {
      matches[Int(filter >> 6)] |= 1 << UInt64(filter & 63)
    } else {
      scratch.checked[scratch.checkedCount] = filter & ~Self.isChecked
      scratch.checkedCount &+= 1
    }
  }
}
