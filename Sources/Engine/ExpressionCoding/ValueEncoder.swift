public import ExpressionEngine

extension Value {
  /// Creates a value from anything `Encodable`, such as the attributes of a user as a struct.
  ///
  ///     let layer = try Value(encoding: User(name: "Ann", age: 25))     // {"age": 25, "name": "Ann"}
  ///
  /// The result is what plain JSON of the same data would give: keyed containers become maps with
  /// string keys, unkeyed ones lists; integers of every type ints, beyond `Int64` uints; `Float`
  /// the double of its shortest digits. A `Value` inside stays as it is. How a type encodes itself
  /// is its own choice: Foundation's `Date` for example encodes a number of seconds since 2001.
  ///
  /// - Throws: Any error of the type's own encoding; `EncodingError.invalidValue` for integers
  ///   beyond 64 bits and for data nested deeper than 128 levels.
  public init(encoding encodable: some Encodable) throws {
    try self.init(encoding: encodable) { _ in nil }
  }

  /// Creates a value from anything `Encodable`, in which some types do not encode themselves.
  ///
  /// - Parameters:
  ///   - encodable: The value to encode.
  ///   - foreign: Converts values of types that do not encode themselves, such as dates; returns
  ///     `nil` for all others.
  /// - Throws: What `foreign` and ``init(encoding:)`` throw.
  package init(
    encoding encodable: some Encodable, foreign: @escaping ForeignEncoding
  ) throws {
    let node = EncodingNode(foreign)
    try node.encode(encodable, path: [])
    self = node.value
  }

  /// A conversion of types that do not encode themselves.
  package typealias ForeignEncoding = (any Encodable) throws -> Value?
}

/// A value while it is being encoded. Containers are handed out before they are filled, hence a
/// class.
private final class EncodingNode {
  enum Content {
    case scalar(Value)
    case list([EncodingNode])
    case map([(key: String, node: EncodingNode)])
  }

  /// A container into which nothing was encoded is an empty map, as in Swift's own encoders.
  var content = Content.map([])
  private let foreign: Value.ForeignEncoding

  init(_ foreign: @escaping Value.ForeignEncoding) { self.foreign = foreign }

  var value: Value {
    switch content {
    case .scalar(let value): return value
    case .list(let nodes): return .list(nodes.map(\.value))
    case .map(let members):
      let entries = members.map { (Value.Key.string($0.key), $0.node.value) }
      return .map(Dictionary(entries, uniquingKeysWith: { _, last in last }))
    }
  }

  func append() -> EncodingNode {
    let node = EncodingNode(foreign)
    if case .list(var nodes) = content {
      // Release it first: the array is then not shared, and appending does not copy it.
      content = .list([])
      nodes.append(node)
      content = .list(nodes)
    } else {
      content = .list([node])
    }
    return node
  }

  func set(_ key: String) -> EncodingNode {
    let node = EncodingNode(foreign)
    if case .map(var members) = content {
      content = .map([])
      members.append((key, node))
      content = .map(members)
    } else {
      content = .map([(key, node)])
    }
    return node
  }

  func encode(_ encodable: some Encodable, path: [any CodingKey]) throws {
    if let value = encodable as? Value {
      content = .scalar(value)
      return
    }
    if let duration = Value.Duration(swiftDuration: encodable) {
      content = .scalar(.duration(duration))
      return
    }
    do {
      if let value = try foreign(encodable) {
        content = .scalar(value)
        return
      }
    } catch EncodingError.invalidValue(let value, let context) {
      throw EncodingError.invalidValue(
        value, .init(codingPath: path, debugDescription: context.debugDescription))
    }
    guard path.count <= 128 else {
      throw EncodingError.invalidValue(
        encodable,
        EncodingError.Context(
          codingPath: path, debugDescription: "the data is nested deeper than 128 levels"))
    }
    try encodable.encode(to: NodeEncoder(node: self, codingPath: path))
  }

  func encode(integer: some BinaryInteger, path: [any CodingKey]) throws {
    if let value = Int64(exactly: integer) {
      content = .scalar(.int(value))
    } else if let value = UInt64(exactly: integer) {
      content = .scalar(.uint(value))
    } else {
      throw EncodingError.invalidValue(
        integer,
        EncodingError.Context(
          codingPath: path, debugDescription: "\(integer) does not fit 64 bits"))
    }
  }

  /// Encodes one of the types that the containers' protocols name.
  func encode(primitive: some Encodable, path: [any CodingKey]) throws {
    switch primitive {
    case let value as Bool: content = .scalar(.bool(value))
    case let value as String: content = .scalar(.string(value))
    case let value as Double: content = .scalar(.double(value))
    case let value as Float:
      // The nearest double would print digits that the input does not have: 0.10000000149011612 for
      // 0.1.
      content = .scalar(.double(Double(shortest: value)))
    case let value as any BinaryInteger & Encodable: try encode(integer: value, path: path)
    default: try encode(primitive, path: path)
    }
  }
}

private struct NodeEncoder: Encoder {
  let node: EncodingNode
  let codingPath: [any CodingKey]
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    KeyedEncodingContainer(KeyedNodeContainer(node: node, codingPath: codingPath))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    if case .list = node.content {} else { node.content = .list([]) }
    return UnkeyedNodeContainer(node: node, codingPath: codingPath)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer {
    SingleNodeContainer(node: node, codingPath: codingPath)
  }
}

private struct KeyedNodeContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let node: EncodingNode
  let codingPath: [any CodingKey]

  mutating func encodeNil(forKey key: Key) throws {
    node.set(key.stringValue).content = .scalar(.null)
  }

  mutating func encode<T: Encodable>(_ value: T, forKey key: Key) throws {
    try node.set(key.stringValue).encode(primitive: value, path: codingPath + [key])
  }

  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) -> KeyedEncodingContainer<Nested> {
    nested(key.stringValue, key).container(keyedBy: type)
  }

  mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    nested(key.stringValue, key).unkeyedContainer()
  }

  mutating func superEncoder() -> any Encoder {
    nested("super", ValueKey(stringValue: "super"))
  }

  mutating func superEncoder(forKey key: Key) -> any Encoder { nested(key.stringValue, key) }

  private func nested(_ name: String, _ key: any CodingKey) -> NodeEncoder {
    NodeEncoder(node: node.set(name), codingPath: codingPath + [key])
  }
}

private struct UnkeyedNodeContainer: UnkeyedEncodingContainer {
  let node: EncodingNode
  let codingPath: [any CodingKey]

  var count: Int {
    if case .list(let nodes) = node.content { nodes.count } else { 0 }
  }

  mutating func encodeNil() throws { node.append().content = .scalar(.null) }

  mutating func encode<T: Encodable>(_ value: T) throws {
    let path = codingPath + [ValueKey(intValue: count)]
    try node.append().encode(primitive: value, path: path)
  }

  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) -> KeyedEncodingContainer<Nested> {
    nested().container(keyedBy: type)
  }

  mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
    nested().unkeyedContainer()
  }

  mutating func superEncoder() -> any Encoder { nested() }

  private func nested() -> NodeEncoder {
    let path = codingPath + [ValueKey(intValue: count)]
    return NodeEncoder(node: node.append(), codingPath: path)
  }
}

private struct SingleNodeContainer: SingleValueEncodingContainer {
  let node: EncodingNode
  let codingPath: [any CodingKey]

  mutating func encodeNil() throws { node.content = .scalar(.null) }

  mutating func encode<T: Encodable>(_ value: T) throws {
    try node.encode(primitive: value, path: codingPath)
  }
}
