// One import is enough: `import FilterAnalysis` shows these modules, and every member of
// their types.

@_exported public import ExpressionCoding
@_exported public import ExpressionEngine
@_exported public import ExpressionSyntax
