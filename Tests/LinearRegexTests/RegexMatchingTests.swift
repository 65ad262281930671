import LinearRegex
import Testing

@Suite("Matching") struct RegexMatchingTests {
  @Test(
    "Patterns mean what they mean in Rust's regex",
    arguments: [
      ("", "", true), ("b", "abc", true), ("^b", "abc", false), ("b$", "ab\n", false),
      ("(?m)b$", "ab\nc", true), ("(?m)^$", "a\n", true), ("(?R)a.b", "a\rb", false),
      ("(?mR)^b$", "a\r\nb\r\nc", true), ("(?mR)\\r$", "a\r\nb", false), ("a.b", "a\nb", false),
      ("(?s)a.b", "a\nb", true), ("(?s).", "", false), ("^.$", "é", true), ("^..$", "é", false),
      ("(?i)straße", "STRAẞE", true), ("(?i)ΣΊΣΥΦΟΣ", "σίσυφος", true), ("(?i)k", "\u{212a}", true),
      ("(?i-u)k", "\u{212a}", false), ("(?i)[^k]", "\u{212a}", false), ("(?i)ŉ", "ʼn", false),
      ("\\bfoo\\b", "a foo b", true), ("\\bé", "aé", false), ("(?-u:\\b)a", "éa", true),
      ("\\b{start}b", "a b", true), ("\\b{end}b", "ab b", false), ("a\\b{end-half}", "ab", false),
      ("\\b{start-half}b", "ab", false), ("\\<a\\>", "b a", true), ("\\B", "", true),
      ("\\Ba", "ba", true), ("(?:^|,)b(?:,|$)", "a,b", true), ("a{2}{3}", "aaaaa", false),
      ("^a{2}{3}$", "aaaaaa", true), ("a**", "", true), ("(?x) a b # c\n c", "abc", true),
      ("[[a-z]&&[^aeiou]]", "e", false), ("[a-z--m]", "m", false), ("^[a-c~~b-d]$", "d", true),
      ("^[--a]$", "-", true), ("^[--a-c]$", "b", true), ("[]a]", "]", true),
      ("[^\\s\\S]", "a", false),
      ("[[:alpha:]--a]", "a", false), ("a{ 2 }", "aa", true), ("a{1\t,\u{a0}2}", "a", true),
      ("\\p{is_Greek}", "Ω", true), ("\\p{gc!=L}", "a", true), ("\\p{Age=3.0}", "a", true),
      ("\\p{gcb=Extend}", "\u{301}", true), ("\\p{scx=Greek}", "\u{b7}", true),
      ("^\\w$", "\u{1c89}", true), ("^\\d$", "\u{10d40}", true), ("(?i)\u{1c89}", "\u{1c8a}", true),
      ("(?i)\u{fb05}", "\u{fb06}", true), ("\\x{1F600}", "😀", true),
      ("(?:a?){30}a{30}$", "aaa", false),
      // Words of ASCII end where others go on, and the other way round.
      ("(?-u:\\b{start})a", "éa", true), ("\\b{start}a", "éa", false),
      ("a(?-u:\\b{end})", "aé", true), ("a\\b{end}", "aé", false),
      ("(?-u:\\b{start-half})a", "éa", true), ("\\b{start-half}a", "éa", false),
      ("a(?-u:\\b{end-half})", "aé", true), ("a\\b{end-half}", "aé", false),
      ("^é(?-u:\\B)é$", "éé", true), ("a(?-u:\\B)é", "aé", false), ("a\\Bé", "aé", true),
      ("\\b{start}é", " é", true), ("é\\b{end}", "é ", true), ("\\b{start-half}é", "aé", false),
      ("é\\b{end-half}", "éa", false), ("^é\\b$", "é", true),
    ])
  func rust(pattern: String, text: String, expected: Bool) throws {
    #expect(matches(try program(pattern), text) == expected, "\(pattern) on \(text)")
  }

  @Test(
    "RE2's own",
    arguments: [
      ("\\Qa.b\\E+", "a.bb", true), ("\\101", "A", true), ("a{,2}", "a{,2}", true),
      ("\\p{^Greek}", "α", false), ("[\\d-z]", "-", true), ("\\w", "é", false),
      ("\\s", "\u{b}", false),
      ("^\\0$", "\u{0}", true), ("^\\08$", "\u{0}8", true), ("^\\p{Lu}$", "A", true),
      ("[[a]b]", "ab]", true), ("\\<a", "<a", true), ("(?i)k", "\u{212a}", true),
    ])
  func re2(pattern: String, text: String, expected: Bool) throws {
    #expect(matches(try program(pattern, .re2), text) == expected)
  }

  @Test("Texts that are not UTF-8 are read without harm, byte by byte")
  func invalidText() throws {
    for pattern in ["^.{3}$", "\\x{fffd}", "a", "\\w"] {
      let workspace = RegexWorkspace(try program(pattern))
      for text: [UInt8] in [
        [0xFF, 0xC3, 0x28], [0xE2, 0x82], [0xF0, 0x9F, 0x98], [0x80], [0xED, 0xA0, 0x80],
      ] {
        let answer = text.withUnsafeBufferPointer { workspace.matches($0) }
        #expect(answer == (pattern == "^.{3}$" ? text.count == 3 : pattern == "\\x{fffd}"))
      }
    }
  }

  @Test(
    "Whether something may be repeated more than a few times",
    arguments: [
      ("", false), ("abc", false), ("[a-z]$", false), ("a?b{8}", false), ("a{9}", true),
      ("a*", true), ("(a+)", true), ("ab|c{3,}", true), ("(?:a{2}){9}", true), ("[a&&b]", false),
    ])
  func longRepetition(pattern: String, expected: Bool) throws {
    #expect(try program(pattern).hasLongRepetition == expected)
  }

  @Test("A pattern for PCRE2 has no count that PCRE2 refuses")
  func largestCounts() throws {
    #expect(try program("a{0,65535}").asciiPattern() == Array("(?:\\x61){0,65535}".utf8))
    #expect(try program("a{65535}").asciiPattern() == Array("(?:\\x61){65535,65535}".utf8))
    #expect(try program("a{0,65536}").asciiPattern() == nil)
    #expect(try program("a{65536,}").asciiPattern() == nil)
  }

  @Test("Groups: the leftmost match, and the first alternative")
  func groups() throws {
    let cases: [(String, String, Int, [Int])] = [
      ("a|ab", "xab", 0, [1, 2]), ("a+?", "aaa", 0, [0, 1]), ("(?U)a+?", "aaa", 0, [0, 3]),
      ("b*", "aab", 0, [0, 0]), ("$", "ab", 0, [2, 2]),
      ("(?P<a>é)|(b)(?<c>x)?", "zébx", 3, [3, 5, -1, -1, 3, 4, 4, 5]),
      ("(a)|b", "ab", 1, [1, 2, -1, -1]), ("c", "ab", 0, []), ("(a*)*", "aab", 0, [0, 2, 0, 2]),
      ("(?:(a)|(b))*", "abx", 0, [0, 2, 0, 1, 1, 2]), ("\\bb", "ab b", 1, [3, 4]),
      ("^a", "aa", 1, []),
    ]
    for (pattern, text, start, expected) in cases {
      let workspace = RegexWorkspace(try program(pattern, .re2))
      let found = Array(text.utf8).withUnsafeBufferPointer {
        workspace.firstMatch(in: $0, from: start)
      }
      #expect(found == expected, "\(pattern)")
    }
  }
}
