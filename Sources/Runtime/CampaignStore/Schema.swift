import GRDB

/// The tables of a ``SQLiteStore``, and the migrations of older files.
///
/// Events and occurrences carry a running total per name or key: the number up to and including
/// that row. The number in any window is therefore the difference of two rows, found without
/// counting, and old rows can be removed as long as the last of them stays. Events in the same
/// millisecond share a row.
enum Schema {
  /// The page size of the file, and the size at which the log is emptied.
  ///
  /// A registration changes a handful of rows in as many pages, and each page is written to the log
  /// as a whole, so small pages write less. A log of 4 MiB is emptied after about 800
  /// registrations, each time at the cost of two disk synchronizations. An existing file keeps its
  /// page size.
  ///
  /// What is removed is overwritten, so that a file does not keep the attributes of a user who was
  /// reset; systems differ in the default.
  static let tuning = """
    PRAGMA page_size = 1024; PRAGMA wal_autocheckpoint = 4000; PRAGMA secure_delete = ON
    """

  /// The tables with all their columns, in the order in which a restored store gets them.
  static let tables: [(name: String, columns: [String])] = [
    ("event", ["name", "at", "total"]),
    ("occurrence", ["name", "at", "total"]),
    ("assignment", ["experiment_id", "variant_id", "kind", "paywall_identifier", "is_sent"]),
    ("identity", ["id", "alias_id", "user_id", "seed"]),
    ("installation", ["id", "installed_at", "has_resigned_active", "subscription"]),
    ("user_attribute", ["name", "value"]),
    ("record", ["name", "text"]),
  ]

  /// The columns that hold a text in every row.
  static let texts: [(table: String, columns: [String])] = [
    ("event", ["name"]), ("occurrence", ["name"]), ("user_attribute", ["name", "value"]),
    ("assignment", ["experiment_id", "variant_id", "kind"]), ("record", ["name", "text"]),
  ]

  /// Brings the tables up to date.
  ///
  /// - Throws: ``UnusableStore`` if the file was written by a newer version or by another program, or
  ///   lists its tables in a way that SQLite never writes, and the errors of SQLite.
  static func prepare(_ queue: DatabaseQueue) throws {
    // Of several processes that create a store at once, one makes the tables, and the others fail
    // because they are there. Each failure means that one more migration is done.
    var rest = migrator.migrations.count
    while true {
      let isComplete = try queue.read { database in
        // SQLite opens such a file, and GRDB ends the process when it reads the list.
        let isDamaged = try Bool.fetchOne(
          database,
          sql: """
            SELECT EXISTS (SELECT 1 FROM sqlite_master
              WHERE typeof(type) <> 'text' OR typeof(name) <> 'text'
                OR typeof(tbl_name) NOT IN ('text', 'null') OR typeof(sql) NOT IN ('text', 'null'))
            """)
        if isDamaged != false { throw UnusableStore.damagedTables }
        if try !isEmpty(database), try !database.tableExists("grdb_migrations") {
          throw UnusableStore.foreign
        }
        if try migrator.hasBeenSuperseded(database) { throw UnusableStore.newer }
        return try migrator.hasCompletedMigrations(database)
      }
      if isComplete { return }
      do {
        return try migrator.migrate(queue)
      } catch let error as DatabaseError where error.resultCode == .SQLITE_ERROR && rest > 0 {
        rest -= 1
      }
    }
  }

  /// Whether a file has no tables at all.
  static func isEmpty(_ database: Database) throws -> Bool {
    try Bool.fetchOne(database, sql: "SELECT NOT EXISTS (SELECT 1 FROM sqlite_master)") == true
  }

  private static let migrator: DatabaseMigrator = {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("1 what the matcher remembers") { database in
      try database.execute(
        sql: """
          CREATE TABLE event (
            name TEXT NOT NULL,
            at INTEGER NOT NULL,
            total INTEGER NOT NULL,
            PRIMARY KEY (name, at)
          ) WITHOUT ROWID;
          CREATE TABLE occurrence (
            name TEXT NOT NULL,
            at INTEGER NOT NULL,
            total INTEGER NOT NULL,
            PRIMARY KEY (name, at)
          ) WITHOUT ROWID;
          CREATE TABLE assignment (
            experiment_id TEXT NOT NULL PRIMARY KEY,
            variant_id TEXT NOT NULL,
            kind TEXT NOT NULL,
            paywall_identifier TEXT,
            is_sent INTEGER NOT NULL
          ) WITHOUT ROWID;
          CREATE TABLE identity (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            alias_id TEXT NOT NULL,
            user_id TEXT,
            seed INTEGER NOT NULL
          );
          CREATE TABLE installation (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            installed_at INTEGER,
            has_resigned_active INTEGER NOT NULL
          );
          CREATE TABLE user_attribute (
            name TEXT NOT NULL PRIMARY KEY,
            value TEXT NOT NULL
          ) WITHOUT ROWID;
          """)
    }
    migrator.registerMigration("2 the subscription status") { database in
      try database.execute(sql: "ALTER TABLE installation ADD COLUMN subscription TEXT")
    }
    migrator.registerMigration("3 what others remember") { database in
      try database.execute(
        sql:
          "CREATE TABLE record (name TEXT NOT NULL PRIMARY KEY, text TEXT NOT NULL) WITHOUT ROWID")
    }
    return migrator
  }()
}

/// The statements of a ``SQLiteStore``. GRDB prepares each once per connection and keeps it.
enum SQL {
  static let beginRead = "BEGIN DEFERRED TRANSACTION"
  static let beginWrite = "BEGIN IMMEDIATE TRANSACTION"
  static let commit = "COMMIT TRANSACTION"
  static let rollBack = "ROLLBACK TRANSACTION"
  static let dataVersion = "PRAGMA data_version"

  /// The statements on a table of running totals.
  struct Totals: Sendable {
    /// Adds a row with a known total at the end, or replaces the last one.
    let append: String
    /// Adds a row before the end.
    let insert: String
    let addToLater: String
    let last: String
    let lastBefore: String
    let newest: String
    let remove: String

    init(table: String) {
      append = "INSERT OR REPLACE INTO \(table) (name, at, total) VALUES (?, ?, ?)"
      insert = """
        INSERT INTO \(table) (name, at, total)
        VALUES (?1, ?2, 1 + IFNULL(
          (SELECT total FROM \(table) WHERE name = ?1 AND at <= ?2 ORDER BY at DESC LIMIT 1), 0))
        ON CONFLICT (name, at) DO UPDATE SET total = excluded.total
        """
      addToLater = "UPDATE \(table) SET total = total + 1 WHERE name = ? AND at > ?"
      last = "SELECT at, total FROM \(table) WHERE name = ? ORDER BY at DESC LIMIT 1"
      lastBefore =
        "SELECT at, total FROM \(table) WHERE name = ? AND at < ? ORDER BY at DESC LIMIT 1"
      newest = "SELECT at, total FROM \(table) WHERE name = ? ORDER BY at DESC LIMIT ?"
      remove = "DELETE FROM \(table)"
    }
  }

  static let events = Totals(table: "event")
  static let occurrences = Totals(table: "occurrence")

  /// Removes the rows before an instant, except the last of them for each name.
  static let foldEvents = """
    DELETE FROM event WHERE at < ?1 AND EXISTS (
      SELECT 1 FROM event AS later
      WHERE later.name = event.name AND later.at > event.at AND later.at < ?1)
    """

  static let assignment = """
    SELECT experiment_id, variant_id, kind, paywall_identifier, is_sent FROM assignment
    WHERE experiment_id = ?
    """
  static let assignments = """
    SELECT experiment_id, variant_id, kind, paywall_identifier, is_sent FROM assignment
    ORDER BY experiment_id
    """
  static let saveAssignment = """
    INSERT OR REPLACE INTO assignment
      (experiment_id, variant_id, kind, paywall_identifier, is_sent) VALUES (?, ?, ?, ?, ?)
    """
  static let removeAssignment = "DELETE FROM assignment WHERE experiment_id = ?"
  static let removeAssignments = "DELETE FROM assignment"

  static let identity = """
    SELECT alias_id, user_id, seed FROM identity
    """
  static let saveIdentity = """
    INSERT OR REPLACE INTO identity (id, alias_id, user_id, seed) VALUES (1, ?, ?, ?)
    """
  static let installation =
    "SELECT installed_at, has_resigned_active, subscription FROM installation"
  static let saveInstallation = """
    INSERT OR REPLACE INTO installation
      (id, installed_at, has_resigned_active, subscription) VALUES (1, ?, ?, ?)
    """
  static let attributes = "SELECT name, value FROM user_attribute"
  static let saveAttribute = "INSERT OR REPLACE INTO user_attribute (name, value) VALUES (?, ?)"
  static let removeAttribute = "DELETE FROM user_attribute WHERE name = ?"
  static let removeAttributes = "DELETE FROM user_attribute"
  static let record = "SELECT text FROM record WHERE name = ?"
  static let saveRecord = "INSERT OR REPLACE INTO record (name, text) VALUES (?, ?)"
  static let removeRecord = "DELETE FROM record WHERE name = ?"
}

/// The reason why the tables of a file cannot be used.
enum UnusableStore: Error, CustomStringConvertible {
  case newer
  case damagedTables
  case foreign

  var description: String {
    switch self {
    case .newer: "a newer version has written it"
    case .damagedTables: "its list of tables is damaged"
    case .foreign: "it is a database of another program"
    }
  }
}
