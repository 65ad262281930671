import AudienceFilters
public import ExpressionEngine
import FilterAnalysis

/// A line of a test file: a user, and what they must get.
public struct UserTest: Sendable, Hashable {
  /// The placement.
  public let placement: String
  /// The registrations of the placement, one after the other; at least one.
  public let registrations: [Registration]
  private let variables: [String: Value]
  private let history: [String: Value]

  /// The mistake in a line that is not a test, for people.
  package struct ReadingError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The sentence.
    package let description: String
  }

  /// Reads a line; `nil` if it is not a line of a test file.
  public init?(_ value: Value) {
    guard let test = try? Self(reading: value) else { return nil }
    self = test
  }

  /// Reads a line of a test file.
  package init(reading value: Value) throws(ReadingError) {
    guard case .map(let members) = value, case .string(let placement)? = members["placement"],
      case .map(let context)? = members["context"], members["expect"] != nil
    else {
      throw ReadingError(
        description: "a test has the members `placement`, `context` and `expect`")
    }
    self.placement = placement
    var registrations = [try Registration(reading: members)]
    switch members["then"] {
    case nil: break
    case .list(let steps)?:
      for step in steps { registrations.append(try Registration(step: step)) }
    default: throw ReadingError(description: "`then` is a list of objects")
    }
    self.registrations = registrations
    let known = Registration.members.union(["placement", "context", "then", "tests", "name"])
    if let other = members.keys.map(\.text).filter({ !known.contains($0) }).min() {
      throw ReadingError(
        description: "a test has no member `\(other)`; known are "
          + known.sorted().map { "`\($0)`" }.joined(separator: ", "))
    }
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

  /// The attributes and the history of the user.
  package var context: Context {
    Context(variables: variables).replacing(hostState: HistoryAnswers(history))
  }

  /// The experiment of the audience that a config gives the user at first; `nil` for none.
  public func outcome(of model: AnalysisModel) -> String? {
    decisions(by: DecisionMaker(placement, in: model)).first.flatMap { $0?.experimentID }
  }

  /// The audience that a config gives the user at each registration; `nil` for none.
  func decisions(by maker: DecisionMaker) -> [AnalysisModel.Audience?] {
    var user = LimitedUser(maker)
    let context = context
    return registrations.map { registration in
      user.register(context, after: registration.minutes).map { maker.audiences[$0] }
    }
  }
}
