// The vocabulary of the paywall SDKs, one attribute per row.

extension AttributeSchema {
  /// The parameters of built-in placements; others come from the app.
  static let paramsAttributes: [Attribute] = [
    .init("params.event_name", .string, summary: "the name of the placement", since: "3.0.0"),
    .init(
      "params.url", .any, summary: "the link (deepLink_open)", isOptional: true, since: "4.5.0"),
    .init(
      "params.path", .any, summary: "the path of the link (deepLink_open)", isOptional: true,
      since: "4.5.0"),
    .init(
      "params.pathExtension", .any, summary: "the ending of the path (deepLink_open)",
      isOptional: true, since: "4.5.0"),
    .init(
      "params.lastPathComponent", .any, summary: "the last part of the path (deepLink_open)",
      isOptional: true, since: "4.5.0"),
    .init(
      "params.host", .any, summary: "the host of the link (deepLink_open)", isOptional: true,
      since: "4.5.0"),
    .init(
      "params.query", .any, summary: "the query of the link (deepLink_open)", isOptional: true,
      since: "4.5.0"),
    .init(
      "params.fragment", .any, summary: "the fragment of the link (deepLink_open)",
      isOptional: true, since: "4.5.0"),
    .init(
      "params.survey_selected_option_title", .string,
      summary: "the answer chosen (survey_response)", isOptional: true),
    .init(
      "params.survey_custom_response", .string, summary: "the answer written (survey_response)",
      isOptional: true),
    .init("params.paywall_id", .string, summary: "the paywall", isOptional: true),
    .init("params.paywall_name", .string, summary: "the name of the paywall", isOptional: true),
    .init(
      "params.presented_by_event_name", .string, summary: "the placement that showed it",
      isOptional: true),
    .init(
      "params.paywall_product_ids", .string, summary: "its products, with commas", isOptional: true),
    .init(
      "params.is_free_trial_available", .bool, summary: "whether a trial is available",
      isOptional: true),
    .init(
      "params.feature_gating", .string, summary: "the gating of the paywall",
      values: ["GATED", "NON_GATED"], isOptional: true),
    .init(
      "params.presented_by", .string, summary: "what showed the paywall",
      values: ["placement", "programmatically"], isOptional: true),
    .init(
      "params.primary_product_id", .string, summary: "a product of the paywall", isOptional: true),
    .init(
      "params.secondary_product_id", .string, summary: "a product of the paywall", isOptional: true),
    .init(
      "params.tertiary_product_id", .string, summary: "a product of the paywall", isOptional: true),
    .init(
      "params.abandoned_product_id", .string,
      summary: "the product not bought (transaction_abandon)", isOptional: true, since: "3.7.0"),
    .init(
      "params.abandoned_product_raw_price", .string,
      summary: "of the product not bought (transaction_abandon)", isOptional: true,
      platforms: .apple, since: "4.15.1"),
    .init(
      "params.abandoned_product_price", .string,
      summary: "of the product not bought (transaction_abandon)", isOptional: true,
      platforms: .apple, since: "4.15.1"),
    .init(
      "params.abandoned_product_period_alt", .string,
      summary: "of the product not bought (transaction_abandon)", isOptional: true,
      platforms: .apple, since: "4.15.1"),
    .init(
      "params.abandoned_product_localized_period", .string,
      summary: "of the product not bought (transaction_abandon)", isOptional: true,
      platforms: .apple, since: "4.15.1"),
    .init(
      "params.abandoned_product_period", .string,
      summary: "of the product not bought (transaction_abandon)", isOptional: true,
      platforms: .apple, since: "4.15.1"),
    .init(
      "params.abandoned_product_periodly", .string,
      summary: "of the product not bought (transaction_abandon)", isOptional: true,
      platforms: .apple, since: "4.15.1"),
    .init(
      "params.abandoned_product_weekly_price", .string,
      summary: "of the product not bought (transaction_abandon)", isOptional: true,
      platforms: .apple, since: "4.15.1"),
    .init(
      "params.abandoned_product_daily_price", .string,
      summary: "of the product not bought (transaction_abandon)", isOptional: true,
      platforms: .apple, since: "4.15.1"),
    .init(
      "params.abandoned_product_monthly_price", .string,
      summary: "of the product not bought (transaction_abandon)", isOptional: true,
      platforms: .apple, since: "4.15.1"),
    .init(
      "params.abandoned_product_yearly_price", .string,
      summary: "of the product not bought (transaction_abandon)", isOptional: true,
      platforms: .apple, since: "4.15.1"),
    .init(
      "params.abandoned_product_raw_trial_period_price", .string,
      summary: "of the product not bought (transaction_abandon)", isOptional: true,
      platforms: .apple, since: "4.15.1"),
    .init(
      "params.abandoned_product_trial_period_price", .string,
      summary: "of the product not bought (transaction_abandon)", isOptional: true,
      platforms: .apple, since: "4.15.1"),
    .init(
      "params.abandoned_product_trial_period_daily_price", .string,
      summary: "of the product not bought (transaction_abandon)", isOptional: true,
      platforms: .apple, since: "4.15.1"),
    .init(
      "params.abandoned_product_trial_period_weekly_price", .string,
      summary: "of the product not bought (transaction_abandon)", isOptional: true,
      platforms: .apple, since: "4.15.1"),
    .init(
      "params.abandoned_product_trial_period_monthly_price", .string,
      summary: "of the product not bought (transaction_abandon)", isOptional: true,
      platforms: .apple, since: "4.15.1"),
    .init(
      "params.abandoned_product_trial_period_yearly_price", .string,
      summary: "of the product not bought (transaction_abandon)", isOptional: true,
      platforms: .apple, since: "4.15.1"),
    .init(
      "params.abandoned_product_trial_period_days", .string,
      summary: "of the product not bought (transaction_abandon)", isOptional: true,
      platforms: .apple, since: "4.15.1"),
    .init(
      "params.abandoned_product_trial_period_weeks", .string,
      summary: "of the product not bought (transaction_abandon)", isOptional: true,
      platforms: .apple, since: "4.15.1"),
    .init(
      "params.abandoned_product_trial_period_months", .string,
      summary: "of the product not bought (transaction_abandon)", isOptional: true,
      platforms: .apple, since: "4.15.1"),
    .init(
      "params.abandoned_product_trial_period_years", .string,
      summary: "of the product not bought (transaction_abandon)", isOptional: true,
      platforms: .apple, since: "4.15.1"),
    .init(
      "params.abandoned_product_trial_period_text", .string,
      summary: "of the product not bought (transaction_abandon)", isOptional: true,
      platforms: .apple, since: "4.15.1"),
    .init(
      "params.abandoned_product_trial_period_end_date", .string,
      summary: "of the product not bought (transaction_abandon)", isOptional: true,
      platforms: .apple, since: "4.15.1"),
    .init(
      "params.abandoned_product_period_days", .string,
      summary: "of the product not bought (transaction_abandon)", isOptional: true,
      platforms: .apple, since: "4.15.1"),
    .init(
      "params.abandoned_product_period_weeks", .string,
      summary: "of the product not bought (transaction_abandon)", isOptional: true,
      platforms: .apple, since: "4.15.1"),
    .init(
      "params.abandoned_product_period_months", .string,
      summary: "of the product not bought (transaction_abandon)", isOptional: true,
      platforms: .apple, since: "4.15.1"),
    .init(
      "params.abandoned_product_period_years", .string,
      summary: "of the product not bought (transaction_abandon)", isOptional: true,
      platforms: .apple, since: "4.15.1"),
    .init(
      "params.abandoned_product_locale", .string,
      summary: "of the product not bought (transaction_abandon)", isOptional: true,
      platforms: .apple, since: "4.15.1"),
    .init(
      "params.abandoned_product_language_code", .string,
      summary: "of the product not bought (transaction_abandon)", isOptional: true,
      platforms: .apple, since: "4.15.1"),
    .init(
      "params.abandoned_product_currency_code", .string,
      summary: "of the product not bought (transaction_abandon)", isOptional: true,
      platforms: .apple, since: "4.15.1"),
    .init(
      "params.abandoned_product_currency_symbol", .string,
      summary: "of the product not bought (transaction_abandon)", isOptional: true,
      platforms: .apple, since: "4.15.1"),
    .init(
      "params.abandoned_product_billing_plan_type", .string,
      summary: "of the product not bought (transaction_abandon)", isOptional: true,
      platforms: .apple, since: "4.15.1"),
    .init(
      "params.abandoned_product_is_billing_plan_available", .string,
      summary: "of the product not bought (transaction_abandon)", isOptional: true,
      platforms: .apple, since: "4.15.1"),
  ]
}
