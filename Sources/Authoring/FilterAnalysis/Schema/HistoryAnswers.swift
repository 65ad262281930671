package import ExpressionEngine

/// The results of history functions for a user: by call, such as `daysSince(app_open)`.
package struct HistoryAnswers: Sendable, Hashable {
  package var answers: [String: Value]

  package init(_ answers: [String: Value] = [:]) { self.answers = answers }

  /// Returns an environment in which the history functions read their results from the host state
  /// of the context, in place of the functions of these names.
  package static func environment(
    _ environment: FilterEnvironment, rules: HistoryRules = HistoryRules()
  ) -> FilterEnvironment {
    var result = environment
    for function in HistoryFunctionInfo.all {
      let name = function.name
      let whenNever: Value = function.isTime && !rules.neverIsZero ? .null : .int(0)
      let call: FilterEnvironment.HostFunction = { arguments, state in
        guard case .string(let event)? = arguments.first, let answers = Self.answers(in: state)
        else { return .null }
        return answers["\(name)(\(event))"] ?? answers[name] ?? whenNever
      }
      result.deviceFunctions[name] = call
      result.computedFunctions[name] = call
    }
    return result
  }
}

extension HistoryAnswers {
  /// The answers as the host state of a context.
  package var hostState: HostStateValue {
    #if hasFeature(Embedded)
      HostStateValue(answers: answers)
    #else
      self
    #endif
  }

  /// Returns the answers that a host state has; `nil` for another state.
  private static func answers(in state: HostStateValue?) -> [String: Value]? {
    #if hasFeature(Embedded)
      state?.answers
    #else
      (state as? HistoryAnswers)?.answers
    #endif
  }
}
