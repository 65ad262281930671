import ExpressionSyntax

extension Operator {
  /// Returns a condition in the place of `==`, and its opposite in the place of `!=`, for advice.
  func asked(_ condition: String) -> String {
    self == .equal ? condition : "!(\(condition))"
  }
}
