/// A table of text for people: a head, a rule, aligned columns.
package struct TextTable {
  /// The side on which the cells of a column are aligned.
  package enum Alignment {
    case left
    case right
  }

  private let head: [String]
  private let alignments: [Alignment]
  private var rows: [[String]?] = []

  package init(_ columns: [(title: String, alignment: Alignment)]) {
    head = columns.map(\.title)
    alignments = columns.map(\.alignment)
  }

  /// Adds a row; missing cells are empty.
  package mutating func add(_ cells: [String]) { rows.append(cells) }

  /// Adds an empty line.
  package mutating func addGap() { rows.append(nil) }

  /// The width of each column.
  private var widths: [Int] {
    var widths = head.map(\.count)
    for case let row? in rows {
      for (column, cell) in row.enumerated() where column < widths.count {
        widths[column] = max(widths[column], cell.count)
      }
    }
    return widths
  }

  /// The text, with a line break at the end of each line.
  package var text: String {
    let widths = widths
    var text = line(head, widths)
    text += widths.map { String(repeating: "-", count: $0) }.joined(separator: "  ") + "\n"
    for row in rows { text += row.map { line($0, widths) } ?? "\n" }
    return text
  }

  private func line(_ cells: [String], _ widths: [Int]) -> String {
    var parts: [String] = []
    for (column, width) in widths.enumerated() {
      let cell = column < cells.count ? cells[column] : ""
      let space = String(repeating: " ", count: max(0, width - cell.count))
      parts.append(alignments[column] == .left ? cell + space : space + cell)
    }
    var line = parts.joined(separator: "  ")
    while line.last == " " { line.removeLast() }
    return line + "\n"
  }
}
