// One import is enough: with `import AudienceFilters` an app sees the types of the engine and every
// member of them, also when `MemberImportVisibility` is on.

@_exported public import ExpressionCoding
@_exported public import ExpressionEngine
@_exported public import ExpressionPrinting
@_exported public import ExpressionSyntax

/// Evaluates a filter over a context, as ``Filter/evaluate(_:)`` does.
///
/// - Parameters:
///   - filter: The compiled filter.
///   - context: The attributes.
/// - Returns: The value of the filter, which need not be a bool.
/// - Throws: `EvaluationError` when the filter has no value for this context.
@inlinable
public func evaluate(_ filter: Filter, _ context: Context) throws(EvaluationError) -> Value {
  try filter.evaluate(context)
}
