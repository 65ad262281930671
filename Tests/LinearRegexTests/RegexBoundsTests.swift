import Testing

@testable import LinearRegex

@Suite("Bounded work and memory") struct RegexBoundsTests {
  private static let texts = [
    String(repeating: "a", count: 100_000), String(repeating: "ab", count: 50_000),
    String(repeating: "Straße ΣΊΣΥΦΟΣ ſk\u{212a} ", count: 2_600),
  ]

  @Test(
    "Patterns that make backtracking explode take few steps on 100 KB",
    arguments: [
      "(a+)+$", "(a|a)*$", "(a|aa)+$c", "(.*)*x", "(.*a){20}x", "(x+x+)+y",
      "^(([a-z])+.)+[A-Z]([a-z])+$", "(a?){30}a{30}!", "(?:.*.*.*.*)*=", "(\\w+\\s?)*!$",
      "([a-zA-Z0-9]+)*@", "(((((a*)*)*)*)*)*c$", "\\b\\w+\\b.*\\b\\w+\\b!",
      "(?i)(straße|ΣΊΣΥΦΟΣ|ŉ)+!", "(?:\\b|a)*z", "\\w*\\W*\\w*\\W*!$",
    ])
  func classics(pattern: String) throws {
    let regex = try program(pattern)
    for text in Self.texts {
      let workspace = RegexWorkspace(regex)
      let answer = Array(text.utf8).withUnsafeBufferPointer { workspace.matches($0) }
      #expect(answer != nil)
      // Each state of the table is built once; most bytes only look it up.
      #expect(workspace.steps < 100_000, "\(pattern)")
      #expect(workspace.size < 1 << 20)
    }
  }

  @Test(
    "What cannot be answered within the steps is given up, and the memory stays bounded",
    arguments: [
      "[ab]*a[ab]{1000}!", "(?:a?){5000}a{5000}", "\\b(?:[a-zß-ÿ]{1,300}){2,30}\\b!",
      ".{1,2000}z", "(?:a{1,100}){1,100}z", "\\p{L}{200}\\p{N}", "a{1000}{100}",
    ])
  func limits(pattern: String) throws {
    let regex = try program(pattern)
    for text in Self.texts {
      let workspace = RegexWorkspace(regex)
      let limit = 1_000_000
      _ = Array(text.utf8).withUnsafeBufferPointer { workspace.matches($0, stepLimit: limit) }
      // One step may visit each state once more.
      #expect(workspace.steps <= limit + 3 * regex.core.automaton.stateCount)
      let set = 4 * regex.core.automaton.stateCount
      #expect(workspace.size <= 2 * LazyTable.maximumSize + 2 * set, "\(pattern)")
    }
  }

  @Test("Thousands of alternatives share their starts")
  func alternatives() throws {
    let words = (0..<2_500).map { "word\($0)" }.joined(separator: "|")
    let regex = try program(words + "|(?i:wörter)")
    // Without sharing there would be more than 20,000.
    #expect(regex.core.automaton.stateCount < 16_000)
    let workspace = RegexWorkspace(regex)
    let text = Array(String(repeating: "no worm here, WÖRT", count: 5_000).utf8)
    #expect(text.withUnsafeBufferPointer { workspace.matches($0) } == false)
    #expect(workspace.steps < 50_000)
    #expect(matches(regex, "a word2499 b") == true)
  }

  @Test("The table is emptied when it is full, and goes on")
  func emptying() throws {
    // Each place of an `a` among the last twelve characters is a state of its own.
    let regex = try program("a[ab]{12}[^ab]")
    var lazy = LazyTable(regex.core)
    var random = PatternRandom(seed: 3)
    let text = (0..<200_000).map { _ in random.pick([UInt8(ascii: "a"), UInt8(ascii: "b")]) }
    #expect(text.withUnsafeBufferPointer { lazy.search($0, stepLimit: .max) } == false)
    #expect(lazy.stateCount > 1_000 && lazy.size <= LazyTable.maximumSize + 1_000_000)
    let other = text + Array("abbbbbbbbbbbb!".utf8)
    #expect(other.withUnsafeBufferPointer { lazy.search($0, stepLimit: .max) } == true)
  }

  @Test("Many threads share one program, each with a workspace of its own")
  func threads() async throws {
    let regex = try program("\\w{1,20}@(?:\\w+\\.){1,3}\\w{2,}$")
    await withTaskGroup(of: Bool.self) { group in
      for number in 0..<8 {
        group.addTask {
          let workspace = RegexWorkspace(regex)
          let text = Array("änne@mail.example.\(number % 2 == 0 ? "com" : "c!")".utf8)
          return (0..<100).allSatisfy { _ in
            text.withUnsafeBufferPointer { workspace.matches($0) } == (number % 2 == 0)
          }
        }
      }
      for await isRight in group { #expect(isRight) }
    }
  }

  @Test("the length of a shortcut is an `Int` of 32 bits, too, as on older watches")
  func shortcutLength() {
    #expect(Int32(exactly: Shortcut.words) != nil)
  }
}
