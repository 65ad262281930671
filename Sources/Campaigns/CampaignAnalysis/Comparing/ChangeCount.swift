public import ExpressionEngine

/// Counts the users whose decision changes, by running both configs over each of them.
public struct ChangeCount {
  /// The number of users.
  public private(set) var users = 0
  /// How many of them each change of the placement concerns, in order.
  public private(set) var changed: [Int]

  private let old: DecisionMaker
  private let new: DecisionMaker
  private let changes: [(old: Int?, new: Int?)]

  /// Prepares to count.
  ///
  /// - Parameters:
  ///   - change: The placement.
  ///   - old: The config as it was.
  ///   - new: The config as it is to be.
  public init(_ change: PlacementChange, old: AnalysisModel, new: AnalysisModel) {
    self.old = DecisionMaker(change.name, in: old)
    self.new = DecisionMaker(change.name, in: new)
    changes = change.changes.map { ($0.old?.index, $0.new?.index) }
    changed = [Int](repeating: 0, count: change.changes.count)
  }

  /// Counts a user.
  ///
  /// - Complexity: That of evaluating the filters of the placement.
  public mutating func add(_ context: Context) {
    users += 1
    let before = old.decision(context)
    let after = new.decision(context)
    for (index, change) in changes.enumerated() where change.old == before && change.new == after {
      changed[index] += 1
    }
  }

  /// The share of a change in words: `12 of 1000, 1.2 %`.
  func share(_ index: Int) -> String {
    guard users > 0 else { return "no users" }
    let tenths = (changed[index] * 1_000 + users / 2) / users
    return "\(changed[index]) of \(users), \(tenths / 10).\(tenths % 10) %"
  }
}
