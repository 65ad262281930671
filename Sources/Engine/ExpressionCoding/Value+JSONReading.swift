public import ExpressionEngine

extension Value {
  /// The conversion from plain JSON to a value.
  public struct JSONReading: Sendable, Hashable {
    /// The conversion of numbers.
    public enum Numbers: UInt8, Sendable, Hashable {
      /// A number in integer form becomes an int, beyond `Int64` a uint, beyond `UInt64` a
      /// double; everything else a double.
      case byNotation
      /// Every number becomes a double, as cel maps JSON (docs/spec/cel.md §25).
      case doubles
    }

    /// The treatment of a member name that occurs twice in one object.
    public enum Duplicates: UInt8, Sendable, Hashable {
      /// The last one wins.
      case lastWins
      /// It is an error.
      case error
    }

    /// The conversion of numbers.
    public var numbers: Numbers
    /// The treatment of a member name that occurs twice in one object.
    public var duplicates: Duplicates
    /// The largest nesting of arrays and objects: 0 ... 1,024.
    public var maximumDepth: Int

    /// Creates the rules; see the properties.
    public init(
      numbers: Numbers = .byNotation, duplicates: Duplicates = .lastWins, maximumDepth: Int = 128
    ) {
      self.numbers = numbers
      self.duplicates = duplicates
      self.maximumDepth = maximumDepth
    }
  }

  /// Reads one plain JSON document.
  ///
  /// Objects become maps with string keys, arrays lists; for numbers see `JSONReading`.
  ///
  /// - Throws: `JSONError` if the text is not one document of RFC 8259, or nested too deep.
  /// - Complexity: O(n); the nesting does not use the stack.
  public init(json text: String, reading: JSONReading = JSONReading()) throws(JSONError) {
    self = try text.withJSONBytes { (bytes) throws(JSONError) -> Self in
      try Self(json: bytes, reading: reading)
    }
  }

  /// Reads one plain JSON document in UTF-8; see `init(json:reading:)-(String,_)`.
  public init(
    json bytes: UnsafeBufferPointer<UInt8>, reading: JSONReading = JSONReading()
  ) throws(JSONError) {
    var scanner = JSONScanner(bytes, options: .init(maximumDepth: reading.maximumDepth))
    self = try Self(readingFrom: &scanner, reading: reading)
    _ = try scanner.nextToken()
  }

  /// Reads the plain JSON value that comes next in `scanner`.
  package init(
    readingFrom scanner: inout JSONScanner, reading: JSONReading = JSONReading()
  ) throws(JSONError) {
    var builder = PlainBuilder(reading: reading)
    self = try builder.build(&scanner)
  }
}

/// Builds a value from plain JSON with its own stack of open containers.
private struct PlainBuilder {
  enum Container {
    case list([Value])
    case map([Value.Key: Value], pending: Value.Key)
  }

  let reading: Value.JSONReading
  var open: [Container] = []

  init(reading: Value.JSONReading) {
    self.reading = reading
  }

  mutating func build(_ scanner: inout JSONScanner) throws(JSONError) -> Value {
    while true {
      let token = try scanner.nextToken()
      let finished: Value
      switch token {
      case .beginArray:
        open.append(.list([]))
        continue
      case .beginObject:
        open.append(.map([:], pending: .bool(false)))
        continue
      case .key:
        try setKey(.string(scanner.stringValue), scanner)
        continue
      case .endArray, .endObject:
        switch open.popLast() {
        case .list(let elements): finished = .list(elements)
        case .map(let entries, _): finished = .map(entries)
        case nil: throw scanner.shapeError(expected: "a value", found: token)
        }
      case .string: finished = .string(scanner.stringValue)
      case .int, .uint, .double: finished = number(token, scanner)
      case .true: finished = .bool(true)
      case .false: finished = .bool(false)
      case .null: finished = .null
      case .end: throw scanner.shapeError(expected: "a value", found: token)
      }
      if open.isEmpty { return finished }
      append(finished)
    }
  }

  private func number(_ token: JSONToken, _ scanner: borrowing JSONScanner) -> Value {
    guard reading.numbers == .byNotation else {
      return .double(scanner.isNegativeZero ? -0.0 : scanner.number(of: token))
    }
    switch token {
    case .int: return .int(scanner.intValue)
    case .uint: return .uint(scanner.uintValue)
    default: return .double(scanner.doubleValue)
    }
  }

  private mutating func setKey(
    _ key: Value.Key, _ scanner: borrowing JSONScanner
  ) throws(JSONError) {
    guard case .map(let entries, _)? = open.popLast() else { return }
    if reading.duplicates == .error && entries[key] != nil {
      throw scanner.errorAtToken(
        .duplicateKey, "the member `\(scanner.stringValue)` occurs twice")
    }
    open.append(.map(entries, pending: key))
  }

  private mutating func append(_ value: Value) {
    // Take the container off the stack first: its storage is then neither shared nor copied.
    switch open.popLast() {
    case .list(var elements):
      elements.append(value)
      open.append(.list(elements))
    case .map(var entries, let key):
      entries[key] = value
      open.append(.map(entries, pending: key))
    case nil: break
    }
  }
}
