import CampaignCore
import CampaignCorpus
import CampaignMatcher
import CampaignStore
import FilterCorpus

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A case of the campaign corpus: for `swexpr conform` a folder with a `steps.txt`, for
/// `swexpr test` any such file.
struct CampaignCaseFile {
  /// The path of the file with the steps.
  let path: String

  /// Returns the cases in a folder and its subfolders; empty if the path is a file.
  static func all(in path: String) throws(InputError) -> [CampaignCaseFile] {
    guard TextFile.isFolder(path) else { return [] }
    do throws(TextFile.Failure) {
      return try TextFile.paths(in: path, suffix: "steps.txt").map(CampaignCaseFile.init)
    } catch {
      throw InputError(error.description)
    }
  }

  /// Runs the case on a store in memory and on one in a file; it passes if both give the expected
  /// results.
  func report() throws(InputError) -> CorpusReport {
    let campaignCase = try campaignCase()
    let memory = InMemoryStore()
    let file = TemporaryStore()
    var report = CorpusReport()
    report.failures += try failures(campaignCase, "in memory") { () throws(StoreError) in memory }
    report.failures += try failures(campaignCase, "in SQLite") { () throws(StoreError) in
      try SQLiteStore(path: file.path)
    }
    if report.failures.isEmpty { report.passed = 1 }
    return report
  }

  /// Runs the case on a store in memory, and returns the steps with another outcome.
  func failuresInMemory() throws(InputError) -> [StepOutcome] {
    let campaignCase = try campaignCase()
    let store = InMemoryStore()
    do throws(CampaignCaseError) {
      return try CampaignCaseRunner(
        campaignCase, openStore: { () throws(StoreError) in store }, readFile: read
      ).run().filter { !$0.isExpected }
    } catch {
      throw InputError("\(path): \(error)")
    }
  }

  private func campaignCase() throws(InputError) -> CampaignCase {
    do throws(CampaignCaseError) {
      return try CampaignCase(try text())
    } catch {
      throw InputError("\(path): \(error)")
    }
  }

  private func failures(
    _ campaignCase: CampaignCase, _ place: String, open: @escaping CampaignCaseRunner.OpenStore
  ) throws(InputError) -> [CorpusReport.Failure] {
    do throws(CampaignCaseError) {
      let runner = try CampaignCaseRunner(campaignCase, openStore: open, readFile: read)
      return try runner.run().filter { !$0.isExpected }.map { outcome in
        CorpusReport.Failure(
          id: "\(path):\(outcome.step.line) (\(place))",
          expression: "\(outcome.step.command) \(outcome.step.argument)",
          got: outcome.got, want: outcome.want)
      }
    } catch {
      throw InputError("\(path): \(error)")
    }
  }

  private func text() throws(CampaignCaseError) -> String {
    do throws(TextFile.Failure) {
      return try TextFile.read(path)
    } catch {
      throw CampaignCaseError(line: 1, problem: error.description)
    }
  }

  /// Returns a file beside the case, or one that the cases share.
  private func read(_ name: String) -> String? {
    let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
    return [folder + name, folder + "../shared/" + name].lazy
      .compactMap { try? TextFile.read($0) }.first
  }
}

/// A folder for a store, which is removed at the end.
private final class TemporaryStore {
  let path: String

  init() {
    let folder = Output.environment("TMPDIR") ?? "/tmp"
    path = "\(folder)/swexpr-conform-\(getpid())-\(UInt32.random(in: 0 ... .max)).sqlite"
  }

  deinit {
    for suffix in ["", "-wal", "-shm"] { unlink(path + suffix) }
  }
}
