// One import is enough: `import ExpressionEngine` shows these modules, and every member of
// their types.

@_exported public import ExpressionSyntax
