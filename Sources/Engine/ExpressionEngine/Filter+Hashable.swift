import ExpressionSyntax

extension Filter: Hashable, CustomStringConvertible {
  /// Returns whether two filters have the same text and dialect. Host functions, limits and
  /// declarations are not compared.
  public static func == (left: Filter, right: Filter) -> Bool {
    left === right
      || left.source.bytes == right.source.bytes
        && left.environment.dialect.name == right.environment.dialect.name
  }

  /// Hashes the text.
  public func hash(into hasher: inout Hasher) { hasher.combine(source.bytes) }

  /// The text of the filter.
  public var description: String { text }
}
