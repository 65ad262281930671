/// Many users as columns: a value for each of them and each attribute.
///
/// ```swift
/// let users = try ColumnBatch([
///   "user.age": Column([31, 17, nil]),
///   "user.plan": Column(["free", "pro", "pro"]),
/// ])
/// let matcher = BatchMatcher(FilterSet([try Filter("user.age >= 18")]))
/// let counts = matcher.counts(in: users)  // [1]
/// ```
///
/// Each user is a context with the layers `user`, `device` and `params`, which have the attributes
/// that the user has values of.
public struct ColumnBatch: Sendable {
  /// The number of users.
  public let rowCount: Int
  /// The columns of attributes, and of variables other than layers.
  package private(set) var columns: [(path: AttributePath, column: Column)]
  /// The columns of whole layers.
  let layers: [Root: Column]
  private var numbers: [AttributePath: Int]

  /// Creates a batch.
  ///
  /// - Parameters:
  ///   - columns: The columns by attribute: `user.age`, `params["$x"]`, or a variable of another
  ///     name. A column named `user`, `device` or `params` must have layers.
  ///   - rowCount: The number of users; `nil` for that of the columns.
  /// - Throws: ``ColumnBatchError`` if columns have different lengths, a path is longer than an
  ///   attribute, or a layer is given both whole and by attributes.
  /// - Complexity: O(columns).
  public init(
    _ columns: [AttributePath: Column], rowCount: Int? = nil
  ) throws(ColumnBatchError) {
    let count = rowCount ?? columns.first?.value.count ?? 0
    var attributes: [(path: AttributePath, column: Column)] = []
    var layers: [Root: Column] = [:]
    for (path, column) in columns.sorted(by: { "\($0.key)" < "\($1.key)" }) {
      guard column.count == count else {
        throw ColumnBatchError("the column \(path) has \(column.count) users instead of \(count)")
      }
      let root = Root(layerNamed: path.root)
      switch (root, path.names.count) {
      case (let root?, 0):
        guard column.hasLayers else {
          throw ColumnBatchError("the column \(path) has values; it must have layers")
        }
        layers[root] = column
      case (nil, 0), (.some, 1):
        guard !column.hasLayers else {
          throw ColumnBatchError("the column \(path) has layers; it must have values")
        }
        attributes.append((path, column))
      default:
        throw ColumnBatchError(
          "\(path) is not an attribute, which has a name under user, device or params")
      }
    }
    for (path, _) in attributes {
      if let root = Root(layerNamed: path.root), layers[root] != nil {
        throw ColumnBatchError("the column \(path) is in the column \(path.root) as well")
      }
    }
    self.init(columns: attributes, layers: layers, rowCount: count)
  }

  /// Creates a batch of columns that have a length and paths as they must be.
  init(
    columns: [(path: AttributePath, column: Column)], layers: [Root: Column] = [:], rowCount: Int
  ) {
    self.rowCount = rowCount
    self.columns = columns
    self.layers = layers
    numbers = Dictionary(
      columns.enumerated().map { ($0.element.path, $0.offset) }, uniquingKeysWith: { $1 })
  }

  /// Adds a column, or replaces the one of its attribute. It must have ``rowCount`` values.
  package mutating func setColumn(_ path: AttributePath, _ column: Column) {
    if let number = numbers[path] {
      columns[number].column = column
    } else {
      numbers[path] = columns.count
      columns.append((path, column))
    }
  }

  /// The paths of the columns, in alphabetical order.
  public var paths: [AttributePath] {
    columns.map { $0.path }
      + layers.keys.map { AttributePath(root: $0.name) }.sorted { $0.root < $1.root }
  }

  /// The number of words of a bit for each user.
  package var rowWords: Int { (rowCount + 63) >> 6 }

  /// Whether a layer is given whole.
  package var hasLayers: Bool { !layers.isEmpty }

  /// The column of an attribute.
  package func column(_ path: AttributePath) -> Column? { numbers[path].map { columns[$0].column } }
}

/// A mistake in the columns of a ``ColumnBatch``.
public struct ColumnBatchError: Error, CustomStringConvertible, Sendable, Hashable {
  /// The mistake in one sentence.
  public let description: String

  package init(_ description: String) { self.description = description }
}
