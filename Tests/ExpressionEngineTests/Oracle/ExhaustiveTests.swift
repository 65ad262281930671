import ExpressionSyntax
import Foundation
import Testing

@testable import ExpressionEngine

/// Every small expression over every kind of value. `make exhaustive` goes up to five nodes.
@Suite("Every small expression means the same however it is evaluated")
struct ExhaustiveTests {
  /// The number of nodes up to which all expressions are enumerated.
  private static let size =
    ProcessInfo.processInfo.environment["SWEXPR_EXHAUSTIVE"].flatMap(Int.init) ?? 4

  @Test("in the superscript dialect")
  func superscript() throws {
    let expressions = SmallExpressions(
      atoms: SmallExpressions.attributes + SmallExpressions.constants, unary: ["!", "-"],
      binary: ["==", "!=", "<", ">=", "&&", "||", "+", "in"])
    let found = try onThread(stack: 256 << 20) {
      expressions.walk(upTo: Self.size) { text, contexts in
        let agreement = Agreement(environment: .standard, contexts: contexts)
        if case .disagrees(let disagreement) = agreement.check(text) { return disagreement }
        return nil
      }
    }
    expect(found)
  }

  @Test("in the cel dialect")
  func cel() throws {
    let expressions = SmallExpressions(
      atoms: SmallExpressions.attributes + SmallExpressions.constants, unary: ["!", "-"],
      binary: ["==", "!=", "<", ">=", "&&", "||", "+", "in"])
    let environment = FilterEnvironment(dialect: .cel)
    let found = try onThread(stack: 256 << 20) {
      expressions.walk(upTo: Self.size) { text, contexts in
        let agreement = CELAgreement(environment: environment, contexts: contexts)
        if case .disagrees(let disagreement) = agreement.check(text) { return disagreement }
        return nil
      }
    }
    expect(found)
  }

  private func expect(_ found: SmallExpressions.Tally) {
    for disagreement in found.disagreements { Issue.record("\(disagreement)") }
    #expect(found.expressions > 1_000)
    if Self.size > 4 {
      print("\(found.expressions) expressions, \(found.evaluations) pairs with contexts")
    }
  }
}

/// Enumerates expressions by their number of nodes: an atom has one, an operator one more than its
/// operands together.
struct SmallExpressions {
  let atoms: [String]
  let unary: [String]
  let binary: [String]

  static let attributes = ["user.a", "user.b", "user.c"]
  static let constants = ["0", "1", "1.5", "\"1\"", "\"x\"", "true", "false", "null", "[1, \"x\"]"]
  /// A value of each kind, and none.
  private static let kinds: [Value?] = [
    nil, .null, .bool(true), .int(1), .int(0), .double(1.5), .string("1"), .string("x"),
    .list([.int(1), .string("x")]),
  ]

  struct Tally {
    var expressions = 0
    /// The number of pairs of an expression and a context.
    var evaluations = 0
    var disagreements: [Disagreement] = []
  }

  /// Calls `check` with each expression, and all contexts that differ in the attributes it reads.
  func walk(
    upTo size: Int, _ check: (String, [OracleContext]) -> Disagreement?
  ) -> Tally {
    let contexts = Self.contextsByAttributes()
    var tally = Tally()
    for nodes in 1...size {
      forEach(nodes: nodes) { text in
        guard tally.disagreements.count < 10 else { return }
        var read = 0
        for (index, name) in Self.attributes.enumerated() where text.contains(name) {
          read |= 1 << index
        }
        tally.expressions += 1
        tally.evaluations += contexts[read].count
        if let found = check(text, contexts[read]) { tally.disagreements.append(found) }
      }
    }
    return tally
  }

  private func forEach(nodes: Int, _ body: (String) -> Void) {
    if nodes == 1 { return atoms.forEach(body) }
    for op in unary {
      forEach(nodes: nodes - 1) { operand in body(op + operand.inParentheses) }
    }
    guard nodes >= 3 else { return }
    for op in binary {
      for left in 1...(nodes - 2) {
        forEach(nodes: left) { first in
          forEach(nodes: nodes - 1 - left) { second in
            body("\(first.inParentheses) \(op) \(second.inParentheses)")
          }
        }
      }
    }
    guard nodes == 4 else { return }
    for condition in atoms {
      for yes in atoms {
        for no in atoms { body("\(condition) ? \(yes) : \(no)") }
      }
    }
  }

  /// Returns the contexts for each set of attributes, as the bits of the index.
  private static func contextsByAttributes() -> [[OracleContext]] {
    (0..<(1 << attributes.count)).map { read in
      var rows: [(name: String, user: [String: Value])] = [("", [:])]
      for index in attributes.indices where read & 1 << index != 0 {
        let name = String(attributes[index].suffix(1))
        rows = rows.flatMap { row in
          kinds.map { value in
            var user = row.user
            if let value { user[name] = value }
            return ("\(row.name) \(name): \(value.map { "\($0)" } ?? "missing")", user)
          }
        }
      }
      return rows.map { row in
        let entries = row.user.map { (Value.Key.string($0.key), $0.value) }
        return OracleContext(
          row.name, ["user": .map(Dictionary(entries) { first, _ in first })])
      }
    }
  }
}

extension String {
  /// The text in parentheses, unless it is an atom.
  fileprivate var inParentheses: String {
    contains(" ") && !hasPrefix("[") || hasPrefix("!") || hasPrefix("-") ? "(\(self))" : self
  }
}
