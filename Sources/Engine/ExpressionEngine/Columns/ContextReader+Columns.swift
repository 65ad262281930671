// Reading of many records into columns.

extension ContextReader {
  /// Whether records can be read into columns: no filter reads a root as a whole.
  package var canReadColumns: Bool { !Self.roots.contains { isWhole($0) } }

  /// The number of records that ``takeColumns()`` would return.
  package var rowCount: Int { rows?.count ?? 0 }

  /// Reads a record into the columns that ``takeColumns()`` returns.
  ///
  /// - Parameter bytes: One JSON document in UTF-8, an object.
  /// - Throws: ``JSONError`` with the position of the mistake. The record is not added then.
  /// - Precondition: ``canReadColumns``.
  package mutating func readRow(
    _ bytes: UnsafeBufferPointer<UInt8>
  ) throws(JSONError) {
    let rows = rows ?? AttributeRows(defaults: defaults)
    self.rows = rows
    try scan(bytes, buildsMaps: false, in: &rows.arena)
    rows.reserveRow()
    for root in Self.roots {
      for index in range(of: root) {
        rows.set(index, to: value(index, of: root) ?? rows.defaults[index])
      }
    }
    rows.count &+= 1
  }

  /// Returns the records that have been read into columns, and begins anew.
  package mutating func takeColumns() -> ColumnBatch {
    guard let rows = rows.take() else { return ColumnBatch(columns: [], rowCount: 0) }
    var columns: [(path: AttributePath, column: Column)] = []
    for root in Self.roots {
      for index in range(of: root) {
        columns.append(
          (
            AttributePath(root: root.name, names: [name(index)]),
            Column(.slots(SlotValues(slots: rows.column(index))), count: rows.count, owner: rows)
          ))
      }
    }
    return ColumnBatch(columns: columns, rowCount: rows.count)
  }

  private static var roots: [Root] { [.user, .device, .params] }
}

/// The values of some attributes for many records.
final class AttributeRows: @unchecked Sendable {
  // Unchecked: nothing writes to the memory once columns refer to it.

  /// The memory of texts, lists and maps.
  var arena = Arena(firstChunk: 1 << 16)
  /// The values of records that do not have their own, or ``Slot/absent``.
  private(set) var defaults: [Slot] = []
  /// The number of records.
  var count = 0
  private let attributeCount: Int
  private var capacity = 1_024
  /// The values, one attribute after the other.
  private var slots: UnsafeMutablePointer<Slot>

  init(defaults: [Value?]) {
    attributeCount = defaults.count
    slots = .allocate(capacity: max(1, attributeCount &* capacity))
    for value in defaults {
      self.defaults.append(value.flatMap { Slot.make($0, in: &arena) } ?? .absent)
    }
  }

  deinit { slots.deallocate() }

  /// Replaces the value of the records that are read from now on and do not have their own.
  func setDefault(_ attribute: Int, to value: Value) {
    defaults[attribute] = Slot.make(value, in: &arena) ?? .absent
  }

  /// Makes room for one more record.
  @inline(__always)
  func reserveRow() {
    if count == capacity { grow() }
  }

  private func grow() {
    let larger = UnsafeMutablePointer<Slot>.allocate(
      capacity: max(1, attributeCount &* capacity &* 2))
    for attribute in 0..<attributeCount {
      (larger + attribute &* capacity &* 2).update(
        from: slots + attribute &* capacity, count: count)
    }
    slots.deallocate()
    slots = larger
    capacity &*= 2
  }

  /// Sets an attribute of the record after the last one.
  @inline(__always)
  func set(_ attribute: Int, to slot: Slot) { slots[attribute &* capacity &+ count] = slot }

  /// The values of an attribute.
  func column(_ attribute: Int) -> UnsafePointer<Slot> {
    UnsafePointer(slots + attribute &* capacity)
  }
}
