import CampaignCore
public import ExpressionEngine

extension AnalyticsEvent {
  /// The name under which the event is tracked: that of the event, or a custom placement's own.
  public var trackedName: String {
    if case .customPlacement(_, let name, _) = self { name } else { name.rawValue }
  }

  /// Whether the event can present a paywall. The app's own purchases never do.
  public var canTrigger: Bool {
    switch self {
    case .transactionAbandon(let details), .transactionFail(let details, _):
      !details.isObserved
    default: name.canTrigger || name == .customPlacement
    }
  }

  /// All parameters, the two that every event has among them.
  public func parameters(in context: EventContext = EventContext()) -> [String: Value] {
    var result = ownParameters(in: context)
    result["is_superwall"] = true
    result["app_session_id"] = .string(context.sessionID)
    return result
  }

  /// The parameters that filters see when the event presents a paywall (docs/spec/campaigns.md §6.6).
  public var filterParameters: [String: Value] {
    switch self {
    case .transactionAbandon(let details):
      return details.info.filterParameters.merging(
        details.product.abandonedParameters.mapValues { .string($0) }
      ) { _, new in new }
    case .surveyResponse(let info, let answer):
      var result = info.filterParameters
      result["survey_selected_option_title"] = .string(answer.option.title)
      result["survey_custom_response"] = answer.text.map(Value.string)
      return result
    case .customPlacement(let info, _, let parameters):
      return info.filterParameters.merging(parameters) { _, new in new }
    case .deepLinkOpen(let parameters): return parameters
    case .paywallOpen(let info), .paywallClose(let info, _, _), .paywallDecline(let info),
      .paywallPageView(let info, _), .restoreStart(let info), .restoreComplete(let info),
      .restoreFail(let info, _), .transactionRestore(let info, _, _, _, _):
      return info.filterParameters
    case .transactionStart(let details), .transactionTimeout(let details),
      .transactionFail(let details, _), .transactionComplete(let details, _),
      .subscriptionStart(let details), .freeTrialStart(let details),
      .nonRecurringProductPurchase(let details):
      return details.info.filterParameters
    case .attributionMatch(let match): return match.parameters
    default: return [:]
    }
  }

  /// The attributes with which another tool can form cohorts: the experiment and the variant of a
  /// `trigger_fire`; none for any other event.
  public var cohortAttributes: [String: Bool] {
    guard case .triggerFire(let firing) = self else { return [:] }
    guard let experiment = firing.result.experiment else { return [:] }
    return ["sw_experiment_\(experiment.id)": true, "sw_variant_\(experiment.variant.id)": true]
  }
}

extension AnalyticsEvent {
  private func ownParameters(in context: EventContext) -> [String: Value] {
    switch self {
    case .firstSeen, .appOpen, .appClose, .appLaunch, .sessionStart, .touchesBegan, .reset,
      .identityAlias, .confirmAllAssignments, .reviewGranted, .reviewDenied, .surveyClose,
      .enrichmentStart, .enrichmentFail, .adServicesTokenRequestStart, .testModeModalOpen:
      [:]
    case .appInstall(let installedAt, let usesPurchaseController):
      [
        "application_installed_at": .string(installedAt),
        "using_purchase_controller": .bool(usesPurchaseController),
      ]
    case .deepLinkOpen(let parameters), .deviceAttributes(let parameters): parameters
    case .userAttributes(let attributes, let installedAt):
      attributes.adding(["application_installed_at": .string(installedAt)])
    case .integrationAttributes(let ids): ids.mapValues { .string($0) }
    case .attributionMatch(let match): match.parameters
    case .subscriptionStatusDidChange(let status): status.eventParameters
    case .customerInfoDidChange(let old, let new):
      ["from": .string(old.eventText), "to": .string(new.eventText)]
    case .reviewRequested(let count, let type):
      ["count": .int(Int64(count)), "type": .string(type)]
    case .triggerFire(let firing): firing.parameters(unmatchedKeys: .audience)
    case .paywallPresentationRequest(let request): request.parameters
    case .permissionRequested(let permission, let paywall),
      .permissionGranted(let permission, let paywall),
      .permissionDenied(let permission, let paywall):
      [
        "permission_name": .string(permission.rawValue),
        "paywall_identifier": .string(paywall),
      ]
    case .redemptionStart(let kind), .redemptionComplete(let kind), .redemptionFail(let kind):
      Self.parameters(of: kind)
    case .testModeModalClose(let settings): Self.parameters(of: settings)
    default: paywallParameters(in: context) ?? loadParameters()
    }
  }

  /// The parameters of events that are about a paywall or a transaction; `nil` for others.
  private func paywallParameters(in context: EventContext) -> [String: Value]? {
    switch self {
    case .paywallOpen(let info): info.parameters().adding(context.demandParameters)
    case .paywallClose(let info, let reason, let survey):
      info.parameters(closeReason: reason).adding([
        "survey_attached": .bool(!info.surveys.isEmpty),
        "survey_presentation": survey.map { .string($0.rawValue) },
      ])
    case .paywallDecline(let info):
      info.parameters(closeReason: .manualClose)
    case .paywallPageView(let info, let page): info.parameters().adding(page.parameters)
    case .surveyResponse(let info, let answer):
      info.parameters().adding([
        "survey_id": .string(answer.survey.id),
        "survey_assignment_key": .string(answer.survey.assignmentKey),
        "survey_selected_option_id": .string(answer.option.id),
        "survey_selected_option_title": .string(answer.option.title),
        "survey_custom_response": answer.text.map(Value.string),
      ])
    case .customPlacement(let info, let name, let parameters):
      info.parameters().adding(parameters).adding(["name": .string(name)])
    case .transactionStart(let details), .transactionTimeout(let details),
      .transactionAbandon(let details):
      details.parameters.adding(details.sourceParameters)
    case .transactionFail(let details, let message):
      details.parameters.adding(details.sourceParameters).adding(["message": .string(message)])
    case .transactionComplete(let details, let type):
      details.parameters.adding(details.sourceParameters).adding(context.demandParameters)
        .adding([
          "storefront_countryCode": .string(context.storefrontCountryCode),
          "storefront_id": .string(context.storefrontID),
          "transaction_type": .string(type.rawValue),
        ])
    case .transactionRestore(let info, let type, let product, let source, let version):
      Self.restoreParameters(info, type, product, source, version)
    case .subscriptionStart(let details), .freeTrialStart(let details),
      .nonRecurringProductPurchase(let details):
      details.parameters
    case .restoreStart(let info), .restoreComplete(let info): info.parameters()
    case .restoreFail(let info, let message):
      info.parameters().adding(["error_message": .string(message)])
    case .stripeCheckoutStart(let info, let product),
      .stripeCheckoutSubmit(let info, let product),
      .stripeCheckoutComplete(let info, let product), .stripeCheckoutFail(let info, let product):
      info.parameters().adding([
        "is_triggered_from_event": .bool(info.placement != nil), "store": "STRIPE",
        "product_identifier": .string(product),
      ])
    default: nil
    }
  }

  /// The parameters of events that are about loading; none for others.
  private func loadParameters() -> [String: Value] {
    switch self {
    case .configRefresh(let buildID, let retryCount, let isCached, let duration):
      [
        "config_build_id": .string(buildID), "retry_count": .int(Int64(retryCount)),
        "cache_status": .string(isCached ? "CACHED" : "NOT_CACHED"),
        "fetch_duration": .double(duration),
      ]
    case .configFail(let message), .adServicesTokenRequestFail(let message),
      .paywallResourceLoadFail(let message):
      ["error_message": .string(message)]
    case .configAttributes(let options, let usesPurchaseController, let hasDelegate):
      options.adding([
        "using_purchase_controller": .bool(usesPurchaseController),
        "has_delegate": .bool(hasDelegate),
      ])
    case .paywallResponseLoadStart(let isTriggered),
      .paywallResponseLoadNotFound(let isTriggered), .paywallResponseLoadFail(let isTriggered):
      ["is_triggered_from_event": .bool(isTriggered)]
    case .paywallResponseLoadComplete(let info, let isTriggered),
      .paywallProductsLoadStart(let info, let isTriggered),
      .paywallProductsLoadComplete(let info, let isTriggered):
      info.parameters().adding(["is_triggered_from_event": .bool(isTriggered)])
    case .paywallWebviewLoadStart(let info), .paywallWebviewLoadComplete(let info),
      .paywallWebviewLoadTimeout(let info), .paywallWebviewLoadFallback(let info),
      .paywallWebviewLoadProcessTerminated(let info):
      info.parameters()
    case .paywallWebviewLoadFail(let info, let message, let urls):
      info.parameters().adding(["error_message": .string(message)])
        .adding(
          Dictionary(
            uniqueKeysWithValues: urls.enumerated().map {
              ("url_\($0.offset)", .string($0.element))
            }
          ))
    case .paywallProductsLoadFail(let info, let isTriggered, let message):
      info.parameters().adding([
        "is_triggered_from_event": .bool(isTriggered), "error_message": .string(message),
      ])
    case .paywallProductsLoadRetry(let info, let isTriggered, let attempt):
      info.parameters().adding([
        "is_triggered_from_event": .bool(isTriggered), "attempt": .int(Int64(attempt)),
      ])
    case .paywallProductsLoadMissingProducts(let info, let isTriggered, let products):
      info.parameters().adding([
        "is_triggered_from_event": .bool(isTriggered),
        "missing_products": .string(products.joined(separator: ",")),
      ])
    case .paywallPreloadStart(let count), .paywallPreloadComplete(let count):
      ["paywall_count": .int(Int64(count))]
    case .shimmerViewStart(let id): ["paywall_id": .string(id)]
    case .shimmerViewComplete(let id, let duration):
      ["paywall_id": .string(id), "visible_duration": .double(duration)]
    case .enrichmentComplete(let user, let device):
      user.prefixed("user_").adding(device.prefixed("device_"))
    case .adServicesTokenRequestComplete(let token): ["token": .string(token)]
    case .networkDecodingFail(let url, let response):
      ["request_url": .string(url), "response": .string(response)]
    default: [:]
    }
  }
}

extension AnalyticsEvent {
  private static func parameters(of kind: RedemptionFlow.Kind) -> [String: Value] {
    var result: [String: Value] = ["type": .string(kind.wireName)]
    if case .code(let code) = kind { result["code"] = .string(code) }
    return result
  }

  private static func parameters(of settings: TestMode.Settings) -> [String: Value] {
    var result: [String: Value] = [
      "free_trial_override": .string(settings.trialOverride.rawValue)
    ]
    for id in settings.entitlements {
      result["entitlement_\(id)_state"] = "active"
      result["entitlement_\(id)_offer_type"] = settings.offerTypes[id].map {
        .string($0.rawValue)
      }
    }
    return result
  }

  private static func restoreParameters(
    _ info: PaywallInfo, _ type: RestoreType, _ product: StoreProduct?, _ source: String,
    _ version: PurchaseFlow.StoreKitVersion?
  ) -> [String: Value] {
    var transaction: StoreTransaction?
    if case .viaPurchase(let known) = type { transaction = known }
    return info.parameters(product: product)
      .adding((transaction?.parameters ?? [:]).mapValues { .string($0) })
      .adding([
        "store": "APP_STORE", "source": .string(source),
        "storekit_version": version.map { .string($0.rawValue) },
        "restore_via_purchase_attempt": .bool(transaction != nil),
      ])
  }
}

extension TransactionDetails {
  /// The parameters of the paywall, the product and the transaction.
  var parameters: [String: Value] {
    info.parameters(product: tellsProduct ? product : nil)
      .adding((transaction?.parameters ?? [:]).mapValues { .string($0) })
  }

  /// Where the purchase was made.
  var sourceParameters: [String: Value?] {
    [
      "store": .string(store.rawValue), "source": .string(source),
      "storekit_version": storeKitVersion.map { .string($0.rawValue) },
    ]
  }
}

extension [String: Value] {
  /// The entries with others added, which win; those without a value are left out.
  fileprivate func adding(_ others: [String: Value?]) -> [String: Value] {
    var result = self
    for (name, value) in others {
      if let value { result[name] = value }
    }
    return result
  }

  fileprivate func prefixed(_ prefix: String) -> [String: Value] {
    var result: [String: Value] = [:]
    for (name, value) in self { result[prefix + name] = value }
    return result
  }
}

extension AnalyticsEvent: CustomStringConvertible {
  /// The tracked name and the detail that distinguishes the event from others of its name.
  public var description: String {
    let detail: String? =
      switch self {
      case .subscriptionStatusDidChange(let status): status.wireName
      case .triggerFire(let firing): firing.placement
      case .paywallOpen(let info), .paywallDecline(let info), .restoreStart(let info),
        .restoreComplete(let info):
        info.identifier
      case .paywallClose(let info, let reason, let survey):
        "\(info.identifier) \(reason.rawValue)\(survey.map { " survey " + $0.rawValue } ?? "")"
      case .restoreFail(let info, let message):
        [info.identifier, message].filter { !$0.isEmpty }.joined(separator: " ")
      case .surveyResponse(_, let answer): answer.option.id
      case .permissionRequested(let permission, _), .permissionGranted(let permission, _),
        .permissionDenied(let permission, _):
        permission.rawValue
      case .transactionStart(let details), .transactionTimeout(let details),
        .transactionAbandon(let details), .subscriptionStart(let details),
        .freeTrialStart(let details), .nonRecurringProductPurchase(let details):
        details.product.id
      case .transactionFail(let details, let message): "\(details.product.id): \(message)"
      case .transactionComplete(let details, let type):
        "\(details.product.id) \(type.rawValue)"
          + (details.transaction.map { " " + $0.id } ?? "")
      case .transactionRestore(_, let type, _, _, _):
        if case .viaPurchase = type { "via purchase" } else { "via restore" }
      case .redemptionStart(let kind), .redemptionComplete(let kind), .redemptionFail(let kind):
        kind.wireName
      case .testModeModalClose(let settings): "\(settings)"
      default: nil
      }
    return detail.map { $0.isEmpty ? trackedName : "\(trackedName) \($0)" } ?? trackedName
  }
}
