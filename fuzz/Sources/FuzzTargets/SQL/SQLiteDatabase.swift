import CSQLite

/// SQLite in this process, with a database in memory.
final class SQLiteDatabase {
  /// What SQLite says of a statement that it cannot run.
  struct Failure: Error {
    let text: String
  }

  private var connection: OpaquePointer?

  init() {
    require(sqlite3_open(":memory:", &connection) == SQLITE_OK, "SQLite cannot be opened")
  }

  deinit { sqlite3_close(connection) }

  /// Runs a statement that returns no rows.
  func execute(_ statement: String) throws(Failure) { _ = try rows(statement) }

  /// Runs a query whose first column is the number of the row.
  ///
  /// - Returns: The other columns of each row, in the order of the numbers: `1` for true, `0` for
  ///   false and `n` for NULL.
  func rows(_ query: String) throws(Failure) -> [[Character]] {
    var statement: OpaquePointer?
    guard sqlite3_prepare_v2(connection, query, -1, &statement, nil) == SQLITE_OK else {
      throw failure
    }
    defer { sqlite3_finalize(statement) }
    var rows: [(number: Int64, cells: [Character])] = []
    while true {
      switch sqlite3_step(statement) {
      case SQLITE_ROW:
        let cells = (1..<max(1, sqlite3_column_count(statement))).map { column -> Character in
          if sqlite3_column_type(statement, column) == SQLITE_NULL { return "n" }
          return sqlite3_column_int64(statement, column) == 0 ? "0" : "1"
        }
        rows.append((sqlite3_column_int64(statement, 0), cells))
      case SQLITE_DONE: return rows.sorted { $0.number < $1.number }.map(\.cells)
      default: throw failure
      }
    }
  }

  private var failure: Failure { Failure(text: String(cString: sqlite3_errmsg(connection))) }
}
