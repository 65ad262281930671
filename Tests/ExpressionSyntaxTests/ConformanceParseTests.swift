import ExpressionSyntax
import Foundation
import TestSupport
import Testing

/// Whether a text parses, judged by the reference's results.
@Suite struct ConformanceParseTests {
  private static let compileError = "Failed to compile expression"

  /// Crashes of the reference that are mistakes in the text; the others happen at run time.
  private static let lexicalCategories: Set<String> = ["lexical-string", "lexical-number"]

  private func parses(_ text: String, _ dialect: Dialect) -> Bool {
    (try? parse(SourceText(text), dialect: dialect)) != nil
  }

  @Test("superscript: exactly what the reference cannot compile does not parse")
  func superscript() throws {
    guard let cases = try TestFiles.sharedObjects("conformance/superscript-open.jsonl") else {
      return
    }
    #expect(cases.count > 1000)
    for row in cases {
      let text = try #require(row["expression"] as? String)
      let expectation = try #require(row["expect"] as? [String: Any])
      let mustFail = expectation["Err"] as? String == Self.compileError
      #expect(parses(text, .superscript) != mustFail, "\(text.debugDescription)")
    }
  }

  @Test("superscript: texts on which the reference's lexer aborts are errors")
  func superscriptCrashes() throws {
    guard let cases = try TestFiles.sharedObjects("conformance/superscript-crashes.jsonl") else {
      return
    }
    for row in cases {
      let text = try #require(row["expression"] as? String)
      let category = try #require(row["category"] as? String)
      let mustFail = Self.lexicalCategories.contains(category)
      #expect(parses(text, .superscript) != mustFail, "\(text.debugDescription)")
    }
  }

  @Test("cel: every conformance expression parses")
  func cel() throws {
    guard let cases = try TestFiles.sharedObjects("conformance/cel-open.jsonl") else { return }
    #expect(cases.count > 1000)
    for row in cases {
      let text = try #require(row["expr"] as? String)
      #expect(parses(text, .cel), "\(text.debugDescription)")
    }
  }

  @Test("printing and formatting conformance expressions keeps their trees")
  func roundTrip() throws {
    for (file, key, dialect) in [
      ("superscript-open.jsonl", "expression", Dialect.superscript),
      ("cel-open.jsonl", "expr", Dialect.cel),
    ] {
      for row in try TestFiles.sharedObjects("conformance/\(file)") ?? [] {
        let text = try #require(row[key] as? String)
        guard let tree = try? parse(SourceText(text), dialect: dialect) else { continue }
        try RoundTrip.check(tree)
      }
    }
  }
}
