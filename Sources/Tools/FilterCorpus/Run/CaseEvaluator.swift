/// An engine, as the runner of cases sees it.
package protocol CaseEvaluator: Sendable {
  /// Answers a request. Called from several threads at once.
  func evaluate(_ request: CaseRequest) -> CaseOutcome

  /// Evaluates several requests, in their order. Requests that differ in nothing but their question
  /// are together, so an engine can evaluate them at once.
  func evaluate(_ requests: [CaseRequest]) -> [CaseOutcome]

  /// Returns whether the engine has a feature that a case needs, such as `ext:string_ext`.
  ///
  /// Cases that need something else are skipped, with the need as the reason. Everything is
  /// offered unless the engine refuses.
  func offers(_ need: String) -> Bool
}

extension CaseEvaluator {
  /// Evaluates the requests one by one.
  package func evaluate(_ requests: [CaseRequest]) -> [CaseOutcome] {
    requests.map { evaluate($0) }
  }

  /// Everything is offered.
  package func offers(_ need: String) -> Bool { true }
}
