public import FilterAnalysis

/// The table that filters are written for: the names of its columns, and the attributes of a
/// context that they hold.
///
/// A row is a context. A column that is `NULL` in a row is an attribute that is missing there; inside a
/// JSON column, null and missing are two things, as they are in JSON.
public struct TableSchema: Sendable, Hashable {
  /// A column and the attribute that it holds.
  public struct Column: Sendable, Hashable {
    /// The name of the column.
    public var name: String
    /// The attribute: the name of a variable (`user`, `score`), or a path into one (`user.age`).
    public var path: [String]
    /// The type.
    public var type: ColumnType
    /// Whether the column may be `NULL`.
    public var isNullable: Bool

    /// Creates a column.
    ///
    /// - Parameters:
    ///   - name: The name of the column.
    ///   - path: The attribute that it holds, a name for each step.
    ///   - type: The type.
    ///   - isNullable: Whether the column may be `NULL`.
    public init(_ name: String, path: [String], _ type: ColumnType, isNullable: Bool = true) {
      self.name = name
      self.path = path
      self.type = type
      self.isNullable = isNullable
    }
  }

  /// The attributes without a column that filters may read all the same.
  public enum AbsentAttributes: Sendable, Hashable {
    /// These and what is inside them. A filter that reads another attribute without a column is
    /// refused.
    case only(Set<AttributePath>)
    /// All attributes.
    case any
  }

  /// The columns.
  public var columns: [Column]
  /// The attributes that are missing in all rows. By default there are none, so that a misspelled name
  /// is refused: the condition on it would be the same in every row.
  public var absent = AbsentAttributes.only([])
  /// Variables that every row has, though no column holds any part of them.
  public var emptyVariables: Set<String>

  /// Creates a schema from columns.
  public init(_ columns: [Column], emptyVariables: Set<String> = []) {
    self.columns = columns
    self.emptyVariables = emptyVariables
  }

  /// Creates the schema of a table that has a column for each attribute, called by its path:
  /// `user.age` is the column `"user.age"`.
  ///
  /// - Parameter attributes: The attributes. Those of type `map` and `any` are JSON columns; a family
  ///   such as `user.acquisition_*` has no column.
  public init(columnsFor attributes: AttributeSchema) {
    let paths = Set(attributes.attributes.keys)
    var columns: [Column] = []
    for attribute in attributes.sorted where !attribute.path.hasSuffix("*") {
      let path = attribute.path.split(separator: ".").map(String.init)
      // A member of an object is part of the object's column.
      let isInside = (1..<path.count).contains {
        paths.contains(path[..<$0].joined(separator: "."))
      }
      if isInside { continue }
      columns.append(
        Column(
          attribute.path, path: path, ColumnType(attribute.type), isNullable: attribute.isOptional))
    }
    self.init(columns)
  }

  /// Returns whether a column holds an attribute, an object around it, or a part of it.
  func holds(_ path: [String]) -> Bool {
    columns.contains { $0.holds(path) }
      || (path.count == 1 && emptyVariables.contains(path[0]))
  }

  /// Returns whether an attribute is declared to be missing in all rows, or is around one that is.
  func declaresMissing(_ path: [String]) -> Bool {
    switch absent {
    case .any: true
    case .only(let paths):
      paths.contains { ([$0.root] + $0.names).isAlong(path) }
    }
  }

  /// The variables of the attributes that are declared to be missing: every row has them.
  var variablesOfAbsent: Set<String> {
    guard case .only(let paths) = absent else { return [] }
    return Set(paths.lazy.filter { !$0.names.isEmpty }.map(\.root))
  }
}

extension TableSchema.Column {
  /// Returns whether the column holds an attribute, an object around it, or a part of it.
  ///
  /// A variable of the cel dialect may have a dotted name, so that the names are compared as one text.
  func holds(_ path: [String]) -> Bool {
    let own = self.path.joined(separator: ".").split(separator: ".").map(String.init)
    return own.isAlong(path.joined(separator: ".").split(separator: ".").map(String.init))
  }
}

extension [String] {
  /// Returns whether one of two paths begins with the other.
  fileprivate func isAlong(_ other: [String]) -> Bool {
    zip(self, other).allSatisfy { $0 == $1 }
  }
}

extension ColumnType {
  /// The type of the column for an attribute.
  init(_ type: AttributeType) {
    switch type {
    case .bool: self = .bool
    case .int: self = .int
    case .number: self = .double
    case .string: self = .string
    case .list(.any), .list(.map), .map, .any: self = .json
    case .list(let element): self = .list(ColumnType(element))
    }
  }
}
