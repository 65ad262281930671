import AudienceFilters
import ExpressionEngine
import ExpressionSyntax
public import FilterAnalysis

/// Proves what can be said of a config without knowing its users: audiences that no user reaches,
/// conditions that change nothing, filters that fail, paywalls that no user sees.
///
/// ```swift
/// let model = AnalysisModel(config)
/// let proof = CampaignProver(model).proof()
/// for finding in proof.faults { print(finding.message) }
/// ```
///
/// Every attribute's values are cut into finitely many classes by the constants of the whole config;
/// one value of each class is run through the real engine, condition by condition; and the classes are
/// put together in a decision diagram. What is proved holds for every user whose attributes have the
/// types of the schema; every other finding has a user who shows it.
public struct CampaignProver {
  private let model: AnalysisModel
  private let space: FilterSpace
  private let filters: [[Int?]]
  private let shown: [Int]

  /// Prepares an analysis.
  ///
  /// - Parameters:
  ///   - model: The config.
  ///   - schema: The types of the attributes: those of the paywall SDKs by default. `nil` for none, so
  ///     that every attribute may be anything.
  ///   - placement: Only this placement is looked at; `nil` for all.
  ///   - limits: How much work it may be.
  /// - Complexity: About linear in the size of the config, times the classes of an attribute.
  public init(
    _ model: AnalysisModel, schema: AttributeSchema? = .builtIn, placement: String? = nil,
    limits: AnalysisLimits = AnalysisLimits()
  ) {
    self.model = model
    let space = FilterSpace(model, schema: schema, limits: limits)
    shown = model.placements.indices.filter {
      placement == nil || model.placements[$0].name == placement
    }
    filters = model.placements.enumerated().map { index, entry in
      guard placement == nil || entry.name == placement else { return [] }
      return entry.audiences.map { audience in
        audience.filter.flatMap { space.add($0, legacyKeys: audience.legacyKeys) }
      }
    }
    space.cut()
    self.space = space
  }

  /// Returns the findings about the config.
  public func proof() -> CampaignProof {
    var proof = CampaignProof()
    var seen: Set<String> = []
    var hidden: Set<String> = []
    for index in shown {
      let placement = model.placements[index]
      proof.audiences += placement.audiences.count
      do throws(Diagram.TooLarge) {
        let sets = try PlacementSets(placement, filters: filters[index], space: space)
        var prover = PlacementProver(sets, space: space)
        prover.run()
        proof.findings += prover.findings
        proof.openQuestions += prover.openQuestions
        seen.formUnion(prover.shownPaywalls)
        hidden.formUnion(prover.hiddenPaywalls)
      } catch {
        proof.openQuestions.append(
          OpenQuestion(
            placement: placement.name, audience: nil, question: "anything",
            reason: OpenQuestion.limitReached))
      }
    }
    for paywall in hidden.subtracting(seen).sorted() {
      proof.findings.append(
        Finding(
          kind: .unreachablePaywall, placement: nil, audience: nil,
          message: "no new user is shown the paywall \"\(paywall)\": every variant that shows it is"
            + " out of reach"))
    }
    proof.freeParts = space.conditions.compactMap { condition in
      condition.reason.map { FreePart(text: condition.text, reason: $0) }
    }
    proof.sources = space.sources.count
    proof.classes = space.partitions.reduce(0) { $0 + $1.classes.count }
    proof.nodes = space.diagram.count
    return proof
  }
}
