public import CampaignCore
import CampaignMatcher

/// A case of a corpus of campaigns or paywalls: a story in plain text, with the expected outcome
/// under each step.
///
/// A case begins with settings (`name: value`), one per line, up to the first empty line. Then come
/// the steps: a line with a command, and under it lines that begin with `>` and say what is
/// expected. Lines that begin with `#` are remarks. The pages `README.md` of `corpus/campaigns` and
/// `corpus/paywall` list all settings and commands.
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

  /// A setting.
  public struct Setting: Sendable, Hashable {
    /// The number of the line in the file, from 1.
    public var line: Int
    /// The name.
    public var name: String
    /// The value.
    public var value: String
  }

  /// The behaviour that the case shows, in a sentence; the name of a case in a file of several.
  public private(set) var title = ""
  /// The settings in order.
  public private(set) var settings: [Setting] = []
  /// The steps in order.
  public private(set) var steps: [Step] = []

  private var isInHeader = true

  /// Reads a file with one case.
  ///
  /// - Throws: ``CampaignCaseError`` with the line that cannot be read.
  public init(_ text: String) throws(CampaignCaseError) {
    self.init(title: "")
    for (index, line) in Self.lines(of: text) { try add(line, number: index + 1) }
    title = self["title"] ?? ""
    guard !title.isEmpty else {
      throw CampaignCaseError(line: 1, problem: "a case needs a title")
    }
  }

  private init(title: String) { self.title = title }

  /// Reads a file with several cases, each of which begins with a line `== NAME`. Lines before the
  /// first one are remarks.
  ///
  /// - Throws: ``CampaignCaseError`` with the line that cannot be read.
  public static func all(in text: String) throws(CampaignCaseError) -> [CampaignCase] {
    var cases: [CampaignCase] = []
    for (index, line) in lines(of: text) {
      if line.hasPrefix("== ") {
        cases.append(CampaignCase(title: trim(line.dropFirst(3))))
      } else if !cases.isEmpty {
        try cases[cases.count - 1].add(line, number: index + 1)
      }
    }
    return cases
  }

  /// The value of a setting; the last one, if there are several of the name.
  public subscript(name: String) -> String? { settings.last { $0.name == name }?.value }

  private static func lines(of text: String) -> EnumeratedSequence<[Substring]> {
    text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
  }

  private mutating func add(_ line: Substring, number: Int) throws(CampaignCaseError) {
    let line = trim(line)
    if line.hasPrefix("#") { return }
    if line.isEmpty {
      if !title.isEmpty || !settings.isEmpty { isInHeader = false }
    } else if isInHeader {
      guard let colon = line.firstIndex(of: ":") else {
        throw CampaignCaseError(line: number, problem: "a setting needs a colon")
      }
      settings.append(
        Setting(
          line: number, name: trim(line[..<colon]), value: trim(line[line.index(after: colon)...])))
    } else if line.hasPrefix(">") {
      guard !steps.isEmpty else {
        throw CampaignCaseError(line: number, problem: "an expectation needs a command before it")
      }
      steps[steps.count - 1].expected.append(trim(line.dropFirst()))
    } else {
      let command = line.prefix { $0 != " " }
      steps.append(
        Step(
          line: number, command: String(command),
          argument: trim(line[command.endIndex...]), expected: []))
    }
  }

  /// Returns the text of a file with other expectations; everything else stays as it is.
  ///
  /// - Parameters:
  ///   - text: The text that the cases were read from.
  ///   - outcomes: The outcomes of steps. Steps without one keep no expectations.
  public static func blessed(_ text: String, outcomes: some Sequence<StepOutcome>) -> String {
    let lines = Dictionary(
      outcomes.lazy.map { ($0.step.line, $0.lines) }, uniquingKeysWith: { first, _ in first })
    var result: [String] = []
    for (index, line) in Self.lines(of: text) where !trim(line).hasPrefix(">") {
      result.append(String(line))
      for expected in lines[index + 1] ?? [] { result.append("  > \(expected)") }
    }
    return result.joined(separator: "\n")
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

/// The outcome of a step.
public struct StepOutcome: Sendable, Hashable, CustomStringConvertible {
  /// The step.
  public var step: CampaignCase.Step
  /// When it began, on the clock of the case; `nil` if the case has no clock.
  public var instant: WallTime?
  /// The lines that it added.
  public var lines: [String]

  /// Whether it is the expected one.
  public var isExpected: Bool { lines == step.expected }

  /// The outcome in one line.
  public var got: String { Self.line(lines) }
  /// The expected outcome in one line.
  public var want: String { Self.line(step.expected) }

  private static func line(_ lines: [String]) -> String {
    lines.isEmpty ? "nothing" : lines.joined(separator: " / ")
  }

  /// The difference to what is expected, in a form to read.
  public var description: String {
    let expected = step.expected.isEmpty ? "nothing" : step.expected.joined(separator: "\n    ")
    let actual = lines.isEmpty ? "nothing" : lines.joined(separator: "\n    ")
    return "line \(step.line): \(step.command) \(step.argument)\n  expected:\n    \(expected)"
      + "\n  got:\n    \(actual)"
  }
}

/// The reason why a step cannot be carried out.
package enum CaseProblem: Error, CustomStringConvertible {
  /// The case is wrong.
  case input(String)
  /// The store failed.
  case store(StoreError)

  package var description: String {
    switch self {
    case .input(let problem): problem
    case .store(let error): "store error: \(error.description)"
    }
  }

  /// Returns the lines of the step that has the problem. A failure of the store is an outcome.
  ///
  /// - Throws: ``CampaignCaseError`` if the case is wrong.
  func lines(of step: CampaignCase.Step) throws(CampaignCaseError) -> [String] {
    guard case .store = self else {
      throw CampaignCaseError(line: step.line, problem: description)
    }
    return [description]
  }
}

/// A text without the white space around it.
func trim(_ text: some StringProtocol) -> String {
  let body = text.drop(while: \.isWhitespace)
  guard let last = body.lastIndex(where: { !$0.isWhitespace }) else { return "" }
  return String(body[...last])
}
