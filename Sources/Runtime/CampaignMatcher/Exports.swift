// One import is enough: `import CampaignMatcher` shows these modules, and every member of
// their types.

@_exported public import CampaignCore
