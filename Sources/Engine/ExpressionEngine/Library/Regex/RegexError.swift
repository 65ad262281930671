import LinearRegex

/// The reason why a pattern is rejected or a match was aborted.
struct RegexError: Error, Hashable {
  /// The category of the problem.
  enum Kind: Hashable {
    /// The pattern does not follow the syntax.
    case syntax
    /// The pattern is too long, or its nesting or a repetition exceeds a limit.
    case tooLarge
    /// The compiled pattern exceeds the reference's size limit.
    case compiledSize
    /// The match was aborted, because it would have taken too long.
    case tooCostly
  }

  /// The category of the problem.
  var kind: Kind
  /// The position in the pattern, in bytes.
  var offset: Int
  /// The length of the part concerned in bytes, which may be 0.
  var length: Int
  /// A readable description of the problem, without a period at the end.
  var message: String

  /// Creates the error of a rejected pattern.
  init(_ error: RegexPatternError) {
    switch error.reason {
    case .tooLarge: kind = .compiledSize
    case .tooLong, .nestedTooDeep, .repetitionTooLarge: kind = .tooLarge
    default: kind = .syntax
    }
    offset = error.range.lowerBound
    length = error.range.count
    message = "\(error.message)"
  }

  /// The error of an aborted match.
  static let tooCostly = RegexError(
    kind: .tooCostly,
    message: "the match was given up, because this pattern would take too long on this text")

  private init(kind: Kind, message: String) {
    self.kind = kind
    self.message = message
    offset = 0
    length = 0
  }
}
