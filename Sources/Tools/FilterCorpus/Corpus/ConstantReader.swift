import ExpressionEngine

/// Reads values written as constants of the `cel` dialect, a superset of JSON.
///
///     null  true  5  -5  0x1F  5u  1.5  1e3  "text"  'text'  r"raw"  b"\xff"  [1, 2u]
///     {"a": 1, 2: "b"}  timestamp("2024-02-29T12:34:56Z")  duration("1.5s")  double("NaN")
///     optional.of(1)  optional.none()  ip("::1")  cidr("10.0.0.0/8")  function("size", {"a": 1})
///     int  google.protobuf.Timestamp
///
/// There are no operators and no variables, so a corpus file can be read without an engine.
struct ConstantReader {
  /// A mistake and its offset in bytes.
  struct Failure: Error {
    let message: String
    let offset: Int
  }

  /// The largest nesting of lists, maps and calls.
  static let maximumDepth = 200

  let bytes: [UInt8]
  var position = 0
  var depth = 0

  init(_ text: some StringProtocol) {
    bytes = Array(text.utf8)
  }

  /// Reads the whole of `text` as one constant.
  static func read(_ text: some StringProtocol) throws(Failure) -> Value {
    var reader = ConstantReader(text)
    let value = try reader.readValue()
    try reader.expectEnd()
    return value
  }

  /// Reads one constant.
  mutating func readValue() throws(Failure) -> Value {
    skipBlanks()
    guard let byte = peek() else { throw failure("expected a value, found the end of the text") }
    switch byte {
    case UInt8(ascii: "["): return try readList()
    case UInt8(ascii: "{"): return .map(try readEntries())
    case UInt8(ascii: "\""), UInt8(ascii: "'"):
      return .string(try readText())
    case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "0")...UInt8(ascii: "9"):
      return try readNumber()
    default:
      guard byte.isNameStart else {
        throw failure("expected a value, found \(characterPhrase)")
      }
      return try readNamed()
    }
  }

  /// Reads `{"name": …, …}` and hands each name to `body`, which reads what follows the colon.
  mutating func readMembers(
    _ body: (inout ConstantReader, String) throws(Failure) -> Void
  ) throws(Failure) {
    skipBlanks()
    try readElements("{", "}") { (reader: inout ConstantReader) throws(Failure) in
      let name = try reader.readText()
      try reader.expect(":")
      try body(&reader, name)
    }
  }

  /// Reads elements with commas between them, perhaps with one after the last, and brackets around
  /// them.
  private mutating func readElements(
    _ opening: Unicode.Scalar, _ closing: Unicode.Scalar,
    _ readElement: (inout ConstantReader) throws(Failure) -> Void
  ) throws(Failure) {
    try expect(opening)
    try enter()
    skipBlanks()
    while !skip(closing) {
      try readElement(&self)
      skipBlanks()
      if skip(",") {
        skipBlanks()
      } else if peek() != UInt8(ascii: closing) {
        throw failure("expected `,` or `\(closing)`")
      }
    }
    depth -= 1
  }

  private mutating func readList() throws(Failure) -> Value {
    var elements: [Value] = []
    try readElements("[", "]") { (reader: inout ConstantReader) throws(Failure) in
      elements.append(try reader.readValue())
    }
    return .list(elements)
  }

  private mutating func readEntries() throws(Failure) -> [Value.Key: Value] {
    var entries: [Value.Key: Value] = [:]
    try readElements("{", "}") { (reader: inout ConstantReader) throws(Failure) in
      let start = reader.position
      guard let key = Value.Key(try reader.readValue()) else {
        throw Failure(message: "a key is a bool, an int, a uint or a string", offset: start)
      }
      guard entries[key] == nil else {
        throw Failure(message: "the key \(key.literal) occurs twice", offset: start)
      }
      try reader.expect(":")
      entries[key] = try reader.readValue()
    }
    return entries
  }

  /// Reads a word: a keyword, a prefixed literal, a constructor call or the name of a type.
  private mutating func readNamed() throws(Failure) -> Value {
    let start = position
    var word = readWord()
    if let quote = peek(), quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
      switch word {
      case "r", "R": return .string(try readRawText())
      case "b", "B": return .bytes(try readOctets(isRaw: false))
      case "br", "bR", "Br", "BR": return .bytes(try readOctets(isRaw: true))
      default: throw Failure(message: "unknown prefix `\(word)` of a literal", offset: start)
      }
    }
    while peek() == UInt8(ascii: "."), let next = peek(after: 1), next.isNameStart {
      position += 1
      word += "." + readWord()
    }
    skipBlanks()
    if peek() == UInt8(ascii: "(") {
      return try readCall(word, start: start)
    }
    switch word {
    case "null": return .null
    case "true": return .bool(true)
    case "false": return .bool(false)
    default: return .type(word)
    }
  }

  private mutating func readCall(_ name: String, start: Int) throws(Failure) -> Value {
    try expect("(")
    try enter()
    var arguments: [Value] = []
    skipBlanks()
    while !skip(")") {
      arguments.append(try readValue())
      skipBlanks()
      if skip(",") { continue }
      guard peek() == UInt8(ascii: ")") else { throw failure("expected `,` or `)`") }
    }
    depth -= 1
    guard let value = Self.construct(name, arguments) else {
      throw Failure(
        message: "`\(name)` with these arguments is not a constant that can be read", offset: start)
    }
    return value
  }

  private static func construct(_ name: String, _ arguments: [Value]) -> Value? {
    switch (name, arguments.count) {
    case ("optional.none", 0): return .optional(Value?.none)
    case ("optional.of", 1): return .optional(arguments[0])
    case ("function", 2):
      guard case .string(let name) = arguments[0] else { return nil }
      return .function(name: name, receiver: arguments[1])
    case (_, 1): break
    default: return nil
    }
    guard case .string(let text) = arguments[0] else { return nil }
    switch name {
    case "function": return .function(name: text, receiver: Value?.none)
    case "timestamp": return Value.Timestamp(rfc3339: text).map { .timestamp($0) }
    case "duration": return Value.Duration(secondsText: text).map { .duration($0) }
    case "type": return .type(text)
    case "ip", "cidr":
      return NetworkValue(text: text).flatMap { network in
        (network.prefixLength != nil) == (name == "cidr") ? .network(network) : nil
      }
    case "double":
      switch text {
      case "NaN": return .double(.nan)
      case "Infinity": return .double(.infinity)
      case "-Infinity": return .double(-.infinity)
      default: return nil
      }
    default: return nil
    }
  }
}

// MARK: - Characters

extension ConstantReader {
  func peek(after distance: Int = 0) -> UInt8? {
    position + distance < bytes.count ? bytes[position + distance] : nil
  }

  mutating func skip(_ character: Unicode.Scalar) -> Bool {
    guard let byte = peek(), UInt32(byte) == character.value else { return false }
    position += 1
    return true
  }

  mutating func expect(_ character: Unicode.Scalar) throws(Failure) {
    skipBlanks()
    guard skip(character) else {
      throw failure("expected `\(character)`, found \(characterPhrase)")
    }
  }

  mutating func expectEnd() throws(Failure) {
    skipBlanks()
    guard position == bytes.count else {
      throw failure("expected the end of the value, found \(characterPhrase)")
    }
  }

  mutating func skipBlanks() {
    while let byte = peek(), byte == 0x20 || (byte >= 0x09 && byte <= 0x0D) { position += 1 }
  }

  mutating func readWord() -> String {
    let start = position
    while let byte = peek(), byte.isNameStart || byte.isDigit { position += 1 }
    return String(decoding: bytes[start..<position], as: UTF8.self)
  }

  private mutating func enter() throws(Failure) {
    depth += 1
    guard depth <= Self.maximumDepth else {
      throw failure("values are nested deeper than \(Self.maximumDepth) levels")
    }
  }

  func failure(_ message: String) -> Failure {
    Failure(message: message, offset: position)
  }

  var characterPhrase: String {
    guard position < bytes.count else { return "the end of the text" }
    let end = min(position + 4, bytes.count)
    let text = String(decoding: bytes[position..<end], as: UTF8.self)
    return text.unicodeScalars.first.map { "`\($0)`" } ?? "nothing"
  }
}

extension UInt8 {
  var isDigit: Bool { self >= UInt8(ascii: "0") && self <= UInt8(ascii: "9") }

  var isNameStart: Bool {
    let lower = self | 0x20
    return lower >= UInt8(ascii: "a") && lower <= UInt8(ascii: "z") || self == UInt8(ascii: "_")
  }

  /// The value of a hexadecimal digit.
  var hexValue: UInt32? {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(self - 0x30)
    case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(self - 0x57)
    case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(self - 0x37)
    default: nil
    }
  }
}
