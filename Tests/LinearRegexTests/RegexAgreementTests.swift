import Testing

@testable import LinearRegex

@Suite("Ways to search agree") struct RegexAgreementTests {
  @Test("The complete table, the one built while searching, and the search for groups")
  func searches() throws {
    var random = PatternRandom(seed: 11)
    var complete = 0
    for _ in 0..<(Thoroughness.isFull ? 100_000 : 1_500) {
      let pattern = RandomPattern.pattern(&random)
      let regex = try program(pattern, .re2)
      var lazy = LazyTable(regex.core)
      let workspace = RegexWorkspace(regex)
      for _ in 0..<4 {
        let text = Array(RandomPattern.text(&random).utf8)
        text.withUnsafeBufferPointer { text in
          let expected = lazy.search(text, stepLimit: .max)
          let groups = workspace.firstMatch(in: text, from: 0)
          #expect(groups.map { !$0.isEmpty } == expected, "\(pattern)")
          if let answer = regex.matches(text) {
            complete += 1
            #expect(answer == expected, "\(pattern)")
          }
        }
      }
    }
    #expect(complete > 3_000)
  }

  @Test("The words that may end a text, and texts that almost end so")
  func finalWords() throws {
    let patterns = [
      "^[a-z0-9._]+@example\\.(com|org)$", "^(iOS|Android)$", "^com\\.example\\.app$", "^ab$",
      "(com|org|net|info)$", "^[a-z]+(ab|abc|abcdefghijklmnop)$", "^x(abcdefghijklmnopq|a)$",
      "^(0123456789|0123456789abcdef|)$", "^v[0-9]+(-beta[12])?$", "^\\w+é$", "(?m)^(one|two)$",
    ]
    let words = [
      "", "a", "ab", "abc", "x", "v12", "-beta", "1", "@example", ".", "com", "org", "info", "iOS",
      "Android", "com.example.app", "0123456789", "abcdef", "abcdefghijklmnop", "q", "\n", "one",
      "two", "é", "@example.com", "@example.org", "xabcdefghijklmnopq",
    ]
    var random = PatternRandom(seed: 3)
    for pattern in patterns {
      let regex = try program(pattern, .re2)
      var lazy = LazyTable(regex.core)
      var matching = 0
      for _ in 0..<3_000 {
        let parts = (0..<random.pick([1, 1, 2, 3, 4])).map { _ in random.pick(words) }
        Array(parts.joined().utf8).withUnsafeBufferPointer { text in
          let expected = lazy.search(text, stepLimit: .max)
          #expect(regex.matches(text) == expected, "\(pattern) \(parts)")
          if expected == true { matching += 1 }
        }
      }
      #expect(matching > 0, "\(pattern) matches nothing")
    }
  }

  @Test("A table that is full is emptied, and the search goes on with the same answer")
  func fullTable() throws {
    // The last 16 characters of a text make a state.
    let regex = try program("^(?:a|b)*a(?:a|b){15}$", .re2)
    var lazy = LazyTable(regex.core)
    var random = PatternRandom(seed: 5)
    var answers: Set<Bool> = []
    while lazy.clearCount < 3 || answers.count < 2 {
      let text = (0..<20_000).map { _ in UInt8(ascii: random.below(2) == 0 ? "a" : "b") }
      let expected = text[text.count - 16] == UInt8(ascii: "a")
      let found = text.withUnsafeBufferPointer { lazy.search($0, stepLimit: .max) }
      #expect(found == expected)
      #expect(lazy.size < LazyTable.maximumSize + 65_536)
      answers.insert(expected)
    }
    // It is empty afterwards: many texts go by until it is full again.
    #expect(lazy.clearCount < 10)
  }

  @Test("UTF-8 is read as the standard library reads it")
  func decoding() {
    let bytes: [UInt8] = [
      0x00, 0x61, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xED,
      0xEF, 0xF0, 0xF1, 0xF4, 0xF5, 0xFF,
    ]
    func check(_ text: [UInt8]) {
      let read = text.withUnsafeBufferPointer { UTF8Decoder.decode($0, at: 0) }
      var expected: (scalar: UInt32, length: Int, isValid: Bool) = (0xFFFD, 1, false)
      for length in 1...text.count {
        guard let valid = String(validating: text.prefix(length), as: UTF8.self),
          let scalar = valid.unicodeScalars.first
        else { continue }
        expected = (scalar.value, length, true)
        break
      }
      if read != expected { Issue.record("\(text): \(read), not \(expected)") }
    }
    for first in bytes {
      check([first])
      for second in bytes {
        check([first, second])
        for third in bytes {
          check([first, second, third])
          if first >= 0xF0 { for fourth in bytes { check([first, second, third, fourth]) } }
        }
      }
    }
  }

  @Test("The length of a character in UTF-8 is that of the standard library")
  func lengths() {
    for value in [0, 0x7F, 0x80, 0x7FF, 0x800, 0xD7FF, 0xE000, 0xFFFF, 0x1_0000, 0x10_FFFF]
      as [UInt32]
    {
      let ordinal = ScalarSet.ordinal(of: value)
      #expect(ScalarSet.scalar(at: ordinal) == value)
      #expect(
        UTF8Ranges.length(ofOrdinal: ordinal)
          == Unicode.Scalar(value).map { String(Character($0)).utf8.count })
    }
  }

  /// For each family, how many patterns, and a hash of whether each is taken and matches its texts,
  /// as Rust's `regex` 1.12.2 answered.
  private static let answers: [String: (sampled: (Int, UInt64), all: (Int, UInt64))] = [
    "property names": (
      sampled: (74, 0xE854_F283_390F_9360), all: (4731, 0x430A_E2DB_03BA_B595)
    ),
    "property borders": (
      sampled: (16, 0xE6E8_0AE5_F3F2_8697), all: (1001, 0xDFF4_D9B5_A8D2_F00B)
    ),
    "case folding": (
      sampled: (92, 0x46B0_107A_A589_563D), all: (5876, 0x8627_CDFF_935F_3E75)
    ),
    "counts": (
      sampled: (37, 0x3134_2A10_B865_2A5B), all: (2322, 0x1AB4_1438_0570_C655)
    ),
    "escapes": (
      sampled: (55, 0x5C7D_140D_15D4_CB45), all: (3486, 0x02B0_5055_2DE9_F383)
    ),
    "flags": (
      sampled: (23, 0x0303_7340_3F93_5DEC), all: (1440, 0xCA72_CD35_B25D_A346)
    ),
    "classes": (
      sampled: (188, 0xA71B_04BE_10CE_7302), all: (12000, 0x505D_7BF8_04E6_59FF)
    ),
    "nesting": (
      sampled: (4, 0x5F18_D35F_ACAD_1D41), all: (240, 0x863C_3551_76FF_F2BC)
    ),
  ]

  @Test("Systematic patterns have the answers of the reference", arguments: 0..<8)
  func systematic(family: Int) throws {
    let family = SystematicPatterns.families[family]
    let known = try #require(Self.answers[family.name])
    let step = Thoroughness.isFull ? 1 : 64
    let digest = SystematicPatterns.digest(of: family, every: step)
    let expected = step == 1 ? known.all : known.sampled
    #expect(digest.count == expected.0)
    #expect(digest.hash == expected.1, "\(family.name): some answers are others")
  }
}

/// Random patterns of what all syntaxes share.
enum RandomPattern {
  static func pattern(_ random: inout PatternRandom, depth: Int = 0) -> String {
    (0..<random.pick([1, 1, 1, 2, 3])).map { _ in
      (0..<random.pick([0, 1, 1, 2, 2, 3])).map { _ in repeated(&random, depth) }.joined()
    }.joined(separator: "|")
  }

  private static func repeated(_ random: inout PatternRandom, _ depth: Int) -> String {
    let atom = atom(&random, depth)
    // PCRE2 does not repeat these.
    guard random.below(3) == 0, !["^", "$", "\\A", "\\z"].contains(atom) else { return atom }
    return atom
      + random.pick(["*", "+", "?", "*?", "+?", "??", "{2}", "{1,3}", "{0,2}", "{2,}", "{0}"])
  }

  private static func atom(_ random: inout PatternRandom, _ depth: Int) -> String {
    switch random.below(depth > 3 ? 4 : 5) {
    case 0: return random.pick(["a", "b", "c", "é", "-", "k", "0"])
    case 1:
      return random.pick([".", "[abc]", "[^a]", "[a-k]", "[é-ü]", "[^\\n]", "(?i:k)", "[0-9]"])
    case 2: return random.pick(["a", "b", "\\.", "\\n"])
    case 3: return random.pick(["^", "$", "(?:a|b)", "(?m:^)", "(?m:$)", "\\A", "\\z", "b"])
    default:
      let inner = pattern(&random, depth: depth + 1)
      return random.pick(["(\(inner))", "(?:\(inner))", "(?s:\(inner))", "(?i:\(inner))"])
    }
  }

  static func text(_ random: inout PatternRandom) -> String {
    let letters = ["a", "a", "b", "b", "c", "k", "K", "\u{212a}", "\n", "-", ".", "0", "é", "ü"]
    return (0..<random.pick([0, 1, 2, 3, 5, 8, 20])).map { _ in random.pick(letters) }.joined()
  }
}
