/// A key of a terminal, by its effect on the line.
package enum Key: Equatable, Sendable {
  /// Characters to insert; never control characters.
  case text(String)
  /// The line is complete.
  case enter
  /// Completes the word before the cursor.
  case complete
  /// Moves the cursor by a character or a word, or to an end of the line.
  case left, right, wordLeft, wordRight, home, end
  /// Moves through the history.
  case up, down
  /// Removes a character or a word.
  case deleteLeft, deleteRight, deleteWordLeft, deleteWordRight
  /// Removes the characters up to the end of the line, or all of them.
  case deleteToEnd, deleteLine
  /// Inserts the characters that were removed last.
  case yank
  /// Swaps the characters around the cursor.
  case transpose
  /// Searches the history, older entries first.
  case search
  /// Ends a search, and restores the line.
  case cancel
  /// Clears the screen.
  case clearScreen
  /// Control-C: discards the line.
  case abandon
  /// Control-D: ends the input in an empty line; deletes to the right in others.
  case endOfInput
  /// Control-Z: suspends the process.
  case suspend

  /// The key of a control character; `nil` if it has no effect.
  static func control(_ byte: UInt8) -> Key? {
    switch byte {
    case 0x01: .home
    case 0x02: .left
    case 0x03: .abandon
    case 0x04: .endOfInput
    case 0x05: .end
    case 0x06: .right
    case 0x07: .cancel
    case 0x08, 0x7F: .deleteLeft
    case 0x09: .complete
    case 0x0A, 0x0D: .enter
    case 0x0B: .deleteToEnd
    case 0x0C: .clearScreen
    case 0x0E: .down
    case 0x10: .up
    case 0x12: .search
    case 0x14: .transpose
    case 0x15: .deleteLine
    case 0x17: .deleteWordLeft
    case 0x19: .yank
    case 0x1A: .suspend
    default: nil
    }
  }

  /// The key that Escape and another byte mean.
  static func meta(_ byte: UInt8) -> Key? {
    switch byte {
    case UInt8(ascii: "b"): .wordLeft
    case UInt8(ascii: "f"): .wordRight
    case UInt8(ascii: "d"): .deleteWordRight
    case 0x08, 0x7F: .deleteWordLeft
    default: nil
    }
  }

  /// The key of a control sequence, from its final byte and the parameters before it.
  static func sequence(_ final: UInt8, parameters: [UInt8]) -> Key? {
    let numbers = parameters.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }
    // The second number has the keys that are held: 3 is Alt, 5 is Control.
    let isWord = numbers.count > 1 && (numbers[1] == "3" || numbers[1] == "5")
    switch final {
    case UInt8(ascii: "A"): return .up
    case UInt8(ascii: "B"): return .down
    case UInt8(ascii: "C"): return isWord ? .wordRight : .right
    case UInt8(ascii: "D"): return isWord ? .wordLeft : .left
    case UInt8(ascii: "H"): return .home
    case UInt8(ascii: "F"): return .end
    case UInt8(ascii: "~"):
      switch numbers.first {
      case "1", "7": return .home
      case "4", "8": return .end
      case "3": return isWord ? .deleteWordRight : .deleteRight
      default: return nil
      }
    default: return nil
    }
  }
}
