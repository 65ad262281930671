import Testing

@testable import ExpressionEngine

@Suite("Patterns that need no library")
struct DeterministicPatternTests {
  private func read(_ pattern: String) -> DeterministicPattern? {
    withBytes(pattern) { DeterministicPattern($0) }
  }

  @Test("They answer what the library answers, on random patterns and texts")
  func agreesWithTheLibrary() throws {
    var generator = SplitMixGenerator(seed: 7)
    func some<T>(_ choices: [T]) -> T {
      choices[Int.random(in: choices.indices, using: &generator)]
    }
    var taken = 0
    for _ in 0..<4_000 {
      var pattern = "^"
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        let atom = some([
          "a", "b", "-", "\\.", "[ab]", "[^a]", "[a-c]", "[^a-c_.]", "\\d", "[\\d.-]", "\\w", "@",
          "(ab|c)", "(?:a|b\\.)", "(a|ab)",
        ])
        pattern += atom
        if !atom.hasPrefix("(") {
          pattern += some(["", "", "+", "*", "?", "{2}", "{1,2}", "{1,}"])
        }
      }
      if Bool.random(using: &generator) { pattern += "$" }
      guard let simple = read(pattern) else { continue }
      taken += 1
      for flavor in RegexFlavor.allCases {
        let regex = try #require(
          withBytes(pattern) { bytes in
            try? PCRE2Engine().compile(bytes, flavor: flavor, limits: RegexLimits())
          })
        for _ in 0..<6 {
          let text = (0..<Int.random(in: 0...7, using: &generator)).map { _ in
            some(["a", "b", "c", "1", ".", "@", "-", "\n", "é", "٣"])
          }.joined()
          let want = try attempt(text) { bytes throws(RegexError) in
            var captures: [Range<Int>?] = []
            return try regex.firstMatch(in: bytes, captures: &captures)
          }.get()
          let got = withBytes(text) { simple.matches($0) }
          #expect(got == nil || got == want, "\(pattern) on \(text), \(flavor)")
          if text.utf8.allSatisfy({ $0 < 0x80 }) { #expect(got != nil, "\(pattern) on \(text)") }
        }
      }
    }
    #expect(taken > 500)
  }

  @Test("Long texts in a pattern are compared to their last byte, wherever the subject ends")
  func longTexts() throws {
    let literal = "abcdefghijklmnopqrstuvwxyz"
    for length in 1...literal.utf8.count {
      let text = String(literal.prefix(length))
      let pattern = try #require(read("^x*(\(text)|1\(text)1)"))
      for rest in ["", "?", "?????????"] {
        #expect(withBytes(text + rest) { pattern.matches($0) } == true)
        #expect(withBytes("xx" + text + rest) { pattern.matches($0) } == true)
        #expect(withBytes("1\(text)1" + rest) { pattern.matches($0) } == true)
        #expect(withBytes("1\(text)" + rest) { pattern.matches($0) } == false)
        // Each byte counts, and a text that is too short is no match.
        for index in 0..<length {
          var changed = Array(text.utf8)
          changed[index] = UInt8(ascii: "-")
          let other = String(decoding: changed, as: UTF8.self) + rest
          #expect(withBytes(other) { pattern.matches($0) } == false)
        }
        #expect(withBytes(String(text.dropLast()) + rest) { pattern.matches($0) } == false)
      }
    }
  }

  @Test(
    "Patterns of the usual kinds are taken",
    arguments: [
      "^[a-z0-9._]+@example\\.(com|org)$", "^\\d{5}$", "^usr_[A-Za-z0-9]+", "^(com|org)$",
      "^[\\w.-]+@", "^v\\d+\\.\\d+$", "^$", "^",
    ])
  func takesUsualOnes(pattern: String) { #expect(read(pattern) != nil) }

  @Test(
    "Everything that looking ahead a byte does not decide is left to the library",
    arguments: [
      "abc", "^a|b", "^(a|b)+", "^[a-z]+z", "^a*?", "^a++", "^(?i)a", "^.*", "^[[:alpha:]]", "^a$b",
      "^[a&&b]", "^é", "^\\s", "^\\bfoo", "^(a|ab)c", "^[z-a]", "^a{2", "^(a", "^[a", "^\\",
      "^x{1000}",
    ])
  func leavesTheRest(pattern: String) { #expect(read(pattern) == nil) }
}
