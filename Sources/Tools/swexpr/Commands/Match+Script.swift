import CampaignCore
import CampaignCorpus
import CampaignMatcher
import CampaignStore
import FilterCorpus

extension Match {
  /// Runs a script and prints its timeline.
  ///
  /// - Throws: `ExitStatus.no` when something else comes of a step than the script says.
  func run(script path: String) async throws {
    guard placement == nil, context == nil, params == nil, !json, !preview, !exitStatus else {
      throw InputError("--script needs no other option than --store")
    }
    let folder = path.lastIndex(of: "/").map { path[...$0] } ?? ""
    let (script, outcomes) = try await outcomes(of: path) { name in
      try? TextFile.read(folder + name)
    }
    Output.write(PaywallScriptRunner.timeline(script.title, outcomes))
    // A script without expectations gets its timeline and no verdict.
    guard script.steps.contains(where: { !$0.expected.isEmpty }) else { return }
    let surprises = outcomes.filter { !$0.isExpected }
    for outcome in surprises {
      Output.error(
        "\(path):\(outcome.step.line): expected \(outcome.want), got \(outcome.got)")
    }
    if !surprises.isEmpty { throw ExitStatus.no }
  }

  private func outcomes(
    of path: String, readFile: @escaping CampaignCaseRunner.ReadFile
  ) async throws -> (CampaignCase, [StepOutcome]) {
    do {
      let script = try CampaignCase(try TextFile.read(path))
      let runner = try PaywallScriptRunner(
        script, openStore: { () throws(StoreError) in try openStore() }, readFile: readFile)
      return (script, try await runner.run())
    } catch let error as CampaignCaseError {
      throw InputError("\(path): \(error)")
    } catch let error as TextFile.Failure {
      throw InputError(error.description)
    }
  }
}
