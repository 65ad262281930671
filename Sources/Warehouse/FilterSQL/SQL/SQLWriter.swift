/// Writes expressions as the text of one dialect.
struct SQLWriter {
  let dialect: SQLDialect
  /// Lines are broken beyond this many characters.
  let width: Int

  init(_ dialect: SQLDialect, width: Int = 100) {
    self.dialect = dialect
    self.width = width
  }

  /// How tightly an expression holds together, from the loosest to the tightest.
  private enum Level: Int, Comparable {
    case or, and, not, comparison, atom

    static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }
  }

  /// Longer runs of operands are written in groups, because engines nest them one in another.
  private static let longestRun = 32

  /// A whole expression as text, in which values that take long are computed once.
  func whole(_ expression: SQLExpression, indent: Int = 0) -> String {
    text(SQLSharing.shared(expression, dialect), indent: indent)
  }

  /// The expression as text.
  ///
  /// - Parameter indent: The number of spaces that further lines start with.
  func text(_ expression: SQLExpression, indent: Int = 0) -> String {
    switch expression.form {
    case .null: return "NULL"
    case .bool(let value): return value ? dialect.boolLiterals.yes : dialect.boolLiterals.no
    case .int(let number): return "\(number)"
    case .uint(let number): return "\(number)"
    case .double(let bits): return double(Double(bitPattern: bits))
    case .text(let text): return literal(text)
    case .bytes(let bytes):
      let digits = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
      return replaced(dialect.bytesLiteral, "#", digits)
    case .column(let name): return identifier(name)
    case .variable(let name): return name
    case .field(let operand, let name):
      return self.operand(operand, .atom, indent) + "." + identifier(name)
    case .and(let operands): return run(operands, "AND", indent)
    case .or(let operands): return run(operands, "OR", indent)
    case .not(let inner): return "NOT " + operand(inner, .atom, indent + 4)
    case .comparison(let op, let left, let right):
      if let test = kindTest(expression) {
        let text = fill(test.form, [test.json], indent)
        return op == .equal ? text : "NOT " + (level(of: test.form) == .atom ? text : "(\(text))")
      }
      return "\(operand(left, .atom, indent)) \(op.rawValue) \(operand(right, .atom, indent))"
    case .isNull(let inner): return operand(inner, .atom, indent) + " IS NULL"
    case .isNotNull(let inner): return operand(inner, .atom, indent) + " IS NOT NULL"
    case .oneOf(let inner, let literals):
      let list = literals.map { text($0) }.joined(separator: ", ")
      return "\(operand(inner, .atom, indent)) IN (\(list))"
    case .choice(let branches, let otherwise):
      var text = "CASE"
      for branch in branches {
        text += " WHEN \(self.text(branch.condition, indent: indent + 10))"
        text += " THEN \(self.text(branch.value, indent: indent + 10))"
      }
      return text + " ELSE \(self.text(otherwise, indent: indent + 10)) END"
    case .call(let function, var operands):
      var function = function
      switch (function, operands.last?.form) {
      case (.jsonMember, .text(let name)): operands[1] = .text(path(to: name))
      case (.jsonElement, .int(let index)) where index >= 0 && dialect.jsonPath != .key:
        function = .jsonMember
        operands[1] = .text("$[\(index)]")
      default: break
      }
      return fill(dialect.templates[function] ?? "NULL", operands, indent)
    case .loop(let loop, let list, let variable, let body):
      return fill(replaced(dialect.loops[loop] ?? "NULL", "@", variable), [list, body], indent)
    case .binding(let group, let values, let body):
      guard let binding = dialect.binding else { return "NULL" }
      let fields = values.enumerated().map { index, value in
        fill(replaced(binding.value, "@", "a\(index)"), [value], indent)
      }
      let pieces = replaced(binding.form, "@", group).split(separator: "#")
      return pieces.reduce(into: "") { result, piece in
        switch piece.first {
        case "1": result += fields.joined(separator: ", ") + piece.dropFirst()
        case "2": result += text(body, indent: indent + 2) + piece.dropFirst()
        default: result += piece
        }
      }
    }
  }

  /// An expression as an operand of something that holds together so tightly.
  private func operand(_ expression: SQLExpression, _ level: Level, _ indent: Int) -> String {
    self.level(of: expression) >= level
      ? text(expression, indent: indent) : "(" + text(expression, indent: indent + 1) + ")"
  }

  /// The form of a test for a kind of JSON values, and the value; `nil` for any other comparison.
  private func kindTest(_ expression: SQLExpression) -> (form: String, json: SQLExpression)? {
    guard case .comparison(_, let left, let right) = expression.form,
      case .call(.jsonKind, let operands) = left.form, case .text(let name) = right.form,
      let kind = SQLDialect.JSONKind(rawValue: name), let form = dialect.jsonKinds[kind]
    else { return nil }
    return (form, operands[0])
  }

  private func level(of expression: SQLExpression) -> Level {
    switch expression.form {
    case .and: .and
    case .or: .or
    case .not: .not
    case .comparison(let op, _, _):
      switch kindTest(expression) {
      case let test? where op == .equal: level(of: test.form)
      case .some: .not
      case nil: .comparison
      }
    case .isNull, .isNotNull, .oneOf: .comparison
    case .int(let number): number < 0 ? .comparison : .atom
    case .call(let function, let operands):
      dialect.templates[function] == "#1"
        ? level(of: operands[0]) : level(of: dialect.templates[function] ?? "NULL")
    case .loop(let loop, _, _, _): level(of: dialect.loops[loop] ?? "NULL")
    case .binding: level(of: dialect.binding?.form ?? "NULL")
    case .null, .bool, .uint, .double, .text, .bytes, .column, .variable, .field, .choice: .atom
    }
  }

  private func run(
    _ operands: [SQLExpression], _ word: String, _ indent: Int
  ) -> String {
    // An AND among ORs needs no parentheses, but readers do.
    let parts = operands.map { operand($0, .not, indent) }
    return join(parts, word, indent)
  }

  private func join(_ parts: [String], _ word: String, _ indent: Int) -> String {
    var parts = parts
    while parts.count > Self.longestRun {
      var groups: [String] = []
      for start in stride(from: 0, to: parts.count, by: Self.longestRun) {
        let group = Array(parts[start..<min(start + Self.longestRun, parts.count)])
        groups.append(group.count == 1 ? group[0] : "(\(join(group, word, indent + 1)))")
      }
      parts = groups
    }
    let length = parts.reduce(0) { $0 + $1.count + word.count + 2 }
    let breaks = indent + length > width || parts.contains { $0.contains("\n") }
    let separator = breaks ? "\n" + String(repeating: " ", count: indent) + word + " " : " \(word) "
    return parts.joined(separator: separator)
  }

  // MARK: Functions

  /// How tightly the form of a function holds together: a call and a `CASE` like an atom, anything else
  /// like a comparison.
  private func level(of template: String) -> Level {
    var depth = 0
    var rest = template[...]
    if rest.hasPrefix("CASE ") && rest.hasSuffix(" END") { return .atom }
    let name = rest.prefix { $0.isLetter || $0 == "_" || $0 == "[" }
    rest = rest.dropFirst(name.count)
    guard rest.first == "(" else { return .comparison }
    for (index, character) in rest.enumerated() {
      if character == "(" { depth += 1 }
      if character == ")" { depth -= 1 }
      if depth == 0 { return index == rest.count - 1 ? .atom : .comparison }
    }
    return .comparison
  }

  /// A template with its operands in their places.
  private func fill(_ template: String, _ operands: [SQLExpression], _ indent: Int) -> String {
    var result = ""
    var rest = template[...]
    while let character = rest.first {
      rest.removeFirst()
      if character == "#" || character == "$", let digit = rest.first?.wholeNumberValue,
        operands.indices.contains(digit - 1)
      {
        rest.removeFirst()
        let operand = operands[digit - 1]
        result +=
          character == "#"
          ? text(operand, indent: indent + 2) : self.operand(operand, .atom, indent)
      } else {
        result.append(character)
      }
    }
    return result
  }

  private func path(to name: String) -> String {
    switch dialect.jsonPath {
    case .key: name
    // A pointer of digits would lead into arrays, too.
    case .pointer where !name.isEmpty && name.utf8.allSatisfy { (0x30...0x39).contains($0) }:
      "$.\"\(name)\""
    case .pointer: "/" + replaced(replaced(name, "~", "~0"), "/", "~1")
    case .dollar: "$.\"" + replaced(replaced(name, "\\", "\\\\"), "\"", "\\\"") + "\""
    }
  }

  // MARK: Literals and names

  /// A name, quoted.
  func identifier(_ name: String) -> String {
    let quote = String(dialect.identifierQuote)
    return quote + replaced(name, dialect.identifierQuote, quote + quote) + quote
  }

  /// A text, quoted. Control characters and direction marks are written by their codes, so that
  /// nothing that shows, stores or sends the SQL can change them.
  func literal(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: isHidden) else { return quoted(text) }
    var parts: [String] = []
    var rest = text.unicodeScalars[...]
    while let first = rest.first {
      if isHidden(first) {
        parts.append(code(of: rest.removeFirst()))
      } else {
        let plain = rest.prefix { !isHidden($0) }
        parts.append(quoted(String(plain)))
        rest = rest[plain.endIndex...]
      }
    }
    return "(" + parts.joined(separator: " || ") + ")"
  }

  private func isHidden(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7F...0x9F, 0x61C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
    default: false
    }
  }

  private func code(of scalar: Unicode.Scalar) -> String {
    // Spark knows the codes of Latin-1 only, and escapes instead.
    if dialect.escapesBackslashes, scalar.value > 0x7F {
      let digits = String(scalar.value, radix: 16)
      return "'\\u" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits + "'"
    }
    return replaced(dialect.characterByCode, "#", String(scalar.value))
  }

  private func quoted(_ text: String) -> String {
    var text = replaced(text, "'", "''")
    if dialect.escapesBackslashes { text = replaced(replaced(text, "\\", "\\\\"), "''", "\\'") }
    return "'" + text + "'"
  }

  private func double(_ number: Double) -> String {
    guard number.isFinite else {
      let name = number.isNaN ? "NaN" : (number < 0 ? "-Infinity" : "Infinity")
      return replaced(dialect.doubleLiteral.special, "#", name)
    }
    let text = "\(number)"
    let exponent = text.contains("e") ? text : text + "e0"
    let literal = replaced(dialect.doubleLiteral.finite, "#", exponent)
    return literal.hasPrefix("-") ? "(\(literal))" : literal
  }

  private func replaced(_ text: String, _ character: Character, _ other: String) -> String {
    replaced(text, String(character), other)
  }

  /// A text with every occurrence of a part replaced, scalar by scalar.
  private func replaced(_ text: String, _ part: String, _ other: String) -> String {
    let wanted = Array(part.unicodeScalars)
    var result = String.UnicodeScalarView()
    var rest = Array(text.unicodeScalars)[...]
    while !rest.isEmpty {
      if rest.starts(with: wanted) {
        result.append(contentsOf: other.unicodeScalars)
        rest = rest.dropFirst(wanted.count)
      } else if let first = rest.popFirst() {
        result.append(first)
      }
    }
    return String(result)
  }
}
