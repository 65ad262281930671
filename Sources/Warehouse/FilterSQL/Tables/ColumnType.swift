/// The type of the values of a column, or of a part of it.
public indirect enum ColumnType: Sendable, Hashable {
  /// A truth value.
  case bool
  /// A signed integer of up to 64 bits.
  case int
  /// An unsigned integer of up to 64 bits.
  case uint
  /// An IEEE 754 double.
  case double
  /// A text.
  case string
  /// Octets.
  case bytes
  /// An instant, in UTC, with microseconds.
  case timestamp
  /// A list whose elements have one type; its `NULL` elements are null.
  case list(ColumnType)
  /// A struct; a member that is `NULL` is missing.
  case record([Member])
  /// A JSON value of any kind.
  case json
  /// A type of the engine that filters cannot read, with its name; a filter that reads it is refused.
  case other(String)

  /// A member of a struct.
  public struct Member: Sendable, Hashable {
    /// The name.
    public var name: String
    /// The type.
    public var type: ColumnType

    /// Creates a member.
    public init(_ name: String, _ type: ColumnType) {
      self.name = name
      self.type = type
    }
  }

  /// The type as a schema file writes it: `int`, `list(string)`, `struct(a: int, b: string)`.
  public var name: String {
    switch self {
    case .bool: "bool"
    case .int: "int"
    case .uint: "uint"
    case .double: "double"
    case .string: "string"
    case .bytes: "bytes"
    case .timestamp: "timestamp"
    case .list(let element): "list(\(element.name))"
    case .record(let members):
      "struct(" + members.map { "\($0.name): \($0.type.name)" }.joined(separator: ", ") + ")"
    case .json: "json"
    case .other(let name): name
    }
  }

  /// Whether any part of a value is JSON.
  var hasJSON: Bool {
    switch self {
    case .json: true
    case .list(let element): element.hasJSON
    case .record(let members): members.contains { $0.type.hasJSON }
    default: false
    }
  }

  /// The name of the type, or of one inside of it, that filters cannot read; `nil` if there is none.
  var unreadableName: String? {
    switch self {
    case .other(let name): name
    case .list(let element): element.unreadableName
    case .record(let members): members.lazy.compactMap(\.type.unreadableName).first
    default: nil
    }
  }
}
