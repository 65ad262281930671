/// The bytes of a text or a pattern, borrowed from their owner.
typealias UTF8Bytes = UnsafeBufferPointer<UInt8>

/// Validation, decoding and counting of UTF-8. Pure functions over borrowed bytes.
enum UTF8Text {
  /// U+FFFD in UTF-8, which replaces bytes that cannot be decoded.
  static let replacementCharacter: [UInt8] = [0xEF, 0xBF, 0xBD]

  /// One step of decoding.
  struct Step {
    /// The code point; U+FFFD where the bytes are ill-formed.
    var scalar: UInt32
    /// The number of bytes to advance: 1 ... 4 for a code point, and the length of the longest
    /// well-formed prefix (at least 1) if the bytes are ill-formed.
    var length: Int
    /// Whether the bytes are a code point.
    var isValid: Bool
  }

  /// Decodes the code point at `index`, which must lie inside `bytes`.
  @inline(__always)
  static func decode(_ bytes: UTF8Bytes, at index: Int) -> Step {
    let first = bytes[index]
    if first < 0x80 { return Step(scalar: UInt32(first), length: 1, isValid: true) }
    return decodeMultibyte(bytes, at: index)
  }

  private static func decodeMultibyte(_ bytes: UTF8Bytes, at index: Int) -> Step {
    let first = bytes[index]
    let available = bytes.count &- index
    // The second byte's range excludes overlong forms, surrogates and code points above U+10FFFF.
    var lower: UInt8 = 0x80
    var upper: UInt8 = 0xBF
    let length: Int
    var scalar: UInt32
    switch first {
    case 0xC2...0xDF:
      length = 2
      scalar = UInt32(first & 0x1F)
    case 0xE0...0xEF:
      length = 3
      scalar = UInt32(first & 0x0F)
      if first == 0xE0 { lower = 0xA0 }
      if first == 0xED { upper = 0x9F }
    case 0xF0...0xF4:
      length = 4
      scalar = UInt32(first & 0x07)
      if first == 0xF0 { lower = 0x90 }
      if first == 0xF4 { upper = 0x8F }
    default:
      return Step(scalar: 0xFFFD, length: 1, isValid: false)
    }
    var position = 1
    while position < length {
      guard position < available else { break }
      let next = bytes[index &+ position]
      guard next >= lower, next <= upper else { break }
      scalar = scalar << 6 | UInt32(next & 0x3F)
      lower = 0x80
      upper = 0xBF
      position &+= 1
    }
    if position == length { return Step(scalar: scalar, length: length, isValid: true) }
    return Step(scalar: 0xFFFD, length: position, isValid: false)
  }

  /// Returns the offset of the first byte at or after `start` that is not ASCII, or the number of
  /// bytes.
  static func asciiPrefixEnd(_ bytes: UTF8Bytes, from start: Int = 0) -> Int {
    guard let base = bytes.baseAddress else { return 0 }
    var index = start
    let raw = UnsafeRawPointer(base)
    while index &+ 8 <= bytes.count {
      // In bounds: eight bytes from `index` end at or before `count`.
      let word = raw.loadUnaligned(fromByteOffset: index, as: UInt64.self)
      if word & 0x8080_8080_8080_8080 != 0 { break }
      index &+= 8
    }
    while index < bytes.count, bytes[index] < 0x80 { index &+= 1 }
    return index
  }

  /// Returns whether the bytes are well-formed UTF-8.
  static func isValid(_ bytes: UTF8Bytes) -> Bool {
    var index = asciiPrefixEnd(bytes)
    while index < bytes.count {
      let step = decode(bytes, at: index)
      guard step.isValid else { return false }
      index &+= step.length
      if step.length == 1 { index = asciiPrefixEnd(bytes, from: index) }
    }
    return true
  }

  /// Appends the bytes with U+FFFD in place of ill-formed ones.
  ///
  /// - Parameter collapsingRuns: Whether adjacent ill-formed sequences give a single U+FFFD (`%s`
  ///   of the cel dialect) instead of one for each longest well-formed prefix (Rust, Unicode's
  ///   recommendation).
  static func appendLossy(
    _ bytes: UTF8Bytes, collapsingRuns: Bool = false, to output: inout [UInt8]
  ) {
    var index = 0
    var copied = 0
    var afterInvalid = false
    while index < bytes.count {
      let step = decode(bytes, at: index)
      if step.isValid {
        afterInvalid = false
        index &+= step.length
        continue
      }
      output.append(contentsOf: bytes[copied..<index])
      if !(collapsingRuns && afterInvalid) { output.append(contentsOf: replacementCharacter) }
      afterInvalid = true
      index &+= step.length
      copied = index
    }
    output.append(contentsOf: bytes[copied..<bytes.count])
  }

  /// Appends a code point; U+FFFD for a surrogate or a number above U+10FFFF.
  static func append(scalar: UInt32, to output: inout [UInt8]) {
    guard let valid = Unicode.Scalar(scalar) else {
      output.append(contentsOf: replacementCharacter)
      return
    }
    output.append(contentsOf: UTF8.encode(valid) ?? UTF8.encodedReplacementCharacter)
  }

  /// Returns the number of code points of well-formed text: the bytes that do not continue one.
  /// O(n).
  static func codePointCount(_ bytes: UTF8Bytes) -> Int {
    guard let base = bytes.baseAddress else { return 0 }
    let raw = UnsafeRawPointer(base)
    var continuations = 0
    var index = 0
    while index &+ 8 <= bytes.count {
      // In bounds: eight bytes from `index` end at or before `count`.
      let word = raw.loadUnaligned(fromByteOffset: index, as: UInt64.self)
      // A byte continues a code point when its top bit is set and the next one is clear.
      let marks = (word >> 7) & (~word >> 6) & 0x0101_0101_0101_0101
      continuations &+= marks.nonzeroBitCount
      index &+= 8
    }
    while index < bytes.count {
      if bytes[index] & 0xC0 == 0x80 { continuations &+= 1 }
      index &+= 1
    }
    return bytes.count &- continuations
  }

  /// Returns the byte offset of the code point number `position`, counted from `start`.
  ///
  /// - Returns: The number of bytes for the position directly after the last code point; `nil`
  ///   beyond it or for a negative position.
  static func byteOffset(_ bytes: UTF8Bytes, ofCodePoint position: Int, from start: Int = 0) -> Int?
  {
    guard position >= 0 else { return nil }
    var remaining = position
    var index = start
    while remaining > 0 {
      guard index < bytes.count else { return nil }
      index &+= decode(bytes, at: index).length
      remaining &-= 1
    }
    return index
  }

  /// Returns whether the code point has Unicode's `White_Space` property (docs/spec/cel.md §17,
  /// `trim`).
  static func isWhiteSpace(_ scalar: UInt32) -> Bool {
    switch scalar {
    case 0x09...0x0D, 0x20, 0x85, 0xA0, 0x1680, 0x2000...0x200A, 0x2028, 0x2029, 0x202F, 0x205F,
      0x3000:
      true
    default: false
    }
  }

  /// Returns the range without white space at both ends, empty at the end if there is only white
  /// space.
  static func trimmedRange(_ bytes: UTF8Bytes) -> Range<Int> {
    var start = 0
    while start < bytes.count {
      let step = decode(bytes, at: start)
      guard isWhiteSpace(step.scalar) else { break }
      start &+= step.length
    }
    var end = bytes.count
    while end > start {
      var previous = end &- 1
      while previous > start, bytes[previous] & 0xC0 == 0x80 { previous &-= 1 }
      guard isWhiteSpace(decode(bytes, at: previous).scalar) else { break }
      end = previous
    }
    return start..<end
  }
}
