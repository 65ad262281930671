public import CampaignCore
public import ExpressionEngine

/// The data that all events of one transaction share.
public struct TransactionDetails: Sendable, Equatable {
  /// The product.
  @_Boxed public var product: PaywallProduct
  /// The paywall, or ``PaywallDetails/none``.
  @_Boxed public var info: PaywallDetails
  /// The transaction, once there is one.
  @_Boxed public var transaction: PaywallTransaction?
  /// `SUPERWALL` for a purchase on a paywall, `APP` for one of the app.
  public var source: String
  /// The App Store's interface in use; `nil` outside of the App Store.
  public var storeKitVersion: PurchaseFlow.StoreKitVersion?
  /// Whether the app made the purchase itself. Such an event never presents a paywall.
  public var isObserved: Bool
  /// The `store` that events report.
  public var store: PaymentStore
  /// Whether the parameters tell the product. The reference leaves it out of purchases that wait and of
  /// payment sheets that are late.
  public var tellsProduct = true

  /// Creates details.
  public init(
    product: PaywallProduct, info: PaywallDetails, transaction: PaywallTransaction? = nil,
    source: String, storeKitVersion: PurchaseFlow.StoreKitVersion? = nil,
    isObserved: Bool = false, store: PaymentStore = .appStore
  ) {
    self.product = product
    self.store = store
    self.info = info
    self.transaction = transaction
    self.source = source
    self.storeKitVersion = storeKitVersion
    self.isObserved = isObserved
  }
}

/// A page of a paywall that was viewed.
public struct PaywallPageView: Sendable, Equatable {
  /// The page.
  public var pageNodeID: String
  /// Its place in the flow, from 0.
  public var flowPosition: Int
  /// Its name.
  public var pageName: String
  /// The element that led to it.
  public var navigationNodeID: String
  /// How the user came to it, such as `forward`.
  public var navigationType: String
  /// The page before.
  public var previousPageNodeID: String?
  /// The place of the page before.
  public var previousFlowPosition: Int?
  /// How long the page before was viewed, in milliseconds.
  public var timeOnPreviousPage: Int?

  /// Creates a page view.
  public init(
    pageNodeID: String, flowPosition: Int, pageName: String, navigationNodeID: String,
    navigationType: String, previousPageNodeID: String? = nil,
    previousFlowPosition: Int? = nil, timeOnPreviousPage: Int? = nil
  ) {
    self.pageNodeID = pageNodeID
    self.flowPosition = flowPosition
    self.pageName = pageName
    self.navigationNodeID = navigationNodeID
    self.navigationType = navigationType
    self.previousPageNodeID = previousPageNodeID
    self.previousFlowPosition = previousFlowPosition
    self.timeOnPreviousPage = timeOnPreviousPage
  }

  var parameters: [String: Value] {
    var result: [String: Value] = [
      "page_node_id": .string(pageNodeID), "flow_position": .int(Int64(flowPosition)),
      "page_name": .string(pageName), "navigation_node_id": .string(navigationNodeID),
      "navigation_type": .string(navigationType),
    ]
    result["previous_page_node_id"] = previousPageNodeID.map(Value.string)
    result["previous_flow_position"] = previousFlowPosition.map { .int(Int64($0)) }
    result["time_on_previous_page_ms"] = timeOnPreviousPage.map { .int(Int64($0)) }
    return result
  }
}

/// The answer to a survey.
public struct SurveyAnswer: Sendable, Equatable {
  /// The survey.
  public var survey: Survey
  /// The answer that was chosen.
  public var option: Survey.Option
  /// The text of the user, for `Survey.Option.other`.
  public var text: String?

  /// Creates an answer.
  public init(
    survey: Survey, option: Survey.Option, text: String? = nil
  ) {
    self.survey = survey
    self.option = option
    self.text = text
  }
}

/// Where an install came from.
public struct AttributionMatch: Sendable, Equatable {
  /// A source of attributions, with the word of the wire.
  public enum Provider: String, Sendable, Hashable, CaseIterable {
    /// A mobile measurement partner.
    case mmp
    /// Apple Search Ads.
    case appleSearchAds = "apple_search_ads"
  }

  /// How sure the match is, with the word of the wire.
  public enum Confidence: String, Sendable, Hashable, CaseIterable {
    /// Very.
    case high
    /// Rather.
    case medium
    /// Hardly.
    case low
  }

  /// The source of the attribution.
  public var provider: Provider
  /// Whether there is a match.
  public var isMatched: Bool
  /// Where the user came from.
  public var source: String?
  /// How sure the match is.
  public var confidence: Confidence?
  /// The score of the match.
  public var score: Double?
  /// Why there is no match.
  public var reason: String?

  /// Creates a match.
  public init(
    provider: Provider, isMatched: Bool, source: String? = nil, confidence: Confidence? = nil,
    score: Double? = nil, reason: String? = nil
  ) {
    self.provider = provider
    self.isMatched = isMatched
    self.source = source
    self.confidence = confidence
    self.score = score
    self.reason = reason
  }

  var parameters: [String: Value] {
    var result: [String: Value] = [
      "provider": .string(provider.rawValue), "matched": .bool(isMatched),
    ]
    result["source"] = source.map(Value.string)
    result["confidence"] = confidence.map { .string($0.rawValue) }
    result["match_score"] = score.map(Value.double)
    result["reason"] = reason.map(Value.string)
    return result
  }
}

/// The surroundings of an event.
public struct EventContext: Sendable, Equatable {
  /// The session of the app.
  public var sessionID: String
  /// The attributes of the user.
  public var userAttributes: [String: Value] = [:]
  /// How likely the user is to buy, 0 ... 100.
  public var demandScore: Int64?
  /// The same in words.
  public var demandTier: String?
  /// The country of the App Store account.
  public var storefrontCountryCode = ""
  /// The id of the storefront.
  public var storefrontID = ""

  /// Creates a context.
  public init(sessionID: String = "") {
    self.sessionID = sessionID
  }

  var demandParameters: [String: Value] {
    var result: [String: Value] = ["user_attributes": Value(object: userAttributes)]
    result["attr_demandScore"] = demandScore.map(Value.int)
    result["attr_demandTier"] = demandTier.map(Value.string)
    return result
  }
}
