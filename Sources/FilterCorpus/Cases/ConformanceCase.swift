public import ExpressionEngine

/// One case of any format: a question, the answer it wants, and what an engine must offer for it.
public struct ConformanceCase: Sendable, Hashable {
  /// The address: `topic/file#name` or the identifier of a JSON Lines case.
  public var id: String
  /// What is asked.
  public var request: CaseRequest
  /// What is wanted.
  public var expectation: Expectation
  /// What the engine must offer, such as `core` or `ext:string_ext`; empty if nothing special.
  public var needs: [String]
  /// Why the case is left out, if it is.
  public var skipReason: String?

  /// Creates a case; see the properties.
  public init(
    id: String, request: CaseRequest, expectation: Expectation, needs: [String] = [],
    skipReason: String? = nil
  ) {
    self.id = id
    self.request = request
    self.expectation = expectation
    self.needs = needs
    self.skipReason = skipReason
  }
}

/// What a case wants.
public enum Expectation: Sendable, Hashable {
  /// A value, and where the case says so its static type.
  case value(Value, type: String?)
  /// Any answer or error, at once.
  case any
  /// Any error; the text is advice for readers.
  case anyError(advice: String)
  /// An error with these properties; what is `nil` or empty is not compared.
  case error(CaseError)
  /// A well-typed expression of this static type.
  case type(String)
}
