package import ExpressionSyntax

/// The details of a failure that its message mentions: the operator, the function and the values.
package struct FailureReport: Sendable {
  /// A value that was an operand of the failed operation.
  package struct Operand: Sendable {
    /// The name of its kind: `string`, `null`.
    package let kind: String
    /// Its literal, cut to a readable length.
    package let literal: String
    /// Its text without quotes, if it is a string.
    package let text: String
  }

  package let code: FailureCode
  package let span: SourceSpan
  package let source: SourceText
  package let dialect: Dialect.Name
  package let operands: [Operand]
  package let cause: String?

  init?(
    _ failure: Failure, at span: SourceSpan, source: SourceText, dialect: Dialect.Name,
    _ cause: FailureCause?
  ) {
    guard source.bytes.count < 1 << 16 else { return nil }
    code = failure.code
    self.span = span
    self.source = source
    self.dialect = dialect
    if case .regex(let error) = cause { self.cause = error.message } else { self.cause = nil }
    operands = [failure.first, failure.second].prefix(Int(failure.operandCount)).map { slot in
      let text = slot.shortText
      return Operand(
        kind: slot.kindName, literal: slot.isA(.string) ? text.quotedLiteral : text, text: text)
    }
  }
}
