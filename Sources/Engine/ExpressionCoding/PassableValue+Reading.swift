package import ExpressionEngine

/// The tagged JSON that the superscript dialect's evaluator exchanges with its host:
/// `{"type": "int", "value": 5}` (docs/spec/superscript.md §1, §14, §16).
///
/// Reading accepts what the reference evaluator accepts and nothing else:
///
/// * members in any order, unknown members ignored, `type` and `value` at most once each;
/// * the sequence form `["int", 5]`;
/// * `{"type": "Null"}` with no value or null;
/// * integers where `int`, `uint`, `timestamp` and the octets of `bytes` want them, not `5.0`;
///   any number where `float` wants one;
/// * of repeated member names of a map the last one wins;
/// * 127 levels of JSON nesting, of which each list or map takes two.
///
/// A `timestamp` becomes an int, as it does in the reference.
package enum PassableValue {
  /// Which way a tagged value goes.
  package enum Direction: UInt8, Sendable, Hashable {
    /// Into the evaluator: variables and results of host functions.
    case input
    /// Out of the evaluator: a `timestamp` stays one, and a `float` of null is a double that is
    /// not finite, read as NaN.
    case result
  }

  /// The JSON reading of the reference evaluator: its depth limit and its doubles.
  package static let scannerOptions = JSONScanner.Options(maximumDepth: 127, doubles: .scaled)

  /// Reads one document that is a tagged value.
  ///
  /// - Throws: `JSONError` if the text is not JSON or of another shape.
  package static func read(
    _ text: String, as direction: Direction = .input
  ) throws(JSONError) -> Value {
    try text.withJSONBytes { (bytes) throws(JSONError) -> Value in
      var scanner = JSONScanner(bytes, options: scannerOptions)
      let value = try read(from: &scanner, as: direction)
      _ = try scanner.nextToken()
      return value
    }
  }

  /// Reads the tagged value that comes next in `scanner`.
  package static func read(
    from scanner: inout JSONScanner, as direction: Direction = .input
  ) throws(JSONError) -> Value {
    let token = try scanner.nextToken()
    return try read(token, from: &scanner, as: direction)
  }

  /// Reads the tagged value that begins with `token`, which the scanner has just returned.
  static func read(
    _ token: JSONToken, from scanner: inout JSONScanner, as direction: Direction
  ) throws(JSONError) -> Value {
    switch token {
    case .beginObject: return try readObject(from: &scanner, as: direction)
    case .beginArray: return try readSequence(from: &scanner, as: direction)
    default:
      throw scanner.shapeError(expected: "an object with the member `type`", found: token)
    }
  }

  /// The tags in the order in which the reference lists them.
  enum Tag: String, CaseIterable {
    case list
    case map
    case function
    case int
    case uint
    case float
    case string
    case bytes
    case bool
    case timestamp
    case null = "Null"
  }
}

// MARK: - The two forms

extension PassableValue {
  private enum Member {
    case type
    case value
  }

  /// Moves to the next `type` or `value`, over all others; `nil` at the end of the object.
  private static func nextMember(
    from scanner: inout JSONScanner
  ) throws(JSONError) -> Member? {
    while try scanner.nextToken() == .key {
      if scanner.currentStringEquals("type") { return .type }
      if scanner.currentStringEquals("value") { return .value }
      try scanner.skipValue()
    }
    return nil
  }

  private static func readObject(from scanner: inout JSONScanner, as direction: Direction)
    throws(JSONError) -> Value
  {
    let value: Value
    switch try nextMember(from: &scanner) {
    case nil: throw scanner.errorAtToken(.unexpectedShape, "missing the member `type`")
    case .type:
      let tag = try readTag(from: &scanner)
      switch try nextMember(from: &scanner) {
      case nil:
        if tag == .null { return .null }
        throw scanner.errorAtToken(.unexpectedShape, "missing the member `value`")
      case .type: throw scanner.errorAtToken(.duplicateKey, "the member `type` occurs twice")
      case .value: value = try readContent(tag, from: &scanner, as: direction)
      }
    case .value: value = try readContentBeforeTag(from: &scanner, as: direction)
    }
    if let repeated = try nextMember(from: &scanner) {
      throw scanner.errorAtToken(
        .duplicateKey, "the member `\(repeated == .type ? "type" : "value")` occurs twice")
    }
    return value
  }

  /// Reads content whose tag follows it: remembers the place, finds the tag, and goes back.
  private static func readContentBeforeTag(
    from scanner: inout JSONScanner, as direction: Direction
  ) throws(JSONError) -> Value {
    let content = scanner.bookmark()
    // Unlike an ignored member the content counts for depth and the range of its numbers.
    try scanner.checkValue()
    switch try nextMember(from: &scanner) {
    case nil: throw scanner.errorAtToken(.unexpectedShape, "missing the member `type`")
    case .value: throw scanner.errorAtToken(.duplicateKey, "the member `value` occurs twice")
    case .type: break
    }
    let tag = try readTag(from: &scanner)
    let afterTag = scanner.bookmark()
    scanner.returnTo(content)
    let value = try readContent(tag, from: &scanner, as: direction)
    scanner.returnTo(afterTag)
    return value
  }

  private static func readSequence(from scanner: inout JSONScanner, as direction: Direction)
    throws(JSONError) -> Value
  {
    let first = try scanner.nextToken()
    guard first != .endArray else {
      throw scanner.errorAtToken(.unexpectedShape, "expected a tag and a value, found none")
    }
    let tag = try readTag(first, from: &scanner)
    let second = try scanner.nextToken()
    guard second != .endArray else {
      throw scanner.errorAtToken(.unexpectedShape, "expected a value after the tag")
    }
    let value = try readContent(tag, second, from: &scanner, as: direction)
    guard try scanner.nextToken() == .endArray else {
      throw scanner.errorAtToken(.unexpectedShape, "expected only a tag and a value")
    }
    return value
  }

  private static func readTag(from scanner: inout JSONScanner) throws(JSONError) -> Tag {
    let token = try scanner.nextToken()
    return try readTag(token, from: &scanner)
  }

  private static func readTag(
    _ token: JSONToken, from scanner: inout JSONScanner
  ) throws(JSONError) -> Tag {
    guard token == .string else {
      throw scanner.shapeError(expected: "the name of a type", found: token)
    }
    for tag in Tag.allCases where scanner.currentStringEquals(tag.rawValue) { return tag }
    let names = Tag.allCases.map { "`\($0.rawValue)`" }.joined(separator: ", ")
    throw scanner.errorAtToken(
      .unexpectedShape, "unknown type `\(scanner.stringValue)`, expected one of \(names)")
  }
}

// MARK: - Content

extension PassableValue {
  private static func readContent(
    _ tag: Tag, from scanner: inout JSONScanner, as direction: Direction
  ) throws(JSONError) -> Value {
    let token = try scanner.nextToken()
    return try readContent(tag, token, from: &scanner, as: direction)
  }

  private static func readContent(
    _ tag: Tag, _ token: JSONToken, from scanner: inout JSONScanner, as direction: Direction
  ) throws(JSONError) -> Value {
    // Separate from the scalars, to keep the frames of the recursion small.
    switch tag {
    case .list: .list(try readList(token, from: &scanner, as: direction))
    case .map: .map(try readMap(token, from: &scanner, as: direction))
    case .function: try readFunction(token, from: &scanner, as: direction)
    default: try readScalar(tag, token, from: &scanner, as: direction)
    }
  }

  @inline(never)
  private static func readScalar(
    _ tag: Tag, _ token: JSONToken, from scanner: inout JSONScanner, as direction: Direction
  ) throws(JSONError) -> Value {
    switch tag {
    case .int: return .int(try readInt(token, from: &scanner))
    case .timestamp:
      let seconds = try readInt(token, from: &scanner)
      return direction == .input ? .int(seconds) : .timestamp(.init(seconds: seconds))
    case .uint:
      guard token == .int && scanner.intValue >= 0 && !scanner.isNegativeZero || token == .uint
      else {
        throw scanner.shapeError(expected: "an unsigned 64-bit integer", found: token)
      }
      return .uint(scanner.uintValue)
    case .float:
      if token == .null && direction == .result { return .double(.nan) }
      guard token == .int || token == .uint || token == .double else {
        throw scanner.shapeError(expected: "a number", found: token)
      }
      return .double(scanner.isNegativeZero ? -0.0 : scanner.number(of: token))
    case .string:
      guard token == .string else {
        throw scanner.shapeError(expected: "a string", found: token)
      }
      return .string(scanner.stringValue)
    case .bool:
      guard token == .true || token == .false else {
        throw scanner.shapeError(expected: "a bool", found: token)
      }
      return .bool(token == .true)
    case .bytes: return .bytes(try readBytes(token, from: &scanner))
    case .null, .list, .map, .function:
      guard token == .null else { throw scanner.shapeError(expected: "null", found: token) }
      return .null
    }
  }

  private static func readInt(
    _ token: JSONToken, from scanner: inout JSONScanner
  ) throws(JSONError) -> Int64 {
    guard token == .int && !scanner.isNegativeZero else {
      throw scanner.shapeError(expected: "a signed 64-bit integer", found: token)
    }
    return scanner.intValue
  }

  private static func readBytes(
    _ token: JSONToken, from scanner: inout JSONScanner
  ) throws(JSONError) -> [UInt8] {
    guard token == .beginArray else {
      throw scanner.shapeError(expected: "an array of octets", found: token)
    }
    var octets: [UInt8] = []
    while true {
      let token = try scanner.nextToken()
      if token == .endArray { return octets }
      guard token == .int, !scanner.isNegativeZero, let octet = UInt8(exactly: scanner.intValue)
      else {
        throw scanner.shapeError(expected: "an integer from 0 to 255", found: token)
      }
      octets.append(octet)
    }
  }

  /// Reads the tagged values of an array that begins with `token`.
  package static func readList(
    _ token: JSONToken, from scanner: inout JSONScanner, as direction: Direction = .input
  ) throws(JSONError) -> [Value] {
    guard token == .beginArray else {
      throw scanner.shapeError(expected: "an array of tagged values", found: token)
    }
    var elements: [Value] = []
    while true {
      let token = try scanner.nextToken()
      if token == .endArray { return elements }
      elements.append(try read(token, from: &scanner, as: direction))
    }
  }

  /// Reads the tagged values of an object that begins with `token`.
  package static func readMap(
    _ token: JSONToken, from scanner: inout JSONScanner, as direction: Direction = .input
  ) throws(JSONError) -> [Value.Key: Value] {
    guard token == .beginObject else {
      throw scanner.shapeError(expected: "an object of tagged values", found: token)
    }
    var entries: [Value.Key: Value] = [:]
    while try scanner.nextToken() == .key {
      let key = scanner.stringValue
      entries[.string(key)] = try read(from: &scanner, as: direction)
    }
    return entries
  }

  private static func readFunction(
    _ token: JSONToken, from scanner: inout JSONScanner, as direction: Direction
  ) throws(JSONError) -> Value {
    let expected = "an array of a function's name and its receiver"
    guard token == .beginArray else {
      throw scanner.shapeError(expected: expected, found: token)
    }
    let nameToken = try scanner.nextToken()
    guard nameToken == .string else {
      throw scanner.shapeError(expected: "the name of a function", found: nameToken)
    }
    let name = scanner.stringValue
    let receiverToken = try scanner.nextToken()
    guard receiverToken != .endArray else {
      throw scanner.errorAtToken(.unexpectedShape, "expected \(expected), found one element")
    }
    // Spelled out, because `nil` without a type would be the value null.
    var receiver: Value?
    if receiverToken != .null { receiver = try read(receiverToken, from: &scanner, as: direction) }
    let last = try scanner.nextToken()
    guard last == .endArray else {
      throw scanner.shapeError(expected: "`]` after the receiver", found: last)
    }
    return .function(name: name, receiver: receiver)
  }
}
