/// An engine, as the runner of cases sees it.
public protocol CaseEvaluator: Sendable {
  /// Answers a request. Called from several threads at once.
  func evaluate(_ request: CaseRequest) -> CaseOutcome

  /// Evaluates several requests, in their order. Requests that differ in nothing but their question stand
  /// side by side, so that an engine can evaluate them together.
  func evaluate(_ requests: [CaseRequest]) -> [CaseOutcome]

  /// Whether the engine offers what a case needs, such as `ext:string_ext`.
  ///
  /// Cases that need something else are skipped, with the need as the reason. Everything is
  /// offered unless the engine says otherwise.
  func offers(_ need: String) -> Bool
}

extension CaseEvaluator {
  /// Evaluates the requests one by one.
  public func evaluate(_ requests: [CaseRequest]) -> [CaseOutcome] { requests.map { evaluate($0) } }

  /// Everything is offered.
  public func offers(_ need: String) -> Bool { true }
}
