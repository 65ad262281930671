/// The memory that searches with one pattern write to.
///
/// It keeps what searches have learnt, at most about 2 MiB and four times the size of the
/// automaton. Use it from one thread at a time.
public final class RegexWorkspace {
  /// The number of states of the automaton that one search may visit: some 30 milliseconds.
  public static let defaultStepLimit = 7_000_000

  private let program: RegexProgram
  private var table: LazyTable
  /// The number of states that searches for groups have visited.
  private var groupSteps = 0

  /// Creates an empty workspace.
  public init(_ program: RegexProgram) {
    self.program = program
    table = LazyTable(program.core)
  }

  /// Whether the pattern matches somewhere in a text.
  ///
  /// O(n) in the length of the text for most patterns, and never more than its product with the
  /// size of the pattern.
  ///
  /// - Parameters:
  ///   - text: Well-formed UTF-8; other bytes count as U+FFFD.
  ///   - stepLimit: How many states of the automaton may be visited.
  /// - Returns: `nil` if the steps were not enough.
  public func matches(
    _ text: UnsafeBufferPointer<UInt8>, stepLimit: Int = RegexWorkspace.defaultStepLimit
  ) -> Bool? {
    if let answer = program.matches(text) { return answer }
    return table.search(text, stepLimit: stepLimit)
  }

  /// Finds the first match at or after a position, of a pattern in ``RegexSyntax/re2``.
  ///
  /// - Parameters:
  ///   - text: Well-formed UTF-8; other bytes count as U+FFFD.
  ///   - position: Where to start, in bytes; a boundary of characters.
  ///   - stepLimit: How many states of the automaton may be visited.
  /// - Returns: The places of the groups, two each, the whole match first, -1 for a group that took
  ///   no part; empty if there is no match; `nil` if the steps were not enough.
  public func firstMatch(
    in text: UnsafeBufferPointer<UInt8>, from position: Int,
    stepLimit: Int = RegexWorkspace.defaultStepLimit
  ) -> [Int]? {
    guard position >= 0, position <= text.count else { return [] }
    var search = GroupSearch(program.core, groupCount: program.groupCount)
    let places = search.firstMatch(in: text, from: position, stepLimit: stepLimit)
    // Each search makes a list of all states.
    groupSteps &+= search.steps &+ program.stateCount
    return places
  }

  /// The number of states of the automaton that all searches have visited.
  public var steps: Int { table.steps &+ groupSteps }
  /// The size of what is kept, in bytes.
  public var size: Int { table.size }
}
