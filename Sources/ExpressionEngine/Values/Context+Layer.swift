import Synchronization

extension Context {
  /// One immutable table of attributes, ready to be shared between contexts and threads.
  public struct Layer: Sendable {
    let storage: LayerStorage

    /// Creates an empty layer.
    public init() { storage = LayerStorage.empty }

    /// Freezes attributes.
    ///
    /// - Parameter attributes: Values by name.
    /// - Complexity: O(size of the attributes).
    public init(_ attributes: [String: Value]) {
      storage = LayerStorage(count: attributes.count) { pairs, arena in
        for (name, value) in attributes {
          guard let key = arena.copy(name), let slot = Slot.make(value, in: &arena) else { return }
          pairs.append(key, slot)
        }
      }
    }

    /// Freezes the entries of a map value, whose keys may be of any kind.
    ///
    /// - Complexity: O(size of the entries).
    package init(entries: [Value.Key: Value]) {
      storage = LayerStorage(count: entries.count) { pairs, arena in
        for (name, value) in entries {
          guard let key = Slot.make(name, in: &arena), let slot = Slot.make(value, in: &arena)
          else { return }
          pairs.append(key, slot)
        }
      }
    }

    init(storage: LayerStorage) { self.storage = storage }

    /// The number of attributes.
    public var count: Int { storage.map.table.count }

    /// The attributes as a map value, copied out.
    public var value: Value { Value(storage.map) }
  }
}

/// The memory of a layer: an arena with everything that its table refers to.
final class LayerStorage: @unchecked Sendable {
  /// The table as given. The rows refer to it and to the table that the superscript dialect reads.
  let map: Slot
  /// The rows of the two tables as they were made with the layer.
  private let rows: Rows
  /// The rows that were made since, because more names have got numbers.
  private let renewal = Mutex(Renewal())
  /// Owns the memory, perhaps together with other layers of the same document.
  private let arena: FrozenArena

  static let empty = LayerStorage(count: 0) { _, _ in }

  /// The keys and values of a table that is being filled.
  struct Pairs: ~Copyable {
    private let slots: UnsafeMutableBufferPointer<Slot>
    private(set) var filled = 0

    init(_ slots: UnsafeMutableBufferPointer<Slot>) { self.slots = slots }

    /// Adds an entry; what does not fit the promised count is dropped.
    mutating func append(_ key: Slot, _ value: Slot) {
      guard filled &+ 1 < slots.count else { return }
      slots[filled] = key
      slots[filled &+ 1] = value
      filled &+= 2
    }

    /// Puts the entries in canonical order.
    fileprivate func sort() {
      CanonicalOrder.sort(UnsafeMutableBufferPointer(rebasing: slots[..<filled]))
    }
  }

  /// Builds a layer of at most `count` entries, which `fill` adds; of equal keys the last one wins.
  convenience init(count: Int, fill: (inout Pairs, inout Arena) -> Void) {
    var arena = Arena(firstChunk: 256 &+ 128 &* count)
    let map = withUnsafeTemporaryAllocation(of: Slot.self, capacity: max(2 &* count, 2)) { memory in
      var pairs = Pairs(memory)
      fill(&pairs, &arena)
      pairs.sort()
      return Self.build(UnsafeBufferPointer(rebasing: memory[..<pairs.filled]), in: &arena)
    }
    self.init(map: map, in: arena)
  }

  /// The tables of a layer with their rows, in memory of one arena.
  struct Tables {
    let map: Slot
    let rows: Rows

    /// Makes the normalized table, where it differs, and the rows.
    init(_ map: Slot, in arena: inout Arena) {
      self.map = map
      let normalized = map.normalized(in: &arena) ?? map
      rows = Rows(map.table, normalized.table, in: &arena)
    }
  }

  /// The rows of the table as given and of the normalized one, which may be the same.
  struct Rows {
    let asGiven: LayerRow
    let normalized: LayerRow

    init(_ table: MapTable, _ normalized: MapTable, in arena: inout Arena) {
      asGiven = LayerRow.make(for: table, in: &arena)
      self.normalized =
        normalized.base == table.base ? asGiven : LayerRow.make(for: normalized, in: &arena)
    }

    /// The rows of a root that is not there.
    static let absent = Rows(.absent)

    private init(_ row: LayerRow) {
      asGiven = row
      normalized = row
    }
  }

  /// Rows that took the place of others. All of them live as long as the layer: contexts refer to them.
  private struct Renewal: ~Copyable {
    var arena = Arena(firstChunk: 512)
    var newest: Rows?
    var count = 0

    /// A layer that meets new names again and again is read by name in the end.
    static let maximumCount = 8
  }

  /// The rows with the values of all names that have a number by now.
  ///
  /// A layer that outlives the arrival of new filters, such as that of the device, gets new rows when
  /// the next context is made of it.
  func currentRows() -> Rows {
    if UInt(AttributeNumbers.count) == rows.asGiven.known || map.aux == 0 { return rows }
    return renewedRows()
  }

  @inline(never)
  private func renewedRows() -> Rows {
    renewal.withLock { renewal in
      let newest = renewal.newest ?? rows
      guard UInt(AttributeNumbers.count) > newest.asGiven.known,
        renewal.count < Renewal.maximumCount, let table = rows.asGiven.table,
        let normalized = rows.normalized.table
      else { return newest }
      let renewed = Rows(table, normalized, in: &renewal.arena)
      renewal.newest = renewed
      renewal.count += 1
      return renewed
    }
  }

  /// Takes over a table that was built in `arena`, with everything that it refers to.
  convenience init(map: Slot, in arena: consuming Arena) {
    let tables = Tables(map, in: &arena)
    self.init(tables, arena: FrozenArena(arena))
  }

  /// Puts together tables that `arena` owns.
  init(_ tables: Tables, arena: FrozenArena) {
    map = tables.map
    rows = tables.rows
    self.arena = arena
  }

  private static func build(
    _ pairs: UnsafeBufferPointer<Slot>, in arena: inout Arena
  ) -> Slot {
    // The arena has no limit and duplicates are allowed, so that building cannot fail.
    (try? MapTable.build(pairs, duplicates: .lastWins, crossNumeric: false, in: &arena)) ?? .null
  }

  /// Whether there is an attribute of that name.
  func contains(_ name: String) -> Bool { find(name) != nil }

  /// The attribute of that name. Its memory is that of the layer.
  func find(_ name: String) -> Slot? { map.table.find(name) }
}

extension MapTable {
  /// The value of the entry with a text as its key.
  func find(_ name: String) -> Slot? {
    var name = name
    return name.withUTF8 { bytes in
      var arena = Arena(firstChunk: bytes.count &+ 64)
      guard let key = arena.copy(bytes, as: .string) else { return nil }
      return find(key, crossNumeric: false)?.pointee
    }
  }
}

/// An arena that is only kept alive, never used again, and therefore safe to share.
final class FrozenArena: @unchecked Sendable {
  // Nothing reads or writes the arena's bookkeeping after `init`; `deinit` frees its memory.
  private let arena: Arena

  init(_ arena: consuming Arena) { self.arena = arena }
}
