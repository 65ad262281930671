import ExpressionEngine
import ExpressionSyntax
import FilterAnalysis

// Advice for conversions that fail.

extension FilterLinter {
  /// Returns advice for an hour that is compared with a number: `device.localTime.hour >= 18`.
  func clockHelp(comparedAt id: NodeID, _ time: String) -> String? {
    guard id != tree.root, let comparison = ConstantComparison(tree[parent(of: id)], in: tree),
      case .int(let hour) = comparison.value, (0...23).contains(hour)
    else { return nil }
    func clock(_ hour: Int64) -> String { "\"\(CalendarDate.twoDigits(Int(hour))):00:00\"" }
    let condition: String
    switch comparison.op {
    case .equal: condition = "\(time).startsWith(\"\(CalendarDate.twoDigits(Int(hour))):\")"
    case .greaterEqual, .less: condition = "\(time) \(comparison.op.spelling) \(clock(hour))"
    case .greater where hour < 23: condition = "\(time) >= \(clock(hour + 1))"
    case .lessEqual where hour < 23: condition = "\(time) < \(clock(hour + 1))"
    default: return nil
    }
    return "it is a text: write `\(condition)`"
  }

  /// Returns what is written for a comparison of a version, or of its first part, with a number.
  func helpForVersion(
    _ attribute: AttributeSchema.Attribute, _ argument: NodeID,
    comparedAs comparison: ConstantComparison?
  ) -> String {
    let padded = schema[attribute.path + "Padded"]
    if let comparison, comparison.isLowerBound, padded == nil {
      return "list the versions that you mean: "
        + "`\(text(argument)).matches(\"^(\(versions(from: text(comparison.constant))))\")`"
    }
    return padded.map { "compare padded versions: `\($0.path) \(comparedVersion(comparison))`" }
      ?? "for a version, ask for its start: `\(text(argument)).startsWith(\"…\")`"
  }

  /// Returns what is written in the place of a conversion that fails.
  func helpForConversion(
    _ node: SyntaxNode, _ name: String, of attribute: AttributeSchema.Attribute,
    _ argument: NodeID, _ sample: String
  ) -> String? {
    if isVersion(attribute, in: name) {
      return helpForVersion(attribute, argument, comparedAs: comparison(of: node))
    }
    if attribute.format == .decimal, name != "double" { return "write `double(\(text(argument)))`" }
    if isLocalMoment(attribute, in: name), schema["device.utcDateTime"] != nil {
      return
        "use `device.utcDateTime`; for the users' own clock, compare texts: "
        + comparedAsText(node, argument, sample)
    }
    if attribute.format == .time, let id = id(ofCall: node),
      let help = clockHelp(comparedAt: id, text(argument))
    {
      return help
    }
    if attribute.format == .date || attribute.format == .time {
      return "compare texts: \(comparedAsText(node, argument, sample))"
    }
    return helpForValues(of: argument, without: "")
  }

  /// Returns the comparison around a conversion, with the texts themselves.
  private func comparedAsText(_ node: SyntaxNode, _ argument: NodeID, _ sample: String) -> String {
    guard let id = id(ofCall: node), id != tree.root else {
      return "`\(text(argument)) >= \(sample)`"
    }
    let parent = tree[parent(of: id)]
    guard parent.kind == .binary, parent.op.info.isComparison else {
      return "`\(text(argument)) >= \(sample)`"
    }
    let other = tree[parent.left == id ? parent.right : parent.left]
    var literal = sample
    if other.kind == .call, isMoment(other), let inner = tree.arguments(of: other).first,
      case .string(let moment)? = tree.constant(of: inner)
    {
      let length = knownAttribute(argument)?.format == .date ? 10 : 19
      literal = "\"\(moment.prefix(length))\""
    }
    let op = parent.left == id ? parent.op : parent.op.mirrored
    let compared = "`\(text(argument)) \(op.spelling) \(literal)`"
    // "After the day began" may mean from that day on.
    return op == .greater && literal.utf8.count == 12
      ? "\(compared), or `>=` with the day itself" : compared
  }
}
