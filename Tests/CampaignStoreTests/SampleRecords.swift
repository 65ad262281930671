import CampaignCore
import CampaignMatcher
import CampaignStore
import ExpressionEngine

/// The fuzz target of stores links to this file, too.
extension SQLiteStore {
  /// Adds records of each kind.
  func addSampleRecords() throws(StoreError) {
    try write { transaction throws(StoreError) in
      for at: Int64 in [1, 2, 2, 3] {
        try transaction.addOccurrence(key: "k", at: WallTime(milliseconds: at))
        try transaction.record("opened", at: WallTime(milliseconds: at))
      }
      try transaction.save(UserIdentity(aliasID: "a", userID: "u", seed: 7))
      try transaction.save(Installation(installedAt: WallTime(milliseconds: 1)))
      let variant = Variant(
        id: "v", kind: .treatment, percentage: 100, paywallIdentifier: "paywall")
      try transaction.save(VariantAssignment(experimentID: "e", variant: variant, isSent: true))
      try transaction.setUserAttribute("plan", to: "trial")
    }
  }

  /// Reads records of each kind in every way that a store offers.
  func readEverything() throws(StoreError) {
    try read { transaction throws(StoreError) in
      _ = try transaction.identity()
      _ = try transaction.installation()
      _ = try transaction.assignments()
      _ = try transaction.assignment(of: "e")
      _ = try transaction.userAttributes()
      let start = WallTime(milliseconds: 2)
      _ = try transaction.count(of: "opened", since: nil)
      _ = try transaction.count(of: "opened", since: start)
      _ = try transaction.lastOccurrence(of: "opened", before: start)
      _ = try transaction.occurrenceCount(key: "k", since: start, limit: 100)
      _ = try transaction.newestOccurrences(key: "k", limit: 100)
    }
  }
}
