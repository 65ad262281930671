import CampaignCore
import ExpressionCoding
import ExpressionEngine

/// A config decodes from its text as from its values, or fails in the same way.
enum ConfigTarget {
  static func run(_ input: FuzzInput) {
    guard let document = try? ConfigDocument(json: input.bytes) else { return }
    for rules in [ConfigRules(), .android] {
      let decoder = ConfigDecoder(rules: rules)
      let result = Result { () throws(ConfigError) in try decoder.decode(document) }
      switch result {
      case .success(let (config, diagnostics)):
        for diagnostic in diagnostics {
          require(!diagnostic.description.isEmpty, "a diagnostic without text")
        }
        for trigger in config.triggers {
          require(config.trigger(of: trigger.placement) != nil, "a placement without its trigger")
        }
      case .failure(let error):
        require(!error.description.isEmpty, "an error without text")
      }
    }
  }
}
