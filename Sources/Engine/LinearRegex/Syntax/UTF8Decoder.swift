/// Reads UTF-8.
enum UTF8Decoder {
  /// A scalar, its length in bytes, and whether it is well formed. What is not counts as U+FFFD of
  /// one byte.
  @inline(__always)
  static func decode(
    _ bytes: UnsafeBufferPointer<UInt8>, at index: Int
  ) -> (scalar: UInt32, length: Int, isValid: Bool) {
    guard let base = bytes.baseAddress, index < bytes.count else { return (0xFFFD, 1, false) }
    return decode(base + index, bytes.count &- index)
  }

  /// Reads the scalar at an address, of at most `count` bytes, which must be at least 1.
  @inline(__always)
  static func decode(
    _ start: UnsafePointer<UInt8>, _ count: Int
  ) -> (scalar: UInt32, length: Int, isValid: Bool) {
    let first = UInt32(start[0])
    if first < 0x80 { return (first, 1, true) }
    if first >= 0xC2, first < 0xE0, count >= 2 {
      let second = UInt32(start[1]) ^ 0x80
      if second < 0x40 { return ((first & 0x1F) << 6 | second, 2, true) }
    } else if first >= 0xE0, first < 0xF0, count >= 3 {
      let second = UInt32(start[1]) ^ 0x80
      let third = UInt32(start[2]) ^ 0x80
      let scalar = (first & 0x0F) << 12 | second << 6 | third
      if second < 0x40, third < 0x40, scalar >= 0x800, scalar &- 0xD800 >= 0x800 {
        return (scalar, 3, true)
      }
    } else if first >= 0xF0, first < 0xF5, count >= 4 {
      let second = UInt32(start[1]) ^ 0x80
      let third = UInt32(start[2]) ^ 0x80
      let fourth = UInt32(start[3]) ^ 0x80
      let scalar = (first & 0x07) << 18 | second << 12 | third << 6 | fourth
      if second < 0x40, third < 0x40, fourth < 0x40, scalar >= 0x1_0000, scalar < 0x11_0000 {
        return (scalar, 4, true)
      }
    }
    return (0xFFFD, 1, false)
  }

  /// The first byte that is not part of a well-formed scalar; `nil` if there is none.
  static func firstInvalid(_ bytes: UnsafeBufferPointer<UInt8>) -> Range<Int>? {
    var index = 0
    while index < bytes.count {
      let step = decode(bytes, at: index)
      guard step.isValid else { return index..<index &+ 1 }
      index &+= step.length
    }
    return nil
  }
}
