import ExpressionCoding

/// The content of a JSON string with its escapes decoded, and the way back to what is written.
struct JSONStringText: Sendable {
  /// An escape sequence, or what takes its place.
  private struct Escape {
    var decoded: Range<Int>
    var raw: Range<Int>
  }

  /// The decoded bytes, valid UTF-8: half a surrogate pair and an unknown escape become U+FFFD.
  private(set) var bytes: [UInt8] = []
  /// Whether RFC 8259 allows the content.
  private(set) var isValid = true
  private var escapes: [Escape] = []

  /// Decodes the content of a string.
  ///
  /// - Parameters:
  ///   - content: The place between the quotes.
  ///   - document: The whole document.
  init(_ content: Range<Int>, in document: [UInt8], hasEscapes: Bool) {
    let start = content.lowerBound
    guard hasEscapes else {
      bytes = Array(document[content])
      isValid = bytes.allSatisfy { $0 >= 0x20 }
      return
    }
    bytes.reserveCapacity(content.count)
    var index = start
    while index < content.upperBound {
      guard document[index] == UInt8(ascii: "\\") else {
        bytes.append(document[index])
        isValid = isValid && document[index] >= 0x20
        index += 1
        continue
      }
      let (scalar, length) = Self.escape(at: index, in: document[..<content.upperBound])
      // The character in place of a malformed escape; `\uFFFD` is one, and is judged by the strict
      // reader.
      isValid = isValid && scalar != "\u{FFFD}"
      let first = bytes.count
      if scalar.isASCII {
        bytes.append(UInt8(truncatingIfNeeded: scalar.value))
      } else {
        bytes.append(contentsOf: String(Character(scalar)).utf8)
      }
      escapes.append(
        Escape(
          decoded: first..<bytes.count,
          raw: index - start..<min(index + length, content.upperBound) - start))
      index = min(index + length, content.upperBound)
    }
  }

  /// Returns the character of an escape sequence, and the length of the sequence in bytes.
  private static func escape(
    at index: Int, in document: ArraySlice<UInt8>
  ) -> (scalar: Unicode.Scalar, length: Int) {
    guard index + 1 < document.endIndex else { return ("\u{FFFD}", 1) }
    switch document[index + 1] {
    case UInt8(ascii: "\""): return ("\"", 2)
    case UInt8(ascii: "\\"): return ("\\", 2)
    case UInt8(ascii: "/"): return ("/", 2)
    case UInt8(ascii: "b"): return ("\u{8}", 2)
    case UInt8(ascii: "f"): return ("\u{C}", 2)
    case UInt8(ascii: "n"): return ("\n", 2)
    case UInt8(ascii: "r"): return ("\r", 2)
    case UInt8(ascii: "t"): return ("\t", 2)
    case UInt8(ascii: "u"):
      guard let first = hexadecimal(at: index + 2, in: document) else { return ("\u{FFFD}", 2) }
      if let scalar = Unicode.Scalar(first) { return (scalar, 6) }
      guard first < 0xDC00, index + 7 < document.endIndex,
        document[index + 6] == UInt8(ascii: "\\"), document[index + 7] == UInt8(ascii: "u"),
        let second = hexadecimal(at: index + 8, in: document), (0xDC00..<0xE000).contains(second),
        let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
      else { return ("\u{FFFD}", 6) }
      return (scalar, 12)
    // The backslash alone; what follows may be a character of several bytes.
    default: return ("\u{FFFD}", 1)
    }
  }

  private static func hexadecimal(at start: Int, in document: ArraySlice<UInt8>) -> UInt32? {
    guard start + 4 <= document.endIndex else { return nil }
    var value: UInt32 = 0
    for byte in document[start..<start + 4] {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): value = value << 4 | UInt32(byte - 0x30)
      case UInt8(ascii: "a")...UInt8(ascii: "f"): value = value << 4 | UInt32(byte - 0x57)
      case UInt8(ascii: "A")...UInt8(ascii: "F"): value = value << 4 | UInt32(byte - 0x37)
      default: return nil
      }
    }
    return value
  }

  // MARK: Positions

  /// Returns the offset from the start of the written content of an offset in the decoded text.
  /// Inside the bytes of an escape it is the start of the escape, or its end for `roundingUp`.
  func writtenOffset(of decoded: Int, roundingUp: Bool = false) -> Int {
    guard let escape = last(where: { $0.decoded.lowerBound <= decoded }) else { return decoded }
    if decoded == escape.decoded.lowerBound { return escape.raw.lowerBound }
    if decoded < escape.decoded.upperBound {
      return roundingUp ? escape.raw.upperBound : escape.raw.lowerBound
    }
    return escape.raw.upperBound + decoded - escape.decoded.upperBound
  }

  /// Returns the offset in the decoded text of an offset from the start of the written content.
  /// Inside an escape it is the start of the escape.
  func decodedOffset(of raw: Int) -> Int {
    guard let escape = last(where: { $0.raw.lowerBound <= raw }) else { return max(raw, 0) }
    if raw < escape.raw.upperBound { return escape.decoded.lowerBound }
    return escape.decoded.upperBound + raw - escape.raw.upperBound
  }

  /// Returns the last escape of which a condition holds that holds up to some escape only.
  private func last(where holds: (Escape) -> Bool) -> Escape? {
    var low = 0
    var high = escapes.count
    while low < high {
      let middle = (low + high) / 2
      if holds(escapes[middle]) { low = middle + 1 } else { high = middle }
    }
    return low > 0 ? escapes[low - 1] : nil
  }

  /// Returns a text as the content of a JSON string.
  static func escaped(_ text: String) -> String {
    var writer = JSONWriter()
    writer.string(text)
    return String(writer.text.dropFirst().dropLast())
  }
}
