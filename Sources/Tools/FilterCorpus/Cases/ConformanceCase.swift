package import ExpressionEngine

/// One case of any format: a question, the expected answer, and the features that an engine must
/// have.
package struct ConformanceCase: Sendable, Hashable {
  /// The address: `topic/file#name` or the identifier of a JSON Lines case.
  package var id: String
  /// The question.
  package var request: CaseRequest
  /// The expected answer.
  package var expectation: Expectation
  /// The features that the engine must have, such as `core` or `ext:string_ext`; empty if none.
  package var needs: [String]
  /// Why the case is left out, if it is.
  package var skipReason: String?

  /// Creates a case; see the properties.
  package init(
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

/// The expected answer of a case.
package enum Expectation: Sendable, Hashable {
  /// A value, and its static type if the case gives one.
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
