// One import is enough: `import PaywallLogic` shows these modules, and every member of
// their types.

@_exported public import CampaignCore
