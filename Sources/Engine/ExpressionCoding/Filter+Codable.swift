public import ExpressionEngine
import ExpressionSyntax

extension Filter: Codable {
  private enum CodingKeys: String, CodingKey {
    case text
    case dialect
  }

  /// Writes the text and the dialect. Host functions, limits and declarations are not written.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(text, forKey: .text)
    try container.encode(environment.dialect.name.rawValue, forKey: .dialect)
  }

  /// Compiles a filter that was written with its text and dialect.
  ///
  /// - Throws: `DecodingError.dataCorrupted` with a `FilterError` as the underlying error when the
  ///   text is not a filter, and for an unknown dialect. Without a dialect it is superscript.
  public convenience init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let text = try container.decode(String.self, forKey: .text)
    let name = try container.decodeIfPresent(String.self, forKey: .dialect)
    func corrupted(_ key: CodingKeys, _ reason: String, _ error: FilterError? = nil)
      -> DecodingError
    {
      .dataCorrupted(
        .init(
          codingPath: decoder.codingPath + [key], debugDescription: reason, underlyingError: error))
    }
    let environment: FilterEnvironment
    switch name.map(Dialect.Name.init(rawValue:)) {
    case nil, .some(.superscript): environment = .standard
    case .some(.cel): environment = .cel
    case .some(nil): throw corrupted(.dialect, "\(name ?? "") is not the name of a dialect")
    }
    do throws(FilterError) {
      try self.init(text, environment: environment)
    } catch {
      throw corrupted(.text, error.diagnostics.first?.message ?? "not a filter", error)
    }
  }
}
