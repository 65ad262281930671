import ExpressionSyntax

/// The values of one attribute for many users, one after the other.
///
/// A column refers to memory in the layout of Apache Arrow, which it does not copy: numbers side by
/// side, truth values as bits, texts as offsets into their bytes. A user without a value does not
/// have the attribute.
public struct Column: @unchecked Sendable {
  // Unchecked: nothing writes to the memory while the column refers to it.

  /// The number of users.
  public let count: Int
  /// The place of the first user in the memory.
  package let start: Int
  /// A bit for each place that is set if there is a value; `nil` if all have one.
  let validity: UnsafePointer<UInt8>?
  let storage: Storage
  /// Keeps the memory.
  private let owner: (any AnyObject & Sendable)?

  /// The memory of the values, from the first place on.
  package indirect enum Storage {
    case missing
    case int8(UnsafePointer<Int8>)
    case int16(UnsafePointer<Int16>)
    case int32(UnsafePointer<Int32>)
    case int64(UnsafePointer<Int64>)
    case uint8(UnsafePointer<UInt8>)
    case uint16(UnsafePointer<UInt16>)
    case uint32(UnsafePointer<UInt32>)
    case uint64(UnsafePointer<UInt64>)
    case float(UnsafePointer<Float>)
    case double(UnsafePointer<Double>)
    /// Bits.
    case bool(UnsafePointer<UInt8>)
    case text(ColumnBounds, UnsafePointer<UInt8>?)
    /// The place of each value among the entries. The indices say who has a value.
    case dictionary(indices: Column, entries: Column)
    case list(ColumnBounds, elements: Column)
    /// Maps with a column for each key.
    case record([Field])
    /// Values of any kind in memory that the owner keeps.
    case slots(SlotValues)
    /// Values of any kind by their place.
    case values(@Sendable (Int) -> Value?)
    /// Whole layers by their place.
    case layers(@Sendable (Int) -> Context.Layer?)
  }

  /// A key of records. Records whose value is missing do not have it.
  package struct Field: Sendable {
    let name: String
    let column: Column

    /// - Parameter column: A column with the users of the records.
    package init(name: String, column: Column) {
      self.name = name
      self.column = column
    }
  }

  /// Creates a column over memory.
  ///
  /// - Parameters:
  ///   - count: The number of users.
  ///   - start: The place of the first user. The memory has `start + count` places.
  ///   - validity: A bit for each place, or `nil`.
  ///   - owner: Keeps the memory as long as the column is used.
  package init(
    _ storage: Storage, count: Int, start: Int = 0, validity: UnsafePointer<UInt8>? = nil,
    owner: (any AnyObject & Sendable)? = nil
  ) {
    self.storage = storage
    self.count = count
    self.start = start
    self.validity = validity
    self.owner = owner
  }

  /// Whether there is a value at a place.
  @inline(__always)
  func isValid(_ place: Int) -> Bool {
    validity.map { Self.bit($0, place) } ?? true
  }

  /// Whether it is known that there is no value at a place.
  func isMissing(_ place: Int) -> Bool {
    switch storage {
    case .missing: true
    case .dictionary(let indices, _): !indices.isValid(place)
    default: !isValid(place)
    }
  }

  /// Whether the column has texts, each or as the entries of a dictionary.
  package var hasTexts: Bool {
    switch storage {
    case .text: true
    case .dictionary(_, let entries): entries.hasTexts
    default: false
    }
  }

  /// Whether some text may have a byte, lists and dictionaries included.
  ///
  /// - Parameter byte: An ASCII character.
  package func mayHaveTexts(with byte: UInt8) -> Bool {
    switch storage {
    case .missing, .int8, .int16, .int32, .int64, .uint8, .uint16, .uint32, .uint64, .float,
      .double, .bool:
      return false
    case .text(let bounds, let bytes):
      guard let bytes, count > 0 else { return false }
      let first = bounds.range(start).first
      let all = UTF8Bytes(start: bytes + first, count: bounds.end(start &+ count &- 1) &- first)
      return withUnsafePointer(to: byte) {
        UTF8Text.contains(UTF8Bytes(start: $0, count: 1), in: all)
      }
    case .dictionary(_, let values), .list(_, let values): return values.mayHaveTexts(with: byte)
    case .record(let fields): return fields.contains { $0.column.mayHaveTexts(with: byte) }
    case .slots, .values, .layers: return true
    }
  }

  /// Returns a copy of the value at a place, or `nil` if there is none.
  package func value(at place: Int) -> Value? {
    var arena = Arena(firstChunk: 256)
    let slot = slot(at: place, in: &arena)
    return slot.isA(.error) ? nil : Value(slot)
  }

  /// Returns the column without the users that a bit is not set for.
  ///
  /// - Parameters:
  ///   - validity: Bits, or `nil` for all users.
  ///   - first: The bit of the first user.
  package func masked(by validity: UnsafePointer<UInt8>?, first: Int) -> Column {
    guard let validity else { return self }
    if case .dictionary(let indices, let entries) = storage {
      return Column(
        .dictionary(indices: indices.masked(by: validity, first: first), entries: entries),
        count: count, start: start, owner: owner)
    }
    var bits = [Bool](repeating: false, count: start + count)
    for row in 0..<count {
      bits[start + row] = isValid(start + row) && Self.bit(validity, first + row)
    }
    let memory = ColumnMemory(bits: bits)
    let kept = ColumnOwners(owner: owner, memory: memory)
    return Column(
      storage, count: count, start: start,
      validity: UnsafePointer(memory.start.assumingMemoryBound(to: UInt8.self)), owner: kept)
  }

  /// Whether the column has whole layers.
  var hasLayers: Bool {
    if case .layers = storage { true } else { false }
  }
}

/// The ends of texts or lists in the memory of their content.
package struct ColumnBounds: @unchecked Sendable {
  // Unchecked: nothing writes to the offsets while a column refers to them.
  private let short: UnsafePointer<Int32>?
  private let long: UnsafePointer<Int64>?

  /// The content at place i is between the offsets i and i + 1.
  package init(_ offsets: UnsafePointer<Int32>) {
    short = offsets
    long = nil
  }

  /// The content at place i is between the offsets i and i + 1.
  package init(_ offsets: UnsafePointer<Int64>) {
    short = nil
    long = offsets
  }

  /// The range of the content at a place.
  @inline(__always)
  package func range(_ place: Int) -> (first: Int, count: Int) {
    if let short {
      let first = Int(short[place])
      return (first, Int(short[place &+ 1]) &- first)
    }
    let first = Int(long.unsafelyUnwrapped[place])
    return (first, Int(long.unsafelyUnwrapped[place &+ 1]) &- first)
  }

  /// The end of the content at a place.
  package func end(_ place: Int) -> Int {
    let (first, count) = range(place)
    return first &+ count
  }
}

/// Values of any kind in the form in which contexts have them.
package struct SlotValues: @unchecked Sendable {
  // Unchecked: nothing writes to the memory while a column refers to it.

  /// The values; ``Slot/absent`` for none.
  let slots: UnsafePointer<Slot>
}

extension Column {
  /// Creates a column of ints.
  public init(_ values: [Int?]) {
    self.init(values, or: 0) {
      Int64($0)
    } storage: {
      .int64($0)
    }
  }

  /// Creates a column of doubles.
  public init(_ values: [Double?]) {
    self.init(values, or: 0) {
      $0
    } storage: {
      .double($0)
    }
  }

  /// Creates a column of truth values.
  public init(_ values: [Bool?]) {
    let memory = ColumnMemory(bits: values.map { $0 ?? false })
    self.init(
      .bool(memory.start.assumingMemoryBound(to: UInt8.self)), count: values.count,
      validity: memory.adopt(ColumnMemory.validity(values)), owner: memory)
  }

  /// Creates a column of texts.
  public init(_ values: [String?]) {
    var copies = values
    self.init(
      textCount: values.count,
      appending: { row, bytes in
        copies[row]?.withUTF8 { bytes.append(contentsOf: $0) } != nil
      })
  }

  /// Creates a column of copies of texts.
  ///
  /// - Parameter text: Returns the UTF-8 of a user, or `nil`.
  package init(textCount count: Int, text: (Int) -> UnsafeRawBufferPointer?) {
    self.init(
      textCount: count,
      appending: { row, bytes in
        guard let text = text(row) else { return false }
        bytes.append(contentsOf: text)
        return true
      })
  }

  /// - Parameter append: Appends the UTF-8 of a user, and returns whether there is a text.
  private init(textCount count: Int, appending append: (Int, inout [UInt8]) -> Bool) {
    var bytes: [UInt8] = []
    var ends: [Int64] = [0]
    var isValid: [Bool] = []
    for row in 0..<count {
      isValid.append(append(row, &bytes))
      ends.append(Int64(bytes.count))
    }
    let memory = ColumnMemory(copying: ends)
    let text = ColumnMemory(copying: bytes)
    _ = memory.adopt(text)
    let validity = isValid.contains(false) ? ColumnMemory(bits: isValid) : nil
    self.init(
      .text(
        ColumnBounds(UnsafePointer(memory.start.assumingMemoryBound(to: Int64.self))),
        UnsafePointer(text.start.assumingMemoryBound(to: UInt8.self))),
      count: count, validity: memory.adopt(validity), owner: memory)
  }

  /// Creates a column of values of any kinds. Ints, doubles, truth values and texts have faster
  /// columns of their own.
  public init(values: [Value?]) {
    self.init(.values { values[$0] }, count: values.count)
  }

  /// Creates a column of whole layers, for all attributes under `user`, `device` or `params`.
  public init(layers: [Context.Layer?]) {
    self.init(.layers { layers[$0] }, count: layers.count)
  }

  private init<Element, Stored: BitwiseCopyable>(
    _ values: [Element?], or empty: Stored, _ convert: (Element) -> Stored,
    storage: (UnsafePointer<Stored>) -> Storage
  ) {
    let memory = ColumnMemory(copying: values.map { $0.map(convert) ?? empty })
    self.init(
      storage(UnsafePointer(memory.start.assumingMemoryBound(to: Stored.self))),
      count: values.count, validity: memory.adopt(ColumnMemory.validity(values)), owner: memory)
  }
}

/// The owners of a column with another validity.
private final class ColumnOwners: Sendable {
  private let owner: (any AnyObject & Sendable)?
  private let memory: ColumnMemory

  init(owner: (any AnyObject & Sendable)?, memory: ColumnMemory) {
    self.owner = owner
    self.memory = memory
  }
}

/// Memory that a column owns.
final class ColumnMemory: @unchecked Sendable {
  // Unchecked: nothing writes to it after the column has been created.
  let start: UnsafeMutableRawPointer
  private var others: [ColumnMemory] = []

  init<Element: BitwiseCopyable>(copying elements: [Element]) {
    let size = elements.count * MemoryLayout<Element>.stride
    start = .allocate(byteCount: max(size, 1), alignment: 16)
    elements.withUnsafeBytes { bytes in
      if let source = bytes.baseAddress { start.copyMemory(from: source, byteCount: size) }
    }
  }

  convenience init(bits: [Bool]) {
    var bytes = [UInt8](repeating: 0, count: (bits.count + 7) / 8)
    for (index, bit) in bits.enumerated() where bit { bytes[index >> 3] |= 1 << UInt8(index & 7) }
    self.init(copying: bytes)
  }

  deinit { start.deallocate() }

  /// Keeps other memory as long as this.
  func adopt(_ memory: ColumnMemory?) -> UnsafePointer<UInt8>? {
    guard let memory else { return nil }
    others.append(memory)
    return UnsafePointer(memory.start.assumingMemoryBound(to: UInt8.self))
  }

  /// Returns a bit for each value, or `nil` if there are all values.
  static func validity<Element>(_ values: [Element?]) -> ColumnMemory? {
    values.contains { $0 == nil } ? ColumnMemory(bits: values.map { $0 != nil }) : nil
  }
}
