extension JSONScanner {
  /// Copies the next members while they have the most common form: `, "name": value` with at most
  /// one space in each place, and a short name and value without escapes.
  ///
  /// It stops before the first member of another form, or between a name and another kind of value,
  /// and leaves the rest, including errors, to ``nextToken()``.
  mutating func copyPlainMembers(to stack: inout SlotStack, in arena: inout Arena) {
    guard expectation == .separatorOrEnd, containers & 1 == 1, let base = bytes.baseAddress else {
      return
    }
    // A name ends within 36 bytes of the comma, a value within 40 bytes of its start, and copying
    // reads eight bytes more, so all reads stay inside the text.
    while bytes.count &- position >= 96 {
      var cursor = base + position
      guard cursor[0] == UInt8(ascii: ",") else { return }
      cursor += cursor[1] == UInt8(ascii: " ") ? 2 : 1
      guard cursor[0] == UInt8(ascii: "\""), let count = Self.plainCount(from: cursor + 1),
        cursor[count &+ 2] == UInt8(ascii: ":"),
        let key = arena.copyWords(from: cursor + 1, count: count)
      else { return }
      stack.push(key)
      cursor += count &+ 3
      if cursor[0] == UInt8(ascii: " ") { cursor += 1 }
      guard let value = Self.plainValue(at: &cursor, in: &arena) else {
        position = cursor - base
        expectation = .value
        return
      }
      stack.push(value)
      position = cursor - base
    }
  }

  /// The number of bytes before the closing quote, if it is below 32 and all of them are plain
  /// ASCII. Reads up to 32 bytes.
  @inline(__always)
  private static func plainCount(from start: UnsafePointer<UInt8>) -> Int? {
    var offset = 0
    while offset < 32 {
      let special = specialBytes(
        in: UnsafeRawPointer(start).loadUnaligned(fromByteOffset: offset, as: UInt64.self))
      if special != 0 {
        let count = offset &+ special.trailingZeroBitCount >> 3
        return start[count] == UInt8(ascii: "\"") ? count : nil
      }
      offset &+= 8
    }
    return nil
  }

  /// Moves past a simple value: a short string, `true`, `false`, or a short number without a sign
  /// and an exponent. Does not move at any other. Reads up to 48 bytes.
  @inline(__always)
  private static func plainValue(
    at cursor: inout UnsafePointer<UInt8>, in arena: inout Arena
  ) -> Slot? {
    switch cursor[0] {
    case UInt8(ascii: "\""):
      guard let count = plainCount(from: cursor + 1),
        let slot = arena.copyWords(from: cursor + 1, count: count)
      else { return nil }
      cursor += count &+ 2
      return slot
    case UInt8(ascii: "0")...UInt8(ascii: "9"): return plainNumber(at: &cursor)
    case UInt8(ascii: "t") where word(at: cursor) == Self.trueEnding:
      cursor += 4
      return .bool(true)
    case UInt8(ascii: "f") where word(at: cursor + 1) == Self.falseEnding:
      cursor += 5
      return .bool(false)
    default: return nil
    }
  }

  @inline(__always)
  private static func plainNumber(at cursor: inout UnsafePointer<UInt8>) -> Slot? {
    var decimal = Decimal()
    var end = digits(from: cursor, &decimal)
    guard end - cursor == 1 || cursor[0] != UInt8(ascii: "0") else { return nil }
    let isInteger = end[0] != UInt8(ascii: ".")
    if !isInteger {
      let fraction = end + 1
      end = digits(from: fraction, &decimal)
      guard end > fraction else { return nil }
      decimal.exponent = fraction - end
    }
    // With fewer than 18 characters, no digit was dropped and none overflowed.
    guard end - cursor < 18, end[0] | 0x20 != UInt8(ascii: "e"),
      let slot = isInteger
        ? .int(Int64(bitPattern: decimal.significand)) : decimal.exactDouble.map(Slot.double)
    else { return nil }
    cursor = end
    return slot
  }

  /// Appends up to 18 digits and returns the position after them.
  @inline(__always)
  private static func digits(
    from start: UnsafePointer<UInt8>, _ decimal: inout Decimal
  ) -> UnsafePointer<UInt8> {
    var end = start
    while end - start < 18, end[0] &- UInt8(ascii: "0") < 10 {
      decimal.significand = decimal.significand &* 10 &+ UInt64(end[0] &- UInt8(ascii: "0"))
      end += 1
    }
    return end
  }

  @inline(__always)
  private static func word(at start: UnsafePointer<UInt8>) -> UInt32 {
    UInt32(littleEndian: UnsafeRawPointer(start).loadUnaligned(as: UInt32.self))
  }
}
