/// A line of text with a cursor, and the operations of an editor on it.
package struct EditedLine: Equatable, Sendable {
  /// The largest number of characters; what does not fit is not inserted.
  package static let limit = 1 << 20

  /// The characters.
  package private(set) var characters: [Character] = []
  /// The number of characters before the cursor.
  package private(set) var cursor = 0
  /// The characters that were removed last.
  private var removed: [Character] = []

  package init() {}

  /// The text.
  package var text: String { String(characters) }

  /// The text before the cursor.
  package var textBeforeCursor: String { String(characters[..<cursor]) }

  /// Replaces the text, and moves the cursor to its end.
  package mutating func replace(with text: String) {
    characters = Array(text.prefix(Self.limit))
    cursor = characters.count
  }

  /// Inserts text at the cursor. A mark joins the character before it.
  package mutating func insert(_ text: String) {
    let start = max(0, cursor - 1)
    let joined = Array(String(characters[start..<cursor]) + text)
    guard characters.count + joined.count <= Self.limit else { return }
    characters.replaceSubrange(start..<cursor, with: joined)
    cursor = start + joined.count
  }

  // MARK: Moving

  /// Moves the cursor by a number of characters, within the line.
  package mutating func move(by count: Int) {
    cursor = min(max(0, cursor + count), characters.count)
  }

  /// Moves the cursor to the start of the line.
  package mutating func moveToStart() { cursor = 0 }

  /// Moves the cursor to the end of the line.
  package mutating func moveToEnd() { cursor = characters.count }

  /// Moves the cursor to the start of the word before it.
  package mutating func moveToPreviousWord() { cursor = previousWord }

  /// Moves the cursor to the end of the word after it.
  package mutating func moveToNextWord() { cursor = nextWord }

  private var previousWord: Int {
    var index = cursor
    while index > 0, !Self.isWord(characters[index - 1]) { index -= 1 }
    while index > 0, Self.isWord(characters[index - 1]) { index -= 1 }
    return index
  }

  private var nextWord: Int {
    var index = cursor
    while index < characters.count, !Self.isWord(characters[index]) { index += 1 }
    while index < characters.count, Self.isWord(characters[index]) { index += 1 }
    return index
  }

  private static func isWord(_ character: Character) -> Bool {
    character.isLetter || character.isNumber || character == "_"
  }

  // MARK: Removing

  /// Removes a number of characters before the cursor, which ``yank()`` does not restore.
  package mutating func deleteLeft(_ count: Int = 1) {
    let start = max(0, cursor - count)
    characters.removeSubrange(start..<cursor)
    cursor = start
  }

  /// Removes the character after the cursor.
  package mutating func deleteRight() {
    if cursor < characters.count { characters.remove(at: cursor) }
  }

  /// Removes the word before the cursor.
  package mutating func removeWordLeft() { remove(previousWord..<cursor) }

  /// Removes the word after the cursor.
  package mutating func removeWordRight() { remove(cursor..<nextWord) }

  /// Removes everything after the cursor.
  package mutating func removeToEnd() { remove(cursor..<characters.count) }

  /// Removes all characters.
  package mutating func removeAll() { remove(0..<characters.count) }

  private mutating func remove(_ range: Range<Int>) {
    guard !range.isEmpty else { return }
    removed = Array(characters[range])
    characters.removeSubrange(range)
    cursor = range.lowerBound
  }

  /// Inserts the characters that were removed last.
  package mutating func yank() { insert(String(removed)) }

  /// Swaps the two characters around the cursor, or the last two at the end of the line.
  package mutating func transpose() {
    guard characters.count > 1, cursor > 0 else { return }
    let second = min(cursor, characters.count - 1)
    characters.swapAt(second - 1, second)
    cursor = second + 1
  }
}
