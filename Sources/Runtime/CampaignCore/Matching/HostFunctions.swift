import AudienceFilters
import ExpressionEngine
import ExpressionSyntax

/// The functions of this module that filters can call.
package enum HostFunctions {
  /// `daysSince` and its siblings. A call without a text returns null; further arguments are ignored.
  static let history: [String: FilterEnvironment.HostFunction] = Dictionary(
    uniqueKeysWithValues: HistoryFunction.allCases.map { function in
      (
        function.rawValue,
        { @Sendable arguments, hostState in
          guard case .string(let event)? = arguments.first,
            let state = hostState as? EvaluationState
          else { return .null }
          return state.answer(function, event: event)
        }
      )
    })

  /// The version functions, which the reference dialect has no room for.
  static let versions: [String: FilterEnvironment.HostFunction] = Dictionary(
    uniqueKeysWithValues: VersionFunction.allCases.map { function in
      (function.rawValue, { @Sendable arguments, _ in function.call(arguments) })
    })

  /// The environment in which the filters of a config are compiled.
  package static func environment(dialect: Dialect, includesVersions: Bool) -> FilterEnvironment {
    let functions =
      includesVersions ? history.merging(versions) { history, _ in history } : history
    return FilterEnvironment(
      dialect: dialect, deviceFunctions: functions, computedFunctions: functions)
  }
}
