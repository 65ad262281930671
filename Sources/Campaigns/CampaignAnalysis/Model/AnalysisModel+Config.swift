public import CampaignCore
public import ExpressionSyntax
import FilterAnalysis

// The only place that reads the types of a config.

extension AnalysisModel {
  /// Takes over what the analysis needs of a config.
  ///
  /// - Parameters:
  ///   - config: The config. Of several triggers with the same placement the last one counts.
  ///   - dialect: The dialect of its filters.
  ///   - options: The behaviour of the platform.
  public init(
    _ config: CampaignConfig, dialect: Dialect.Name = .superscript,
    options: MatchingOptions = .iOS
  ) {
    var last: [ExactName: Int] = [:]
    for (index, trigger) in config.triggers.enumerated() {
      last[ExactName(trigger.placement)] = index
    }
    self.init(
      placements: config.triggers.enumerated().compactMap { index, trigger in
        guard last[ExactName(trigger.placement)] == index else { return nil }
        return Placement(
          name: trigger.placement, audiences: trigger.audiences.map { AnalysisModel.Audience($0) })
      },
      paywalls: config.paywalls.map(\.identifier), dialect: dialect, options: options)
  }
}

extension AnalysisModel.Audience {
  init(_ audience: CampaignCore.Audience) {
    self.init(
      experimentID: audience.experimentID, campaignID: audience.campaignID,
      filter: audience.expression,
      legacyKeys: Set(
        audience.computedProperties.compactMap { property in
          guard HistoryFunctionInfo.named(HistoryFunction(property.kind).rawValue)?.isTime == true
          else { return nil }
          return HistoryFunction(property.kind).rawValue + "_" + property.eventName
        }),
      limit: audience.limit.map { AnalysisModel.Limit($0) },
      variants: audience.variants.map { variant in
        AnalysisModel.Variant(
          id: variant.id, isHoldout: variant.kind == .holdout, weight: variant.percentage,
          paywall: variant.kind == .holdout ? nil : variant.paywallIdentifier)
      })
  }
}

extension AnalysisModel.Limit {
  init(_ limit: OccurrenceLimit) {
    switch limit.interval {
    case .infinity: self.init(key: limit.key, maximum: limit.maximum)
    case .minutes(let minutes):
      // A window whose beginning cannot be computed counts as full (docs/spec/campaigns.md §3.1).
      let (_, isTooLong) = minutes.multipliedReportingOverflow(by: 60_000)
      self.init(key: limit.key, maximum: limit.maximum, minutes: minutes, isClosed: isTooLong)
    }
  }
}
