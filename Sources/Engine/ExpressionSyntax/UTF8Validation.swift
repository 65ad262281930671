/// Finds the first byte that is not part of valid UTF-8.
package enum UTF8Validation {
  /// Returns the offset of the first invalid byte, or `nil`. ASCII costs one pass of eight bytes at
  /// a time.
  package static func firstInvalidByte(in bytes: UnsafeBufferPointer<UInt8>) -> Int? {
    var index = 0
    let count = bytes.count
    while index &+ 8 <= count {
      let word = UnsafeRawPointer(bytes.baseAddress.unsafelyUnwrapped)
        .loadUnaligned(fromByteOffset: index, as: UInt64.self)
      if word & 0x8080_8080_8080_8080 != 0 { break }
      index &+= 8
    }
    while index < count {
      guard let length = sequenceLength(in: bytes, at: index) else { return index }
      index &+= length
    }
    return nil
  }

  /// Returns the length of the well-formed sequence at an offset (Unicode, table 3-7), or `nil`.
  private static func sequenceLength(in bytes: UnsafeBufferPointer<UInt8>, at index: Int) -> Int? {
    let lead = bytes[index]
    if lead < 0x80 { return 1 }
    let length: Int
    var second: ClosedRange<UInt8> = 0x80...0xBF
    switch lead {
    case 0xC2...0xDF: length = 2
    case 0xE0:
      length = 3
      second = 0xA0...0xBF
    case 0xED:
      length = 3
      second = 0x80...0x9F
    case 0xE1...0xEF: length = 3
    case 0xF0:
      length = 4
      second = 0x90...0xBF
    case 0xF1...0xF3: length = 4
    case 0xF4:
      length = 4
      second = 0x80...0x8F
    default: return nil
    }
    guard index &+ length <= bytes.count, second.contains(bytes[index &+ 1]) else { return nil }
    var offset = 2
    while offset < length {
      guard bytes[index &+ offset] & 0xC0 == 0x80 else { return nil }
      offset &+= 1
    }
    return length
  }
}
