import ExpressionEngine

/// Writes JSON text, compact or indented, token by token.
///
/// The writer sets commas, colons, line breaks and escapes; the caller keeps the order of
/// calls sensible (a key before each value in an object, every container closed).
package struct JSONWriter: Sendable {
  /// The UTF-8 text written so far.
  package private(set) var bytes: [UInt8] = []

  private let isPretty: Bool
  private let escapesInvisible: Bool
  private var depth = 0
  private var needsComma = false
  private var followsKey = false

  /// Creates a writer.
  ///
  /// - Parameters:
  ///   - pretty: Whether to break lines and indent by two spaces.
  ///   - escapesInvisible: Whether to write what a terminal obeys by its code, beyond what JSON
  ///     demands: U+007F to U+009F, the separators of lines, and marks of direction.
  package init(pretty: Bool = false, escapesInvisible: Bool = false) {
    self.isPretty = pretty
    self.escapesInvisible = escapesInvisible
  }

  /// The text written so far.
  package var text: String { String(decoding: bytes, as: UTF8.self) }

  /// Starts an object.
  package mutating func beginObject() { begin(UInt8(ascii: "{")) }
  /// Ends the object begun last.
  package mutating func endObject() { end(UInt8(ascii: "}")) }
  /// Starts an array.
  package mutating func beginArray() { begin(UInt8(ascii: "[")) }
  /// Ends the array begun last.
  package mutating func endArray() { end(UInt8(ascii: "]")) }

  /// Writes the name of a member, whose value must follow.
  package mutating func key(_ name: String) {
    separate()
    appendQuoted(name)
    bytes.append(UInt8(ascii: ":"))
    if isPretty { bytes.append(UInt8(ascii: " ")) }
    followsKey = true
  }

  /// Writes a string value.
  package mutating func string(_ value: String) {
    separate()
    appendQuoted(value)
  }

  /// Writes a bool value.
  package mutating func bool(_ value: Bool) { raw(value ? "true" : "false") }
  /// Writes null.
  package mutating func null() { raw("null") }
  /// Writes a signed integer.
  package mutating func int(_ value: Int64) { raw(String(value)) }
  /// Writes an unsigned integer.
  package mutating func uint(_ value: UInt64) { raw(String(value)) }

  /// Writes a double; NaN and the infinities, which JSON does not have, as null.
  package mutating func double(_ value: Double) {
    value.isFinite ? raw(value.shortestText) : null()
  }

  /// Writes `text`, one JSON value, as it is.
  package mutating func raw(_ text: String) {
    separate()
    bytes.append(contentsOf: text.utf8)
  }

  private mutating func begin(_ bracket: UInt8) {
    separate()
    bytes.append(bracket)
    depth &+= 1
    needsComma = false
  }

  private mutating func end(_ bracket: UInt8) {
    depth &-= 1
    if needsComma { breakLine() }
    bytes.append(bracket)
    needsComma = true
  }

  /// Sets the separator before the next key or value.
  private mutating func separate() {
    if followsKey {
      followsKey = false
    } else {
      if needsComma { bytes.append(UInt8(ascii: ",")) }
      if depth > 0 { breakLine() }
    }
    needsComma = true
  }

  private mutating func breakLine() {
    guard isPretty else { return }
    bytes.append(UInt8(ascii: "\n"))
    for _ in 0..<max(depth, 0) { bytes.append(contentsOf: [0x20, 0x20]) }
  }

  private mutating func appendQuoted(_ text: String) {
    bytes.append(UInt8(ascii: "\""))
    let isPlain = text.utf8.allSatisfy {
      $0 >= 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\")
    }
    if escapesInvisible, text.unicodeScalars.contains(where: Self.isInvisible) {
      appendVisible(text)
    } else if isPlain {
      bytes.append(contentsOf: text.utf8)
    } else {
      appendEscaped(text)
    }
    bytes.append(UInt8(ascii: "\""))
  }

  private mutating func appendEscaped(_ text: String) {
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""): bytes.append(contentsOf: [0x5C, 0x22])
      case UInt8(ascii: "\\"): bytes.append(contentsOf: [0x5C, 0x5C])
      case 0x08: bytes.append(contentsOf: [0x5C, UInt8(ascii: "b")])
      case 0x09: bytes.append(contentsOf: [0x5C, UInt8(ascii: "t")])
      case 0x0A: bytes.append(contentsOf: [0x5C, UInt8(ascii: "n")])
      case 0x0C: bytes.append(contentsOf: [0x5C, UInt8(ascii: "f")])
      case 0x0D: bytes.append(contentsOf: [0x5C, UInt8(ascii: "r")])
      case 0..<0x20:
        bytes.append(contentsOf: "\\u00".utf8)
        bytes.append(contentsOf: [hexDigit(byte >> 4), hexDigit(byte & 15)])
      default: bytes.append(byte)
      }
    }
  }

  private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x7F...0x9F, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069: true
    default: false
    }
  }

  private mutating func appendVisible(_ text: String) {
    for scalar in text.unicodeScalars {
      guard Self.isInvisible(scalar) else {
        appendEscaped(String(scalar))
        continue
      }
      bytes.append(contentsOf: "\\u".utf8)
      for shift in [12, 8, 4, 0] {
        bytes.append(hexDigit(UInt8(truncatingIfNeeded: scalar.value >> UInt32(shift)) & 15))
      }
    }
  }

  private func hexDigit(_ value: UInt8) -> UInt8 {
    value < 10 ? value &+ UInt8(ascii: "0") : value &+ (UInt8(ascii: "a") &- 10)
  }
}
