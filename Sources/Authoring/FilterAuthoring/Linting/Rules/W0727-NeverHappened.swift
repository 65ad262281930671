import ExpressionEngine
import ExpressionSyntax
import FilterAnalysis

// Reports conditions that fail for users to whom an event never happened.

extension FilterLinter {
  /// Reports `device.daysSince("x") > 7 || …`, whose first operand fails if the event never
  /// happened, so that the others are not asked.
  mutating func checkNeverHappened(_ operands: [NodeID]) {
    guard isSuperscript else { return }
    var known: [String] = []
    for operand in operands.dropLast().flatMap({ outline.operands(of: $0, .and) }) {
      if let call = timeComparedWithNull(operand) { known.append(call) }
      guard let comparison = ConstantComparison(tree[operand], in: tree), comparison.isOrdering,
        isTimeSince(comparison.subject), !wasReported(tree[operand].span),
        !known.contains(text(comparison.subject))
      else { continue }
      let call = text(comparison.subject)
      report(
        Diagnostic(
          .failsWhenMissing, "this fails if the event never happened", at: tree[operand].span,
          label: "null has no order",
          notes: ["the rest of `||` is not evaluated then, and the filter does not match"],
          helps: [
            "let it come last, or write `(\(call) != null ? \(text(operand)) : false)`",
            "to let in users to whom it never happened, write `(\(call) == null || \(text(operand)))`",
          ]))
    }
  }

  /// Reports `device.ipCity.startsWith("San ") || …` and `3 > user.a || !has(user.a)`, whose first
  /// operand fails where the attribute is missing, so that the others are not asked.
  mutating func checkFailingAlternatives(_ operands: [NodeID]) {
    guard isSuperscript else { return }
    for (index, operand) in operands.dropLast().enumerated() {
      guard outcomeWithoutAttributes(of: operand) == .failure else { continue }
      let later = operands[(index + 1)...]
      let path = paths(in: operand).first { path in
        let isOptional = schema.attribute(at: path)?.isOptional == true
        return !operands[..<index].contains { asksForPresence($0, of: path) }
          && (later.contains { asksForPresence($0, of: path) }
            || isOptional && later.contains { !paths(in: $0).contains(path) })
      }
      guard let path else { continue }
      report(
        Diagnostic(
          .failsWhenMissing, "this fails when `\(path)` is missing", at: tree[operand].span,
          label: "an error then, and not false",
          notes: ["the rest of `||` is not evaluated then, and the filter does not match"],
          helps: ["let it come last, or write `(has(\(path)) ? \(text(operand)) : false)`"]))
    }
  }

  /// Returns whether a condition is `has(path)`, or the opposite.
  private func asksForPresence(_ id: NodeID, of path: AttributePath) -> Bool {
    let node = tree[id].isUnary(.not) ? tree[tree[id].operand] : tree[id]
    return node.kind == .call && tree.name(of: node) == "has"
      && tree.arguments(of: node).first.flatMap { freePath($0) } == path
  }

  /// Reports `!(device.daysSince("x") < 3)`, which fails if the event never happened.
  mutating func checkNegatedTime(_ id: NodeID, _ comparison: ConstantComparison) {
    guard isSuperscript, comparison.isOrdering, isTimeSince(comparison.subject), isNegated(id)
    else {
      return
    }
    let call = text(comparison.subject)
    if let first = firstComparisonWithNull(of: call), first < tree[id].span.start { return }
    let opposite = "\(call) \(comparison.op.negated.spelling) \(text(comparison.constant))"
    report(
      Diagnostic(
        .failsWhenMissing, "`\(text(id))` fails if the event never happened", at: tree[id].span,
        label: "an error then, and not false",
        notes: ["`!` does not turn an error around, so the filter does not match"],
        helps: ["if these users are meant, too, write `(\(call) == null || \(opposite))`"]))
  }

  /// Reports `device.daysSince("x") != 0`, which is true if the event never happened.
  mutating func checkUnequalTime(_ id: NodeID, _ comparison: ConstantComparison) {
    guard isSuperscript, comparison.op == .notEqual, isTimeSince(comparison.subject),
      let number = comparison.value.plainNumber, number >= 0
    else { return }
    let call = text(comparison.subject)
    guard firstComparisonWithNull(of: call) == nil else { return }
    report(
      Diagnostic(
        .missingCountsAsZero, "this is true if the event never happened", at: tree[id].span,
        label: "null is not \(text(comparison.constant))",
        helps: [
          number == 0
            ? "for users to whom it happened, write `\(call) > 0`"
            : "for users to whom it happened, write `\(call) != null && \(text(id))`"
        ]))
  }

  /// Returns the place at which a time is first compared with null, by the text of its call.
  private mutating func firstComparisonWithNull(of call: String) -> UInt32? {
    if let timesComparedWithNull { return timesComparedWithNull[call] }
    var first: [String: UInt32] = [:]
    for index in tree.nodes.indices {
      let id = NodeID(UInt32(index))
      guard let call = timeComparedWithNull(id) else { continue }
      first[call] = min(first[call] ?? .max, tree[id].span.start)
    }
    timesComparedWithNull = first
    return first[call]
  }

  /// The events that have happened to every user of the open app.
  static let eventsOfAll: Set<String> = ["app_open", "app_launch", "session_start"]

  /// Returns whether a call asks for the time since an event that may never have happened.
  private func isTimeSince(_ id: NodeID) -> Bool {
    guard historyFunction(tree[id])?.isTime == true else { return false }
    guard let event = tree.arguments(of: tree[id]).first,
      case .string(let name)? = tree.constant(of: event)
    else { return true }
    return !Self.eventsOfAll.contains(name)
  }

  /// Returns the call that a condition compares with null.
  private func timeComparedWithNull(_ id: NodeID) -> String? {
    guard let comparison = ConstantComparison(tree[id], in: tree), comparison.value == .null,
      isTimeSince(comparison.subject)
    else { return nil }
    return text(comparison.subject)
  }
}
