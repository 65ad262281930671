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
enum ShapeRegistry {
  /// The most shapes that are told apart.
  static let capacity = 32_768
  /// The largest table that has a shape, in entries.
  static let maximumCount = 4096
  /// The most bytes that the keys of a table with a shape may have: long ones would fill the memory
  /// for all others.
  static let maximumKeySize = 16 << 10
  /// The most bytes that the keys and kinds of all shapes may take.
  static let maximumSize = 4 << 20

  private struct Record {
    let number: UInt16
    /// The keys, each as its length and its bytes.
    let keys: [UInt8]
    /// The kinds of the values.
    let kinds: [UInt8]
  }

  private struct State {
    var bySignature: [UInt64: [Record]] = [:]
    var count: UInt16 = 0
    var size = 0
  }

  private static let state = Mutex(State())

  /// The shape of a table.
  ///
  /// - Parameter table: A table in canonical order; see ``CanonicalOrder``.
  /// - Complexity: O(n) in the number of entries and the length of the keys.
  static func shape(of table: MapTable) -> Shape {
    let count = table.count
    guard count <= maximumCount else { return .none }
    var signature = KeyHash.word(UInt64(count))
    var size = 0
    for index in 0..<count {
      let key = table.key(index)
      // Keys that are no strings are never read by name.
      guard key.isA(.string) else { return .none }
      size &+= Int(key.aux)
      guard size <= maximumKeySize else { return .none }
      signature = KeyHash.combine(signature, KeyHash.of(key), kind(of: table.value(index)))
    }
    return state.withLock { state in
      if let known = state.bySignature[signature]?.first(where: { matches($0, table) }) {
        return Shape(number: known.number)
      }
      guard state.count < capacity, state.size < maximumSize else { return .none }
      state.count += 1
      let record = record(table, number: state.count)
      state.size += record.keys.count + record.kinds.count
      state.bySignature[signature, default: []].append(record)
      return Shape(number: state.count)
    }
  }

  /// The kind of a value, as far as code may rely on it: NaN is told from other doubles, because it has
  /// no order.
  static func kind(of slot: Slot) -> UInt8 {
    slot.isA(.double) && slot.doubleValue.isNaN ? .max : slot.tagByte
  }

  private static func record(_ table: MapTable, number: UInt16) -> Record {
    var keys: [UInt8] = []
    var kinds: [UInt8] = []
    for index in 0..<table.count {
      let key = table.key(index)
      withUnsafeBytes(of: key.aux) { keys.append(contentsOf: $0) }
      keys.append(contentsOf: key.byteBuffer)
      kinds.append(kind(of: table.value(index)))
    }
    return Record(number: number, keys: keys, kinds: kinds)
  }

  private static func matches(_ record: Record, _ table: MapTable) -> Bool {
    guard record.kinds.count == table.count else { return false }
    return record.keys.withUnsafeBytes { keys in
      var offset = 0
      for index in 0..<table.count {
        let key = table.key(index)
        let length = Int(key.aux)
        guard record.kinds[index] == kind(of: table.value(index)),
          keys.count - offset >= 4 + length,
          keys.loadUnaligned(fromByteOffset: offset, as: UInt32.self) == key.aux,
          UTF8Text.hasPrefix(
            key.byteBuffer,
            in: UTF8Bytes(rebasing: keys.bindMemory(to: UInt8.self)[(offset + 4)...]))
        else { return false }
        offset += 4 + length
      }
      return offset == keys.count
    }
  }
}
