import ExpressionSyntax
import Foundation
import TestSupport
import Testing

/// Whether a text parses, judged by the reference's results.
@Suite struct ConformanceParseTests {
  private static let isPresent =
    TestFiles.sharedPath("conformance/superscript-open.jsonl") != nil

  private static let compileError = "Failed to compile expression"

  /// Crashes of the reference that are mistakes in the text; the others happen at run time.
  private static let lexicalCategories: Set<String> = ["lexical-string", "lexical-number"]

  private func parses(_ text: String, _ dialect: Dialect) -> Bool {
    (try? parse(SourceText(text), dialect: dialect)) != nil
  }

  @Test(
    "superscript: exactly what the reference cannot compile does not parse",
    .enabled(if: isPresent))
  func superscript() throws {
    let cases = try #require(try TestFiles.sharedObjects("conformance/superscript-open.jsonl"))
    #expect(cases.count > 1000)
    for row in cases {
      let text = try #require(row["expression"] as? String)
      let expectation = try #require(row["expect"] as? [String: Any])
      let mustFail = expectation["Err"] as? String == Self.compileError
      #expect(parses(text, .superscript) != mustFail, "\(text.debugDescription)")
    }
  }

  @Test(
    "superscript: texts on which the reference's lexer aborts are errors",
    .enabled(if: isPresent))
  func superscriptCrashes() throws {
    let cases = try #require(try TestFiles.sharedObjects("conformance/superscript-crashes.jsonl"))
    for row in cases {
      let text = try #require(row["expression"] as? String)
      let category = try #require(row["category"] as? String)
      let mustFail = Self.lexicalCategories.contains(category)
      #expect(parses(text, .superscript) != mustFail, "\(text.debugDescription)")
    }
  }

  @Test(
    "cel: every conformance expression parses",
    .enabled(if: isPresent))
  func cel() throws {
    let cases = try #require(try TestFiles.sharedObjects("conformance/cel-open.jsonl"))
    #expect(cases.count > 1000)
    for row in cases {
      let text = try #require(row["expr"] as? String)
      #expect(parses(text, .cel), "\(text.debugDescription)")
    }
  }
}
