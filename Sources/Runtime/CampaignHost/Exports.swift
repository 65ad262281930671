// One import is enough: `import CampaignHost` shows these modules, and every member of
// their types.

@_exported public import CampaignMatcher
@_exported public import PaywallLogic
