import AudienceFilters
import CampaignAnalysis
import CampaignCore
import CampaignMatcher
import ExpressionSyntax
import FilterAnalysis

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
    let faults = proof.faults(beyondDecoding: config.config).map { finding in
      ConfigNote(
        file: config.path, kind: finding.kind.rawValue, path: finding.path(in: config.config),
        message: finding.message)
    }
    return decoding + faults
  }
}
