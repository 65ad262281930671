import ExpressionEngine

/// The state of editing a line: the line, the place in the history, and a search.
///
/// It depends on no terminal: keys go in, and actions that only a terminal can perform come out.
package struct LineEditing: Sendable {
  /// The part of a key that a terminal performs.
  package enum Action: Equatable, Sendable {
    /// Shows the line.
    case show
    /// The line is complete.
    case submit
    /// The line is discarded.
    case abandon
    /// The input ends.
    case end
    /// Completes the word before the cursor.
    case complete
    /// Clears the screen, and shows the line.
    case clearScreen
    /// Suspends the process.
    case suspend
  }

  /// A search through the history.
  private struct Search: Sendable {
    var query = ""
    /// The index of the entry that was found.
    var index: Int
    var hasFailed = false
    /// The line before the search.
    let original: EditedLine
  }

  /// The line.
  package var line = EditedLine()
  /// The earlier entries.
  package var history = LineHistory()
  /// The index of the entry that is shown; the number of entries if the line is a new one.
  private var index = 0
  /// The new line while an entry is shown.
  private var draft = ""
  private var search: Search?

  package init() {}

  /// Starts a new line.
  package mutating func begin() {
    line.replace(with: "")
    index = history.entries.count
    draft = ""
    search = nil
  }

  /// The prompt while a search is under way; `nil` otherwise.
  package var searchPrompt: String? {
    search.map { "(\($0.hasFailed ? "failed " : "")search) \($0.query): " }
  }

  /// Applies a key.
  package mutating func handle(_ key: Key) -> Action {
    if search != nil, let action = handleInSearch(key) { return action }
    switch key {
    case .enter: return .submit
    case .abandon: return .abandon
    case .complete: return .complete
    case .clearScreen: return .clearScreen
    case .suspend: return .suspend
    case .endOfInput where line.characters.isEmpty: return .end
    case .search:
      search = Search(index: history.entries.count, original: line)
      return .show
    default:
      edit(key)
      return .show
    }
  }

  private mutating func edit(_ key: Key) {
    switch key {
    case .text(let text): line.insert(text)
    case .left: line.move(by: -1)
    case .right: line.move(by: 1)
    case .wordLeft: line.moveToPreviousWord()
    case .wordRight: line.moveToNextWord()
    case .home: line.moveToStart()
    case .end: line.moveToEnd()
    case .up: show(entry: index - 1)
    case .down: show(entry: index + 1)
    case .deleteLeft: line.deleteLeft()
    case .deleteRight, .endOfInput: line.deleteRight()
    case .deleteWordLeft: line.removeWordLeft()
    case .deleteWordRight: line.removeWordRight()
    case .deleteToEnd: line.removeToEnd()
    case .deleteLine: line.removeAll()
    case .yank: line.yank()
    case .transpose: line.transpose()
    case .cancel, .enter, .abandon, .complete, .clearScreen, .suspend, .search: break
    }
  }

  /// Shows an entry of the history, or the new line after the last one.
  private mutating func show(entry: Int) {
    let entries = history.entries
    guard entry >= 0, entry <= entries.count, entry != index else { return }
    if index == entries.count { draft = line.text }
    index = entry
    line.replace(with: entry == entries.count ? draft : entries[entry])
  }

  // MARK: Searching

  /// Applies a key to the search; `nil` if the key ends the search and has its own effect, too.
  private mutating func handleInSearch(_ key: Key) -> Action? {
    guard var search else { return nil }
    switch key {
    case .text(let text):
      search.query += text
      find(&search, from: min(search.index, history.entries.count - 1))
    case .deleteLeft:
      if !search.query.isEmpty { search.query.removeLast() }
      find(&search, from: history.entries.count - 1)
    case .search: find(&search, from: search.index - 1)
    case .cancel:
      line = search.original
      self.search = nil
      return .show
    default:
      self.search = nil
      return nil
    }
    self.search = search
    return .show
  }

  /// Looks for the query in an entry and the older ones.
  private mutating func find(_ search: inout Search, from start: Int) {
    let entries = history.entries
    var entry = start
    while entry >= 0, !entries[entry].contains(text: search.query) { entry -= 1 }
    search.hasFailed = entry < 0
    guard entry >= 0 else { return }
    search.index = entry
    index = entry
    line.replace(with: entries[entry])
  }
}
