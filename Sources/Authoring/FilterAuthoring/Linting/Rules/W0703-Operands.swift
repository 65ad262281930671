import ExpressionEngine
import ExpressionSyntax
import FilterAnalysis

// Reports arithmetic with values that are not numbers.

extension FilterLinter {
  /// Reports `user.name + user.age` and `user.age % 0`.
  mutating func checkOperands(_ id: NodeID, _ node: SyntaxNode) {
    guard isSuperscript, node.kind == .binary else { return }
    let left = node.left
    let right = node.right
    checkDivisor(node)
    guard [.add, .subtract, .multiply, .divide, .remainder].contains(node.op),
      tree.constant(of: left) == nil || tree.constant(of: right) == nil
    else { return }
    let a = staticType(left)
    let b = staticType(right)
    if [.add, .subtract].contains(node.op), a == .string, isMoment(tree[right]) {
      return reportTextAsMoment(node, left, right)
    }
    if [.add, .subtract].contains(node.op), isMoment(tree[left]), b.isNumeric {
      return reportNumberAsMoment(node, left, right, b)
    }
    // A text is never a part of another operation than a sum, and a bool of none.
    let isAlone = node.op != .add && (a == .string || b == .string) || a == .bool || b == .bool
    guard a != .any && b != .any || isAlone, !canCompute(a, node.op, b) else { return }
    let sides = [(left, a), (right, b)].filter { $0.1 != .any }
    let kinds = sides.count == 1 ? sides[0].1.withArticle : "\(a.name) and \(b.name)"
    report(
      Diagnostic(
        .typeMismatch, "`\(node.op.spelling)` has no meaning for \(kinds)",
        at: tree.operatorSpan(of: node), label: "an error when the filter runs",
        secondary: sides.map { Diagnostic.Label(tree[$0.0].span, $0.1.name) },
        helps: helpForOperands(id, node, a, b).map { [$0] } ?? []))
  }

  /// Reports `user.age % 0`.
  private mutating func checkDivisor(_ node: SyntaxNode) {
    guard node.op == .divide || node.op == .remainder,
      [.int(0), .uint(0)].contains(tree.constant(of: node.right))
    else { return }
    report(
      .always(
        false, "this divides by zero", at: tree[node.right].span, label: "zero",
        notes: [Self.failsAtRunTime], helps: ["divide by another number"]))
  }

  /// Returns advice for arithmetic with a text.
  private func helpForOperands(
    _ id: NodeID, _ node: SyntaxNode, _ a: AttributeType, _ b: AttributeType
  ) -> String? {
    let (left, right) = (node.left, node.right)
    let isMoment = [left, right].contains {
      [.date, .time, .dateTime].contains(knownAttribute($0)?.format)
    }
    if isMoment { return helpForNumber(in: a == .string ? left : right) }
    if node.op == .add, a == .string || b == .string {
      let (textSide, other) = a == .string ? (left, right) : (right, left)
      if case .string(let number)? = tree.constant(of: textSide), Self.isNumber(number) {
        // `user.views + "1" == "3"`
        if let comparison = ConstantComparison(tree[parent(of: id)], in: tree),
          case .string(let sum) = comparison.value, Self.isNumber(sum)
        {
          let rest = "\(comparison.op.spelling) \(sum)"
          return "write both numbers without quotes: `\(text(other)) + \(number) \(rest)`"
        }
        return "to add a number, write it without quotes: `\(number)`"
      }
      if [.decimal, .integer].contains(knownAttribute(textSide)?.format) {
        return helpForNumber(in: textSide)
      }
      return (a == .string ? b : a).isNumeric ? "write `string(\(text(other)))`" : nil
    }
    if case .string(let number)? = tree.constant(of: b == .string ? right : left),
      Self.isNumber(number)
    {
      return "write the number without quotes: `\(number)`"
    }
    if a.isNumeric, b == .string { return helpForNumber(in: right) }
    return a == .string && b.isNumeric ? helpForNumber(in: left) : nil
  }

  /// Returns advice for a text in arithmetic: a number as a text is converted, a date is not.
  private func helpForNumber(in id: NodeID) -> String? {
    switch knownAttribute(id)?.format {
    case .dateTime where knownAttribute(id)?.path.nameWords.contains("local") == false:
      "convert the texts, as in `timestamp(\(text(id)))`, whose difference is a `duration`; or ask "
        + "for days: `device.daysSinceInstall`, `device.daysSince(\"…\")`"
    case .date, .time, .dateTime:
      "there is no arithmetic with such a text; compare with a date: `\(text(id)) >= \"…\"`, or ask for "
        + "days, with `device.daysSinceInstall` or `device.daysSince(\"…\")`"
    case .decimal: "write `double(\(text(id)))`"
    case nil where knownAttribute(id).map { $0.path.hasSuffix("Id") } == true:
      "it is a text; for a share of all users, use `user.seed`"
    case nil, .integer: "write `int(\(text(id)))`"
    default: nil
    }
  }

  /// Reports `timestamp(…) + 86400`: a length of time has a unit.
  private mutating func reportNumberAsMoment(
    _ node: SyntaxNode, _ left: NodeID, _ right: NodeID, _ type: AttributeType
  ) {
    let moment = tree.name(of: tree[left])
    let help: String? =
      tree.constant(of: right)?.plainNumber.map { number in
        let days = number <= 366 ? ", and for days `duration(\"\((number * 24).formatted)h\")`" : ""
        return "for seconds, write `duration(\"\(text(right))s\")`\(days)"
      }
    report(
      Diagnostic(
        .typeMismatch, "`\(node.op.spelling)` has no meaning for \(moment) and \(type.name)",
        at: tree.operatorSpan(of: node), label: "an error when the filter runs",
        secondary: [
          Diagnostic.Label(tree[left].span, moment), Diagnostic.Label(tree[right].span, type.name),
        ], helps: help.map { [$0] } ?? []))
  }

  /// Reports `user.lastSeenAt - duration("24h")`: a time is a text until it is converted.
  private mutating func reportTextAsMoment(_ node: SyntaxNode, _ left: NodeID, _ right: NodeID) {
    let moment = tree.name(of: tree[right])
    report(
      Diagnostic(
        .typeMismatch, "`\(node.op.spelling)` has no meaning for string and \(moment)",
        at: tree.operatorSpan(of: node), label: "an error when the filter runs",
        secondary: [
          Diagnostic.Label(tree[left].span, "string"), Diagnostic.Label(tree[right].span, moment),
        ],
        helps: [
          isWholeMoment(left)
            ? "convert the text: `timestamp(\(text(left))) \(node.op.spelling) \(text(right))`"
            : "there is no arithmetic with dates as texts; write the date that is meant"
        ]))
  }

  /// Returns whether a part is not a constant, or a text with date, time and zone.
  private func isWholeMoment(_ id: NodeID) -> Bool {
    guard case .string(let text)? = tree.constant(of: id) else { return true }
    return text.utf8.count >= 20 && AttributeSchema.Attribute.Format.dateTime.accepts(text)
  }

  /// Reports `-user.name`.
  mutating func checkSign(_ node: SyntaxNode) {
    guard isSuperscript, node.op == .negate || node.op == .doubleNegate else { return }
    let operand = node.operand
    let type = staticType(operand)
    guard type != .any, !type.isNumeric else { return }
    let sign = SourceSpan(start: node.span.start, length: node.op == .negate ? 1 : 2)
    report(
      Diagnostic(
        .typeMismatch, "`\(tree.source.text(of: sign))` has no meaning for \(type.name)", at: sign,
        label: "an error when the filter runs",
        secondary: [Diagnostic.Label(tree[operand].span, type.name)],
        helps: [
          type == .bool ? "write `!\(text(operand))`" : "remove the `\(tree.source.text(of: sign))`"
        ]))
  }

  private func canCompute(_ a: AttributeType, _ op: Operator, _ b: AttributeType) -> Bool {
    switch (a, b) {
    case (.int, .int), (.int, .number), (.number, .int), (.number, .number): true
    case (.string, .string), (.list, .list): op == .add
    default: false
    }
  }
}
