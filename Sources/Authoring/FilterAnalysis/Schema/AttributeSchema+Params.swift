// The vocabulary of the paywall SDKs, one attribute per row.

extension AttributeSchema {
  /// The parameters of built-in placements; others come from the app.
  static let paramsAttributes: [Attribute] =
    [
      .init(
        "params.event_name", .string, format: .placement, summary: "the name of the placement",
        since: "3.0.0"),
      .init(
        "params.url", .any, format: .url, summary: "the link", isOptional: true, since: "4.5.0"
      ).sent(with: "deepLink_open"),
      .init(
        "params.path", .any, format: .path, summary: "the path of the link", isOptional: true,
        since: "4.5.0"
      ).sent(with: "deepLink_open"),
      .init(
        "params.pathExtension", .any, format: .pathExtension, summary: "the ending of the path",
        isOptional: true, since: "4.5.0"
      ).sent(with: "deepLink_open"),
      .init(
        "params.lastPathComponent", .any, format: .pathComponent,
        summary: "the last part of the path",
        isOptional: true, since: "4.5.0"
      ).sent(with: "deepLink_open"),
      .init(
        "params.host", .any, format: .host, summary: "the host of the link", isOptional: true,
        since: "4.5.0"
      ).sent(with: "deepLink_open"),
      .init(
        "params.query", .any, format: .query, summary: "the query of the link", isOptional: true,
        since: "4.5.0"
      ).sent(with: "deepLink_open"),
      .init(
        "params.fragment", .any, format: .fragment, summary: "the fragment of the link",
        isOptional: true, since: "4.5.0"
      ).sent(with: "deepLink_open"),
      .init(
        "params.survey_selected_option_title", .string,
        summary: "the answer chosen", isOptional: true
      ).sent(with: "survey_response"),
      .init(
        "params.survey_custom_response", .string, summary: "the answer written",
        isOptional: true
      ).sent(with: "survey_response"),
      .init("params.paywall_id", .string, summary: "the paywall", isOptional: true),
      .init("params.paywall_name", .string, summary: "the name of the paywall", isOptional: true),
      .init(
        "params.presented_by_event_name", .string, summary: "the placement that showed it",
        isOptional: true),
      .init(
        "params.paywall_product_ids", .string, summary: "its products, with commas",
        isOptional: true),
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
        "params.secondary_product_id", .string, summary: "a product of the paywall",
        isOptional: true),
      .init(
        "params.tertiary_product_id", .string, summary: "a product of the paywall", isOptional: true
      ),
      .init(
        "params.abandoned_product_id", .string,
        summary: "the product not bought", isOptional: true, since: "3.7.0"
      ).sent(with: "transaction_abandon"),
    ] + productParameters

  /// The facts about the product that was not bought (transaction_abandon), all as texts.
  private static let productParameters: [Attribute] = [
    product("raw_price", .decimal),
    product("price", example: "\"$9.99\""),
    product("period_alt"),
    product("localized_period"),
    product("period"),
    product("periodly"),
    product("weekly_price"),
    product("daily_price"),
    product("monthly_price"),
    product("yearly_price"),
    product("raw_trial_period_price", .decimal),
    product("trial_period_price"),
    product("trial_period_daily_price"),
    product("trial_period_weekly_price"),
    product("trial_period_monthly_price"),
    product("trial_period_yearly_price"),
    product("trial_period_days", .integer),
    product("trial_period_weeks", .integer),
    product("trial_period_months", .integer),
    product("trial_period_years", .integer),
    product("trial_period_text"),
    product("trial_period_end_date"),
    product("period_days", .integer),
    product("period_weeks", .integer),
    product("period_months", .integer),
    product("period_years", .integer),
    product("locale", .locale),
    product("language_code", .language),
    product("currency_code", .currency),
    product("currency_symbol", .currencySymbol),
    product("billing_plan_type"),
    // The engine reads the texts "true" and "false" as bools.
    product("is_billing_plan_available", type: .bool),
  ]

  private static func product(
    _ name: String, _ format: Attribute.Format? = nil, type: AttributeType = .string,
    example: String? = nil
  ) -> Attribute {
    .init(
      "params.abandoned_product_\(name)", type, format: format,
      summary: "of the product not bought", isOptional: true, platforms: .apple, since: "4.15.1",
      example: example
    ).sent(with: "transaction_abandon")
  }
}

extension AttributeSchema.Attribute {
  /// Whether the attribute is a list that the SDKs send as one text, with commas.
  package var isJoined: Bool { summary.hasSuffix("with commas") }

  /// Returns the attribute as a parameter of one placement only, which its summary names.
  fileprivate func sent(with placement: String) -> Self {
    var attribute = self
    attribute.placements = [placement]
    attribute.summary += " (\(placement))"
    return attribute
  }
}
