import ExpressionEngine
import ExpressionSyntax
import FilterAnalysis

// Advice for comparisons of values whose types never meet.

extension FilterLinter {
  /// Returns the values that an attribute may have, if a text is certainly not one of them.
  func helpForValues(of subject: NodeID, without text: String) -> String? {
    guard let attribute = knownAttribute(subject), !attribute.values.contains(text) else {
      return nil
    }
    let values = attribute.values.filter { !$0.isEmpty }.map { "\"\($0)\"" }
    if !values.isEmpty { return "it is one of \(values.joined(separator: ", "))" }
    // A price with its sign has the number beside it.
    let isPrice = attribute.path.nameWords.contains("price")
    if attribute.format == nil, isPrice, attribute.example == nil,
      let number = schema.sorted.first(where: {
        $0.format == .decimal && $0.path.hasSuffix("raw_price")
      })
    {
      return "its values have the sign of a currency; the number is `double(\(number.path))`"
    }
    if attribute.format == nil, let example = AttributeSchema.builtIn[attribute.path]?.example,
      Double(example.filter { $0 != "\"" }) == nil
    {
      let number = schema.sorted.first {
        $0.format == .decimal && $0.path.hasSuffix("raw_" + (attribute.path.afterLast("_") ?? "-"))
      }
      return "its values are texts such as \(example)"
        + (number.map { "; the number is `double(\($0.path))`" } ?? "")
    }
    return attribute.format?.sample.map { "its values are texts such as \"\($0)\"" }
  }

  /// Returns advice for a number in place of a version that has no padded form.
  func helpForVersion(_ comparison: ConstantComparison, _ literal: String) -> String? {
    guard let attribute = knownAttribute(comparison.subject),
      [.version, .systemVersion].contains(attribute.format)
    else { return nil }
    let subject = text(comparison.subject)
    if comparison.isEquality {
      // `1.2` may be the whole version of an app.
      let isWhole = attribute.format == .version && attribute.path != "device.sdkVersion"
      guard !literal.contains(".") || !isWhole else { return nil }
      // On Android the version is "14" alone.
      let number = comparison.value.plainNumber
      let isSystem = attribute.format == .systemVersion && number == number?.rounded()
      let beginning = isSystem ? number.map { $0.formatted } ?? literal : "\(literal)."
      let start = "\(subject).startsWith(\"\(beginning)\")"
      return "a version is a text with several numbers; ask for its start: "
        + "`\(comparison.op == .equal ? start : "!\(start)")`"
    }
    guard schema[attribute.path + "Padded"] == nil else { return nil }
    let literal = literal.hasSuffix(".0") ? String(literal.dropLast(2)) : literal
    if let number = Int(literal), (9...98).contains(number),
      comparison.op == .greater || comparison.op == .lessEqual
    {
      // As text, "16.4" comes after "16".
      let op = comparison.op == .greater ? ">=" : "<"
      return
        "a version is a text: `\(subject) \(op) \"\(number + 1)\"`, which is right for versions "
        + "from 10 to 99"
    }
    if literal.count >= 2, !literal.contains(".") {
      return
        "a version is a text: `\(subject) \(comparison.op.spelling) \"\(literal)\"`, which is "
        + "right for versions from 10 to 99"
    }
    return comparison.op == .less || comparison.op == .lessEqual
      ? "texts are compared letter by letter, and there is no padded `\(attribute.path)`; "
        + "list the versions that you mean, each with `startsWith`"
      : "texts are compared letter by letter, and there is no padded `\(attribute.path)`; "
        + "list the versions that you mean: `\(subject).matches(\"^(\(versions(from: literal)))\")`"
  }

  /// Returns a pattern for versions from a number on, as an example: `17[.][4-9]|18[.]|…` for
  /// `17.4`, and `9[.]|10[.]|…` for `9`.
  private func versions(from literal: String) -> String {
    let parts = literal.split(separator: ".")
    guard let first = parts.first, let major = Int(first), (1...98).contains(major) else {
      return "…"
    }
    let minor = parts.count > 1 ? Int(parts[1]) : nil
    let own = minor.map { $0 < 9 ? "\(major)[.][\($0)-9]" : "\(major)[.]\($0)" } ?? "\(major)[.]"
    return "\(own)|\(major + 1)[.]|…"
  }

  /// Returns the text that a number means in the form of an attribute: `"18:00:00"` for 18, and
  /// `"2026-11-27"` for 20261127.
  func textMeant(by literal: String, _ comparison: ConstantComparison) -> String? {
    guard let attribute = knownAttribute(comparison.subject), let format = attribute.format,
      let number = Double(literal)
    else { return nil }
    switch format {
    case .integer, .decimal: return comparison.isEquality && !literal.contains("e") ? literal : nil
    case .paddedVersion:
      let parts = literal.split(separator: ".")
      guard !literal.contains("-"), parts.allSatisfy({ $0.utf8.count <= 3 }) else {
        // 2010000 is 2.10.0 without its dots.
        guard let whole = Int(literal), (1_000_000..<1_000_000_000).contains(whole) else {
          return nil
        }
        return Self.padded("\(whole / 1_000_000).\(whole / 1_000 % 1_000).\(whole % 1_000)")
      }
      return Self.padded(literal)
    case .time:
      guard (0...23).contains(number), number == number.rounded(), comparison.isOrdering else {
        return nil
      }
      return (number < 10 ? "0" : "") + "\(Int(number)):00:00"
    case .date:
      guard literal.utf8.count == 8, number == number.rounded() else { return nil }
      let digits = Array(literal)
      let text = String(digits[0..<4]) + "-" + String(digits[4..<6]) + "-" + String(digits[6..<8])
      return CalendarDate.exists(text) ? text : nil
    default: return nil
    }
  }

  /// Returns advice for a number in place of a version, a date or a time.
  func helpForForm(_ comparison: ConstantComparison, _ literal: String) -> String? {
    guard !comparison.isEquality, let attribute = knownAttribute(comparison.subject),
      let format = attribute.format
    else { return nil }
    switch format {
    case .version, .systemVersion:
      let sibling = attribute.path + "Padded"
      return schema[sibling] == nil || literal.contains("-")
        ? "a version is a text; put it in quotes"
        : "compare padded versions: `\(sibling) \(comparison.op.spelling) \"\(Self.padded(literal))\"`"
    case .paddedVersion: return "its values are texts such as \"002.010.000\""
    case .decimal, .integer: return nil
    default: return format.sample.map { "its values are texts such as \"\($0)\"" }
    }
  }

  /// Returns advice for `1 < a < 5`, which compares the result of a comparison.
  func helpForChain(_ comparison: ConstantComparison, _ literal: String) -> String? {
    let subject = tree[comparison.subject]
    guard comparison.isOrdering, subject.kind == .binary, subject.op.info.isComparison else {
      return nil
    }
    // `(age > 7) < 30` bounds the age on both sides.
    let middle = tree.constant(of: subject.right) == nil ? subject.right : subject.left
    let first = tree.source.text(of: subject.span)
    return "write `\(first) && \(text(middle)) \(comparison.op.spelling) \(literal)`"
  }

  /// Returns advice for `!a == b`, in which the `!` was meant for the comparison.
  func helpForNegation(_ comparison: ConstantComparison, _ literal: String) -> String? {
    let subject = tree[comparison.subject]
    guard subject.isUnary(.not), !subject.flags.contains(.parenthesized) else {
      return nil
    }
    let operand = text(subject.operand)
    if staticType(subject.operand) == .bool, literalType(of: comparison.value) != .bool {
      if case .string(let text) = comparison.value, ForeignWords.literal(for: text) == nil {
        return
          "`\(operand)` is true or false; what is compared with \(literal) is another attribute"
      }
      return "a condition is true or false: write `!\(operand)` alone"
    }
    guard comparison.isEquality else {
      let whole = "!(\(operand) \(comparison.op.spelling) \(literal))"
      return "`!` applies to `\(operand)` alone; write `\(whole)`"
    }
    if isList(staticType(subject.operand)), case .string = comparison.value {
      let membership = "\(literal) in \(operand)"
      return "write `\(comparison.op == .equal ? "!(\(membership))" : membership)`"
    }
    let opposite = comparison.op == .equal ? "!=" : "=="
    return "`!` applies to `\(operand)` alone; write `\(operand) \(opposite) \(literal)`"
  }

  /// Returns whether the superscript dialect also reads a text as a number.
  static func isNumber(_ text: String) -> Bool {
    guard !text.contains(where: { $0 == " " || $0 == "x" || $0 == "X" || $0 == "p" }) else {
      return false
    }
    return Double(text) != nil
      || (text.hasSuffix(".") && Double(String(text.dropLast())) != nil)
      || (text.hasPrefix(".") && Double("0" + text) != nil)
  }
}

extension String {
  /// The text after the last occurrence of a character.
  fileprivate func afterLast(_ character: Character) -> String? {
    lastIndex(of: character).map { String(self[index(after: $0)...]) }
  }
}

extension FilterLinter {
  /// Returns the fix that compares a bool with the bool that a word or a number means: `1`,
  /// `"yes"`, `"TRUE"`.
  func boolMeant(_ comparison: ConstantComparison) -> Diagnostic.FixIt? {
    guard comparison.isEquality,
      knownAttribute(comparison.subject) != nil || tree[comparison.subject].kind == .call
    else { return nil }
    let truth: Bool
    switch comparison.value {
    case .int(1), .double(1): truth = true
    case .int(0), .double(0): truth = false
    case .string(let word):
      switch word.lowercased().filter({ $0 != " " }) {
      case "yes", "y", "on", "true", "1", "t", "enabled": truth = true
      case "no", "n", "off", "false", "0", "f", "disabled": truth = false
      default: return nil
      }
    default: return nil
    }
    let span = tree[comparison.constant].span
    return Diagnostic.FixIt(write: "\(truth)", at: span)
  }

  /// Returns advice for a bool that is compared with a word or a number.
  func helpForBool(_ comparison: ConstantComparison) -> String {
    let subject = text(comparison.subject)
    if let attribute = knownAttribute(comparison.subject) {
      let word =
        if case .string(let text) = comparison.value { text.nameKey } else { "" }
      // `isActive == "active"` says twice that it is.
      if comparison.op == .equal, word.utf8.count > 2,
        attribute.path.nameKey.firstOccurrence(of: word) != nil || word == "available"
      {
        return "it is true or false: write `\(subject)` alone"
      }
    }
    if case .int(let number) = comparison.value, (0...1).contains(number) {
      let isTrue: Bool? =
        switch (comparison.op, number) {
        case (.greater, 0), (.greaterEqual, 1), (.equal, 1), (.notEqual, 0): true
        case (.less, 1), (.lessEqual, 0), (.equal, 0), (.notEqual, 1): false
        default: nil
        }
      if let isTrue { return "it is true or false: write `\(isTrue ? "" : "!")\(subject)`" }
    }
    return "compare it with `true` or `false`"
  }
}
