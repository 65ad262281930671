public import CampaignCore
import CampaignMatcher
import GRDB

extension SQLiteStore {
  /// Writes the contents of the store into a file of their own.
  ///
  /// The backup holds everything that was committed when it began, and nothing of what is written
  /// meanwhile. Other processes can go on writing; this store waits. The backup is one compact file of
  /// mode 0600 with a checksum, and ``restore(from:)`` reads it. It gets its name when it is complete and on the disk:
  /// until then, and whenever the method throws, a file that has the name stays as it is. If the
  /// process dies before, a file whose name ends in `.partial` and a number may be left over, which
  /// nothing reads.
  ///
  /// - Parameter path: The path of the backup; its folder must exist. A file there is replaced.
  /// - Throws: `StoreError` if the path is that of a store that is in use, the disk is full, this user
  ///   may not write there, or the store is damaged.
  public func backUp(to path: String) throws(StoreError) {
    do {
      if place?.file.has(path) == true {
        throw StoreProblem(kind: .other, reason: "that is the file of the store itself")
      }
      if StoreFile.length(path + "-wal") > 0 {
        throw StoreProblem(kind: .busy, reason: "a store is in use under that name")
      }
      let partial = "\(path).partial\(UInt32.random(in: 1...(.max)))"
      defer { for suffix in ["", "-journal"] { StoreFile.remove(partial + suffix) } }
      if let problem = StoreFile.missingRight(to: partial, writing: true) { throw problem }
      StoreFile.createIfMissing(partial)
      try queue.writeWithoutTransaction { database in
        try database.execute(sql: "VACUUM INTO ?", arguments: [partial])
      }
      try StoreFile.seal(partial)
      try StoreFile.publish(partial, as: path)
    } catch {
      throw StoreError(operation: "back up store to \(path)", error)
    }
  }

  /// Replaces the contents of the store by those of a backup.
  ///
  /// The backup is read and checked as a whole before anything changes, and then all contents are
  /// replaced in one transaction: if the method throws, or the process dies, the store is as it was.
  /// Other processes see the new contents with their next transaction. A matcher keeps the
  /// subscription status that it read when it was made, so make a new one after a restore.
  ///
  /// - Parameter path: The path of a file that ``backUp(to:)`` has written, or of another store.
  /// - Throws: `StoreError` of the kind `damaged` if there is no store in the file or anything in it
  ///   is damaged, of another kind if the file cannot be read or the store cannot be written.
  public func restore(from path: String) throws(StoreError) {
    let operation = "restore store from \(path)"
    let backup: SQLiteStore
    do {
      // A file that is missing or empty would be taken for a new store.
      guard StoreFile.length(path) > 0 else {
        throw StoreFile.missingRight(to: path, writing: false)
          ?? StoreProblem(
            kind: StoreFile.exists(path) ? .damaged : .other,
            reason: StoreFile.exists(path) ? "the file is empty" : "there is no such file")
      }
      backup = try SQLiteStore(copyOf: path)
      try backup.queue.inDatabase { try StoreContents.check($0) }
    } catch {
      throw StoreError(operation: operation, error)
    }
    let transaction = transaction
    try backup.queue.inDatabase { source in
      Result { () throws(StoreError) in
        try run(writing: true) { _ throws(StoreError) in
          try transaction.transaction.replaceContents(operation, by: source)
        }
      }
    }.get()
  }
}

extension SQLiteTransaction {
  /// Replaces the rows of all tables by those of another database, whose contents were checked.
  fileprivate func replaceContents(
    _ operation: String, by source: Database
  ) throws(StoreError) {
    forget()
    noteChange()
    for (table, columns) in Schema.tables {
      let list = columns.joined(separator: ", ")
      let marks = columns.map { _ in "?" }.joined(separator: ", ")
      try database.execute(operation, "DELETE FROM \(table)")
      try database.translating(operation) {
        let rows = try Row.fetchCursor(source, sql: "SELECT \(list) FROM \(table)")
        while let row = try rows.next() {
          try database.execute(
            operation, "INSERT INTO \(table) (\(list)) VALUES (\(marks))",
            StatementArguments(row.databaseValues))
        }
      }
    }
  }
}

/// What a sound file holds.
enum StoreContents {
  /// Reads everything in a database whose tables are up to date.
  ///
  /// - Throws: What is wrong first.
  static func check(_ database: Database) throws {
    guard try String.fetchOne(database, sql: "PRAGMA integrity_check") == "ok" else {
      throw DamagedValue(what: "the structure of the file")
    }
    for (table, columns) in Schema.texts {
      for column in columns {
        let isDamaged = try Bool.fetchOne(
          database,
          sql: "SELECT EXISTS (SELECT 1 FROM \(table) WHERE typeof(\(column)) <> 'text')")
        if isDamaged != false { throw DamagedValue(what: "a text in the table \(table)") }
      }
    }
    for table in ["event", "occurrence"] { try checkTotals(database, table) }
    let transaction = try SQLiteTransaction(database)
    defer { transaction.releaseStatements() }
    _ = try transaction.identity()
    _ = try transaction.installation()
    _ = try transaction.assignments()
    _ = try transaction.userAttributes()
  }

  /// Checks that the totals of each name grow from row to row.
  private static func checkTotals(_ database: Database, _ table: String) throws {
    let rows = try Row.fetchCursor(
      database, sql: "SELECT at, total, name FROM \(table) ORDER BY name, at")
    var name: ExactName?
    var total = 0
    while let row = try rows.next() {
      let next = ExactName(try row.decode(String.self, atIndex: 2))
      let entry = try RunningTotals.Entry(row)
      guard next != name || entry.total > total else { throw RunningTotals.DamagedTotal() }
      (name, total) = (next, entry.total)
    }
  }
}
