/// The reason why a text is not the expected JSON, and its position.
public struct JSONError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The category of the mistake. New ones may be added.
  public enum Kind: String, Sendable, Hashable {
    /// The text ends inside a value.
    case unexpectedEnd
    /// A character that the grammar does not allow at this position.
    case unexpectedCharacter
    /// Text after the end of the document.
    case trailingText
    /// A number whose form RFC 8259 does not allow.
    case invalidNumber
    /// A number too large for a double.
    case numberOutOfRange
    /// A backslash followed by something that is not an escape.
    case invalidEscape
    /// A `\u` escape that is half of a surrogate pair.
    case loneSurrogate
    /// An unescaped control character in a string.
    case controlCharacter
    /// Bytes that are not UTF-8.
    case invalidUTF8
    /// Arrays and objects nested deeper than the limit.
    case tooDeep
    /// A member name that occurs twice where names must be unique.
    case duplicateKey
    /// Well-formed JSON of a different shape than the reader expects.
    case unexpectedShape
  }

  /// The category of the mistake.
  public var kind: Kind
  /// A description of the mistake, without the position.
  public var message: String
  /// The offset of the mistake in bytes from the start of the text.
  public var offset: Int
  /// The line number, from 1.
  public var line: Int
  /// The column number in Unicode scalars, from 1.
  public var column: Int

  /// Creates an error. See the properties for units and origins.
  public init(kind: Kind, message: String, offset: Int, line: Int, column: Int) {
    self.kind = kind
    self.message = message
    self.offset = offset
    self.line = line
    self.column = column
  }

  /// The message and its position: `expected a value, found `x` at line 1 column 5`.
  public var description: String { "\(message) at line \(line) column \(column)" }
}

extension JSONError {
  /// Creates an error, computing the line and column of `offset` in O(offset); only errors pay for
  /// it.
  init(kind: Kind, message: String, offset: Int, in bytes: UnsafeBufferPointer<UInt8>) {
    let end = min(max(offset, 0), bytes.count)
    var line = 1
    var column = 1
    for byte in bytes[..<end] {
      if byte == UInt8(ascii: "\n") {
        line &+= 1
        column = 1
      } else if byte & 0xC0 != 0x80 {
        // Continuation bytes belong to the scalar before them.
        column &+= 1
      }
    }
    self.init(kind: kind, message: message, offset: end, line: line, column: column)
  }
}
