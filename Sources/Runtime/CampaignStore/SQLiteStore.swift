public import CampaignCore
public import CampaignMatcher
public import ExpressionEngine
import GRDB

/// A store in an SQLite file, whose contents survive the process.
///
/// The store has one connection, which is the only writer in this process. The file is in
/// write-ahead mode: when ``write(_:)`` has returned, its transaction survives the death of the
/// process at any instant. Other processes may open the same file; each sees the transactions that
/// the others have committed.
///
/// A new file can be read and written by its user alone (mode 0600), and so can the two files that
/// SQLite keeps beside it. A file that exists keeps its mode.
public final class SQLiteStore: MatcherStore {
  /// The failures that a committed transaction survives.
  public enum Durability: Sendable, Hashable {
    /// The death of the process. The last transactions may be lost in a power failure
    /// (`synchronous = NORMAL`), but the file is never damaged.
    case process
    /// A power failure, at the cost of one disk synchronization per transaction
    /// (`synchronous = FULL`).
    case power
  }

  let queue: DatabaseQueue
  let transaction: SQLiteTransactionBox
  /// The file and its path; `nil` for a copy in memory.
  let place: (path: String, file: StoreFile)?

  /// Opens or creates a store, and brings its tables up to date.
  ///
  /// - Parameters:
  ///   - path: The path of the file; its folder must exist. SQLite keeps two more files beside it.
  ///   - durability: The failures that a committed transaction survives.
  ///   - busyTimeout: The time to wait for another process that writes.
  /// - Throws: `StoreError` if the file cannot be opened, is not a store of this kind, is damaged,
  ///   was written by a newer version of this module, is on a network file system, or cannot be
  ///   written by this user; its `kind` tells which. An empty file becomes a new store. See
  ///   ``moveAside(_:)``, ``restore(from:)`` and, for users who may only read, ``init(copyOf:)``.
  public init(
    path: String, durability: Durability = .process, busyTimeout: Value.Duration = .seconds(5)
  ) throws(StoreError) {
    var claimed: StoreFile?
    do {
      if let problem = StoreFile.problem(of: path) { throw problem }
      if let name = NetworkFileSystem.name(at: StoreFile.folder(of: path)) {
        throw StoreProblem(networkFileSystem: name)
      }
      if let problem = StoreFile.missingRight(to: path, writing: true) { throw problem }
      claimed = StoreFile.claim(path)
      queue = try StoreConnection.open(
        path, waiting: busyTimeout.millisecondsToWait, durability: durability)
      transaction = try queue.inDatabase { SQLiteTransactionBox(try SQLiteTransaction($0)) }
    } catch {
      claimed?.release()
      throw StoreError(operation: "open store at \(path)", error)
    }
    place = claimed.map { (path, $0) }
  }

  /// Creates a copy of a store's file in memory. Changes of the copy do not reach the file, so it
  /// can be used to try things out, and by a user who may only read the file.
  ///
  /// - Parameter path: The path of the file. If the file does not exist, the copy is empty.
  /// - Throws: `StoreError` if the file cannot be read or is not a store of this kind.
  public init(copyOf path: String) throws(StoreError) {
    do {
      queue = try DatabaseQueue()
      if StoreFile.exists(path) { try StoreConnection.read(path, into: queue) }
      try Schema.prepare(queue)
      transaction = try queue.inDatabase { SQLiteTransactionBox(try SQLiteTransaction($0)) }
      place = nil
    } catch {
      throw StoreError(operation: "copy store at \(path)", error)
    }
  }

  /// Moves the files of a store aside, so that a new one can be created in its place. Use it for a
  /// store that reports damage; the moved files can still be examined.
  ///
  /// - Parameter path: The path of the file.
  /// - Returns: The new path of the file.
  /// - Throws: `StoreError` if the file cannot be moved.
  public static func moveAside(_ path: String) throws(StoreError) -> String {
    try StoreFile.moveAside(path)
  }

  deinit {
    // Statements must be released before their connection, and in its queue.
    queue.inDatabase { _ in transaction.transaction.releaseStatements() }
    try? queue.close()
    place?.file.release()
  }

  /// Runs a transaction that only reads; writing in it is an error.
  ///
  /// - Throws: `StoreError` if SQLite fails or another process holds the file too long, and the
  ///   errors of `body`.
  public func read<Result: Sendable>(
    _ body: (any MatcherTransaction) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    try run(writing: false, body)
  }

  /// Runs a transaction that may write. When it returns, the changes of `body` are durable; if
  /// `body` throws, they are undone.
  ///
  /// - Throws: `StoreError` if SQLite fails or another process holds the file too long, and the
  ///   errors of `body`.
  public func write<Result: Sendable>(
    _ body: (any MatcherTransaction) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    try run(writing: true, body)
  }

  func run<Result: Sendable>(
    writing: Bool, _ body: (any MatcherTransaction) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    // SQLite would continue to write into a file that has lost its name, and everything would be
    // lost.
    if writing, let place, !place.file.has(place.path) {
      throw StoreError(
        operation: "begin transaction",
        reason: "the file was removed or replaced while it was open", kind: .replaced)
    }
    let outcome = queue.writeWithoutTransaction { _ -> Swift.Result<Result, StoreError> in
      attempt(transaction.transaction, writing, body)
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
}

/// Carries the transaction object of the connection.
///
/// `@unchecked Sendable` is sound because only ``SQLiteStore`` has access to the box, and opens it
/// only in the serial queue of the connection.
struct SQLiteTransactionBox: @unchecked Sendable {
  let transaction: SQLiteTransaction

  init(_ transaction: SQLiteTransaction) { self.transaction = transaction }
}
