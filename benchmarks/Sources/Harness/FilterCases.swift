#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The filters to measure and the context they run on, as `Data/filters.json` holds them.
public struct FilterCases: Decodable, Sendable {
  /// One filter and the answer it must give.
  public struct Case: Decodable, Sendable {
    public let name: String
    public let expression: String
    public let expected: Bool
  }

  /// The attributes by root (`user`, `device`, `params`), then by name.
  public let context: [String: [String: JSONValue]]
  public let filters: [Case]

  /// Reads a data file.
  ///
  /// - Parameter data: the JSON text, in the form of `Data/filters.json`.
  /// - Throws: what `JSONDecoder` throws when the text has another form.
  public init(json data: Data) throws {
    self = try JSONDecoder().decode(FilterCases.self, from: data)
  }

  /// The attributes of one root, as an application would hold them.
  public func native(_ root: String) -> [String: Any] {
    (context[root] ?? [:]).mapValues(\.native)
  }
}
