import LinearRegex

/// A compiled pattern, immutable and usable from many threads at once.
///
/// The project's own engine (`LinearRegex`) defines the meaning of patterns and matches most texts.
/// If PCRE2 is built in, it matches the ASCII texts for which it is faster.
final class CompiledRegex: Sendable {
  /// The pattern as written.
  let pattern: [UInt8]
  /// The syntax of the pattern.
  let syntax: RegexSyntax
  private let program: RegexProgram
  /// The length from which on the complete table is not enough, or not the fastest; 0 without one.
  private let tableLimit: Int
  private let workspaces: RegexWorkspacePool
  #if PCRE2 && os(Linux)
    /// The same pattern for ASCII texts, where PCRE2 may be faster.
    private let accelerated: PCRE2Pattern?
    /// The lengths of texts for PCRE2. For shorter texts the complete table costs less than calling
    /// PCRE2; for longer ones, trying each position in turn could take quadratic time.
    private let acceleratedLengths: ClosedRange<Int>
  #endif

  /// Compiles a pattern.
  ///
  /// - Parameter usesPCRE2: Whether to use PCRE2 where it is built in.
  init(
    _ pattern: UTF8Bytes, syntax: RegexSyntax, usesPCRE2: Bool = true
  ) throws(RegexError) {
    self.pattern = Array(pattern)
    self.syntax = syntax
    do throws(RegexPatternError) {
      program = try RegexProgram(pattern, syntax: syntax)
    } catch {
      throw RegexError(error)
    }
    workspaces = RegexWorkspacePool(program)
    #if PCRE2 && os(Linux)
      let pays = !program.isTableComplete || !program.isAnchored
      acceleratedLengths =
        (program.isTableComplete ? 128 : 1)...(program.hasLongRepetition ? 4_096 : .max)
      accelerated = usesPCRE2 && pays ? program.asciiPattern().flatMap { PCRE2Pattern($0) } : nil
      let tableLimit = accelerated == nil ? .max : acceleratedLengths.lowerBound
    #else
      let tableLimit = Int.max
    #endif
    self.tableLimit = program.isTableComplete ? tableLimit : 0
  }

  /// The number of capture groups, without the whole match.
  var captureCount: Int { program.groupCount }

  /// The memory of the compiled pattern, in bytes, roughly.
  var size: Int { program.size }

  /// The number of states that a search of `count` bytes visits at most: one for each byte if the
  /// table is complete, and four to be comparable with other work.
  func statesVisited(for count: Int) -> Int {
    if program.isTableComplete { return count &* 4 }
    let (states, overflow) = count.multipliedReportingOverflow(by: max(program.stateCount, 4))
    return overflow ? RegexWorkspace.defaultStepLimit : min(states, RegexWorkspace.defaultStepLimit)
  }

  /// Returns whether the pattern matches anywhere in `subject`, which must be well-formed UTF-8.
  func matches(_ subject: UTF8Bytes) throws(RegexError) -> Bool {
    if let answer = decide(subject) { return answer }
    throw .tooCostly
  }

  /// Returns the result of ``matches(_:)``, or `nil` if it fails.
  @inline(__always)
  func decide(_ subject: UTF8Bytes) -> Bool? {
    if subject.count < tableLimit { return program.matches(subject) }
    return decideOtherwise(subject)
  }

  /// Decides what the complete table does not, or not as fast as PCRE2.
  @inline(never)
  private func decideOtherwise(_ subject: UTF8Bytes) -> Bool? {
    #if PCRE2 && os(Linux)
      if let accelerated, acceleratedLengths.contains(subject.count),
        let answer = accelerated.matches(subject)
      {
        return answer
      }
    #endif
    if let answer = program.matches(subject) { return answer }
    return workspaces.withWorkspace { $0.matches(subject) }
  }

  /// Finds the first match that starts at or after the byte `start`, a code point boundary.
  ///
  /// - Parameters:
  ///   - captures: Receives the byte ranges of the whole match and of each group, or `nil` for a
  ///     group that did not participate.
  ///   - visited: Is increased by the number of states that were visited.
  func firstMatch(
    in subject: UTF8Bytes, from start: Int = 0, captures: inout [Range<Int>?], visited: inout Int
  ) throws(RegexError) -> Bool {
    captures.removeAll(keepingCapacity: true)
    let places = workspaces.withWorkspace { workspace in
      let before = workspace.steps
      defer { visited &+= workspace.steps &- before }
      return workspace.firstMatch(in: subject, from: start)
    }
    guard let places else { throw .tooCostly }
    for index in stride(from: 0, to: places.count, by: 2) {
      let (lower, upper) = (places[index], places[index &+ 1])
      captures.append(lower >= 0 && lower <= upper ? lower..<upper : nil)
    }
    return !places.isEmpty
  }
}
