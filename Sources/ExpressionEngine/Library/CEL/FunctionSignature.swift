/// The text of a signature of the cel library, taken apart: `string.replace(string, string) -> string`.
///
/// What stands before the last dot is the receiver when it is a type (`string`, `list(A)`,
/// `net.CIDR`), and part of the name otherwise (`math.abs`). The types are read by ``Overload``, which
/// the checker reads signatures with, too.
struct FunctionSignature: Sendable, Hashable {
  /// The name that is called, with its name space.
  let name: String
  /// Whether the first parameter is the receiver.
  let isMember: Bool
  /// The types of the parameters, the receiver's first; a variadic one is left out.
  let parameters: [Type]
  /// Whether it takes any number of arguments (`...`).
  let isVariadic: Bool
  /// The type of the result.
  let result: Type

  /// The names of types that a receiver may have.
  private static let receivers: Set<String> = Set(
    CELStandard.types + ExtensionLibrary.allCases.flatMap(\.types) + ["timestamp", "duration"])

  /// Reads a signature; `nil` if the text is none.
  init?(_ text: String) {
    guard let head = Self.head(of: text) else { return nil }
    let dot = head.utf8.lastIndex(of: UInt8(ascii: "."))
    let receiver = dot.map { head[..<$0] } ?? ""
    isMember = Self.receivers.contains(String(receiver.prefix { $0 != "(" }))
    if isMember, let dot {
      name = String(head[head.index(after: dot)...])
    } else {
      name = String(head)
    }
    guard let overload = try? Overload(name, signature: text) else { return nil }
    let given = overload.isVariadic ? Array(overload.parameters.dropLast()) : overload.parameters
    parameters = ([overload.receiver].compactMap { $0 } + given).compactMap(\.alternatives.first)
    isVariadic = overload.isVariadic
    result = overload.result
    guard (parameters + [result]).allSatisfy({ $0.kinds != nil }) else { return nil }
  }

  /// What stands before the parentheses of the parameters, which are the last ones before the arrow.
  private static func head(of text: String) -> Substring? {
    let bytes = text.utf8
    guard let arrow = bytes.lastIndex(of: UInt8(ascii: ">")) else { return nil }
    var depth = 0
    for index in bytes[..<arrow].indices.reversed() {
      if bytes[index] == UInt8(ascii: ")") { depth += 1 }
      guard bytes[index] == UInt8(ascii: "(") else { continue }
      depth -= 1
      if depth == 0 { return text[..<index] }
    }
    return nil
  }
}

extension Type {
  /// The kinds of value that the type admits; `nil` for one that no library has.
  var kinds: SlotKinds? {
    switch self {
    case .bool: return .bool
    case .int: return .int
    case .uint: return .uint
    case .double: return .double
    case .string: return .string
    case .bytes: return SlotKinds(.bytes)
    case .null: return SlotKinds(.null)
    case .timestamp: return SlotKinds(.timestamp)
    case .duration: return SlotKinds(.duration)
    case .list: return .list
    case .map: return .map
    case .type: return SlotKinds(.type)
    case .optional: return SlotKinds(.optional)
    case .abstract("net.IP", _), .abstract("net.CIDR", _): return SlotKinds(.network)
    case .dyn, .any, .parameter: return .any
    case .error, .wrapper, .abstract, .variable: return nil
    }
  }
}
