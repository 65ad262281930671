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
    var report = Report(text: text)
    var outcomes: [StepOutcome] = []
    do throws(CampaignCaseError) {
      for story in try CampaignCase.all(in: text) { outcomes += run(story, &report) }
    } catch {
      report.faults = ["\(error.line): \(error.problem)"]
    }
    report.text = CampaignCase.blessed(text, outcomes: outcomes)
    return report
  }

  private func run(_ story: CampaignCase, _ report: inout Report) -> [StepOutcome] {
    var world = ScriptWorld(evaluate: evaluate)
    for setting in story.settings {
      do throws(CaseProblem) {
        try world.set(setting.name, setting.value)
      } catch {
        report.faults.append("\(setting.line): \(error)")
      }
    }
    if let need = world.need {
      report.skipped[story.title] = need
      return story.steps.map { StepOutcome(step: $0, lines: $0.expected) }
    }
    report.run.append(story.title)
    world.begin()
    return story.steps.map { step in
      do throws(CaseProblem) {
        return StepOutcome(step: step, lines: try world.perform(step))
      } catch {
        report.faults.append("\(step.line): \(error)")
        return StepOutcome(step: step, lines: [])
      }
    }
  }
}
