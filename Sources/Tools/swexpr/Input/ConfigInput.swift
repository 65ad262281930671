import AudienceTable
import CampaignCore
import CampaignMatcher
import ExpressionEngine
import ExpressionSyntax

/// A campaign config given on the command line.
struct ConfigInput {
  let path: String
  let config: CampaignConfig
  let notes: [ConfigDiagnostic]

  /// Reads a config.
  static func read(
    _ path: String, rules: ConfigRules = ConfigRules()
  ) throws(InputError) -> ConfigInput {
    let octets = try InputFile.octets(path)
    let document = try InputFile.document(octets, name: InputFile.name(path)) {
      bytes throws(JSONError) in try ConfigDocument(json: bytes)
    }
    do throws(ConfigError) {
      let (config, notes) = try ConfigDecoder(rules: rules).decode(document)
      return ConfigInput(path: InputFile.name(path), config: config, notes: notes)
    } catch {
      throw InputError("\(InputFile.name(path)): \(error.description)")
    }
  }

  /// Reports placements that the config does not have.
  func checkPlacements(_ placements: [String]) throws(InputError) {
    let known = config.triggers.map(\.placement)
    for placement in placements where config.trigger(of: placement) == nil {
      let close = Suggestions.help(for: placement, among: known)
      throw InputError(
        "\(path): there is no placement `\(placement)`" + (close.map { "; \($0)" } ?? ""))
    }
  }

  /// Returns whether a finding is about a placement, or about the config as a whole. `swexpr check`
  /// reports those about other placements.
  func concerns(_ diagnostic: ConfigDiagnostic, _ placement: String) -> Bool {
    guard diagnostic.path.hasPrefix("trigger_options[") else { return true }
    return config.triggers.indices.contains { index in
      config.triggers[index].placement == placement
        && diagnostic.path.hasPrefix("trigger_options[\(index)]")
    }
  }

  /// The filters of all audiences that have one, named by placement and experiment.
  var sources: [SourceText] {
    config.triggers.flatMap { trigger in
      trigger.audiences.compactMap { audience in source(of: audience, in: trigger) }
    }
  }

  /// Returns the filter of an audience; `nil` if everyone belongs to it.
  func source(of audience: Audience, in trigger: CampaignTrigger) -> SourceText? {
    audience.source(path: path, placement: trigger.placement)
  }
}
