import ExpressionEngine

/// A filter to measure, with its context and its expected result.
struct MeasuredFilter: Sendable {
  let name: String
  let expression: String
  let context: [String: Value]
  let expected: Value?

  /// Reads `[{"name", "expression", "context", "expected"}]`, or `{"context", "filters": […]}` if
  /// all filters share a context.
  static func read(_ path: String) throws(InputError) -> [MeasuredFilter] {
    let place = InputFile.name(path)
    var shared: [String: Value] = [:]
    var document = try InputFile.json(path)
    if case .map = document {
      let members = try ContextOptions.object(document, place)
      if let context = members["context"] {
        shared = try ContextOptions.object(context, "\(place): `context`")
      }
      guard let filters = members["filters"] else {
        throw InputError("\(place): an object must have the member `filters`")
      }
      document = filters
    }
    guard case .list(let elements) = document else {
      throw InputError(
        "\(place): must be a list of filters, found \(document.kindName.withArticle)")
    }
    var filters: [MeasuredFilter] = []
    for (index, element) in elements.enumerated() {
      let members = try ContextOptions.object(element, "\(place): filter \(index)")
      guard case .string(let expression)? = members["expression"] else {
        throw InputError("\(place): filter \(index): `expression` must be a string")
      }
      var name = "filter \(index)"
      if case .string(let given)? = members["name"] { name = given }
      var context = shared
      if let own = members["context"] {
        context = try ContextOptions.object(own, "\(place): \(name): `context`")
      }
      filters.append(
        MeasuredFilter(
          name: name, expression: expression, context: context, expected: members["expected"]))
    }
    return filters
  }
}
