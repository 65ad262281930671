public import ExpressionEngine
public import ExpressionSyntax

extension EvaluationError {
  /// The failure with its place in the filter, worded with the filter's names and values.
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
