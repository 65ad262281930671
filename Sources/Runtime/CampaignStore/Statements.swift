import CampaignCore
import CampaignMatcher
import GRDB

/// The prepared statements of a connection. Errors of SQLite are thrown as errors of the store.
final class Statements {
  private unowned let database: Database
  private var prepared: [String: Statement] = [:]
  /// Whether the current transaction may write.
  var isWriting = false

  /// Prepares what every transaction needs. To undo one must be possible when there is no memory left.
  init(_ database: Database) throws {
    self.database = database
    for sql in [SQL.beginRead, SQL.beginWrite, SQL.commit, SQL.rollBack] { _ = try statement(sql) }
  }

  /// Releases the statements, which must not outlive their connection.
  func release() { prepared = [:] }

  func statement(_ sql: String) throws -> Statement {
    if let known = prepared[sql] { return known }
    let statement = try database.cachedStatement(sql: sql)
    prepared[sql] = statement
    return statement
  }

  func translating<Result>(
    _ operation: String, _ body: () throws -> Result
  ) throws(StoreError) -> Result {
    do { return try body() } catch { throw StoreError(operation: operation, error) }
  }

  /// Runs a statement that has no arguments and may run in any transaction.
  func run(_ operation: String, _ sql: String) throws(StoreError) {
    try translating(operation) { try execute(statement(sql)) }
  }

  /// Runs a statement that writes.
  func execute(
    _ operation: String, _ sql: String, _ arguments: StatementArguments = []
  ) throws(StoreError) {
    guard isWriting else {
      throw StoreError(operation: operation, reason: "the transaction is read-only")
    }
    try translating(operation) {
      let statement = try statement(sql)
      statement.setUncheckedArguments(arguments)
      try execute(statement)
    }
  }

  /// Executes a statement, and resets it if it fails. SQLite would return the error once more when
  /// the statement is used again, and GRDB ends the process when that happens to one with arguments.
  private func execute(_ statement: Statement) throws {
    do { try statement.execute() } catch {
      // This resets it, although it throws that error.
      try? statement.setArguments(statement.arguments)
      throw error
    }
  }

  func int(
    _ operation: String, _ sql: String, _ arguments: StatementArguments = []
  ) throws(StoreError) -> Int64? {
    try translating(operation) {
      try Int64.fetchOne(statement(sql), arguments: arguments)
    }
  }

  func rollBack() {
    if database.isInsideTransaction { try? execute(statement(SQL.rollBack)) }
  }
}
