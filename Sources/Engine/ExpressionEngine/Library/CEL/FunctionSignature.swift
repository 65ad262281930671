/// A parsed signature of the cel library, as far as calls need it:
/// `string.replace(string, string) -> string`.
///
/// The part before the last dot is the receiver if it is a type (`string`, `list(A)`, `net.CIDR`),
/// and otherwise part of the name (`math.abs`). Of types only the kinds of their values matter
/// here; the checker reads the rest of the same text.
struct FunctionSignature: Sendable {
  /// A parameter of the function.
  struct Parameter: Sendable {
    /// The type as written.
    let text: String
    /// The kinds of value that the type admits.
    let kinds: SlotKinds

    init?(_ text: String) {
      guard let kinds = FunctionSignature.kinds(ofType: text) else { return nil }
      self.text = text
      self.kinds = kinds
    }
  }

  /// The name in calls, including the name space.
  let name: String
  /// Whether the first parameter is the receiver.
  let isMember: Bool
  /// The parameters, the receiver first. A variadic one is not included.
  let parameters: [Parameter]
  /// Whether the function takes any number of arguments (`...`).
  let isVariadic: Bool

  /// The names of types that a receiver may have.
  private static let receivers: Set<String> = Set(
    CELStandard.types + ExtensionLibrary.allCases.flatMap { $0.types } + ["timestamp", "duration"])

  /// Parses a signature. Returns `nil` if the text is not a signature.
  init?(_ text: String) {
    let bytes = Array(text.utf8)
    guard let arrow = bytes.lastIndex(of: UInt8(ascii: ">")),
      let (open, close) = Self.parentheses(in: bytes[..<arrow]),
      Self.kinds(ofType: Self.text(bytes[(arrow + 1)...])) != nil
    else { return nil }
    let dot = bytes[..<open].lastIndex(of: UInt8(ascii: ".")) ?? 0
    let receiver = Self.text(bytes[..<dot])
    isMember = Self.receivers.contains(Self.head(ofType: receiver))
    name = Self.text(isMember ? bytes[(dot + 1)..<open] : bytes[..<open])
    var types = Self.types(in: bytes[(open + 1)..<close])
    isVariadic = types.last == "..."
    // The type before the dots is the one that repeats.
    if isVariadic { types.removeLast(min(2, types.count)) }
    if isMember { types.insert(receiver, at: 0) }
    parameters = types.compactMap { Parameter($0) }
    guard parameters.count == types.count else { return nil }
  }

  /// Returns the parentheses of the parameters, which are the last ones before the arrow.
  private static func parentheses(in bytes: ArraySlice<UInt8>) -> (open: Int, close: Int)? {
    var depth = 0
    var close = 0
    for index in bytes.indices.reversed() {
      if bytes[index] == UInt8(ascii: ")") {
        if depth == 0 { close = index }
        depth += 1
      } else if bytes[index] == UInt8(ascii: "(") {
        depth -= 1
        if depth <= 0 { return depth == 0 ? (index, close) : nil }
      }
    }
    return nil
  }

  /// Returns the parts between commas outside parentheses.
  private static func types(in bytes: ArraySlice<UInt8>) -> [String] {
    var types: [String] = []
    var depth = 0
    var start = bytes.startIndex
    for (index, byte) in zip(bytes.indices, bytes) {
      switch byte {
      case UInt8(ascii: "("): depth += 1
      case UInt8(ascii: ")"): depth -= 1
      case UInt8(ascii: ",") where depth == 0:
        types.append(text(bytes[start..<index]))
        start = index + 1
      default: break
      }
    }
    let last = text(bytes[start...])
    return types.isEmpty && last.isEmpty ? [] : types + [last]
  }

  private static func text(_ bytes: ArraySlice<UInt8>) -> String {
    String(decoding: bytes.drop { $0 == UInt8(ascii: " ") }, as: UTF8.self)
  }

  /// Returns the name of a type without its parenthesized arguments: `list` of `list(A)`.
  private static func head(ofType text: String) -> String { String(text.prefix { $0 != "(" }) }

  /// Returns the kinds of value that a type admits, or `nil` for a type that no library has.
  private static func kinds(ofType text: String) -> SlotKinds? {
    switch head(ofType: text) {
    case "bool": .bool
    case "int": .int
    case "uint": .uint
    case "double": .double
    case "string": .string
    case "bytes": SlotKinds(.bytes)
    case "null_type": SlotKinds(.null)
    case "timestamp": SlotKinds(.timestamp)
    case "duration": SlotKinds(.duration)
    case "list": .list
    case "map": .map
    case "type": SlotKinds(.type)
    case "optional_type": SlotKinds(.optional)
    case "net.IP", "net.CIDR": SlotKinds(.network)
    case "dyn": .any
    // A type parameter.
    case let name where name.utf8.count == 1 && name >= "A" && name <= "Z": .any
    default: nil
    }
  }
}
