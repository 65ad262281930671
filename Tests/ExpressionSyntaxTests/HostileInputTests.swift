import ExpressionEngine
import ExpressionPrinting
import ExpressionSyntax
import Foundation
import TestSupport
import Testing

/// No text crashes, hangs or recurses without bound; what does not parse has a position.
@Suite struct HostileInputTests {
  static let dialects: [Dialect] = [.superscript, .cel]

  /// Parses; checks that errors lie inside the text and that every renderer can show them.
  @discardableResult
  private func survive(
    _ bytes: [UInt8], _ dialect: Dialect, sourceLocation: Testing.SourceLocation = #_sourceLocation
  ) -> SyntaxError? {
    let source = SourceText(bytes: bytes)
    do {
      let tree = try parse(source, dialect: dialect)
      #expect(tree.depth() > 0, sourceLocation: sourceLocation)
      return nil
    } catch {
      #expect((1...10).contains(error.diagnostics.count), sourceLocation: sourceLocation)
      for diagnostic in error.diagnostics {
        #expect(Int(diagnostic.primary.span.end) <= bytes.count, sourceLocation: sourceLocation)
        #expect(!diagnostic.message.isEmpty, sourceLocation: sourceLocation)
      }
      #expect(DiagnosticRenderer().render(error.diagnostics, in: source).utf8.count < 100_000)
      return error
    }
  }

  private func survive(_ text: String, _ dialect: Dialect) -> SyntaxError? {
    survive(Array(text.utf8), dialect)
  }

  @Test("ten megabytes of `(` are refused by their length alone", arguments: dialects)
  func manyParentheses(dialect: Dialect) {
    let refused = survive(String(repeating: "(", count: 10_000_000), dialect)
    #expect(refused?.diagnostics.map(\.id) == [.sourceTooLong])
    let error = survive(String(repeating: "(", count: 1_000_000), dialect)
    #expect(error?.diagnostics.map(\.id) == [.missingOperand])
  }

  @Test("chains, conditionals and parentheses of any length parse without recursion")
  func longChains() throws {
    let count = 20_000
    let texts: [(String, Dialect)] = [
      (
        String(repeating: "(", count: count) + "1" + String(repeating: ")", count: count),
        .superscript
      ),
      (String(repeating: "1 + ", count: count) + "1", .superscript),
      (String(repeating: "a && ", count: count) + "a", .cel),
      (String(repeating: "a ? 1 : ", count: count) + "2", .superscript),
      (String(repeating: "1 + (", count: count) + "1" + String(repeating: ")", count: count), .cel),
      ("a" + String(repeating: ".b", count: count), .superscript),
      ("a" + String(repeating: "[0]", count: count), .cel),
      ("a" + String(repeating: ".f()", count: count), .cel),
      (String(repeating: "!", count: count) + "a", .cel),
      (String(repeating: "-", count: count) + "1", .cel),
      (
        String(repeating: "-(", count: count) + "1" + String(repeating: ")", count: count),
        .superscript
      ),
    ]
    for (text, dialect) in texts {
      let tree = try parse(SourceText(text), dialect: dialect)
      let again = try parse(SourceText(SyntaxPrinter.print(tree)), dialect: dialect)
      #expect(tree.isStructurallyEqual(to: again), "\(text.prefix(20))")
      // Indentation makes the layout longer than the text.
      let formatted = try parse(
        SourceText(SyntaxPrinter.format(tree)), dialect: dialect,
        limits: ParserLimits(sourceLength: 10_000_000))
      #expect(tree.isStructurallyEqual(to: formatted), "\(text.prefix(20))")
      #expect(!SyntaxDump.dump(tree).isEmpty)
    }
  }

  @Test("a megabyte of one thing parses", arguments: dialects)
  func longTokens(dialect: Dialect) throws {
    let count = 1_000_000
    for text in [
      String(repeating: "a", count: count), "\"" + String(repeating: "a", count: count) + "\"",
      "1." + String(repeating: "7", count: count), String(repeating: "0", count: count) + "7",
      String(repeating: " ", count: count) + "1", "1 //" + String(repeating: "a", count: count),
      "[" + String(repeating: "1,", count: 100_000) + "1]",
    ] {
      _ = try parse(SourceText(text), dialect: dialect)
    }
    #expect(
      survive(String(repeating: "9", count: count), dialect)?.diagnostics.first?.id
        == .numberTooLarge)
  }

  @Test("deep brackets are refused, and the deepest allowed ones fit a 512 KiB thread")
  func nesting() throws {
    let opens = ["[", "f(", "a[", "{1:", "M{a:", "[1,f({1:", "1 + ("]
    let outcome = Locked<[String]>([])
    let limit = ParserLimits.standard.nesting
    let thread = Thread {
      for dialect in Self.dialects {
        for open in opens {
          for count in [limit - 1, limit, limit + 1, 100_000] {
            let text = String(repeating: open, count: count)
            let ids: [DiagnosticID]
            do throws(SyntaxError) {
              _ = try parse(SourceText(text), dialect: dialect)
              ids = []
            } catch {
              ids = error.diagnostics.map(\.id)
            }
            let brackets = open.count { "([{".contains($0) } * count
            let want: DiagnosticID =
              brackets > limit && open != "1 + (" ? .nestingTooDeep : .missingOperand
            // An open list, map or call that ends at once misses its closing bracket.
            if ids != [want], ids != [.unclosedBracket] || want == .nestingTooDeep {
              outcome.withLock { $0.append("\(open) x \(count): \(ids)") }
            }
          }
        }
        let deepest = String(repeating: "[", count: limit) + String(repeating: "]", count: limit)
        if (try? parse(SourceText(deepest), dialect: dialect)) == nil {
          outcome.withLock { $0.append("\(limit) lists do not parse") }
        }
      }
      outcome.withLock { $0.append("done") }
    }
    thread.stackSize = 512 * 1024
    thread.start()
    let deadline = ContinuousClock.now + .seconds(60)
    while !thread.isFinished, ContinuousClock.now < deadline { usleep(1000) }
    #expect(outcome.withLock { $0 } == ["done"])
  }

  @Test("limits are limits on either side")
  func limits() throws {
    let limits = ParserLimits(sourceLength: 10, nesting: 2)
    _ = try parse(SourceText("[[1]]     "), dialect: .superscript, limits: limits)
    #expect(throws: SyntaxError.self) {
      try parse(SourceText("[[1]]      "), dialect: .superscript, limits: limits)
    }
    #expect(throws: SyntaxError.self) {
      try parse(SourceText("[[[1]]]"), dialect: .superscript, limits: limits)
    }
  }

  @Test("NUL, unclosed strings and bytes that are not UTF-8 are errors with their place")
  func oddBytes() {
    for dialect in Self.dialects {
      #expect(survive("a\u{0}", dialect)?.diagnostics.first?.id == .invisibleCharacter)
      #expect(survive("\"abc", dialect)?.diagnostics.first?.id == .unclosedString)
      #expect(survive("\"abc\\", dialect)?.diagnostics.first?.id == .unclosedString)
      for bad in [
        [0x80], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xE2, 0x82],
      ] as [[UInt8]] {
        let error = survive(Array("\"abc".utf8) + bad + Array("\"".utf8), dialect)
        #expect(error?.diagnostics.first?.id == .invalidUTF8)
        #expect(error?.diagnostics.first?.primary.span.start == 4)
      }
    }
  }

  @Test("random bytes never crash the parser", arguments: dialects)
  func randomBytes(dialect: Dialect) {
    var random = SeededGenerator(seed: 11)
    let alphabet = Array("ab19.\"'\\()[]{}!-+?:,&|=<>/% \n\tinru`é\u{201C}".utf8)
    for round in 0..<Effort.times(1_200) {
      let count = Int.random(in: 0...40, using: &random)
      let bytes = (0..<count).map { _ in
        round % 3 == 0
          ? UInt8.random(in: 0...255, using: &random)
          : alphabet.randomElement(using: &random) ?? 0
      }
      survive(bytes, dialect)
    }
  }

  @Test("mutated expressions never crash the parser", arguments: dialects)
  func mutations(dialect: Dialect) throws {
    var random = SeededGenerator(seed: 12)
    let seeds = [
      #"user.age >= 18 && device.platform == "iOS" || !(a.b[0] in [1, 2.5, "x"])"#,
      #"a ? f(1, x.y(2)) : {"k": [true, null], m: -n} + r"\d+" // c"#,
      #"Foo{a: 1, b: .c} == b"\x00" % - 3 * --d"#,
    ]
    let pieces = seeds.flatMap { text in
      (try? tokenize(SourceText(text), dialect: dialect)).map { list in
        list.tokens.map { text.utf8.isEmpty ? "" : list.source.text(of: $0.span) }
      } ?? []
    }
    for _ in 0..<Effort.times(800) {
      var words = (seeds.randomElement(using: &random) ?? "").split(separator: " ").map(String.init)
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let index = Int.random(in: 0..<words.count, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: if words.count > 1 { words.remove(at: index) }
        case 1: words.insert(pieces.randomElement(using: &random) ?? "", at: index)
        case 2: words.swapAt(index, Int.random(in: 0..<words.count, using: &random))
        default: words[index] = String(words[index].dropLast())
        }
      }
      let text = words.joined(separator: Bool.random(using: &random) ? " " : "")
      if let tree = try? parse(SourceText(text), dialect: dialect) {
        try RoundTrip.check(tree)
      } else {
        _ = survive(text, dialect)
      }
    }
  }
}
