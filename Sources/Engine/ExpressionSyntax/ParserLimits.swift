/// The limits of the text that the parser accepts. Every limit has an error of its own.
public struct ParserLimits: Sendable, Hashable {
  /// The longest source, in bytes.
  public var sourceLength: Int
  /// The deepest nesting of lists, maps, messages, calls and index brackets.
  ///
  /// Plain parentheses, operators and conditionals do not count: the parser keeps them on a heap
  /// stack of its own.
  public var nesting: Int

  /// Creates limits; both numbers must be positive.
  public init(sourceLength: Int = 2_097_152, nesting: Int = 430) {
    self.sourceLength = sourceLength
    self.nesting = nesting
  }

  /// Two MiB of source, 430 levels of nesting.
  public static let standard = ParserLimits()
}
