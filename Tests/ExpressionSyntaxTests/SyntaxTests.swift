import ExpressionPrinting
import ExpressionSyntax
import TestSupport
import Testing

/// Trees, tokens and texts of right expressions.
@Suite struct SyntaxTests {
  static let trees: [(String, Dialect, String)] = [
    ("a && b || c && d", .superscript, "(|| (&& a b) (&& c d))"),
    ("a || b || c", .cel, "(|| (|| a b) c)"),
    ("1 + 2 * 3 - 4", .superscript, "(- (+ 1 (* 2 3)) 4)"),
    ("a == b + 1", .superscript, "(== a (+ b 1))"),
    ("1 < 2 == true", .cel, "(== (< 1 2) true)"),
    ("a ? 1 : b ? 2 : 3", .superscript, "(?: a 1 (?: b 2 3))"),
    ("{a ? b : c : d}", .superscript, "(map (?: a b c) d)"),
    ("(a || b) && c", .superscript, "(&& (|| a b) c)"),
    ("!a.b", .superscript, "(! (. a b))"),
    ("!!a", .superscript, "(!! a)"),
    ("!!a", .cel, "(! (! a))"),
    ("--n", .superscript, "(-- n)"),
    ("---5", .superscript, "(-- -5)"),
    ("- 5", .superscript, "(- 5)"),
    ("- 5", .cel, "-5"),
    ("-5.f()", .superscript, "(method f -5)"),
    ("-(5)", .superscript, "(- 5)"),
    ("-9223372036854775808", .cel, "-9223372036854775808"),
    ("- 9223372036854775808", .cel, "-9223372036854775808"),
    ("-0x8000000000000000", .cel, "-9223372036854775808"),
    ("18446744073709551615u", .cel, "18446744073709551615u"),
    ("-1u", .cel, "(- 1u)"),
    ("--1", .cel, "(- -1)"),
    ("!-1", .cel, "(! -1)"),
    ("n*-1", .superscript, "(* n -1)"),
    ("n-+1.5", .superscript, "(- n 1.5)"),
    ("1.e5", .superscript, "(. 1 e5)"),
    ("5.string()", .superscript, "(method string 5)"),
    ("1e400", .superscript, "1e999"),
    (".5 + 1.5e-3", .superscript, "(+ 0.5 0.0015)"),
    (".n", .superscript, ".n"),
    (".f(1, 2,)", .superscript, "(call .f 1 2)"),
    ("n{}", .superscript, "(message n)"),
    ("5{a: 1,}", .superscript, "(message 5 a 1)"),
    ("a.b{c: 1}.d", .cel, "(. (message (. a b) c 1) d)"),
    ("[,]", .cel, "(list)"),
    ("{,}", .cel, "(map)"),
    ("a.?b[?c]", .cel, "([?] (.? a b) c)"),
    ("[?a, b]", .cel, "(list (? a) b)"),
    ("{?'a': b}", .cel, "(map (? \"a\") b)"),
    ("a.`b-c/d`", .cel, "(. a b-c/d)"),
    ("a.if", .cel, "(. a if)"),
    ("1 in[1]", .superscript, "(in 1 (list 1))"),
    ("user . name", .superscript, "(. user name)"),
    ("\u{A0}n\u{2003}", .superscript, "n"),
    ("n // c\n== 5", .superscript, "(== n 5)"),
    (#"r"q\"q""#, .superscript, #""q\"q""#),
    (#""it\'s""#, .superscript, #""it\\'s""#),
    (#""\u00e9\x41\101""#, .superscript, #""éAA""#),
    (#"r"a\nb""#, .superscript, #""a\\nb""#),
    (#"b"é\x41\101""#, .superscript, #"b"\xc3\xa9\x41\x41""#),
    (#"'''a'b\'''c'''"#, .cel, #""a'b'''c""#),
    ("'''a\r\nb\rc'''", .cel, #""a\nb\nc""#),
    (#"bR'\x'"#, .cel, #"b"\x5c\x78""#),
    (#"'\xff'"#, .cel, #""ÿ""#),
  ]

  @Test("expressions have these trees", arguments: trees)
  func tree(text: String, dialect: Dialect, dump: String) throws {
    #expect(SyntaxDump.dump(try parse(SourceText(text), dialect: dialect)) == dump)
  }

  @Test("tokens have a stable text form")
  func tokens() throws {
    let list = try tokenize(SourceText("n-1 >= \"a\n\" && é"), dialect: .superscript)
    #expect(
      list.dump == """
        0..<1     identifier    "n"
        1..<3     int           "-1"
        4..<6     greaterEqual  ">="
        7..<11    string        "\\"a\\n\\""
        12..<14   and           "&&"
        15..<17   invalid(unexpectedCharacter) "é"

        """)
    #expect(MemoryLayout<Token>.stride <= 12)
    #expect(MemoryLayout<SyntaxNode>.stride == 32)
  }

  @Test("trees that differ in meaning are not equal, however alike they look")
  func inequality() throws {
    for (left, right) in [
      ("a", "b"), ("a", ".a"), ("1", "1.0"), ("-(1)", "-1"), ("\"a\"", "b\"a\""), ("f()", "a.f()"),
      ("a + b", "a - b"), ("[a]", "[a, a]"), ("{}", "[]"), ("a.b", "a.c"), ("!!a", "!(!a)"),
    ] {
      let a = try parse(SourceText(left), dialect: .superscript)
      let b = try parse(SourceText(right), dialect: .superscript)
      #expect(!a.isStructurallyEqual(to: b), "\(left) and \(right)")
      #expect(a.isStructurallyEqual(to: a))
    }
  }

  @Test("nodes know their text, name, operator and place")
  func accessors() throws {
    let tree = try parse(SourceText("(user.name) == r'a' + \"\\n\""), dialect: .superscript)
    let root = tree[tree.root]
    #expect(tree.source.text(of: root.span) == "(user.name) == r'a' + \"\\n\"")
    #expect(tree.source.text(of: tree.operatorSpan(of: root)) == "==")
    let member = tree.nodes[Int(root.first)]
    #expect(tree.name(of: member) == "name")
    #expect(member.flags.contains(.parenthesized))
    let sum = tree.nodes[Int(root.second)]
    let raw = tree.literalContent(of: tree.nodes[Int(sum.first)])
    #expect(tree.source.text(of: raw.span) == "a" && !raw.needsDecoding)
    #expect(tree.text(of: tree.nodes[Int(sum.second)]) == [10])
    #expect(tree.depth() == 3)
    #expect(SourceText("a\r\nb\nc").location(of: 5) == SourceLocation(line: 3, column: 1))
  }

  @Test(
    "the nodes of a part are consecutive",
    arguments: [
      "((a + b) * c.d[e]) == -(f) && (!g || h in [i, (j)])", "a ? (b ? c : d) : (e)",
      "{(a): b, c: (d)}.x(y, (z))", "f((a), b.c, [])((d))", "(a).all(x, (x > (1))) && ((b))",
      "T{a: (1), b: c.d}.e", "[?a, (b)][?c].?d", "size((a)) == (1) || \"x\" in (b)",
    ])
  func parts(text: String) throws {
    for dialect in [Dialect.superscript, .cel] {
      guard let tree = try? parse(SourceText(text), dialect: dialect) else { continue }
      for index in tree.nodes.indices {
        var found: Set<Int> = []
        var work = [UInt32(index)]
        while let next = work.popLast() {
          found.insert(Int(next))
          tree.forEachChild(of: tree.nodes[Int(next)]) { work.append($0) }
        }
        #expect(Set(tree.nodeNumbers(under: NodeID(UInt32(index)))) == found, "node \(index)")
      }
    }
  }

  @Test("line and column of every offset are those found by reading from the start")
  func locations() {
    var random = SeededGenerator(seed: 12)
    let pieces = [
      "a", "bc ", "\n", "\r", "\r\n", "é", "e\u{301}", "👩‍👩‍👧", "\t",
      String(repeating: "x", count: 700),
    ]
    for _ in 0..<50 {
      let count = Int.random(in: 0..<40, using: &random)
      let chosen = (0..<count).map { _ in pieces.randomElement(using: &random) ?? "" }
      let source = SourceText(chosen.joined())
      let lines = SourceLines(source)
      // The characters are counted again from the start of the line for each offset.
      var line = 1
      var start = 0
      for offset in 0...source.bytes.count {
        let column = String(decoding: source.bytes[start..<offset], as: UTF8.self).count + 1
        #expect(
          lines.location(of: UInt32(offset)) == SourceLocation(line: line, column: column),
          "offset \(offset) of \(source.text.debugDescription)")
        guard offset < source.bytes.count else { break }
        let isPair =
          source.bytes[offset] == 0x0D && offset + 1 < source.bytes.count
          && source.bytes[offset + 1] == 0x0A
        if source.bytes[offset] == 0x0A || source.bytes[offset] == 0x0D, !isPair {
          line += 1
          start = offset + 1
        }
      }
      #expect(lines.location(of: .max) == lines.location(of: UInt32(source.bytes.count)))
    }
  }
}
