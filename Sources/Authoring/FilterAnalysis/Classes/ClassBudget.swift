/// How much more the classes of all values may take: steps of searches, and values that lists are
/// made of.
package struct ClassBudget {
  package private(set) var steps: Int

  /// Counts steps before they are made.
  package mutating func spend(_ count: Int) throws(Partition.TooManyClasses) {
    guard count <= steps else { throw Partition.TooManyClasses() }
    steps -= count
  }

  /// The budget of a part of the work.
  package func part(_ limit: Int) -> ClassBudget { ClassBudget(steps: min(steps, limit)) }

  /// Counts steps that a part of the work made.
  package mutating func reduce(by count: Int) { steps = max(0, steps - count) }
}
