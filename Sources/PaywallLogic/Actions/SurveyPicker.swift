/// Which survey follows a paywall, and for whom (docs/spec/campaigns.md §8.9).
public enum SurveyPicker {
  /// A survey of a paywall.
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

      /// The answer with a text of one's own; it stands last.
      public static let other = Option(id: "000", title: "Other")
    }

    /// When a survey is due, with the word of the wire.
    public enum Condition: String, Sendable, Hashable, CaseIterable {
      /// After the paywall was declined by hand.
      case onManualClose = "ON_MANUAL_CLOSE"
      /// After a purchase.
      case onPurchase = "ON_PURCHASE"
    }

    /// The id of the survey.
    public var id: String
    /// The key under which it is remembered that the user has been asked.
    public var assignmentKey: String
    /// When the survey is due.
    public var condition: Condition
    /// How likely it is shown, 0 ... 1.
    public var probability: Double
    /// The answers.
    public var options: [Option]
    /// Whether an answer of one's own can be given.
    public var includesOther: Bool
    /// Whether the survey can be closed without an answer.
    public var includesClose: Bool

    /// Creates a survey.
    public init(
      id: String, assignmentKey: String, condition: Condition = .onManualClose,
      probability: Double = 1, options: [Option] = [], includesOther: Bool = false,
      includesClose: Bool = false
    ) {
      self.id = id
      self.assignmentKey = assignmentKey
      self.condition = condition
      self.probability = probability
      self.options = options
      self.includesOther = includesOther
      self.includesClose = includesClose
    }

    /// Whether the survey is due after a paywall that ended so.
    public func fits(_ result: PaywallResult, _ reason: CloseReason) -> Bool {
      switch (condition, result) {
      case (.onManualClose, .declined): reason == .manualClose
      case (.onPurchase, .purchased): true
      case (.onManualClose, _), (.onPurchase, _): false
      }
    }
  }

  /// The outcome of a due survey, reported by `paywall_close` as `survey_presentation`.
  public enum Presentation: String, Sendable, Hashable, CaseIterable {
    /// It was shown.
    case show
    /// The user was held out.
    case holdout
  }

  /// The consequence for surveys.
  public enum Outcome: Sendable, Hashable {
    /// None is due.
    case none
    /// The user is held out; the key is to be stored.
    case holdout(key: String)
    /// The survey is shown with its answers in this order; the key is to be stored.
    case show(Survey, options: [Survey.Option])

    /// The outcome for `paywall_close`.
    public var presentation: Presentation? {
      switch self {
      case .none: nil
      case .holdout: .holdout
      case .show: .show
      }
    }

    /// The key to store; only the last one is remembered.
    public var storedKey: String? {
      switch self {
      case .none: nil
      case .holdout(let key): key
      case .show(let survey, _): survey.assignmentKey
      }
    }
  }

  /// Picks the survey after a paywall: the first that fits. It is asked once, whether it is shown or the
  /// user is held out.
  ///
  /// - Parameters:
  ///   - surveys: The surveys of the paywall, in order.
  ///   - result: How the paywall ended.
  ///   - reason: Why it closed.
  ///   - storedKey: The key of the survey that was asked last.
  ///   - random: Draws the holdout and the order of the answers.
  public static func pick(
    from surveys: [Survey], after result: PaywallResult, _ reason: CloseReason,
    storedKey: String?, using random: inout some RandomNumberGenerator
  ) -> Outcome {
    guard let survey = surveys.first(where: { $0.fits(result, reason) }),
      survey.assignmentKey != storedKey
    else { return .none }
    guard Double.random(in: 0..<1, using: &random) < survey.probability else {
      return .holdout(key: survey.assignmentKey)
    }
    let options = survey.options.shuffled(using: &random)
    return .show(survey, options: options + (survey.includesOther ? [.other] : []))
  }
}

extension SurveyPicker.Outcome: CustomStringConvertible {
  /// The outcome in a few words.
  public var description: String {
    switch self {
    case .none: "none"
    case .holdout(let key): "holdout, store \(key)"
    case .show(let survey, let options):
      "show \(survey.id) [\(options.map(\.id).joined(separator: " "))], store \(survey.assignmentKey)"
    }
  }
}
