/// The order of the attributes of a layer that is created from a Swift dictionary.
///
/// Dictionaries have a different order in every process; with this order, loops over a layer visit
/// the same order everywhere. A layer read from JSON keeps the order of the document.
///
/// Keys that are not strings come first, ordered by kind and value. Strings are ordered by their
/// bytes, which is the order of their code points.
enum CanonicalOrder {
  /// Sorts alternating keys and values by key. The sort is stable.
  ///
  /// - Complexity: O(n) when they are already in order, otherwise O(n log n), in the number of
  ///   entries.
  static func sort(_ pairs: UnsafeMutableBufferPointer<Slot>) {
    let count = pairs.count / 2
    guard count > 1, let base = pairs.baseAddress, !isSorted(base, count) else { return }
    withUnsafeTemporaryAllocation(of: Entry.self, capacity: count) { memory in
      var entries = memory
      for index in 0..<count {
        entries.initializeElement(
          at: index,
          to: Entry(index: index, key: base[2 &* index], value: base[2 &* index &+ 1]))
      }
      entries.sort { $0.precedes($1) }
      for index in 0..<count {
        base[2 &* index] = entries[index].key
        base[2 &* index &+ 1] = entries[index].value
      }
    }
  }

  private static func isSorted(_ pairs: UnsafeMutablePointer<Slot>, _ count: Int) -> Bool {
    var lead = lead(of: pairs[0])
    for index in 1..<count {
      let next = self.lead(of: pairs[2 &* index])
      if lead > next { return false }
      if lead == next, order(pairs[2 &* index &- 2], pairs[2 &* index]) > 0 { return false }
      lead = next
    }
    return true
  }

  /// The first eight bytes of a string as a number with the same order. It decides almost every
  /// comparison.
  @inline(__always)
  private static func lead(of key: Slot) -> UInt64 {
    // Strings, including empty ones, are padded with zeros to whole words.
    key.isA(.string) ? UInt64(bigEndian: key.address.load(as: UInt64.self)) : 0
  }

  /// The order of two keys: negative, zero or positive.
  private static func order(_ a: Slot, _ b: Slot) -> Int {
    if a.isA(.string), b.isA(.string) { return Slot.byteOrder(a, b) }
    // The tag of strings is the highest that a key can have.
    if a.tagByte != b.tagByte { return a.tagByte < b.tagByte ? -1 : 1 }
    return a.word0 == b.word0 ? 0 : (a.word0 < b.word0 ? -1 : 1)
  }

  private struct Entry {
    let lead: UInt64
    let index: Int
    let key: Slot
    let value: Slot

    init(index: Int, key: Slot, value: Slot) {
      lead = CanonicalOrder.lead(of: key)
      self.index = index
      self.key = key
      self.value = value
    }

    @inline(__always)
    func precedes(_ other: Entry) -> Bool {
      if lead != other.lead { return lead < other.lead }
      let order = CanonicalOrder.order(key, other.key)
      return order == 0 ? index < other.index : order < 0
    }
  }
}
