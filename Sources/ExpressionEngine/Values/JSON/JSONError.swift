/// Why a text is not the JSON that was asked for, and where.
public struct JSONError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The family of the mistake; new ones may be added.
  public enum Kind: String, Sendable, Hashable {
    /// The text ends inside a value.
    case unexpectedEnd
    /// A character that the grammar does not allow here.
    case unexpectedCharacter
    /// Text behind the end of the document.
    case trailingText
    /// A number that is not written as RFC 8259 wants it.
    case invalidNumber
    /// A number too large for a double.
    case numberOutOfRange
    /// A backslash followed by something that is no escape.
    case invalidEscape
    /// A `\u` escape that is half of a surrogate pair.
    case loneSurrogate
    /// An unescaped control character in a string.
    case controlCharacter
    /// Bytes that are not UTF-8.
    case invalidUTF8
    /// Arrays and objects nested deeper than the limit.
    case tooDeep
    /// A member name that occurs twice where that is not allowed.
    case duplicateKey
    /// Well-formed JSON of another shape than the reader wants.
    case unexpectedShape
  }

  /// The family of the mistake.
  public var kind: Kind
  /// What is wrong, in words, without the position.
  public var message: String
  /// The offset of the mistake in bytes from the start of the text.
  public var offset: Int
  /// The line, counted from 1.
  public var line: Int
  /// The column, counted in Unicode scalars from 1.
  public var column: Int

  /// Creates an error; see the properties for units and origins.
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
  /// Works out line and column of `offset`; linear in `offset`, which only errors pay.
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
