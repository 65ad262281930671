import ExpressionCoding
public import ExpressionEngine
import ExpressionSyntax
import FilterAnalysis

/// A user who shows a finding: evaluate the filters for this user to check it.
public struct Witness: Sendable, Hashable {
  /// The attributes: `user`, `device`, `params`, and other variables that filters read.
  public let variables: [String: Value]
  /// The results of history functions, by call: `daysSince(app_open)`.
  public let history: [String: Value]

  init(_ draft: UserDraft) {
    variables = draft.variables
    history = draft.answers
  }

  /// The user as filters see them.
  package var context: Context {
    Context(variables: variables).replacing(hostState: HistoryAnswers(history))
  }

  /// The content of a context file, as `swexpr explain --context` reads it; with the results of the
  /// history as its member `host`.
  public var value: Value {
    var members: [Value.Key: Value] = [:]
    for (name, value) in variables {
      // Objects without members say nothing.
      if value == .map([:]), AttributeRoots.contains(name) { continue }
      members[.string(name)] = value
    }
    if !history.isEmpty {
      members["host"] = .map(
        Dictionary(uniqueKeysWithValues: history.map { (.string($0.key), $0.value) }))
    }
    return .map(members)
  }

  /// ``value`` as JSON in one line.
  public var json: String { value.jsonText(pretty: false) }
}
