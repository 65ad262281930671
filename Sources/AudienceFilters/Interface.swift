// What `import AudienceFilters` shows beside the types of this module: those of the modules below that an
// app needs by name. Everything else there belongs to tools.

public import ExpressionEngine
public import ExpressionSyntax

public typealias Context = ExpressionEngine.Context
public typealias Diagnostic = ExpressionSyntax.Diagnostic
public typealias DiagnosticID = ExpressionSyntax.DiagnosticID
public typealias Dialect = ExpressionSyntax.Dialect
public typealias EvaluationError = ExpressionEngine.EvaluationError
public typealias EvaluationLimits = ExpressionEngine.EvaluationLimits
public typealias ExtensionLibrary = ExpressionEngine.ExtensionLibrary
public typealias Filter = ExpressionEngine.Filter
public typealias FilterEnvironment = ExpressionEngine.FilterEnvironment
public typealias FilterError = ExpressionEngine.FilterError
public typealias FilterSet = ExpressionEngine.FilterSet
public typealias ParserLimits = ExpressionSyntax.ParserLimits
public typealias Requirements = ExpressionEngine.Requirements
public typealias SanitationRules = ExpressionEngine.SanitationRules
public typealias SourceSpan = ExpressionSyntax.SourceSpan
public typealias Value = ExpressionEngine.Value

/// Evaluates a filter over a context.
///
/// - Parameters:
///   - filter: The compiled filter.
///   - context: The attributes.
/// - Returns: The value of the filter, which need not be a bool.
/// - Throws: `EvaluationError` when the filter has no value for this context.
public func evaluate(_ filter: Filter, _ context: Context) throws(EvaluationError) -> Value {
  try filter.evaluate(context)
}
