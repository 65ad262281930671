import ExpressionCoding
public import ExpressionEngine

extension Context {
  /// Creates a context from tagged JSON as the reference evaluator exchanges it: an object of
  /// variables, or a map of them (`{"type": "map", "value": {…}}`).
  ///
  /// Maps named `user`, `device` and `params` become layers; all other variables become additional
  /// roots.
  ///
  /// - Throws: `JSONError` with the position of the mistake.
  public init(passableJSON text: String) throws(JSONError) {
    let named = try PassableValue.readNamed(text)
    self.init(variables: named.reduce(into: [:]) { $0[$1.key.text] = $1.value })
  }
}

extension Context.Layer {
  /// Freezes tagged JSON as the reference evaluator exchanges it: an object of attributes, or a map
  /// of them (`{"type": "map", "value": {…}}`).
  ///
  /// - Throws: `JSONError` with the position of the mistake.
  public init(passableJSON text: String) throws(JSONError) {
    self.init(entries: try PassableValue.readNamed(text))
  }
}

extension PassableValue {
  /// Reads an object of tagged values, or a tagged map of them.
  ///
  /// All keys are strings. A dictionary with `String` keys would merge canonically equivalent
  /// names.
  fileprivate static func readNamed(_ text: String) throws(JSONError) -> [Value.Key: Value] {
    var text = text
    let outcome = text.withUTF8 { bytes in
      Result { () throws(JSONError) -> [Value.Key: Value] in
        try isTagged(bytes) ? readTagged(bytes) : readMembers(bytes)
      }
    }
    return try outcome.get()
  }

  /// Returns whether the text is a tagged value rather than an object of tagged values: it has a
  /// member `type` that is a string, and a tagged value is never a string.
  private static func isTagged(
    _ bytes: UnsafeBufferPointer<UInt8>
  ) throws(JSONError) -> Bool {
    var scanner = JSONScanner(bytes, options: scannerOptions)
    guard try scanner.nextToken() == .beginObject else { return true }
    while try scanner.nextToken() == .key {
      let isType = scanner.currentStringEquals("type")
      let token = try scanner.nextToken()
      if isType { return token == .string }
      try scanner.skipRest(of: token)
    }
    return false
  }

  private static func readTagged(
    _ bytes: UnsafeBufferPointer<UInt8>
  ) throws(JSONError) -> [Value.Key: Value] {
    var scanner = JSONScanner(bytes, options: scannerOptions)
    let value = try read(from: &scanner)
    guard case .map(let entries) = value else {
      throw scanner.errorAtToken(
        .unexpectedShape, "expected a map, found a \(value.kindName)")
    }
    _ = try scanner.nextToken()
    return entries.withTextKeys
  }

  private static func readMembers(
    _ bytes: UnsafeBufferPointer<UInt8>
  ) throws(JSONError) -> [Value.Key: Value] {
    var scanner = JSONScanner(bytes, options: scannerOptions)
    _ = try scanner.nextToken()
    var members: [Value.Key: Value] = [:]
    while try scanner.nextToken() == .key {
      let name = scanner.stringValue
      members[.string(name)] = try read(from: &scanner)
    }
    _ = try scanner.nextToken()
    return members
  }
}

extension [Value.Key: Value] {
  /// The same entries, with the text of each key as the key.
  var withTextKeys: Self {
    reduce(into: [:]) { $0[.string($1.key.text)] = $1.value }
  }
}
