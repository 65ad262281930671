package import CampaignCore

extension Matcher {
  /// Returns the text that is kept under a name beside what the matcher remembers.
  ///
  /// - Throws: `StoreError` when the store cannot be read.
  package func record(named name: String) throws(StoreError) -> String? {
    try store.read { transaction throws(StoreError) in try transaction.record(named: name) }
  }

  /// Keeps a text under a name beside what the matcher remembers, in a transaction of its own.
  ///
  /// - Throws: `StoreError` when the store cannot be written; nothing has happened then.
  package func setRecord(named name: String, to text: String) throws(StoreError) {
    try store.write { transaction throws(StoreError) in
      try transaction.setRecord(named: name, to: text)
    }
  }
}
