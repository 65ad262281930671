import TestSupport
import Testing

@testable import ExpressionChecking
@testable import ExpressionEngine

@Suite("Checker: joining types")
struct CheckSubstitutionTests {
  /// Rows of two types and what covers both; `nil` where they disagree.
  static let joins: [(String, String, String?)] = [
    ("int", "int", "int"), ("int", "uint", nil), ("int", "dyn", "dyn"), ("any", "int", "dyn"),
    ("null_type", "timestamp", "timestamp"), ("null_type", "duration", "duration"),
    ("null_type", "net.IP", "net.IP"), ("null_type", "optional_type(int)", "optional_type(int)"),
    ("null_type", "int", nil), ("null_type", "list(int)", nil),
    ("wrapper(int)", "int", "wrapper(int)"), ("wrapper(int)", "null_type", "wrapper(int)"),
    ("wrapper(int)", "wrapper(int)", "wrapper(int)"), ("wrapper(int)", "string", nil),
    ("list(int)", "list(dyn)", "list(dyn)"), ("list(int)", "list(string)", nil),
    ("list(int)", "map(int, int)", nil), ("map(string, int)", "map(dyn, int)", "map(dyn, int)"),
    ("type(int)", "type(string)", "type(dyn)"), ("type(int)", "type(int)", "type(int)"),
    ("tuple(int, dyn)", "tuple(dyn, string)", "tuple(dyn, dyn)"), ("tuple(int)", "pair(int)", nil),
    ("tuple(int)", "tuple(int, int)", nil), ("error", "int", "error"),
  ]

  @Test("two types join in either order", arguments: joins)
  func join(first: String, second: String, expected: String?) throws {
    for (a, b) in [(first, second), (second, first)] {
      var substitution = TypeSubstitution()
      let joined = substitution.join(try Type(text: a), try Type(text: b))
      #expect(joined.map { substitution.final($0).text } == expected, "\(a) with \(b)")
    }
  }

  @Test("an undecided type becomes what it meets, and more general where it must")
  func variables() {
    var substitution = TypeSubstitution()
    let element = substitution.fresh()
    let other = substitution.fresh()
    #expect(substitution.join(.list(element), .list(.int)) != nil)
    #expect(substitution.final(element) == .int)
    #expect(substitution.join(element, .string) == nil)
    #expect(substitution.join(other, element) != nil)
    #expect(substitution.join(other, .dyn) != nil)
    #expect(substitution.final(element) == .dyn)
  }

  @Test("a failed attempt leaves nothing behind")
  func rollBack() {
    var substitution = TypeSubstitution()
    let first = substitution.fresh()
    let second = substitution.fresh()
    #expect(substitution.join(.map(first, .int), .map(.string, .bool)) == nil)
    #expect(substitution.known(first) == first)
    #expect(substitution.join(first, second) != nil)
    #expect(substitution.join(.map(first, second), .map(.string, .int)) == nil)
    #expect(substitution.final(second) == .dyn)
  }

  @Test("no type contains itself")
  func occurs() {
    var substitution = TypeSubstitution()
    let element = substitution.fresh()
    #expect(substitution.join(element, .list(element)) == nil)
    let other = substitution.fresh()
    #expect(substitution.join(other, .list(element)) != nil)
    #expect(substitution.join(element, .list(other)) == nil)
  }

  @Test("types of exponential size are cut off")
  func exponentialSize() {
    var substitution = TypeSubstitution()
    let variables = (0..<200).map { _ in substitution.fresh() }
    for (inner, outer) in zip(variables, variables.dropFirst()) {
      _ = substitution.join(outer, .map(inner, inner))
    }
    let last = variables[199]
    #expect(substitution.final(last).text.utf8.count < 2000)
  }

  @Test("joining random types is symmetric, reflexive, and covers both")
  func properties() {
    var generator = CheckGenerator(seed: 4711)
    var agreements = 0
    for _ in 0..<5_000 {
      let a = generator.type(depth: 3)
      let b = generator.type(depth: 3)
      var forth = TypeSubstitution()
      var back = TypeSubstitution()
      let joined = forth.join(a, b)
      #expect(joined == back.join(b, a), "\(a.text) with \(b.text)")
      #expect(TypeSubstitution.joining(a, a) == a || a == .any, "\(a.text)")
      if let joined {
        agreements += 1
        #expect(TypeSubstitution.joining(joined, a) == joined, "\(a.text) with \(b.text)")
        #expect(TypeSubstitution.joining(joined, b) == joined, "\(a.text) with \(b.text)")
      }
    }
    #expect(agreements > 100)
  }
}

extension TypeSubstitution {
  /// What covers two types without undecided ones.
  fileprivate static func joining(_ a: Type, _ b: Type) -> Type? {
    var substitution = TypeSubstitution()
    return substitution.join(a, b)
  }
}

/// A seeded source of types.
struct CheckGenerator: RandomNumberGenerator {
  private var numbers: SeededGenerator

  init(seed: UInt64) { numbers = SeededGenerator(seed: seed) }

  mutating func next() -> UInt64 { numbers.next() }

  mutating func type(depth: Int) -> Type {
    switch Int.random(in: 0...(depth > 0 ? 14 : 8), using: &self) {
    case 0: .bool
    case 1: .int
    case 2, 3: .string
    case 4, 5: .dyn
    case 6: .null
    case 7: .timestamp
    case 8: .abstract("net.IP", [])
    case 9, 10: .list(type(depth: depth - 1))
    case 11: .map(type(depth: depth - 1), type(depth: depth - 1))
    case 12: .optional(type(depth: depth - 1))
    case 13: .abstract("pair", [type(depth: depth - 1), type(depth: depth - 1)])
    default: .type(type(depth: depth - 1))
    }
  }
}
