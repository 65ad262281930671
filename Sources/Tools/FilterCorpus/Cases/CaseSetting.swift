import ExpressionEngine

/// Everything but the question on which the answer to a request depends.
///
/// Requests with equal settings may share a context. `Value` holds 0.0 and -0.0 for equal, but an
/// answer may tell them apart, so the texts of values are compared, too.
struct CaseSetting: Hashable {
  private let request: CaseRequest
  private let variables: [String: String]
  private let hostAnswers: [String: String]

  init(of request: CaseRequest) {
    var setting = request
    setting.question = .expression("")
    self.request = setting
    variables = request.variables.mapValues(\.literal)
    hostAnswers = request.hostAnswers.mapValues(\.text)
  }
}
