public import ExpressionEngine
import PaywallLogic

/// A file of `corpus/paywall`: cases in plain text, each a story with what must come of it.
///
/// Running a file writes it anew, with the results of this module below each step. The file passes when
/// nothing changed.
public struct PaywallCorpus: Sendable {
  /// Evaluates a filter over variables, for the step `evaluate`. The module itself knows no filters.
  public typealias Evaluator = @Sendable (_ filter: String, _ variables: [String: Value]) -> String

  /// The findings of a run.
  public struct Report: Sendable, Hashable {
    /// The file with the results of this module.
    public var text: String
    /// The names of the cases that were run.
    public var run: [String] = []
    /// The names of the cases that need something else, with what they need.
    public var skipped: [String: String] = [:]
    /// Steps and settings that cannot be read, as `line: reason`.
    public var faults: [String] = []
  }

  private let evaluate: Evaluator

  /// Creates a runner.
  public init(evaluate: @escaping Evaluator) {
    self.evaluate = evaluate
  }

  /// Runs a file.
  public func run(_ text: String) -> Report {
    var report = Report(text: "")
    var world = ScriptWorld(evaluate: evaluate)
    var section = Section.preamble
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    for (index, line) in lines.dropLast(text.hasSuffix("\n") ? 1 : 0).enumerated() {
      if line.hasPrefix("  > "), section == .steps { continue }
      report.text += line + "\n"
      if line.hasPrefix("#") { continue }
      if line.hasPrefix("== ") {
        world = ScriptWorld(evaluate: evaluate)
        report.run.append(String(line.dropFirst(3)))
        section = .settings
        continue
      }
      switch section {
      case .preamble, .skipped: break
      case .settings:
        if line.isEmpty {
          section = world.need == nil ? .steps : .skipped
          if let need = world.need, let name = report.run.popLast() { report.skipped[name] = need }
          world.begin()
        } else if let fault = world.set(String(line)) {
          report.faults.append("\(index + 1): \(fault)")
        }
      case .steps:
        if line.isEmpty { continue }
        do {
          for answer in try world.perform(String(line)) { report.text += "  > \(answer)\n" }
        } catch {
          report.faults.append("\(index + 1): \(error)")
        }
      }
    }
    return report
  }

  private enum Section {
    case preamble
    case settings
    case steps
    case skipped
  }
}

/// Why a line of a case cannot be read.
package struct ScriptError: Error, CustomStringConvertible {
  package var description: String

  init(_ description: String) { self.description = description }
}
