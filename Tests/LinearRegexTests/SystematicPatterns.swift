import TestSupport

@testable import LinearRegex

/// Patterns that go through the syntax in order, with texts for each. The same every time.
struct SystematicPatterns {
  /// A pattern and the texts it is tried on.
  struct Case {
    var pattern: String
    var texts: [String]
  }

  /// A family of patterns.
  struct Family {
    var name: String
    var cases: [Case]
  }

  static let families = [
    Family(name: "property names", cases: propertyNames),
    Family(name: "property borders", cases: propertyBorders),
    Family(name: "case folding", cases: caseFolding),
    Family(name: "counts", cases: counts),
    Family(name: "escapes", cases: escapes),
    Family(name: "flags", cases: flags),
    Family(name: "classes", cases: classes),
    Family(name: "nesting", cases: nesting),
  ]

  // MARK: Unicode

  private static let propertyTables: [(key: String, table: StaticString)] = [
    ("gc", UnicodeTables.categoryNames), ("sc", UnicodeTables.scriptNames),
    ("scx", UnicodeTables.scriptExtensionNames), ("gcb", UnicodeTables.graphemeBreakNames),
    ("wb", UnicodeTables.wordBreakNames), ("sb", UnicodeTables.sentenceBreakNames),
    ("age", UnicodeTables.ageNames),
  ]

  private static func names(in table: StaticString) -> [String] {
    let words = "\(table)".split(separator: " ")
    return stride(from: 0, to: words.count, by: 2).map { String(words[$0]) }
  }

  private static var propertyNames: [Case] {
    let texts = [
      "a", "A", "1", "é", "α", "_", " ", "\u{301}", "😀", "\u{1c89}", ".", "ſ", "\u{200d}",
      "\u{10D40}", "中",
    ]
    func spellings(_ name: String) -> [String] {
      [name, "is" + name, "Is_" + name.uppercased(), " \(name) ", "-" + name + "_", name + "x"]
    }
    var cases: [Case] = []
    for name in names(in: UnicodeTables.binaryNames) {
      for spelling in spellings(name) {
        cases.append(Case(pattern: "\\p{\(spelling)}", texts: texts))
      }
      for form in ["\\P{\(name)}", "[^\\P{\(name)}a]", "(?i)\\p{\(name)}", "(?i)\\P{\(name)}"] {
        cases.append(Case(pattern: form, texts: texts))
      }
    }
    for (key, table) in propertyTables {
      for name in names(in: table) {
        for form in [
          "\\p{\(key)=\(name)}", "\\p{\(key):is\(name)}", "\\P{\(key)!=\(name.uppercased())}",
          "\\p{\(name)}",
        ] { cases.append(Case(pattern: form, texts: texts)) }
      }
    }
    for letter in "LMNPSZCabcé^{" { cases.append(Case(pattern: "\\p\(letter)", texts: texts)) }
    return cases
  }

  private static var propertyBorders: [Case] {
    var cases: [Case] = []
    func add(_ pattern: String, _ set: ScalarSet) {
      let step = max(1, set.edges.count / 40)
      var texts: [String] = []
      for index in stride(from: 0, to: set.edges.count, by: step) {
        for ordinal in [set.edges[index] &- 1, set.edges[index]] where ordinal < ScalarSet.limit {
          if let scalar = Unicode.Scalar(ScalarSet.scalar(at: ordinal)) {
            texts.append(String(Character(scalar)))
          }
        }
      }
      cases.append(Case(pattern: "^\(pattern)$", texts: texts))
    }
    for name in names(in: UnicodeTables.binaryNames) {
      guard let number = UnicodeTables.find(Array(name.utf8), in: UnicodeTables.binaryNames)
      else { continue }
      add("\\p{\(name)}", UnicodeTables.set(number))
    }
    for (key, table) in propertyTables {
      for name in names(in: table) {
        guard let number = UnicodeTables.find(Array(name.utf8), in: table) else { continue }
        add("\\p{\(key)=\(name)}", UnicodeTables.set(number))
      }
    }
    add("\\w", UnicodeTables.set(UnicodeTables.word))
    add("\\d", UnicodeTables.set(UnicodeTables.digit))
    add("\\s", UnicodeTables.set(UnicodeTables.space))
    return cases
  }

  private static var caseFolding: [Case] {
    var cases: [Case] = []
    var folding = CaseFolding()
    var known = Set<UInt32>()
    // Any set that is not ASCII makes the table load.
    let letters = folding.close(UnicodeTables.set(UnicodeTables.word))
    for index in 0..<letters.rangeCount {
      for ordinal in letters.edges[2 * index]..<letters.edges[2 * index + 1] {
        guard folding.next(of: ordinal) != ordinal else { continue }
        let others = folding.close(ScalarSet(ordinal: ordinal))
        guard others.only == nil, known.insert(ordinal).inserted else { continue }
        var texts = ["i", "I", "\u{130}", "\u{131}", "k", "s"]
        for range in 0..<others.rangeCount {
          for other in others.edges[2 * range]..<(others.edges[2 * range + 1] + 1) {
            if let scalar = Unicode.Scalar(ScalarSet.scalar(at: min(other, ScalarSet.limit - 1))) {
              texts.append(String(Character(scalar)))
            }
          }
        }
        let code = String(ScalarSet.scalar(at: ordinal), radix: 16)
        cases.append(Case(pattern: "(?i)^\\x{\(code)}$", texts: texts))
        cases.append(Case(pattern: "(?i)^[^\\x{\(code)}]$", texts: texts))
      }
    }
    return cases
  }

  // MARK: Syntax

  private static var counts: [Case] {
    let texts = ["", "a", "aa", "ab", "abab", "é", "k", "\u{212a}", "aaaa", "1 2", "bbbb"]
    let atoms = [
      "a", "ab", "(?:ab)", "[a-c]", ".", "\\w", "(a|b)", "(?:)", "^", "$", "\\b", "(?:a*)", "(a?)",
      "é", "\\d", "(?i)k", "a{2}", "(?:a|bc)*?",
    ]
    let counts = [
      "{0}", "{1}", "{2}", "{0,0}", "{0,1}", "{1,}", "{0,}", "{2,3}", "{3,2}", "{", "{}", "{,}",
      "{,2}", "{a}", "{1", "{1,", "{1,2", "{ 1 }", "{1 ,2}", "{ 1, 2 }", "{1\t,\u{a0}2}", "{1}{2}",
      "{1,2}?", "{2}+", "{4294967295}", "{4294967296}", "{99999999999999999999}", "*", "+", "?",
      "**", "+?", "??", "*{2}", "{01}", "{1,2}*", "{-1}", "{1.5}", "{\n2}", "{1000}", "{5000}",
      "{11000}", "{65536}",
    ]
    var cases: [Case] = []
    for atom in atoms {
      for count in counts {
        for form in [atom + count, "(?x)" + atom + count, "^(?:\(atom + count))$"] {
          cases.append(Case(pattern: form, texts: texts))
        }
      }
    }
    return cases
  }

  private static var escapes: [Case] {
    let texts = [
      "", "a", "A", "\n", "\r", "\r\n", "\t", " ", "_", "-", "1", "é", "\\", "[", "]", "^", "ab c",
      "<", ">", "\u{7}", "\u{7f}", "ÿ", "xyz", "☃", "a\nb", "a\r\nb", "#", "&", "~", "&&",
    ]
    var escapes: [String] = []
    for byte in UInt8(0)..<0x80 { escapes.append("\\" + String(Unicode.Scalar(byte))) }
    escapes += [
      "\\é", "\\☃", "\\x4", "\\x41", "\\x{41}", "\\x{ 41 }", "\\x{}", "\\x{110000}", "\\x{D800}",
      "\\xff", "\\xFF", "\\u00e9", "\\u{e9}", "\\U000000e9", "\\u00", "\\U0011FFFF", "\\x{4g}",
      "\\pL", "\\PL", "\\p", "\\p{", "\\pé", "\\p\\", "\\p{}", "\\p{L", "\\b{start}", "\\b{end}",
      "\\b{start-half}", "\\b{end-half}", "\\b{foo}", "\\b{", "\\b{st", "\\b{1}", "\\b{ start }",
      "\\b{1,2}", "\\B{2}", "\\b{-}", "\\012",
    ]
    var cases: [Case] = []
    for escape in escapes {
      for form in [
        escape, "[\(escape)]", "[^\(escape)]", "[\(escape)-z]", "[a-\(escape)]", "(?i)\(escape)",
        "(?x)\(escape)", "(?-u)\(escape)", "(?-u:[\(escape)])", "(?-u:[^\(escape)])",
        "(?x)[ \(escape) ]", "(\(escape))+", "a\(escape)", "\(escape)a", "(?R)(?m)^\(escape)$",
        "(?s-u)\(escape)", "(?i-u)\(escape)", "[[\(escape)]&&[^a]]", "[a--\(escape)]",
        "[\(escape)~~b]", "(?U)\(escape)*a",
      ] { cases.append(Case(pattern: form, texts: texts)) }
    }
    return cases
  }

  private static var flags: [Case] {
    let letters = ["i", "m", "s", "U", "u", "R", "x", "a", "q", "-"]
    var sets = letters
    for first in letters { for second in letters { sets.append(first + second) } }
    let pairs = sets
    for first in letters {
      for second in pairs where second.count == 2 { sets.append(first + second) }
    }
    var cases: [Case] = []
    for set in sets {
      cases.append(Case(pattern: "(?\(set))A.b", texts: ["a\nb", "A b", "Ab", "a\rb"]))
      guard set.count < 3 else { continue }
      cases.append(
        Case(pattern: "(?\(set):^a.$)B", texts: ["a\nb", "A b", "Ab", "a\rb", "\na \nb"]))
      cases.append(Case(pattern: "(?\(set)", texts: ["a"]))
      cases.append(Case(pattern: "a|(?\(set))b|c", texts: ["A", "B", "C", "\n"]))
    }
    return cases
  }

  private static var classes: [Case] {
    let texts = "abcdxyz-^[]:&~1_é A#.$\n".map { String($0) } + [""]
    let items = [
      "a", "b-d", "-", "^", "[x]", "[:alpha:]", "[:^digit:]", "[:foo:]", "\\d", "\\W", "&&", "--",
      "~~", "&", "~", "é-ü", "]", "[", "\\]", "[^a]", " ", "#", "a-", "z-a", "\\pL", "\\b",
      "[a&&b]", "[]]", "[[:word:]--_]", ".", "$",
    ]
    var random = PatternRandom(seed: 7)
    return (0..<12_000).map { _ in
      let flags = random.pick(["", "", "", "(?i)", "(?x)", "(?-u)", "(?i-u)"])
      let negation = random.pick(["", "", "^"])
      let body = (0..<random.below(6)).map { _ in random.pick(items) }.joined()
      return Case(pattern: "\(flags)^[\(negation)\(body)]$", texts: texts)
    }
  }

  private static var nesting: [Case] {
    var cases: [Case] = []
    func add(_ pattern: String) { cases.append(Case(pattern: pattern, texts: ["x", "a"])) }
    for count in [10, 124, 125, 126, 127, 248, 249, 250, 251, 252, 300, 1_000] {
      func times(_ text: String) -> String { String(repeating: text, count: count) }
      for (open, close) in [
        ("(", ")"), ("(?:", ")"), ("[", "a]"), ("(?:a|", ")"), ("(?:a", ")"), ("[^", ","),
        ("(?:a|b", ")*"),
      ] {
        add(times(open) + "x" + times(close))
        add("a" + times(open) + "x" + times(close))
      }
      add("a" + times("*"))
      add("a" + times("{2}"))
      add("[a" + times("&&a") + "]")
      add("[a" + times("--b") + "]")
      add(times("(?i)"))
      add(times("[[a]") + times("]"))
    }
    return cases
  }
}

/// Random numbers that are the same every time.
struct PatternRandom {
  private var numbers: SeededGenerator

  init(seed: UInt64) { numbers = SeededGenerator(seed: seed) }

  mutating func next() -> UInt64 { numbers.next() }

  mutating func below(_ limit: Int) -> Int { Int(next() % UInt64(limit)) }

  mutating func pick<Element>(_ elements: [Element]) -> Element {
    elements[below(elements.count)]
  }
}

extension SystematicPatterns {
  /// A hash of the results for each `step`-th pattern of a family.
  static func digest(of family: Family, every step: Int) -> (count: Int, hash: UInt64) {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    var count = 0
    func add(_ byte: UInt8) { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
    for index in Swift.stride(from: 0, to: family.cases.count, by: step) {
      count += 1
      for answer in answers(to: family.cases[index]) { add(answer) }
      add(0x0A)
    }
    return (count, hash)
  }

  /// `E` for a pattern that is refused, or else `1` and `0` for each text.
  private static func answers(to item: Case) -> [UInt8] {
    let pattern = Array(item.pattern.utf8)
    do throws(RegexPatternError) {
      let program = try pattern.withUnsafeBufferPointer { (bytes) throws(RegexPatternError) in
        try RegexProgram(bytes, syntax: .rust)
      }
      let workspace = RegexWorkspace(program)
      return item.texts.map { text in
        Array(text.utf8).withUnsafeBufferPointer { workspace.matches($0) } == true ? 0x31 : 0x30
      }
    } catch {
      return [0x45]
    }
  }
}
