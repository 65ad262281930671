#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#elseif canImport(WasmLibc)
  import WasmLibc
#endif

// Searching and rewriting of text. Offsets and ranges are in bytes; a well-formed needle is found
// only at code point boundaries of well-formed text, because UTF-8 synchronises itself.
extension UTF8Text {
  /// Returns the offset of the first occurrence of `needle` at or after `start`, or `nil` if it
  /// does not occur.
  ///
  /// An empty needle is found at `start`. Linear in the length of text and needle.
  static func firstIndex(of needle: UTF8Bytes, in text: UTF8Bytes, from start: Int = 0) -> Int? {
    guard start >= 0, start <= text.count, needle.count <= text.count &- start else { return nil }
    guard let needleBase = needle.baseAddress, !needle.isEmpty, let base = text.baseAddress
    else { return start }
    let first = Int32(needle[0])
    let lastStart = text.count &- needle.count
    var index = start
    // Comparing at every occurrence of the first byte is fast on ordinary text and quadratic on
    // hostile text, so it has a budget, after which the linear algorithm takes over.
    var budget = (text.count &- start) &* 8 &+ 1_024
    while index <= lastStart {
      guard let hit = memchr(base + index, first, lastStart &- index &+ 1) else { return nil }
      index = UnsafeRawPointer(hit) - UnsafeRawPointer(base)
      if memcmp(hit, needleBase, needle.count) == 0 { return index }
      index &+= 1
      budget &-= needle.count
      if budget < 0 {
        return linearSearch(needle, in: text, from: index, to: lastStart, last: false)
      }
    }
    return nil
  }

  /// Returns the offset of the last occurrence of `needle` that starts at or before `limit`.
  static func lastIndex(of needle: UTF8Bytes, in text: UTF8Bytes, startingAtMost limit: Int) -> Int?
  {
    guard limit >= 0, needle.count <= text.count else { return nil }
    var index = min(limit, text.count &- needle.count)
    guard let first = needle.first, let needleBase = needle.baseAddress,
      let base = text.baseAddress
    else { return index }
    var budget = index &* 8 &+ 1_024
    while index >= 0 {
      if text[index] == first {
        if memcmp(base + index, needleBase, needle.count) == 0 { return index }
        budget &-= needle.count
        if budget < 0 { return linearSearch(needle, in: text, from: 0, to: index, last: true) }
      }
      index &-= 1
    }
    return nil
  }

  /// Searches for a needle that starts in `start ... end` (Knuth–Morris–Pratt).
  private static func linearSearch(
    _ needle: UTF8Bytes, in text: UTF8Bytes, from start: Int, to end: Int, last: Bool
  ) -> Int? {
    // borders[i]: the length of the longest proper prefix of the needle that is also a suffix of
    // its first i + 1 bytes.
    var borders = [Int](repeating: 0, count: needle.count)
    var length = 0
    for index in 1..<max(needle.count, 1) {
      while length > 0, needle[index] != needle[length] { length = borders[length &- 1] }
      if needle[index] == needle[length] { length &+= 1 }
      borders[index] = length
    }
    var found: Int?
    length = 0
    var index = start
    while index < text.count, index &- length <= end {
      while length > 0, text[index] != needle[length] { length = borders[length &- 1] }
      if text[index] == needle[length] { length &+= 1 }
      index &+= 1
      if length == needle.count {
        guard index &- length <= end else { break }
        found = index &- length
        if !last { return found }
        length = borders[length &- 1]
      }
    }
    return found
  }

  /// Returns whether the text contains the needle. Every text contains the empty needle.
  static func contains(_ needle: UTF8Bytes, in text: UTF8Bytes) -> Bool {
    firstIndex(of: needle, in: text) != nil
  }

  /// Returns the order of the bytes of two texts: negative, zero or positive.
  @inline(__always)
  static func order(_ left: UTF8Bytes, _ right: UTF8Bytes) -> Int {
    if let a = left.baseAddress, let b = right.baseAddress {
      let order = memcmp(a, b, min(left.count, right.count))
      if order != 0 { return Int(order) }
    }
    return left.count &- right.count
  }

  /// Returns whether two texts of the same length have the same bytes.
  ///
  /// - Parameter count: The length.
  @inline(__always)
  static func areEqual(_ left: UnsafeRawPointer, _ right: UnsafeRawPointer, count: Int) -> Bool {
    func word<Word: FixedWidthInteger & BitwiseCopyable>(
      _ address: UnsafeRawPointer, _ offset: Int, _: Word.Type
    ) -> Word {
      address.loadUnaligned(fromByteOffset: offset, as: Word.self)
    }
    if count >= 8 {
      var offset = 0
      while offset &+ 8 < count {
        if word(left, offset, UInt64.self) != word(right, offset, UInt64.self) { return false }
        offset &+= 8
      }
      // The last word overlaps the previous one.
      return word(left, count &- 8, UInt64.self) == word(right, count &- 8, UInt64.self)
    }
    if count >= 4 {
      return word(left, 0, UInt32.self) == word(right, 0, UInt32.self)
        && word(left, count &- 4, UInt32.self) == word(right, count &- 4, UInt32.self)
    }
    for offset in 0..<count
    where word(left, offset, UInt8.self) != word(right, offset, UInt8.self) {
      return false
    }
    return true
  }

  /// Returns whether the text starts with the prefix.
  @inline(__always)
  static func hasPrefix(_ prefix: UTF8Bytes, in text: UTF8Bytes) -> Bool {
    guard prefix.count <= text.count else { return false }
    guard let prefixBase = prefix.baseAddress, let base = text.baseAddress else { return true }
    return areEqual(base, prefixBase, count: prefix.count)
  }

  /// Returns whether the text ends with the suffix.
  @inline(__always)
  static func hasSuffix(_ suffix: UTF8Bytes, in text: UTF8Bytes) -> Bool {
    guard suffix.count <= text.count else { return false }
    guard let suffixBase = suffix.baseAddress, let base = text.baseAddress else { return true }
    return areEqual(base + (text.count &- suffix.count), suffixBase, count: suffix.count)
  }

  /// Appends the text with ASCII letters in lower case; all other bytes are unchanged.
  static func appendLowercasedASCII(_ text: UTF8Bytes, to output: inout [UInt8]) {
    output.reserveCapacity(output.count &+ text.count)
    for byte in text { output.append(byte &- 0x41 < 26 ? byte | 0x20 : byte) }
  }

  /// Appends the text with ASCII letters in upper case; all other bytes are unchanged.
  static func appendUppercasedASCII(_ text: UTF8Bytes, to output: inout [UInt8]) {
    output.reserveCapacity(output.count &+ text.count)
    for byte in text { output.append(byte &- 0x61 < 26 ? byte & 0xDF : byte) }
  }

  /// Appends the text with its code points in reverse order; ill-formed sequences stay together.
  static func appendReversed(_ text: UTF8Bytes, to output: inout [UInt8]) {
    output.reserveCapacity(output.count &+ text.count)
    var end = text.count
    while end > 0 {
      var start = end &- 1
      while start > 0, text[start] & 0xC0 == 0x80, end &- start < 4 { start &-= 1 }
      output.append(contentsOf: text[start..<end])
      end = start
    }
  }

  /// Appends the text with occurrences of `needle` replaced, left to right, without overlaps.
  ///
  /// An empty needle matches before every code point and at the end.
  ///
  /// - Parameters:
  ///   - limit: The maximum number of replacements; negative for all, 0 for none.
  ///   - maximumLength: The maximum length of `output`, in bytes.
  /// - Returns: `false` when `output` would grow beyond `maximumLength`; its content is then
  ///   partial.
  static func appendReplacing(
    _ needle: UTF8Bytes, with replacement: UTF8Bytes, in text: UTF8Bytes, limit: Int = -1,
    maximumLength: Int = .max, to output: inout [UInt8]
  ) -> Bool {
    var remaining = limit < 0 ? Int.max : limit
    var copied = 0
    var searchFrom = 0
    while remaining > 0, let hit = firstIndex(of: needle, in: text, from: searchFrom) {
      let added = (hit &- copied) &+ replacement.count
      if output.count > maximumLength &- added { return false }
      output.append(contentsOf: text[copied..<hit])
      output.append(contentsOf: replacement)
      remaining &-= 1
      copied = hit &+ needle.count
      searchFrom = copied
      if needle.isEmpty {
        guard hit < text.count else { break }
        searchFrom = hit &+ decode(text, at: hit).length
      }
    }
    if output.count > maximumLength &- (text.count &- copied) { return false }
    output.append(contentsOf: text[copied..<text.count])
    return true
  }

  /// Calls `body` with the byte range of each piece of the text between separators, in order.
  ///
  /// - Parameters:
  ///   - separator: The text between pieces; empty to split the text into code points.
  ///   - limit: The maximum number of pieces, the last of which holds the rest; negative for no
  ///     limit, 0 for no pieces.
  static func forEachPiece(
    of text: UTF8Bytes, separatedBy separator: UTF8Bytes, limit: Int = -1,
    _ body: (Range<Int>) -> Void
  ) {
    if limit == 0 { return }
    var remaining = limit < 0 ? Int.max : limit
    var start = 0
    if separator.isEmpty {
      while start < text.count, remaining > 1 {
        let end = start &+ decode(text, at: start).length
        body(start..<end)
        start = end
        remaining &-= 1
      }
      if start < text.count { body(start..<text.count) }
      return
    }
    while remaining > 1, let hit = firstIndex(of: separator, in: text, from: start) {
      body(start..<hit)
      start = hit &+ separator.count
      remaining &-= 1
    }
    body(start..<text.count)
  }
}

extension String {
  /// Returns whether the bytes of another text occur in this one.
  ///
  /// `contains(_:)` would look for equivalent characters, and add the regular expressions of the
  /// standard library, more than a megabyte, to static executables.
  package func hasBytes(of needle: StaticString) -> Bool {
    var text = self
    return text.withUTF8 { text in
      needle.withUTF8Buffer { UTF8Text.contains($0, in: text) }
    }
  }
}
