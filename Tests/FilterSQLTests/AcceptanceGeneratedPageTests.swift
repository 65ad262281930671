import FilterSQL
import Foundation
import TestSupport
import Testing

/// The tables in docs/warehouse.md of what has a form in SQL, made from the corpus.
@Suite("The tables of what has a form in SQL")
struct AcceptanceGeneratedPageTests {
  private static let engines: [SQLDialect.Name] = [.duckdb, .spark, .postgresql, .sqlite]

  @Test("are what the translator does now, and enough is accepted")
  func tables() throws {
    let reports = try Self.engines.map { try DifferentialReport.all($0) }
    let duckDB = reports[0]
    let refused = duckDB.refusals.map { "\($0.key): \($0.value.prefix(3))" }.sorted()
    #expect(
      (duckDB.total("campaigns") + duckDB.total("cookbook/")).percentage >= 95,
      Comment(rawValue: refused.joined(separator: "\n")))
    #expect(duckDB.total("superscript/realistic").percentage >= 95)
    #expect(duckDB.total().percentage >= 60)

    let url = TestFiles.root.appending(path: "docs/warehouse.md")
    var page = try String(contentsOf: url, encoding: .utf8)
    let committed = page
    replace("acceptance", by: Self.acceptance(reports), in: &page)
    replace("refusals", by: Self.refusals(reports), in: &page)
    if ProcessInfo.processInfo.environment["SWEXPR_BLESS"] != nil {
      try page.write(to: url, atomically: true, encoding: .utf8)
      return
    }
    let isCurrent = page == committed
    #expect(isCurrent, "docs/warehouse.md is out of date: run `make reference`")
  }

  private func replace(_ name: String, by text: String, in page: inout String) {
    let marks = ("<!-- \(name) begin -->\n", "<!-- \(name) end -->")
    guard let begin = page.range(of: marks.0), let end = page.range(of: marks.1) else {
      Issue.record("docs/warehouse.md has no marks for \(name)")
      return
    }
    page.replaceSubrange(begin.upperBound..<end.lowerBound, with: text)
  }

  private static func acceptance(_ reports: [DifferentialReport]) -> String {
    var text = "| filters of | filters | DuckDB | answers differ | Spark | PostgreSQL | SQLite |\n"
    text += "| --- | ---: | ---: | ---: | ---: | ---: | ---: |\n"
    func row(_ title: String, _ counts: [DifferentialReport.Count]) {
      let others = counts.dropFirst().map { " \($0.percentage) % |" }.joined()
      let first = counts[0]
      text += "| \(title) | \(first.filters) | \(first.percentage) % | \(first.varied) |\(others)\n"
    }
    for file in reports[0].files.keys.sorted() {
      row(file, reports.map { $0.files[file] ?? .init() })
    }
    row("**all**", reports.map { $0.total() })
    return text
  }

  private static func refusals(_ reports: [DifferentialReport]) -> String {
    var text = "| refused because of | DuckDB | Spark | PostgreSQL | SQLite |\n"
    text += "| --- | ---: | ---: | ---: | ---: |\n"
    // Each attribute of the corpora has a column, or is missing in all rows.
    for reason in Refusal.Reason.allCases where reason != .attribute {
      let counts = reports.map { " \($0.reasons[reason.rawValue] ?? 0) |" }.joined()
      text += "| \(reason.title) |\(counts)\n"
    }
    return text
  }
}

extension Refusal.Reason {
  /// The reason, for a table.
  fileprivate var title: String {
    switch self {
    case .attribute: "an attribute without a column"
    case .hostFunction: "a function of the host"
    case .function: "a function of the library without a form"
    case .kind: "a kind of value that SQL does not have"
    case .pattern: "a pattern that engines read differently"
    case .collection: "a list or map that is made from the row"
    case .comparison: "a comparison of lists or maps of the row"
    case .arithmetic: "arithmetic that is not exact"
    case .text: "a text that the engine cannot hold"
    case .time: "spans of time, zones and parts of dates"
    case .column: "a column of a type that is not read"
    case .size: "the size of the SQL"
    }
  }
}
