import CampaignCore
package import ExpressionEngine
import ExpressionSyntax

/// The results of history functions for a witness: by call, such as `daysSince(app_open)`.
package struct HistoryAnswers: Sendable, Hashable {
  package var answers: [String: Value]

  package init(_ answers: [String: Value] = [:]) { self.answers = answers }

  /// The environment in which the filters of a config are compiled. The history is the host state of
  /// the context.
  package static func environment(_ model: AnalysisModel) -> FilterEnvironment {
    var functions: [String: FilterEnvironment.HostFunction] = [:]
    for function in HistoryFunction.allCases {
      let name = function.rawValue
      let whenNever: Value =
        model.options.neverOccurred == .zero ? .int(0) : function.answerWhenNever
      functions[name] = { arguments, state in
        guard case .string(let event)? = arguments.first, let state = state as? HistoryAnswers
        else { return .null }
        return state.answers["\(name)(\(event))"] ?? state.answers[name] ?? whenNever
      }
    }
    // The reference dialect has no room for the others.
    if model.dialect != .superscript {
      for function in VersionFunction.allCases {
        functions[function.rawValue] = { arguments, _ in function.call(arguments) }
      }
    }
    return FilterEnvironment(
      dialect: .named(model.dialect), deviceFunctions: functions, computedFunctions: functions)
  }
}
