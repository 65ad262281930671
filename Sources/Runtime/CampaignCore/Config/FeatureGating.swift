/// Whether the feature that a placement guards needs a purchase.
public enum FeatureGating: String, Sendable, Hashable, CaseIterable {
  /// The feature runs only after a purchase.
  case gated = "GATED"
  /// The feature runs in any case.
  case nonGated = "NON_GATED"

  /// How a paywall went away (docs/spec/campaigns.md §8.4, §8.5).
  public enum Dismissal: Sendable, Hashable, CaseIterable {
    /// Something was bought.
    case purchased
    /// A purchase was restored.
    case restored
    /// The user closed it, or a link or the app did.
    case declined
    /// Another paywall takes its place.
    case forNextPaywall
    /// Its content did not load.
    case contentFailed
  }

  /// The consequence for the feature.
  public enum Feature: Sendable, Hashable, CaseIterable {
    /// It runs.
    case run
    /// It does not run.
    case doNotRun
    /// It does not run, and the app gets error 106.
    case fail
  }

  /// The consequence of a dismissal for the feature: the gating table.
  public func feature(after dismissal: Dismissal) -> Feature {
    switch (dismissal, self) {
    case (.purchased, _), (.restored, _): .run
    case (.declined, .nonGated), (.contentFailed, .nonGated): .run
    case (.declined, .gated), (.forNextPaywall, _): .doNotRun
    case (.contentFailed, .gated): .fail
    }
  }
}
