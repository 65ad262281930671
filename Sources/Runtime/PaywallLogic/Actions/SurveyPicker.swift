public import CampaignCore

/// Which survey follows a paywall, and for whom (docs/spec/campaigns.md §8.9).
public enum SurveyPicker {
  /// The outcome of a due survey, reported by `paywall_close` as `survey_presentation`.
  public enum Presentation: String, Sendable, Hashable, CaseIterable {
    /// It was shown.
    case show
    /// The user was held out.
    case holdout
  }

  /// The consequence for surveys.
  public enum Outcome: Sendable, Equatable {
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
  ///   - isDebugging: Whether the debugger shows the paywall. It always asks, and remembers nothing.
  ///   - random: Draws the holdout and the order of the answers.
  public static func pick(
    from surveys: [Survey], after result: PaywallOutcome, _ reason: CloseReason,
    storedKey: String?, isDebugging: Bool = false, using random: inout some RandomNumberGenerator
  ) -> Outcome {
    guard let survey = surveys.first(where: { $0.fits(result, reason) }),
      isDebugging || survey.assignmentKey != storedKey
    else { return .none }
    guard isDebugging || Double.random(in: 0..<1, using: &random) < survey.probability else {
      return .holdout(key: survey.assignmentKey)
    }
    let options = survey.options.shuffled(using: &random)
    return .show(survey, options: options + (survey.includesOtherOption ? [.other] : []))
  }
}

extension Survey {
  /// Whether the survey is due after a paywall that ended so.
  public func fits(_ result: PaywallOutcome, _ reason: CloseReason) -> Bool {
    switch (condition, result) {
    case (.onManualClose, .declined): reason == .manualClose
    case (.onPurchase, .purchased): true
    case (.onManualClose, _), (.onPurchase, _): false
    }
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
