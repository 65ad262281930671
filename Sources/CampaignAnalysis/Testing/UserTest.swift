public import AudienceFilters
public import ExpressionEngine

/// A line of a test file: a user, and what they must get.
public struct UserTest: Sendable, Hashable {
  /// The placement.
  public let placement: String
  /// The experiment of the audience; `nil` for none.
  public let expected: String?
  /// The variant that the user must get, or be able to get if no number is drawn; `nil` if it does not
  /// matter.
  package let expectedVariant: String?
  /// The number that is drawn for the choice of the variant, from 0 up to the sum of the weights.
  package let draw: UInt64?
  private let variables: [String: Value]
  private let history: [String: Value]

  /// The mistake in a line that is no test, for people.
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
      case .map(let context)? = members["context"], let expect = members["expect"]
    else {
      throw ReadingError(
        description: "a test has the members `placement`, `context` and `expect`")
    }
    self.placement = placement
    switch expect {
    case .string(let id): expected = id
    case .null: expected = nil
    default: throw ReadingError(description: "`expect` is the id of an experiment or null")
    }
    switch members["variant"] {
    case nil: expectedVariant = nil
    case .string(let id)?: expectedVariant = id
    default: throw ReadingError(description: "`variant` is the id of a variant")
    }
    switch members["draw"] {
    case nil: draw = nil
    case .int(let number)? where number >= 0: draw = UInt64(number)
    default: throw ReadingError(description: "`draw` is a whole number from 0")
    }
    let known: Set = ["placement", "context", "expect", "variant", "draw", "tests", "name"]
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

  /// The experiment of the audience that a config gives the user; `nil` for none.
  public func outcome(of model: AnalysisModel) -> String? {
    audience(of: model)?.experimentID
  }

  /// The audience that a config gives the user; `nil` for none.
  package func audience(of model: AnalysisModel) -> AnalysisModel.Audience? {
    let audiences = model.placements.last { $0.name == placement }?.audiences ?? []
    return DecisionMaker(placement, in: model).decision(context).map { audiences[$0] }
  }
}
