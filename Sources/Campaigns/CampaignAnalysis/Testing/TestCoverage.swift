import AudienceFilters
import ExpressionEngine
import ExpressionSyntax
import FilterAnalysis
import FilterAuthoring

/// The parts of a config that tests have tried: which audiences took a user, and which conditions of
/// their filters were seen to hold and to fail.
package struct TestCoverage: Sendable {
  /// The users at one condition of a filter.
  package struct Condition: Sendable, Hashable {
    /// The condition as it is written.
    package let text: String
    /// The number of users for whom it held.
    package fileprivate(set) var holds = 0
    /// The number of users for whom it did not hold or had no value.
    package fileprivate(set) var fails = 0

    /// Whether it was seen both ways.
    package var isCovered: Bool { holds > 0 && fails > 0 }
  }

  /// The users at one audience.
  package struct Audience: Sendable {
    /// The experiment.
    package let experimentID: String
    /// The number of users that no audience before took.
    package fileprivate(set) var tried = 0
    /// The number of users that it took.
    package fileprivate(set) var reached = 0
    /// The conditions of its filter, in the order of the text.
    package fileprivate(set) var conditions: [Condition] = []
    fileprivate let filter: Filter?
    fileprivate var places: [SourceSpan: Int] = [:]
  }

  /// The users at one placement.
  package struct Placement: Sendable {
    /// The name.
    package let name: String
    /// The audiences in order.
    package fileprivate(set) var audiences: [Audience]
  }

  /// The placements in the order of the config.
  package private(set) var placements: [Placement]
  /// What decides at each placement, by its name.
  package let makers: [String: DecisionMaker]

  /// Prepares the count for a config.
  package init(_ model: AnalysisModel) {
    makers = model.decisionMakers()
    let environment = model.environment
    placements = model.placements.map { placement in
      Placement(
        name: placement.name,
        audiences: placement.audiences.map { audience in
          let filter = audience.filter.flatMap { try? Filter($0, environment: environment) }
          var result = Audience(experimentID: audience.experimentID, filter: filter)
          if let filter { result.addConditions(of: filter.conditions(Context())) }
          return result
        })
    }
  }

  /// Counts the user of a test.
  package mutating func add(_ test: UserTest) {
    guard let placement = placements.firstIndex(where: { $0.name == test.placement }),
      let maker = makers[test.placement]
    else { return }
    let context = test.context
    var user = LimitedUser(maker)
    for registration in test.registrations {
      let taken = user.register(context, after: registration.minutes)
      for index in placements[placement].audiences.indices {
        placements[placement].audiences[index].add(context, isTaken: index == taken)
        if index == taken { break }
      }
    }
  }

  // MARK: Results

  private var audiences: [Audience] { placements.flatMap(\.audiences) }
  /// The number of audiences.
  package var audienceCount: Int { audiences.count }
  /// The number of audiences that took a user.
  package var reachedCount: Int { audiences.count { $0.reached > 0 } }
  /// The number of conditions.
  package var conditionCount: Int { audiences.reduce(0) { $0 + $1.conditions.count } }
  /// The number of conditions that were seen both ways.
  package var coveredCount: Int {
    audiences.reduce(0) { $0 + $1.conditions.count(where: \.isCovered) }
  }
}

extension TestCoverage.Audience {
  /// Finds the conditions of a filter, none inside another: a loop counts as one.
  fileprivate mutating func addConditions(of condition: Explanation.Condition) {
    guard condition.isLeaf else {
      for child in condition.children { addConditions(of: child) }
      return
    }
    guard places[condition.span] == nil else { return }
    places[condition.span] = conditions.count
    conditions.append(TestCoverage.Condition(text: condition.text))
  }

  /// Counts a user that no earlier audience has taken.
  fileprivate mutating func add(_ context: Context, isTaken: Bool) {
    tried += 1
    reached += isTaken ? 1 : 0
    if let filter { count(filter.conditions(context)) }
  }

  private mutating func count(_ condition: Explanation.Condition) {
    guard condition.isLeaf else {
      for child in condition.children { count(child) }
      return
    }
    guard let index = places[condition.span], condition.outcome != .notEvaluated else { return }
    if condition.holds == true {
      conditions[index].holds += 1
    } else {
      conditions[index].fails += 1
    }
  }
}

extension Explanation.Condition {
  /// Whether the condition is not made of others.
  fileprivate var isLeaf: Bool {
    switch kind {
    case .all, .any, .not, .conditional: children.isEmpty
    case .comparison, .loop, .call, .value: true
    }
  }
}
