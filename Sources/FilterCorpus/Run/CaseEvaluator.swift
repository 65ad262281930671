/// An engine, as the runner of cases sees it.
public protocol CaseEvaluator: Sendable {
  /// Answers a request. Called from several threads at once.
  func evaluate(_ request: CaseRequest) -> CaseOutcome

  /// Whether the engine offers what a case needs, such as `ext:string_ext`.
  ///
  /// Cases that need something else are skipped, with the need as the reason. Everything is
  /// offered unless the engine says otherwise.
  func offers(_ need: String) -> Bool
}

extension CaseEvaluator {
  /// Everything is offered.
  public func offers(_ need: String) -> Bool { true }
}
