/// A JSON value as the data files hold it.
package enum JSONValue: Decodable, Sendable, Equatable {
  case null
  case bool(Bool)
  case integer(Int64)
  case number(Double)
  case string(String)
  case array([JSONValue])
  case object([String: JSONValue])

  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(Bool.self) {
      self = .bool(value)
    } else if let value = try? container.decode(Int64.self) {
      self = .integer(value)
    } else if let value = try? container.decode(Double.self) {
      self = .number(value)
    } else if let value = try? container.decode(String.self) {
      self = .string(value)
    } else if let value = try? container.decode([JSONValue].self) {
      self = .array(value)
    } else {
      self = .object(try container.decode([String: JSONValue].self))
    }
  }

  /// The value as an application would hold it: `Bool`, `Int`, `Double`, `String`, arrays and
  /// dictionaries of these; JSON `null` becomes `Optional<Any>.none`.
  package var native: Any {
    switch self {
    case .null: return Any?.none as Any
    case .bool(let value): return value
    case .integer(let value): return Int(value)
    case .number(let value): return value
    case .string(let value): return value
    case .array(let items): return items.map(\.native)
    case .object(let members): return members.mapValues(\.native)
    }
  }
}
