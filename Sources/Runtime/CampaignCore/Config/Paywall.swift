/// The members of a paywall that matter without a screen (§1.5).
public struct Paywall: Sendable, Equatable {
  /// The database id, reported as `paywall_id`.
  public var id: String
  /// The identifier by which variants refer to it.
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

  /// The notifications that a free trial schedules.
  public var trialNotifications: [TrialNotification] = []

  /// Creates a paywall.
  public init(id: String, identifier: String) {
    self.id = id
    self.identifier = identifier
  }
}

/// Whether a paywall shows introductory offers, as the editor sets it, with the word of the wire.
public enum OfferEligibility: String, Sendable, Hashable, CaseIterable {
  /// As the store decides.
  case automatic = "AUTOMATIC"
  /// Always.
  case alwaysEligible = "ALWAYS_ELIGIBLE"
  /// Never.
  case alwaysIneligible = "ALWAYS_INELIGIBLE"
}

/// A notification of the device, some time after a free trial has begun.
public struct TrialNotification: Sendable, Equatable {
  /// The title.
  public var title: String
  /// The line below the title.
  public var subtitle: String?
  /// The text.
  public var body: String
  /// When it comes, in milliseconds after the beginning of the trial.
  public var delay: Int64
}

/// A survey that follows a paywall.
public struct Survey: Sendable, Equatable {
  /// An answer to choose.
  public struct Option: Sendable, Equatable {
    /// The id of the answer.
    public var id: String
    /// Its text.
    public var title: String

    /// Creates an answer.
    public init(id: String, title: String) {
      self.id = id
      self.title = title
    }

    /// The answer with a text of one's own; it stands last.
    public static let other = Option(id: "000", title: "Other")
  }

  /// When a survey is shown.
  public enum Condition: String, Sendable, Hashable, CaseIterable {
    /// After the paywall was closed by hand.
    case onManualClose = "ON_MANUAL_CLOSE"
    /// After a purchase.
    case onPurchase = "ON_PURCHASE"
  }

  /// The id of the survey.
  public var id: String
  /// The key under which it is remembered that the user has been asked.
  public var assignmentKey: String
  /// The title.
  public var title = ""
  /// The question.
  public var message = ""
  /// The answers.
  public var options: [Option] = []
  /// When it is shown.
  public var condition: Condition
  /// How likely it is shown, 0 ... 1.
  public var probability = 1.0
  /// Whether an answer of one's own can be given.
  public var includesOtherOption = false
  /// Whether it can be closed without an answer.
  public var includesCloseOption = false

  /// Creates a survey without answers, which is always shown.
  public init(id: String, assignmentKey: String, condition: Condition = .onManualClose) {
    self.id = id
    self.assignmentKey = assignmentKey
    self.condition = condition
  }
}
