package import ExpressionEngine

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The state that host functions need while the audiences of one placement are tried.
///
/// The engine passes it on as an opaque value, within contexts that an ``AudienceExplainer`` may keep
/// and evaluate anywhere. It is `@unchecked Sendable` because everything that changes, and a history
/// that belongs to a transaction, is touched only on the thread that made it; and ``end()`` lets go of
/// that history before its transaction ends.
package final class EvaluationState: @unchecked Sendable {
  private struct Call: Hashable {
    let function: HistoryFunction
    let event: ExactName
  }

  private let reader: HistoryReader
  /// The only thread that may use the history; `nil` for a history that is a value.
  private let owner: pthread_t?
  /// The history; `nil` after the end.
  private var history: (any EventHistory)?
  private var answers: [Call: Value] = [:]
  /// Values returned instead of the history's, by call (`daysSince(app_open)`), else by function.
  private let substitutes: [String: Value]
  /// The first failure of the history, which must fail the request rather than look like a filter
  /// that is not true.
  private(set) var failure: StoreError?

  package init(
    reader: HistoryReader, history: any EventHistory, substitutes: [String: Value] = [:]
  ) {
    self.reader = reader
    self.history = history
    owner = history is EventLog ? nil : pthread_self()
    self.substitutes = substitutes
  }

  /// The answer to a call. The history is asked once per request, because filters repeat themselves.
  func answer(_ function: HistoryFunction, event: String) -> Value {
    guard owner.map({ pthread_equal($0, pthread_self()) != 0 }) ?? true, let history else {
      return reader.answerWithoutHistory(function)
    }
    if !substitutes.isEmpty,
      let value = substitutes["\(function.rawValue)(\(event))"] ?? substitutes[function.rawValue]
    {
      return value
    }
    let call = Call(function: function, event: ExactName(event))
    if let known = answers[call] { return known }
    do throws(StoreError) {
      let answer = try reader.answer(function, event: event, in: history)
      answers[call] = answer
      return answer
    } catch {
      if failure == nil { failure = error }
      return .null
    }
  }

  /// Lets go of the history. Call it on the thread that made the state.
  package func end() { history = nil }
}
