/// A place between two characters, as the protocol counts: from 0, columns in the units of the
/// agreed ``PositionEncoding``.
package struct Position: Sendable, Hashable, Comparable {
  /// The line.
  package var line: Int
  /// The number of units before it in the line.
  package var character: Int

  /// Creates a position.
  package init(line: Int, character: Int) {
    self.line = line
    self.character = character
  }

  package static func < (left: Position, right: Position) -> Bool {
    (left.line, left.character) < (right.line, right.character)
  }
}

/// The unit of columns.
package enum PositionEncoding: String, Sendable, Hashable {
  /// Bytes of UTF-8.
  case utf8 = "utf-8"
  /// Units of UTF-16, which every client understands.
  case utf16 = "utf-16"
}
