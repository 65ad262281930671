import CampaignCore
import CampaignMatcher
import ExpressionCoding
import ExpressionEngine
import GRDB

/// The transactions of a connection, one at a time.
final class SQLiteTransaction {
  let database: Statements
  private let events: RunningTotals
  private let occurrences: RunningTotals
  /// The number of changes by this connection to identity, installation and attributes. Changes by
  /// other connections show in SQLite's data version.
  private var changes: UInt64 = 0
  private var dataVersion: Int64 = 0
  /// The assignments that were read; `nil` for a key without an assignment.
  private var knownAssignments: [ExactName: VariantAssignment?] = [:]

  init(_ database: Database) throws {
    self.database = try Statements(database)
    events = RunningTotals(SQL.events, of: self.database)
    occurrences = RunningTotals(SQL.occurrences, of: self.database)
  }

  func releaseStatements() { database.release() }

  // MARK: Life

  func begin(writing: Bool) throws(StoreError) {
    database.isWriting = writing
    // A full disk can leave a transaction open that could not even be undone.
    database.rollBack()
    try database.run("begin transaction", writing ? SQL.beginWrite : SQL.beginRead)
    let version = try database.int("read data version", SQL.dataVersion) ?? 0
    if version != dataVersion {
      dataVersion = version
      forget()
    }
  }

  func commit() throws(StoreError) {
    try database.run("commit transaction", SQL.commit)
    database.isWriting = false
  }

  /// Undoes the transaction. SQLite may have done so already, after a full disk for example.
  func rollBack() {
    database.isWriting = false
    changes &+= 1
    forget()
    database.rollBack()
  }

  /// Discards the parts of the file that are kept in memory.
  func forget() {
    events.forget()
    occurrences.forget()
    knownAssignments.removeAll(keepingCapacity: true)
  }

  func noteChange() { changes &+= 1 }
}

extension SQLiteTransaction: MatcherTransaction {
  func revision() throws(StoreError) -> UInt64 {
    changes << 32 ^ UInt64(truncatingIfNeeded: dataVersion)
  }

  // MARK: Occurrences

  func occurrenceCount(key: String, since start: WallTime?, limit: Int) throws(StoreError) -> Int {
    min(try occurrences.count("count occurrences", of: key, since: start), limit)
  }

  func newestOccurrences(key: String, limit: Int) throws(StoreError) -> [WallTime] {
    try occurrences.newest("read occurrences", of: key, limit: limit)
  }

  func addOccurrence(key: String, at instant: WallTime) throws(StoreError) {
    try occurrences.add("add occurrence", key, at: instant)
  }

  func removeOccurrences() throws(StoreError) {
    try database.execute("remove occurrences", SQL.occurrences.remove)
    occurrences.forget()
  }

  // MARK: Assignments

  func assignment(of experimentID: String) throws(StoreError) -> VariantAssignment? {
    if let known = knownAssignments[ExactName(experimentID)] { return known }
    let assignment = try database.translating("read assignment") {
      try Row.fetchOne(database.statement(SQL.assignment), arguments: [experimentID]).map(
        VariantAssignment.init)
    }
    if knownAssignments.count >= 1_024 { knownAssignments.removeAll(keepingCapacity: true) }
    knownAssignments[ExactName(experimentID)] = .some(assignment)
    return assignment
  }

  func assignments() throws(StoreError) -> [VariantAssignment] {
    try database.translating("read assignments") {
      try Row.fetchAll(database.statement(SQL.assignments)).map(VariantAssignment.init)
    }
  }

  func save(_ assignment: VariantAssignment) throws(StoreError) {
    let variant = assignment.variant
    knownAssignments[ExactName(assignment.experimentID)] = nil
    try database.execute(
      "save assignment", SQL.saveAssignment,
      [
        assignment.experimentID, variant.id, variant.kind.rawValue, variant.paywallIdentifier,
        assignment.isSent,
      ])
  }

  func removeAssignment(of experimentID: String) throws(StoreError) {
    knownAssignments[ExactName(experimentID)] = nil
    try database.execute("remove assignment", SQL.removeAssignment, [experimentID])
  }

  func removeAssignments() throws(StoreError) {
    knownAssignments.removeAll(keepingCapacity: true)
    try database.execute("remove assignments", SQL.removeAssignments)
  }

  // MARK: History

  func record(_ name: String, at instant: WallTime) throws(StoreError) {
    try events.add("record event", name, at: instant)
  }

  func lastOccurrence(of name: String, before end: WallTime?) throws(StoreError) -> WallTime? {
    try events.last("read last event", of: name, before: end)?.instant
  }

  func count(of name: String, since start: WallTime?) throws(StoreError) -> Int {
    try events.count("count events", of: name, since: start)
  }

  func compact(before instant: WallTime) throws(StoreError) {
    try database.execute("compact history", SQL.foldEvents, [instant.milliseconds])
  }

  func removeEvents(keeping names: Set<String>) throws(StoreError) {
    let marks = names.map { _ in "?" }.joined(separator: ", ")
    let arguments = StatementArguments(names.sorted())
    try database.execute(
      "remove events", "DELETE FROM event WHERE name NOT IN (\(marks))", arguments)
    events.forget()
  }

  // MARK: Identity

  func identity() throws(StoreError) -> UserIdentity? {
    try database.translating("read identity") {
      try Row.fetchOne(database.statement(SQL.identity)).map { row throws in
        UserIdentity(
          aliasID: try row.decode(atIndex: 0), userID: try row.decode(atIndex: 1),
          seed: try row.decode(atIndex: 2))
      }
    }
  }

  func save(_ identity: UserIdentity) throws(StoreError) {
    try database.execute(
      "save identity", SQL.saveIdentity,
      [
        identity.aliasID, identity.userID, identity.seed,
      ])
    noteChange()
  }

  func installation() throws(StoreError) -> Installation {
    try database.translating("read installation") {
      guard let row = try Row.fetchOne(database.statement(SQL.installation)) else {
        return Installation()
      }
      let installedAt: Int64? = try row.decode(atIndex: 0)
      var installation = Installation(installedAt: installedAt.map(WallTime.init(milliseconds:)))
      installation.hasResignedActive = try row.decode(atIndex: 1)
      if let text: String = try row.decode(atIndex: 2) {
        guard let attributes = try Value(json: text).objectValue else {
          throw DatabaseError(message: "the subscription status is no JSON object")
        }
        installation.subscription = attributes
      }
      return installation
    }
  }

  func save(_ installation: Installation) throws(StoreError) {
    let subscription = installation.subscription
    try database.execute(
      "save installation", SQL.saveInstallation,
      [
        installation.installedAt?.milliseconds, installation.hasResignedActive,
        subscription.isEmpty ? nil : Value(object: subscription).jsonText(),
      ])
    noteChange()
  }

  // MARK: Attributes

  func userAttributes() throws(StoreError) -> [String: Value] {
    try database.translating("read user attributes") {
      var result: [String: Value] = [:]
      let rows = try Row.fetchCursor(database.statement(SQL.attributes))
      while let row = try rows.next() {
        let text: String = try row.decode(atIndex: 1)
        result[try row.decode(atIndex: 0)] = try Value(json: text)
      }
      return result
    }
  }

  func setUserAttribute(_ name: String, to value: Value?) throws(StoreError) {
    if let value {
      try database.execute("set user attribute", SQL.saveAttribute, [name, value.jsonText()])
    } else {
      try database.execute("set user attribute", SQL.removeAttribute, [name])
    }
    noteChange()
  }

  func removeUserAttributes() throws(StoreError) {
    try database.execute("remove user attributes", SQL.removeAttributes)
    noteChange()
  }
}

extension SQLiteTransaction {
  // MARK: Records

  func record(named name: String) throws(StoreError) -> String? {
    try database.translating("read record") {
      try String.fetchOne(database.statement(SQL.record), arguments: [name])
    }
  }

  func setRecord(named name: String, to text: String?) throws(StoreError) {
    if let text {
      try database.execute("save record", SQL.saveRecord, [name, text])
    } else {
      try database.execute("remove record", SQL.removeRecord, [name])
    }
  }
}

extension VariantAssignment {
  fileprivate init(_ row: Row) throws {
    guard let kind = Variant.Kind(rawValue: try row.decode(atIndex: 2)) else {
      throw DamagedValue(what: "the kind of a variant")
    }
    self.init(
      experimentID: try row.decode(atIndex: 0),
      variant: Variant(
        id: try row.decode(atIndex: 1), kind: kind, percentage: 0,
        paywallIdentifier: try row.decode(atIndex: 3)),
      isSent: try row.decode(atIndex: 4))
  }
}
