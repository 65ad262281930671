import ExpressionEngine
import ExpressionSyntax
import FilterAnalysis

// Reports conditions that no value meets together, where the prover does not read them: ranges of
// what is computed, and neighbours without anything between them.

extension FilterLinter {
  /// The numbers that pass the comparisons of a part so far.
  private struct NumberRange {
    var low = -Double.infinity
    var high = Double.infinity
    var isLowIn = true
    var isHighIn = true
    /// Whether all conditions are `<` or `>`.
    var isWithoutBounds = true
    var operands: [NodeID] = []

    var isEmpty: Bool { low > high || low == high && !(isLowIn && isHighIn) }

    mutating func restrict(to op: Operator, _ number: Double) {
      if op != .greater && op != .less { isWithoutBounds = false }
      if [.greater, .greaterEqual, .equal].contains(op), number >= low {
        isLowIn = op != .greater && (number > low || isLowIn)
        low = number
      }
      if [.less, .lessEqual, .equal].contains(op), number <= high {
        isHighIn = op != .less && (number < high || isHighIn)
        high = number
      }
    }
  }

  /// Reports `device.minutesSinceInstall / 60 >= 48 && device.minutesSinceInstall / 60 < 24`.
  mutating func checkComputedRanges(_ operands: [NodeID]) {
    var ranges: [String: NumberRange] = [:]
    for operand in operands {
      guard let comparison = ConstantComparison(tree[operand], in: tree), comparison.op != .in,
        comparison.op != .notEqual, let number = comparison.value.plainNumber,
        freePath(comparison.subject) == nil, tree.constant(of: comparison.subject) == nil
      else { continue }
      let key = text(comparison.subject)
      var range = ranges[key] ?? NumberRange()
      guard !range.isEmpty else { continue }
      range.restrict(to: comparison.op, number)
      range.operands.append(operand)
      ranges[key] = range
      guard range.isEmpty, let first = range.operands.first, !wasReported(tree[operand].span) else {
        continue
      }
      reportExclusion(
        "no value of `\(key.shortened(to: 60))` passes both of these", first, operand,
        // What is not below a number is at least the number.
        help: range.low == range.high && range.isWithoutBounds
          ? "for any other number, write `\(key) != \(range.low.formatted)`"
          : range.low - range.high <= 1
            ? "correct one of the bounds"
            : "correct one of the bounds, or join the two as `(… || …)`"
      )
    }
  }

  /// Reports `size(user.name) == 0 && user.name != ""`, and the opposite.
  mutating func checkEmptyTexts(_ operands: [NodeID]) {
    var sizes: [AttributePath: (operand: NodeID, isEmpty: Bool)] = [:]
    var texts: [AttributePath: (operand: NodeID, isEmpty: Bool)] = [:]
    for operand in operands {
      switch outline.relation(of: operand) {
      case .size(of: let subject, let comparison):
        guard let path = freePath(subject), comparison.isConstantRight,
          case .int(let number) = comparison.value
        else { continue }
        switch (comparison.op, number) {
        case (.equal, 0), (.less, 1), (.lessEqual, 0): sizes[path] = (operand, true)
        case (.greater, 0...), (.greaterEqual, 1...), (.notEqual, 0), (.equal, 1...):
          sizes[path] = (operand, false)
        default: continue
        }
      case .comparison(let comparison):
        guard let path = freePath(comparison.subject), comparison.isEquality,
          case .string(let text) = comparison.value, text.isEmpty || comparison.op == .equal
        else { continue }
        texts[path] = (operand, text.isEmpty == (comparison.op == .equal))
      default: continue
      }
    }
    for (path, size) in sizes.sorted(by: { $0.value.operand.index < $1.value.operand.index }) {
      guard let text = texts[path], text.isEmpty != size.isEmpty,
        !wasReported(tree[text.operand].span), !wasReported(tree[size.operand].span)
      else { continue }
      let (first, second) =
        size.operand.index < text.operand.index
        ? (size.operand, text.operand) : (text.operand, size.operand)
      reportExclusion(
        "a text is empty or it is not", first, second, help: "remove one of the two, or correct it")
    }
  }

  /// Reports `user.lessonsCompleted > 10 && user.lessonsCompleted < 11`: by its name, the attribute
  /// counts by whole numbers.
  mutating func checkNeighboursOfCounts(_ operands: [NodeID]) {
    var bounds: [AttributePath: [(operand: NodeID, op: Operator, number: Int64)]] = [:]
    for operand in operands {
      guard let comparison = ConstantComparison(tree[operand], in: tree),
        comparison.isConstantRight, comparison.op == .greater || comparison.op == .less,
        case .int(let number) = comparison.value, let path = freePath(comparison.subject),
        isCountByName(comparison.subject)
      else { continue }
      let other = bounds[path, default: []].first { other in
        let (low, high) = comparison.op == .less ? (other.number, number) : (number, other.number)
        return other.op != comparison.op && low < high
          && high.subtractingReportingOverflow(low) == (1, false)
      }
      bounds[path, default: []].append((operand, comparison.op, number))
      guard let other else { continue }
      reportExclusion(
        "no whole number is between these two", other.operand, operand,
        help: "to include a bound, write `>=` or `<=`")
    }
  }

  /// Reports `device.localDate > "2026-12-23" && device.localDate < "2026-12-24"`: nothing lies
  /// between two days. Between two versions are releases before the second, "004.002.001-beta".
  mutating func checkNeighbours(_ operands: [NodeID]) {
    var lows: [AttributePath: (operand: NodeID, text: String)] = [:]
    var highs: [AttributePath: (operand: NodeID, text: String)] = [:]
    for operand in operands {
      guard let comparison = ConstantComparison(tree[operand], in: tree),
        let path = freePath(comparison.subject), case .string(let text) = comparison.value
      else { continue }
      switch comparison.op {
      case .greater: lows[path] = (operand, text)
      case .less: highs[path] = (operand, text)
      default: continue
      }
      guard let low = lows[path], let high = highs[path],
        schema.attribute(at: path)?.format == .date, CalendarDate.isDay(low.text),
        CalendarDate.nextDay(after: low.text) == high.text
      else { continue }
      report(
        .always(
          false, "nothing lies between `\"\(low.text)\"` and `\"\(high.text)\"`",
          at: tree[operand].span, label: "excludes the other",
          secondary: [
            Diagnostic.Label(tree[operand == low.operand ? high.operand : low.operand].span, "")
          ],
          helps: [
            "to include a bound, write `>=` or `<=`"
          ]))
    }
  }
}
