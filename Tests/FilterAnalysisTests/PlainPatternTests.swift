import ExpressionEngine
import TestSupport
import Testing

@testable import FilterAnalysis

/// Patterns that look for plain texts, against the engine's regular expressions.
@Suite("Patterns of plain texts")
struct PlainPatternTests {
  /// All texts of up to four letters.
  private static let texts = allTexts(of: ["a", "b", "."], upTo: 4)

  private func matches(_ pattern: PlainPattern, _ text: String) -> Bool {
    pattern.searches.contains { wanted, place in
      switch place {
      case .whole: text == wanted.string
      case .start: text.hasPrefix(wanted.string)
      case .end: text.hasSuffix(wanted.string)
      case .anywhere: text.contains(wanted.string)
      }
    }
  }

  /// All patterns of up to three parts.
  private static let patterns = allTexts(
    of: [
      "a", "b", ".", "\\.", "[.]", "[ab]", "(a|b)", "(?:ab|.)", "|", "^", "$", "a+", "[^a]",
    ], upTo: 3)

  @Test("find what the engine finds, for all short patterns")
  func agreement() throws {
    var count = 0
    for text in Self.patterns {
      guard let pattern = PlainPattern(text) else { continue }
      count += 1
      let filter = try Filter("user.a.matches(\(Value.string(text).literal))")
      let differing = Self.texts.filter { subject in
        filter.matches(Context(variables: ["user": .map(["a": Value.string(subject)])]))
          != matches(pattern, subject)
      }
      #expect(differing.isEmpty, "\(text)")
    }
    #expect(count > 300)
  }

  @Test(
    "have no repetition, no class with ranges, no flags and no empty text",
    arguments: [
      "a*", "a?b", "a{2}", "[a-z]", "[^a]", ".", "a.b", "(?i)a", "^$", "", "a|", "(a|)", "\\d",
      "\\ba", "((a))", "(a", "a)", "a$b", "[]", #"\<a"#, #"a\>"#, "(a|b)+", "[ab]?",
    ])
  func others(_ pattern: String) {
    #expect(PlainPattern(pattern) == nil)
  }

  @Test("are a few texts, each in its place")
  func searches() throws {
    let pattern = try #require(PlainPattern("^com[.]acme\\.(pro|team)[12]$|x"))
    let texts = pattern.searches.map { $0.text.string }
    let places = pattern.searches.map(\.place)
    #expect(
      texts == ["com.acme.pro1", "com.acme.pro2", "com.acme.team1", "com.acme.team2", "x"])
    #expect(places == [.whole, .whole, .whole, .whole, .anywhere])
    let letters = "(a|b)(a|b)(a|b)(a|b)(a|b)(a|b)"
    #expect(PlainPattern(letters)?.searches.count == 64)
    #expect(PlainPattern(letters + "[ab]") == nil)
  }

  @Test("decide which filters exclude each other")
  func contradictions() throws {
    func findings(_ text: String) throws -> [String] {
      FilterProver().diagnostics(ParsedFilter(try Filter(text))).map { $0.id.rawValue }
    }
    let both = #"user.plan.matches("^(pro|team)$") && "#
    #expect(try findings(both + #"user.plan == "free""#) == ["W0704"])
    #expect(try findings(both + #"user.plan == "pro""#) == ["W0724"])
    #expect(try findings(both + #"user.plan != "pro""#) == [])
  }
}
