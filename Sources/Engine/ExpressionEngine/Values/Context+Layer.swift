extension Context {
  /// An immutable table of attributes, which contexts and threads can share.
  public struct Layer: Sendable {
    let storage: LayerStorage

    /// Creates an empty layer.
    public init() { storage = LayerStorage.empty }

    /// Creates a layer from attributes.
    ///
    /// - Parameter attributes: The values by name.
    /// - Complexity: O(size of the attributes).
    public init(_ attributes: [String: Value]) {
      storage = LayerStorage(count: attributes.count) { pairs, arena in
        for (name, value) in attributes {
          guard let key = arena.copy(name), let slot = Slot.make(value, in: &arena) else { return }
          pairs.append(key, slot)
        }
      }
    }

    /// Creates a layer from the entries of a map value, whose keys may be of any kind.
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

    /// A copy of the attributes as a map value.
    public var value: Value { Value(storage.map) }
  }
}

/// The memory of a layer: an arena that holds everything its table refers to.
final class LayerStorage: @unchecked Sendable {
  /// The table as given. The rows refer to it and to the table in normalized form.
  let map: Slot
  /// The rows of the two tables, created with the layer.
  private let rows: Rows
  /// The rows created since, when more names had got numbers.
  private var renewal = Renewal()
  /// The lock of all layers' `renewal`: few layers are renewed, and rarely.
  private static let renewing = Locked(())
  /// The owner of the memory, which other layers of the same document may share.
  private let arena: FrozenArena

  static let empty = LayerStorage(count: 0) { _, _ in }

  /// The keys and values of a table under construction.
  struct Pairs: ~Copyable {
    private let slots: UnsafeMutableBufferPointer<Slot>
    private(set) var filled = 0

    init(_ slots: UnsafeMutableBufferPointer<Slot>) { self.slots = slots }

    /// Adds an entry. Entries beyond the declared count are dropped.
    mutating func append(_ key: Slot, _ value: Slot) {
      guard filled &+ 1 < slots.count else { return }
      slots[filled] = key
      slots[filled &+ 1] = value
      filled &+= 2
    }

    /// Sorts the entries in canonical order.
    fileprivate func sort() {
      CanonicalOrder.sort(UnsafeMutableBufferPointer(rebasing: slots[..<filled]))
    }
  }

  /// Builds a layer of at most `count` entries, which `fill` adds. The last of equal keys wins.
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

  /// The tables of a layer and their rows, in memory of one arena.
  struct Tables {
    let map: Slot
    let rows: Rows

    /// Creates the normalized table, if it differs, and the rows.
    init(_ map: Slot, in arena: inout Arena) {
      self.map = map
      let normalized = map.normalized(in: &arena) ?? map
      rows = Rows(map.table, normalized.table, in: &arena)
    }
  }

  /// The rows of the table as given and of the normalized one; they may be the same.
  struct Rows {
    let asGiven: LayerRow
    let normalized: LayerRow

    init(_ table: MapTable, _ normalized: MapTable, in arena: inout Arena) {
      asGiven = LayerRow.make(for: table, in: &arena)
      self.normalized =
        normalized.base == table.base ? asGiven : LayerRow.make(for: normalized, in: &arena)
    }

    /// The rows of an absent root.
    static let absent = Rows(.absent)

    private init(_ row: LayerRow) {
      asGiven = row
      normalized = row
    }
  }

  /// The rows that replaced others. All of them live as long as the layer, because contexts refer
  /// to them.
  private struct Renewal: ~Copyable {
    var arena = Arena(firstChunk: 512)
    var newest: Rows?
    var count = 0

    /// The maximum number of renewals; after them, new names are looked up in the table.
    static let maximumCount = 8
  }

  /// Returns rows with the values of all names that currently have a number.
  ///
  /// A layer that outlives the arrival of new filters, such as the device's, gets new rows when the
  /// next context is created from it.
  func currentRows() -> Rows {
    if UInt(AttributeNumbers.count) == rows.asGiven.known || map.aux == 0 { return rows }
    return renewedRows()
  }

  @inline(never)
  private func renewedRows() -> Rows {
    Self.renewing.withLock { _ in
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

  /// Takes ownership of a table that was built in `arena`, with everything it refers to.
  convenience init(map: Slot, in arena: consuming Arena) {
    let tables = Tables(map, in: &arena)
    self.init(tables, arena: FrozenArena(arena))
  }

  /// Creates the storage from tables that `arena` owns.
  init(_ tables: Tables, arena: FrozenArena) {
    map = tables.map
    rows = tables.rows
    self.arena = arena
  }

  private static func build(
    _ pairs: UnsafeBufferPointer<Slot>, in arena: inout Arena
  ) -> Slot {
    // The arena has no limit and duplicates are allowed, so building cannot fail.
    (try? MapTable.build(pairs, duplicates: .lastWins, crossNumeric: false, in: &arena)) ?? .null
  }

  /// Returns whether the layer has an attribute with this name.
  func contains(_ name: String) -> Bool { find(name) != nil }

  /// Returns the attribute with this name. The layer owns its memory.
  func find(_ name: String) -> Slot? { map.table.find(name) }
}

extension MapTable {
  /// Returns the value of the entry with a string key.
  func find(_ name: String) -> Slot? {
    var name = name
    return name.withUTF8 { bytes in
      var arena = Arena(firstChunk: bytes.count &+ 64)
      guard let key = arena.copy(bytes, as: .string) else { return nil }
      return find(key, crossNumeric: false)?.pointee
    }
  }
}

/// An arena that is kept alive but never used again, and therefore safe to share.
final class FrozenArena: @unchecked Sendable {
  // Nothing reads or writes the arena's bookkeeping after `init`; `deinit` frees its memory.
  private let arena: Arena

  init(_ arena: consuming Arena) { self.arena = arena }
}
