public import ExpressionEngine
import ExpressionSyntax

// Errors print as the tool prints them: with the line of the filter and carets under what is wrong.

extension FilterError: CustomStringConvertible {
  /// Every problem with its place in the text, in source order.
  public var description: String {
    DiagnosticRenderer().render(diagnostics, in: source).trimmingLastLineBreak
  }
}

extension EvaluationError: CustomStringConvertible {
  /// The error for people, with the place in the filter where the text of the filter is known.
  public var description: String {
    let diagnostic = diagnostic
    guard let source = report?.source else {
      return "\(diagnostic.id.rawValue): \(diagnostic.message)"
    }
    return DiagnosticRenderer().render(diagnostic, in: source).trimmingLastLineBreak
  }
}

extension String {
  fileprivate var trimmingLastLineBreak: String { last == "\n" ? String(dropLast()) : self }
}
