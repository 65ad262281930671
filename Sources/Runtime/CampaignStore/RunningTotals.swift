import CampaignCore
import CampaignMatcher
import GRDB

/// A table of running totals: for each name, the instants at which something happened, each with
/// the number of events up to and including it.
///
/// The last row of each name in use is kept in memory. Adding a row is therefore a single
/// statement, and most reads need no statement at all. Call ``forget()`` whenever the table may
/// have changed by other means: after a rollback, and after a commit by another connection.
final class RunningTotals {
  /// A row of a name.
  struct Entry {
    var instant: WallTime
    /// At least 1, and far below the greatest integer, so that increments and differences of two
    /// totals cannot overflow.
    var total: Int

    init(instant: WallTime, total: Int) {
      self.instant = instant
      self.total = total
    }

    /// Reads a row. Any program may have written it: SQLite stores any kind of value in any column.
    init(_ row: Row) throws {
      instant = WallTime(milliseconds: try row.decode(atIndex: 0))
      total = try row.decode(atIndex: 1)
      guard total > 0, total <= Int.max / 2 else { throw DamagedTotal() }
    }
  }

  /// Thrown when the totals of a name are not numbers that grow from row to row, as they do in
  /// every table written by this module.
  struct DamagedTotal: Error, CustomStringConvertible {
    var description: String { "a running total in the file is damaged" }
  }

  private let sql: SQL.Totals
  private let database: Statements
  /// The last row per name; `nil` for a name without rows.
  private var lastEntries: [ExactName: Entry?] = [:]

  init(_ sql: SQL.Totals, of database: Statements) {
    self.sql = sql
    self.database = database
  }

  func forget() { lastEntries.removeAll(keepingCapacity: true) }

  func add(_ operation: String, _ name: String, at instant: WallTime) throws(StoreError) {
    let last = try last(operation, of: name, before: nil)
    if let last, instant < last.instant {
      // The clock was set back, so the new row goes in between and the totals of the later rows
      // grow by one.
      let arguments: StatementArguments = [name, instant.milliseconds]
      try database.execute(operation, sql.insert, arguments)
      try database.execute(operation, sql.addToLater, arguments)
      lastEntries[ExactName(name)] = Entry(instant: last.instant, total: last.total + 1)
      return
    }
    let entry = Entry(instant: instant, total: (last?.total ?? 0) + 1)
    try database.execute(operation, sql.append, [name, instant.milliseconds, entry.total])
    lastEntries[ExactName(name)] = entry
  }

  /// Returns the last row, or the last one strictly before `end`.
  func last(
    _ operation: String, of name: String, before end: WallTime?
  ) throws(StoreError) -> Entry? {
    if let known = lastEntries[ExactName(name)] {
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
      return try row.map(Entry.init)
    }
    if end == nil {
      if lastEntries.count >= 1_024 { forget() }
      lastEntries[ExactName(name)] = .some(entry)
    }
    return entry
  }

  /// Returns the number of events at `start` or later.
  func count(_ operation: String, of name: String, since start: WallTime?) throws(StoreError) -> Int
  {
    guard let last = try last(operation, of: name, before: nil) else { return 0 }
    guard let start else { return last.total }
    guard last.instant >= start else { return 0 }
    let count = last.total - (try self.last(operation, of: name, before: start)?.total ?? 0)
    return try database.translating(operation) {
      guard count > 0 else { throw DamagedTotal() }
      return count
    }
  }

  /// Returns the newest instants, newest first.
  func newest(
    _ operation: String, of name: String, limit: Int
  ) throws(StoreError) -> [WallTime] {
    let limit = min(limit, Int.max - 1)
    return try database.translating(operation) {
      let entries = try Row.fetchAll(
        database.statement(sql.newest), arguments: [name, limit + 1]
      ).map(Entry.init)
      var result: [WallTime] = []
      for (index, entry) in entries.enumerated() where result.count < limit {
        let earlier = index + 1 < entries.count ? entries[index + 1].total : 0
        guard entry.total > earlier else { throw DamagedTotal() }
        result += Array(
          repeating: entry.instant, count: min(entry.total - earlier, limit - result.count))
      }
      return result
    }
  }
}
