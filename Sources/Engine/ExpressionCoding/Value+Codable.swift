public import ExpressionEngine

extension Value: Codable {
  /// Reads a value from any decoder, as plain JSON is read: null, bools, integers, doubles,
  /// strings, arrays and objects.
  ///
  /// A decoder that does not distinguish `5` from `5.0` yields an int for both;
  /// `init(json:reading:)-(String,_)` keeps them apart.
  public init(from decoder: any Decoder) throws {
    if let container = try? decoder.container(keyedBy: ValueKey.self) {
      var entries: [Key: Self] = [:]
      for key in container.allKeys {
        entries[.string(key.stringValue)] = try container.decode(Self.self, forKey: key)
      }
      self = .map(entries)
    } else if var container = try? decoder.unkeyedContainer() {
      var elements: [Self] = []
      while !container.isAtEnd { elements.append(try container.decode(Self.self)) }
      self = .list(elements)
    } else {
      self = try Self(scalar: decoder.singleValueContainer())
    }
  }

  private init(scalar container: any SingleValueDecodingContainer) throws {
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(Bool.self) {
      self = .bool(value)
    } else if let value = try? container.decode(Int64.self) {
      self = .int(value)
    } else if let value = try? container.decode(UInt64.self) {
      self = .uint(value)
    } else if let value = try? container.decode(Double.self) {
      self = .double(value)
    } else {
      self = .string(try container.decode(String.self))
    }
  }

  /// Writes the value to any encoder as `JSONStyle/plain` has it: maps as keyed containers with
  /// their keys as text, lists as unkeyed ones, and what plain data does not have as text.
  public func encode(to encoder: any Encoder) throws {
    switch self {
    case .map(let entries):
      var container = encoder.container(keyedBy: ValueKey.self)
      for (key, value) in Self.sortedByText(entries) {
        try container.encode(value, forKey: ValueKey(stringValue: key))
      }
    case .list(let elements):
      var container = encoder.unkeyedContainer()
      for element in elements { try container.encode(element) }
    case .optional(let content?): try content.encode(to: encoder)
    default:
      var container = encoder.singleValueContainer()
      switch self {
      case .bool(let value): try container.encode(value)
      case .int(let value): try container.encode(value)
      case .uint(let value): try container.encode(value)
      case .double(let value): try container.encode(value)
      case .string(let value): try container.encode(value)
      case .bytes(let value): try container.encode(value.base64Text)
      case .timestamp(let value): try container.encode(value.rfc3339Text)
      case .duration(let value): try container.encode(value.secondsText)
      case .type(let name): try container.encode(name)
      case .function(let name, _): try container.encode(name)
      case .network(let value): try container.encode(value.text)
      case .null, .optional, .list, .map: try container.encodeNil()
      }
    }
  }
}

/// A key made at run time, a member name or an index.
struct ValueKey: CodingKey {
  let stringValue: String
  let intValue: Int?

  init(stringValue: String) {
    self.stringValue = stringValue
    intValue = nil
  }

  init(intValue: Int) {
    stringValue = String(intValue)
    self.intValue = intValue
  }
}
