import ExpressionSyntax

/// Decides where the lines of a layout break, and writes it.
struct Layout {
  let items: [LayoutItem]
  /// The columns to stay within.
  let width: Int

  /// The deepest indentation; it keeps the size of deeply nested text linear.
  private static let deepestIndent = 40
  /// The width of an item that does not fit on one line.
  private static let unbounded = Int.max / 4

  /// For a `begin`, the width of its group on one line; for a `line`, up to the next line.
  private var widths: [Int]
  private var out = ""
  private var column = 0
  private var indent = 0
  /// A line break still to be written, when text comes.
  private var pendingBreak = false
  private var pendingSpace = false
  /// Whether the line ends with a comment already.
  private var endsWithComment = false

  init(items: [LayoutItem], width: Int) {
    self.items = items
    self.width = width
    self.widths = Layout.measure(items)
  }

  /// Measures groups, and the text between places to break, in one pass from the end.
  private static func measure(_ items: [LayoutItem]) -> [Int] {
    var widths = [Int](repeating: 0, count: items.count)
    // The width on one line of everything that follows, and of everything up to the next line item.
    var total = 0
    var untilLine = 0
    var comments = 0
    var ends: [(total: Int, untilLine: Int, comments: Int)] = []
    for index in items.indices.reversed() {
      switch items[index] {
      case .text(let text):
        let cells = DisplayWidth.cells(text)
        total += cells
        untilLine += cells
      case .space:
        total += 1
        untilLine += 1
      case .line(let flat, _):
        widths[index] = (flat ? 1 : 0) + untilLine
        total += flat ? 1 : 0
        untilLine = 0
      case .comment:
        comments += 1
        untilLine = 0
      case .end: ends.append((total, untilLine, comments))
      case .begin:
        let end = ends.popLast() ?? (0, 0, 0)
        // The text after the group up to the next place to break must fit too; a comment ends a
        // line.
        widths[index] =
          comments == end.comments ? total - end.total + end.untilLine : unbounded
      case .indent, .dedent: break
      }
    }
    return widths
  }

  /// Writes the layout.
  mutating func render() -> String {
    var broken: [Bool] = []
    for (index, item) in items.enumerated() {
      switch item {
      case .text(let text): write(text)
      case .space: pendingSpace = true
      case .begin:
        let fits = column + (pendingSpace ? 1 : 0) + widths[index] <= width
        broken.append((broken.last ?? true) && !fits)
      case .end: broken.removeLast()
      case .indent: indent += 2
      case .dedent: indent -= 2
      case .line(let flat, let fills):
        if broken.last ?? false, !fills || column + widths[index] > width {
          pendingBreak = true
        } else if flat {
          pendingSpace = true
        }
      case .comment(let text, let ownLine): writeComment(text, ownLine: ownLine)
      }
    }
    return out
  }

  private mutating func write(_ text: String) {
    if pendingBreak {
      breakLine()
    } else if pendingSpace, column > 0 {
      out += " "
      column += 1
    }
    pendingSpace = false
    out += text
    column += DisplayWidth.cells(text)
  }

  private mutating func writeComment(_ text: String, ownLine: Bool) {
    if !out.isEmpty {
      if ownLine || endsWithComment {
        breakLine()
      } else {
        out += "  "
      }
    }
    out += text
    endsWithComment = true
    pendingBreak = true
    pendingSpace = false
  }

  private mutating func breakLine() {
    let cells = min(indent, Layout.deepestIndent)
    out += "\n" + String(repeating: " ", count: cells)
    column = cells
    pendingBreak = false
    pendingSpace = false
    endsWithComment = false
  }
}
