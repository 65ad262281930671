import ExpressionCoding
public import ExpressionEngine

// Code that refers to types of Foundation is compiled into the modules that call it; see
// ForeignTypes.swift.

extension Context {
  /// Creates a context from Swift dictionaries, as an app hands them to a paywall SDK.
  ///
  /// ```swift
  /// let context = Context(user: ["age": 25, "plan": "trial"], params: ["source": "menu"])
  /// ```
  ///
  /// The table of `SanitationRules` lists how each type is converted; values of other types are
  /// dropped silently. To choose other rules, or to get a report of dropped values, build the
  /// layers with ``Layer/init(dictionary:rules:report:)``.
  ///
  /// - Parameters:
  ///   - user: The attributes under `user`, by `SanitationRules.userAttributes`.
  ///   - device: The attributes under `device`, by `SanitationRules.evaluator`.
  ///   - params: The attributes under `params`, by `SanitationRules.placementParameters`.
  /// - Complexity: O(size of the dictionaries).
  ///
  /// `Context()` is the engine's initializer, whose empty layers are shared.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public init(
    user: [String: Any] = [:], device: [String: Any] = [:], params: [String: Any] = [:]
  ) {
    self.init(
      user: Layer(dictionary: user, rules: .userAttributes),
      device: Layer(dictionary: device, rules: .evaluator),
      params: Layer(dictionary: params, rules: .placementParameters))
  }

  /// Returns a copy with other parameters, sanitized by `SanitationRules.placementParameters`.
  ///
  /// - Complexity: O(size of the parameters); the other layers are shared.
  @_alwaysEmitIntoClient
  public func replacing(params: [String: Any]) -> Context {
    replacing(params: Layer(dictionary: params, rules: .placementParameters))
  }

  /// Returns a copy with other user attributes, sanitized by `SanitationRules.userAttributes`.
  ///
  /// - Complexity: O(size of the attributes); the other layers are shared.
  @_alwaysEmitIntoClient
  public func replacing(user: [String: Any]) -> Context {
    replacing(user: Layer(dictionary: user, rules: .userAttributes))
  }

  /// Creates a context from tagged JSON as the reference evaluator exchanges it: an object of
  /// variables, or a map of them (`{"type": "map", "value": {…}}`).
  ///
  /// Maps named `user`, `device` and `params` become layers; all other variables become additional
  /// roots.
  ///
  /// - Throws: `JSONError` with the position of the mistake.
  public init(passableJSON text: String) throws(JSONError) {
    let named = try PassableValue.readNamed(text)
    self.init(
      variables: Dictionary(
        named.map { ($0.key.text, $0.value) }, uniquingKeysWith: { _, last in last }))
  }
}

extension Context.Layer {
  /// Freezes a Swift dictionary.
  ///
  /// - Parameters:
  ///   - dictionary: Values by name, of the types in the table of `SanitationRules`.
  ///   - rules: The rules that convert or drop the values.
  /// - Complexity: O(size of the dictionary).
  @_alwaysEmitIntoClient
  public init(dictionary: [String: Any], rules: SanitationRules = .evaluator) {
    var report: Report?
    self.init(freezing: dictionary, rules: rules.conversion, report: &report, foreign: foreignValue)
  }

  /// Freezes a Swift dictionary and reports the values that were dropped or replaced.
  ///
  /// - Parameters:
  ///   - dictionary: Values by name, of the types in the table of `SanitationRules`.
  ///   - rules: The rules that convert or drop the values.
  ///   - report: The report, to which an entry is added for each value that was dropped or
  ///     replaced.
  /// - Complexity: O(size of the dictionary).
  @_alwaysEmitIntoClient
  public init(
    dictionary: [String: Any], rules: SanitationRules = .evaluator, report: inout Report
  ) {
    var notes: Report? = Report()
    self.init(freezing: dictionary, rules: rules.conversion, report: &notes, foreign: foreignValue)
    report.entries += notes?.entries ?? []
  }

  /// Freezes the encoded form of a value.
  ///
  /// Structs and dictionaries become maps, arrays become lists, dates timestamps, URLs their
  /// absolute text, and data bytes. Unsigned numbers become ints where they fit. Nothing is
  /// sanitized.
  ///
  /// - Parameter encodable: A struct, class or dictionary that encodes a keyed container.
  /// - Throws: The errors of the type's `encode(to:)`, or `EncodingError` if it does not encode a
  ///   keyed container.
  @_alwaysEmitIntoClient
  public init(encoding encodable: some Encodable) throws {
    try self.init(encoding: encodable, foreign: encodedForeignValue)
  }

  @usableFromInline
  init(
    encoding encodable: some Encodable, foreign: @escaping (any Encodable) -> Value?
  ) throws {
    let value = try Value(encoding: encodable, foreign: foreign)
    guard case .map(let entries) = value else {
      throw EncodingError.invalidValue(
        encodable,
        .init(
          codingPath: [],
          debugDescription: "attributes have names, but this encodes a \(value.kindName)"))
    }
    self.init(entries: entries.withTextKeys)
  }

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
  fileprivate var withTextKeys: Self {
    Dictionary(map { (.string($0.key.text), $0.value) }, uniquingKeysWith: { _, last in last })
  }
}
