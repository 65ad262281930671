public import CampaignCore

/// A policy for paywalls that cannot load because the network fails.
///
/// The documents and the SDK disagree. The text of version 3 favours subscribers. The SDK reports an
/// error in every case, so that nobody gets a paid feature by going offline.
public enum NetworkPolicy: String, Sendable, Hashable, CaseIterable {
  /// An error in every case; the default.
  case reference
  /// For subscribers the feature of a non-gated paywall runs, and a gated one reports an error; for
  /// everyone else loading is tried again.
  case documented

  /// A consequence of the policy.
  public enum Decision: Sendable, Equatable {
    /// The feature runs.
    case runFeature
    /// The handler gets the error.
    case reportError
    /// Loading is tried again.
    case retry
  }

  /// Returns the consequence for a user and a paywall.
  ///
  /// - Parameters:
  ///   - isSubscribed: Whether the user has an active entitlement.
  ///   - gating: The gating of the paywall; `nil` if it is not known yet, which counts as gated.
  public func decision(isSubscribed: Bool, gating: FeatureGating?) -> Decision {
    switch (self, isSubscribed, gating) {
    case (.reference, _, _): .reportError
    case (.documented, true, .nonGated): .runFeature
    case (.documented, true, _): .reportError
    case (.documented, false, _): .retry
    }
  }
}
