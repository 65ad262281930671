import AudienceFilters
import CampaignAnalysis
import CampaignCore
import FilterAnalysis

/// The faults of a config that are proved, placement by placement: those of a placement hold until
/// it changes.
struct ConfigProofs {
  private var findings: [AnalysisModel.Placement: [Finding]] = [:]

  /// Larger configs are left to `swexpr check`: an editor must not wait.
  private static let maximumAudiences = 200
  private static let limits = AnalysisLimits(
    conditions: 5_000, nodes: 20_000, branches: 100_000, steps: 2_000_000, attempts: 100,
    combinations: 500, classes: 256)

  /// Returns the faults of a config, in the order of the config.
  mutating func faults(of config: CampaignConfig, schema: AttributeSchema) -> [Finding] {
    let model = AnalysisModel(config)
    let count = model.placements.reduce(0) { $0 + $1.audiences.count }
    guard count <= Self.maximumAudiences else { return [] }
    var kept: [AnalysisModel.Placement: [Finding]] = [:]
    var result: [Finding] = []
    for placement in model.placements {
      let found =
        findings[placement] ?? Self.faults(of: placement, config: config, schema: schema)
      kept[placement] = found
      result += found
    }
    findings = kept
    return result
  }

  private static func faults(
    of placement: AnalysisModel.Placement, config: CampaignConfig, schema: AttributeSchema
  ) -> [Finding] {
    let model = AnalysisModel(placements: [placement])
    // Whether a paywall is out of reach depends on the other placements, too.
    return CampaignProver(model, schema: schema, limits: limits).proof()
      .faults(beyondDecoding: config).filter { $0.kind != .unreachablePaywall }
  }
}
