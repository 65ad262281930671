import CampaignCore
import CampaignMatcher
import GRDB

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Opens the files of stores.
enum StoreConnection {
  /// Opens or creates a store for reading and writing, and brings its tables up to date.
  static func open(
    _ path: String, waiting milliseconds: Int64, durability: SQLiteStore.Durability
  ) throws -> DatabaseQueue {
    var configuration = Configuration()
    configuration.label = "CampaignStore"
    configuration.busyMode = .timeout(Double(milliseconds) / 1_000)
    // One that cannot even be undone is undone when the next one begins.
    configuration.allowsUnsafeTransactions = true
    configuration.prepareDatabase { try $0.execute(sql: Schema.tuning) }
    let deadline = ContinuousMilliseconds.now() + milliseconds
    while true {
      do {
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        try queue.writeWithoutTransaction { database in
          // GRDB's own way to get there writes a table whenever a store is opened, and fails when
          // several processes do so at once.
          guard try String.fetchOne(database, sql: "PRAGMA journal_mode = WAL") == "wal" else {
            throw StoreProblem(kind: .other, reason: "the file cannot have a write-ahead log")
          }
          let level = durability == .power ? "FULL" : "NORMAL"
          try database.execute(sql: "PRAGMA synchronous = \(level)")
        }
        try Schema.prepare(queue)
        try queue.read { try checkLength(of: path, $0) }
        return queue
      } catch let error as DatabaseError
        where error.resultCode == .SQLITE_BUSY && ContinuousMilliseconds.now() < deadline
      {
        // SQLite does not wait while another process changes the mode of the file or removes its log.
        usleep(5_000)
      } catch let error as DatabaseError {
        if let problem = StoreFile.missingRight(to: path, writing: true) { throw problem }
        throw error
      }
    }
  }

  /// Reads a store's file into a connection in memory, without touching the file.
  static func read(_ path: String, into target: DatabaseQueue) throws {
    if let problem = StoreFile.problem(of: path) { throw problem }
    if let problem = StoreFile.missingRight(to: path, writing: false) { throw problem }
    for _ in 0..<10 {
      if StoreFile.exists(path + "-wal") || StoreFile.exists(path + "-journal") {
        // Somebody has it open, or died.
        if let name = NetworkFileSystem.name(at: StoreFile.folder(of: path)) {
          throw StoreProblem(networkFileSystem: name)
        }
        do {
          return try copy(path, to: target)
        } catch let error as DatabaseError where error.resultCode == .SQLITE_CANTOPEN {
          if let problem = StoreFile.missingRight(to: path + "-wal", writing: false) {
            throw problem
          }
        }
      } else if try readClosed(path, into: target) {
        return
      }
      usleep(20_000)
    }
    throw StoreProblem(kind: .busy, reason: "another process keeps opening and closing it")
  }

  /// Reads a file that nobody has open, as it has no log. SQLite itself would make files beside it, for
  /// which a reader may lack the right; and if not, the files would be the reader's.
  ///
  /// - Returns: Whether nobody opened the file meanwhile.
  private static func readClosed(_ path: String, into target: DatabaseQueue) throws -> Bool {
    let version = StoreFile.version(of: path)
    let folder = try StoreFile.temporaryFolder()
    let temporary = folder + "/store"
    defer {
      for suffix in ["", "-wal", "-shm"] { StoreFile.remove(temporary + suffix) }
      StoreFile.removeFolder(folder)
    }
    guard try StoreFile.copyUnused(path, to: temporary), StoreFile.version(of: path) == version,
      !StoreFile.exists(path + "-wal")
    else { return false }
    try StoreFile.checkSeal(temporary)
    try copy(temporary, to: target)
    return true
  }

  private static func copy(_ path: String, to target: DatabaseQueue) throws {
    var configuration = Configuration()
    configuration.readonly = true
    configuration.busyMode = .timeout(5)
    let source = try DatabaseQueue(path: path, configuration: configuration)
    try source.read { try checkLength(of: path, $0) }
    try source.backup(to: target)
  }

  /// Checks that nothing is missing at the end of a file. SQLite itself notices when whole pages are.
  private static func checkLength(of path: String, _ database: Database) throws {
    let pages = try Int64.fetchOne(database, sql: "PRAGMA page_count") ?? 0
    let size = try Int64.fetchOne(database, sql: "PRAGMA page_size") ?? 0
    let length = StoreFile.length(path)
    // What is missing may still be in the write-ahead log.
    guard length < pages * size, StoreFile.length(path + "-wal") == 0 else { return }
    throw StoreProblem(
      kind: .damaged, reason: "the file is cut off after \(length) of \(pages * size) bytes")
  }
}

/// A clock that nobody sets.
private enum ContinuousMilliseconds {
  static func now() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
  }
}

extension StoreProblem {
  init(networkFileSystem name: String) {
    self.init(
      kind: .networkFileSystem,
      reason: "it is on a network file system (\(name)); a store needs a local one")
  }
}

/// Thrown when a value in the file is none that a store writes.
struct DamagedValue: Error, CustomStringConvertible {
  let what: String

  var description: String { "\(what) is damaged" }
}

extension StoreError {
  /// Creates an error from whatever SQLite, GRDB or this module throws.
  init(operation: String, _ error: any Error) {
    switch error {
    case let error as StoreProblem:
      self.init(operation: operation, reason: error.reason, kind: error.kind)
    case let error as StoreError:
      self.init(operation: operation, reason: error.reason, kind: error.kind)
    case let error as DatabaseError:
      self.init(
        operation: operation, reason: error.message ?? error.resultCode.description,
        kind: Kind(error.resultCode))
    case UnusableStore.newer:
      self.init(
        operation: operation, reason: UnusableStore.newer.description, kind: .newerVersion)
    default:
      // A value that cannot be read.
      self.init(operation: operation, reason: String(describing: error), kind: .damaged)
    }
  }
}

extension StoreError.Kind {
  fileprivate init(_ code: ResultCode) {
    self =
      switch code {
      case .SQLITE_BUSY, .SQLITE_LOCKED, .SQLITE_PROTOCOL: .busy
      // The statements are always the same, so that it is the tables that do not fit.
      case .SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_ERROR: .damaged
      case .SQLITE_FULL: .noSpace
      case .SQLITE_READONLY, .SQLITE_PERM, .SQLITE_AUTH: .notPermitted
      default: .other
      }
  }
}
