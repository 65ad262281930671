import ExpressionCoding
import ExpressionEngine
import ExpressionSyntax
import FilterAnalysis
import FilterCorpus
import Foundation
import TestSupport
import Testing

@testable import LanguageService

/// The TextMate grammar in `editors/`. `SWEXPR_BLESS=1` writes it.
@Suite("The grammar for editors")
struct GrammarGeneratedPageTests {
  private static let grammar = "editors/vscode/syntaxes/audience-filter.tmLanguage.json"

  @Test("the TextMate grammar is made from the tables of tokens, operators and functions")
  func grammarIsCurrent() throws {
    let text = TextMateGrammar.json
    if ProcessInfo.processInfo.environment["SWEXPR_BLESS"] != nil {
      let url = TestFiles.root.appending(path: Self.grammar)
      try text.write(to: url, atomically: true, encoding: .utf8)
    }
    let isCurrent = try TestFiles.text(Self.grammar) == text
    #expect(isCurrent, "\(Self.grammar) is out of date: run `make reference`")
  }

  /// A rule of the grammar with its compiled patterns.
  private struct Rule {
    let scope: String
    let first: NSRegularExpression
    let end: NSRegularExpression?
    let inner: [Rule]

    init(_ value: Value) throws {
      scope = try #require(value["name"]?.stringValue)
      let pattern = try #require(value["match"]?.stringValue ?? value["begin"]?.stringValue)
      first = try NSRegularExpression(pattern: pattern)
      end = try (value["end"]?.stringValue).map { try NSRegularExpression(pattern: $0) }
      inner = try (value["patterns"]?.listValue ?? []).map { try Rule($0) }
    }
  }

  /// The scopes that an editor gives a line, by the place of their first character.
  private static func scopes(_ rules: [Rule], _ line: String) -> [Int: String] {
    let text = line as NSString
    /// The place of a pattern, which may look at the text around the range.
    func match(_ pattern: NSRegularExpression, _ range: NSRange) -> NSRange? {
      pattern.firstMatch(in: line, options: .withTransparentBounds, range: range)?.range
    }
    var result: [Int: String] = [:]
    var position = 0
    while position < text.length {
      // The pattern that matches first, of several the first in the list.
      let rest = NSRange(location: position, length: text.length - position)
      let matches = rules.compactMap { rule in
        match(rule.first, rest).map { (rule, $0) }
      }
      guard let (rule, range) = matches.min(by: { $0.1.location < $1.1.location }) else { break }
      result[range.location] = rule.scope
      position = NSMaxRange(range)
      if let end = rule.end {
        while position < text.length {
          let rest = NSRange(location: position, length: text.length - position)
          let escape = rule.inner.first.flatMap { match($0.first, rest) }
          guard let close = match(end, rest) else {
            position = text.length
            break
          }
          if let escape, escape.location < close.location {
            position = NSMaxRange(escape)
          } else {
            position = NSMaxRange(close)
            break
          }
        }
      } else if range.length == 0 {
        position += 1
      }
    }
    return result
  }

  /// The filters of one line and of plain characters in the corpus.
  private static func filters() throws -> [(String, Dialect.Name)] {
    let names = [
      "diagnostics/habits", "diagnostics/lints", "diagnostics/syntax", "diagnostics/tokens",
      "diagnostics/evaluation", "diagnostics/syntax-cel", "diagnostics/checks-cel",
      "cookbook/audiences", "cookbook/audiences-cel", "superscript/macros", "superscript/realistic",
    ]
    return try names.flatMap { name in
      try CaseFile.cases(at: TestFiles.path("corpus/\(name).corpus")).compactMap { item in
        guard case .expression(let text) = item.request.question,
          text.utf8.allSatisfy({ $0 < 0x80 && $0 != 0x0A && $0 != 0x0D })
        else { return nil }
        return (text, item.request.dialect)
      }
    }
  }

  @Test("the grammar colours every token of the corpus as what the tokenizer says it is")
  func grammarAgrees() throws {
    let grammar = try Value(json: TextMateGrammar.json)
    let rules = try (grammar["patterns"]?.listValue ?? []).map { try Rule($0) }
    var count = 0
    for (text, dialect) in try Self.filters() {
      let filter = AnalyzedFilter(SourceText(text), FilterLanguage(dialect: dialect))
      guard filter.tree != nil else { continue }
      let scopes = Self.scopes(rules, text)
      for token in filter.semanticTokens {
        let scope = scopes[Int(token.span.start)] ?? ""
        let word = filter.source.text(of: token.span)
        let expected: String
        // The first part of a function such as `math.greatest`.
        if filter.language.functions.contains(where: { $0.name.hasPrefix(word + ".") }) { continue }
        switch token.role {
        case .variable, .parameter: expected = "variable.other."
        case .property: expected = "variable.other.member."
        // Functions of the app are not in the tables.
        case .function, .method, .macro: continue
        case .keyword: expected = word == "in" ? "keyword.operator.word." : "constant.language."
        case .string: expected = "string.quoted."
        // A sign is coloured as an operator.
        case .number: expected = word.first == "-" ? "keyword.operator." : "constant.numeric."
        case .operator: expected = "keyword.operator."
        case .comment: expected = "comment.line."
        }
        #expect(scope.hasPrefix(expected), "`\(word)` in \(text)")
        count += 1
      }
    }
    #expect(count > 1_000)
  }
}
