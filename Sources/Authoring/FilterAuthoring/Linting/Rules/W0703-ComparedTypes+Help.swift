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
    let values = attribute.quotedValues
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

  /// Returns the number that a length of time or a word means in the unit of an attribute:
  /// `"2 weeks"` is 14 days, and `"none"` of a count is 0.
  func lengthMeant(by content: String, _ comparison: ConstantComparison) -> String? {
    let subject = tree[comparison.subject]
    let unit = knownAttribute(comparison.subject)?.unit ?? historyFunction(subject)?.unit
    let words = content.lowercased().split(separator: " ")
    guard let unit else {
      let isNone = ["none", "zero", "no", "nothing"].contains(content.lowercased())
      return isNone && comparison.isEquality ? "0" : nil
    }
    guard let length = unit.seconds, words.count == 2,
      let number = Double(String(words[0])) ?? Self.numbers[String(words[0])].map(Double.init),
      let named = Self.lengths.first(where: { words[1].hasPrefix($0.name) })
    else { return nil }
    let count = number * named.seconds / length
    return count == count.rounded() && count < 1e9 ? "\(Int(count))" : nil
  }

  /// Lengths of time by the beginnings of their names.
  private static let lengths: [(name: String, seconds: Double)] = [
    ("min", 60), ("hour", 3_600), ("hr", 3_600), ("day", 86_400), ("week", 604_800),
    ("month", 2_592_000), ("year", 31_536_000),
  ]

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
  /// `17.4`, and `9([.]|$)|10([.]|$)|…` for `9`, which Android sends alone.
  func versions(from literal: String) -> String {
    let parts = literal.split(separator: ".")
    guard let first = parts.first, let major = Int(first), (1...98).contains(major) else {
      return "…"
    }
    let minor = parts.count > 1 ? Int(parts[1]) : nil
    let own = minor.map { $0 < 9 ? "\(major)[.][\($0)-9]" : "\(major)[.]\($0)" }
    let end = minor == nil ? "([.]|$)" : "[.]"
    return "\(own ?? "\(major)\(end)")|\(major + 1)\(end)|…"
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
    case .dateTime:
      // Seconds, or milliseconds, from 1970.
      return momentMeant(by: number, length: 19)
    case .date:
      if let meant = momentMeant(by: number, length: 10) { return meant }
      guard literal.utf8.count == 8, number == number.rounded() else { return nil }
      let digits = Array(literal)
      let text = String(digits[0..<4]) + "-" + String(digits[4..<6]) + "-" + String(digits[6..<8])
      return CalendarDate.exists(text) ? text : nil
    default: return nil
    }
  }

  /// Returns the beginning of a moment that a number of seconds or milliseconds from 1970 means.
  private func momentMeant(by number: Double, length: Int) -> String? {
    guard let whole = Int64(exactly: number) else { return nil }
    let seconds = whole >= 1_000_000_000_000 ? whole / 1_000 : whole
    return CalendarDate.text(ofSecondsSince1970: seconds).map { String($0.prefix(length)) }
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

extension AttributeSchema.Attribute {
  /// Returns the number, as the attribute has it in a text, that another spelling means: `"49.99"`
  /// for `"$49.99"`, and `"1"` for `"monthly"` in a number of months.
  func number(meantBy text: String) -> String? {
    let word = text.lowercased()
    if let number = FilterLinter.numbers[word] { return "\(number)" }
    let digits = text.filter { $0.isNumber || $0 == "." }
    if let start = digits.first, start.isNumber, Double(digits) != nil,
      text.allSatisfy({ !$0.isLetter && $0 != "," && $0 != "-" }),
      format == .decimal || !digits.contains(".")
    {
      return digits
    }
    let parts = word.split(separator: " ")
    if parts.count == 2, Int(parts[0]) != nil, let unit = path.split(separator: "_").last,
      parts[1].hasPrefix(unit.dropLast())
    {
      return String(parts[0])
    }
    let days = [
      "daily": 1, "weekly": 7, "monthly": 30, "quarterly": 90, "yearly": 365, "annual": 365,
    ]
    guard let length = days[word] else { return nil }
    let unit = ["_days": 1, "_weeks": 7, "_months": 30, "_years": 365].first {
      path.hasSuffix($0.key)
    }
    guard let unit = unit?.value, length >= unit else { return nil }
    return "\(length / unit)"
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
      if case .string(let text) = comparison.value,
        let other = attributeWith(text, besides: attribute)
      {
        return "that is a value of `\(other.path)`: "
          + "`\(other.path) \(comparison.op.spelling) \"\(other.value)\"`"
      }
    }
    let call = tree[comparison.subject]
    if case .string(let word) = comparison.value, comparison.op == .equal, call.kind == .call,
      !word.hasPrefix("true"), !word.hasPrefix("false"),
      ["contains", "startsWith", "endsWith"].contains(tree.name(of: call)),
      let receiver = call.receiver,
      let sought = tree.arguments(of: call).first, text(sought) != text(comparison.constant)
    {
      let other = "\(text(receiver)).\(tree.name(of: call))(\(text(comparison.constant)))"
      return "for one of two texts, write `\(subject) || \(other)`"
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
    // `!!x` makes a bool in JavaScript.
    if call.isUnary(.doubleNot) {
      return "without the `!!`, write `\(text(call.operand)) \(comparison.op.spelling) "
        + "\(text(comparison.constant))`"
    }
    if call.kind == .call, tree.name(of: call) == "has", call.receiver == nil,
      let argument = tree.arguments(of: call).first, freePath(argument) != nil
    {
      return "compare the attribute itself: "
        + "`\(text(argument)) \(comparison.op.spelling) \(text(comparison.constant))`"
    }
    return "compare it with `true` or `false`"
  }
}
