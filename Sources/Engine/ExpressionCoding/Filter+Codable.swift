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

  /// Compiles a filter that is a text, `"user.age > 3"`, or an object with its text and dialect,
  /// `{"text": "user.age > 3", "dialect": "cel"}`.
  ///
  /// - Throws: `DecodingError.dataCorrupted` with a `FilterError` as the underlying error when the
  ///   text is not a filter, and for an unknown dialect. Without a dialect it is superscript.
  public convenience init(from decoder: any Decoder) throws {
    func corrupted(_ key: CodingKeys?, _ reason: String, _ error: FilterError? = nil)
      -> DecodingError
    {
      .dataCorrupted(
        .init(
          codingPath: decoder.codingPath + (key.map { [$0] } ?? []), debugDescription: reason,
          underlyingError: error))
    }
    let bare = try? decoder.singleValueContainer().decode(String.self)
    let container = bare == nil ? try? decoder.container(keyedBy: CodingKeys.self) : nil
    guard let text = try bare ?? container?.decode(String.self, forKey: .text) else {
      throw DecodingError.typeMismatch(
        Filter.self,
        .init(
          codingPath: decoder.codingPath,
          debugDescription: "a filter is a text, or an object with a `text` and a `dialect`"))
    }
    let name = try container?.decodeIfPresent(String.self, forKey: .dialect)
    let environment: FilterEnvironment
    switch name.map(Dialect.Name.init(rawValue:)) {
    case nil, .some(.superscript): environment = .standard
    case .some(.cel): environment = .cel
    case .some(nil): throw corrupted(.dialect, "\(name ?? "") is not the name of a dialect")
    }
    do throws(FilterError) {
      try self.init(text, environment: environment)
    } catch {
      throw corrupted(bare == nil ? .text : nil, error.message, error)
    }
  }
}
