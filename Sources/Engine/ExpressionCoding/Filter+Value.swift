public import ExpressionEngine

extension Filter {
  /// Evaluates the filter and decodes its value.
  ///
  /// ```swift
  /// let seats = try Filter("user.seats * 2").value(as: Int.self, in: context)
  /// ```
  ///
  /// - Parameters:
  ///   - type: The type that the value is wanted as; mostly it can be inferred.
  ///   - context: The attributes to evaluate the filter over.
  /// - Throws: `EvaluationError` when the filter has no value for this context, and `DecodingError`
  ///   when the value is of another type.
  /// - Complexity: That of ``ExpressionEngine/Filter/evaluate(_:)``.
  public func value<Result: Decodable>(
    as type: Result.Type = Result.self, in context: Context
  ) throws -> Result {
    try evaluate(context).decode(type)
  }
}
