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
  /// What the user tests, in words.
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
  /// What no user was found for although nobody proved that there is none.
  public var openQuestions: [OpenQuestion] = []

  /// The test file: one user per line.
  public var text: String {
    users.map { $0.value.jsonText(pretty: false) + "\n" }.joined()
  }
}

/// A line of a test file: a user, and what they must get.
public struct UserTest: Sendable, Hashable {
  /// The placement.
  public let placement: String
  /// The experiment of the audience; `nil` for none.
  public let expected: String?
  private let variables: [String: Value]
  private let history: [String: Value]

  /// Reads a line; `nil` if it is none of a test file.
  public init?(_ value: Value) {
    guard case .map(let members) = value, case .string(let placement)? = members["placement"],
      case .map(let context)? = members["context"], let expect = members["expect"]
    else { return nil }
    switch expect {
    case .string(let id): expected = id
    case .null: expected = nil
    default: return nil
    }
    self.placement = placement
    var variables: [String: Value] = ["user": [:], "device": [:], "params": [:]]
    var history: [String: Value] = [:]
    for case (.string(let name), let value) in context {
      if name == "host", case .map(let answers) = value {
        for case (.string(let call), let answer) in answers { history[call] = answer }
      } else {
        variables[name] = value
      }
    }
    self.variables = variables
    self.history = history
  }

  /// The experiment of the audience that a config gives the user; `nil` for none.
  public func outcome(of model: AnalysisModel) -> String? {
    let context = Context(variables: variables).replacing(hostState: HistoryAnswers(history))
    let audiences = model.placements.last { $0.name == placement }?.audiences ?? []
    return DecisionMaker(placement, in: model).decision(context).map {
      audiences[$0].experimentID
    }
  }
}
