/// A strict scanner that reads JSON text (RFC 8259) token by token.
///
/// The scanner is a pull parser: each call of ``nextToken()`` moves past one token and leaves its
/// content in the accessors, so that a builder can consume a document without allocating. It never
/// recurses. A string without escapes is a slice of the input; one with escapes is decoded into a
/// buffer that the scanner owns and reuses.
///
///     var scanner = JSONScanner(bytes)
///     while case let token = try scanner.nextToken(), token != .end { … }
///
/// The scanner accepts exactly the grammar of RFC 8259 in valid UTF-8 without a byte order mark. It
/// delivers members in their order, repeated names included; judging them is up to the builder.
/// `docs/decisions/0002-own-json-reader.md` explains why this is not Foundation's reader.
@usableFromInline package struct JSONScanner: ~Copyable {
  /// Options for reading a document.
  package struct Options: Sendable, Hashable {
    /// The maximum nesting depth of arrays and objects: 128 by default, at most 1,024.
    package var maximumDepth: Int
    /// How numbers that are not integers become doubles.
    package var doubles: DoubleReading

    /// Creates options. See the properties.
    package init(maximumDepth: Int = 128, doubles: DoubleReading = .nearest) {
      self.maximumDepth = min(max(maximumDepth, 0), 1024)
      self.doubles = doubles
    }
  }

  /// How the digits of a number become a double.
  package enum DoubleReading: UInt8, Sendable, Hashable {
    /// The double nearest to the written number.
    case nearest
    /// One multiplication or division by a power of ten, as the reference evaluator of the
    /// superscript dialect reads them: up to a few units in the last place from the nearest.
    case scaled
  }

  /// The grammar's expectation at the current position.
  enum Expectation: UInt8 {
    case value
    case elementOrEnd
    case keyOrEnd
    case separatorOrEnd
    case end
  }

  let bytes: UnsafeBufferPointer<UInt8>
  let options: Options
  var position = 0
  var expectation = Expectation.value

  /// The number of open arrays and objects.
  package internal(set) var depth = 0
  /// One bit for each of the innermost 64 open containers, the innermost lowest; 1 means an object.
  var containers: UInt64 = 0
  /// The words of `containers` for the outer levels.
  var outerContainers: [UInt64] = []

  /// The start of the current token, in bytes from the start of the text.
  package internal(set) var tokenStart = 0
  /// Whether a value is being skipped, so that neither its depth nor the range of its numbers
  /// matters.
  var isSkipping = false

  var numberBits: UInt64 = 0
  var numberIsInteger = false
  var numberIsNegative = false

  var stringStart = 0
  var stringCount = 0
  var stringIsDecoded = false
  @usableFromInline var scratch: UnsafeMutablePointer<UInt8>?
  var scratchCapacity = 0

  /// Creates a scanner at the start of `bytes`, which must outlive it.
  ///
  /// It neither copies nor allocates.
  package init(_ bytes: UnsafeBufferPointer<UInt8>, options: Options = Options()) {
    self.bytes = bytes
    self.options = options
  }

  @inlinable deinit {
    // Only `reserveScratch` sets the pointer, and it deallocates the one it replaces.
    scratch?.deallocate()
  }

  /// The position after the current token, in bytes from the start of the text.
  package var offset: Int { position }

  /// Moves past the next token and returns its kind.
  ///
  /// - Throws: ``JSONError`` with the position of the first wrong byte. Do not continue after an
  ///   error: further results are memory-safe but meaningless.
  package mutating func nextToken() throws(JSONError) -> JSONToken {
    skipWhitespace()
    tokenStart = position
    switch expectation {
    case .separatorOrEnd: return try scanAfterValue()
    case .value: return try scanValue()
    case .keyOrEnd:
      if position < bytes.count && bytes[position] == UInt8(ascii: "}") {
        return closeContainer(.endObject)
      }
      return try scanKey(expecting: "a member name or `}`")
    case .elementOrEnd:
      if position < bytes.count && bytes[position] == UInt8(ascii: "]") {
        return closeContainer(.endArray)
      }
      return try scanValue()
    case .end:
      guard position == bytes.count else {
        throw error(.trailingText, "expected the end of the text, found \(characterPhrase)")
      }
      return .end
    }
  }

  /// Moves past the whole next value, however deep it is.
  ///
  /// Call it after a `key`, or in an array or at the start where a value must follow. It checks the
  /// grammar, but not the depth, the range of numbers or the pairing of surrogates.
  package mutating func skipValue() throws(JSONError) {
    isSkipping = true
    defer { isSkipping = false }
    let token = try nextToken()
    try skipRest(of: token)
  }

  /// Moves to the end of the container that `token` has just opened. Does nothing for a scalar.
  package mutating func skipRest(of token: JSONToken) throws(JSONError) {
    guard token == .beginObject || token == .beginArray else { return }
    let wasSkipping = isSkipping
    isSkipping = true
    defer { isSkipping = wasSkipping }
    let outer = depth &- 1
    while depth > outer {
      _ = try nextToken()
    }
  }
}

// MARK: - Structure

extension JSONScanner {
  @inline(__always)
  mutating func skipWhitespace() {
    // One bit for each of four characters: tab, line feed, carriage return and space.
    let whitespace: UInt64 = 1 << 9 | 1 << 10 | 1 << 13 | 1 << 32
    var index = position
    while index < bytes.count, bytes[index] <= 32, whitespace >> UInt64(bytes[index]) & 1 == 1 {
      index &+= 1
    }
    position = index
  }

  @inline(__always)
  private mutating func scanAfterValue() throws(JSONError) -> JSONToken {
    let isObject = containers & 1 == 1
    guard position < bytes.count else {
      throw error(.unexpectedEnd, "expected \(isObject ? "`,` or `}`" : "`,` or `]`")")
    }
    let byte = bytes[position]
    if byte == UInt8(ascii: ",") {
      position &+= 1
      skipWhitespace()
      tokenStart = position
      return isObject ? try scanKey(expecting: "a member name") : try scanValue()
    }
    if isObject && byte == UInt8(ascii: "}") { return closeContainer(.endObject) }
    if !isObject && byte == UInt8(ascii: "]") { return closeContainer(.endArray) }
    throw error(
      .unexpectedCharacter,
      "expected \(isObject ? "`,` or `}`" : "`,` or `]`"), found \(characterPhrase)")
  }

  @inline(__always)
  private mutating func scanKey(expecting expected: String) throws(JSONError) -> JSONToken {
    guard position < bytes.count, bytes[position] == UInt8(ascii: "\"") else {
      throw unexpected(expected)
    }
    try scanString()
    skipWhitespace()
    guard position < bytes.count, bytes[position] == UInt8(ascii: ":") else {
      throw unexpected("`:`")
    }
    position &+= 1
    expectation = .value
    return .key
  }

  @inline(__always)
  private mutating func scanValue() throws(JSONError) -> JSONToken {
    guard position < bytes.count else { throw unexpected("a value") }
    switch bytes[position] {
    case UInt8(ascii: "\""):
      try scanString()
      valueEnded()
      return .string
    case UInt8(ascii: "{"):
      try openContainer(isObject: true)
      expectation = .keyOrEnd
      return .beginObject
    case UInt8(ascii: "["):
      try openContainer(isObject: false)
      expectation = .elementOrEnd
      return .beginArray
    case UInt8(ascii: "t"):
      try scanWord(count: 4, ending: Self.trueEnding)
      return .true
    case UInt8(ascii: "f"):
      try scanWord(count: 5, ending: Self.falseEnding)
      return .false
    case UInt8(ascii: "n"):
      try scanWord(count: 4, ending: Self.nullEnding)
      return .null
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
      let token = try scanNumber()
      valueEnded()
      return token
    default:
      throw unexpected("a value")
    }
  }

  /// The last four letters of the three words, the first letter lowest.
  static var trueEnding: UInt32 { 0x6575_7274 }
  static var falseEnding: UInt32 { 0x6573_6C61 }
  static var nullEnding: UInt32 { 0x6C6C_756E }

  /// Moves past a word whose first letter is known, comparing its last four.
  @inline(__always)
  private mutating func scanWord(count: Int, ending: UInt32) throws(JSONError) {
    let end = position &+ count
    guard end <= bytes.count else { throw unexpected("a value") }
    let found = UnsafeRawBufferPointer(bytes).loadUnaligned(
      fromByteOffset: end &- 4, as: UInt32.self)
    guard UInt32(littleEndian: found) == ending else { throw unexpected("a value") }
    position = end
    valueEnded()
  }

  @inline(__always)
  private mutating func valueEnded() {
    expectation = depth == 0 ? .end : .separatorOrEnd
  }

  private mutating func openContainer(isObject: Bool) throws(JSONError) {
    guard depth < options.maximumDepth || isSkipping else {
      throw error(.tooDeep, "nested deeper than \(options.maximumDepth) levels")
    }
    if depth & 63 == 0 && depth > 0 { outerContainers.append(containers) }
    containers = containers << 1 | (isObject ? 1 : 0)
    depth &+= 1
    position &+= 1
  }

  private mutating func closeContainer(_ token: JSONToken) -> JSONToken {
    depth &-= 1
    containers >>= 1
    if depth & 63 == 0, depth > 0, let outer = outerContainers.popLast() { containers = outer }
    position &+= 1
    valueEnded()
    return token
  }
}

// MARK: - Errors

extension JSONScanner {
  /// Creates an error at the scanner's position.
  @inline(never)
  func error(_ kind: JSONError.Kind, _ message: String) -> JSONError {
    JSONError(kind: kind, message: message, offset: position, in: bytes)
  }

  /// Creates an error at the start of the current token, for well-formed JSON of the wrong shape.
  ///
  /// For builders: `expected` and `found` are noun phrases such as "an integer".
  package func shapeError(expected: String, found token: JSONToken) -> JSONError {
    JSONError(
      kind: .unexpectedShape, message: "expected \(expected), found \(token.phrase)",
      offset: tokenStart, in: bytes)
  }

  /// Creates an error of `kind` at the start of the current token, for builders.
  package func errorAtToken(_ kind: JSONError.Kind, _ message: String) -> JSONError {
    JSONError(kind: kind, message: message, offset: tokenStart, in: bytes)
  }

  @inline(never)
  private func unexpected(_ expected: String) -> JSONError {
    position < bytes.count
      ? error(.unexpectedCharacter, "expected \(expected), found \(characterPhrase)")
      : error(.unexpectedEnd, "expected \(expected), found the end of the text")
  }

  /// A description of the character at the current position.
  var characterPhrase: String {
    guard position < bytes.count else { return "the end of the text" }
    let byte = bytes[position]
    if byte == 0xEF, position &+ 2 < bytes.count, bytes[position &+ 1] == 0xBB,
      bytes[position &+ 2] == 0xBF
    {
      return "a byte order mark"
    }
    if byte > 0x20 && byte < 0x7F { return "`\(Character(Unicode.Scalar(byte)))`" }
    if byte >= 0x80 {
      let end = min(position &+ 4, bytes.count)
      let text = String(decoding: bytes[position..<end], as: UTF8.self)
      if let scalar = text.unicodeScalars.first, scalar != "\u{FFFD}" { return "`\(scalar)`" }
    }
    let digits = String(byte, radix: 16, uppercase: true)
    return "the byte 0x\(digits.utf8.count < 2 ? "0" : "")\(digits)"
  }
}
