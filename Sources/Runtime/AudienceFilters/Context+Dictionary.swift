import ExpressionCoding
public import ExpressionEngine

extension Context {
  /// Creates a context from Swift dictionaries.
  ///
  /// ```swift
  /// let context = Context(user: ["age": 25, "plan": "trial"], params: ["source": "menu"])
  /// ```
  ///
  /// Every value keeps its kind and its content; ``Layer/init(dictionary:)`` has the table. What no
  /// attribute can be, such as an object of your own, is left out: a debug build prints its path
  /// and its type, and ``onLoss(_:)`` receives them in every build.
  /// ``init(validating:device:params:)`` throws instead.
  ///
  /// - Parameters:
  ///   - user: The attributes under `user`.
  ///   - device: The attributes under `device`.
  ///   - params: The attributes under `params`.
  /// - Complexity: O(size of the dictionaries).
  public init(user: [String: Any], device: [String: Any] = [:], params: [String: Any] = [:]) {
    self.init(
      user: Layer(dictionary: user, of: "user"), device: Layer(dictionary: device, of: "device"),
      params: Layer(dictionary: params, of: "params"))
  }

  /// Creates a context from Swift dictionaries, without attributes of the user; see
  /// ``init(user:device:params:)-([String:Any],_,_)``.
  public init(device: [String: Any], params: [String: Any] = [:]) {
    self.init(user: [:], device: device, params: params)
  }

  /// Creates a context from the parameters of a placement alone; see
  /// ``init(user:device:params:)-([String:Any],_,_)``.
  public init(params: [String: Any]) {
    self.init(user: [:], device: [:], params: params)
  }

  /// Creates a context from an `Encodable` user, such as a struct of your app.
  ///
  /// ```swift
  /// struct Profile: Encodable {
  ///   var age = 25
  ///   var plan = "trial"
  /// }
  /// let context = try Context(user: Profile(), device: ["platform": "iOS"])
  /// ```
  ///
  /// - Parameters:
  ///   - user: A struct, class or dictionary that encodes a keyed container; see
  ///     ``Layer/init(encoding:)``.
  ///   - device: The attributes under `device`.
  ///   - params: The attributes under `params`.
  /// - Throws: The errors of ``Layer/init(encoding:)``.
  @_disfavoredOverload
  public init(
    user: some Encodable, device: [String: Any] = [:], params: [String: Any] = [:]
  ) throws {
    self.init(
      user: try Layer(encoding: user), device: Layer(dictionary: device, of: "device"),
      params: Layer(dictionary: params, of: "params"))
  }

  /// Creates a context from Swift dictionaries, all of whose values an attribute can be.
  ///
  /// - Parameters:
  ///   - user: The attributes under `user`.
  ///   - device: The attributes under `device`.
  ///   - params: The attributes under `params`.
  /// - Throws: ``AttributeError`` with the path and the type of each value that is not kept.
  /// - Complexity: O(size of the dictionaries).
  public init(
    validating user: [String: Any], device: [String: Any] = [:], params: [String: Any] = [:]
  ) throws(AttributeError) {
    var report = Layer.Report()
    self.init(
      user: Layer(dictionary: user, of: "user", report: &report),
      device: Layer(dictionary: device, of: "device", report: &report),
      params: Layer(dictionary: params, of: "params", report: &report))
    if let error = AttributeError(report) { throw error }
  }

  /// Returns a copy with other parameters, which keep what ``Layer/init(dictionary:)`` keeps.
  ///
  /// - Complexity: O(size of the parameters); the other layers are shared.
  public func replacing(params: [String: Any]) -> Context {
    replacing(params: Layer(dictionary: params, of: "params"))
  }

  /// Returns a copy with other device attributes, which keep what ``Layer/init(dictionary:)``
  /// keeps.
  ///
  /// - Complexity: O(size of the attributes); the other layers are shared.
  public func replacing(device: [String: Any]) -> Context {
    replacing(device: Layer(dictionary: device, of: "device"))
  }

  /// Returns a copy with other user attributes, which keep what ``Layer/init(dictionary:)`` keeps.
  ///
  /// - Complexity: O(size of the attributes); the other layers are shared.
  public func replacing(user: [String: Any]) -> Context {
    replacing(user: Layer(dictionary: user, of: "user"))
  }
}

extension Context.Layer {
  /// Freezes a Swift dictionary, all of whose values keep their kind and their content.
  ///
  /// | Swift | attribute |
  /// |---|---|
  /// | `String`, `Substring`, `Character` | string |
  /// | `Bool` | bool |
  /// | integers of every type | int; uint above `Int64.max` |
  /// | `Double`, `Float`, `CGFloat`, `Decimal`, also NaN and the infinities | double |
  /// | `NSNumber` | bool, int, uint or double by its kind; on Linux a whole number is an int |
  /// | `Date` | timestamp, which the superscript dialect reads as seconds since 1970 |
  /// | `Duration` | duration |
  /// | `URL`, `UUID` | string |
  /// | `Data` | bytes |
  /// | arrays and sets | list |
  /// | dictionaries | map |
  /// | `nil`, `NSNull` | null |
  /// | enums and other types with a raw value | their raw value |
  /// | types that are `Encodable` | what they encode |
  /// | `Value` | unchanged |
  ///
  /// An attribute of any other type is left out; inside a list or a dictionary null takes its
  /// place.
  /// A debug build prints the path and the type, and ``Context/onLoss(_:)`` receives them in every
  /// build. ``init(validating:)`` throws instead.
  ///
  /// - Parameter dictionary: Values by name.
  /// - Complexity: O(size of the dictionary).
  public init(dictionary: [String: Any]) {
    self.init(dictionary: dictionary, of: nil)
  }

  /// Freezes a Swift dictionary, all of whose values an attribute can be.
  ///
  /// - Parameter dictionary: Values by name, of the types that ``init(dictionary:)`` lists.
  /// - Throws: ``Context/AttributeError`` with the path and the type of each value that is not
  ///   kept.
  /// - Complexity: O(size of the dictionary).
  public init(validating dictionary: [String: Any]) throws(Context.AttributeError) {
    var report = Report()
    self.init(dictionary: dictionary, of: nil, report: &report)
    if let error = Context.AttributeError(report) { throw error }
  }

  /// Freezes the dictionary of a root and hands on what is lost.
  init(dictionary: [String: Any], of root: String?) {
    guard Context.noticesLosses else {
      var report: Report?
      self.init(
        freezing: dictionary, rules: .lossless, report: &report, foreign: foreignValue,
        encode: encodedValue)
      return
    }
    var report = Report()
    self.init(dictionary: dictionary, of: root, report: &report)
    if !report.isEmpty { Context.noticeLosses(report) }
  }

  /// Freezes the dictionary of a root and adds what is lost to a report.
  init(dictionary: [String: Any], of root: String?, report: inout Report) {
    var found: Report? = Report()
    self.init(
      freezing: dictionary, rules: .lossless, report: &found, foreign: foreignValue,
      encode: encodedValue)
    for var entry in found?.entries ?? [] {
      if let root { entry.path = "\(root).\(entry.path)" }
      report.entries.append(entry)
    }
  }

  /// Freezes a Swift dictionary as a paywall SDK does.
  ///
  /// - Parameters:
  ///   - dictionary: Values by name, of the types in the table of `SanitationRules`.
  ///   - rules: The rules that convert or drop the values.
  /// - Complexity: O(size of the dictionary).
  public init(dictionary: [String: Any], rules: SanitationRules) {
    var report: Report?
    self.init(freezing: dictionary, rules: rules.conversion, report: &report, foreign: foreignValue)
  }

  /// Freezes a Swift dictionary as a paywall SDK does, and reports the values that were dropped or
  /// replaced.
  ///
  /// - Parameters:
  ///   - dictionary: Values by name, of the types in the table of `SanitationRules`.
  ///   - rules: The rules that convert or drop the values.
  ///   - report: The report, to which an entry is added for each value that was dropped or
  ///     replaced.
  /// - Complexity: O(size of the dictionary).
  public init(dictionary: [String: Any], rules: SanitationRules, report: inout Report) {
    var notes: Report? = Report()
    self.init(freezing: dictionary, rules: rules.conversion, report: &notes, foreign: foreignValue)
    report.entries += notes?.entries ?? []
  }

  /// Freezes the encoded form of a value.
  ///
  /// Structs and dictionaries become maps, arrays become lists, and everything in them what
  /// ``init(dictionary:)`` makes of it: dates become timestamps, URLs their absolute text, data
  /// bytes. A property that is `nil` is mostly left out by `Encodable` itself.
  ///
  /// - Parameter encodable: A struct, class or dictionary that encodes a keyed container.
  /// - Throws: The errors of the type's `encode(to:)`, or `EncodingError` if it does not encode a
  ///   keyed container.
  public init(encoding encodable: some Encodable) throws {
    try self.init(encoding: encodable, foreign: encodedForeignValue)
  }

  init(
    encoding encodable: some Encodable, foreign: @escaping (any Encodable) throws -> Value?
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
