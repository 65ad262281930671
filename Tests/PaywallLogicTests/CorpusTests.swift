import AudienceFilters
import CampaignCorpus
import ExpressionEngine
import Foundation
import PaywallLogic
import Testing

/// `corpus/paywall`, file by file. A file that would be written anew otherwise fails; with
/// SWEXPR_BLESS it is.
@Suite("The corpus of paywalls")
struct CorpusTests {
  private static let corpus = PaywallCorpus { text, variables in
    do {
      return "\(try evaluate(Filter(text), Context(variables: variables)))"
    } catch {
      return "error: \(error)"
    }
  }

  private static let files: [String] = {
    let all = try? FileManager.default.contentsOfDirectory(atPath: Corpus.folder.path)
    return (all ?? []).filter { $0.hasSuffix(".txt") }.sorted()
  }()

  @Test("is there")
  func present() {
    #expect(Self.files.count >= 11)
  }

  @Test("answers as it says", arguments: files)
  func run(_ name: String) throws {
    let file = Corpus.folder.appending(path: name)
    let text = try String(contentsOf: file, encoding: .utf8)
    let report = Self.corpus.run(text)
    #expect(report.faults.isEmpty)
    #expect(!report.run.isEmpty || !report.skipped.isEmpty)
    #expect(Set(report.run).count == report.run.count, "two cases have one name")
    if ProcessInfo.processInfo.environment["SWEXPR_BLESS"] != nil {
      try report.text.write(to: file, atomically: true, encoding: .utf8)
      return
    }
    guard text != report.text else { return }
    let (old, new) = (text.split(separator: "\n"), report.text.split(separator: "\n"))
    let line = zip(old, new).prefix { $0 == $1 }.count
    Issue.record(
      "\(name): expected `\(old.dropFirst(line).first ?? "")`, got `\(new.dropFirst(line).first ?? "")`"
    )
  }
}
