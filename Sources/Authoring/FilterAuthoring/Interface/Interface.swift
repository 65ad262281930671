// One import is enough: with `import FilterAuthoring` an author also sees the engine, and the
// schemas of `FilterAnalysis`.

@_exported public import ExpressionCoding
@_exported public import ExpressionEngine
@_exported public import ExpressionPrinting
@_exported public import ExpressionSyntax
@_exported public import FilterAnalysis
