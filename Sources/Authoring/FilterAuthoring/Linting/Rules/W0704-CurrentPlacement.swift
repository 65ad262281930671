import ExpressionEngine
import ExpressionSyntax
import FilterAnalysis

// Reports what the history says of an event at the moment at which it happens.

extension FilterLinter {
  /// Reports `params.event_name == "run_done" && device.daysSince("run_done") > 7` and
  /// `… && device.placementsInDay("run_done") == 0`: the placement is in the history before its
  /// filter is evaluated.
  mutating func checkCurrentPlacement(_ operands: [NodeID]) {
    guard let (pin, names) = operands.compactMap({ placements(of: $0) }).first, names.count == 1,
      let event = names.first
    else { return }
    for operand in operands where operand != pin {
      guard let (comparison, function) = historyComparison(operand, of: event),
        isNeverTrueNow(comparison, function)
      else { continue }
      let call = text(comparison.subject)
      report(
        .always(
          false, "no user passes both of these", at: tree[operand].span,
          label: function.isTime ? "it has just happened" : "this one is counted, too",
          secondary: [Diagnostic.Label(tree[pin].span, "this one")],
          notes: ["a placement is in the history before its filter is evaluated"],
          helps: [
            function.isTime
              ? "for the time before this one, use the older spelling, which leaves it out: "
                + "`device.\(function.name)_\(event)`"
              : "for the first time, write `\(call) == 1`"
          ]
            + (function.isTime
              ? ["for how often, write `device.placementsSinceInstall(\"\(event)\")`"] : [])))
    }
  }

  /// Reports `device.daysSinceInstall < 365 && device.daysSince("workout") > 400`: the history
  /// begins with the installation.
  mutating func checkBeforeInstall(_ operands: [NodeID]) {
    let comparisons = comparisons(among: operands)
    let limits = comparisons.compactMap { id, comparison -> (id: NodeID, minutes: Double)? in
      guard comparison.isConstantRight, [.less, .lessEqual, .equal].contains(comparison.op),
        let most = comparison.value.plainNumber,
        let unit = minutes(of: comparison.subject, since: "Install")
      else { return nil }
      return (id, (most + 1) * unit)
    }
    guard let limit = limits.first else { return }
    for (id, comparison) in comparisons where id != limit.id {
      let function = historyFunction(tree[comparison.subject])
      let unit =
        minutes(of: comparison.subject, since: "LastPaywallView")
        ?? (function?.isTime == true ? function?.unitMinutes?.lowerBound : nil)
      guard let unit, let least = comparison.value.plainNumber,
        comparison.isLowerBound || comparison.op == .equal,
        // Days begin at midnight or at the time of an event.
        (least - (unit > 1 && limit.minutes < 1_440 ? 1 : 0)) * unit > limit.minutes
      else { continue }
      return report(
        .always(
          false, "no user passes both of these", at: tree[id].span,
          label: "before the installation",
          secondary: [Diagnostic.Label(tree[limit.id].span, "this one")],
          notes: ["the history of events begins with the installation"],
          helps: ["correct one of the numbers"]))
    }
  }

  /// Returns the minutes of the unit of `device.daysSinceInstall` or `device.minutesSinceInstall`,
  /// or those of another event.
  private func minutes(of subject: NodeID, since event: String) -> Double? {
    switch freePath(subject)?.description {
    case "device.daysSince\(event)": 1_440
    case "device.minutesSince\(event)": 1
    default: nil
    }
  }

  /// Reports `device.daysSinceLastPaywallView > device.daysSinceInstall`: nothing is older than the
  /// installation.
  mutating func checkBeforeInstall(_ node: SyntaxNode) {
    let isGreater = node.op == .greater
    guard isGreater || node.op == .less else { return }
    let (longer, shorter) = isGreater ? (node.left, node.right) : (node.right, node.left)
    guard let limit = freePath(shorter)?.description,
      ["device.daysSinceInstall", "device.minutesSinceInstall"].contains(limit)
    else { return }
    let unit: AttributeSchema.Attribute.Unit = limit.hasPrefix("device.days") ? .days : .minutes
    let own = unit == .days ? "daysSince" : "minutesSince"
    let isTime = historyFunction(tree[longer]).map { $0.isTime && $0.unit == unit } ?? false
    guard isTime || freePath(longer)?.description == "device.\(own)LastPaywallView" else { return }
    report(
      .always(
        false, "nothing happens before the installation", at: node.span,
        label: "never true", helps: ["compare it with a number"]))
  }

  /// Reports `device.placementsInMonth("x") == 0 && device.daysSince("x") < 30`: what happened so
  /// recently is counted.
  mutating func checkCountAndTime(_ operands: [NodeID]) {
    let read = operands.compactMap {
      id -> (id: NodeID, ConstantComparison, HistoryFunctionInfo, String)? in
      guard let comparison = ConstantComparison(tree[id], in: tree), comparison.isConstantRight,
        let function = historyFunction(tree[comparison.subject]),
        let argument = tree.arguments(of: tree[comparison.subject]).first
      else { return nil }
      return (id, comparison, function, text(argument))
    }
    for (id, count, function, event) in read {
      guard case .count(let window) = function.subject,
        count.op == .equal && count.value == .int(0) || count.op == .less && count.value == .int(1)
      else { continue }
      let recent = read.first { _, time, other, name in
        guard name == event, other.isTime, let unit = other.unitMinutes,
          let most = time.value.plainNumber,
          time.op == .less || time.op == .lessEqual || time.op == .equal
        else { return false }
        return (time.op == .less ? most : most + 1) * unit.upperBound <= window
      }
      guard let recent else { continue }
      return report(
        .always(
          false, "no user passes both of these", at: tree[id].span,
          label: "what happened so recently is counted",
          secondary: [Diagnostic.Label(tree[recent.id].span, "this one")],
          helps: ["keep the one that is meant"]))
    }
  }

  /// Returns the comparison of what the history says of an event.
  private func historyComparison(
    _ id: NodeID, of event: String
  ) -> (ConstantComparison, HistoryFunctionInfo)? {
    guard let comparison = ConstantComparison(tree[id], in: tree),
      let function = historyFunction(tree[comparison.subject]),
      let argument = tree.arguments(of: tree[comparison.subject]).first,
      tree.constant(of: argument) == .string(event)
    else { return nil }
    return (comparison, function)
  }

  /// Returns whether a comparison holds neither for a time of zero nor for a count of one or more.
  private func isNeverTrueNow(
    _ comparison: ConstantComparison, _ function: HistoryFunctionInfo
  ) -> Bool {
    guard let constant = comparison.value.plainNumber else { return false }
    let greatest: Double? = function.isTime ? 0 : nil
    return comparison.op.truth(from: function.isTime ? 0 : 1, to: greatest, constant) == false
  }
}
