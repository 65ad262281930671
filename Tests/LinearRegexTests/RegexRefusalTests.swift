import LinearRegex
import Testing

@Suite("Refused patterns") struct RegexRefusalTests {
  @Test(
    "Each has its reason, and the place in bytes",
    arguments: [
      ("(", .groupUnclosed, 0..<1), ("é)", .groupUnopened, 2..<3), ("[", .classUnclosed, 0..<1),
      ("a[^b", .classUnclosed, 1..<3), ("*a", .repetitionMissing, 0..<1),
      ("a{2,1}", .repetitionInvalid, 1..<6), ("a{", .repetitionUnclosed, 1..<2),
      ("a{x}", .repetitionWithoutNumber, 2..<2), ("a{,3}", .repetitionWithoutNumber, 2..<2),
      ("a{4294967296}", .numberInvalid, 2..<12), ("h(?=e)", .lookAround, 1..<4),
      ("(?<!e)", .lookAround, 0..<4), ("(?x)( ?=e)", .lookAround, 4..<8),
      ("(l)\\1", .backreference, 3..<5), ("h\\Z", .escapeUnrecognized, 1..<3),
      ("\\é", .escapeUnrecognized, 0..<3), ("\\\u{80}", .escapeUnrecognized, 0..<3),
      ("a\\", .escapeUnclosed, 1..<2),
      ("[z-a]", .classRangeInvalid, 1..<4), ("[a-\\d]", .classRangeBoundary, 3..<5),
      ("[\\b]", .classEscape, 1..<3), ("\\x{110000}", .hexadecimalInvalid, 3..<9),
      ("\\x{}", .hexadecimalEmpty, 2..<4), ("\\x4g", .hexadecimalDigit, 3..<4),
      ("\\p{Nope}", .propertyUnknown, 0..<8), ("\\p{sc=Nope}", .propertyValueUnknown, 0..<11),
      ("\\p{Cs}", .propertyUnknown, 0..<6), ("\\p\\d", .propertyInvalid, 2..<3),
      ("\\b{nope}", .boundaryUnrecognized, 3..<7), ("\\b{start", .boundaryUnclosed, 2..<8),
      ("\\b{", .boundaryOrRepetitionUnclosed, 0..<3), ("(?z)", .flagUnrecognized, 2..<3),
      ("(?ii)", .flagDuplicate, 3..<4), ("(?i-)", .flagNegationDangling, 3..<4),
      ("(?i--s)", .flagNegationRepeated, 4..<5), ("(?i", .flagUnclosed, 3..<3),
      ("(?)", .repetitionMissing, 1..<2), ("(?P<>a)", .groupNameEmpty, 4..<5),
      ("(?P<a-b>c)", .groupNameInvalid, 5..<6), ("(?P<n", .groupNameUnclosed, 4..<5),
      ("(?<n>a)(?<n>b)", .groupNameDuplicate, 10..<11), ("(?-u:\\xff)", .matchesInvalidUTF8, 5..<9),
      ("(?-u:[^a])", .matchesInvalidUTF8, 5..<9), ("(?-u).", .matchesInvalidUTF8, 5..<6),
      ("(?-u)\\pL", .unicodeNotAllowed, 5..<8), ("(?-u)[☃]", .unicodeNotAllowed, 6..<9),
      ("(?>a)", .atomicGroup, 0..<3), ("(?|a|b)", .branchReset, 0..<3), ("(?#a)", .comment, 0..<3),
      ("(?(1)a)", .condition, 0..<3), ("(?&n)", .recursion, 0..<3), ("(?'n'a)", .quotedName, 0..<3),
      ("(?C1)", .callout, 0..<3),
    ] as [(String, RegexPatternError.Reason, Range<Int>)])
  func rust(pattern: String, reason: RegexPatternError.Reason, range: Range<Int>) {
    #expect(refusal(pattern) == RegexPatternError(reason, range), "\(pattern)")
  }

  @Test(
    "RE2 refuses what is Rust's",
    arguments: [
      ("a**", .repetitionStacked, 2..<3), ("a{1001}", .repetitionTooLarge, 1..<7),
      ("(a{100}){100}", .repetitionTooLarge, 8..<13), ("(?x)a", .flagUnrecognized, 2..<3),
      ("\\u0041", .escapeUnrecognized, 0..<2), ("\\p{greek}", .propertyUnknown, 0..<9),
      ("[a&&b", .classUnclosed, 0..<1), ("\\8", .backreference, 0..<2),
      ("\\1", .backreference, 0..<2), ("\\p{LU}", .propertyUnknown, 0..<6),
      ("\\p{lu}", .propertyUnknown, 0..<6),
    ] as [(String, RegexPatternError.Reason, Range<Int>)])
  func re2(pattern: String, reason: RegexPatternError.Reason, range: Range<Int>) {
    #expect(refusal(pattern, .re2) == RegexPatternError(reason, range), "\(pattern)")
  }

  @Test("Errors of the syntax go before what is found later")
  func order() {
    #expect(refusal("\\p{Nope}(")?.reason == .groupUnclosed)
    #expect(refusal("(?-u:[^a])\\p{Nope}")?.reason == .matchesInvalidUTF8)
  }

  @Test("Bytes that are not UTF-8 are refused")
  func invalidUTF8() {
    let bytes: [UInt8] = [0x61, 0xED, 0xA0, 0x80]
    #expect(throws: RegexPatternError(.notUTF8, 1..<2)) {
      try bytes.withUnsafeBufferPointer { (bytes) throws(RegexPatternError) in
        _ = try RegexProgram(bytes, syntax: .rust)
      }
    }
  }

  // The largest counts that the reference takes.
  @Test(
    "What the reference compiles to more than 10 MiB is refused",
    arguments: [
      ("\\w", 209), ("\\d", 2_046), (".", 10_485), ("[^a]", 10_485), ("\\pL", 244), ("\\s", 15_419),
      ("\\p{Greek}", 4_667), ("[^\\d]", 822), ("\\p{Han}", 2_890), ("[\\p{L}--a]", 244),
      ("(?i)k", 44_430), ("é", 163_836), ("ab", 327_672), ("[a-z]", 145_632), ("(a)", 109_224),
      ("(?:foo|bar|baz)", 19_709), ("a?", 100_822), ("(?:a*)", 145_632), ("(?U:a+)", 145_632),
      ("(?:ab|cd|ef)?", 26_213), ("(?:\\w|\\d)", 209), ("(?:\\d|[0-4])", 2_046),
    ])
  func size(atom: String, largest: Int) {
    #expect(refusal("\(atom){\(largest)}") == nil)
    let pattern = "\(atom){\(largest + 1)}"
    #expect(refusal(pattern) == RegexPatternError(.tooLarge, 0..<pattern.utf8.count))
  }

  @Test(
    "A pattern for the whole text has no search for a start, which leaves room for more",
    arguments: [
      ("^a{327674}$", true), ("^a{327675}$", false), ("a{327674}", false),
      ("^(?U:a+){145632}$", true), ("(^a{327672}$)", true), ("(^a{327673}$)", false),
      ("^a{327674}", true), ("^a{327675}", false),
      ("a{327674}$", false), ("\\w{208}\\d{9}", true), ("\\w{209}\\d{9}", false),
    ])
  func wholeText(pattern: String, isTaken: Bool) {
    #expect((refusal(pattern) == nil) == isTaken)
  }

  @Test(
    "Sizes that multiply beyond all numbers are refused, and empty repetitions cost nothing",
    arguments: [
      ("(((a{60}){60}){60}){60}", false), ("((((a{65000}){65000}){65000}){65000}){65000}", false),
      ("a{1000}{1000}", false), ("^{4294967295}", true), ("(?:){1000}{1000}", true),
      ("(?:\\b{1000}|$){4000000000}", true), ("a{0}{4000000000}", true),
    ])
  func products(pattern: String, isTaken: Bool) {
    #expect((refusal(pattern) == nil) == isTaken)
  }

  @Test(
    "Nesting beyond 250 levels is refused",
    arguments: [
      ("(", "a", ")", 250), ("[", "a", "]", 250), ("(?:a|", "b", ")", 125), ("a", "", "*", 250),
    ])
  func nesting(open: String, inner: String, close: String, deepest: Int) {
    func pattern(_ depth: Int) -> String {
      // What comes before a repetition stands once.
      let start = close == "*" ? open : String(repeating: open, count: depth)
      return start + inner + String(repeating: close, count: depth)
    }
    #expect(refusal(pattern(deepest)) == nil)
    #expect(refusal(pattern(deepest + 1))?.reason == .nestedTooDeep)
    #expect(refusal(pattern(3_000))?.reason == .nestedTooDeep)
  }

  @Test("Patterns of more than 32 KB are refused")
  func length() {
    #expect(refusal(String(repeating: "a", count: 32_768)) == nil)
    #expect(refusal(String(repeating: "a", count: 32_769))?.reason == .tooLong)
  }

  @Test("Every reason has words", arguments: RegexPatternError.Reason.allCases)
  func messages(reason: RegexPatternError.Reason) {
    let message = "\(RegexPatternError(reason, 0..<0).message)"
    #expect(message.count > 8 && !message.hasSuffix("."))
  }
}
