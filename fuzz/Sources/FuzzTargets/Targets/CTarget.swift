import CSwexpr

/// Every function of the C interface sets either a result or an error, whatever the bytes.
///
/// The first part of an input is a filter, the second a context in JSON, the third the conduct of a
/// host.
enum CTarget {
  static func run(_ input: FuzzInput) {
    let text = input.firstBytes
    let rest = input.secondBytes ?? UnsafeBufferPointer(start: nil, count: 0)
    let end = rest.firstIndex(of: 0) ?? rest.endIndex
    let json = UnsafeBufferPointer(rebasing: rest[..<end])
    let conduct = UnsafeBufferPointer(rebasing: rest[min(end + 1, rest.endIndex)...])
    text.withMemoryRebound(to: CChar.self) { text in
      json.withMemoryRebound(to: CChar.self) { json in
        filters(text, json)
        hostile(text, json, conduct)
        for result in [
          swexpr_reference_evaluate_with_context(json.baseAddress, json.count, nil, nil),
          swexpr_reference_evaluate_ast_with_context(json.baseAddress, json.count, nil, nil),
          swexpr_reference_evaluate_ast(json.baseAddress, json.count),
          swexpr_reference_parse_to_ast(text.baseAddress, text.count),
        ] {
          require(result != nil, "a function of the reference returns no text")
          swexpr_string_free(result)
        }
      }
    }
  }

  private typealias Bytes = UnsafeBufferPointer<CChar>
  private typealias ErrorText = UnsafeMutablePointer<CChar>?

  private static func filters(_ text: Bytes, _ json: Bytes) {
    var error: ErrorText = nil
    let environment = swexpr_environment_create(
      json.baseAddress, json.count, nil, nil, nil, &error)
    check(environment != nil, &error, "swexpr_environment_create")
    let context = swexpr_context_create(
      UInt32(SWEXPR_PLAIN), json.baseAddress, json.count, &error)
    check(context != nil, &error, "swexpr_context_create")
    let tagged = swexpr_context_create(
      UInt32(SWEXPR_TAGGED), json.baseAddress, json.count, &error)
    check(tagged != nil, &error, "swexpr_context_create of tagged values")
    let filter = swexpr_filter_create(text.baseAddress, text.count, environment, &error)
    check(filter != nil, &error, "swexpr_filter_create")
    for context in [context, tagged] { evaluate(filter, context) }
    let findings = swexpr_check(
      text.baseAddress, text.count, environment, json.baseAddress, json.count, &error)
    check(findings != nil, &error, "swexpr_check")
    swexpr_string_free(findings)
    set(text, environment, context)
    swexpr_filter_free(filter)
    swexpr_context_free(tagged)
    swexpr_context_free(context)
    swexpr_environment_free(environment)
  }

  private static func evaluate(_ filter: OpaquePointer?, _ context: OpaquePointer?) {
    var error: ErrorText = nil
    let isMatch = swexpr_filter_matches(filter, context, &error)
    let arePresent = filter != nil && context != nil
    require((error == nil) == arePresent, "swexpr_filter_matches and its error")
    free(&error)
    for format: UInt32 in 0...3 {
      let result = swexpr_filter_evaluate(filter, context, format, &error)
      check(result != nil, &error, "swexpr_filter_evaluate")
      if isMatch && format == 0 {
        require(result.map { String(cString: $0) } == "true", "a match that is not true")
      }
      swexpr_string_free(result)
    }
    let explanation = swexpr_filter_explain(filter, context, &error)
    check(explanation != nil, &error, "swexpr_filter_explain")
    swexpr_string_free(explanation)
  }

  private static func set(
    _ text: Bytes, _ environment: OpaquePointer?, _ context: OpaquePointer?
  ) {
    var error: ErrorText = nil
    let texts = [text.baseAddress, text.baseAddress]
    let set = swexpr_set_create(texts, [text.count, text.count], 2, environment, &error)
    check(set != nil, &error, "swexpr_set_create")
    let first = swexpr_set_first_match(set, context, &error)
    require(error == nil || first == -1, "swexpr_set_first_match and its error")
    free(&error)
    var indices = [Int](repeating: -1, count: 2)
    let count = swexpr_set_matches(set, context, &indices, indices.count, &error)
    require((error == nil) == (count >= 0), "swexpr_set_matches and its error")
    require(count <= 0 || (count == 2 && first == 0), "\(count) matches of two equal filters")
    free(&error)
    let results = swexpr_set_evaluate(set, context, 0, &error)
    check(results != nil, &error, "swexpr_set_evaluate")
    swexpr_string_free(results)
    swexpr_set_free(set)
  }

  /// Checks that there is either a result or an error, and frees the error.
  private static func check(_ hasResult: Bool, _ error: inout ErrorText, _ function: String) {
    require(hasResult == (error == nil), "\(function) sets both a result and an error, or neither")
    free(&error)
  }

  private static func free(_ error: inout ErrorText) {
    swexpr_string_free(error)
    error = nil
  }
}
