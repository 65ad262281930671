import ExpressionSyntax

/// Rows of text in aligned columns, for the listings of this folder.
struct ListingText {
  private var rows: [[String]] = []

  mutating func add(_ columns: String...) { rows.append(columns) }

  /// Returns the rows, each column as wide as its widest cell up to `widest` characters. The last
  /// column is not padded.
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

extension SourceText {
  /// Returns the text of a span on one line, cut to 40 characters.
  ///
  /// - Complexity: O(1); a listing asks once for every node.
  func excerpt(of span: SourceSpan) -> String {
    var line: [UInt8] = []
    line.reserveCapacity(48)
    var count = 0
    var isInSpace = false
    for byte in bytes(of: span).prefix(256) {
      if byte <= 0x20 {
        isInSpace = true
        continue
      }
      // Bytes 0x80...0xBF continue a character; all others start one.
      if byte & 0xC0 != 0x80 {
        if isInSpace, !line.isEmpty {
          line.append(0x20)
          count += 1
        }
        count += 1
        if count > 40 { return String(decoding: line, as: UTF8.self) + "…" }
      }
      isInSpace = false
      line.append(byte)
    }
    return String(decoding: line, as: UTF8.self)
  }
}

extension String {
  /// Returns the text, or its start and an ellipsis.
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
  /// The name as written in a filter: `user.age`, or `user?.age` if an absent root counts as an
  /// empty map.
  var listingName: String {
    let name = self.name.text.cut(to: 40)
    let root = Root(rawValue: UInt8(Int(self.root) % ContextStorage.rootCount)) ?? .other
    return root == .other ? name : root.name + (rootIsOptional ? "?." : ".") + name
  }
}

extension MissingPolicy {
  /// The handling of a missing attribute, in two words.
  var listingText: String {
    switch self {
    case .null: "missing: null"
    case .fail: "missing: fails"
    case .function: "missing: function"
    }
  }
}

extension RescueClass {
  /// The failures caught, in two words.
  var listingText: String {
    switch self {
    case .missingKey: "missing key"
    case .any: "any failure"
    }
  }
}

extension SlotKinds {
  /// The kinds by name: `string | list`.
  var listingText: String {
    guard self != .any else { return "any kind" }
    let names = (0..<UInt8(32)).compactMap { bit in
      rawValue & 1 << UInt32(bit) == 0 ? nil : SlotTag(rawValue: bit).map { "\($0)" }
    }
    return names.joined(separator: " | ")
  }
}
