// One import is enough: `import Superscript` shows these modules, and every member of
// their types.

@_exported public import ExpressionCoding
@_exported public import ExpressionEngine
@_exported public import ExpressionPrinting
@_exported public import ExpressionSyntax
