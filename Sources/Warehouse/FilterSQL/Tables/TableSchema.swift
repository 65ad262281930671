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

  /// The columns.
  public var columns: [Column]
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
