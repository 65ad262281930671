import ExpressionEngine
import Foundation
import TestSupport
import Testing

/// The facts of the reference SDK's own tests, `corpus/paywall/reference`.
@Suite("The reference's own tests")
struct ReferenceTests {
  @Test("are there, and can be read")
  func present() throws {
    for file in ReferenceCorpus.files {
      let rows = try ReferenceCorpus.read(file)
      #expect(!rows.isEmpty, "\(file)")
      let names = rows.map { "\($0.reference): \($0.name)" }
      #expect(Set(names).count == names.count, "\(file): two rows have one name")
      for row in rows {
        #expect(!row.expected.isEmpty, "\(row.testDescription)")
        #expect(
          ReferenceQuestions.all[row.question] != nil, "no question \(row.question) in \(file)")
      }
    }
    #expect(ReferenceCorpus.rows.map(\.expected.count).reduce(0, +) >= 400)
  }

  @Test(
    "have the same result here", arguments: ReferenceCorpus.rows.filter { !$0.isKnownDifference })
  func same(_ row: ReferenceRow) throws {
    let question = try #require(ReferenceQuestions.all[row.question])
    let answer = try question(Given(row.given))
    for path in row.differences(in: answer) {
      let expected = row.expected[path] ?? .null
      Issue.record("\(path): expected \(expected), got \(answer.at(path))")
    }
  }

  @Test(
    "that are known to differ still do",
    arguments: ReferenceCorpus.rows.filter(\.isKnownDifference))
  func different(_ row: ReferenceRow) throws {
    let question = try #require(ReferenceQuestions.all[row.question])
    let answer = try question(Given(row.given))
    let differences = Set(row.differences(in: answer))
    for path in row.expected.keys.sorted() where !differences.contains(path) {
      Issue.record("\(path) agrees now: remove `\"today\": \"differs\"` from the row")
    }
  }

  /// The table of docs/coverage.md: the reference's test files with what is here and what is not.
  private func table() throws -> String {
    let rows = Dictionary(grouping: ReferenceCorpus.rows, by: \.reference)
    let leftOut = Dictionary(grouping: try ReferenceCorpus.leftOut(), by: \.reference)
    var lines = [
      "| the reference's tests | expectations | same | differ today | not converted |",
      "|---|---|---|---|---|",
    ]
    var sums = (all: 0, different: 0)
    for reference in Set(rows.keys).union(leftOut.keys).sorted() {
      let own = rows[reference] ?? []
      let all = own.map(\.expected.count).reduce(0, +)
      let different = own.filter(\.isKnownDifference).map(\.expected.count).reduce(0, +)
      let rest = (leftOut[reference] ?? []).map { left in
        "\(left.verdict), \(left.tests) \(left.tests == 1 ? "test" : "tests"): \(left.why)"
      }
      sums = (sums.all + all, sums.different + different)
      lines.append(
        "| \(reference) | \(all) | \(all - different) | \(different) |"
          + " \(rest.joined(separator: "; ")) |")
    }
    lines.append("| all | \(sums.all) | \(sums.all - sums.different) | \(sums.different) | |")
    return lines.joined(separator: "\n") + "\n"
  }

  @Test("are counted in the coverage")
  func coverage() throws {
    let file = TestFiles.root.appending(path: "docs/coverage.md")
    var text = try String(contentsOf: file, encoding: .utf8)
    let begin = try #require(text.range(of: "<!-- reference begin -->\n"))
    let end = try #require(text.range(of: "<!-- reference end -->"))
    let table = try table()
    if ProcessInfo.processInfo.environment["SWEXPR_BLESS"] != nil {
      text.replaceSubrange(begin.upperBound..<end.lowerBound, with: table)
      try text.write(to: file, atomically: true, encoding: .utf8)
    } else {
      #expect(text[begin.upperBound..<end.lowerBound] == table)
    }
  }

  @Test("are left out for one of four reasons")
  func verdicts() throws {
    for left in try ReferenceCorpus.leftOut() {
      #expect(["elsewhere", "declined", "host", "not here"].contains(left.verdict), "\(left)")
      #expect(left.tests > 0 && !left.why.isEmpty, "\(left)")
    }
  }
}
