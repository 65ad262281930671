extension Value: CustomStringConvertible {
  /// The value as a literal; see ``literal``.
  public var description: String { literal }

  /// The value as a literal or constructor call of the `cel` dialect.
  ///
  ///     5    5u    1.0    double("NaN")    true    null    "text"    b"\xff"    [1, "a"]
  ///     {"a": 1, "b": [2]}    timestamp("2024-02-29T12:34:56Z")    duration("1.5s")
  ///     optional.of(1)    optional.none()    ip("::1")    cidr("10.0.0.0/8")    int
  ///     function("size", {"a": 1})
  ///
  /// Maps print in a fixed order: bool, int, uint and string keys, each kind in its own order. The
  /// text parses back to the same value; only `function(…)` has no counterpart in the language.
  public var literal: String {
    var text = ""
    writeLiteral(to: &text)
    return text
  }

  /// The name of the value's kind, as `value : kind` shows it: `int`, `uint`, `double`, `bool`,
  /// `string`, `bytes`, `list`, `map`, `null`, `timestamp`, `duration`, `function`, `type`,
  /// `optional`, `net.IP` or `net.CIDR`.
  public var kindName: String {
    switch self {
    case .null: "null"
    case .bool: "bool"
    case .int: "int"
    case .uint: "uint"
    case .double: "double"
    case .string: "string"
    case .bytes: "bytes"
    case .list: "list"
    case .map: "map"
    case .timestamp: "timestamp"
    case .duration: "duration"
    case .function: "function"
    case .type: "type"
    case .optional: "optional"
    case .network(let network): network.prefixLength == nil ? "net.IP" : "net.CIDR"
    }
  }

  private func writeLiteral(to text: inout String) {
    switch self {
    case .null: text += "null"
    case .bool(let value): text += value ? "true" : "false"
    case .int(let value): text += String(value)
    case .uint(let value): text += "\(value)u"
    case .double(let value):
      text += value.isFinite ? value.shortestText : "double(\"\(value.shortestText)\")"
    case .string(let value): text += value.quotedLiteral
    case .bytes(let value): text += value.bytesLiteral
    case .timestamp(let value): text += "timestamp(\"\(value.rfc3339Text)\")"
    case .duration(let value): text += "duration(\"\(value.secondsText)\")"
    case .type(let name): text += name
    case .network(let network):
      text += network.prefixLength == nil ? "ip(" : "cidr("
      text += "\"\(network.text)\")"
    case .function(let name, let receiver):
      text += "function(\(name.quotedLiteral)"
      if let receiver {
        text += ", "
        receiver.writeLiteral(to: &text)
      }
      text += ")"
    case .optional(nil): text += "optional.none()"
    case .optional(let content?):
      text += "optional.of("
      content.writeLiteral(to: &text)
      text += ")"
    case .list(let elements):
      text += "["
      for (index, element) in elements.enumerated() {
        if index > 0 { text += ", " }
        element.writeLiteral(to: &text)
      }
      text += "]"
    case .map(let entries):
      text += "{"
      let sorted = entries.sorted { $0.key.isPrinted(before: $1.key) }
      for (index, entry) in sorted.enumerated() {
        if index > 0 { text += ", " }
        text += entry.key.literal
        text += ": "
        entry.value.writeLiteral(to: &text)
      }
      text += "}"
    }
  }
}

extension Value.Key: CustomStringConvertible {
  /// The key as a literal; see ``literal``.
  public var description: String { literal }

  /// The key as a literal of the `cel` dialect: `true`, `1`, `1u`, `"a"`.
  public var literal: String {
    switch self {
    case .uint(let value): "\(value)u"
    case .string(let value): value.quotedLiteral
    case .bool, .int: text
    }
  }

  /// The key's content as text, without quotes or suffix.
  public var text: String {
    switch self {
    case .bool(let value): value ? "true" : "false"
    case .int(let value): String(value)
    case .uint(let value): String(value)
    case .string(let value): value
    }
  }

  /// The key as a value.
  public var value: Value {
    switch self {
    case .bool(let value): .bool(value)
    case .int(let value): .int(value)
    case .uint(let value): .uint(value)
    case .string(let value): .string(value)
    }
  }

  /// Creates a key from a value, or `nil` if the value is not a bool, int, uint or string.
  public init?(_ value: Value) {
    switch value {
    case .bool(let value): self = .bool(value)
    case .int(let value): self = .int(value)
    case .uint(let value): self = .uint(value)
    case .string(let value): self = .string(value)
    default: return nil
    }
  }

  /// The rank of the key's kind in printed maps.
  package var rank: Int {
    switch self {
    case .bool: 0
    case .int: 1
    case .uint: 2
    case .string: 3
    }
  }

  /// Returns whether the key prints before `other`. The languages do not define this order.
  func isPrinted(before other: Value.Key) -> Bool {
    switch (self, other) {
    case (.bool(let left), .bool(let right)): !left && right
    case (.int(let left), .int(let right)): left < right
    case (.uint(let left), .uint(let right)): left < right
    case (.string(let left), .string(let right)):
      left.utf8.lexicographicallyPrecedes(right.utf8)
    default: rank < other.rank
    }
  }
}

extension String {
  /// The text in double quotes, with escapes that both dialects read.
  ///
  /// Quotes, backslashes and all invisible characters are escaped: control and format characters,
  /// line and paragraph separators, private and unassigned code points.
  var quotedLiteral: String {
    var result = "\""
    for scalar in unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      case " "..."~": result.unicodeScalars.append(scalar)
      default:
        if scalar.isVisible {
          result.unicodeScalars.append(scalar)
        } else if scalar.value <= 0xFFFF {
          result += "\\u" + scalar.value.hexText(digits: 4)
        } else {
          result += "\\U" + scalar.value.hexText(digits: 8)
        }
      }
    }
    return result + "\""
  }
}

extension Unicode.Scalar {
  /// Whether the character is visible in text.
  fileprivate var isVisible: Bool {
    switch properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse,
      .unassigned:
      false
    case .spaceSeparator: self == " "
    default: true
    }
  }
}

extension UInt32 {
  /// Returns the number in lower-case hexadecimal with leading zeros.
  fileprivate func hexText(digits: Int) -> String {
    let text = String(self, radix: 16)
    return String(repeating: "0", count: Swift.max(0, digits - text.utf8.count)) + text
  }
}

extension [UInt8] {
  /// The octets as a bytes literal: printable ASCII unchanged, everything else as `\xHH`.
  var bytesLiteral: String {
    var result = "b\""
    for byte in self {
      switch byte {
      case UInt8(ascii: "\""): result += "\\\""
      case UInt8(ascii: "\\"): result += "\\\\"
      case UInt8(ascii: "\n"): result += "\\n"
      case UInt8(ascii: "\r"): result += "\\r"
      case UInt8(ascii: "\t"): result += "\\t"
      case 0x20..<0x7F: result.unicodeScalars.append(Unicode.Scalar(byte))
      default: result += "\\x" + UInt32(byte).hexText(digits: 2)
      }
    }
    return result + "\""
  }
}
