extension JSONScanner {
  /// The UTF-8 bytes of the current `key` or `string`, with escapes decoded.
  ///
  /// The buffer is valid until the next call of ``nextToken()`` or ``skipValue()``. It points into
  /// the input if the string has no escapes.
  package var stringBytes: UnsafeBufferPointer<UInt8> {
    if stringIsDecoded {
      return UnsafeBufferPointer(start: scratch, count: stringCount)
    }
    return UnsafeBufferPointer(rebasing: bytes[stringStart..<stringStart &+ stringCount])
  }

  /// The current `key` or `string` as an owned string.
  package var stringValue: String { String(decoding: stringBytes, as: UTF8.self) }

  /// Whether the current string was written with escapes and is therefore stored in the scanner's
  /// own buffer instead of the input.
  package var stringIsInScratch: Bool { stringIsDecoded }

  /// Scans a string from its opening quote through its closing quote.
  @inline(__always)
  mutating func scanString() throws(JSONError) {
    let start = position &+ 1
    var end = skipPlainASCII(from: start)
    if end == bytes.count || bytes[end] != UInt8(ascii: "\"") {
      position = end
      guard let quote = try scanPlainRun() else { return try decodeString(from: start) }
      end = quote
    }
    stringStart = start
    stringCount = end &- start
    stringIsDecoded = false
    position = end &+ 1
  }

  /// Moves past characters that need no decoding.
  ///
  /// - Returns: The offset of the closing quote, or `nil` with the position at a backslash.
  @inline(never)
  private mutating func scanPlainRun() throws(JSONError) -> Int? {
    let count = bytes.count
    var index = position
    while true {
      index = skipPlainASCII(from: index)
      guard index < count else {
        position = index
        throw error(.unexpectedEnd, "expected `\"` at the end of the string")
      }
      let byte = bytes[index]
      if byte == UInt8(ascii: "\"") { return index }
      position = index
      if byte == UInt8(ascii: "\\") { return nil }
      if byte < 0x20 {
        throw error(
          .controlCharacter,
          "a control character in a string must be escaped, found "
            + characterPhrase)
      }
      let length = utf8SequenceLength(at: index)
      guard length > 0 else {
        throw error(.invalidUTF8, "the text is not valid UTF-8: \(characterPhrase)")
      }
      index &+= length
    }
  }

  /// The offset of the first byte from `index` on that is a quote, a backslash, a control character
  /// or not ASCII; eight bytes at a time.
  @inline(__always)
  private func skipPlainASCII(from start: Int) -> Int {
    let count = bytes.count
    var index = start
    let raw = UnsafeRawBufferPointer(bytes)
    while index &+ 8 <= count {
      let special = Self.specialBytes(
        in: raw.loadUnaligned(fromByteOffset: index, as: UInt64.self))
      if special != 0 { return index &+ special.trailingZeroBitCount >> 3 }
      index &+= 8
    }
    while index < count {
      let byte = bytes[index]
      if byte == 0x22 || byte == 0x5C || byte < 0x20 || byte >= 0x80 { return index }
      index &+= 1
    }
    return index
  }

  /// A mask with the highest bit of the first of eight bytes that is a quote, a backslash, a
  /// control character or not ASCII, and possibly of some bytes after it; 0 when all bytes are
  /// plain.
  @inline(__always)
  static func specialBytes(in memory: UInt64) -> UInt64 {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let highs: UInt64 = 0x8080_8080_8080_8080
    let word = UInt64(littleEndian: memory)
    let quotes = word ^ (ones &* 0x22)
    let slashes = word ^ (ones &* 0x5C)
    // Each test may wrongly flag bytes above its first hit, but never below: the lowest is exact.
    return
      ((quotes &- ones) & ~quotes | (slashes &- ones) & ~slashes
      | (word &- ones &* 0x20) & ~word | word) & highs
  }

  /// The length of the well-formed UTF-8 sequence of two to four bytes at `index`, or 0 if the
  /// bytes are not well-formed (Unicode 15, table 3-7).
  private func utf8SequenceLength(at index: Int) -> Int {
    let first = bytes[index]
    let length: Int
    var lower: UInt8 = 0x80
    var upper: UInt8 = 0xBF
    switch first {
    case 0xC2...0xDF: length = 2
    case 0xE0:
      length = 3
      lower = 0xA0
    case 0xED:
      length = 3
      upper = 0x9F
    case 0xE1...0xEF: length = 3
    case 0xF0:
      length = 4
      lower = 0x90
    case 0xF1...0xF3: length = 4
    case 0xF4:
      length = 4
      upper = 0x8F
    default: return 0
    }
    guard index &+ length <= bytes.count else { return 0 }
    guard bytes[index &+ 1] >= lower && bytes[index &+ 1] <= upper else { return 0 }
    for offset in 2..<max(length, 2) where bytes[index &+ offset] & 0xC0 != 0x80 { return 0 }
    return length
  }
}

// MARK: - Escapes

extension JSONScanner {
  /// Decodes the string that starts at `start` into the scratch buffer. The position is at its
  /// first backslash.
  @inline(never)
  private mutating func decodeString(from start: Int) throws(JSONError) {
    var runStart = start
    var count = 0
    while true {
      appendRun(from: runStart, to: position, count: &count)
      try decodeEscape(count: &count)
      runStart = position
      if let end = try scanPlainRun() {
        appendRun(from: runStart, to: end, count: &count)
        stringCount = count
        stringIsDecoded = true
        position = end &+ 1
        return
      }
    }
  }

  private mutating func appendRun(from start: Int, to end: Int, count: inout Int) {
    reserveScratch(count &+ (end &- start) &+ 4)
    guard let scratch, let base = bytes.baseAddress, end > start else { return }
    (scratch + count).update(from: base + start, count: end &- start)
    count &+= end &- start
  }

  private mutating func reserveScratch(_ capacity: Int) {
    guard capacity > scratchCapacity else { return }
    let newCapacity = max(256, capacity &* 2)
    let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: newCapacity)
    larger.initialize(repeating: 0, count: newCapacity)
    if let scratch {
      larger.update(from: scratch, count: scratchCapacity)
      scratch.deallocate()
    }
    scratch = larger
    scratchCapacity = newCapacity
  }

  /// Decodes the escape at the current position. The buffer has room for the four bytes it may
  /// take.
  private mutating func decodeEscape(count: inout Int) throws(JSONError) {
    guard position &+ 1 < bytes.count else {
      position = bytes.count
      throw error(.unexpectedEnd, "expected an escape, found the end of the text")
    }
    let plain: UInt8
    switch bytes[position &+ 1] {
    case UInt8(ascii: "\""): plain = 0x22
    case UInt8(ascii: "\\"): plain = 0x5C
    case UInt8(ascii: "/"): plain = 0x2F
    case UInt8(ascii: "b"): plain = 0x08
    case UInt8(ascii: "f"): plain = 0x0C
    case UInt8(ascii: "n"): plain = 0x0A
    case UInt8(ascii: "r"): plain = 0x0D
    case UInt8(ascii: "t"): plain = 0x09
    case UInt8(ascii: "u"):
      appendScalar(try decodeUnicodeEscape(), count: &count)
      return
    default:
      position &+= 1
      throw error(.invalidEscape, "expected an escape after `\\`, found \(characterPhrase)")
    }
    position &+= 2
    scratch?[count] = plain
    count &+= 1
  }

  private mutating func decodeUnicodeEscape() throws(JSONError) -> UInt32 {
    let start = position
    let first = try scanHexQuad()
    guard first & 0xF800 == 0xD800 else { return first }
    // A skipped value keeps no text, so half a pair does no harm.
    if isSkipping { return 0xFFFD }
    if first < 0xDC00, position &+ 1 < bytes.count, bytes[position] == UInt8(ascii: "\\"),
      bytes[position &+ 1] == UInt8(ascii: "u")
    {
      let second = try scanHexQuad()
      if second & 0xFC00 == 0xDC00 {
        return 0x10000 &+ (first & 0x3FF) << 10 &+ second & 0x3FF
      }
    }
    position = start
    throw error(.loneSurrogate, "this `\\u` escape is only half of a surrogate pair")
  }

  /// Reads `\uXXXX` at the current position.
  private mutating func scanHexQuad() throws(JSONError) -> UInt32 {
    position &+= 2
    var value: UInt32 = 0
    for _ in 0..<4 {
      guard position < bytes.count else {
        throw error(.unexpectedEnd, "expected four hexadecimal digits after `\\u`")
      }
      let digit: UInt8
      switch bytes[position] {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = bytes[position] &- 0x30
      case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = bytes[position] &- 0x57
      case UInt8(ascii: "A")...UInt8(ascii: "F"): digit = bytes[position] &- 0x37
      default:
        throw error(
          .invalidEscape, "expected four hexadecimal digits after `\\u`, found \(characterPhrase)")
      }
      value = value << 4 | UInt32(digit)
      position &+= 1
    }
    return value
  }

  private func appendScalar(_ scalar: UInt32, count: inout Int) {
    guard let scratch else { return }
    switch scalar {
    case ..<0x80:
      scratch[count] = UInt8(truncatingIfNeeded: scalar)
      count &+= 1
    case ..<0x800:
      scratch[count] = UInt8(truncatingIfNeeded: 0xC0 | scalar >> 6)
      scratch[count &+ 1] = UInt8(truncatingIfNeeded: 0x80 | scalar & 0x3F)
      count &+= 2
    case ..<0x10000:
      scratch[count] = UInt8(truncatingIfNeeded: 0xE0 | scalar >> 12)
      scratch[count &+ 1] = UInt8(truncatingIfNeeded: 0x80 | scalar >> 6 & 0x3F)
      scratch[count &+ 2] = UInt8(truncatingIfNeeded: 0x80 | scalar & 0x3F)
      count &+= 3
    default:
      scratch[count] = UInt8(truncatingIfNeeded: 0xF0 | scalar >> 18)
      scratch[count &+ 1] = UInt8(truncatingIfNeeded: 0x80 | scalar >> 12 & 0x3F)
      scratch[count &+ 2] = UInt8(truncatingIfNeeded: 0x80 | scalar >> 6 & 0x3F)
      scratch[count &+ 3] = UInt8(truncatingIfNeeded: 0x80 | scalar & 0x3F)
      count &+= 4
    }
  }
}
