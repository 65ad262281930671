// Accessors that read a value without a `switch`. Each is `nil` for values of other kinds.

extension Value {
  /// Whether the value is null.
  public var isNull: Bool {
    if case .null = self { true } else { false }
  }

  /// The bool, or `nil` for any other kind.
  public var boolValue: Bool? {
    if case .bool(let value) = self { value } else { nil }
  }

  /// The int, or a uint that fits an `Int64`; `nil` for any other value.
  public var intValue: Int64? {
    switch self {
    case .int(let value): value
    case .uint(let value): Int64(exactly: value)
    default: nil
    }
  }

  /// The number as a double, rounded if it is an integer beyond 2⁵³; `nil` for any other kind.
  public var doubleValue: Double? {
    switch self {
    case .int(let value): Double(value)
    case .uint(let value): Double(value)
    case .double(let value): value
    default: nil
    }
  }

  /// The text, or `nil` for any other kind.
  public var stringValue: String? {
    if case .string(let value) = self { value } else { nil }
  }

  /// The elements of a list, or `nil` for any other kind.
  public var listValue: [Value]? {
    if case .list(let elements) = self { elements } else { nil }
  }

  /// The entries of a map, or `nil` for any other kind.
  public var mapValue: [Key: Value]? {
    if case .map(let entries) = self { entries } else { nil }
  }

  /// The entries of a map whose keys are strings; `nil` for anything but a map.
  public var objectValue: [String: Value]? {
    guard case .map(let entries) = self else { return nil }
    var members: [String: Value] = [:]
    for case (.string(let name), let value) in entries { members[name] = value }
    return members
  }

  /// Creates a map with string keys.
  public init(object members: [String: Value]) {
    self = .map(Dictionary(uniqueKeysWithValues: members.map { (.string($0.key), $0.value) }))
  }

  /// The number of elements of a list or entries of a map, or `nil` for any other kind.
  public var count: Int? {
    switch self {
    case .list(let elements): elements.count
    case .map(let entries): entries.count
    default: nil
    }
  }

  /// The value of a map's entry, or `nil` if the value is not a map or has no such entry.
  public subscript(key: Key) -> Value? { mapValue?[key] }

  /// The value of a map's entry, or `nil` if the value is not a map or has no such entry.
  public subscript(name: String) -> Value? { mapValue?[.string(name)] }

  /// The element of a list, or `nil` if the value is not a list or the index is out of bounds.
  ///
  /// - Parameter index: The position, from 0.
  public subscript(index: Int) -> Value? {
    guard let elements = listValue, elements.indices.contains(index) else { return nil }
    return elements[index]
  }
}

extension Value? {
  /// The value of an entry, so that subscripts can be chained: `value["a"][0]`.
  public subscript(name: String) -> Value? { self?[name] }

  /// The element of a list, so that subscripts can be chained: `value["a"][0]`.
  public subscript(index: Int) -> Value? { self?[index] }
}
