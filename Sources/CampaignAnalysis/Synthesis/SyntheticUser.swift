import ExpressionCoding
public import ExpressionEngine

/// A user who tests a config, with what the config gives them.
public struct SyntheticUser: Sendable, Hashable {
  /// The placement that is tried.
  public let placement: String
  /// The attributes and the history.
  public let user: Witness
  /// The audience that they get; `nil` for none.
  public let expected: Decision?
  /// The purposes of the user's test, in words.
  public let purposes: [String]

  /// The user as one line of a test file, as `swexpr test` reads it.
  public var value: Value {
    [
      "placement": .string(placement), "context": user.value,
      "expect": expected.map { .string($0.audience.experimentID) } ?? .null,
      "tests": .list(purposes.map { .string($0) }),
    ]
  }
}

/// Users who test a config.
public struct SyntheticSuite: Sendable, Hashable {
  /// The users, by placement.
  public var users: [SyntheticUser] = []
  /// The targets for which no user was found although nobody proved that there is none.
  public var openQuestions: [OpenQuestion] = []

  /// The test file: one user per line.
  public var text: String {
    users.map { $0.value.jsonText(pretty: false) + "\n" }.joined()
  }
}
