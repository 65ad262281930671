import Synchronization

/// What a table of attributes looks like: its keys in order, and the kind of each value.
///
/// Tables of one shape keep the value of a key at the same place and of the same kind. So code that
/// was specialized for a shape reads values without looking names up and without asking for their
/// kinds. Shapes are interned: equal tables have the same number.
struct Shape: Sendable, Hashable {
  /// The number of the shape; 0 when the table has none.
  let number: UInt16

  /// A table that has no shape, because there are too many shapes already.
  static let none = Shape(number: 0)
  /// The shape of a root that is not there.
  static let absent = Shape(number: .max)
}

/// All shapes of the process. The number of them is bounded; tables beyond it have none and are read
/// by name.
///
/// Shapes are found without a lock and never forgotten, because code that is made for one may run at
/// any time.
enum ShapeRegistry {
  /// The most shapes that are told apart.
  static let capacity = 32_768
  /// The largest table that has a shape, in entries.
  static let maximumCount = 4096
  /// The most bytes that the keys of a table with a shape may have: long ones would fill the memory
  /// for all others.
  static let maximumKeySize = 16 << 10
  /// When the keys and kinds of all shapes take that many bytes, no more are added.
  static let maximumSize = 4 << 20

  /// A shape: its header, behind it a key and the kind of its value in turn, and the bytes of the keys,
  /// all in one piece of memory.
  private struct Record {
    let signature: UInt64
    let count: Int
    let number: UInt16

    /// Where the keys and kinds begin, in bytes from the header.
    static let entriesOffset = 32
    /// A key slot, and the kind in a word.
    static let entrySize = MemoryLayout<Slot>.stride + MemoryLayout<UInt64>.stride
  }

  /// A hash table of the addresses of records, of which at most half of the places are taken.
  private struct Directory {
    let mask: Int
    let places: UnsafeMutablePointer<Atomic<UInt>>

    init(places count: Int) {
      mask = count &- 1
      places = .allocate(capacity: count)
      for index in 0..<count { (places + index).initialize(to: Atomic(0)) }
    }

    /// Adds a record, which other threads see as a whole or not at all.
    func add(_ record: UnsafePointer<Record>) {
      var place = Int(truncatingIfNeeded: record.pointee.signature) & mask
      while places[place].load(ordering: .relaxed) != 0 { place = (place &+ 1) & mask }
      places[place].store(UInt(bitPattern: record), ordering: .releasing)
    }
  }

  private struct State {
    var count: UInt16 = 0
    var size = 0
  }

  private static let state = Mutex(State())
  /// Whether no more shapes are added, so that tables of unknown ones need not wait for the lock.
  private static let isFull = Atomic(false)
  /// The directory in use. One that became too small is left where it is, because others may be
  /// reading it; all of them together are smaller than the one that took their place.
  private static let directory = Atomic(address(of: Directory(places: 256)))

  private static func address(of directory: Directory) -> UInt {
    let home = UnsafeMutablePointer<Directory>.allocate(capacity: 1)
    home.initialize(to: directory)
    return UInt(bitPattern: home)
  }

  /// The shape of a table.
  ///
  /// - Parameter table: A table in canonical order; see ``CanonicalOrder``.
  /// - Complexity: O(n) in the number of entries and the length of the keys.
  static func shape(of table: MapTable) -> Shape {
    let count = table.count
    guard count <= maximumCount else { return .none }
    var signature = KeyHash.word(UInt64(count))
    var size = 0
    let entries = table.entries
    for index in 0..<count {
      let key = entries[2 &* index]
      // Keys that are no strings are never read by name.
      guard key.isA(.string) else { return .none }
      size &+= Int(key.aux)
      guard size <= maximumKeySize else { return .none }
      let kind = kind(of: entries[2 &* index &+ 1])
      signature = KeyHash.combine(signature, KeyHash.of(key), kind)
    }
    return find(signature, table) ?? add(signature, table)
  }

  /// The kind of a value, as far as code may rely on it: NaN is told from other doubles, because it has
  /// no order.
  @inline(__always)
  static func kind(of slot: Slot) -> UInt8 {
    slot.isA(.double) && slot.doubleValue.isNaN ? .max : slot.tagByte
  }

  private static func find(_ signature: UInt64, _ table: MapTable) -> Shape? {
    let address = directory.load(ordering: .acquiring)
    // The address is that of a directory from the first use on.
    let directory = UnsafePointer<Directory>(bitPattern: address).unsafelyUnwrapped.pointee
    var place = Int(truncatingIfNeeded: signature) & directory.mask
    while let record = UnsafePointer<Record>(
      bitPattern: directory.places[place].load(ordering: .acquiring))
    {
      if record.pointee.signature == signature, matches(record, table) {
        return Shape(number: record.pointee.number)
      }
      place = (place &+ 1) & directory.mask
    }
    return nil
  }

  /// Adds the shape of a table, unless another thread just did or there are too many.
  private static func add(_ signature: UInt64, _ table: MapTable) -> Shape {
    guard !isFull.load(ordering: .relaxed) else { return .none }
    return state.withLock { state in
      if let known = find(signature, table) { return known }
      guard state.count < capacity, state.size < maximumSize else {
        isFull.store(true, ordering: .relaxed)
        return .none
      }
      state.count &+= 1
      let (record, size) = makeRecord(signature, table, number: state.count)
      state.size &+= size
      makeRoom(for: Int(state.count))
      // There is always a directory; only the holder of the lock replaces it.
      UnsafePointer<Directory>(bitPattern: directory.load(ordering: .relaxed))?.pointee.add(record)
      return Shape(number: state.count)
    }
  }

  /// Replaces the directory by a larger one when more than half of it would be taken.
  private static func makeRoom(for count: Int) {
    let old = UnsafePointer<Directory>(bitPattern: directory.load(ordering: .relaxed))
    guard let old, 2 &* count > old.pointee.mask else { return }
    let larger = Directory(places: 4 &* (old.pointee.mask &+ 1))
    for place in 0...old.pointee.mask {
      let address = old.pointee.places[place].load(ordering: .relaxed)
      if let record = UnsafePointer<Record>(bitPattern: address) { larger.add(record) }
    }
    directory.store(address(of: larger), ordering: .releasing)
  }

  /// Makes a record, and tells its size in bytes.
  private static func makeRecord(
    _ signature: UInt64, _ table: MapTable, number: UInt16
  ) -> (UnsafePointer<Record>, size: Int) {
    let count = table.count
    var size = Record.entriesOffset &+ count &* Record.entrySize
    for index in 0..<count { size &+= paddedLength(table.key(index)) }
    let memory = UnsafeMutableRawPointer.allocate(
      byteCount: size, alignment: MemoryLayout<Slot>.alignment)
    var entry = memory + Record.entriesOffset
    var bytes = entry + count &* Record.entrySize
    for index in 0..<count {
      let key = table.key(index)
      // The padding comes with the bytes, so that whole words can be compared.
      bytes.copyMemory(from: key.address, byteCount: paddedLength(key))
      entry.storeBytes(of: Slot(.string, at: bytes, count: key.aux), as: Slot.self)
      entry.storeBytes(
        of: UInt64(kind(of: table.value(index))), toByteOffset: MemoryLayout<Slot>.stride,
        as: UInt64.self)
      entry += Record.entrySize
      bytes += paddedLength(key)
    }
    let record = memory.bindMemory(to: Record.self, capacity: 1)
    record.initialize(to: Record(signature: signature, count: count, number: number))
    return (UnsafePointer(record), size)
  }

  /// The length of a string in whole words of eight bytes.
  private static func paddedLength(_ key: Slot) -> Int { (Int(key.aux) &+ 7) & ~7 }

  /// Whether a table has the keys and kinds of a record.
  private static func matches(_ record: UnsafePointer<Record>, _ table: MapTable) -> Bool {
    let entries = table.entries
    guard 2 &* record.pointee.count == entries.count else { return false }
    var expected = UnsafeRawPointer(record) + Record.entriesOffset
    for index in 0..<record.pointee.count {
      let key = expected.load(as: Slot.self)
      let kind = expected.load(fromByteOffset: MemoryLayout<Slot>.stride, as: UInt64.self)
      let found = entries[2 &* index]
      guard found.word1 == key.word1, kind == UInt64(self.kind(of: entries[2 &* index &+ 1])),
        Slot.sameBytes(found.word0, key.word0, count: key.aux)
      else { return false }
      expected += Record.entrySize
    }
    return true
  }
}
