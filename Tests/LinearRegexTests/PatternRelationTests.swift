import LinearRegex
import Testing

@Suite("Relations of patterns")
struct PatternRelationTests {
  private func relation(_ first: String, _ second: String) -> PatternRelation? {
    PatternRelation.between(Array(first.utf8), Array(second.utf8), syntax: .rust)
  }

  @Test(
    "what they have in common",
    arguments: [
      ("^a$", "^b$", PatternRelation.disjoint), ("^a$", "a", .included), ("a", "^a$", .overlapping),
      ("^[0-9]{4}-[0-9]{2}$", "^12-", .disjoint), ("^[0-9]{4}-[0-9]{2}$", "-12$", .overlapping),
      ("^[0-9]{4}-[0-9]{2}$", "-", .included), ("^(ab|cd)$", "^[a-d]+$", .included),
      ("^(ab|cd)$", "b", .overlapping), ("a{2}b", "b", .included), ("^$", ".", .disjoint),
      ("^\\p{Lu}\\p{Ll}+$", "^[A-Z]{2}$", .disjoint), ("^.*$", "^(?s:.*)$", .included),
      ("[^a]", "a", .overlapping), ("^a*$", "^(aa)*$", .overlapping),
      ("(?i)^x$", "^[xX]$", .included),
    ])
  func relations(first: String, second: String, expected: PatternRelation) {
    #expect(relation(first, second) == expected)
  }

  @Test("patterns that are not valid, or too large, have none")
  func unknown() {
    #expect(relation("(", "a") == nil)
    #expect(relation("a", "[") == nil)
    #expect(relation("(a|b)*a(a|b){14}", "(a|b)*b(a|b){14}") == nil)
  }

  @Test(
    "a shortest text is of letters and digits where it may be",
    arguments: [
      ("", ""), ("b|aa", "b"), ("^ab$", "ab"), ("\\d{2}", "00"), (".", "a"), ("^[^a-z0-9]$", "A"),
      ("[é-ü]{2}", "éé"), ("^\\W$", " "), ("-", "-"), ("^[ü]\\b", "ü"), ("[a&&b]", nil), ("(", nil),
      ("a$b", nil), ("(a|b)*a(a|b){14}$", nil),
    ] as [(String, String?)])
  func shortest(pattern: String, expected: String?) {
    #expect(PatternRelation.shortestText(Array(pattern.utf8), syntax: .rust) == expected)
  }

  /// All texts of up to four letters of a small alphabet are tried with both patterns: a relation
  /// must not contradict any of them, and short patterns have no longer witnesses.
  @Test("every short text agrees")
  func sampled() throws {
    let patterns = [
      "a", "^a", "a$", "^a$", "b", "ab", "^ab", "^(a|b)$", "^a?b$", "^[ab]{2}$", "^a*$", "^b+$",
      "^$",
      "^.$", "c", "^[^a]", "a|c", "^(ab|c)*$", "^a.c$",
    ]
    var texts = [""]
    for length in 1...4 {
      let shorter = texts.filter { $0.count == length - 1 }
      texts += shorter.flatMap { text in ["a", "b", "c"].map { text + $0 } }
    }
    func matches(_ pattern: String) throws -> [Bool] {
      let bytes = Array(pattern.utf8)
      let program = try bytes.withUnsafeBufferPointer { try RegexProgram($0, syntax: .rust) }
      return texts.map { text in
        let result: Bool? = Array(text.utf8).withUnsafeBufferPointer { program.matches($0) }
        #expect(result != nil)
        return result ?? false
      }
    }
    for first in patterns {
      let left = try matches(first)
      for second in patterns {
        let right = try matches(second)
        let both = zip(left, right).contains { $0 && $1 }
        let only = zip(left, right).contains { $0 && !$1 }
        let expected: PatternRelation = both ? only ? .overlapping : .included : .disjoint
        #expect(relation(first, second) == expected, "\(first) and \(second)")
      }
    }
  }
}
