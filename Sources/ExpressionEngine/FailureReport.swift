import ExpressionSyntax

/// What is kept of a failure so that it can be told in the words of the filter: which operator, which
/// function, which values.
struct FailureReport: Sendable {
  /// A value that an operation failed with.
  struct Operand: Sendable {
    /// Its kind: `string`, `null`.
    let kind: String
    /// It as a literal, cut to a readable length.
    let literal: String
    /// It without quotes, if it is a text.
    let text: String
  }

  let code: FailureCode
  let span: SourceSpan
  let source: Source
  let dialect: Dialect.Name
  let operands: [Operand]
  let cause: String?

  init?(
    _ failure: Failure, at span: SourceSpan, source: Source, dialect: Dialect.Name,
    _ cause: (any Error)?
  ) {
    guard source.bytes.count < 1 << 16 else { return nil }
    code = failure.code
    self.span = span
    self.source = source
    self.dialect = dialect
    self.cause = (cause as? RegexError)?.message
    operands = [failure.first, failure.second].prefix(Int(failure.operandCount)).map { slot in
      let text = slot.shortText
      return Operand(
        kind: slot.kindName, literal: slot.isA(.string) ? text.quotedLiteral : text, text: text)
    }
  }

  /// The plain diagnostic, with the words of the filter where they are found.
  func diagnostic(_ plain: Diagnostic) -> Diagnostic {
    guard let tree = try? parse(source, dialect: .named(dialect)) else { return plain }
    return FailureTexts(report: self, tree: tree, plain: plain).diagnostic
  }
}
