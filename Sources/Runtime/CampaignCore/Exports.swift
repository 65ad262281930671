// One import is enough: `import CampaignCore` shows these modules, and every member of
// their types.

@_exported public import AudienceFilters
