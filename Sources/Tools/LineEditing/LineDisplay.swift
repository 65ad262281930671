import ExpressionPrinting

/// Writes a prompt and a line to a terminal, and replaces what it wrote before.
///
/// A line that is wider than the terminal continues in the next row. If it has more rows than the
/// terminal, the rows around the cursor are shown. A terminal without escape sequences has one
/// row, which shows the part around the cursor.
package struct LineDisplay: Sendable {
  /// The columns of the terminal.
  package var width = 80
  /// The rows of the terminal.
  package var height = 24
  /// Whether the terminal obeys escape sequences.
  package var hasEscapes = true

  /// The row of the cursor in what was written last.
  private var cursorRow = 0
  /// The columns that were written last without escape sequences.
  private var writtenColumns = 0

  package init() {}

  /// Forgets what was written, because the cursor is at the start of an empty row.
  package mutating func reset() { (cursorRow, writtenColumns) = (0, 0) }

  /// Returns the output that shows a line.
  ///
  /// - Parameter cursor: The number of characters before the cursor.
  package mutating func show(prompt: String, characters: [Character], cursor: Int) -> String {
    hasEscapes
      ? showRows(prompt: prompt, characters: characters, cursor: cursor)
      : showWindow(prompt: prompt, characters: characters, cursor: cursor)
  }

  /// The columns that are used: the last one stays empty, because terminals differ in where the
  /// cursor goes after it.
  private var columns: Int { max(1, width - 1) }

  /// Returns the text of a character, and its cells.
  private static func visible(_ character: Character) -> (text: String, cells: Int) {
    guard let scalar = character.unicodeScalars.first else { return ("", 0) }
    if scalar.properties.generalCategory == .control || scalar.properties.isBidiControl {
      return ("?", 1)
    }
    return (String(character), DisplayWidth.cells(character))
  }

  // MARK: Rows

  private struct Rows {
    var texts = [""]
    var column = 0

    mutating func append(_ text: String, cells: Int, columns: Int) {
      if column + cells > columns { startRow() }
      texts[texts.count - 1] += text
      column += cells
    }

    mutating func startRow() {
      texts.append("")
      column = 0
    }
  }

  private mutating func showRows(
    prompt: String, characters: [Character], cursor: Int
  ) -> String {
    var rows = Rows()
    for character in prompt {
      let (text, cells) = Self.visible(character)
      rows.append(text, cells: cells, columns: columns)
    }
    var place = (row: rows.texts.count - 1, column: rows.column)
    for (index, character) in characters.enumerated() {
      if character.isNewline {
        rows.startRow()
      } else {
        let (text, cells) = Self.visible(character)
        rows.append(text, cells: cells, columns: columns)
      }
      if index < cursor { place = (rows.texts.count - 1, rows.column) }
    }
    let count = min(rows.texts.count, max(1, height))
    let first = min(max(0, place.row - count + 1), rows.texts.count - count)
    var output = "\r" + (cursorRow > 0 ? "\u{1B}[\(cursorRow)A" : "")
    for (number, text) in rows.texts[first..<(first + count)].enumerated() {
      output += (number > 0 ? "\r\n" : "") + "\u{1B}[K" + text
    }
    cursorRow = place.row - first
    let below = count - 1 - cursorRow
    output += "\u{1B}[J\r" + (below > 0 ? "\u{1B}[\(below)A" : "")
    return output + (place.column > 0 ? "\u{1B}[\(place.column)C" : "")
  }

  // MARK: One row

  private mutating func showWindow(
    prompt: String, characters: [Character], cursor: Int
  ) -> String {
    let all = (Array(prompt) + characters).map(Self.visible)
    let end = prompt.count + min(cursor, characters.count)
    // The window ends at the cursor, or at the end of the line if that fits.
    var start = end
    var before = 0
    while start > 0, before + all[start - 1].cells <= columns {
      start -= 1
      before += all[start].cells
    }
    var stop = end
    var used = before
    while stop < all.count, used + all[stop].cells <= columns {
      used += all[stop].cells
      stop += 1
    }
    let text = all[start..<stop].map(\.text).joined()
    let padding = String(repeating: " ", count: max(0, writtenColumns - used))
    writtenColumns = used
    guard stop > end || !padding.isEmpty else { return "\r" + text }
    return "\r" + text + padding + "\r" + all[start..<end].map(\.text).joined()
  }
}
