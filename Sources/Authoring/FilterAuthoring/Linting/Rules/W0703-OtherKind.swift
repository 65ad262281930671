import ExpressionEngine
import ExpressionSyntax
import FilterAnalysis

// Reports comparisons of attributes that mean different things.

extension FilterLinter {
  /// Reports `device.regionCode == device.storeFrontCountryCode`, a code of two letters beside one
  /// of three, and `device.localDate > device.localTime`.
  ///
  /// - Returns: Whether it did.
  mutating func checkKinds(_ node: SyntaxNode, _ left: NodeID, _ right: NodeID) -> Bool {
    guard node.op != .in, let a = knownAttribute(left), let b = knownAttribute(right),
      a.type == .string, b.type == .string,
      differ(a, b, isOrdering: node.op != .equal && node.op != .notEqual)
    else { return false }
    report(
      Diagnostic(
        .typeMismatch, "`\(a.path)` and `\(b.path)` are not the same kind of text",
        at: tree.operatorSpan(of: node), label: "compares different things",
        secondary: [
          Diagnostic.Label(tree[left].span, ""), Diagnostic.Label(tree[right].span, ""),
        ],
        notes: [a, b].map { "`\($0.path)` is \(kind(of: $0))" },
        helps: ["compare attributes of the same kind, or with a text"]))
    return true
  }

  /// Returns whether the texts of two attributes mean different things.
  private func differ(
    _ a: AttributeSchema.Attribute, _ b: AttributeSchema.Attribute, isOrdering: Bool
  ) -> Bool {
    if !a.values.isEmpty, !b.values.isEmpty { return Set(a.values).isDisjoint(with: b.values) }
    guard let format = a.format, a.values.isEmpty else {
      guard b.format != nil else { return false }
      return differ(b, a, isOrdering: isOrdering)
    }
    if !b.values.isEmpty { return true }
    guard let other = b.format else {
      // An id or a name has its example only.
      guard let example = b.example, example.hasPrefix("\""), b.values.isEmpty else { return false }
      return !format.accepts(String(example.dropFirst().dropLast()))
    }
    switch Set([format, other]) {
    case let same where same.count == 1: return false
    // Texts of both have an order: the day comes first.
    case [.date, .dateTime]: return !isOrdering
    case [.decimal, .integer], [.version, .paddedVersion]: return false
    default: return true
    }
  }

  private func kind(of attribute: AttributeSchema.Attribute) -> String {
    attribute.format.map { format in
      // The clock of the user has no zone.
      format == .dateTime && attribute.path.nameWords.contains("local")
        ? "a date and time such as 2026-03-01T18:30:00" : format.meaning
    }
      ?? attribute.values.first { !$0.isEmpty }.map { "a text such as \"\($0)\"" }
      ?? attribute.summary
  }

  // MARK: Units

  /// What a number counts.
  private enum Measure: Equatable {
    /// Times of a length in seconds.
    case time(Double)
    case unit(AttributeSchema.Attribute.Unit)
    /// A count of something.
    case count
  }

  /// Reports `device.daysSinceInstall > device.minutesSinceInstall`: the numbers are in different
  /// units.
  ///
  /// - Returns: Whether it did.
  mutating func checkUnits(_ node: SyntaxNode, _ left: NodeID, _ right: NodeID) -> Bool {
    guard node.op != .in, let a = measure(left, 0), let b = measure(right, 0), a != b else {
      return false
    }
    switch (a, b) {
    // There may be a rate: views for each day.
    case (.time, .count), (.count, .time): return false
    default: break
    }
    report(
      Diagnostic(
        .otherUnit, "the two sides are not in the same unit", at: tree.operatorSpan(of: node),
        label: "compares different things",
        secondary: [
          Diagnostic.Label(tree[left].span, Self.name(of: a)),
          Diagnostic.Label(tree[right].span, Self.name(of: b)),
        ], helps: ["compare numbers of the same unit, or with a constant"]))
    return true
  }

  private static func name(of measure: Measure) -> String {
    switch measure {
    case .time(60): "minutes"
    case .time(3_600): "hours"
    case .time(86_400): "days"
    case .time(604_800): "weeks"
    case .time(let seconds): "times of \(seconds.formatted) seconds"
    case .unit(let unit): unit.meaning
    case .count: "a count"
    }
  }

  /// Returns what a side of a comparison counts: `device.daysSinceInstall * 24` are hours.
  private func measure(_ id: NodeID, _ depth: Int) -> Measure? {
    let node = tree[id]
    if let attribute = knownAttribute(id) {
      guard attribute.type.isNumeric else { return nil }
      guard let unit = attribute.unit else {
        return AttributeSchema.builtIn[attribute.path] == nil ? nil : .count
      }
      return unit.seconds.map { .time($0) } ?? .unit(unit)
    }
    if let function = historyFunction(node) {
      return function.unit.map { unit in unit.seconds.map { .time($0) } ?? .unit(unit) }
    }
    guard node.isBinary(.multiply) || node.isBinary(.divide), depth < 8,
      case .time(let seconds)? = measure(node.left, depth + 1),
      let factor = tree.constant(of: node.right)?.plainNumber, factor > 1
    else { return nil }
    return .time(node.op == .multiply ? seconds / factor : seconds * factor)
  }
}
