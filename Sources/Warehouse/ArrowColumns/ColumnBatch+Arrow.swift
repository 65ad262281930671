public import CArrow
public import ExpressionEngine

/// How the columns of a table become attributes.
///
/// A column named `user`, `device` or `params` has attributes: the fields of a struct, the entries
/// of a map, or the members of JSON objects. A column `user.age` is that attribute, and a column
/// without a dot is one of ``root``.
public struct ColumnNames: Sendable, Hashable {
  /// The root of columns without one; `user` by default.
  public var root: String
  /// The attributes of columns with other names, such as `app_version` for `device.appVersion`.
  public var paths: [String: AttributePath]
  /// The columns of text that is JSON: their values may be of any kind.
  public var json: Set<String>

  /// Creates names.
  public init(
    root: String = "user", paths: [String: AttributePath] = [:], json: Set<String> = []
  ) {
    self.root = root
    self.paths = paths
    self.json = json
  }

  /// Returns the attribute of a column.
  func path(of name: String) -> AttributePath {
    if let path = paths[name] { return path }
    if Self.roots.contains(name) { return AttributePath(root: name) }
    let parts = name.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    if parts.count == 2, Self.roots.contains(String(parts[0])) {
      return AttributePath(root: String(parts[0]), names: [String(parts[1])])
    }
    return AttributePath(root: root, names: [name])
  }

  static let roots: Set<String> = ["user", "device", "params"]
}

extension ColumnBatch {
  /// Creates a batch from a table of the Arrow C data interface.
  ///
  /// The batch takes over both structures, as the interface has it, and releases each of them once:
  /// the schema at once, the array when neither the batch nor a copy of it is used any more. It
  /// does so also when it throws. It does not copy the columns, except text views.
  ///
  /// The number of buffers and children, lengths, and the order of offsets are checked. The sizes
  /// of buffers are not part of the interface; that they hold what lengths and offsets promise is
  /// up to the producer.
  ///
  /// | Arrow | attribute |
  /// |---|---|
  /// | null value | missing |
  /// | integers | int; above `Int64.max` uint |
  /// | floating point, decimal | double; decimals without a scale that fit are ints |
  /// | boolean | bool |
  /// | utf8, large, view | string |
  /// | binary, large, fixed size, view | bytes |
  /// | timestamp, date | timestamp; without a time zone it is in UTC |
  /// | duration, time of day | duration |
  /// | list, large, fixed size, view | list |
  /// | struct, map | map |
  /// | dictionary, run-end encoded | that of their values |
  ///
  /// - Parameters:
  ///   - array: A record batch: an array of structs, with a column for each field.
  ///   - schema: Its type.
  ///   - names: How columns become attributes.
  /// - Throws: `ColumnBatchError` with the name of the column that is damaged, of an unknown
  ///   type, or not an attribute.
  /// - Complexity: O(columns), and O(rows) for each column of text or lists.
  public init(
    arrow array: UnsafeMutablePointer<ArrowArray>, schema: UnsafeMutablePointer<ArrowSchema>,
    names: ColumnNames = ColumnNames()
  ) throws(ColumnBatchError) {
    let owner = ArrowOwner(array)
    defer { schema.pointee.release?(schema) }
    try self.init(owner: owner, schema: schema, names: names)
  }

  /// Creates a batch from an array whose type is used again.
  fileprivate init(
    owner: ArrowOwner, schema: UnsafePointer<ArrowSchema>, names: ColumnNames
  ) throws(ColumnBatchError) {
    guard owner.array.release != nil, schema.pointee.release != nil else {
      throw ColumnBatchError("the array or its schema has been released")
    }
    let table = ArrowReader(
      array: owner.array, schema: schema.pointee, name: "table", owner: owner)
    guard table.format == "+s" else {
      throw ColumnBatchError("the array is not a table, which is an array of structs")
    }
    let (first, count) = try table.bounds()
    var columns: [AttributePath: Column] = [:]
    func add(_ path: AttributePath, _ column: Column) throws(ColumnBatchError) {
      guard columns.updateValue(column, forKey: path) == nil else {
        throw ColumnBatchError("two columns are \(path)")
      }
    }
    let validity = try table.validity()
    for field in try table.children(first: first, count: count) {
      let path = names.path(of: field.name)
      guard path.names.isEmpty, ColumnNames.roots.contains(path.root) else {
        let isJSON = names.json.contains(field.name)
        try add(
          path,
          try (isJSON ? field.jsonColumn() : field.column()).masked(
            by: validity, first: table.offset))
        continue
      }
      if field.format == "+s" {
        let (first, count) = try field.bounds()
        let validity = try field.validity()
        for member in try field.children(first: first, count: count) {
          try add(
            AttributePath(root: path.root, names: [member.name]),
            try member.column().masked(by: validity, first: field.offset))
        }
      } else {
        try add(path, try field.layerColumn())
      }
    }
    try self.init(columns, rowCount: count)
  }
}

/// The record batches of a stream of the Arrow C stream interface.
///
/// ```swift
/// let stream = try ArrowStream(pointer)
/// while let batch = try stream.next() { … }
/// ```
///
/// It belongs to one thread. It takes over the stream, and releases it when it is no longer used.
public final class ArrowStream {
  private var stream: ArrowArrayStream
  private var schema = ArrowSchema()
  private let names: ColumnNames

  /// Takes over a stream.
  ///
  /// - Parameters:
  ///   - stream: The stream; the caller's structure is marked as released.
  ///   - names: How columns become attributes.
  /// - Throws: `ColumnBatchError` if the stream has been released or has no schema.
  public init(
    _ stream: UnsafeMutablePointer<ArrowArrayStream>, names: ColumnNames = ColumnNames()
  ) throws(ColumnBatchError) {
    self.stream = stream.pointee
    self.names = names
    stream.pointee.release = nil
    guard self.stream.release != nil, let schema = self.stream.get_schema else {
      throw ColumnBatchError("the stream has been released")
    }
    guard schema(&self.stream, &self.schema) == 0 else { throw failure("has no schema") }
  }

  deinit {
    schema.release?(&schema)
    stream.release?(&stream)
  }

  /// Returns the next batch, or `nil` after the last one.
  ///
  /// - Throws: `ColumnBatchError` if the stream fails, or a batch is damaged.
  public func next() throws(ColumnBatchError) -> ColumnBatch? {
    var array = ArrowArray()
    guard let next = stream.get_next, next(&stream, &array) == 0 else {
      throw failure("has failed")
    }
    guard array.release != nil else { return nil }
    return try ColumnBatch(owner: ArrowOwner(&array), schema: &schema, names: names)
  }

  private func failure(_ what: String) -> ColumnBatchError {
    let reason = stream.get_last_error?(&stream).map { ": \(String(cString: $0))" } ?? ""
    return ColumnBatchError("the stream \(what)\(reason)")
  }
}

/// An array that was taken over.
final class ArrowOwner: @unchecked Sendable {
  // Unchecked: nothing writes to the array before it is released.
  private(set) var array: ArrowArray

  /// Takes over an array; the caller's structure is marked as released.
  init(_ array: UnsafeMutablePointer<ArrowArray>) {
    self.array = array.pointee
    array.pointee.release = nil
  }

  deinit { array.release?(&array) }
}
