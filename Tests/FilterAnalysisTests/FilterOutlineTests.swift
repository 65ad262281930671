import ExpressionEngine
import ExpressionSyntax
import FilterAnalysis
import FilterAuthoring
import Testing

/// The one reading of a filter's conditions.
@Suite("The outline of a filter")
struct FilterOutlineTests {
  private static func outline(_ text: String, _ dialect: Dialect = .superscript) throws
    -> FilterOutline
  {
    FilterOutline(
      try parse(SourceText(text), dialect: dialect),
      environment: FilterEnvironment(dialect: dialect))
  }

  private static func words(_ outline: FilterOutline) -> String {
    let tree = outline.tree
    guard let relation = outline.relation(of: tree.root) else { return "nothing" }
    let subject = tree.text(ofNode: relation.subject)
    switch relation {
    case .truth: return "\(subject)"
    case .presence: return "has \(subject)"
    case .comparison(let comparison):
      return "\(subject) \(comparison.op.spelling) \(comparison.value.literal)"
    case .size(of: _, let comparison):
      return "size \(subject) \(comparison.op.spelling) \(comparison.value.literal)"
    case .elements(let values, _, in: _):
      return "\(values.map { $0.literal }.joined(separator: ", ")) in \(subject)"
    case .search(let name, in: _, let value, _): return "\(subject) \(name) \(value.literal)"
    }
  }

  @Test(
    "the relation of an operand to constants is read in one way",
    arguments: [
      ("user.isMember", "user.isMember"), ("has(user.age)", "has user.age"),
      ("user.age >= 18", "user.age >= 18"), ("18 < user.age", "user.age > 18"),
      ("user.a.b == null", "user.a.b == null"), (#"user["a"] != "x""#, #"user["a"] != "x""#),
      ("user.age in [1, 2]", "user.age in [1, 2]"), ("3 in user.list", "3 in user.list"),
      ("size(user.tags) > 2", "size user.tags > 2"),
      (#"user.name.startsWith("A")"#, #"user.name startsWith "A""#),
      (#"user.tags.contains("A")"#, #"user.tags contains "A""#),
      ("[1, 2].all(x, x in user.list)", "1, 2 in user.list"),
      ("[1, 2].all(x, user.list.contains(x))", "1, 2 in user.list"),
      ("[1, 2].all(x, y in user.list)", "nothing"), ("[1].exists(x, x in user.list)", "nothing"),
      ("user.a == user.b", "nothing"), ("user.a + 1 > 2", "user.a + 1 > 2"), ("1 > 2", "nothing"),
      ("device.streak(3)", "device.streak(3)"), (#"user.name.matches("A")"#, "nothing"),
    ])
  func relation(_ text: String, _ wanted: String) throws {
    #expect(try Self.words(Self.outline(text)) == wanted)
  }

  @Test(
    "a missing attribute is compared as the engine does it",
    arguments: [
      "user.a > 18", "user.a < 18", "user.a == 0", "user.a != 0", "user.a == \"\"",
      "user.a >= \"a\"", "user.a == false", "user.a != true", "user.a == null", "user.a != null",
      "user.a in [0, 1]", "0 == user.a", "null == user.a", "1.5 > user.a", "user.a == [1]",
      "user.a != [1]", "user.a == b\"\"", "user.a != b\"\"", "18 > user.a", "0.0 >= user.a",
      "user.a == \"0\"", "user.a > null",
    ])
  func missing(_ text: String) throws {
    let tree = try Self.outline(text).tree
    let comparison = try #require(ConstantComparison(tree[tree.root], in: tree))
    let engine = try CompiledFragment(tree, tree.root, environment: .standard)
    let value = try? engine.evaluate(Context(variables: ["user": .map([:])]))
    #expect(comparison.holdsWhenMissing.map { .bool($0) } == value)
  }

  @Test("connectives are listed with their operands, and conditions are counted")
  func forms() throws {
    let outline = try Self.outline("a && b && (c || !d) ? e : (f && g) && h")
    #expect(outline.conditionCount == 8)
    guard case .conditional(let test, _, let otherwise) = outline.form(of: outline.tree.root),
      case .all(let operands) = outline.form(of: test),
      case .all(let last) = outline.form(of: otherwise)
    else {
      Issue.record("the forms are others")
      return
    }
    #expect(operands.map(outline.tree.text(ofNode:)) == ["a", "b", "c || !d"])
    #expect(last.map(outline.tree.text(ofNode:)) == ["f && g", "h"])
    #expect(
      outline.operands(of: otherwise, .and).map(outline.tree.text(ofNode:)) == ["f", "g", "h"])
  }

  @Test("attributes are told from the variables of loops of the same name")
  func bound() throws {
    let outline = try Self.outline("user.list.all(params, params.a > 1) && params.a > 1")
    let tree = outline.tree
    let paths = tree.nodes.indices.filter { tree.nodes[$0].kind == .select }
      .compactMap { outline.freePath(NodeID(UInt32($0)))?.description }
    #expect(paths == ["user.list", "params.a"])
  }

  #if DEBUG
    @Test("each way to the findings parses and compiles a text once")
    func work() throws {
      let text = #"user.age > 18 && user.plan == "once" || !user.email.endsWith("a")"#
      #expect(
        ReadingCount.of(text) { _ = Filter.check(text) }
          == ReadingCount(parses: 1, compilations: 1))
      let filter = try Filter(text)
      #expect(ReadingCount.of(text) { _ = filter.check() } == ReadingCount(parses: 1))
      #expect(
        ReadingCount.of(text) { _ = filter.explain(Context()) } == ReadingCount(parses: 1))
      #expect(
        ReadingCount.of(text) {
          let parsed = ParsedFilter(SourceText(text), environment: .standard)
          _ = parsed.diagnostics(schema: .builtIn)
          _ = parsed.explain(Context())
          _ = parsed.filter
        } == ReadingCount(parses: 1, compilations: 1))
    }
  #endif
}
