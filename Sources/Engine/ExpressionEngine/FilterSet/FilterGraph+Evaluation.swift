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
  func lacksSensitiveRoot(_ roots: UnsafePointer<UInt>) -> Bool {
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
  func value(
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
        var slot = AttributeTable.firstSlot(hash, root, among: attributeTable.count)
        while attributeTable[slot] != 0 {
          let attribute =
            attributes.baseAddress.unsafelyUnwrapped + (Int(attributeTable[slot]) &- 1)
          let reference = attribute.pointee.reference
          // An attribute may occur twice, if its root is optional in only some of the filters.
          if reference.hash == hash, reference.root == root, reference.name.word1 == key.word1,
            Slot.sameBytes(reference.name.word0, key.word0, count: key.aux)
          {
            read(table.value(entry), attribute, &scratch)
          }
          slot = (slot &+ 1) & (attributeTable.count &- 1)
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
  func noteFailures(
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
  func noteFailure(
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
      // A test that fails makes neither the condition nor its opposite true.
      let isTrue = holds == !test.isOpposite
      if isTrue != test.isInitial {
        change(isTrue ? test.node : test.node | Self.retracts, &scratch)
      }
      if holds == nil { noteFailure(of: test, attribute, &scratch) }
    }
  }

  /// Retracts the tests of an attribute whose root is undeclared.
  private func failTests(
    _ attribute: UnsafePointer<Attribute>, _ scratch: inout FilterGraphScratch
  ) {
    for test in tests[attribute.pointee.tests.range] where test.isInitial {
      change(test.node | Self.retracts, &scratch)
    }
  }

  /// Returns whether an absent attribute is undeclared, rather than missing.
  func isUndeclared(
    _ attribute: UnsafePointer<Attribute>, _ context: ContextStorage
  ) -> Bool {
    let reference = attribute.pointee.reference
    return attribute.pointee.isSensitive && !reference.rootIsOptional
      && LayerRow(address: context.roots[Int(reference.root)]).tableAddress == 0
      && !Self.isDeclared(reference, context)
  }
}
