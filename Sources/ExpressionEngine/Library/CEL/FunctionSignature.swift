/// The text of a signature, taken apart: `string.replace(string, string) -> string`.
///
/// What stands before the last dot is the receiver when it is a type (`string`, `list(A)`,
/// `net.CIDR`), and part of the name otherwise (`math.abs`).
struct FunctionSignature: Sendable, Hashable {
  /// The name that is called, with its name space.
  let name: String
  /// Whether the first parameter is the receiver.
  let isMember: Bool
  /// The types of the parameters, the receiver's first.
  let parameters: [String]
  /// Whether it takes any number of arguments (`...`).
  let isVariadic: Bool
  /// The type of the result.
  let result: String

  /// The types that have no parameters.
  private static let simpleTypes: Set<String> = [
    "bool", "int", "uint", "double", "string", "bytes", "null_type", "dyn", "timestamp",
    "duration", "type", "net.IP", "net.CIDR", "A", "B", "K", "V", "T",
  ]

  /// The types that have parameters.
  private static let genericTypes: Set<String> = ["list", "map", "optional_type", "type"]

  /// Reads a signature; `nil` if the text is none.
  init?(_ text: String) {
    let bytes = Array(text.utf8)
    guard let open = Self.parameterList(bytes) else { return nil }
    let head = bytes[..<(open.lowerBound - 1)]
    let tail = bytes[open.upperBound...]
    guard tail.starts(with: ") -> ".utf8) else { return nil }
    result = String(decoding: tail.dropFirst(5), as: UTF8.self)
    guard Self.kinds(ofType: result) != nil else { return nil }

    var types = Self.split(bytes[open])
    isVariadic = types.last == "..."
    if isVariadic { types.removeLast() }
    if let dot = head.lastIndex(of: UInt8(ascii: ".")) {
      let receiver = String(decoding: head[..<dot], as: UTF8.self)
      if Self.kinds(ofType: receiver) != nil {
        isMember = true
        name = String(decoding: head[(dot + 1)...], as: UTF8.self)
        types.insert(receiver, at: 0)
      } else {
        isMember = false
        name = String(decoding: head, as: UTF8.self)
      }
    } else {
      isMember = false
      name = String(decoding: head, as: UTF8.self)
    }
    guard types.allSatisfy({ Self.kinds(ofType: $0) != nil }) else { return nil }
    parameters = types
  }

  /// The range between the parentheses of the parameters: the last ones before the arrow.
  private static func parameterList(_ bytes: [UInt8]) -> Range<Int>? {
    guard let arrow = bytes.indices.last(where: { bytes[$0...].starts(with: ") -> ".utf8) })
    else { return nil }
    var depth = 0
    for index in bytes[..<arrow].indices.reversed() {
      if bytes[index] == UInt8(ascii: ")") { depth += 1 }
      if bytes[index] == UInt8(ascii: "(") {
        if depth == 0 { return index + 1..<arrow }
        depth -= 1
      }
    }
    return nil
  }

  /// The types between commas outside parentheses.
  private static func split(_ bytes: ArraySlice<UInt8>) -> [String] {
    var types: [String] = []
    var current: [UInt8] = []
    var depth = 0
    for byte in bytes {
      if byte == UInt8(ascii: "(") { depth += 1 }
      if byte == UInt8(ascii: ")") { depth -= 1 }
      if byte == UInt8(ascii: ","), depth == 0 {
        types.append(String(decoding: current, as: UTF8.self))
        current = []
      } else if byte != UInt8(ascii: " ") || !current.isEmpty {
        current.append(byte)
      }
    }
    if !current.isEmpty { types.append(String(decoding: current, as: UTF8.self)) }
    return types
  }

  /// The kinds of value that a type admits; `nil` if the text is no type.
  static func kinds(ofType type: String) -> SlotKinds? {
    if let open = type.utf8.firstIndex(of: UInt8(ascii: "(")) {
      guard type.utf8.last == UInt8(ascii: ")"), genericTypes.contains(String(type[..<open]))
      else { return nil }
      switch type[..<open] {
      case "list": return .list
      case "map": return .map
      case "type": return SlotKinds(.type)
      default: return SlotKinds(.optional)
      }
    }
    guard simpleTypes.contains(type) else { return nil }
    switch type {
    case "bool": return .bool
    case "int": return .int
    case "uint": return .uint
    case "double": return .double
    case "string": return .string
    case "bytes": return SlotKinds(.bytes)
    case "null_type": return SlotKinds(.null)
    case "timestamp": return SlotKinds(.timestamp)
    case "duration": return SlotKinds(.duration)
    case "type": return SlotKinds(.type)
    case "net.IP", "net.CIDR": return SlotKinds(.network)
    default: return .any
    }
  }
}
