public import ExpressionEngine
public import ExpressionSyntax

extension EvaluationError {
  /// What went wrong, with the place in the filter, in the words of the filter.
  ///
  /// The text is made when it is asked for; that reads the filter again, which takes a few
  /// microseconds.
  public var diagnostic: Diagnostic {
    guard let report, let tree = try? parse(report.source, dialect: .named(report.dialect)) else {
      return plain
    }
    return FailureTexts(report: report, tree: tree, plain: plain).diagnostic
  }
}
