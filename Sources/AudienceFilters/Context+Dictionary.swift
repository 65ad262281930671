import ExpressionCoding
public import ExpressionEngine

// What asks for types of Foundation is compiled into the modules that call it; see ForeignTypes.swift.

extension Context {
  /// Creates a context from Swift dictionaries, as an app hands them to a paywall SDK.
  ///
  /// ```swift
  /// let context = Context(user: ["age": 25, "plan": "trial"], params: ["source": "menu"])
  /// ```
  ///
  /// What becomes of each value is in the table of `SanitationRules`; what has no place there is
  /// dropped silently. Build the layers yourself to be told about it
  /// (``Layer/init(dictionary:rules:report:)``) or to choose other rules.
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

  /// A copy with other parameters, which pass `SanitationRules.placementParameters`.
  ///
  /// - Complexity: O(size of the parameters); the other layers are shared.
  @_alwaysEmitIntoClient
  public func replacing(params: [String: Any]) -> Context {
    replacing(params: Layer(dictionary: params, rules: .placementParameters))
  }

  /// A copy with other user attributes, which pass `SanitationRules.userAttributes`.
  ///
  /// - Complexity: O(size of the attributes); the other layers are shared.
  @_alwaysEmitIntoClient
  public func replacing(user: [String: Any]) -> Context {
    replacing(user: Layer(dictionary: user, rules: .userAttributes))
  }

  /// Creates a context from tagged JSON as the reference evaluator exchanges it: an object of
  /// variables, or a map of them (`{"type": "map", "value": {…}}`).
  ///
  /// Maps named `user`, `device` and `params` become layers, everything else further roots.
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
  ///   - rules: What becomes of them.
  /// - Complexity: O(size of the dictionary).
  @_alwaysEmitIntoClient
  public init(dictionary: [String: Any], rules: SanitationRules = .evaluator) {
    var report: Report?
    self.init(freezing: dictionary, rules: rules, report: &report, foreign: foreignValue)
  }

  /// Freezes a Swift dictionary and reports what did not arrive as it was given.
  ///
  /// - Parameters:
  ///   - dictionary: Values by name, of the types in the table of `SanitationRules`.
  ///   - rules: What becomes of them.
  ///   - report: Gets an entry for each value that was dropped or replaced.
  /// - Complexity: O(size of the dictionary).
  @_alwaysEmitIntoClient
  public init(
    dictionary: [String: Any], rules: SanitationRules = .evaluator, report: inout Report
  ) {
    var notes: Report? = Report()
    self.init(freezing: dictionary, rules: rules, report: &notes, foreign: foreignValue)
    report.entries += notes?.entries ?? []
  }

  /// Freezes what a type encodes.
  ///
  /// Structs and dictionaries become maps, arrays lists, unsigned numbers ints where they fit, dates
  /// timestamps, URLs their absolute text, data bytes. Nothing is sanitised.
  ///
  /// - Parameter encodable: A struct, class or dictionary that encodes a keyed container.
  /// - Throws: What the type throws, or `EncodingError` when it encodes no keyed container.
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
  /// The keys are all strings; a dictionary of `String` would take canonically equivalent names as one.
  fileprivate static func readNamed(_ text: String) throws(JSONError) -> [Value.Key: Value] {
    var text = text
    let outcome = text.withUTF8 { bytes in
      Result { () throws(JSONError) -> [Value.Key: Value] in
        try isTagged(bytes) ? readTagged(bytes) : readMembers(bytes)
      }
    }
    return try outcome.get()
  }

  /// Whether the text is a tagged value rather than an object of them: it has a member `type` that
  /// is a string, which no tagged value is.
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
  /// The entries with the text of each key as the key.
  fileprivate var withTextKeys: Self {
    Dictionary(map { (.string($0.key.text), $0.value) }, uniquingKeysWith: { _, last in last })
  }
}
