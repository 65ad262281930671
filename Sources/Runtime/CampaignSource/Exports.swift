// One import is enough: `import CampaignSource` shows these modules, and every member of
// their types.

@_exported public import CampaignMatcher
