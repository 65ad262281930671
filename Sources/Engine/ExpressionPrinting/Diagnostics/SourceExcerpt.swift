import ExpressionSyntax

/// The lines of a source that a diagnostic talks about, with carets under them.
struct SourceExcerpt {
  enum Row {
    /// A line of the source and its number.
    case source(number: Int, text: String)
    /// Carets, dashes and labels.
    case marks(String, isPrimary: Bool)
    /// Lines that are left out.
    case gap
  }

  /// The elements to draw, from top to bottom.
  private(set) var rows: [Row] = []
  /// The width of the largest line number.
  private(set) var numberWidth = 1

  /// The cells of a line that are shown; longer lines are cut around the primary label.
  private static let maximumCells = 120

  /// A label on one line, in cells.
  private struct Mark {
    var column: Int
    var width: Int
    var message: String
    var isPrimary: Bool
  }

  init(diagnostic: Diagnostic, lines sourceLines: SourceLines) {
    let source = sourceLines.source
    let starts = sourceLines.starts
    var byLine: [Int: [(label: Diagnostic.Label, isPrimary: Bool)]] = [:]
    let labels = [(diagnostic.primary, true)] + diagnostic.secondary.map { ($0, false) }
    for (label, isPrimary) in labels {
      let line = sourceLines.line(of: Int(label.span.start))
      byLine[line, default: []].append((label, isPrimary))
    }
    let lines = byLine.keys.sorted()
    numberWidth = "\((lines.last ?? 0) + 1)".count
    var previous: Int?
    for line in lines {
      if let previous, line > previous + 1 { rows.append(.gap) }
      let start = starts[line]
      let end = line + 1 < starts.count ? starts[line + 1] : source.bytes.count
      drawLine(
        line, bytes: start..<end, labels: byLine[line] ?? [], source: source)
      previous = line
    }
  }

  private mutating func drawLine(
    _ line: Int, bytes range: Range<Int>,
    labels: [(label: Diagnostic.Label, isPrimary: Bool)], source: SourceText
  ) {
    var cut = range
    // A line that is far too long is cut in bytes first, to avoid measuring its width.
    let anchor = Int((labels.first { $0.isPrimary } ?? labels.first)?.label.span.start ?? 0)
    var isCutLeft = false
    var isCutRight = false
    if range.count > Self.maximumCells {
      let left = max(range.lowerBound, anchor - 60)
      let right = min(range.upperBound, left + Self.maximumCells)
      cut = Self.characterBoundary(left, source)..<Self.characterBoundary(right, source)
      isCutLeft = cut.lowerBound > range.lowerBound
      isCutRight = cut.upperBound < range.upperBound
    }
    let text = Self.displayed(source.bytes[cut])
    rows.append(
      .source(
        number: line + 1, text: (isCutLeft ? "…" : "") + text + (isCutRight ? "…" : "")))
    let shift = isCutLeft ? 1 : 0
    var marks: [Mark] = []
    for (label, isPrimary) in labels {
      let start = min(Int(label.span.start), range.upperBound)
      let end = min(max(start, Int(label.span.end)), range.upperBound)
      guard start >= cut.lowerBound, start <= cut.upperBound else { continue }
      let before = Self.displayed(source.bytes[cut.lowerBound..<start])
      let inside = Self.displayed(source.bytes[start..<min(end, cut.upperBound)])
      marks.append(
        Mark(
          column: DisplayWidth.cells(before) + shift, width: max(1, DisplayWidth.cells(inside)),
          message: label.message, isPrimary: isPrimary))
    }
    draw(marks)
  }

  /// The carets, followed by the label of the rightmost mark, with the other labels below.
  private mutating func draw(_ unsorted: [Mark]) {
    let marks = unsorted.sorted { ($0.column, $0.width) < ($1.column, $1.width) }
    guard let last = marks.last else { return }
    var cells: [Character] = []
    // The primary mark is drawn last, over the others.
    for mark in marks.filter({ !$0.isPrimary }) + marks.filter({ $0.isPrimary }) {
      while cells.count < mark.column + mark.width { cells.append(" ") }
      for cell in mark.column..<(mark.column + mark.width) {
        cells[cell] = mark.isPrimary ? "^" : "-"
      }
    }
    let isLastToTheRight = marks.allSatisfy { $0.column + $0.width <= last.column + last.width }
    let inline = isLastToTheRight && !last.message.isEmpty ? " \(last.message)" : ""
    rows.append(.marks(String(cells) + inline, isPrimary: marks.contains(where: { $0.isPrimary })))
    var hanging = (isLastToTheRight ? marks.dropLast() : marks[...]).filter { !$0.message.isEmpty }
    if !hanging.isEmpty { rows.append(.marks(Self.bars(hanging), isPrimary: false)) }
    while let mark = hanging.popLast() {
      let bars = Self.bars(hanging)
      let gap = String(repeating: " ", count: max(0, mark.column - bars.count))
      let lead = bars.count > mark.column ? String(bars.prefix(mark.column)) : bars + gap
      rows.append(.marks(lead + mark.message, isPrimary: mark.isPrimary))
    }
  }

  /// A `|` under each mark.
  private static func bars(_ marks: [Mark]) -> String {
    var cells: [Character] = []
    for mark in marks {
      while cells.count <= mark.column { cells.append(" ") }
      cells[mark.column] = "|"
    }
    return String(cells)
  }

  /// The nearest offset at or before `offset` where a character starts.
  private static func characterBoundary(_ offset: Int, _ source: SourceText) -> Int {
    var offset = min(offset, source.bytes.count)
    while offset > 0, offset < source.bytes.count, source.bytes[offset] & 0xC0 == 0x80 {
      offset -= 1
    }
    return offset
  }

  /// Text as it is shown: tabs as one space, invisible characters as U+FFFD, no line break.
  private static func displayed(_ bytes: ArraySlice<UInt8>) -> String {
    var out = String.UnicodeScalarView()
    for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
      switch scalar {
      case "\n", "\r": continue
      case "\t": out.append(" ")
      case "\u{200D}": out.append(scalar)
      default:
        let isInvisible = scalar != " " && InvisibleCharacters.name(of: scalar) != nil
        out.append(isInvisible ? "\u{FFFD}" : scalar)
      }
    }
    return String(out)
  }
}
