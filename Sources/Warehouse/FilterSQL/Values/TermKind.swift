import ExpressionEngine

/// The kind of a term, as the language tells kinds apart.
enum TermKind: Sendable, Hashable {
  case null, bool, int, uint, double, string, bytes, list, map, timestamp, duration, function, type
  case optional, network

  /// A value of the kind.
  var example: Value {
    switch self {
    case .null: .null
    case .bool: .bool(false)
    case .int: .int(0)
    case .uint: .uint(0)
    case .double: .double(0)
    case .string: .string("")
    case .bytes: .bytes([])
    case .list: .list([])
    case .map: .map([:])
    case .timestamp: .timestamp(Value.Timestamp(seconds: 0))
    case .duration: .duration(Value.Duration(seconds: 0))
    case .function: .function(name: "", receiver: nil)
    case .type: .type("int")
    case .optional: .optional(nil)
    case .network: .network(NetworkValue(octets: [0, 0, 0, 0]))
    }
  }

  /// Whether values of the kind are numbers.
  var isNumeric: Bool { self == .int || self == .uint || self == .double }

  /// The name of the type in the cel dialect.
  var typeName: String? {
    switch self {
    case .null: "null_type"
    case .bool: "bool"
    case .int: "int"
    case .uint: "uint"
    case .double: "double"
    case .string: "string"
    case .bytes: "bytes"
    case .list: "list"
    case .map: "map"
    case .timestamp: "google.protobuf.Timestamp"
    case .duration: "google.protobuf.Duration"
    case .optional: "optional_type"
    case .type: "type"
    case .function, .network: nil
    }
  }

  init(_ value: Value) {
    switch value {
    case .null: self = .null
    case .bool: self = .bool
    case .int: self = .int
    case .uint: self = .uint
    case .double: self = .double
    case .string: self = .string
    case .bytes: self = .bytes
    case .list: self = .list
    case .map: self = .map
    case .timestamp: self = .timestamp
    case .duration: self = .duration
    case .function: self = .function
    case .type: self = .type
    case .optional: self = .optional
    case .network: self = .network
    }
  }
}

extension FilterTranslator {
  /// The kind of a term that is no failure.
  func kind(of term: Term) -> TermKind {
    switch term {
    case .constant(let value): TermKind(value)
    case .bool: .bool
    case .int: .int
    case .uint: .uint
    case .double: .double
    case .string: .string
    case .bytes: .bytes
    case .timestamp: .timestamp
    case .list, .tuple, .jsonArray: .list
    case .record, .jsonObject: .map
    case .optional: .optional
    case .function, .failure: .function
    }
  }
}
