/// An immutable hash table in borrowed memory: a header, entries in insertion order, and buckets
/// that point to them.
///
/// ```
/// header   count: UInt32, bucket mask: UInt32, padding: UInt64
/// entries  count × (key: Slot, value: Slot)
/// buckets  (mask + 1) × (upper half of the hash: UInt32, entry number + 1: UInt32), 0 = empty
/// ```
///
/// At most half of the buckets are occupied, so most probes end after one or two of them.
struct MapTable {
  /// The address of the header.
  let base: UnsafeRawPointer

  private static let headerSize = 16
  private static let entrySize = 2 * MemoryLayout<Slot>.stride

  @inline(__always) var count: Int { Int(base.load(as: UInt32.self)) }

  @inline(__always) private var mask: UInt64 {
    UInt64(base.load(fromByteOffset: 4, as: UInt32.self))
  }

  /// The alternating keys and values, `2 * count` slots.
  @inline(__always) var entries: UnsafeBufferPointer<Slot> {
    UnsafeBufferPointer(
      start: (base + Self.headerSize).assumingMemoryBound(to: Slot.self), count: 2 &* count)
  }

  @inline(__always) func key(_ index: Int) -> Slot { entries[2 &* index] }
  @inline(__always) func value(_ index: Int) -> Slot { entries[2 &* index &+ 1] }

  /// Returns the value of the string key with the given hash, or `nil`.
  ///
  /// - Parameters:
  ///   - hash: ``KeyHash/of(_:)`` of the key.
  ///   - key: A string slot.
  @inline(__always)
  func find(hash: UInt64, string key: Slot) -> UnsafePointer<Slot>? {
    let count = count
    let mask = mask
    let entries = base + Self.headerSize
    let buckets = entries + count &* Self.entrySize
    let wanted = UInt32(truncatingIfNeeded: hash >> 32)
    var bucket = hash & mask
    while true {
      let packed = (buckets + Int(bucket) &* 8).load(as: UInt64.self)
      if packed == 0 { return nil }
      if UInt32(truncatingIfNeeded: packed) == wanted {
        let entry = entries + Int(packed >> 32) &* Self.entrySize - Self.entrySize
        let found = entry.assumingMemoryBound(to: Slot.self)
        if found.pointee.word1 == key.word1,
          Slot.sameBytes(found.pointee.word0, key.word0, count: key.aux)
        {
          return found + 1
        }
      }
      bucket = (bucket &+ 1) & mask
    }
  }

  /// Returns the value of a key of any kind, or `nil`.
  ///
  /// - Parameters:
  ///   - key: A slot. One that cannot be a key is never found.
  ///   - crossNumeric: Whether an int and a uint of the same value are the same key.
  func find(_ key: Slot, crossNumeric: Bool) -> UnsafePointer<Slot>? {
    switch key.tag {
    case .string:
      return find(hash: KeyHash.of(key), string: key)
    case .bool, .int, .uint:
      let hash = KeyHash.of(key)
      let buckets = base + Self.headerSize + count &* Self.entrySize
      let wanted = UInt32(truncatingIfNeeded: hash >> 32)
      var bucket = hash & mask
      while true {
        let packed = (buckets + Int(bucket) &* 8).load(as: UInt64.self)
        if packed == 0 { return nil }
        if UInt32(truncatingIfNeeded: packed) == wanted {
          let index = Int(packed >> 32) &- 1
          if Self.sameKey(self.key(index), key, crossNumeric: crossNumeric) {
            return entries.baseAddress.map { $0 + (2 &* index &+ 1) }
          }
        }
        bucket = (bucket &+ 1) & mask
      }
    default:
      return nil
    }
  }

  /// Returns whether two key slots are the same key.
  static func sameKey(_ a: Slot, _ b: Slot, crossNumeric: Bool) -> Bool {
    if a.tagByte == b.tagByte {
      return a.isA(.string)
        ? a.aux == b.aux && Slot.sameBytes(a.word0, b.word0, count: a.aux) : a.word0 == b.word0
    }
    // Equal bits mean equal values, unless the top bit is set: it means something else in a uint.
    guard crossNumeric, a.word0 == b.word0, a.intValue >= 0 else { return false }
    return (a.isA(.int) && b.isA(.uint)) || (a.isA(.uint) && b.isA(.int))
  }
}

// MARK: - Building

extension MapTable {
  /// The policy for a key that occurs twice.
  enum DuplicatePolicy {
    /// The later value replaces the earlier one.
    case lastWins
    /// Building fails.
    case reject
  }

  /// The reason why a table could not be built.
  enum BuildFailure: Error {
    /// The arena is exhausted.
    case outOfMemory
    /// A key occurs twice. The associated value is its number.
    case duplicateKey(Int)
  }

  /// Builds a table from alternating keys and values.
  ///
  /// - Parameters:
  ///   - pairs: `2 * n` slots. Keys are strings, ints, uints or bools.
  ///   - crossNumeric: Whether an int and a uint of the same value are the same key.
  ///   - arena: The arena that holds the table.
  /// - Complexity: O(n) on average.
  static func build(
    _ pairs: UnsafeBufferPointer<Slot>, duplicates: DuplicatePolicy, crossNumeric: Bool,
    in arena: inout Arena
  ) throws(BuildFailure) -> Slot {
    let capacity = pairs.count / 2
    var bucketCount = 2
    while bucketCount < 2 &* capacity { bucketCount &*= 2 }
    let size = headerSize &+ capacity &* entrySize &+ bucketCount &* 8
    guard capacity < Int(Int32.max), let base = arena.allocate(size) else { throw .outOfMemory }
    let mask = UInt64(bucketCount &- 1)
    let entries = (base + headerSize).bindMemory(to: Slot.self, capacity: 2 &* capacity)
    // Buckets are built after the space for all entries, then moved up if duplicates left a gap.
    let buckets = (base + headerSize + capacity &* entrySize).bindMemory(
      to: UInt64.self, capacity: bucketCount)
    buckets.initialize(repeating: 0, count: bucketCount)

    let seed = KeyHash.seed
    var count = 0
    for number in 0..<capacity {
      let key = pairs[2 &* number]
      let value = pairs[2 &* number &+ 1]
      let hash = KeyHash.of(key, seed: seed)
      var bucket = hash & mask
      var isNew = true
      while buckets[Int(bucket)] != 0 {
        let packed = buckets[Int(bucket)]
        let index = Int(packed >> 32) &- 1
        if UInt32(truncatingIfNeeded: packed) == UInt32(truncatingIfNeeded: hash >> 32),
          sameKey(entries[2 &* index], key, crossNumeric: crossNumeric)
        {
          if case .reject = duplicates { throw .duplicateKey(number) }
          entries[2 &* index &+ 1] = value
          isNew = false
          break
        }
        bucket = (bucket &+ 1) & mask
      }
      guard isNew else { continue }
      entries[2 &* count] = key
      entries[2 &* count &+ 1] = value
      count &+= 1
      buckets[Int(bucket)] = (hash >> 32) | UInt64(count) << 32
    }

    if count != capacity {
      (base + headerSize + count &* entrySize).copyMemory(
        from: buckets, byteCount: bucketCount &* 8)
    }
    base.storeBytes(of: UInt32(truncatingIfNeeded: count), as: UInt32.self)
    base.storeBytes(of: UInt32(truncatingIfNeeded: mask), toByteOffset: 4, as: UInt32.self)
    return Slot(.map, at: base, count: UInt32(truncatingIfNeeded: count))
  }
}
