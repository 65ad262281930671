import ExpressionCoding
public import ExpressionEngine

/// A user who tests a config, with the decisions of the config.
public struct SyntheticUser: Sendable, Hashable {
  /// The placement that is tried.
  public let placement: String
  /// The attributes and the history.
  public let user: Witness
  /// The audience that they get at first; `nil` for none.
  public let expected: Decision?
  /// The purposes of the user's test, in words.
  public internal(set) var purposes: [String]
  /// The registrations of the placement with what each gives, one after the other.
  public internal(set) var registrations: [Registration]

  init(placement: String, user: Witness, expected: Decision?, purposes: [String]) {
    self.placement = placement
    self.user = user
    self.expected = expected
    self.purposes = purposes
    registrations = [Registration(expected: expected?.audience.experimentID)]
  }

  /// The user as one line of a test file, as `swexpr test` reads it.
  public var value: Value {
    var members: [Value.Key: Value] = [
      "placement": .string(placement), "context": user.value,
      "tests": .list(purposes.map { .string($0) }),
    ]
    for registration in registrations.prefix(1) {
      members.merge(registration.value) { _, new in new }
    }
    if registrations.count > 1 {
      members["then"] = .list(registrations.dropFirst().map { .map($0.value) })
    }
    return .map(members)
  }
}

/// Users who test a config.
public struct SyntheticSuite: Sendable, Hashable {
  /// The users, by placement.
  public var users: [SyntheticUser] = []
  /// Targets for which no user was found, although it is not proved that none exists.
  public var openQuestions: [OpenQuestion] = []

  /// The test file: one user per line.
  public var text: String {
    users.map { $0.value.jsonText(pretty: false) + "\n" }.joined()
  }
}
