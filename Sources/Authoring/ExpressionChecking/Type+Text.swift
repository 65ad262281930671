extension Type {
  /// The type as text, the form that `init(text:)` reads: `map(string, list(int))`.
  package var text: String {
    var text = ""
    write(to: &text)
    return text
  }

  private func write(to text: inout String) {
    switch self {
    case .bool: text += "bool"
    case .int: text += "int"
    case .uint: text += "uint"
    case .double: text += "double"
    case .string: text += "string"
    case .bytes: text += "bytes"
    case .null: text += "null_type"
    case .timestamp: text += "timestamp"
    case .duration: text += "duration"
    case .dyn: text += "dyn"
    case .any: text += "any"
    case .error: text += "error"
    case .list: text += "list"
    case .map: text += "map"
    case .type: text += "type"
    case .wrapper: text += "wrapper"
    case .optional: text += "optional_type"
    case .abstract(let name, _): text += name
    case .parameter(let name): text += "$\(name)"
    case .variable(let number): text += "$\(number)"
    }
    var separator = "("
    for argument in arguments {
      text += separator
      argument.write(to: &text)
      separator = ", "
    }
    if separator != "(" { text += ")" }
  }

  /// Reads a type from its text.
  ///
  /// The names are `bool int uint double string bytes null_type timestamp duration dyn any error`,
  /// `list(T)`, `map(K, V)`, `type(T)`, `wrapper(T)`, `optional_type(T)`; a `$` before a name, or
  /// one capital letter, is a type parameter; every other dotted name is an abstract type, with or
  /// without parameters. A container without its parameters holds `dyn`. `null`, `optional(T)` and
  /// the names under `google.protobuf` of times, `Any` and wrappers are understood as well.
  ///
  /// - Throws: `TypeTextError` if the text is something else, or larger than a type can be.
  package init(text: String) throws(TypeTextError) {
    var reader = TypeReader(text)
    self = try reader.type()
    guard reader.isAtEnd else { throw reader.failure("unexpected text after the type") }
  }
}

/// Thrown when a text is not a type or not a signature.
package struct TypeTextError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The text that was read.
  package let text: String
  /// Where it went wrong, in UTF-8 bytes from the start.
  package let offset: Int
  /// The problem.
  package let message: String

  /// A message of one line that is complete in itself.
  package var description: String { "`\(text)`: \(message) at offset \(offset)" }
}

/// Reads types, and lists of types, from the front of a text.
struct TypeReader {
  private let text: String
  private let bytes: [UInt8]
  private(set) var position = 0
  /// The number of types that may still follow; it bounds the recursion as well.
  private var budget = Type.maximumSize

  init(_ text: String) {
    self.text = text
    bytes = Array(text.utf8)
  }

  var isAtEnd: Bool {
    mutating get {
      skipSpaces()
      return position == bytes.count
    }
  }

  func failure(_ message: String) -> TypeTextError {
    TypeTextError(text: text, offset: position, message: message)
  }

  private mutating func skipSpaces() {
    while position < bytes.count, bytes[position] == UInt8(ascii: " ") { position += 1 }
  }

  /// Takes `token` if it comes next.
  mutating func take(_ token: String) -> Bool {
    skipSpaces()
    guard bytes[position...].starts(with: token.utf8) else { return false }
    position += token.utf8.count
    return true
  }

  /// Takes a name with dots, which may be empty.
  private mutating func takeName() -> String {
    skipSpaces()
    let start = position
    while position < bytes.count {
      switch bytes[position] {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "_"), UInt8(ascii: "@"):
        position += 1
      case UInt8(ascii: "0")...UInt8(ascii: "9") where position > start: position += 1
      case UInt8(ascii: ".") where position > start && !isDots(at: position): position += 1
      default: return String(decoding: bytes[start..<position], as: UTF8.self)
      }
    }
    return String(decoding: bytes[start..<position], as: UTF8.self)
  }

  private func isDots(at index: Int) -> Bool { bytes[index...].starts(with: "..".utf8) }

  /// Takes alternatives: `int`, `int | uint`.
  mutating func alternatives() throws(TypeTextError) -> [Type] {
    var types = [try type()]
    while take("|") { types.append(try type()) }
    return types
  }

  /// Takes a type.
  mutating func type() throws(TypeTextError) -> Type {
    budget -= 1
    guard budget >= 0 else { throw failure("the type is too large") }
    if take("$") {
      let name = takeName()
      guard !name.isEmpty, !name.contains(".") else {
        throw failure("a type parameter needs a name")
      }
      return .parameter(name)
    }
    let name = takeName()
    guard !name.isEmpty, name.utf8.last != UInt8(ascii: ".") else {
      throw failure("expected a type")
    }
    if let simple = Self.simpleTypes[name] { return simple }
    if let scalar = name.utf8.first, name.utf8.count == 1,
      (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(scalar)
    {
      return .parameter(name)
    }
    let arguments = try typeArguments()
    return try composite(name, arguments: arguments)
  }

  private mutating func typeArguments() throws(TypeTextError) -> [Type]? {
    guard take("(") else { return nil }
    var arguments: [Type] = []
    while !take(")") {
      guard arguments.isEmpty || take(",") else { throw failure("expected `,` or `)`") }
      arguments.append(try type())
    }
    return arguments
  }

  private func composite(
    _ name: String, arguments: [Type]?
  ) throws(TypeTextError) -> Type {
    guard let count = Self.arity[name] else { return .abstract(name, arguments ?? []) }
    let types = arguments ?? Array(repeating: .dyn, count: count)
    guard types.count == count else {
      throw failure("`\(name)` takes \(count == 1 ? "one type" : "\(count) types")")
    }
    switch name {
    case "list": return .list(types[0])
    case "map": return .map(types[0], types[1])
    case "type": return .type(types[0])
    case "wrapper": return .wrapper(types[0])
    default: return .optional(types[0])
    }
  }

  private static let arity = [
    "list": 1, "map": 2, "type": 1, "wrapper": 1, "optional_type": 1, "optional": 1,
  ]

  private static let simpleTypes: [String: Type] = [
    "bool": .bool, "int": .int, "uint": .uint, "double": .double, "string": .string,
    "bytes": .bytes, "null_type": .null, "null": .null, "timestamp": .timestamp,
    "duration": .duration, "dyn": .dyn, "any": .any, "error": .error,
    "google.protobuf.Timestamp": .timestamp, "google.protobuf.Duration": .duration,
    "google.protobuf.Any": .any, "google.protobuf.Value": .dyn,
    "google.protobuf.ListValue": .list(.dyn), "google.protobuf.Struct": .map(.string, .dyn),
    "google.protobuf.BoolValue": .wrapper(.bool), "google.protobuf.BytesValue": .wrapper(.bytes),
    "google.protobuf.DoubleValue": .wrapper(.double),
    "google.protobuf.FloatValue": .wrapper(.double), "google.protobuf.Int32Value": .wrapper(.int),
    "google.protobuf.Int64Value": .wrapper(.int), "google.protobuf.StringValue": .wrapper(.string),
    "google.protobuf.UInt32Value": .wrapper(.uint), "google.protobuf.UInt64Value": .wrapper(.uint),
  ]
}
