package import ExpressionEngine

// `Encodable` types become values here, without Foundation: types of other modules that
// should not encode themselves (dates, for instance) are handed to a closure first.

extension Value {
  /// Encodes what `encodable` encodes: keyed containers become maps, unkeyed ones lists.
  ///
  /// - Parameters:
  ///   - encodable: The value to encode.
  ///   - foreign: Converts values that do not encode themselves; returns `nil` for all others.
  /// - Throws: Any error of the type's own encoding, or `EncodingError`.
  package init(
    encoding encodable: some Encodable, foreign: @escaping (any Encodable) -> Value?
  ) throws {
    let encoder = ValueEncoder(codingPath: [], foreign: foreign)
    self = try encoder.value(of: encodable)
  }
}

/// A value that is still being encoded; containers of one value share it.
private final class EncodedNode {
  enum Content {
    case none
    case value(Value)
    case list([EncodedNode])
    case map([Value.Key: EncodedNode])
  }

  var content = Content.none

  /// The finished value. Recursion is as deep as the type's own encoding was.
  var value: Value? {
    switch content {
    case .none: return nil
    case .value(let value): return value
    case .list(let nodes): return .list(nodes.map { $0.value ?? .map([:]) })
    case .map(let nodes):
      var entries = [Value.Key: Value](minimumCapacity: nodes.count)
      for (name, node) in nodes { entries[name] = node.value ?? .map([:]) }
      return .map(entries)
    }
  }
}

private struct ValueEncoder: Encoder {
  let codingPath: [any CodingKey]
  let userInfo: [CodingUserInfoKey: Any] = [:]
  let foreign: (any Encodable) -> Value?
  let node: EncodedNode

  init(
    codingPath: [any CodingKey], foreign: @escaping (any Encodable) -> Value?,
    node: EncodedNode = EncodedNode()
  ) {
    self.codingPath = codingPath
    self.foreign = foreign
    self.node = node
  }

  /// The value of an encodable; one that encodes nothing is an empty map.
  func value(of encodable: some Encodable) throws -> Value {
    try encode(encodable)
    return node.value ?? .map([:])
  }

  func encode(_ encodable: some Encodable) throws {
    guard codingPath.count < maximumValueDepth else {
      throw EncodingError.invalidValue(
        encodable,
        .init(
          codingPath: codingPath,
          debugDescription: "nested deeper than \(maximumValueDepth) levels"))
    }
    if let value = encodable as? Value {
      node.content = .value(value)
    } else if let value = foreign(encodable) {
      node.content = .value(value)
    } else {
      try encodable.encode(to: self)
    }
  }

  /// An encoder for a part of this one's value.
  func nested(_ key: any CodingKey, _ node: EncodedNode) -> ValueEncoder {
    ValueEncoder(codingPath: codingPath + [key], foreign: foreign, node: node)
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    if case .map = node.content {} else { node.content = .map([:]) }
    return KeyedEncodingContainer(KeyedContainer<Key>(encoder: self))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    if case .list = node.content {} else { node.content = .list([]) }
    return UnkeyedContainer(encoder: self)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer {
    SingleContainer(encoder: self)
  }
}

/// A place of an encoded list, or the way to a superclass.
private struct PositionKey: CodingKey {
  var stringValue: String
  var intValue: Int?

  init(stringValue: String) { self.stringValue = stringValue }
  init(intValue: Int) {
    stringValue = "[\(intValue)]"
    self.intValue = intValue
  }
}

private struct KeyedContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let encoder: ValueEncoder
  var codingPath: [any CodingKey] { encoder.codingPath }

  private func entry(_ key: any CodingKey) -> ValueEncoder {
    let node = EncodedNode()
    if case .map(var entries) = encoder.node.content {
      encoder.node.content = .none
      entries[.string(key.stringValue)] = node
      encoder.node.content = .map(entries)
    }
    return encoder.nested(key, node)
  }

  mutating func encodeNil(forKey key: Key) { entry(key).node.content = .value(.null) }

  mutating func encode(_ value: some Encodable, forKey key: Key) throws {
    try entry(key).encode(value)
  }

  mutating func nestedContainer<NestedKey: CodingKey>(
    keyedBy keyType: NestedKey.Type, forKey key: Key
  ) -> KeyedEncodingContainer<NestedKey> {
    entry(key).container(keyedBy: keyType)
  }

  mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    entry(key).unkeyedContainer()
  }

  mutating func superEncoder() -> any Encoder { entry(PositionKey(stringValue: "super")) }
  mutating func superEncoder(forKey key: Key) -> any Encoder { entry(key) }
}

private struct UnkeyedContainer: UnkeyedEncodingContainer {
  let encoder: ValueEncoder
  var codingPath: [any CodingKey] { encoder.codingPath }
  var count: Int {
    if case .list(let nodes) = encoder.node.content { nodes.count } else { 0 }
  }

  private func next() -> ValueEncoder {
    let node = EncodedNode()
    let position = count
    if case .list(var nodes) = encoder.node.content {
      // Take it out first, to avoid copying the list.
      encoder.node.content = .none
      nodes.append(node)
      encoder.node.content = .list(nodes)
    }
    return encoder.nested(PositionKey(intValue: position), node)
  }

  mutating func encodeNil() { next().node.content = .value(.null) }
  mutating func encode(_ value: some Encodable) throws { try next().encode(value) }

  mutating func nestedContainer<NestedKey: CodingKey>(
    keyedBy keyType: NestedKey.Type
  ) -> KeyedEncodingContainer<NestedKey> { next().container(keyedBy: keyType) }

  mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
    next().unkeyedContainer()
  }

  mutating func superEncoder() -> any Encoder { next() }
}

private struct SingleContainer: SingleValueEncodingContainer {
  let encoder: ValueEncoder
  var codingPath: [any CodingKey] { encoder.codingPath }

  private func set(_ value: Value) { encoder.node.content = .value(value) }

  mutating func encodeNil() { set(.null) }
  mutating func encode(_ value: Bool) { set(.bool(value)) }
  mutating func encode(_ value: String) { set(.string(value)) }
  mutating func encode(_ value: Double) { set(.double(value)) }
  mutating func encode(_ value: Float) { set(.double(Double(value))) }
  mutating func encode(_ value: Int) { set(.int(Int64(value))) }
  mutating func encode(_ value: Int8) { set(.int(Int64(value))) }
  mutating func encode(_ value: Int16) { set(.int(Int64(value))) }
  mutating func encode(_ value: Int32) { set(.int(Int64(value))) }
  mutating func encode(_ value: Int64) { set(.int(value)) }
  mutating func encode(_ value: UInt) { set(.unsigned(UInt64(value))) }
  mutating func encode(_ value: UInt8) { set(.int(Int64(value))) }
  mutating func encode(_ value: UInt16) { set(.int(Int64(value))) }
  mutating func encode(_ value: UInt32) { set(.int(Int64(value))) }
  mutating func encode(_ value: UInt64) { set(.unsigned(value)) }
  mutating func encode(_ value: some Encodable) throws { try encoder.encode(value) }
}

extension Value {
  /// An int where the number fits one, otherwise a uint: a filter compares with ints.
  fileprivate static func unsigned(_ number: UInt64) -> Value {
    Int64(exactly: number).map { .int($0) } ?? .uint(number)
  }
}
