import CampaignMatcher
import GRDB

/// A table of running totals: for each name, the instants at which something happened, each with how
/// many there are up to and including it.
///
/// The last row of each name that was used is kept in memory, so that adding one is a single
/// statement and most questions are none. ``forget()`` must be called whenever the table may have
/// changed otherwise: after a rollback, and when another connection has committed.
final class RunningTotals {
  /// A row of a name.
  struct Entry {
    var instant: Instant
    var total: Int
  }

  private let sql: SQL.Totals
  private let database: Statements
  /// The last row per name; `nil` for a name without rows.
  private var lastEntries: [String: Entry?] = [:]

  init(_ sql: SQL.Totals, of database: Statements) {
    self.sql = sql
    self.database = database
  }

  func forget() { lastEntries.removeAll(keepingCapacity: true) }

  func add(_ operation: String, _ name: String, at instant: Instant) throws(StoreError) {
    let last = try last(operation, of: name, before: nil)
    if let last, instant < last.instant {
      // The clock was set back: the new row goes in between and the later ones count one more.
      let arguments: StatementArguments = [name, instant.milliseconds]
      try database.execute(operation, sql.insert, arguments)
      try database.execute(operation, sql.addToLater, arguments)
      lastEntries[name] = Entry(instant: last.instant, total: last.total + 1)
      return
    }
    let entry = Entry(instant: instant, total: (last?.total ?? 0) + 1)
    try database.execute(operation, sql.append, [name, instant.milliseconds, entry.total])
    lastEntries[name] = entry
  }

  /// The last row, or the last one strictly before `end`.
  func last(
    _ operation: String, of name: String, before end: Instant?
  ) throws(StoreError) -> Entry? {
    if let known = lastEntries[name] {
      guard let end, let entry = known, entry.instant >= end else { return known }
    }
    let entry = try database.translating(operation) {
      let row =
        if let end {
          try Row.fetchOne(
            database.statement(sql.lastBefore), arguments: [name, end.milliseconds])
        } else {
          try Row.fetchOne(database.statement(sql.last), arguments: [name])
        }
      return row.map { Entry(instant: Instant(milliseconds: $0[0]), total: $0[1]) }
    }
    if end == nil {
      if lastEntries.count >= 1_024 { forget() }
      lastEntries[name] = .some(entry)
    }
    return entry
  }

  /// How many there are at `start` or later.
  func count(_ operation: String, of name: String, since start: Instant?) throws(StoreError) -> Int
  {
    guard let last = try last(operation, of: name, before: nil) else { return 0 }
    guard let start else { return last.total }
    guard last.instant >= start else { return 0 }
    return last.total - (try self.last(operation, of: name, before: start)?.total ?? 0)
  }

  /// The newest instants, newest first.
  func newest(
    _ operation: String, of name: String, limit: Int
  ) throws(StoreError) -> [Instant] {
    let limit = min(limit, Int.max - 1)
    let rows = try database.translating(operation) {
      try Row.fetchAll(database.statement(sql.newest), arguments: [name, limit + 1])
    }
    var result: [Instant] = []
    for (index, row) in rows.enumerated() where result.count < limit {
      let total: Int = row[1]
      let earlier: Int = index + 1 < rows.count ? rows[index + 1][1] : 0
      let instant = Instant(milliseconds: row[0])
      result += Array(repeating: instant, count: min(total - earlier, limit - result.count))
    }
    return result
  }
}
