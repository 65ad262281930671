public import ExpressionEngine

extension Value {
  /// Decodes a `Decodable` type from the value, the counterpart of ``init(encoding:)``.
  ///
  /// ```swift
  /// struct User: Decodable { var name: String; var age: Int }
  /// let user = try value.decode(User.self)
  /// ```
  ///
  /// Maps are keyed containers, lists unkeyed ones. Integers fit every number type that can hold
  /// them exactly, doubles only floating-point types. A type that encodes itself as a `Value` gets
  /// it unchanged.
  ///
  /// - Throws: `DecodingError` with the path to what does not fit, or what the type throws.
  public func decode<Result: Decodable>(_ type: Result.Type = Result.self) throws -> Result {
    try ValueDecoder(value: self, codingPath: []).decode(type)
  }
}

private struct ValueDecoder: Decoder {
  let value: Value
  let codingPath: [any CodingKey]
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func decode<Result: Decodable>(_ type: Result.Type) throws -> Result {
    if let value = value as? Result { return value }
    guard codingPath.count < maximumValueDepth else {
      throw DecodingError.dataCorrupted(context("nested deeper than \(maximumValueDepth) levels"))
    }
    return try Result(from: self)
  }

  func nested(_ value: Value, _ key: any CodingKey) -> ValueDecoder {
    ValueDecoder(value: value, codingPath: codingPath + [key])
  }

  func context(_ reason: String) -> DecodingError.Context {
    DecodingError.Context(codingPath: codingPath, debugDescription: reason)
  }

  func mismatch<Wanted>(_ type: Wanted.Type) -> DecodingError {
    value.isNull
      ? .valueNotFound(type, context("null in place of \(type)"))
      : .typeMismatch(type, context("\(value.kindName) in place of \(type)"))
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    guard let entries = value.mapValue else { throw mismatch([String: Value].self) }
    return KeyedDecodingContainer(KeyedContainer<Key>(decoder: self, entries: entries))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard let elements = value.listValue else { throw mismatch([Value].self) }
    return UnkeyedContainer(decoder: self, elements: elements)
  }

  func singleValueContainer() -> any SingleValueDecodingContainer {
    SingleContainer(decoder: self)
  }

  func bool() throws -> Bool {
    guard let bool = value.boolValue else { throw mismatch(Bool.self) }
    return bool
  }

  func string() throws -> String {
    guard let string = value.stringValue else { throw mismatch(String.self) }
    return string
  }

  func float<Float: BinaryFloatingPoint>(_ type: Float.Type) throws -> Float {
    guard let double = value.doubleValue else { throw mismatch(type) }
    return Float(double)
  }

  func integer<Integer: FixedWidthInteger>(_ type: Integer.Type) throws -> Integer {
    let result: Integer?
    switch value {
    case .int(let int): result = Integer(exactly: int)
    case .uint(let uint): result = Integer(exactly: uint)
    default: throw mismatch(type)
    }
    guard let result else {
      throw DecodingError.dataCorrupted(context("the \(value.kindName) does not fit \(type)"))
    }
    return result
  }
}

private struct KeyedContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let decoder: ValueDecoder
  let entries: [Value.Key: Value]

  var codingPath: [any CodingKey] { decoder.codingPath }
  var allKeys: [Key] {
    entries.keys.compactMap { key in
      guard case .string(let name) = key else { return nil }
      return Key(stringValue: name)
    }
  }

  private func entry(_ key: any CodingKey) throws -> ValueDecoder {
    guard let value = entries[.string(key.stringValue)] else {
      throw DecodingError.keyNotFound(key, decoder.context("no entry \(key.stringValue)"))
    }
    return decoder.nested(value, key)
  }

  func contains(_ key: Key) -> Bool { entries[.string(key.stringValue)] != nil }
  func decodeNil(forKey key: Key) throws -> Bool { try entry(key).value.isNull }
  func decode<Result: Decodable>(_ type: Result.Type, forKey key: Key) throws -> Result {
    try entry(key).decode(type)
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> { try entry(key).container(keyedBy: type) }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try entry(key).unkeyedContainer()
  }

  func superDecoder() throws -> any Decoder { try entry(ValueKey(stringValue: "super")) }
  func superDecoder(forKey key: Key) throws -> any Decoder { try entry(key) }
}

private struct UnkeyedContainer: UnkeyedDecodingContainer {
  let decoder: ValueDecoder
  let elements: [Value]
  private(set) var currentIndex = 0

  init(decoder: ValueDecoder, elements: [Value]) {
    self.decoder = decoder
    self.elements = elements
  }

  var codingPath: [any CodingKey] { decoder.codingPath }
  var count: Int? { elements.count }
  var isAtEnd: Bool { currentIndex >= elements.count }

  private mutating func next<Wanted>(_ type: Wanted.Type) throws -> ValueDecoder {
    guard !isAtEnd else {
      throw DecodingError.valueNotFound(type, decoder.context("the list has no more elements"))
    }
    defer { currentIndex += 1 }
    return decoder.nested(elements[currentIndex], ValueKey(intValue: currentIndex))
  }

  mutating func decodeNil() throws -> Bool {
    guard !isAtEnd, elements[currentIndex].isNull else { return false }
    currentIndex += 1
    return true
  }

  mutating func decode<Result: Decodable>(_ type: Result.Type) throws -> Result {
    try next(type).decode(type)
  }

  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) throws -> KeyedDecodingContainer<Nested> {
    try next([String: Value].self).container(keyedBy: type)
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    try next([Value].self).unkeyedContainer()
  }

  mutating func superDecoder() throws -> any Decoder { try next(Value.self) }
}

private struct SingleContainer: SingleValueDecodingContainer {
  let decoder: ValueDecoder
  var codingPath: [any CodingKey] { decoder.codingPath }

  func decodeNil() -> Bool { decoder.value.isNull }
  func decode(_ type: Bool.Type) throws -> Bool { try decoder.bool() }
  func decode(_ type: String.Type) throws -> String { try decoder.string() }
  func decode(_ type: Double.Type) throws -> Double { try decoder.float(type) }
  func decode(_ type: Float.Type) throws -> Float { try decoder.float(type) }
  func decode(_ type: Int.Type) throws -> Int { try decoder.integer(type) }
  func decode(_ type: Int8.Type) throws -> Int8 { try decoder.integer(type) }
  func decode(_ type: Int16.Type) throws -> Int16 { try decoder.integer(type) }
  func decode(_ type: Int32.Type) throws -> Int32 { try decoder.integer(type) }
  func decode(_ type: Int64.Type) throws -> Int64 { try decoder.integer(type) }
  func decode(_ type: UInt.Type) throws -> UInt { try decoder.integer(type) }
  func decode(_ type: UInt8.Type) throws -> UInt8 { try decoder.integer(type) }
  func decode(_ type: UInt16.Type) throws -> UInt16 { try decoder.integer(type) }
  func decode(_ type: UInt32.Type) throws -> UInt32 { try decoder.integer(type) }
  func decode(_ type: UInt64.Type) throws -> UInt64 { try decoder.integer(type) }
  func decode<Result: Decodable>(_ type: Result.Type) throws -> Result {
    try decoder.decode(type)
  }
}
