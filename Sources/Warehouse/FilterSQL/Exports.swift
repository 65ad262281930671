// One import is enough: `import FilterSQL` shows these modules, and every member of
// their types.

@_exported public import FilterAnalysis
