import ExpressionSyntax
import Foundation
import TestSupport
import Testing

/// The files of `grammar/` against the parser and the operator table.
@Suite struct GrammarTests {
  static let dialects: [Dialect] = [.superscript, .cel]

  private func grammar(_ dialect: Dialect) throws -> EBNF {
    let url = TestFiles.root.appending(path: "grammar/\(dialect.name.rawValue).ebnf")
    return try EBNF(String(contentsOf: url, encoding: .utf8))
  }

  @Test("sentences of the grammar parse, print and format without changing", arguments: dialects)
  func sentences(dialect: Dialect) throws {
    var generator = SentenceGenerator(
      grammar: try grammar(dialect), dialect: dialect, seed: 0x5EED)
    var longest = 0
    for number in 0..<Effort.times(400) {
      let text = generator.sentence(budget: 6 + number % 13)
      longest = max(longest, text.utf8.count)
      do {
        try RoundTrip.check(try parse(SourceText(text), dialect: dialect))
      } catch let error as SyntaxError {
        Issue.record("\(text.debugDescription): \(error.diagnostics.map(\.message))")
      }
    }
    // A generator that makes only trivial sentences would prove nothing.
    #expect(longest > 200)
  }

  @Test("every operator of the table is in the grammar of its dialects", arguments: dialects)
  func operators(dialect: Dialect) throws {
    let texts = try grammar(dialect).texts
    let syntactic = texts.filter { $0.key.first?.isLowercase == true }.values
      .reduce(into: Set<String>()) { $0.formUnion($1) }
    for row in OperatorTable.rows where row.dialects.contains(dialect.name) {
      for part in row.spelling.split(separator: " ").map(String.init) {
        let isInGrammar =
          syntactic.contains(part) || part.allSatisfy { syntactic.contains(String($0)) }
        #expect(isInGrammar, "\(row.spelling)")
      }
    }
    for row in OperatorTable.rows where !row.dialects.contains(dialect.name) {
      #expect(!syntactic.contains(row.spelling), "\(row.spelling) is in the grammar")
    }
  }
}
