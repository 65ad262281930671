public import ExpressionSyntax

/// A filter of an audience that has no value for a user, so that the audience does not match.
public struct FilterFailure: Sendable, Hashable, CustomStringConvertible {
  /// The experiment of the audience.
  public var experimentID: String
  /// The id of the error.
  public var id: DiagnosticID
  /// The reason for a person, in one line. It has no values of attributes.
  public var message: String

  /// The failure in one line.
  public var description: String { "experiment \(experimentID): \(message) [\(id.rawValue)]" }
}
