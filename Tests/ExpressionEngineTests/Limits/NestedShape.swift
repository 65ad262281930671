import Testing

/// Ways in which an expression can be deep or long.
struct NestedShape: Sendable, CustomTestStringConvertible {
  let name: String
  /// The expression with that many levels.
  let text: @Sendable (Int) -> String
  /// Whether any number of levels makes a filter: the levels are links of a chain.
  let isChain: Bool

  var testDescription: String { name }

  private static func around(_ open: String, _ core: String, _ close: String)
    -> @Sendable (Int)
    -> String
  {
    { count in
      String(repeating: open, count: count) + core + String(repeating: close, count: count)
    }
  }

  private static func nested(
    _ name: String, _ open: String, _ core: String, _ close: String
  ) -> NestedShape {
    NestedShape(name: name, text: around(open, core, close), isChain: false)
  }

  private static func chain(_ name: String, _ first: String, _ link: String) -> NestedShape {
    NestedShape(
      name: name, text: { first + String(repeating: link, count: $0) }, isChain: true)
  }

  /// Each level stands inside another one.
  static let nests: [NestedShape] = [
    nested("lists", "[", "1", "]"),
    nested("maps", "{\"a\": ", "1", "}"),
    nested("calls", "max(", "1", ")"),
    nested("two-argument calls", "max(0, ", "1", ")"),
    nested("host calls", "device.echo(", "1", ")"),
    nested("methods", "s.contains(", "s", ")"),
    nested("has", "has(", "user.age", ")"),
    nested("maybe", "maybe(0, ", "ghost", ", 1)"),
    nested("macros", "l.all(v, ", "true", ")"),
    nested("filters", "l.filter(v, ", "true", ")"),
    nested("macro ranges", "[", "1", "].map(v, v)"),
    nested("indexes", "l[", "0", "]"),
    nested("sums on the right", "1 + (", "1", ")"),
    nested("conjunctions on the right", "true && (", "true", ")"),
    nested("disjunctions on the right", "false || (", "true", ")"),
    nested("comparisons on the right", "1 == (", "1", ")"),
    nested("comparisons of attributes", "user.gone == 1 || (", "true", ")"),
    nested("memberships on the right", "1 in (", "l", ")"),
    nested("negations", "!(", "true", ")"),
    nested("minus", "-(", "1", ")"),
    nested("conditions", "(", "true", " ? true : false)"),
    nested("middle branches", "true ? (", "1", ") : 2"),
    nested("last branches", "false ? 1 : ", "2", ""),
    nested("receivers", "(", "s", " + s).contains(s)"),
    nested("fields", "Name{a: ", "1", "}"),
    nested(
      "all of it", "[has({\"a\": max(l[0] + (!(user.age == (s.contains(", "1",
      ")) ? 1 : 2)), 0)}.a)]"),
  ]

  /// Each level follows the other one.
  static let chains: [NestedShape] = [
    NestedShape(name: "parentheses", text: around("(", "1", ")"), isChain: true),
    chain("members", "user", ".gone"),
    chain("members that are there", "ring", ".next"),
    chain("indexes", "l", "[0]"),
    chain("index and member", "user", "[\"a\"].b"),
    chain("conjunction", "true", " && true"),
    chain("conjunction of comparisons", "true", " && user.age == 25"),
    chain("disjunction", "false", " || user.age == 3"),
    chain("sum", "1", " + 1"),
    chain("sum of attributes", "0", " + user.age"),
    chain("texts", "\"\"", " + \"a\""),
    chain("methods", "s", ".contains(s)"),
    chain("macros", "l", ".map(v, v)"),
    NestedShape(
      name: "elements",
      text: { "[" + String(repeating: "1,", count: $0) + "1]" }, isChain: true),
    NestedShape(
      name: "computed elements",
      text: { "[" + String(repeating: "n,", count: $0) + "1]" }, isChain: true),
    NestedShape(
      name: "entries",
      text: { count in
        "{" + (0..<count).map { "\"k\($0)\": \($0)," }.joined() + "\"k\": 1}"
      }, isChain: true),
    NestedShape(
      name: "membership", text: { "7 in [" + String(repeating: "1,", count: $0) + "1]" },
      isChain: true),
    NestedShape(
      name: "different attributes",
      text: { count in (0..<count).map { "user.a\($0) == \($0)" }.joined(separator: " || ") },
      isChain: true),
    NestedShape(
      name: "a long text", text: { "\"" + String(repeating: "x", count: $0) + "\"" },
      isChain: true),
    NestedShape(
      name: "a long name", text: { "user." + String(repeating: "x", count: $0) },
      isChain: true),
    NestedShape(
      name: "arguments", text: { "max(" + String(repeating: "1,", count: $0) + "1)" },
      isChain: true),
  ]
}
