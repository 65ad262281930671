import CampaignCore
import CampaignMatcher

/// A case of the campaign corpus: a story in plain text, with the expected outcome under each step.
///
/// The file `steps.txt` of a case folder begins with settings (`name: value`), one per line, up to the
/// first empty line. Then come the steps: a line with a command, and under it lines that begin with
/// `>` and say what is expected. Lines that begin with `#` are remarks. `corpus/campaigns/README.md`
/// lists all settings and commands.
public struct CampaignCase: Sendable, Hashable {
  /// A command and what is expected of it.
  public struct Step: Sendable, Hashable {
    /// The number of the line in the file, from 1.
    public var line: Int
    /// The command's name.
    public var command: String
    /// The text after the name.
    public var argument: String
    /// The expected lines without their `>`.
    public var expected: [String]
  }

  /// The behaviour that the case shows, in a sentence.
  public var title: String
  /// The settings by name.
  public var settings: [String: String]
  /// The steps in order.
  public var steps: [Step]

  /// Reads a case.
  /// - Throws: ``CampaignCaseError`` with the line that cannot be read.
  public init(_ text: String) throws(CampaignCaseError) {
    title = ""
    settings = [:]
    steps = []
    var isInHeader = true
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
    {
      let number = index + 1
      let trimmed = trim(line)
      if trimmed.hasPrefix("#") { continue }
      if trimmed.isEmpty {
        if !settings.isEmpty { isInHeader = false }
        continue
      }
      if isInHeader {
        guard let colon = trimmed.firstIndex(of: ":") else {
          throw CampaignCaseError(line: number, problem: "a setting needs a colon")
        }
        settings[trim(trimmed[..<colon])] = trim(trimmed[trimmed.index(after: colon)...])
      } else if trimmed.hasPrefix(">") {
        guard !steps.isEmpty else {
          throw CampaignCaseError(line: number, problem: "an expectation needs a command before it")
        }
        steps[steps.count - 1].expected.append(trim(trimmed.dropFirst()))
      } else {
        let parts = trimmed.split(separator: " ", maxSplits: 1)
        steps.append(
          Step(
            line: number, command: String(parts[0]),
            argument: parts.count > 1 ? trim(parts[1]) : "",
            expected: []))
      }
    }
    title = settings["title"] ?? ""
    guard !title.isEmpty else {
      throw CampaignCaseError(line: 1, problem: "a case needs a title")
    }
  }
}

/// Why a case cannot be read or run.
public struct CampaignCaseError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The line, from 1.
  public var line: Int
  /// The mistake.
  public var problem: String

  /// Creates an error.
  public init(line: Int, problem: String) {
    self.line = line
    self.problem = problem
  }

  /// The error as one line.
  public var description: String { "line \(line): \(problem)" }
}

/// A step whose outcome is not the expected one.
public struct CampaignCaseFailure: Sendable, Hashable, CustomStringConvertible {
  /// The step.
  public var step: CampaignCase.Step
  /// The actual lines.
  public var actual: [String]

  /// The difference in a form to read.
  public var description: String {
    let expected = step.expected.isEmpty ? "nothing" : step.expected.joined(separator: "\n    ")
    let actual = actual.isEmpty ? "nothing" : actual.joined(separator: "\n    ")
    return "line \(step.line): \(step.command) \(step.argument)\n  expected:\n    \(expected)"
      + "\n  got:\n    \(actual)"
  }
}

/// A text without the white space around it.
func trim(_ text: some StringProtocol) -> String {
  let body = text.drop(while: \.isWhitespace)
  guard let last = body.lastIndex(where: { !$0.isWhitespace }) else { return "" }
  return String(body[...last])
}
