import Synchronization

/// The numbers of the attribute names that filters read.
///
/// A name gets its number when the first filter that reads it is compiled. A layer that is frozen later
/// keeps the values of numbered names in a row, by number (``LayerRow``), so that filters read them
/// without looking a name up. The registry is bounded: names beyond ``capacity`` have no number and are
/// found in the layer's hash table, as are all names in layers that were frozen before.
///
/// Lookups take no lock. A name is never forgotten, because compiled filters hold its number.
enum AttributeNumbers {
  /// The greatest number of names. It bounds the length of a row.
  static let capacity = 256
  /// The longest name that gets a number, in bytes.
  static let maximumNameLength = 128

  /// A name with its number. It is written once, before other threads can see it.
  private struct Record {
    let hash: UInt64
    let name: Slot
    let number: UInt16
  }

  /// The number of places in ``places``. At most a quarter of them is taken.
  private static let placeCount = 4 * capacity

  private struct Places: @unchecked Sendable {
    /// Addresses of records, or 0. The hash of a name is its first place; the others follow.
    let start: UnsafeMutablePointer<Atomic<UInt>>

    init() {
      start = .allocate(capacity: placeCount)
      for index in 0..<placeCount { (start + index).initialize(to: Atomic(0)) }
    }
  }

  private static let places = Places()
  private static let count = Mutex<UInt16>(0)

  /// Returns the number of a name, or `nil` if it has none.
  ///
  /// - Parameters:
  ///   - hash: ``KeyHash/of(_:)`` of the name.
  ///   - name: A string slot.
  @inline(__always)
  static func find(hash: UInt64, _ name: Slot) -> UInt16? {
    let start = places.start
    var place = Int(truncatingIfNeeded: hash >> 32) & (placeCount &- 1)
    while let record = UnsafePointer<Record>(
      bitPattern: start[place].load(ordering: .acquiring))
    {
      if record.pointee.hash == hash, record.pointee.name.word1 == name.word1,
        Slot.sameBytes(record.pointee.name.word0, name.word0, count: name.aux)
      {
        return record.pointee.number
      }
      place = (place &+ 1) & (placeCount &- 1)
    }
    return nil
  }

  /// Returns the number of a name and gives it one if there is room.
  static func number(hash: UInt64, _ name: Slot) -> UInt16? {
    find(hash: hash, name) ?? add(hash, name)
  }

  @inline(never)
  private static func add(_ hash: UInt64, _ name: Slot) -> UInt16? {
    count.withLock { count in
      if let known = find(hash: hash, name) { return known }
      guard count < capacity, name.isA(.string), name.aux <= maximumNameLength else { return nil }
      let size = max((Int(name.aux) + 7) & ~7, 8)
      let bytes = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 8)
      // Texts are padded with zeros to whole words, the empty one included.
      bytes.copyMemory(from: name.address, byteCount: size)
      let record = UnsafeMutablePointer<Record>.allocate(capacity: 1)
      record.initialize(
        to: Record(hash: hash, name: Slot(.string, at: bytes, count: name.aux), number: count))
      var place = Int(truncatingIfNeeded: hash >> 32) & (placeCount - 1)
      while places.start[place].load(ordering: .relaxed) != 0 {
        place = (place + 1) & (placeCount - 1)
      }
      places.start[place].store(UInt(bitPattern: record), ordering: .releasing)
      defer { count += 1 }
      return count
    }
  }
}

/// The values of a layer's numbered attributes, by number, in memory of the layer.
///
/// ```
/// table    the address of the layer's MapTable, or 0 where the layer is absent
/// count    the number of values
/// values   count × Slot; Slot.absent where the layer has no such attribute
/// ```
///
/// A row is addressed by its first value. Numbers from `count` on have to be looked up in the table:
/// they are those of names that the layer does not have and of names that got their number later.
struct LayerRow {
  let values: UnsafePointer<Slot>

  @inline(__always)
  init(address: UInt) {
    // Every layer and every absent root has a row.
    values = UnsafePointer(bitPattern: address).unsafelyUnwrapped
  }

  @inline(__always) var address: UInt { UInt(bitPattern: values) }

  @inline(__always) var count: UInt {
    (UnsafeRawPointer(values) - 8).load(as: UInt.self)
  }

  /// The address of the table, or 0.
  @inline(__always) var tableAddress: UInt {
    (UnsafeRawPointer(values) - 16).load(as: UInt.self)
  }

  /// The table; `nil` where the layer is absent.
  @inline(__always) var table: MapTable? {
    UnsafeRawPointer(bitPattern: tableAddress).map { MapTable(base: $0) }
  }

  /// Writes the head of a row into `memory`, which has room for it and `count` values.
  static func begin(
    _ memory: UnsafeMutableRawPointer, table: UInt, count: Int
  ) -> UnsafeMutablePointer<Slot> {
    memory.storeBytes(of: table, as: UInt.self)
    memory.storeBytes(of: UInt(count), toByteOffset: 8, as: UInt.self)
    let values = (memory + 16).bindMemory(to: Slot.self, capacity: max(count, 1))
    values.initialize(repeating: .absent, count: count)
    return values
  }

  /// The number of bytes of a row.
  static func size(count: Int) -> Int { 16 + count * MemoryLayout<Slot>.stride }

  /// Builds the row of a table.
  ///
  /// - Complexity: O(n) in the number of entries.
  static func make(for table: MapTable, in arena: inout Arena) -> LayerRow {
    let entries = table.entries
    let entryCount = entries.count / 2
    return withUnsafeTemporaryAllocation(of: Int32.self, capacity: max(entryCount, 1)) { numbers in
      var count = 0
      for index in 0..<entryCount {
        let key = entries[2 &* index]
        let number =
          key.isA(.string)
          ? AttributeNumbers.find(hash: KeyHash.of(key), key).map { Int32($0) } : nil
        numbers[index] = number ?? -1
        count = max(count, Int(numbers[index]) &+ 1)
      }
      // The arena of a layer has no limit.
      guard let memory = arena.allocate(size(count: count)) else { return absent }
      let row = begin(memory, table: UInt(bitPattern: table.base), count: count)
      for index in 0..<entryCount where numbers[index] >= 0 {
        row[Int(numbers[index])] = entries[2 &* index &+ 1]
      }
      return LayerRow(address: UInt(bitPattern: row))
    }
  }

  /// The row of a root that is not there. It lives as long as the process.
  static let absent = makeStatic(count: 0)

  /// A row whose first value is null, for decisions that read no attribute.
  static let null: LayerRow = {
    let row = makeStatic(count: 1)
    UnsafeMutablePointer(mutating: row.values).pointee = .null
    return row
  }()

  private static func makeStatic(count: Int) -> LayerRow {
    let memory = UnsafeMutableRawPointer.allocate(
      byteCount: size(count: count) + MemoryLayout<Slot>.stride,
      alignment: MemoryLayout<Slot>.alignment)
    return LayerRow(address: UInt(bitPattern: begin(memory, table: 0, count: count)))
  }
}

extension LayerRow: @unchecked Sendable {}

extension Slot {
  /// Stands for an attribute that a layer does not have. No value is an error.
  static let absent = Slot(.error, 0)
}
