// A module that no product offers; it is compiled as a part of the engine.
import LinearRegex

/// The ways to search agree, and matches lie in the text.
///
/// The first part of an input is the pattern, the second the text.
enum RegexTarget {
  private static let texts: [[UInt8]] = [[], Array("abc ABC 123_é\n".utf8)]

  static func run(_ input: FuzzInput) {
    for syntax in RegexSyntax.allCases {
      let pattern = input.firstBytes
      let program: RegexProgram
      do throws(RegexPatternError) {
        program = try RegexProgram(pattern, syntax: syntax)
      } catch {
        require(
          error.range.lowerBound >= 0 && error.range.upperBound <= pattern.count,
          "the error \(error) is not in the \(pattern.count) bytes of the pattern")
        continue
      }
      let workspace = RegexWorkspace(program)
      if let second = input.secondBytes { compare(program, workspace, second, syntax) }
      for text in texts {
        text.withUnsafeBufferPointer { compare(program, workspace, $0, syntax) }
      }
    }
  }

  private static func compare(
    _ program: RegexProgram, _ workspace: RegexWorkspace, _ text: UnsafeBufferPointer<UInt8>,
    _ syntax: RegexSyntax
  ) {
    guard let isMatch = workspace.matches(text, stepLimit: 1_000_000) else { return }
    // The workspace now knows the states; a fresh one has to find them.
    require(
      workspace.matches(text, stepLimit: 1_000_000) == isMatch, "a second search differs")
    require(
      RegexWorkspace(program).matches(text, stepLimit: 1_000_000) == isMatch,
      "a search in a new workspace differs")
    if let fromTable = program.matches(text) {
      require(fromTable == isMatch, "the table says \(fromTable)")
    }
    guard syntax == .re2,
      let groups = workspace.firstMatch(in: text, from: 0, stepLimit: 1_000_000)
    else { return }
    require(groups.isEmpty != isMatch, "the search for groups says \(!groups.isEmpty)")
    guard isMatch else { return }
    require(groups.count == 2 * (program.groupCount + 1), "\(groups.count) places of groups")
    for group in stride(from: 0, to: groups.count - 1, by: 2) {
      let (start, end) = (groups[group], groups[group + 1])
      let isInside = groups[0] <= start && start <= end && end <= groups[1]
      require(
        (start == -1 && end == -1 && group > 0) || (isInside && groups[1] <= text.count),
        "group \(group / 2) is \(start)..<\(end) of a match \(groups[0])..<\(groups[1])")
    }
  }
}
