import AudienceFilters
import CampaignAnalysis
import CampaignCore
import CampaignMatcher
import ExpressionSyntax

/// A note about a config that decodes but probably does not do what its author meant.
struct ConfigNote {
  let file: String
  let kind: String
  let path: String
  let message: String

  /// The note as one line.
  var text: String { "\(file): warning[\(kind)]: \(message) (at `\(path)`)" }

  /// Returns the warnings of decoding a config, and the faults that are proved about it.
  static func notes(
    of config: ConfigInput, schema: AttributeSchema, dialect: Dialect.Name
  ) -> [ConfigNote] {
    let decoding = config.notes.map { note in
      ConfigNote(
        file: config.path, kind: note.kind.rawValue, path: note.path, message: note.message)
    }
    let proof = CampaignProver(AnalysisModel(config.config, dialect: dialect), schema: schema)
      .proof()
    let faults = proof.faults.compactMap { finding -> ConfigNote? in
      switch finding.kind {
      // Reported where the filters and the limits are checked.
      case .invalidFilter, .closedLimit: return nil
      case .shadowedAudience where isEveryone(finding, in: config.config): return nil
      default: break
      }
      return ConfigNote(
        file: config.path, kind: finding.kind.rawValue, path: path(of: finding, in: config.config),
        message: finding.message)
    }
    return decoding + faults
  }

  /// Returns whether an audience is shadowed by one that takes everyone, which decoding already
  /// reports.
  private static func isEveryone(_ finding: Finding, in config: CampaignConfig) -> Bool {
    guard let placement = finding.placement, let trigger = config.trigger(of: placement),
      let place = finding.related.first, finding.related.count == 1,
      trigger.audiences.indices.contains(place.index)
    else { return false }
    let audience = trigger.audiences[place.index]
    return audience.expression == nil && audience.limit == nil
  }

  /// Returns the path of a finding in the config.
  private static func path(of finding: Finding, in config: CampaignConfig) -> String {
    guard let placement = finding.placement,
      let trigger = config.triggers.lastIndex(where: { $0.placement == placement })
    else { return "paywall_responses" }
    guard let audience = finding.audience else { return "trigger_options[\(trigger)]" }
    return "trigger_options[\(trigger)].rules[\(audience.index)]"
  }
}
