import ExpressionSyntax

/// Rows of text in aligned columns, as the listings of this folder print them.
struct ListingText {
  private var rows: [[String]] = []

  mutating func add(_ columns: String...) { rows.append(columns) }

  /// The rows, each column as wide as its widest cell up to `widest` characters; the last column
  /// runs free.
  func text(indent: String = "  ", widest: Int = 48) -> String {
    var widths: [Int] = []
    for row in rows {
      for (column, cell) in row.enumerated() {
        if column == widths.count { widths.append(0) }
        widths[column] = max(widths[column], min(cell.count, widest))
      }
    }
    var text = ""
    for row in rows {
      var line = indent
      for (column, cell) in row.enumerated() {
        line += cell
        guard column + 1 < row.count else { break }
        line += String(repeating: " ", count: max(0, widths[column] - cell.count) + 2)
      }
      while line.last == " " { line.removeLast() }
      text += line + "\n"
    }
    return text
  }
}

extension Source {
  /// The text of a span on one line, cut to a readable length.
  func excerpt(of span: SourceSpan) -> String {
    // Cut in bytes first, so that a long span costs no more than a short one.
    let bytes = bytes(of: span).prefix(160)
    var line = ""
    var isInSpace = false
    for character in String(decoding: bytes, as: UTF8.self) {
      if character.isWhitespace {
        isInSpace = true
        continue
      }
      if isInSpace, !line.isEmpty { line += " " }
      isInSpace = false
      line.append(character)
    }
    return line.cut(to: 40)
  }
}

extension String {
  /// The text, or its start and an ellipsis.
  func cut(to length: Int) -> String {
    let start = prefix(length + 1)
    return start.count > length ? String(start.prefix(length - 1)) + "…" : String(start)
  }
}

extension Slot {
  /// A constant as a literal, cut to a readable length.
  var listingLiteral: String {
    switch tag {
    case .builder, .iterator, .error: "(no value)"
    default: Value(self).literal.cut(to: 40)
    }
  }
}

extension AttributeReference {
  /// The name as it is written in a filter: `user.age`; `user?.age` where an absent root counts as
  /// an empty map.
  var listingName: String {
    let name = self.name.text.cut(to: 40)
    let root = Root(rawValue: UInt8(Int(self.root) % ContextStorage.rootCount)) ?? .other
    return root == .other ? name : root.name + (rootIsOptional ? "?." : ".") + name
  }
}

extension MissingPolicy {
  /// What becomes of a missing attribute, in two words.
  var listingText: String {
    switch self {
    case .null: "missing: null"
    case .fail: "missing: fails"
    case .function: "missing: function"
    }
  }
}

extension RescueClass {
  /// Which failures are caught, in two words.
  var listingText: String {
    switch self {
    case .missingKey: "missing key"
    case .any: "any failure"
    }
  }
}
