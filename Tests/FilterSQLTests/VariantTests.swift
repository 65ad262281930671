import CampaignCore
import FilterAnalysis
import FilterSQL
import Foundation
import Testing

/// The variants that a campaign's query counts are those that the matcher chooses by hash.
@Suite("Variants in SQL")
struct VariantTests {
  /// Letters of one to four bytes.
  private static let letters = Array("abcXYZ0189-_$:. éßñλЖ変体🎈'\\%")

  private static func word(_ random: inout SplitMix64, _ range: ClosedRange<Int>) -> String {
    String(
      (0..<Int.random(in: range, using: &random)).map { _ in
        letters.randomElement(using: &random) ?? "a"
      })
  }

  @Test("in DuckDB", .needs(.duckdb))
  func duckDB() throws { try compare(.duckdb, users: 2_000) }

  @Test("in Spark", .needs(.spark))
  func spark() throws { try compare(.spark, users: 300) }

  private func compare(_ engine: SQLDialect.Name, users: Int) throws {
    var random = SplitMix64(seed: 16)
    var ids: [String?] = [nil, ""]
    for _ in 0..<users { ids.append(Self.word(&random, 1...24)) }
    let weights: [[Int64]] = [
      [50, 50], [1, 99], [0, 0, 0], [30, 0, -5], [1, 2, 3, 4, 5], [100], [Int64.max, 1, Int64.max],
      [0, 7],
    ]
    let experiments = weights.enumerated().map { number, weights in
      CampaignQuery.Audience(
        name: "\(Self.word(&random, 0...8))\(number)", filter: nil,
        variants: weights.enumerated().map {
          CampaignQuery.Variant(id: "\(Self.word(&random, 0...6))\($0.offset)", weight: $0.element)
        })
    }
    let query = CampaignQuery(
      experiments.map { CampaignQuery.Placement(name: $0.name, audiences: [$0]) },
      schema: TableSchema([.init("user.appUserId", path: ["user", "appUserId"], .string)]),
      table: "users", dialect: .named(engine))
    #expect(query.countsVariants)
    let expected = query.columns.map { column in
      ids.count { id in
        guard let share = column.share else { return column.audience != nil }
        guard let experiment = experiments.first(where: { $0.name == column.placement })
        else { return false }
        guard experiment.variants.count > 1 else { return share == .variant(0) }
        guard let id, !id.isEmpty else { return share == .byChance }
        let variants = experiment.variants.map {
          Variant(id: $0.id, kind: .treatment, percentage: $0.weight)
        }
        let chosen = DeterministicBucketing.choose(
          from: variants, unitID: id, experimentID: experiment.name)
        return variants.firstIndex { $0.id == chosen?.id }.map { share == .variant($0) } ?? false
      }
    }
    #expect(Set(expected).count > 10)
    let process = try SQLProcess(engine)
    let quote = engine == .spark ? "`" : "\""
    let rows = ids.map { id in
      guard let id else { return "(CAST(NULL AS \(engine == .spark ? "STRING" : "VARCHAR")))" }
      let text =
        engine == .spark
        ? id.replacing("\\", with: "\\\\").replacing("'", with: "\\'")
        : id.replacing("'", with: "''")
      return "('\(text)')"
    }
    let table =
      "CREATE OR REPLACE TEMPORARY VIEW users AS SELECT * FROM (VALUES \(rows.joined(separator: ", ")))"
      + " AS t(\(quote)user.appUserId\(quote))"
    let cells = (0..<expected.count).map { "c\($0 + 1) = \(expected[$0])" }
    let names = (0...expected.count).map { "c\($0)" }
    let wrapped =
      "SELECT 0, \(cells.joined(separator: ", ")) FROM (\(query.text)) AS t(\(names.joined(separator: ", ")))"
    let answer = try process.rows(setup: [table], query: wrapped).get()
    let wrong = zip(query.columns, answer.first ?? "").filter { $0.1 != "1" }.map(\.0)
    #expect(answer.first?.count == expected.count)
    #expect(wrong.isEmpty)
  }
}
