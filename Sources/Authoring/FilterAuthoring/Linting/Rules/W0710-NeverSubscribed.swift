import ExpressionEngine
import ExpressionSyntax
import FilterAnalysis

// Reports conditions that users pass who never subscribed, as nothing is known of a subscription.

extension FilterLinter {
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
    if readings(of: Self.status) > 0 { return true }
    // The lists are looked for only in a filter that has them.
    guard Self.purchases.contains(where: { readings(of: $0) > 0 }) else { return false }
    return tree.nodes.indices.contains { index in
      let id = NodeID(UInt32(index))
      guard isListOfIDs(id) else { return false }
      let parent = tree[self.parent(of: id)]
      return parent.kind != .call || tree.name(of: parent) != "size"
    }
  }
}
