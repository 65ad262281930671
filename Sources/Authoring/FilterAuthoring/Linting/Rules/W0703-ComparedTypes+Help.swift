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
      let start = "\(subject).startsWith(\"\(literal).\")"
      return "a version is a text with several numbers; ask for its start: "
        + "`\(comparison.op == .equal ? start : "!\(start)")`"
    }
    guard schema[attribute.path + "Padded"] == nil else { return nil }
    if let number = Int(literal), (9...98).contains(number),
      comparison.op == .greater || comparison.op == .lessEqual
    {
      // As text, "16.4" comes after "16".
      let op = comparison.op == .greater ? ">=" : "<"
      return
        "a version is a text: `\(subject) \(op) \"\(number + 1)\"`, which is right for versions "
        + "from 10 to 99"
    }
    return literal.count >= 2 && !literal.contains(".")
      ? "a version is a text: `\(subject) \(comparison.op.spelling) \"\(literal)\"`, which is right "
        + "for versions from 10 to 99"
      : "texts are compared letter by letter, and there is no padded `\(attribute.path)`; "
        + "ask for its start: `\(subject).startsWith(\"\(literal).\")`"
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
    guard comparison.isOrdering, subject.kind == .binary, subject.op.info.isComparison,
      !subject.flags.contains(.parenthesized)
    else { return nil }
    let middle = text(subject.right)
    return "write `\(text(comparison.subject)) && \(middle) \(comparison.op.spelling) \(literal)`"
  }

  /// Returns advice for `!a == b`, in which the `!` was meant for the comparison.
  func helpForNegation(_ comparison: ConstantComparison, _ literal: String) -> String? {
    let subject = tree[comparison.subject]
    guard subject.isUnary(.not), !subject.flags.contains(.parenthesized) else {
      return nil
    }
    let operand = text(subject.operand)
    guard comparison.isEquality else {
      let whole = "!(\(operand) \(comparison.op.spelling) \(literal))"
      return "`!` applies to `\(operand)` alone; write `\(whole)`"
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
