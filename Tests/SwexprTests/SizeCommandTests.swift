import Foundation
import TestSupport
import Testing

/// The Python with DuckDB, which `make warehouse` installs.
private let hasDuckDB = FileManager.default.isExecutableFile(
  atPath: TestFiles.path("warehouse/.venv/bin/python"))

@Suite("swexpr size", .enabled(if: hasDuckDB, "make warehouse installs DuckDB"))
struct SizeCommandTests {
  /// Counts the sample campaign's users in DuckDB and with the engine's own simulation.
  @Test("counts what simulate counts, audiences and variants, refused filters included")
  func agreesWithSimulation() throws {
    let folder = try ScratchFolder()
    let table = folder.url.appending(component: "users.parquet").path
    let lines = folder.url.appending(component: "users.ndjson").path
    try python("generate.py", "2000", table, "--seed", "3")
    try python("lines.py", table, lines)
    let config = TestFiles.path("corpus/campaigns/sample/config.json")

    let refused = try size(config, table)
    #expect(refused.status == 1)
    #expect(refused.errors.contains("no database can call `device.placementsInWeek`"))

    let counted = try size(config, table, "--partial")
    #expect(counted.status == 0)
    #expect(counted.errors.isEmpty)
    let simulated = try swexpr(
      arguments: [
        "simulate", "--config", config, "--users", lines, "--variants", "deterministic", "--json",
      ], environment: [:])
    let expected = try placements(simulated)
    let found = try placements(counted)
    #expect(expected.count == 9)
    #expect(found == expected)
  }

  /// Runs a program of warehouse/.
  private func python(_ name: String, _ arguments: String...) throws {
    let process = Process()
    process.executableURL = TestFiles.root.appending(path: "warehouse/.venv/bin/python")
    process.arguments = [TestFiles.path("warehouse/\(name)")] + arguments
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
  }

  private func size(_ config: String, _ table: String, _ options: String...) throws -> ToolRun {
    try swexpr(
      arguments: ["size", config, "--data", table, "--json"] + options,
      environment: ["SWEXPR_WAREHOUSE": TestFiles.path("warehouse")])
  }

  /// Returns the counts of each placement: users without an audience, then each audience's users
  /// and variants.
  private func placements(_ run: ToolRun) throws -> [String: [String: Int]] {
    let document = try #require(try run.json() as? [String: Any])
    var result: [String: [String: Int]] = [:]
    for placement in try #require(document["placements"] as? [[String: Any]]) {
      var counts: [String: Int] = ["none": try #require(placement["unmatched"] as? Int)]
      for audience in try #require(placement["audiences"] as? [[String: Any]]) {
        let name = try #require(audience["experiment"] as? String)
        counts[name] = try #require(audience["matched"] as? Int)
        if let variants = audience["variants"] as? [String: Int] {
          for (id, count) in variants { counts["\(name)/\(id)"] = count }
        }
        for variant in audience["variants"] as? [[String: Any]] ?? [] {
          counts["\(name)/\(try #require(variant["id"] as? String))"] = variant["count"] as? Int
        }
      }
      result[try #require(placement["placement"] as? String)] = counts
    }
    return result
  }
}
