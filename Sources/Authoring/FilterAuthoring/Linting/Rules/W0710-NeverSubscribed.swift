import ExpressionEngine
import ExpressionSyntax
import FilterAnalysis

// Reports conditions that users pass who never subscribed, as nothing is known of a subscription.

extension FilterLinter {
  /// Reports `size(device.activeEntitlements) == 0 && device.daysSince("purchase") == 0`: 0 is
  /// today, and an event that never happened has no time.
  mutating func checkPurchaseToday(_ operands: [NodeID]) {
    let isUnpaid = operands.contains { id in
      switch outline.relation(of: id) {
      case .size(of: let list, let size)?:
        size.op == .equal && size.value == .int(0)
          && freePath(list)?.description == "device.activeEntitlements"
      case .comparison(let comparison)?:
        comparison.op == .equal && comparison.value == .string("INACTIVE")
      default: false
      }
    }
    guard isUnpaid else { return }
    for operand in operands {
      guard let comparison = ConstantComparison(tree[operand], in: tree), comparison.op == .equal,
        comparison.value == .int(0), historyFunction(tree[comparison.subject])?.isTime == true,
        let argument = tree.arguments(of: tree[comparison.subject]).first,
        case .string(let event)? = tree.constant(of: argument),
        Self.isOfPurchase(event)
      else { continue }
      let call = text(comparison.subject)
      report(
        Diagnostic(
          .missingCountsAsZero, "0 is today, and not never", at: tree[operand].span,
          label: "only users to whom it happened today",
          helps: ["for users to whom it never happened, write `\(call) == null`"]))
    }
  }

  /// Returns whether an event happens to subscribers alone, by its name.
  static func isOfPurchase(_ event: String) -> Bool {
    let words: Set = [
      "purchase", "purchased", "subscribe", "subscribed", "subscription", "transaction", "trial",
    ]
    return event.nameWords.contains { words.contains($0) }
  }

  /// Reports `device.latestSubscriptionWillAutoRenew == false`, which is how people ask who has
  /// cancelled.
  mutating func checkNeverSubscribed(_ id: NodeID, _ node: SyntaxNode) {
    guard isSuperscript, isCondition[Int(id.index)],
      let path = subject(deniedBy: id).flatMap(freePath),
      path.description == "device.latestSubscriptionWillAutoRenew", !namesSubscribers(),
      makesMatch(id, without: .together(Self.subscription))
    else { return }
    report(
      Diagnostic(
        .missingCountsAsZero, "this is true for users who never subscribed", at: node.span,
        label: "a missing bool counts as false",
        helps: ["if that is not meant, write `has(\(path)) && \(text(id))`"]))
  }

  private static let subscription = Set(
    ["WillAutoRenew", "State", "PeriodType"].compactMap {
      AttributePath("device.latestSubscription\($0)")
    })

  private static let status = AttributePath("device.subscriptionStatus")
  private static let purchases = ["device.activeEntitlements", "device.activeProducts"]
    .compactMap { AttributePath($0) }

  /// Returns whether another condition is about what only subscribers have.
  private mutating func namesSubscribers() -> Bool {
    if readings(of: Self.status) > 0 || namesPurchase { return true }
    // The lists are looked for only in a filter that has them.
    guard Self.purchases.contains(where: { readings(of: $0) > 0 }) else { return false }
    return tree.nodes.indices.contains { index in
      let id = NodeID(UInt32(index))
      guard isListOfIDs(id) else { return false }
      let parent = tree[self.parent(of: id)]
      return parent.kind != .call || tree.name(of: parent) != "size"
    }
  }

  /// Reports `device.customerInfo.isPlaceholder && size(device.customerInfo.subscriptions) == 0`:
  /// the lists are empty for all whose purchases are not loaded.
  mutating func checkPlaceholder(_ operands: [NodeID]) {
    let path = "device.customerInfo.isPlaceholder"
    let isPlaceholder = operands.first { operand in
      if freePath(operand)?.description == path { return true }
      guard let comparison = ConstantComparison(tree[operand], in: tree) else { return false }
      return comparison.op == .equal && comparison.value == .bool(true)
        && freePath(comparison.subject)?.description == path
    }
    guard let isPlaceholder else { return }
    for operand in operands {
      guard case .size(of: let subject, let comparison) = outline.relation(of: operand),
        let list = freePath(subject)?.description,
        list.hasPrefix("device.customerInfo."),
        comparison.op == .equal && comparison.value == .int(0)
          || comparison.op == .less && comparison.value == .int(1)
      else { continue }
      return report(
        Diagnostic(
          .redundantCondition, "`\(list)` is empty until the purchases are loaded",
          at: tree[operand].span, label: "true for all of these users",
          secondary: [Diagnostic.Label(tree[isPlaceholder].span, "not loaded yet")],
          helps: ["for users who have none, write `!\(path)`"]))
    }
  }

  /// Reports `device.totalPaywallViews < 2 && device.daysSinceLastPaywallView >= 1`, which leaves
  /// out users who have seen no paywall.
  mutating func checkViews(_ operands: [NodeID]) {
    let comparisons = comparisons(among: operands)
    func read(_ path: String, where condition: (ConstantComparison) -> Bool) -> NodeID? {
      comparisons.first {
        freePath($0.comparison.subject)?.description == path && condition($0.comparison)
      }?.id
    }
    let none = read(
      "device.totalPaywallViews",
      where: { $0.op == .equal && $0.value == .int(0) || $0.op == .less && $0.value == .int(1) })
    if let none,
      let last = read("device.daysSinceLastPaywallView", where: { $0.value != .null })
        ?? read("device.minutesSinceLastPaywallView", where: { $0.value != .null })
    {
      let passes = ConstantComparison(tree[last], in: tree)?.holdsWhenMissing
      if passes == false {
        return report(
          .always(
            false, "users without a view have no last view", at: tree[last].span,
            label: "they do not pass this",
            secondary: [Diagnostic.Label(tree[none].span, "no view")],
            helps: ["for users who pass either, write `(\(text(none)) || \(text(last)))`"]))
      }
      return report(
        Diagnostic(
          .seldomMeant, "users without a view have no last view", at: tree[last].span,
          label: "decides nothing for them",
          secondary: [Diagnostic.Label(tree[none].span, "no view")],
          helps: [
            "remove one of the two; for users with a view, write `device.totalPaywallViews > 0`"
          ]
        ))
    }
    if let none,
      let opened = comparisons.first(where: { opensPaywall($0.comparison) })?.id
    {
      return report(
        .always(
          false, "users without a view have opened no paywall", at: tree[opened].span,
          label: "they do not pass this",
          secondary: [Diagnostic.Label(tree[none].span, "no view")],
          helps: ["correct one of the two; who has no subscription has no active entitlement"]))
    }
    guard isSuperscript,
      let few = read(
        "device.totalPaywallViews",
        where: {
          $0.op == .less && $0.value == .int(2) || $0.op == .lessEqual && $0.value == .int(1)
        }),
      read("device.totalPaywallViews", where: { $0.isLowerBound || $0.op == .notEqual }) == nil,
      let last = read(
        "device.daysSinceLastPaywallView",
        where: { $0.isLowerBound && $0.holdsWhenMissing == false })
    else { return }
    report(
      Diagnostic(
        .missingCountsAsZero, "users who have seen no paywall do not pass this",
        at: tree[last].span, label: "they have no last view, which counts as 0",
        secondary: [Diagnostic.Label(tree[few].span, "they pass this")],
        helps: [
          "to take them in, write `(device.totalPaywallViews == 0 || \(text(last)))`",
          "to leave them out, add `device.totalPaywallViews > 0`",
        ]))
  }

  /// Returns whether a comparison asks for users who have opened a paywall.
  private func opensPaywall(_ comparison: ConstantComparison) -> Bool {
    let call = tree[comparison.subject]
    guard let function = historyFunction(call), let argument = tree.arguments(of: call).first,
      tree.constant(of: argument) == .string("paywall_open"),
      let number = comparison.value.plainNumber
    else { return false }
    return function.isTime
      ? number >= 0 && comparison.op != .notEqual
      : comparison.isLowerBound && (number > 0 || comparison.op == .greater)
        || comparison.op == .equal && number > 0
  }
}
