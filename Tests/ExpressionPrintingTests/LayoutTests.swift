import ExpressionPrinting
import ExpressionSyntax
import Foundation
import TestSupport
import Testing

/// Canonical texts and layouts.
@Suite struct LayoutTests {
  static let canonical: [(String, Dialect, String)] = [
    ("((a)) && ((b||c))", .superscript, "a && (b || c)"),
    ("a-(b-c)-d", .superscript, "a - (b - c) - d"),
    ("(a==b)==c", .superscript, "(a == b) == c"),
    ("(a==b)==c", .cel, "a == b == c"),
    ("-(5)", .superscript, "-(5)"),
    ("-(-5)", .superscript, "-(-5)"),
    ("- -5", .cel, "-(-5)"),
    ("!(!a)", .superscript, "!(!a)"),
    ("!(!a)", .cel, "!!a"),
    ("-(5.f())", .superscript, "-(5.f())"),
    ("(a ? b : c) ? d : (e ? f : g)", .superscript, "(a ? b : c) ? d : e ? f : g"),
    ("'a' + \"it's\" + 'q\"'", .superscript, "\"a\" + \"it's\" + 'q\"'"),
    (#"s.matches(r'^\w+$')"#, .superscript, #"s.matches(r"^\w+$")"#),
    ("[1,2 , 3,]", .superscript, "[1, 2, 3]"),
    ("{ 'a':1 }", .cel, "{\"a\": 1}"),
    ("a [ 0 ] . b ( c )", .superscript, "a[0].b(c)"),
    ("a.`b` + a.`in` + a.`x-y`", .cel, "a.b + a.`in` + a.`x-y`"),
    ("0x10 + 00012 + 1.50", .cel, "16 + 12 + 1.5"),
  ]

  @Test("the canonical text has the fewest parentheses that keep the tree", arguments: canonical)
  func print(text: String, dialect: Dialect, expected: String) throws {
    let tree = try parse(SourceText(text), dialect: dialect)
    #expect(SyntaxPrinter.print(tree) == expected)
    try RoundTrip.check(tree)
  }

  @Test("long conditions break at their loosest operator, comments stay where they were")
  func format() throws {
    let text = """
      // audience
      user.age >= 18 && device.platform == "iOS" && user.country in ["SE", "NO", "DK"] // nordics
      && (user.plan == "pro" || user.plan == "team" || user.lifetimeValue > 1000 || user.isEmployee)
      // end
      """
    let tree = try parse(SourceText(text), dialect: .superscript)
    #expect(
      SyntaxPrinter.format(tree) == """
        // audience
        user.age >= 18
          && device.platform == "iOS"
          && user.country in ["SE", "NO", "DK"]  // nordics
          && (user.plan == "pro" || user.plan == "team" || user.lifetimeValue > 1000 || user.isEmployee)
        // end
        """)
    try RoundTrip.check(tree)
  }

  @Test(
    "a comment in leading parentheses comes before the filter, in one pass",
    arguments: [
      ("( // c\nparams.y) || ( -2.5)", "// c\nparams.y || -2.5"),
      ("((// a\n  // b\nn)) * 2 > (m)", "// a\n// b\nn * 2 > m"),
      ("(( // c\na) && b) ? c : d", "// c\na && b ? c : d"),
      ("[( // c\na), b]", "[  // c\n  a,\n  b\n]"),
    ])
  func formatLeadingComment(text: String, expected: String) throws {
    let tree = try parse(SourceText(text), dialect: .superscript)
    #expect(SyntaxPrinter.format(tree) == expected)
    try RoundTrip.check(tree)
  }

  @Test("long lists of literals fill lines, other lists and calls have one element a line")
  func formatLists() throws {
    let tree = try parse(
      SourceText(#"user.country in ["SE", "NO", "DK"] && f(a.b + c, g(d, e), 100, "text")"#),
      dialect: .superscript)
    #expect(
      SyntaxPrinter.format(tree, width: 24) == """
        user.country in [
            "SE", "NO", "DK"
          ]
          && f(
            a.b + c,
            g(d, e),
            100,
            "text"
          )
        """)
  }

  @Test(
    "printing and formatting conformance expressions keeps their trees",
    .enabled(if: TestFiles.sharedPath("conformance/superscript-open.jsonl") != nil))
  func roundTrip() throws {
    for (file, key, dialect) in [
      ("superscript-open.jsonl", "expression", Dialect.superscript),
      ("cel-open.jsonl", "expr", Dialect.cel),
    ] {
      for row in try #require(try TestFiles.sharedObjects("conformance/\(file)")) {
        let text = try #require(row[key] as? String)
        guard let tree = try? parse(SourceText(text), dialect: dialect) else { continue }
        try RoundTrip.check(tree)
      }
    }
  }
}
