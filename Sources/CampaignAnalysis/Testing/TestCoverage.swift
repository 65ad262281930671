import AudienceFilters
import ExpressionEngine
import ExpressionSyntax

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
    fileprivate let isOpen: Bool
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

  /// Prepares the count for a config.
  package init(_ model: AnalysisModel) {
    let environment = HistoryAnswers.environment(dialect: model.dialect)
    placements = model.placements.map { placement in
      Placement(
        name: placement.name,
        audiences: placement.audiences.map { audience in
          let filter = audience.filter.flatMap { try? Filter($0, environment: environment) }
          let isOpen =
            !(audience.limit?.isClosed ?? false) && (audience.filter == nil || filter != nil)
          var result = Audience(
            experimentID: audience.experimentID, filter: filter, isOpen: isOpen)
          if let filter { result.addConditions(of: filter.explain(Context()).root) }
          return result
        })
    }
  }

  /// Counts the user of a test.
  package mutating func add(_ test: UserTest) {
    guard let placement = placements.firstIndex(where: { $0.name == test.placement }) else {
      return
    }
    let context = test.context
    for index in placements[placement].audiences.indices
    where placements[placement].audiences[index].add(context) {
      return
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

  /// Counts a user that no earlier audience has taken. Returns whether this one takes the user.
  fileprivate mutating func add(_ context: Context) -> Bool {
    tried += 1
    guard let filter else {
      reached += isOpen ? 1 : 0
      return isOpen
    }
    count(filter.explain(context).root)
    let isTaken = isOpen && filter.matches(context)
    reached += isTaken ? 1 : 0
    return isTaken
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
