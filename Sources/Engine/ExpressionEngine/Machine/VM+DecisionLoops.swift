// Loops and skipped operands of a graph.

extension VM {
  /// Counts the ints of a list inside or outside a range. Returns `nil` if the list has other
  /// elements.
  @inline(never)
  static func count(
    _ decision: UnsafePointer<Decision>, _ list: Slot, _ accumulator: inout Slot
  ) -> Bool? {
    guard list.aux <= Decision.longestLoop else { return nil }
    let detail = Decision.LoopDetail(rawValue: decision.pointee.detail)
    let lower = decision.pointee.constant.word0
    // One unsigned comparison tests whether an int is between two bounds.
    let width = decision.pointee.constant.word1 &- lower
    let isOutside = detail.isOutside
    if detail.kind == .all || detail.kind == .exists {
      let deciding = (detail.kind == .exists) != isOutside
      for element in list.elements {
        guard element.isInt else { return nil }
        if (element.word0 &- lower <= width) == deciding { return detail.kind == .exists }
      }
      return detail.kind == .all
    }
    var found = 0
    for element in list.elements {
      guard element.isInt else { return nil }
      found &+= element.word0 &- lower <= width ? 1 : 0
    }
    if isOutside { found = Int(list.aux) &- found }
    accumulator = .int(Int64(found))
    return found == 1 || detail.kind != .existsOne
  }

  /// Runs a loop whose body is a graph. Returns `nil` if the machine has to run it.
  @inline(never)
  static func loop(
    _ decision: UnsafePointer<Decision>, _ list: Slot, _ header: UnsafePointer<ProgramHeader>,
    _ decisions: UnsafePointer<Decision>, _ rows: UnsafePointer<UInt>, _ accumulator: inout Slot
  ) -> Bool? {
    guard list.aux <= Decision.longestLoop else { return nil }
    let kind = Decision.LoopDetail(rawValue: decision.pointee.detail).kind
    let start = Decision.Branch(
      rawValue: UInt16(truncatingIfNeeded: decision.pointee.constant.word0))
    // The rows of the context, then one with the element as its only value.
    let rowCount = ContextStorage.rowCount
    let size = (rowCount + 1) * MemoryLayout<UInt>.stride + LayerRow.size(count: 1)
    return withUnsafeTemporaryAllocation(
      byteCount: size, alignment: MemoryLayout<Slot>.alignment
    ) { memory in
      let base = memory.baseAddress.unsafelyUnwrapped.bindMemory(
        to: UInt.self, capacity: rowCount + 1)
      base.initialize(from: rows, count: rowCount)
      let row = UnsafeMutableRawPointer(base + rowCount + 1)
      let element = LayerRow.begin(row, table: 0, count: 1, known: 1)
      (base + rowCount).initialize(to: UInt(bitPattern: element))
      var found = 0
      for value in list.elements {
        element.pointee = value
        let outcome = follow(header, decisions, base, from: start)
        if outcome == .true {
          if kind == .exists { return true }
          found &+= 1
        } else if outcome == .false {
          if kind == .all { return false }
        } else {
          return nil
        }
      }
      accumulator = .int(Int64(found))
      switch kind {
      case .all: return true
      case .exists: return false
      case .existsOne: return found == 1
      default: return true
      }
    }
  }

  // MARK: Skipped operands

  /// Returns whether no part of the filter can fail for the kinds of a context's attributes, so
  /// that skipped operands do not matter.
  @inline(never)
  static func isSafe(
    _ header: UnsafePointer<ProgramHeader>, _ rows: UnsafePointer<UInt>
  ) -> Bool {
    guard let graph = header.pointee.graph, graph.guardCount >= 0 else { return false }
    var index = 0
    while index < Int(graph.chunkCount) {
      let entry = graph.chunks + index
      let row = LayerRow(address: rows[Int(entry.pointee.root)])
      guard 16 &* UInt(entry.pointee.chunk) < row.count, UInt(entry.pointee.last) < row.known
      else { break }
      let kinds = row.kinds(Int(entry.pointee.chunk))
      let forbidden = entry.pointee.forbidden
      guard kinds.0 & forbidden.0 | kinds.1 & forbidden.1 == 0 else { break }
      index &+= 1
    }
    return index > 0 && index == Int(graph.chunkCount) || isSafeByValues(header, rows)
  }

  @inline(never)
  private static func isSafeByValues(
    _ header: UnsafePointer<ProgramHeader>, _ rows: UnsafePointer<UInt>
  ) -> Bool {
    guard let graph = header.pointee.graph else { return false }
    for index in 0..<Int(graph.guardCount) {
      let entry = graph.guards + index
      let row = LayerRow(address: rows[Int(entry.pointee.root)])
      let number = entry.pointee.number
      let value =
        _fastPath(UInt(number) < row.count)
        ? row.values[Int(number)]
        : lookUp(header.pointee.attributes + Int(entry.pointee.attribute), number, row)
      guard entry.pointee.allowed.contains(tagOf: value) else { return false }
      if value.isA(.double), value.doubleValue.isNaN { return false }
      if value.isA(.error), value.word0 != Slot.absent.word0 { return false }
    }
    return true
  }
}
