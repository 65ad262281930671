/// The numbers of the attribute names that filters read.
///
/// A name gets its number when the first filter that reads it is compiled. A layer that is frozen
/// later stores the values of numbered names in a row, indexed by number (``LayerRow``), so that
/// filters read them without looking up a name. A layer that was frozen earlier gets a new row when
/// the next context is created from it (``LayerStorage/currentRows()``); until then the name is
/// looked up in its hash table. The registry is bounded: names beyond ``capacity`` have no number
/// and always use the hash table.
///
/// Lookups take no lock. Names are never removed, because compiled filters hold their numbers.
enum AttributeNumbers {
  /// The maximum number of names. It bounds the length of a row.
  static let capacity = 256
  /// The maximum length of a name that gets a number, in bytes.
  static let maximumNameLength = 128

  /// A name and its number, written once before other threads can see it.
  private struct Record {
    let hash: UInt64
    let name: Slot
    let number: UInt16
  }

  /// The number of entries in ``places``. At most a quarter of them are occupied.
  private static let placeCount = 4 * capacity

  /// The addresses of records, or 0. Probing starts at the name's hash and continues linearly.
  private static let places = AtomicWords(count: placeCount)
  /// The number of names that have a number. It is incremented after the name's record is written.
  private static let published = AtomicWords(count: 1)
  private static let lock = Locked(())

  /// The number of names that have a number.
  ///
  /// A thread that reads it sees all names with lower numbers.
  static var count: Int { Int(bitPattern: published.load(0)) }

  /// Returns the number of a name, or `nil` if it has none.
  ///
  /// - Parameters:
  ///   - hash: ``KeyHash/of(_:)`` of the name.
  ///   - name: A string slot.
  @inline(__always)
  static func find(hash: UInt64, _ name: Slot) -> UInt16? {
    let places = places
    var place = Int(truncatingIfNeeded: hash >> 32) & (placeCount &- 1)
    while let record = UnsafePointer<Record>(bitPattern: places.load(place)) {
      if record.pointee.hash == hash, record.pointee.name.word1 == name.word1,
        Slot.sameBytes(record.pointee.name.word0, name.word0, count: name.aux)
      {
        return record.pointee.number
      }
      place = (place &+ 1) & (placeCount &- 1)
    }
    return nil
  }

  /// Returns the number of a name, assigning one if there is room.
  static func number(hash: UInt64, _ name: Slot) -> UInt16? {
    find(hash: hash, name) ?? add(hash, name)
  }

  @inline(never)
  private static func add(_ hash: UInt64, _ name: Slot) -> UInt16? {
    lock.withLock { _ in
      if let known = find(hash: hash, name) { return known }
      let count = self.count
      guard count < capacity, name.isA(.string), name.aux <= maximumNameLength else { return nil }
      let size = max((Int(name.aux) + 7) & ~7, 8)
      let bytes = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 8)
      // Strings, including the empty one, are padded with zeros to whole words.
      bytes.copyMemory(from: name.address, byteCount: size)
      let record = UnsafeMutablePointer<Record>.allocate(capacity: 1)
      record.initialize(
        to: Record(
          hash: hash, name: Slot(.string, at: bytes, count: name.aux), number: UInt16(count)))
      var place = Int(truncatingIfNeeded: hash >> 32) & (placeCount - 1)
      while places.load(place) != 0 {
        place = (place + 1) & (placeCount - 1)
      }
      places.store(UInt(bitPattern: record), at: place)
      published.store(UInt(bitPattern: count + 1), at: 0)
      return UInt16(count)
    }
  }
}

/// The values of a layer's numbered attributes, indexed by number, in memory of the layer.
///
/// ```
/// kinds    for each value the bit of its KindClass, in chunks of 16 bytes, the last chunk first
/// table    the address of the layer's MapTable, or 0 where the layer is absent
/// count    the number of values: UInt32
/// known    the number of names that had a number when the row was made: UInt32
/// values   count × Slot; Slot.absent where the layer has no such attribute
/// ```
///
/// A row's address is that of its first value. The layer has no attribute with a number from
/// `count` up to `known`; names that got a number later are looked up in the table.
struct LayerRow {
  let values: UnsafePointer<Slot>

  @inline(__always)
  init(address: UInt) {
    // Every layer and every absent root has a row.
    values = UnsafePointer(bitPattern: address).unsafelyUnwrapped
  }

  @inline(__always) var address: UInt { UInt(bitPattern: values) }

  @inline(__always) var count: UInt {
    UInt((UnsafeRawPointer(values) - 8).load(as: UInt32.self))
  }

  @inline(__always) var known: UInt {
    UInt((UnsafeRawPointer(values) - 4).load(as: UInt32.self))
  }

  /// The address of the table, or 0 if the layer is absent.
  @inline(__always) var tableAddress: UInt {
    (UnsafeRawPointer(values) - 16).load(as: UInt.self)
  }

  /// The table, or `nil` if the layer is absent.
  @inline(__always) var table: MapTable? {
    UnsafeRawPointer(bitPattern: tableAddress).map { MapTable(base: $0) }
  }

  /// The ``KindClass`` bits of 16 values. Values past the last one count as missing.
  ///
  /// - Parameter chunk: The number of the first value divided by 16, at most that of the last
  ///   value.
  @inline(__always)
  func kinds(_ chunk: Int) -> (UInt64, UInt64) {
    let start = UnsafeRawPointer(values) - (Self.headSize &+ 16 &* (chunk &+ 1))
    return (start.load(as: UInt64.self), start.load(fromByteOffset: 8, as: UInt64.self))
  }

  private static let headSize = 16

  private static func kindSize(count: Int) -> Int { (count + 15) / 16 * 16 }

  /// The size of a row in bytes.
  static func size(count: Int) -> Int {
    kindSize(count: count) + headSize + count * MemoryLayout<Slot>.stride
  }

  /// Initializes a row without values in `memory`, which must be large enough.
  static func begin(
    _ memory: UnsafeMutableRawPointer, table: UInt, count: Int, known: Int
  ) -> UnsafeMutablePointer<Slot> {
    let kindSize = kindSize(count: count)
    memory.initializeMemory(
      as: UInt8.self, repeating: KindClass.missing.rawValue, count: kindSize)
    let head = memory + kindSize
    head.storeBytes(of: table, as: UInt.self)
    head.storeBytes(of: UInt32(truncatingIfNeeded: count), toByteOffset: 8, as: UInt32.self)
    head.storeBytes(of: UInt32(truncatingIfNeeded: known), toByteOffset: 12, as: UInt32.self)
    let values = (head + headSize).bindMemory(to: Slot.self, capacity: max(count, 1))
    values.initialize(repeating: .absent, count: count)
    return values
  }

  /// Stores a value in a row under construction.
  private static func put(
    _ value: Slot, at number: Int, in values: UnsafeMutablePointer<Slot>
  ) {
    values[number] = value
    let chunk = UnsafeMutableRawPointer(values) - (headSize &+ 16 &* (number / 16 &+ 1))
    chunk.storeBytes(
      of: KindClass(of: value).rawValue, toByteOffset: number & 15, as: UInt8.self)
  }

  /// Builds the row of a table.
  ///
  /// - Complexity: O(n) in the number of entries.
  static func make(for table: MapTable, in arena: inout Arena) -> LayerRow {
    // Names that get a number from now on are not covered by the row, so a number below `known`
    // always shows whether the layer has the attribute.
    let known = AttributeNumbers.count
    let entries = table.entries
    let entryCount = known == 0 ? 0 : entries.count / 2
    return withUnsafeTemporaryAllocation(of: Int32.self, capacity: max(entryCount, 1)) { numbers in
      var count = 0
      for index in 0..<entryCount {
        let key = entries[2 &* index]
        let number =
          key.isA(.string)
          ? AttributeNumbers.find(hash: KeyHash.of(key), key).map { Int($0) } ?? -1 : -1
        numbers[index] = number < known ? Int32(number) : -1
        count = max(count, Int(numbers[index]) &+ 1)
      }
      // The arena of a layer has no limit.
      guard let memory = arena.allocate(size(count: count)) else { return absent }
      let values = begin(
        memory, table: UInt(bitPattern: table.base), count: count, known: known)
      for index in 0..<entryCount where numbers[index] >= 0 {
        put(entries[2 &* index &+ 1], at: Int(numbers[index]), in: values)
      }
      return LayerRow(address: UInt(bitPattern: values))
    }
  }

  /// The row of an absent root. It lives as long as the process.
  static let absent = makeStatic(count: 0)

  /// A row whose first value is null, for decisions that read no attribute.
  static let null: LayerRow = {
    let row = makeStatic(count: 1)
    put(.null, at: 0, in: UnsafeMutablePointer(mutating: row.values))
    return row
  }()

  private static func makeStatic(count: Int) -> LayerRow {
    let memory = UnsafeMutableRawPointer.allocate(
      byteCount: size(count: count), alignment: MemoryLayout<Slot>.alignment)
    return LayerRow(address: UInt(bitPattern: begin(memory, table: 0, count: count, known: count)))
  }
}

/// Kinds of values as bits of a byte, for checks of many values at once.
struct KindClass: OptionSet {
  let rawValue: UInt8

  static let null = KindClass(rawValue: 1 << 0)
  static let bool = KindClass(rawValue: 1 << 1)
  static let int = KindClass(rawValue: 1 << 2)
  /// A double that is not NaN.
  static let double = KindClass(rawValue: 1 << 3)
  static let string = KindClass(rawValue: 1 << 4)
  static let list = KindClass(rawValue: 1 << 5)
  static let other = KindClass(rawValue: 1 << 6)
  static let missing = KindClass(rawValue: 1 << 7)

  init(rawValue: UInt8) { self.rawValue = rawValue }

  init(of value: Slot) {
    switch value.tag {
    case .null: self = .null
    case .bool: self = .bool
    case .int: self = .int
    case .double: self = value.doubleValue.isNaN ? .other : .double
    case .string: self = .string
    case .list: self = .list
    case .error: self = .missing
    default: self = .other
    }
  }

  /// The classes whose values are all allowed.
  init(allowing kinds: SlotKinds) {
    self = []
    if kinds.contains(SlotKinds(.null)) { insert(.null) }
    if kinds.contains(.bool) { insert(.bool) }
    if kinds.contains(.int) { insert(.int) }
    if kinds.contains(.double) { insert(.double) }
    if kinds.contains(.string) { insert(.string) }
    if kinds.contains(.list) { insert(.list) }
    if kinds.contains(.missing) { insert(.missing) }
  }
}

extension LayerRow: @unchecked Sendable {}

extension Slot {
  /// A marker for an attribute that a layer does not have. No attribute's value is an error.
  static let absent = Slot(.error, 0)
}
