// The types of other modules that an app needs by name. `import AudienceFilters` shows these and
// the types of this module; all other types of those modules are for tools.

public import ExpressionEngine
public import ExpressionPrinting
public import ExpressionSyntax

// MARK: Filters

/// An audience filter, compiled once and evaluated over any number of contexts, from any thread.
public typealias Filter = ExpressionEngine.Filter
/// A set of filters that are evaluated together over one context.
public typealias FilterSet = ExpressionEngine.FilterSet
/// The dialect, host functions and limits that a filter is compiled against.
public typealias FilterEnvironment = ExpressionEngine.FilterEnvironment
/// The attributes that a filter reads and the host functions that it calls.
public typealias Requirements = ExpressionEngine.Requirements
/// The language of a filter: superscript or cel.
public typealias Dialect = ExpressionSyntax.Dialect
/// A group of functions of the cel dialect that can be enabled.
public typealias ExtensionLibrary = ExpressionEngine.ExtensionLibrary
/// The limits of an evaluation: steps and memory.
public typealias EvaluationLimits = ExpressionEngine.EvaluationLimits
/// A way to end evaluations early: at a deadline, or by a call.
public typealias EvaluationStop = ExpressionEngine.EvaluationStop
/// The limits of a filter's text: length and nesting.
public typealias ParserLimits = ExpressionSyntax.ParserLimits

// MARK: Contexts and values

/// The attributes that filters are evaluated over.
public typealias Context = ExpressionEngine.Context
/// A value of the expression language.
public typealias Value = ExpressionEngine.Value

// MARK: Errors

/// Thrown when a text is not a valid filter.
public typealias FilterError = ExpressionEngine.FilterError
/// Thrown when a filter has no value for a context.
public typealias EvaluationError = ExpressionEngine.EvaluationError
/// Thrown when a text is not valid JSON, or not JSON of the expected shape.
public typealias JSONError = ExpressionEngine.JSONError
/// A problem found in a filter.
public typealias Diagnostic = ExpressionSyntax.Diagnostic
/// The kind of a diagnostic, such as `E0505`.
public typealias DiagnosticID = ExpressionSyntax.DiagnosticID
/// Writes diagnostics for people.
public typealias DiagnosticRenderer = ExpressionPrinting.DiagnosticRenderer
/// A range of bytes of a filter's text.
public typealias SourceSpan = ExpressionSyntax.SourceSpan

/// Evaluates a filter over a context.
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
