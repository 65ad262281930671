// One import is enough: `import CampaignAnalysis` shows these modules, and every member of
// their types.

@_exported public import CampaignMatcher
@_exported public import FilterAuthoring
