/// The evaluation of a ``BatchPlan`` over a ``ColumnBatch``, a chunk of users at a time.
///
/// It belongs to one thread.
package final class BatchEvaluation {
  let plan: BatchPlan
  let batch: ColumnBatch
  /// The words of a node: a bit for each user of a chunk.
  let words: Int
  /// The bits of all nodes.
  let bits: UnsafeMutablePointer<UInt64>
  /// The bits of all filters.
  private let results: UnsafeMutablePointer<UInt64>
  /// The positions of the chunk's users on the line of an attribute.
  let positions: UnsafeMutablePointer<UInt32>
  /// The same positions on a line of few.
  let narrow: UnsafeMutablePointer<UInt8>
  /// A byte for each user of the chunk, which becomes a bit.
  let bytes: UnsafeMutablePointer<UInt8>
  /// The source of each attribute.
  private let sources: [AttributeSource]
  /// What is known of texts, by attribute.
  private var memos: [Int: TextMemo] = [:]
  /// The users of the chunk.
  private(set) var rows = 0..<0
  /// The layers of the chunk's users, for each root that is given whole.
  private(set) var layers: [Root: [Context.Layer?]] = [:]
  /// The state that host functions get.
  private let hostState: HostState?
  /// The chunk's users as contexts, for filters that are always evaluated so, and for those whose
  /// conditions fail.
  private var checkedContexts: RowContexts
  private var failedContexts: RowContexts
  /// The users without any attribute that a checked filter reads, for each of these filters.
  private var bareUsers: [BareUsers]

  init(_ plan: BatchPlan, _ batch: ColumnBatch, hostState: HostStateValue?) {
    self.plan = plan
    self.batch = batch
    self.hostState = hostState.map { HostState($0) }
    // The bits of all nodes stay in a cache of the processor.
    words = plan.nodeCount <= 1 << 13 ? 16 : 4
    bits = .allocate(capacity: plan.nodeCount &* words)
    bits.initialize(repeating: 0, count: plan.nodeCount &* words)
    (bits + BatchPlan.trueNode &* words).update(repeating: .max, count: words)
    results = .allocate(capacity: max(plan.roots.count &* words, 1))
    results.initialize(repeating: 0, count: plan.roots.count &* words)
    positions = .allocate(capacity: words &* 64)
    positions.initialize(repeating: 0, count: words &* 64)
    narrow = .allocate(capacity: words &* 64)
    narrow.initialize(repeating: 0, count: words &* 64)
    bytes = .allocate(capacity: words &* 64)
    bytes.initialize(repeating: 0, count: words &* 64)
    sources = plan.attributes.map { AttributeSource($0, plan, batch) }
    checkedContexts = RowContexts(batch, plan.checkedPaths)
    failedContexts = RowContexts(batch, plan.neededPaths)
    bareUsers = plan.checked.map { BareUsers($0.filter, batch) }
  }

  deinit {
    bits.deallocate()
    results.deallocate()
    positions.deallocate()
    narrow.deallocate()
    bytes.deallocate()
    for memo in memos.values { memo.deallocate() }
  }

  /// The positions of an attribute's texts, or the ranks of the elements of its lists, that were
  /// found before.
  func memo(ofTexts attribute: BatchPlan.Attribute) -> TextMemo {
    let key = attribute.number
    if let memo = memos[key] { return memo }
    let memo = TextMemo.make()
    memos[key] = memo
    return memo
  }

  /// The largest number of users of a chunk.
  package var chunkRows: Int { words &* 64 }

  /// The users of the chunk for which a filter is true, as bits.
  @inline(__always)
  package func bits(ofFilter filter: Int) -> UnsafePointer<UInt64> {
    UnsafePointer(results + filter &* words)
  }

  // MARK: Chunks

  /// Computes the bits of all filters for some users, of whom there are at most ``chunkRows``.
  package func evaluate(_ rows: Range<Int>) {
    self.rows = rows
    checkedContexts.removeAll()
    failedContexts.removeAll()
    for (root, column) in batch.layers {
      layers[root] = rows.map { column.layer(at: $0 &+ column.start) }
    }
    for index in plan.attributes.indices where plan.attributes[index].isUsed {
      read(plan.attributes[index], sources[index])
    }
    combine()
    collect()
    evaluateRows()
  }

  /// Computes the inner nodes.
  private func combine() {
    let words = words
    plan.children.withUnsafeBufferPointer { children in
      for node in plan.inner {
        let target = bits + node.node &* words
        let first = bits + Int(children[node.children.lowerBound]) &* words
        target.update(from: first, count: words)
        for child in node.children.dropFirst() {
          let source = bits + Int(children[child]) &* words
          if node.isAnd {
            for word in 0..<words { target[word] &= source[word] }
          } else {
            for word in 0..<words { target[word] |= source[word] }
          }
        }
      }
    }
  }

  /// Copies the bits of the filters' nodes. There are no bits after the last user.
  private func collect() {
    for (filter, root) in plan.roots.enumerated() {
      (results + filter &* words).update(from: bits + root &* words, count: words)
    }
    guard rows.count < chunkRows else { return }
    for filter in plan.roots.indices {
      let target = results + filter &* words
      for word in 0..<words { target[word] &= used(word) }
    }
  }

  /// The users of a word that the chunk has.
  @inline(__always)
  private func used(_ word: Int) -> UInt64 {
    let count = rows.count &- word &* 64
    return count >= 64 ? .max : count <= 0 ? 0 : 1 &<< UInt64(truncatingIfNeeded: count) &- 1
  }

  // MARK: One user

  /// Evaluates the filters whose formulas do not decide.
  private func evaluateRows() {
    var failed: [Int: [UInt64]] = [:]
    for entry in plan.guards {
      let source = bits + entry.node &* words
      guard (0..<words).contains(where: { source[$0] & used($0) != 0 }) else { continue }
      for filter in entry.filters {
        var pending = failed[filter] ?? [UInt64](repeating: 0, count: words)
        for word in 0..<words { pending[word] |= source[word] & used(word) }
        failed[filter] = pending
      }
    }
    for index in plan.checked.indices {
      let entry = plan.checked[index]
      let pending = (0..<words).map { word in
        results[entry.number &* words &+ word] & ~(failed[entry.number]?[word] ?? 0)
      }
      evaluate(entry.number, where: pending) { row in
        let isBare = bareUsers[index].contains(rows.lowerBound &+ row)
        if isBare, let known = bareUsers[index].isMatch { return known }
        let isMatch = entry.filter.matches(context(row, in: &checkedContexts))
        if isBare { bareUsers[index].isMatch = isMatch }
        return isMatch
      }
    }
    for (filter, pending) in failed {
      evaluate(filter, where: pending) { row in
        plan.set.sources.matches(filter, context(row, in: &failedContexts))
      }
    }
  }

  /// Evaluates a filter for the users of bits, whose results become its own.
  private func evaluate(
    _ filter: Int, where pending: [UInt64], _ isMatch: (Int) -> Bool
  ) {
    for word in 0..<words where pending[word] != 0 {
      var remaining = pending[word]
      var matches: UInt64 = 0
      while remaining != 0 {
        let bit = remaining.trailingZeroBitCount
        if isMatch(word &* 64 &+ bit) { matches |= 1 &<< UInt64(bit) }
        remaining &= remaining &- 1
      }
      let target = results + (filter &* words &+ word)
      target.pointee = target.pointee & ~pending[word] | matches
    }
  }

  /// Returns a user of the chunk as a context.
  private func context(_ row: Int, in contexts: inout RowContexts) -> Context {
    contexts.context(row, of: rows, layers, hostState)
  }
}

/// The users of a batch without any attribute that a filter reads. The filter has the same result
/// for all of them.
private struct BareUsers {
  /// The columns of the attributes; `nil` if the result may depend on something else.
  private let columns: [Column]?
  /// The result, as soon as it is known.
  var isMatch: Bool?

  init(_ filter: Filter, _ batch: ColumnBatch) {
    let requirements = filter.requirements
    let paths = BatchPlan.paths(of: requirements)
    columns =
      requirements.hostCalls.isEmpty && !batch.hasLayers
      ? paths.map { $0.compactMap { batch.column($0) } } : nil
  }

  /// Returns whether a user is one of them.
  func contains(_ row: Int) -> Bool {
    guard let columns else { return false }
    return columns.allSatisfy { $0.isMissing($0.start &+ row) }
  }
}

extension Column {
  /// Returns the layer at a place.
  func layer(at place: Int) -> Context.Layer? {
    guard isValid(place), case .layers(let layer) = storage else { return nil }
    return layer(place)
  }
}
