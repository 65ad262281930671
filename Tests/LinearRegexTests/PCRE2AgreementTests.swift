#if PCRE2 && os(Linux)
  import CPCRE2
  import LinearRegex
  import Testing

  @Suite("PCRE2 means the same") struct PCRE2AgreementTests {
    /// A pattern that PCRE2 has compiled.
    private final class Compiled {
      let code: OpaquePointer
      let matchData: OpaquePointer

      init?(_ pattern: [UInt8], _ options: UInt32) {
        var error: CInt = 0
        var offset = 0
        guard
          let code = pcre2_compile_8(pattern, pattern.count, options, &error, &offset, nil),
          let matchData = pcre2_match_data_create_from_pattern_8(code, nil)
        else { return nil }
        self.code = code
        self.matchData = matchData
      }

      deinit {
        pcre2_match_data_free_8(matchData)
        pcre2_code_free_8(code)
      }

      /// `nil` where PCRE2 gives up.
      func matches(_ text: [UInt8]) -> Bool? {
        let result = pcre2_match_8(code, text, text.count, 0, 0, matchData, nil)
        return result >= 0 ? true : result == PCRE2_ERROR_NOMATCH ? false : nil
      }
    }

    @Test("On random patterns and texts, both as written and as rewritten for ASCII")
    func random() throws {
      var random = PatternRandom(seed: 23)
      var (compared, ascii) = (0, 0)
      let written =
        UInt32(PCRE2_UTF) | UInt32(PCRE2_DOLLAR_ENDONLY) | UInt32(PCRE2_ALT_CIRCUMFLEX)
      for _ in 0..<(Thoroughness.isFull ? 100_000 : 2_000) {
        let pattern = RandomPattern.pattern(&random)
        let own = try program(pattern)
        // PCRE2 10.42 looks for the start of a match also in a group that `{0}` leaves out, as in
        // `(?:|(?m:^)+){0}b`, and so misses matches. What is rewritten has no `{0}`.
        let isTrusted = !pattern.contains("){0}")
        let other = try #require(Compiled(Array(pattern.utf8), written), "\(pattern)")
        let rewritten = try #require(own.asciiPattern())
        let accelerated = try #require(Compiled(rewritten, UInt32(PCRE2_DOTALL)), "\(pattern)")
        let workspace = RegexWorkspace(own)
        for _ in 0..<6 {
          let text = Array(RandomPattern.text(&random).utf8)
          let expected = text.withUnsafeBufferPointer { workspace.matches($0) }
          if isTrusted, let answer = other.matches(text) {
            compared += 1
            #expect(answer == expected, "\(pattern) on \(String(decoding: text, as: UTF8.self))")
          }
          if text.allSatisfy({ $0 < 0x80 }), let answer = accelerated.matches(text) {
            ascii += 1
            #expect(answer == expected, "\(pattern) on \(String(decoding: text, as: UTF8.self))")
          }
        }
      }
      #expect(compared > 10_000 && ascii > 3_000)
    }

    @Test("Assertions and classes, rewritten for ASCII", arguments: SystematicPatterns.asciiForms)
    func forms(form: String) throws {
      let own = try program(form)
      let rewritten = try #require(own.asciiPattern())
      let other = try #require(Compiled(rewritten, UInt32(PCRE2_DOTALL)))
      let workspace = RegexWorkspace(own)
      var random = PatternRandom(seed: 9)
      for _ in 0..<400 {
        let text = (0..<random.below(7)).map { _ in
          random.pick(Array("ab_ 1-\r\n".utf8))
        }
        let expected = text.withUnsafeBufferPointer { workspace.matches($0) }
        #expect(other.matches(text) == expected, "\(form) on \(text)")
      }
    }
  }

  extension SystematicPatterns {
    /// Patterns with everything that the rewriting treats on its own.
    static let asciiForms = [
      "\\b", "\\B", "\\ba", "a\\b", "\\Ba", "a\\B", "\\b{start}", "\\b{end}", "\\b{start-half}a",
      "a\\b{end-half}", "(?-u:\\b)a", "(?-u:\\B)1", "\\<a", "a\\>", "^a", "a$", "\\Aa", "a\\z",
      "(?m)^a", "(?m)a$", "(?m)^$", "(?mR)^a", "(?mR)a$", "(?mR)^$", "(?mR)\\n^", "(?mR)\\r$",
      "a.b",
      "(?s)a.b", "(?R)a.b", "\\w+\\W", "\\s\\S", "\\d\\D", "é|a", "[^é]b", "[é]|1", "(?i)A1",
      "\\pL1",
      "[[:punct:]]a", "a{2,}?b", "(?:a|b){0}1", "[^\\s\\S]|a", "(?:|a)+b", "(?:a*)*1",
      "(?:\\b|a){2}b",
    ]
  }
#endif
