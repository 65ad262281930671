/// How an engine spells SQL: one table of forms for each, and no code of its own.
public struct SQLDialect: Sendable {
  /// The engines.
  public enum Name: String, Sendable, Hashable, CaseIterable {
    /// DuckDB.
    case duckdb
    /// Apache Spark SQL.
    case spark
    /// PostgreSQL.
    case postgresql
    /// SQLite.
    case sqlite
  }

  /// The engine.
  public let name: Name
  /// The engine's name for people.
  public let title: String

  /// The form of each function. A function without a form is refused.
  var templates: FunctionTemplates
  /// The form of each loop: `#1` is the list, `#2` the body, `@` the variable.
  var loops: [SQLLoop: String]
  /// The test for each kind of JSON value, of one that is a column, or that a function has the
  /// form of.
  var jsonKinds: [JSONKind: String]
  /// How values become the fields of a variable (`@`), so that they are computed once: `#1` are the
  /// values, each in the form of `value`, `#2` is what they are used in. Without it, values are
  /// computed wherever they are used.
  var binding: (form: String, value: String)?
  /// Whether members and elements of JSON are written without spaces and needless escapes, so that
  /// equal texts are equal JSON.
  var jsonIsCanonical = false
  /// How the path to a member of a JSON object is written.
  var jsonPath: JSONPath
  /// How patterns are spelled.
  var patterns: PortablePattern.Spelling
  /// The quote around identifiers; doubled inside.
  var identifierQuote: Character
  /// Whether a backslash in a text literal has to be doubled.
  var escapesBackslashes: Bool
  /// The truth values. SQLite reads `TRUE` as a column, if there is one of that name.
  var boolLiterals: (yes: String, no: String) = ("TRUE", "FALSE")
  /// How a double is written, and one that is no finite number, from its text at `#`.
  var doubleLiteral: (finite: String, special: String)
  /// How octets are written, from their hexadecimal digits at `#`.
  var bytesLiteral: String
  /// Whether texts can have U+0000.
  var acceptsNul: Bool
  /// How a character is written by its code point, at `#`.
  var characterByCode: String
  /// Whether there are structs.
  var hasStructs: Bool
  /// How variants are chosen; `nil` if the engine cannot fold lists.
  var hashing: SQLHashing?

  /// The kinds of JSON values.
  enum JSONKind: String, Sendable, Hashable, CaseIterable {
    case null, bool, number, string, array, object
  }

  /// Ways to name a member of a JSON object.
  enum JSONPath: Sendable, Hashable {
    /// A JSON pointer: `/a`.
    case pointer
    /// The key itself.
    case key
    /// `$."a"`.
    case dollar
  }

  /// The table of an engine.
  public static func named(_ name: Name) -> SQLDialect {
    switch name {
    case .duckdb: duckDB
    case .spark: spark
    case .postgresql: postgreSQL
    case .sqlite: sqlite
    }
  }
}
