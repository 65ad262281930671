import ExpressionEngine
import FilterAnalysis

// Findings about what audiences share, and about variants.

extension PlacementProver {
  // MARK: Overlap

  /// The earlier audiences that some of its users match, too.
  mutating func noteOverlap(_ index: Int) {
    guard sets.entries.count <= Self.overlapLimit else { return }
    let entry = sets.entries[index]
    var related: [Int] = []
    var implying: [Int] = []
    var user: FoundUser?
    for earlier in 0..<index where !sets.entries[earlier].isClosed {
      let users = sets.entries[earlier].users
      guard let both = try? space.diagram.and(entry.users, users) else { continue }
      if user == nil {
        guard case .found(let found) = space.search(both) else { continue }
        user = found
      } else if space.isEmpty(both) != false {
        continue
      }
      related.append(earlier)
      if space.isSubset(users, of: entry.users, sharing: both) { implying.append(earlier) }
    }
    guard let user, let first = related.first else { return }
    let witness = witnessSearch().witness(user) {
      engine.matches(index, $0) && engine.matches(first, $0)
    }
    var finding = finding(
      .partlyShadowed, index, "some users of \(name(index)) match \(names(related)) before it")
    finding.related = related.map { sets.place($0) }
    finding.witness = witness
    if witness == nil { finding.assumptions = witnessSearch().assumptions(of: user) }
    add(finding)
    guard !implying.isEmpty else { return }
    var implied = self.finding(
      .impliedFilter, index,
      "every user who matches \(names(implying)) also matches \(name(index)) after it")
    implied.related = implying.map { sets.place($0) }
    add(implied)
  }

  // MARK: Variants

  mutating func noteVariants(_ index: Int, isReached: Bool) {
    let audience = sets.entries[index].audience
    let unreachable = Set(audience.unreachableVariants.map(\.id))
    for variant in audience.variants {
      let isGiven = isReached && !unreachable.contains(variant.id)
      if let paywall = variant.paywall {
        if isGiven { shownPaywalls.insert(paywall) } else { hiddenPaywalls.insert(paywall) }
      }
      guard isReached, unreachable.contains(variant.id) else { continue }
      add(
        finding(
          .unreachableVariant, index,
          "no new user of \(name(index)) is given the variant \"\(variant.id)\": its weight is"
            + " \(variant.weight)"))
    }
  }
}
