// MARK: - One value

extension Column {
  /// The bytes of a text at a place of a column of texts.
  @inline(__always)
  static func text(
    _ bounds: ColumnBounds, _ bytes: UnsafePointer<UInt8>?, _ place: Int
  ) -> UnsafeBufferPointer<UInt8> {
    let (first, count) = bounds.range(place)
    return UnsafeBufferPointer(start: bytes.map { $0 + first }, count: count)
  }

  /// Returns the value at a place, or ``Slot/absent``.
  ///
  /// - Parameter arena: The memory of texts, lists and maps, unless the column keeps them. It must
  ///   have no limit.
  func slot(at place: Int, in arena: inout Arena) -> Slot {
    guard isValid(place) else { return .absent }
    switch storage {
    case .missing: return .absent
    case .int8(let values): return .int(Int64(values[place]))
    case .int16(let values): return .int(Int64(values[place]))
    case .int32(let values): return .int(Int64(values[place]))
    case .int64(let values): return .int(values[place])
    case .uint8(let values): return .int(Int64(values[place]))
    case .uint16(let values): return .int(Int64(values[place]))
    case .uint32(let values): return .int(Int64(values[place]))
    case .uint64(let values):
      let value = values[place]
      return Int64(exactly: value).map { .int($0) } ?? .uint(value)
    case .float(let values): return .double(Double(values[place]))
    case .double(let values): return .double(values[place])
    case .bool(let bits): return .bool(Self.bit(bits, place))
    case .text(let bounds, let bytes):
      let text = Self.text(bounds, bytes, place)
      // The producer promises UTF-8; the engine must not depend on the promise.
      guard UTF8Validation.firstInvalidByte(in: text) == nil else {
        return arena.copy(String(decoding: text, as: UTF8.self)) ?? .absent
      }
      return arena.copy(text, as: .string) ?? .absent
    case .dictionary(let indices, let entries):
      guard let entry = indices.entry(at: place, of: entries) else { return .absent }
      return entries.slot(at: entry, in: &arena)
    case .list(let bounds, let elements):
      let (first, count) = bounds.range(place)
      return withUnsafeTemporaryAllocation(of: Slot.self, capacity: max(count, 1)) { slots in
        for index in 0..<count {
          let slot = elements.slot(at: elements.start &+ first &+ index, in: &arena)
          slots.initializeElement(at: index, to: slot.isA(.error) ? .null : slot)
        }
        return arena.copyList(UnsafeBufferPointer(rebasing: slots[..<count])) ?? .absent
      }
    case .record(let fields): return record(fields, place, in: &arena)
    case .slots(let values): return values.slots[place]
    case .values(let value):
      return value(place).flatMap { Slot.make($0, in: &arena) } ?? .absent
    case .layers(let layer):
      // The layer's memory ends with it.
      return layer(place).flatMap { Slot.make($0.value, in: &arena) } ?? .absent
    }
  }

  private func record(_ fields: [Field], _ place: Int, in arena: inout Arena) -> Slot {
    withUnsafeTemporaryAllocation(of: Slot.self, capacity: max(2 * fields.count, 1)) { pairs in
      var filled = 0
      for field in fields {
        let value = field.column.slot(at: field.column.start &+ place &- start, in: &arena)
        guard !value.isA(.error) else { continue }
        guard let key = arena.copy(field.name) else { return .absent }
        pairs.initializeElement(at: filled, to: key)
        pairs.initializeElement(at: filled + 1, to: value)
        filled += 2
      }
      let map = try? MapTable.build(
        UnsafeBufferPointer(rebasing: pairs[..<filled]), duplicates: .lastWins,
        crossNumeric: false, in: &arena)
      return map ?? .absent
    }
  }

  /// Returns the bit of a place.
  @inline(__always)
  package static func bit(_ bits: UnsafePointer<UInt8>, _ place: Int) -> Bool {
    bits[place >> 3] &>> UInt8(truncatingIfNeeded: place & 7) & 1 != 0
  }

  /// Returns the place among the entries of a dictionary that a column of indices has, or `nil` if
  /// there is none.
  @inline(__always)
  func entry(at place: Int, of entries: Column) -> Int? {
    guard isValid(place), let index = int(at: place), index >= 0, index < entries.count else {
      return nil
    }
    return entries.start &+ index
  }

  /// The value at a place of a column of integers.
  @inline(__always)
  private func int(at place: Int) -> Int? {
    switch storage {
    case .int8(let values): Int(values[place])
    case .int16(let values): Int(values[place])
    case .int32(let values): Int(values[place])
    case .int64(let values): Int(exactly: values[place])
    case .uint8(let values): Int(values[place])
    case .uint16(let values): Int(values[place])
    case .uint32(let values): Int(exactly: values[place])
    case .uint64(let values): Int(exactly: values[place])
    default: nil
    }
  }
}
