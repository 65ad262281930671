/// The comparisons of attributes with numbers, and the conditions that they became.
///
/// A set of many filters looks up every comparison here. Large tables are not in the cache of the
/// processor, so a lookup touches one place: an open-addressed table of whole entries.
struct ComparisonTable: ~Copyable {
  /// A comparison in its source form.
  struct Key: BitwiseCopyable, Equatable {
    let attribute: UInt32
    /// The operator, how it is read, and the kind of the number.
    let form: UInt16
    /// The bits of the number.
    let number: UInt64
  }

  struct Entry: BitwiseCopyable {
    fileprivate let number: UInt64
    fileprivate let attribute: UInt32
    /// The condition, or `.max` if the entry is empty.
    let condition: UInt32
    fileprivate let form: UInt16
    /// The kinds for which the condition fails.
    let failing: PositionKinds

    fileprivate static let empty = Entry(
      number: 0, attribute: 0, condition: .max, form: 0, failing: [])

    fileprivate var key: Key { Key(attribute: attribute, form: form, number: number) }
  }

  private var entries = [Entry](repeating: .empty, count: 64)
  private var count = 0

  /// The condition of a comparison that was inserted.
  subscript(key: Key) -> Entry? {
    let entry = entries[bucket(of: key)]
    return entry.condition == .max ? nil : entry
  }

  /// Adds a comparison that is not in the table.
  mutating func insert(_ key: Key, condition: UInt32, failing: PositionKinds) {
    if (count &+ 1) &* 2 > entries.count { grow() }
    count &+= 1
    entries[bucket(of: key)] = Entry(
      number: key.number, attribute: key.attribute, condition: condition, form: key.form,
      failing: failing)
  }

  /// Returns the place of a comparison, or the empty one where it belongs.
  @inline(__always)
  private func bucket(of key: Key) -> Int {
    let mask = entries.count &- 1
    let hash = KeyHash.word(
      KeyHash.combine(key.number, UInt64(key.attribute) << 16 | UInt64(key.form), 0))
    var bucket = Int(truncatingIfNeeded: hash) & mask
    while entries[bucket].condition != .max, entries[bucket].key != key {
      bucket = (bucket &+ 1) & mask
    }
    return bucket
  }

  @inline(never)
  private mutating func grow() {
    let old = entries
    entries = Array(repeating: .empty, count: old.count &* 2)
    for entry in old where entry.condition != .max { entries[bucket(of: entry.key)] = entry }
  }
}
