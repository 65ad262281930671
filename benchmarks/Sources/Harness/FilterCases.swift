#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// The filters to measure and the context they run on, as `Data/filters.json` holds them.
package struct FilterCases: Decodable, Sendable {
  /// One filter and the answer it must give.
  package struct Case: Decodable, Sendable {
    package let name: String
    package let expression: String
    package let expected: Bool
  }

  /// The attributes by root (`user`, `device`, `params`), then by name.
  package let context: [String: [String: JSONValue]]
  package let filters: [Case]

  /// Reads a data file.
  ///
  /// - Parameter data: the JSON text, in the form of `Data/filters.json`.
  /// - Throws: what `JSONDecoder` throws when the text has another form.
  package init(json data: Data) throws {
    self = try JSONDecoder().decode(FilterCases.self, from: data)
  }

  /// The attributes of one root, as an application would hold them.
  package func native(_ root: String) -> [String: Any] {
    (context[root] ?? [:]).mapValues(\.native)
  }
}
