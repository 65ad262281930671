import CampaignCore
package import ExpressionEngine
import ExpressionSyntax
import FilterAnalysis

extension AnalysisModel {
  /// The environment in which the filters of the config are compiled. The history functions read
  /// the host state of the context, a ``FilterAnalysis/HistoryAnswers``.
  package var environment: FilterEnvironment {
    var environment = FilterEnvironment(dialect: .named(dialect))
    // The reference dialect has no room for these.
    if dialect != .superscript {
      for function in VersionFunction.allCases {
        let call: FilterEnvironment.HostFunction = { arguments, _ in function.call(arguments) }
        environment.deviceFunctions[function.rawValue] = call
        environment.computedFunctions[function.rawValue] = call
      }
    }
    return HistoryAnswers.environment(environment, rules: historyRules)
  }

  /// The rules by which the platform reads the history.
  var historyRules: HistoryRules {
    let clockChange = 120.0
    return HistoryRules(
      neverIsZero: options.neverOccurred == .zero,
      countsWholeUnits: options.calendar == .wholeUnits,
      monthMinutes: options.monthWindow == .thirtyDays
        ? 43_200...43_200 : 28 * 1_440 - clockChange...31 * 1_440 + clockChange)
  }
}

extension FilterSpace {
  /// Creates a space for the filters of a config.
  ///
  /// - Parameters:
  ///   - model: The config whose dialect and platform count; its filters are added afterwards.
  ///   - schema: The attributes; `nil` if they are not known.
  ///   - limits: How much work it may be.
  convenience init(_ model: AnalysisModel, schema: AttributeSchema?, limits: AnalysisLimits) {
    self.init(model.environment, rules: model.historyRules, schema: schema, limits: limits)
  }
}
