import LinearRegex
import TestSupport
import Testing

@testable import ExpressionEngine

func compile(
  _ pattern: String, _ syntax: RegexSyntax, usesPCRE2: Bool = true
) -> Result<CompiledRegex, RegexError> {
  attempt(pattern) { bytes throws(RegexError) in
    try CompiledRegex(bytes, syntax: syntax, usesPCRE2: usesPCRE2)
  }
}

func search(_ regex: CompiledRegex, _ subject: String) -> Result<Bool, RegexError> {
  attempt(subject) { bytes throws(RegexError) in try regex.matches(bytes) }
}

@Suite("Regex syntax")
struct RegexSyntaxTests {
  @Test(
    "What superscript refuses, it refuses with the words of the reference",
    arguments: [
      ("(", "    (\n    ^\nerror: unclosed group"),
      (
        "h(?=e)",
        "    h(?=e)\n     ^^^\nerror: look-around, including look-ahead and look-behind, is not supported"
      ),
      ("[", "    [\n    ^\nerror: unclosed character class"),
      ("*a", "    *a\n    ^\nerror: repetition operator missing expression"),
      (
        "a{2,1}",
        "    a{2,1}\n     ^^^^^\nerror: invalid repetition count range, the start must be <= the end"
      ),
      (
        "(?=h)",
        "    (?=h)\n    ^^^\nerror: look-around, including look-ahead and look-behind, is not supported"
      ),
      ("(l)\\1", "    (l)\\1\n       ^^\nerror: backreferences are not supported"),
      ("h\\Z", "    h\\Z\n     ^^\nerror: unrecognized escape sequence"),
      ("(plain", "    (plain\n    ^\nerror: unclosed group"),
      ("é)", "    é)\n     ^\nerror: unopened group"),
    ])
  func superscriptReports(pattern: String, expected: String) {
    guard case .failure(let error) = compile(pattern, .rust) else {
      Issue.record("\(pattern) was taken")
      return
    }
    let bytes = Array(pattern.utf8)
    let before = String(decoding: bytes[..<error.offset], as: UTF8.self).unicodeScalars.count
    let part = bytes[error.offset..<error.offset + error.length]
    let width = String(decoding: part, as: UTF8.self).unicodeScalars.count
    let carets =
      String(repeating: " ", count: before) + String(repeating: "^", count: max(width, 1))
    #expect("    \(pattern)\n    \(carets)\nerror: \(error.message)" == expected)
  }

  @Test(
    "Neither flavour has these",
    arguments: [
      "(?<=a)b", "(?<!a)b", "(?!a)", "(?>a)", "a++", "a*+b", "(a)\\1", "(?P=n)", "(?P>n)", "(?&n)",
      "(?1)",
      "(?R1)", "(?|a|b)", "(?#c)", "(?(1)a|b)", "(?'n'a)", "(?C1)", "\\K", "\\G", "\\R", "\\X",
      "\\h", "\\Z",
      "\\C", "\\N", "\\g1", "\\k<n>", "\\cA", "\\e", "\\y", "\\é", "a{2,1}", "[z-a]",
      "[a", "a)",
      "(a", "\\", "\\x{110000}", "\\x{D800}", "\\x{}", "\\xG0", "(?z)", "(?i", "(?i-)a", "(?)",
      "(?P<>a)",
      "(?P<n>a)(?P<n>b)", "(?P<n", "(?P<a-b>c)", "(?P<é!>c)", "\\pQ", "\\p{Nowhere}", "\\p{",
      "\\p{}", "\\p",
      "[a-\\d]", "[\\b]", "|*", "(?i)*", "(*)", "?", "+", "(|*)", "{2}x{2}*{", "[[:alpha:]-a",
      "\\8",
    ])
  func refusedByBoth(pattern: String) {
    for syntax in RegexSyntax.allCases {
      // A possessive or stacked repetition is a repeated repetition in Rust.
      if syntax == .rust, pattern == "a++" || pattern == "a*+b" { continue }
      guard case .failure(let error) = compile(pattern, syntax) else {
        Issue.record("\(pattern) was taken by \(syntax)")
        continue
      }
      #expect(!error.message.isEmpty, "\(pattern)")
      #expect(error.offset + error.length <= pattern.utf8.count)
    }
  }

  @Test(
    "What only one flavour has",
    arguments: [
      ("a**", false, true), ("a{2}{3}", false, true), ("a+?*", false, true),
      ("\\Qa.b\\E", true, false),
      ("\\012", true, false), ("\\0", true, false), ("\\1", false, false), ("\\12", true, false),
      ("a{", true, false), ("a{x}", true, false), ("{1}", false, false), ("a{,5}", true, false),
      ("a{1001}", false, true), ("a{1,99999}", false, true), ("(a{100}){100}", false, true),
      ("(?x) a b # c", false, true),
      ("(?u)a", false, true), ("(?R)a$", false, true), ("\\u0041", false, true),
      ("\\u{41}", false, true), ("\\U00000041", false, true), ("\\b{start}a", true, true),
      ("\\b{nowhere}a", true, false), ("\\<a\\>", true, true), ("(?ii)a", true, false),
      ("[[a]b]", true, true), ("[a&&b]", true, true), ("\\_", true, true),
      ("[[:nope:]]", false, true),
      ("[\\d-z]", true, false), ("\\p{greek}", false, true), ("\\p{^Greek}", true, false),
      ("\\p{Lowercase_Letter}", false, true), ("\\p{sc=Greek}", false, true),
      ("\\p{gc=Lu}", false, true), ("(?P<1a>b)", true, false), ("(?-u).", false, false),
      ("(?-u:\\w)", false, true), ("(?P<a.b>c)", false, true),
    ] as [(String, Bool, Bool)])
  func acceptance(pattern: String, re2: Bool, rust: Bool) {
    // `\<` is a literal in RE2 and a word boundary in Rust: both take it.
    for (syntax, isTaken) in [(RegexSyntax.re2, re2), (.rust, rust)] {
      let result = compile(pattern, syntax)
      switch result {
      case .success: #expect(isTaken, "\(pattern) was taken by \(syntax)")
      case .failure(let error): #expect(!isTaken, "\(pattern), \(syntax): \(error.message)")
      }
    }
  }

  @Test("Errors say where in the pattern they are, in bytes")
  func places() {
    func place(_ pattern: String, _ syntax: RegexSyntax = .re2) -> [Int]? {
      guard case .failure(let error) = compile(pattern, syntax) else { return nil }
      return [error.offset, error.length]
    }
    #expect(place("é(?=x)") == [2, 3])
    #expect(place("ab\\p{Nowhere}c") == [2, 11])
    #expect(place("a|b\\q") == [3, 2])
    #expect(place("a**") == [2, 1])
    #expect(place("x[b-a]") == [2, 3])
    #expect(place("a{1001}") == [1, 6])
  }

  @Test("Bytes that are not UTF-8 are refused")
  func invalidPattern() {
    let bytes: [UInt8] = [0x61, 0xFF]
    bytes.withUnsafeBufferPointer { bytes in
      _ = #expect(throws: RegexError.self) {
        try CompiledRegex(bytes, syntax: .re2)
      }
    }
  }

  @Test(
    "Patterns that are too large have a clear error, at once",
    arguments: [
      String(repeating: "(", count: 30_000), String(repeating: "[", count: 30_000),
      "a" + String(repeating: "*", count: 30_000), String(repeating: "a", count: 40_000),
      "a{65000}{1000}", "(((a{60}){60}){60}){60}", "((a{100}){100}){100}",
      String(repeating: "(a|", count: 250) + "b" + String(repeating: ")", count: 250),
      "(?:" + String(repeating: "\\pL", count: 1_000) + "){1000}",
    ])
  func tooLarge(pattern: String) {
    let clock = ContinuousClock()
    let time = clock.measure {
      guard case .failure(let error) = compile(pattern, .rust) else {
        Issue.record("\(pattern.prefix(20)) was taken")
        return
      }
      #expect(error.kind == .tooLarge || error.kind == .compiledSize, "\(error.message)")
    }
    #expect(time < .seconds(5))
  }

  @Test("Random bytes never trap, and what is refused has a reason")
  func fuzz() {
    var generator = SeededGenerator(seed: 9)
    let pieces = [
      "a", "b", "é", "(", ")", "(?:", "(?i)", "(?m-s:", "(?P<n>", "[", "]", "[^", "-", "&&", "--",
      "~~", "|",
      "*", "+", "?", "{2}", "{1,3}", "{", "}", "\\", "\\d", "\\W", "\\pL", "\\P{Greek}", "\\b", "^",
      "$", ".",
      "[:alpha:]", "[[:^digit:]", "\\x41", "\\Q", "\\E", "(?x)", "#", " ", "\n", "\\b{end}", "😀",
      "(?U)", "(?R)",
    ]
    for _ in 0..<Effort.times(2_000) {
      var pattern = ""
      for _ in 0..<Int.random(in: 1...9, using: &generator) {
        pattern += pieces.randomElement(using: &generator) ?? ""
      }
      for syntax in RegexSyntax.allCases {
        switch compile(pattern, syntax) {
        case .success(let regex):
          let result = search(regex, "aé b😀\nAB -&&d")
          if case .failure(let error) = result {
            Issue.record("\(syntax) \(pattern): \(error.message)")
          }
        case .failure(let error):
          #expect(!error.message.isEmpty, "\(syntax) \(pattern)")
        }
      }
    }
  }
}
