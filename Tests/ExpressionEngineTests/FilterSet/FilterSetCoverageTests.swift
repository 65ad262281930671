import ExpressionSyntax
import Testing

@testable import ExpressionEngine

@Suite("How much of a filter a set decides without evaluating it")
struct FilterSetCoverageTests {
  /// Returns whether the graph of a set of one filter decides it.
  private func decides(_ text: String, _ dialect: Dialect) throws -> Bool {
    let tuning = FilterSet.Tuning(minimumGraph: 1, maximumSingles: 1)
    let filter = try Filter(text, FilterEnvironment(dialect: dialect))
    let graph = try #require(FilterSet([filter], tuning: tuning).graphs.first)
    return graph.checked.isEmpty
  }

  @Test(
    "conditions on attributes and constants are decided, whatever joins them",
    arguments: [
      "user.a == 1", "user.a != \"x\"", "user.a == null", "user.a == true", "user.a == 1.5",
      "user.a in [null, true, 1, 2.5, \"x\"]", "!(user.a in [false, 7])", "user.a in []",
      "user.a < 5 && user.a >= 2", "!(user.a > \"m\")", "user.a > false", "!(user.a <= true)",
      "1 < user.a", "\"x\" in user.a", "user.a.startsWith(\"x\")", "user.a.contains(\"x\")",
      "has(user.a)", "!has(user.a)", "user.a", "!user.a", "user.a == 1 || user.b == 2",
      "user.a == 1 ? user.b == 2 : user.c == 3", "(user.a == 1) == (user.b == 2)",
      "[1, 2].exists(x, user.a == x)", "[1, 2].all(x, user.a != x)",
      "!([\"x\", \"y\"].exists(x, user.a.contains(x)))", "size(user.a) > 2", "user.a + 1 > 4",
      "user.a / user.b > 2", "!(user.a == 1 && user.b == 2)",
      "(user.a == 1 && user.b == 2) || user.c == 3", "!(user.a == 1 || user.b > 2)",
    ], [Dialect.superscript, .cel])
  func decided(text: String, dialect: Dialect) throws {
    let isDecided = try decides(text, dialect)
    #expect(isDecided)
  }

  @Test(
    "what reads more than attributes and constants is evaluated",
    arguments: [
      "user.a == user.b", "user.a in user.b", "user.a.contains(user.b)", "user.a.matches(\"x+\")",
      "user.a.exists(x, x == 1)", "[1, user.b].exists(x, user.a == x)", "user.a == [1]",
      "[1, 2].exists_one(x, user.a == x)", "{\"k\": 1}.exists(k, user.a == k)",
      "[1, 2].exists(x, user.a)", "user.a < [1]",
    ], [Dialect.superscript, .cel])
  func evaluated(text: String, dialect: Dialect) throws {
    let isDecided = try decides(text, dialect)
    #expect(!isDecided)
  }
}
