import AudienceFilters
import ExpressionEngine

@testable import CampaignAnalysis
@testable import ExpressionSyntax
@testable import FilterAnalysis

/// What the analysis proves about filters holds for users whom the engine tries.
///
/// The parts of an input are the filters of a placement's audiences, at most four.
enum ProveTarget {
  /// The limits keep a run short. An analysis that reaches one says so.
  private static let limits = AnalysisLimits(
    conditions: 100, nodes: 20_000, branches: 100_000, steps: 300_000, attempts: 50,
    combinations: 500, classes: 256)

  static func run(_ input: FuzzInput) {
    let texts = input.texts.prefix(4).filter { !$0.isEmpty }
    guard !texts.isEmpty else { return }
    let dialect: Dialect.Name = input.choice & 1 == 0 ? .superscript : .cel
    let audiences = texts.enumerated().map { index, text in
      AnalysisModel.Audience(
        experimentID: "e\(index)", filter: text, limit: limit(input.choice >> (8 + 4 * index)))
    }
    let model = model(audiences, dialect)
    // The analysis evaluates each condition many times.
    guard texts.allSatisfy({ Filter.isCheap($0, model.environment) }) else { return }
    let users = SmallContexts(
      for: texts, in: model.environment, of: .analyzed, seed: input.choice
    ).all
      .map { $0.replacing(hostState: HistoryAnswers()) }
    let proof = ProofCheck(model, users, CampaignProver(model, schema: nil, limits: limits).proof())
    proof.checkFindings()
    proof.checkSilence()
    for text in Set(texts) { checkConditions(text, model.environment, users) }
    if audiences.count > 1 {
      ComparisonCheck(
        old: self.model(Array(audiences.dropLast()), dialect),
        new: self.model(Array(audiences.dropFirst()), dialect), users
      ).check(limits)
    }
  }

  private static func model(
    _ audiences: [AnalysisModel.Audience], _ dialect: Dialect.Name
  ) -> AnalysisModel {
    AnalysisModel(placements: [.init(name: "open", audiences: audiences)], dialect: dialect)
  }

  /// A limit that four bits choose; `nil` for most of them.
  private static func limit(_ bits: UInt64) -> AnalysisModel.Limit? {
    guard bits & 3 == 0 else { return nil }
    return AnalysisModel.Limit(key: bits & 4 == 0 ? "k" : "l", maximum: bits & 8 == 0 ? 1 : 2)
  }

  /// Checks what is said about the conditions of one filter.
  private static func checkConditions(
    _ text: String, _ environment: FilterEnvironment, _ users: [Context]
  ) {
    guard let filter = try? Filter(text, environment: environment) else { return }
    let parsed = ParsedFilter(filter)
    let source = SourceText(text)
    for finding in FilterProver(schema: AttributeSchema()).diagnostics(parsed) {
      let span = finding.primary.span
      let isTrue = finding.id == .alwaysTrue || finding.message.hasSuffix("implied by the others")
      let changed =
        String(decoding: source.bytes[..<Int(span.start)], as: UTF8.self)
        + (isTrue ? "(true)" : "(false)")
        + String(decoding: source.bytes[Int(span.end)...], as: UTF8.self)
      guard let operand = try? Filter(source.text(of: span), environment: environment),
        let other = try? Filter(changed, environment: environment)
      else { continue }
      for user in users {
        // Of the others it is said that they do not get there.
        if finding.id == .alwaysTrue, operand.matches(user) { continue }
        if finding.id == .alwaysFalse, !operand.matches(user) { continue }
        require(
          filter.matches(user) == other.matches(user),
          "\(finding.message) in \(text), but not for \(user.snapshot())")
      }
    }
    guard let outline = parsed.outline, FilterProver.neverMatches(outline) else { return }
    for user in users {
      require(!filter.matches(user), "\(text) never matches, but \(user.snapshot())")
    }
  }
}

/// The findings of one placement, and the users who match its audiences.
private struct ProofCheck {
  let model: AnalysisModel
  let proof: CampaignProof
  let users: [Context]
  let filters: [Filter?]
  /// For each audience, which of the users match.
  let matches: [[Bool]]

  init(_ model: AnalysisModel, _ users: [Context], _ proof: CampaignProof) {
    self.model = model
    self.proof = proof
    self.users = users
    let environment = model.environment
    filters = model.placements[0].audiences.map {
      try? Filter($0.filter ?? "true", environment: environment)
    }
    matches = filters.map { filter in
      users.map { filter?.matches($0) ?? false }
    }
  }

  private var isComplete: Bool { proof.openQuestions.isEmpty && proof.freeParts.isEmpty }

  /// Checks what was found.
  func checkFindings() {
    for finding in proof.findings {
      let own = finding.audience?.index ?? 0
      let related = finding.related.map(\.index)
      switch finding.kind {
      case .deadAudience: forAll(finding) { !matches[own][$0] }
      case .invalidFilter: require(filters[own] == nil, text(finding))
      case .shadowedAudience:
        forAll(finding) { user in !matches[own][user] || related.contains { matches[$0][user] } }
      case .afterLimit:
        forAll(finding) { user in
          !matches[own][user] || (0..<own).contains { matches[$0][user] }
        }
      case .impliedFilter:
        forAll(finding) { user in !related.contains { matches[$0][user] } || matches[own][user] }
      case .redundantCondition:
        guard let shorter = finding.shorterFilter,
          let filter = try? Filter(shorter, environment: model.environment)
        else { report("no shorter filter: \(text(finding))") }
        forAll(finding) { filter.matches(users[$0]) == matches[own][$0] }
      case .partlyShadowed:
        witness(finding) { user in
          matches(own, user) && related.contains { matches($0, user) }
        }
      case .failingFilter: witness(finding) { !matches(own, $0) }
      case .missingAttribute: witness(finding) { matches(own, $0) }
      case .unreachedUsers:
        witness(finding) { user in !filters.indices.contains { matches($0, user) } }
      case .closedLimit, .unreachableVariant, .unreachablePaywall: break
      }
    }
  }

  /// Checks what follows from findings that were not made, if nothing was left open.
  func checkSilence() {
    guard isComplete else { return }
    let hasUnreached = proof.findings.contains { $0.kind == .unreachedUsers }
    for user in users.indices where !hasUnreached {
      require(
        filters.indices.contains { matches[$0][user] },
        "all users are said to be reached, but not \(users[user].snapshot())\n\(allFilters)")
    }
    for index in filters.indices {
      let own = proof.findings.filter { $0.audience?.index == index }
      if own.contains(where: { [.shadowedAudience, .deadAudience].contains($0.kind) }) { continue }
      let named = Set(own.filter { $0.kind == .partlyShadowed }.flatMap { $0.related.map(\.index) })
      for earlier in 0..<index where !named.contains(earlier) {
        for user in users.indices where matches[index][user] && matches[earlier][user] {
          report(
            "audiences \(earlier) and \(index) are said to share no user, but share "
              + "\(users[user].snapshot())\n\(allFilters)")
        }
      }
    }
  }

  private var allFilters: String {
    "\(model.dialect):\n"
      + model.placements[0].audiences.map { $0.filter ?? "" }.joined(separator: "\n")
  }

  private func text(_ finding: Finding) -> String {
    "\(finding.kind.rawValue) of audience \(finding.audience?.index ?? -1): \(finding.message)\n"
      + "\(finding.shorterFilter ?? "")\n\(allFilters)"
  }

  private func matches(_ index: Int, _ user: Context) -> Bool {
    filters[index]?.matches(user) ?? false
  }

  private func forAll(_ finding: Finding, _ holds: (Int) -> Bool) {
    guard let exception = users.indices.first(where: { !holds($0) }) else { return }
    report("not for \(users[exception].snapshot()): \(text(finding))")
  }

  /// Checks the user who shows a finding, unless that rests on assumptions.
  private func witness(_ finding: Finding, _ holds: (Context) -> Bool) {
    guard let witness = finding.witness, finding.assumptions.isEmpty else { return }
    require(holds(witness.context), "\(witness.json) does not show it: \(text(finding))")
  }
}

/// The changes between two configs, against the decisions of the engine.
private struct ComparisonCheck {
  let old: AnalysisModel
  let new: AnalysisModel
  let users: [Context]

  init(old: AnalysisModel, new: AnalysisModel, _ users: [Context]) {
    self.old = old
    self.new = new
    self.users = users
  }

  func check(_ limits: AnalysisLimits) {
    let changes = CampaignComparison(old: old, new: new, limits: limits).changes()
    let list = changes.placements.first?.changes ?? []
    let before = DecisionMaker("open", in: old)
    let after = DecisionMaker("open", in: new)
    for change in list {
      guard let witness = change.witness else { continue }
      require(
        before.decision(witness.context) == change.old?.index
          && after.decision(witness.context) == change.new?.index,
        "\(witness.json) does not show the change\n\(text)")
    }
    guard changes.openQuestions.isEmpty else { return }
    let isComplete = changes.freeParts.isEmpty
    let environment = old.environment
    let selections = list.map { change in
      change.filters.compactMap { try? Filter($0, environment: environment) }
    }
    for user in users {
      let pair = (before.decision(user), after.decision(user))
      let isChange = content(old, pair.0) != content(new, pair.1)
      require(
        !isChange || list.contains { $0.old?.index == pair.0 && $0.new?.index == pair.1 },
        "the change from \(pair) is not told, for \(user.snapshot())\n\(text)")
      guard isComplete else { continue }
      for (change, filters) in zip(list, selections) {
        let isMeant = isChange && change.old?.index == pair.0 && change.new?.index == pair.1
        let isSelected = filters.contains { $0.matches(user) }
        require(
          change.isExact ? isSelected == isMeant : !isSelected || isMeant,
          "\(change.filters) selects \(isSelected), not \(isMeant): \(user.snapshot())\n\(text)")
      }
    }
  }

  private var text: String {
    "\(old.dialect): "
      + [old, new].map { model in
        model.placements[0].audiences.map { "\($0.experimentID) \($0.filter ?? "")" }
          .joined(separator: "\n")
      }.joined(separator: "\n->\n")
  }

  private func content(_ model: AnalysisModel, _ index: Int?) -> AnalysisModel.Audience? {
    guard let index else { return nil }
    var audience = model.placements[0].audiences[index]
    audience.filter = nil
    return audience
  }
}
