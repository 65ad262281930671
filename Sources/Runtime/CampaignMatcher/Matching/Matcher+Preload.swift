public import CampaignCore

extension Matcher {
  /// The paywalls to load ahead.
  public struct Paywalls: Sendable {
    let matcher: Matcher
  }

  /// The paywalls to load ahead.
  public var paywalls: Paywalls { Paywalls(matcher: self) }
}

extension Matcher.Paywalls {
  /// Finds the paywalls to load ahead. Nothing is recorded or counted.
  ///
  /// - Parameters:
  ///   - placements: Only these triggers are considered, and nothing is prioritised; `nil` means all.
  ///   - onScreen: The paywall on screen, which needs no loading.
  /// - Throws: `StoreError` when the store cannot be read.
  public func toPreload(
    placements: Set<String>? = nil, onScreen: String? = nil
  ) throws(StoreError) -> PreloadSet {
    try matcher.look { campaigns, situation throws(StoreError) in
      try campaigns?.preloadSet(in: situation, placements: placements, onScreen: onScreen)
        ?? PreloadSet()
    }
  }

  /// Tracks that preloading begins.
  ///
  /// - Throws: `StoreError` when the store cannot be written; nothing has happened then.
  public func didStartPreloading(count: Int) throws(StoreError) {
    try matcher.track([.preloadStart(count: count)])
  }

  /// Tracks that preloading is done.
  ///
  /// - Throws: `StoreError` when the store cannot be written; nothing has happened then.
  public func didPreload(count: Int) throws(StoreError) {
    try matcher.track([.preloadComplete(count: count)])
  }
}
