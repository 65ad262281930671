import CampaignCore
import CampaignCorpus
import CampaignMatcher
import Dispatch

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Whatever happens to an app with a matcher and paywalls, a feature runs at most once for each
/// registration, callbacks come in pairs, no change of the status is lost, no limit is exceeded.
///
/// An input is a story in the form of `corpus/paywall/stories`, without its results.
enum StoriesTarget {
  static func run(_ input: FuzzInput) {
    var text = input.text
    // Results of the seeds are none of this one. A status of the last launch has been told there.
    text = text.split(separator: "\n", omittingEmptySubsequences: false)
      .filter { !$0.hasPrefix("  >") && !$0.hasPrefix("launchStatus") }.joined(separator: "\n")
    guard let story = try? CampaignCase(text + ending), story.steps.count <= 60 else { return }
    guard let outcomes = outcomes(of: story) else { return }
    var rules = StoryRules()
    for outcome in outcomes {
      if let fault = rules.fault(after: outcome) {
        report("\(fault) at line \(outcome.step.line)\n\(timeline(outcomes))")
      }
    }
  }

  /// What every story ends with: the status before and after another launch.
  private static let ending = "\nentitlements\nrelaunch\nentitlements\n"

  private static func timeline(_ outcomes: [StepOutcome]) -> String {
    PaywallScriptRunner.timeline("", outcomes)
  }

  /// Returns the outcome of each step of a story; `nil` if the story cannot be read.
  private static func outcomes(of story: CampaignCase) -> [StepOutcome]? {
    let runner: PaywallScriptRunner
    do throws(CampaignCaseError) {
      runner = try PaywallScriptRunner(
        story, openStore: { () throws(StoreError) in InMemoryStore() }, readFile: contents)
    } catch {
      return nil
    }
    let run = Run(runner)
    let end = DispatchSemaphore(value: 0)
    Task.detached {
      run.outcomes = try? await run.runner.run()
      end.signal()
    }
    end.wait()
    return run.outcomes
  }

  /// A run that another thread makes while this one waits.
  private final class Run: @unchecked Sendable {
    let runner: PaywallScriptRunner
    var outcomes: [StepOutcome]?

    init(_ runner: PaywallScriptRunner) { self.runner = runner }
  }

  /// The text of a file beside the stories of the corpus.
  private static func contents(of name: String) -> String? { name == "config.json" ? config : nil }

  private static let config: String? = {
    // `fuzz/run` works in its own folder.
    guard let file = fopen("../corpus/paywall/stories/config.json", "rb") else {
      report("the working directory is not the folder of the fuzzer")
    }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 1 << 20)
    let count = fread(&bytes, 1, bytes.count, file)
    return String(decoding: bytes[..<count], as: UTF8.self)
  }()
}

/// What holds for the effects of a story.
private struct StoryRules {
  private var registrations = 0
  private var features = 0
  private var presented = 0
  private var willDismiss = 0
  private var dismissed = 0
  private var status = "unknown"
  private var saved = "unknown"
  /// The experiment of the paywall that was chosen last, and how often each was on screen.
  private var experiment = ""
  private var openings: [String: Int] = [:]

  /// The largest count of an experiment, by the config of the stories.
  private static let maximum = ["5": 2]

  /// Notes a step; returns what is wrong.
  mutating func fault(after outcome: StepOutcome) -> String? {
    switch outcome.step.command {
    case "register": registrations += 1
    case "reset", "identify":
      // The next user has not seen a paywall.
      openings = [:]
    default: break
    }
    for line in outcome.lines {
      if let fault = fault(of: line, in: outcome.step.command) { return fault }
    }
    if features > registrations { return "\(features) features of \(registrations) registrations" }
    if saved != status { return "the status \(saved) is saved, \(status) was told" }
    return nil
  }

  private mutating func fault(of line: String, in command: String) -> String? {
    let words = line.split(separator: " ").map(String.init)
    switch words.first ?? "" {
    case "run" where line == "run feature": features += 1
    case "onPresent": presented += 1
    case "onWillDismiss":
      willDismiss += 1
      if willDismiss > presented { return "onWillDismiss without onPresent" }
    case "onDismiss":
      dismissed += 1
      if dismissed > willDismiss { return "onDismiss without onWillDismiss" }
    case "save" where line.hasPrefix("save status "): saved = String(line.dropFirst(12))
    case "delegate" where line.hasPrefix("delegate subscriptionStatusDidChange from "):
      let parts = line.dropFirst(42).components(around: " to ")
      if parts.0 != status { return "a change from \(parts.0), but the status was \(status)" }
      status = parts.1
    case "status" where command == "entitlements":
      let now = words.dropFirst().joined(separator: " ")
      if now != status { return "the status is \(now), but \(status) was told" }
    case "track" where line.hasPrefix("track paywall_open "):
      openings[experiment, default: 0] += 1
      if let most = Self.maximum[experiment], openings[experiment, default: 0] > most {
        return "experiment \(experiment) is on screen more than \(most) times"
      }
    default:
      if let range = line.components(around: "(experiment ").1.split(separator: ",").first,
        line.contains(": shows paywall ")
      {
        experiment = String(range)
      }
    }
    return nil
  }
}

extension StringProtocol {
  /// The text before and after the first occurrence of a separator; without one, all and nothing.
  fileprivate func components(around separator: String) -> (String, String) {
    let text = Array(utf8)
    let mark = Array(separator.utf8)
    var index = 0
    while index + mark.count <= text.count {
      if text[index..<(index + mark.count)].elementsEqual(mark) {
        return (
          String(decoding: text[..<index], as: UTF8.self),
          String(decoding: text[(index + mark.count)...], as: UTF8.self)
        )
      }
      index += 1
    }
    return (String(self), "")
  }
}
