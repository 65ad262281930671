/// How much work an analysis may be.
public struct AnalysisLimits: Sendable, Hashable {
  /// The most nodes of all diagrams together.
  public var nodes: Int
  /// The most users that are looked at to settle one question.
  public var attempts: Int
  /// The most combinations of classes that a condition about several attributes is evaluated for.
  public var combinations: Int
  /// The most classes of texts and of lists that are told apart by what they contain.
  public var classes: Int

  /// Creates limits.
  public init(
    nodes: Int = 1_000_000, attempts: Int = 2_000, combinations: Int = 20_000, classes: Int = 4_096
  ) {
    self.nodes = nodes
    self.attempts = attempts
    self.combinations = combinations
    self.classes = classes
  }
}
