import CampaignAnalysis
import CampaignCore
import ExpressionCoding
import ExpressionEngine
import Foundation
import TestSupport
import Testing

/// What proofs, comparisons and test users say, word for word. `SWEXPR_BLESS=1` writes the files
/// anew.
@Suite("The texts of reports")
struct ReportTextTests {
  private static let folder = TestFiles.root.appending(
    path: "Tests/CampaignAnalysisTests/Reports")

  private static func model(_ name: String) throws -> AnalysisModel {
    let text = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
    return AnalysisModel(try ConfigDecoder().decode(Value(json: text)).config)
  }

  private func expect(_ text: String, in name: String) throws {
    let url = Self.folder.appending(path: name)
    if ProcessInfo.processInfo.environment["SWEXPR_BLESS"] != nil {
      return try text.write(to: url, atomically: true, encoding: .utf8)
    }
    let expected = try String(contentsOf: url, encoding: .utf8).split(
      separator: "\n", omittingEmptySubsequences: false)
    let found = text.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(found.count == expected.count)
    for (line, other) in zip(found, expected) { #expect(line == other) }
  }

  @Test("a config with each kind of fault, proved")
  func proof() throws {
    let proof = CampaignProver(try Self.model("prove.json")).proof()
    try expect(proof.text(), in: "proof.txt")
    try expect(proof.text(detailed: true), in: "proof-detailed.txt")
    try expect(proof.value.jsonText(pretty: true) + "\n", in: "proof-json.txt")
  }

  @Test("users who test a config")
  func users() throws {
    let suite = CampaignSynthesis(try Self.model("old.json")).suite()
    try expect(suite.text, in: "users.txt")
  }

  @Test("two configs, compared")
  func changes() throws {
    let changes = CampaignComparison(
      old: try Self.model("old.json"), new: try Self.model("new.json")
    ).changes()
    try expect(changes.text(), in: "changes.txt")
    try expect(changes.text(detailed: true, full: true), in: "changes-full.txt")
    try expect(changes.markdown(), in: "changes-markdown.txt")
    try expect(changes.value().jsonText(pretty: true) + "\n", in: "changes-json.txt")
  }
}
