import ExpressionEngine
import ExpressionSyntax
import FilterAnalysis

// Reports conditions on attributes of which no user has such values together.

extension FilterLinter {
  /// Conditions on attributes that go together, with their results for each row of values.
  private struct RelatedConditions {
    var operands: [NodeID] = []
    var results: [[Bool]] = []

    /// Returns the fewest conditions that are never true together: two, or all.
    func excluding() -> [NodeID]? {
      if let pair = FilterLinter.exclusion(results) { return [operands[pair.0], operands[pair.1]] }
      let isMet = (results.first ?? []).indices.contains { row in results.allSatisfy { $0[row] } }
      return isMet ? nil : operands
    }
  }

  /// The most conditions that are evaluated for each group of attributes.
  private static let mostRelated = 8
  /// The most constants whose combinations are tried.
  private static let mostConstants = 80

  /// Reports `device.ipContinent == "Europe" && device.ipCountry == "Canada"` and
  /// `device.localDate >= "2026-07-01" && device.localDate <= "2026-07-31" &&
  /// device.localDate.contains("-08-")`.
  ///
  /// The engine evaluates the conditions for combinations of values that occur.
  mutating func checkRelated(_ operands: [NodeID]) {
    let read = operands.compactMap { id in
      attributesRead(by: id).map { (id: id, paths: $0) }
    }
    guard read.count > 1 else { return }
    for group in RelatedAttributes.all {
      let own = read.filter { !$0.paths.isEmpty && $0.paths.allSatisfy(group.paths.contains) }
      // The prover knows what one attribute is compared with, but for what days contain.
      let all = Set(own.flatMap { $0.paths })
      let isMixed = group.paths.count == 1 || all.count > 1 && all.contains(group.paths[0])
      guard (2...Self.mostRelated).contains(own.count), isMixed else { continue }
      var constants: [Value] = []
      for (id, _) in own { constants += self.constants(in: id) }
      guard constants.count <= Self.mostConstants else { continue }
      guard let related = results(of: own.map { $0.id }, group, group.rows(constants)),
        related.operands.count > 1, let excluding = related.excluding(),
        let last = excluding.last, !excluding.contains(where: { wasReported(tree[$0].span) })
      else { continue }
      report(
        .always(
          false, "no user passes \(excluding.count == 2 ? "both" : "all") of these",
          at: tree[last].span, label: "excludes the others",
          secondary: excluding.dropLast().map { Diagnostic.Label(tree[$0].span, "this one") },
          notes: [group.meaning],
          helps: [
            group.areAlternatives
              ? FilterProver.helpForExclusion
              : "correct one of them"
          ]))
    }
  }

  /// Returns the results of conditions, without those that hold in no row: they are mistakes of
  /// their own, or ask for values that the rows do not have.
  ///
  /// - Returns: `nil` once a row passes all conditions.
  private func results(
    of operands: [NodeID], _ group: RelatedAttributes, _ rows: [[Value?]]
  ) -> RelatedConditions? {
    let conditions = operands.compactMap { operand in
      (try? CompiledFragment(tree, operand, environment: environment)).map { (operand, $0) }
    }
    var results = [[Bool]](repeating: [], count: conditions.count)
    for row in rows {
      var draft = UserDraft()
      for (path, value) in zip(group.paths, row) {
        if let value { draft.set(path, to: value) }
      }
      let user = draft.context
      var passesAll = true
      for (index, (_, fragment)) in conditions.enumerated() {
        let holds = Outcome(fragment, user).holds == true
        results[index].append(holds)
        passesAll = passesAll && holds
      }
      if passesAll { return nil }
    }
    var related = RelatedConditions()
    for ((operand, _), held) in zip(conditions, results) where held.contains(true) {
      related.operands.append(operand)
      related.results.append(held)
    }
    return related
  }

  private func constants(in id: NodeID) -> [Value] {
    var found: [Value] = []
    var work = [id]
    while let next = work.popLast() {
      if tree.isLiteral(next), let value = tree.constant(of: next) { found.append(value) }
      work += tree.parts(of: tree[next])
    }
    return found
  }

  /// Reports `device.sdkVersionPadded < "004.010.000" && has(device.customerInfo.userId)`: older
  /// SDKs do not send it.
  mutating func checkOlderSDK(_ operands: [NodeID]) {
    for operand in operands {
      guard let comparison = ConstantComparison(tree[operand], in: tree),
        comparison.op == .less || comparison.op == .lessEqual, comparison.isConstantRight,
        freePath(comparison.subject)?.description == "device.sdkVersionPadded",
        case .string(let limit) = comparison.value
      else { continue }
      for other in operands where other != operand {
        guard let outcome = outcomeWithoutAttributes(of: other),
          let attribute = paths(in: other).compactMap({ newest(under: $0) })
            .first(where: { Self.padded($0.since) >= limit })
        else { continue }
        if outcome == .true || outcome == .truthy {
          guard !tree[other].isUnary(.not),
            ConstantComparison(tree[other], in: tree)?.value != .null
          else { continue }
          return report(
            Diagnostic(
              .missingCountsAsZero, "`\(attribute.path)` is sent from SDK \(attribute.since) on",
              at: tree[other].span, label: "true for all users of older ones",
              secondary: [Diagnostic.Label(tree[operand].span, "only older ones")],
              helps: ["remove one of the two"]))
        }
        return report(
          .always(
            false, "`\(attribute.path)` is sent from SDK \(attribute.since) on",
            at: tree[other].span, label: "missing in older ones",
            secondary: [Diagnostic.Label(tree[operand].span, "only older ones")],
            notes: [Self.neverTogether],
            helps: [
              "for users of these SDKs, remove this condition; for users who have it, the other one"
            ]))
      }
    }
  }

  /// Reports `device.sdkVersionPadded >= "002.010.000"`: no SDK that sends the attribute is older.
  mutating func checkOldestSDK(
    _ comparison: ConstantComparison, _ attribute: AttributeSchema.Attribute?
  ) {
    guard comparison.isOrdering, comparison.isConstantRight, let attribute,
      attribute.path == "device.sdkVersionPadded", let since = attribute.since,
      case .string(let limit) = comparison.value, limit < Self.padded(since),
      // The SDK of Android has numbers of its own.
      readings(of: AttributePath(root: "device", names: ["platform"])) == 0,
      !wasReported(tree[comparison.constant].span)
    else { return }
    let isTrue = comparison.isLowerBound
    report(
      .always(
        isTrue,
        "the first SDK that sends `\(attribute.path)` is \(since)",
        at: tree[comparison.constant].span, label: "older, so this is always \(isTrue)",
        helps: ["for the version of the app, write `device.appVersionPadded`"]))
  }

  /// Returns the attribute at a path, or around it, with the SDK that was the first to send it.
  private func newest(under path: AttributePath) -> (path: String, since: String)? {
    var path = path
    while true {
      if let attribute = AttributeSchema.builtIn[path.description], let since = attribute.since {
        return (attribute.path, since)
      }
      guard path.names.popLast() != nil else { return nil }
    }
  }
}
