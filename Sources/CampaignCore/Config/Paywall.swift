/// The members of a paywall that matter without a screen (§1.5).
public struct Paywall: Sendable, Hashable {
  /// Whether the feature behind a placement needs a purchase.
  public enum FeatureGating: String, Sendable, Hashable {
    /// The feature runs only after a purchase.
    case gated = "GATED"
    /// The feature runs in any case.
    case nonGated = "NON_GATED"
  }

  /// Whether introductory offers are shown.
  public enum OfferEligibility: String, Sendable, Hashable {
    /// Always.
    case alwaysEligible = "ALWAYS_ELIGIBLE"
    /// Never.
    case alwaysIneligible = "ALWAYS_INELIGIBLE"
    /// As the store decides.
    case automatic = "AUTOMATIC"
  }

  /// The database id, reported as `paywall_id`.
  public var id: String
  /// What variants refer to.
  public var identifier: String
  /// The name on the dashboard.
  public var name: String?
  /// Changes whenever the paywall changes.
  public var cacheKey: String?
  /// Gated or not; not when absent or unknown.
  public var featureGating = FeatureGating.nonGated
  /// The products, by position.
  public var products: [ConfigProduct] = []
  /// Variables of the paywall, not of audiences.
  public var computedProperties: [ComputedProperty] = []
  /// The surveys that decoded.
  public var surveys: [Survey] = []
  /// Whether introductory offers are shown.
  public var offerEligibility = OfferEligibility.automatic

  /// Creates a paywall.
  public init(id: String, identifier: String) {
    self.id = id
    self.identifier = identifier
  }
}

/// A survey that follows a paywall.
public struct Survey: Sendable, Hashable {
  /// An answer to choose.
  public struct Option: Sendable, Hashable {
    /// The id of the answer.
    public var id: String
    /// Its text.
    public var title: String

    /// Creates an answer.
    public init(id: String, title: String) {
      self.id = id
      self.title = title
    }
  }

  /// When a survey is shown.
  public enum Condition: String, Sendable, Hashable {
    /// After the paywall was closed by hand.
    case onManualClose = "ON_MANUAL_CLOSE"
    /// After a purchase.
    case onPurchase = "ON_PURCHASE"
  }

  /// The id of the survey.
  public var id: String
  /// The key under which it is remembered.
  public var assignmentKey: String
  /// The title.
  public var title: String
  /// The question.
  public var message: String
  /// The answers.
  public var options: [Option]
  /// When it is shown.
  public var condition: Condition
  /// How likely it is shown, 0 ... 1.
  public var probability: Double
  /// Whether an answer of one's own can be given.
  public var includesOtherOption: Bool
  /// Whether it can be closed without an answer.
  public var includesCloseOption: Bool
}
