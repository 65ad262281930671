public import CampaignCore
public import CampaignMatcher
import GRDB

/// A store in an SQLite file: what the matcher remembers survives the process.
///
/// There is one connection, and it is the only writer of this process. The file is in write-ahead
/// mode: a transaction that ``write(_:)`` has returned from survives the death of the process at any
/// instant. Other processes may open the same file; each sees what the others committed.
public final class SQLiteStore: MatcherStore {
  /// What a committed transaction survives.
  public enum Durability: Sendable, Hashable {
    /// The death of the process, but the last transactions may be lost when the power fails
    /// (`synchronous = NORMAL`). The file is never damaged.
    case process
    /// A power failure, at the price of one disk synchronisation per transaction
    /// (`synchronous = FULL`).
    case power
  }

  private let queue: DatabaseQueue
  private let transaction: SQLiteTransactionBox
  /// The file; `nil` for a copy in memory.
  private let file: StoreFile?

  /// Opens a store, or creates it, and brings its tables up to date.
  /// - Parameters:
  ///   - path: the file; its folder must exist. SQLite keeps two more files beside it.
  ///   - durability: what a committed transaction survives.
  ///   - busyTimeout: How long to wait for another process that writes.
  /// - Throws: `StoreError` when the file cannot be opened, is no such store, is damaged, or was written
  ///   by a newer version of this module. An empty file becomes a new store. See ``moveAside(_:)``.
  public init(
    path: String, durability: Durability = .process, busyTimeout: Duration = .seconds(5)
  ) throws(StoreError) {
    let operation = "open store at \(path)"
    if let reason = StoreFile.damage(of: path) {
      throw StoreError(operation: operation, reason: reason)
    }
    var configuration = Configuration()
    configuration.label = "CampaignStore"
    configuration.journalMode = .wal
    configuration.busyMode = .timeout(busyTimeout / .seconds(1))
    configuration.prepareDatabase { try $0.execute(sql: Schema.tuning) }
    do {
      queue = try DatabaseQueue(path: path, configuration: configuration)
      if try queue.read(Schema.migrator.hasBeenSuperseded) { throw NewerStore() }
      try Schema.migrator.migrate(queue)
      if durability == .power {
        try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = FULL") }
      }
      transaction = queue.inDatabase { SQLiteTransactionBox(SQLiteTransaction($0)) }
    } catch {
      throw StoreError(operation: operation, reason: Self.reason(error))
    }
    file = StoreFile(path)
  }

  /// Copies the contents of a store's file into memory: what happens to the copy does not reach the
  /// file. For looking what would happen.
  ///
  /// - Parameter path: the file; if there is none, the copy is empty.
  /// - Throws: `StoreError` when the file cannot be read or is no such store.
  public init(copyOf path: String) throws(StoreError) {
    do {
      queue = try DatabaseQueue()
      if StoreFile.exists(path) {
        var configuration = Configuration()
        configuration.readonly = true
        configuration.busyMode = .timeout(5)
        try DatabaseQueue(path: path, configuration: configuration).backup(to: queue)
      }
      if try queue.read(Schema.migrator.hasBeenSuperseded) { throw NewerStore() }
      try Schema.migrator.migrate(queue)
      transaction = queue.inDatabase { SQLiteTransactionBox(SQLiteTransaction($0)) }
      file = nil
    } catch {
      throw StoreError(operation: "copy store at \(path)", reason: Self.reason(error))
    }
  }

  /// Moves the files of a store aside, so that a new one can be created in its place. For a store that
  /// reports damage; what it held can still be examined.
  ///
  /// - Returns: The new path of the file.
  /// - Throws: `StoreError` when the file cannot be moved.
  public static func moveAside(_ path: String) throws(StoreError) -> String {
    try StoreFile.moveAside(path)
  }

  deinit {
    // Statements must go before their connection does, and in its queue.
    queue.inDatabase { _ in transaction.transaction.releaseStatements() }
  }

  /// Runs a transaction that only reads; writing in it is an error.
  ///
  /// - Throws: `StoreError` when SQLite fails or another process holds the file too long, and what `body`
  ///   throws.
  public func read<Result: Sendable>(
    _ body: (any MatcherTransaction) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    try run(writing: false, body)
  }

  /// Runs a transaction that may write. When it returns, what `body` did is durable; when `body`
  /// throws, nothing of it is there.
  ///
  /// - Throws: `StoreError` when SQLite fails or another process holds the file too long, and what `body`
  ///   throws.
  public func write<Result: Sendable>(
    _ body: (any MatcherTransaction) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    try run(writing: true, body)
  }

  private func run<Result: Sendable>(
    writing: Bool, _ body: (any MatcherTransaction) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    // SQLite would go on writing into a file that has lost its name, and all would be lost.
    if writing, let file, !file.isInPlace {
      throw StoreError(
        operation: "begin transaction", reason: "the file was removed or replaced while it was open"
      )
    }
    let outcome = queue.writeWithoutTransaction { _ -> Swift.Result<Result, StoreError> in
      let transaction = transaction.transaction
      // SQLite reports a full disk once more when it has room again.
      let mayRetry = writing && transaction.hasMetFullDisk
      let result = attempt(transaction, writing, body)
      guard case .failure = result, mayRetry, transaction.hasMetFullDisk else { return result }
      return attempt(transaction, writing, body)
    }
    return try outcome.get()
  }

  private func attempt<Result: Sendable>(
    _ transaction: SQLiteTransaction, _ writing: Bool,
    _ body: (any MatcherTransaction) throws(StoreError) -> Result
  ) -> Swift.Result<Result, StoreError> {
    do throws(StoreError) {
      try transaction.begin(writing: writing)
    } catch {
      return .failure(error)
    }
    do throws(StoreError) {
      let result = try body(transaction)
      try transaction.commit()
      return .success(result)
    } catch {
      transaction.rollBack()
      return .failure(error)
    }
  }

  /// A file whose tables are those of a newer version.
  private struct NewerStore: Error, CustomStringConvertible {
    var description: String { "a newer version has written it" }
  }

  static func reason(_ error: any Error) -> String {
    guard let error = error as? DatabaseError else { return String(describing: error) }
    return error.message ?? error.resultCode.description
  }
}

/// Carries the transaction object of the connection.
///
/// `@unchecked Sendable` is sound because only ``SQLiteStore`` sees the box, and it opens it only in
/// the serial queue of the connection.
private struct SQLiteTransactionBox: @unchecked Sendable {
  let transaction: SQLiteTransaction

  init(_ transaction: SQLiteTransaction) { self.transaction = transaction }
}
