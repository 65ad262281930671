/// How much work an analysis may be.
public struct AnalysisLimits: Sendable, Hashable {
  /// The most conditions of all filters together. A filter beyond counts as one that may be
  /// anything.
  public var conditions: Int
  /// The most nodes of all diagrams together.
  public var nodes: Int
  /// The most branches of these nodes.
  public var branches: Int
  /// The most steps through the diagrams, and evaluations of conditions.
  public var steps: Int
  /// The most users that are looked at to settle one question.
  public var attempts: Int
  /// The most combinations of classes that a condition about several attributes is evaluated for.
  public var combinations: Int
  /// The most classes of texts and of lists that are told apart by what they contain.
  public var classes: Int

  /// As much work as may be done at each key, for one filter or one placement.
  static let whileTyping = AnalysisLimits(
    nodes: 50_000, branches: 400_000, steps: 5_000_000, attempts: 200, combinations: 2_000,
    classes: 1_024)

  /// Creates limits.
  public init(
    conditions: Int = 120_000, nodes: Int = 1_000_000, branches: Int = 4_000_000,
    steps: Int = 200_000_000,
    attempts: Int = 2_000, combinations: Int = 20_000, classes: Int = 4_096
  ) {
    self.conditions = conditions
    self.nodes = nodes
    self.branches = branches
    self.steps = steps
    self.attempts = attempts
    self.combinations = combinations
    self.classes = classes
  }
}
