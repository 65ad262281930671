// Steps: the budget of time. Loops take one for each turn, and operations on large values take some
// for their size, so that a filter's time is bounded by its length and its budget.

extension Machine {
  /// The number of bytes that one step pays for.
  private static let bytesPerStep = 256
  /// The number of compared elements that one step pays for.
  static let comparisonsPerStep = 16
  /// The number of visited states of a regular expression that one step pays for.
  private static let statesPerStep = 1_024

  /// All steps that are left; negative when an operation took more.
  var stepsLeft: Int { steps &+ reserve }

  /// Takes steps from the budget. Fails and returns `false` when there are not so many.
  mutating func spend(steps count: Int) -> Bool {
    if count == 0 { return true }
    steps &-= count
    return steps >= 0 || refillSteps()
  }

  /// The number of comparisons that the steps that are left pay for.
  var comparisonBudget: Int {
    let (budget, overflow) = max(stepsLeft, 1).multipliedReportingOverflow(
      by: Self.comparisonsPerStep)
    return overflow ? .max : budget
  }

  /// Consumes the steps for `comparisons` comparisons of elements, as ``spend(steps:)``.
  mutating func spend(comparisons: Int) -> Bool {
    spend(steps: comparisons / Self.comparisonsPerStep)
  }

  /// Consumes the steps for the comparisons that are missing from a budget. Fails and returns
  /// `false` if it is exhausted.
  mutating func pay(_ budget: Int, of total: Int) -> Bool {
    guard budget >= 0 else {
      _ = fail(.stepLimit)
      return false
    }
    return spend(comparisons: total &- budget)
  }

  /// Consumes the steps for reading `count` bytes or elements, as ``spend(steps:)``.
  @inline(__always)
  mutating func spend(bytes count: UInt32) -> Bool {
    count < Self.bytesPerStep || spend(steps: Int(count) / Self.bytesPerStep)
  }

  /// Consumes the steps for visiting states of a regular expression, as ``spend(steps:)``.
  mutating func spend(states: Int) -> Bool { spend(steps: states / Self.statesPerStep) }

  /// Consumes the steps for a function that reads its arguments once, as ``spend(steps:)``.
  @inline(__always)
  mutating func spend(workOn arguments: UnsafeBufferPointer<Slot>) -> Bool {
    for argument in arguments where argument.hasSize {
      guard spend(bytes: argument.aux) else { return false }
    }
    return true
  }

  /// Continues with the next slice of the budget.
  ///
  /// - Parameter needed: The number of steps that must be left.
  /// - Returns: `false`, with a failure, if the budget is used up or the evaluation is to stop.
  @inline(never)
  mutating func refillSteps(atLeast needed: Int = 0) -> Bool {
    let left = stepsLeft
    guard left >= needed else {
      _ = fail(.stepLimit)
      return false
    }
    guard checkStop() else { return false }
    steps = min(left, EvaluationStop.interval)
    reserve = left &- steps
    return true
  }

  /// Fails and returns `false` if the evaluation is to stop.
  mutating func checkStop() -> Bool {
    guard let reason = stop?._withUnsafeGuaranteedRef({ $0.reason }) else { return true }
    _ = fail(reason)
    return false
  }
}

extension Slot {
  /// Whether ``aux`` is a number of bytes or elements.
  fileprivate var hasSize: Bool {
    switch tag {
    case .string, .bytes, .list, .map: true
    default: false
    }
  }
}
