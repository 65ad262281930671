public import CampaignCore
public import ExpressionEngine

// The events of placements and paywalls, one member each.

extension AnalyticsEvent {
  // MARK: Placements

  /// A placement was matched.
  public static func triggerFire(_ firing: TriggerFire) -> Self {
    Self(.triggerFire, firing.parameters(unmatchedKeys: .audience), detail: firing.placement)
  }
  /// A paywall was requested.
  public static func paywallPresentationRequest(_ request: PresentationRequest) -> Self {
    Self(.paywallPresentationRequest, request.parameters)
  }

  // MARK: On screen

  /// A paywall opened.
  public static func paywallOpen(_ info: PaywallDetails) -> Self {
    Self(.paywallOpen, about: info, detail: info.identifier)
  }
  /// A paywall closed.
  ///
  /// - Parameters:
  ///   - info: The paywall.
  ///   - reason: Why it closed.
  ///   - survey: The outcome of its survey; `nil` if none was due.
  public static func paywallClose(
    _ info: PaywallDetails, _ reason: CloseReason, survey: SurveyPicker.Presentation?
  ) -> Self {
    let survey = survey?.rawValue
    return Self(
      .paywallClose, about: info, closeReason: reason,
      [
        "survey_attached": .bool(!info.surveys.isEmpty),
        "survey_presentation": survey.map { .string($0) },
      ],
      detail: "\(info.identifier) \(reason.rawValue)\(survey.map { " survey " + $0 } ?? "")")
  }
  /// The user closed a paywall.
  public static func paywallDecline(_ info: PaywallDetails) -> Self {
    Self(.paywallDecline, about: info, closeReason: .manualClose, detail: info.identifier)
  }
  /// A page of the paywall was viewed.
  public static func paywallPageView(_ info: PaywallDetails, _ page: PaywallPageView) -> Self {
    Self(.paywallPageView, about: info, page.parameters)
  }
  /// The user answered a survey.
  public static func surveyResponse(_ info: PaywallDetails, _ answer: SurveyAnswer) -> Self {
    let seen: [String: Value?] = [
      "survey_selected_option_title": .string(answer.option.title),
      "survey_custom_response": answer.text.map { .string($0) },
    ]
    let ids: [String: Value?] = [
      "survey_id": .string(answer.survey.id),
      "survey_assignment_key": .string(answer.survey.assignmentKey),
      "survey_selected_option_id": .string(answer.option.id),
    ]
    return Self(
      .surveyResponse, about: info, ids.merging(seen) { _, new in new }, forFilters: seen,
      detail: answer.option.id)
  }
  /// The user closed a survey.
  public static var surveyClose: Self { Self(.surveyClose) }
  /// A placement that the paywall's editor named.
  public static func customPlacement(
    _ info: PaywallDetails, name: String, parameters: [String: Value]
  ) -> Self {
    var all: [String: Value] = parameters
    all["name"] = .string(name)
    return Self(
      .customPlacement, trackedName: name, about: info, all, forFilters: parameters)
  }
  /// The paywall requests a permission.
  ///
  /// - Parameters:
  ///   - permission: The permission.
  ///   - paywall: The identifier of the paywall.
  public static func permissionRequested(_ permission: Permission, _ paywall: String) -> Self {
    Self(.permissionRequested, permission, paywall)
  }
  /// The permission was granted.
  public static func permissionGranted(_ permission: Permission, _ paywall: String) -> Self {
    Self(.permissionGranted, permission, paywall)
  }
  /// The permission was denied, or does not exist.
  public static func permissionDenied(_ permission: Permission, _ paywall: String) -> Self {
    Self(.permissionDenied, permission, paywall)
  }

  private init(_ name: BuiltInEvent, _ permission: Permission, _ paywall: String) {
    self.init(
      name,
      [
        "permission_name": .string(permission.rawValue), "paywall_identifier": .string(paywall),
      ],
      detail: permission.rawValue)
  }
}

extension AnalyticsEvent {
  // MARK: The response

  /// The response of a paywall is requested.
  ///
  /// - Parameter isTriggered: Whether a placement wants the paywall.
  public static func paywallResponseLoadStart(isTriggered: Bool) -> Self {
    Self(.paywallResponseLoadStart, ["is_triggered_from_event": .bool(isTriggered)])
  }
  /// The server does not know the paywall.
  public static func paywallResponseLoadNotFound(isTriggered: Bool) -> Self {
    Self(.paywallResponseLoadNotFound, ["is_triggered_from_event": .bool(isTriggered)])
  }
  /// The response could not be loaded.
  public static func paywallResponseLoadFail(isTriggered: Bool) -> Self {
    Self(.paywallResponseLoadFail, ["is_triggered_from_event": .bool(isTriggered)])
  }
  /// The response arrived.
  public static func paywallResponseLoadComplete(_ info: PaywallDetails, isTriggered: Bool) -> Self
  {
    Self(
      .paywallResponseLoadComplete, about: info, ["is_triggered_from_event": .bool(isTriggered)])
  }

  // MARK: The page

  /// The page is requested.
  public static func paywallWebviewLoadStart(_ info: PaywallDetails) -> Self {
    Self(.paywallWebviewLoadStart, about: info)
  }
  /// The page could not be loaded from any of these addresses.
  public static func paywallWebviewLoadFail(
    _ info: PaywallDetails, message: String, urls: [String]
  ) -> Self {
    var parameters: [String: Value] = ["error_message": .string(message)]
    for (index, url) in urls.enumerated() { parameters["url_\(index)"] = .string(url) }
    return Self(.paywallWebviewLoadFail, about: info, parameters)
  }
  /// The page has loaded.
  public static func paywallWebviewLoadComplete(_ info: PaywallDetails) -> Self {
    Self(.paywallWebviewLoadComplete, about: info)
  }
  /// The page took too long; deprecated.
  public static func paywallWebviewLoadTimeout(_ info: PaywallDetails) -> Self {
    Self(.paywallWebviewLoadTimeout, about: info)
  }
  /// The page is requested from another address.
  public static func paywallWebviewLoadFallback(_ info: PaywallDetails) -> Self {
    Self(.paywallWebviewLoadFallback, about: info)
  }
  /// The system ended the process of the page.
  public static func paywallWebviewLoadProcessTerminated(_ info: PaywallDetails) -> Self {
    Self(.paywallWebviewLoadProcessTerminated, about: info)
  }
  /// A resource of a paywall could not be loaded; Android only.
  public static func paywallResourceLoadFail(message: String) -> Self {
    Self(.paywallResourceLoadFail, ["error_message": .string(message)])
  }
  /// The shimmer is shown.
  public static func shimmerViewStart(paywallID: String) -> Self {
    Self(.shimmerViewStart, ["paywall_id": .string(paywallID)])
  }
  /// The shimmer is hidden.
  ///
  /// - Parameters:
  ///   - paywallID: The identifier of the paywall.
  ///   - visibleDuration: How long it was visible, in seconds.
  public static func shimmerViewComplete(paywallID: String, visibleDuration: Double) -> Self {
    Self(
      .shimmerViewComplete,
      ["paywall_id": .string(paywallID), "visible_duration": .double(visibleDuration)])
  }

  // MARK: The products

  /// The products are requested.
  public static func paywallProductsLoadStart(_ info: PaywallDetails, isTriggered: Bool) -> Self {
    Self(.paywallProductsLoadStart, about: info, ["is_triggered_from_event": .bool(isTriggered)])
  }
  /// The products could not be loaded.
  public static func paywallProductsLoadFail(
    _ info: PaywallDetails, isTriggered: Bool, message: String
  ) -> Self {
    Self(
      .paywallProductsLoadFail, about: info,
      ["is_triggered_from_event": .bool(isTriggered), "error_message": .string(message)])
  }
  /// The products have loaded.
  public static func paywallProductsLoadComplete(_ info: PaywallDetails, isTriggered: Bool) -> Self
  {
    Self(
      .paywallProductsLoadComplete, about: info, ["is_triggered_from_event": .bool(isTriggered)])
  }
  /// The products are requested again.
  public static func paywallProductsLoadRetry(
    _ info: PaywallDetails, isTriggered: Bool, attempt: Int
  ) -> Self {
    Self(
      .paywallProductsLoadRetry, about: info,
      ["is_triggered_from_event": .bool(isTriggered), "attempt": .int(Int64(attempt))])
  }
  /// Some products do not exist.
  public static func paywallProductsLoadMissingProducts(
    _ info: PaywallDetails, isTriggered: Bool, products: [String]
  ) -> Self {
    Self(
      .paywallProductsLoadMissingProducts, about: info,
      [
        "is_triggered_from_event": .bool(isTriggered),
        "missing_products": .string(products.joined(separator: ",")),
      ])
  }

  // MARK: Preloading

  /// Preloading of so many paywalls began.
  public static func paywallPreloadStart(count: Int) -> Self {
    Self(.paywallPreloadStart, ["paywall_count": .int(Int64(count))])
  }
  /// Preloading of so many paywalls is done.
  public static func paywallPreloadComplete(count: Int) -> Self {
    Self(.paywallPreloadComplete, ["paywall_count": .int(Int64(count))])
  }
}
