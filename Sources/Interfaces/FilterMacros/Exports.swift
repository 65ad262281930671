// One import is enough: with `import FilterMacros` an app also sees filters and contexts.

@_exported public import AudienceFilters
