import CSwexpr

/// What a function of the C interface reported as its error.
struct CError: Error, CustomStringConvertible {
  let description: String
}

/// Calls of the C interface from Swift, which free what they get.
enum Calls {
  typealias Place = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>

  /// Returns a string of the library as a copy, and frees it.
  static func take(_ string: UnsafeMutablePointer<CChar>?) -> String? {
    defer { swexpr_string_free(string) }
    return string.map { String(cString: $0) }
  }

  /// Calls a function, and throws what it reports.
  ///
  /// The place is filled before, so that a function that forgets it is noticed.
  static func throwing<Result>(_ call: (Place) -> Result) throws(CError) -> Result {
    var error = UnsafeMutablePointer<CChar>(bitPattern: 1)
    let result = call(&error)
    if let message = take(error) { throw CError(description: message) }
    return result
  }

  /// Calls a function that returns a string.
  static func text(_ call: (Place) -> UnsafeMutablePointer<CChar>?) throws -> String {
    let string = try throwing(call)
    guard let text = take(string) else { throw CError(description: "neither result nor error") }
    return text
  }

  /// Calls a function that creates an object, and passes it to `body`.
  @discardableResult
  static func using<Result>(
    _ create: (Place) -> OpaquePointer?, _ free: (OpaquePointer?) -> Void,
    _ body: (OpaquePointer) throws -> Result
  ) throws -> Result {
    guard let object = try throwing(create) else {
      throw CError(description: "neither object nor error")
    }
    defer { free(object) }
    return try body(object)
  }

  @discardableResult
  static func withFilter<Result>(
    _ text: String, _ environment: OpaquePointer? = nil, _ body: (OpaquePointer) throws -> Result
  ) throws -> Result {
    try using(
      { swexpr_filter_create(text, text.utf8.count, environment, $0) }, swexpr_filter_free, body)
  }

  @discardableResult
  static func withContext<Result>(
    _ json: String, format: Int = SWEXPR_PLAIN, _ body: (OpaquePointer) throws -> Result
  ) throws -> Result {
    try using(
      { swexpr_context_create(swexpr_format(format), json, json.utf8.count, $0) },
      swexpr_context_free, body)
  }

  /// Evaluates a filter over a context.
  static func evaluate(
    _ filter: OpaquePointer?, _ context: OpaquePointer?, format: Int = SWEXPR_PLAIN
  ) throws -> String {
    try text { swexpr_filter_evaluate(filter, context, swexpr_format(format), $0) }
  }

  /// Evaluates a text over a context in JSON.
  static func evaluate(
    _ filter: String, _ json: String, _ environment: OpaquePointer? = nil,
    format: Int = SWEXPR_PLAIN
  ) throws -> String {
    try withFilter(filter, environment) { filter in
      try withContext(json) { context in try evaluate(filter, context, format: format) }
    }
  }

  /// Passes texts as C strings.
  static func withStrings<Result>(
    _ texts: [String], _ body: ([UnsafePointer<CChar>?]) throws -> Result
  ) rethrows -> Result {
    let copies = texts.map { text in
      let copy = UnsafeMutablePointer<CChar>.allocate(capacity: text.utf8.count + 1)
      for (index, byte) in text.utf8CString.enumerated() { copy[index] = byte }
      return copy
    }
    defer { for copy in copies { copy.deallocate() } }
    return try body(copies.map { UnsafePointer($0) })
  }

  /// Creates a set of texts that end with NUL, and passes it to `body`.
  @discardableResult
  static func withSet<Result>(
    _ texts: [String], _ environment: OpaquePointer? = nil, _ body: (OpaquePointer) throws -> Result
  ) throws -> Result {
    try withStrings(texts) { strings in
      try using(
        { swexpr_set_create(strings, nil, strings.count, environment, $0) }, swexpr_set_free, body)
    }
  }
}
