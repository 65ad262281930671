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
}
