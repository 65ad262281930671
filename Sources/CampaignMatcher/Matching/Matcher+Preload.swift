public import CampaignCore

extension Matcher {
  /// Finds the paywalls to load ahead. Nothing is recorded or counted.
  ///
  /// - Parameters:
  ///   - placements: Only these triggers are considered, and nothing is prioritised; `nil` means all.
  ///   - onScreen: The paywall on screen, which needs no loading.
  /// - Throws: ``StoreError`` when the store cannot be read.
  public func preloadSet(
    placements: Set<String>? = nil, onScreen: String? = nil
  ) throws(StoreError) -> PreloadSet {
    try look { campaigns, situation throws(StoreError) in
      try campaigns?.preloadSet(in: situation, placements: placements, onScreen: onScreen)
        ?? PreloadSet()
    }
  }

  /// Tracks that preloading begins.
  ///
  /// - Throws: ``StoreError`` when the store cannot be written; nothing has happened then.
  public func notePreloadStart(count: Int) throws(StoreError) {
    try track([.preloadStart(count: count)])
  }

  /// Tracks that preloading is done.
  ///
  /// - Throws: ``StoreError`` when the store cannot be written; nothing has happened then.
  public func notePreloadComplete(count: Int) throws(StoreError) {
    try track([.preloadComplete(count: count)])
  }
}
