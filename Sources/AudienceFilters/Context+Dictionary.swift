package import ExpressionEngine

#if canImport(ObjectiveC)
  internal import Foundation
#elseif canImport(FoundationEssentials)
  internal import FoundationEssentials
#elseif canImport(Foundation)
  internal import Foundation
#endif

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
  public func replacing(params: [String: Any]) -> Context {
    replacing(params: Layer(dictionary: params, rules: .placementParameters))
  }

  /// A copy with other user attributes, which pass `SanitationRules.userAttributes`.
  ///
  /// - Complexity: O(size of the attributes); the other layers are shared.
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
  public init(encoding encodable: some Encodable) throws {
    let value = try Value(encoding: encodable, foreign: encodedForeignValue)
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

// MARK: - Types of other modules

/// What a type of Foundation means to sanitation; `nil` for all other types.
private func foreignValue(_ value: Any) -> ForeignValue? {
  #if canImport(FoundationEssentials) || canImport(Foundation)
    switch value {
    case let date as Date: return .date(date.timeIntervalSince1970)
    case let url as URL: return .url(url.absoluteString)
    case let data as Data: return .data(Array(data))
    default: break
    }
  #endif
  #if canImport(ObjectiveC)
    if value is NSNull { return .null }
    if let number = value as? NSDecimalNumber { return .wide(number.doubleValue) }
    if let number = value as? NSNumber { return foreignNumber(number) }
  #else
    if let boxed = boxedValue(value) { return boxed }
  #endif
  #if canImport(FoundationEssentials) || canImport(Foundation)
    if let decimal = value as? Decimal { return .wide(Double("\(decimal)") ?? .nan) }
  #endif
  return nil
}

#if canImport(ObjectiveC)
  /// A boxed number: a bool stays one, a whole number is an integer however it was boxed.
  private func foreignNumber(_ number: NSNumber) -> ForeignValue {
    if CFGetTypeID(number) == CFBooleanGetTypeID() { return .bool(number.boolValue) }
    if let int = Int64(exactly: number) { return .int(int) }
    if let uint = UInt64(exactly: number) { return .uint(uint) }
    return .double(number.doubleValue)
  }
#else
  /// `NSNull` and `NSNumber` where Foundation is a module like any other.
  ///
  /// They are opened by casts, because FoundationEssentials lacks them and Foundation would be a hundred
  /// times as large as this library. Casts open numbers of every class, those that are not known by name
  /// too, so that none of them is left to casts elsewhere that cannot tell a bool from a number.
  private func boxedValue(_ value: Any) -> ForeignValue? {
    guard let type = type(of: value) as? AnyClass else { return nil }
    // There is one object for each bool, and a number 1 is not it.
    let object = value as AnyObject
    if object === (true as AnyObject) { return .bool(true) }
    if object === (false as AnyObject) { return .bool(false) }
    switch String(describing: type) {
    case "NSNull": return .null
    case "NSDecimalNumber": return Double("\(value)").map { .wide($0) }
    default:
      // A cast succeeds only if it keeps the number as it is.
      if let int = value as? Int64 { return .int(int) }
      if let uint = value as? UInt64 { return .uint(uint) }
      return (value as? Double).map { .double($0) }
    }
  }
#endif

/// What a type of Foundation is as an attribute of an encoded struct; `nil` if it encodes itself.
private func encodedForeignValue(_ encodable: any Encodable) -> Value? {
  #if canImport(FoundationEssentials) || canImport(Foundation)
    switch encodable {
    case let date as Date: return timestamp(date.timeIntervalSince1970)
    case let url as URL: return .string(url.absoluteString)
    case let data as Data: return .bytes(Array(data))
    case let decimal as Decimal: return Double("\(decimal)").map { .double($0) }
    default: return nil
    }
  #else
    return nil
  #endif
}

/// The instant, or null when it is too far away for whole seconds.
private func timestamp(_ secondsSince1970: Double) -> Value {
  let seconds = secondsSince1970.rounded(.down)
  guard let whole = Int64(exactly: seconds) else { return .null }
  let nanoseconds = ((secondsSince1970 - seconds) * 1e9).rounded(.down)
  return .timestamp(
    Value.Timestamp(seconds: whole, nanoseconds: min(UInt32(nanoseconds), 999_999_999)))
}
