import ExpressionSyntax
import TestSupport

@testable import ExpressionEngine

/// Makes filters and contexts in which everything happens that may: attributes of several kinds,
/// missing ones, missing roots, failures, and conditions that many filters share.
struct FilterSetGenerator {
  var random: SeededGenerator

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  mutating func pick<T>(_ choices: [T]) -> T {
    choices[Int.random(in: choices.indices, using: &random)]
  }

  mutating func number(below limit: Int) -> Int { Int.random(in: 0..<limit, using: &random) }

  /// A filter that compiles.
  mutating func compiledFilter(_ environment: FilterEnvironment) throws -> Filter {
    try Filter(filter(), environment)
  }

  private static let attributes = [
    "user.a", "user.b", "user.c", "user.d", "device.a", "device.b", "params.a", "other.x", "bare",
  ]

  private static let literals = [
    "0", "1", "2", "-3", "1.5", "0.0", "\"x\"", "\"y\"", "\"\"", "\"10\"", "\"2.5\"", "true",
    "false", "null", "b\"x\"", "\"true\"",
  ]

  mutating func condition() -> String {
    let attribute = pick(Self.attributes)
    switch Int.random(in: 0..<38, using: &random) {
    case 0..<7: return "\(attribute) == \(pick(Self.literals))"
    case 7, 8: return "\(attribute) != \(pick(Self.literals))"
    case 9..<14: return "\(attribute) \(pick(Self.orders)) \(pick(Self.literals))"
    case 14: return "\(attribute) in [\(pick(Self.literals)), \(pick(Self.literals))]"
    case 15: return "\(attribute) in [\"x\", \"y\", \"x\", \"z\", 1]"
    case 16: return "\(attribute).startsWith(\"x\")"
    case 17: return "\(attribute).endsWith(\"0\")"
    case 18: return "\(attribute).contains(\"\(pick(["x", "", "k"]))\")"
    case 19: return "\"\(pick(["x", "k", ""]))\" in \(attribute)"
    case 20: return "10 / \(attribute) > 2"
    case 21, 22: return "!(\(attribute) \(pick(Self.orders + ["=="])) \(pick(Self.literals)))"
    case 23: return attribute
    case 24: return "\(pick(Self.literals)) \(pick(Self.orders)) \(attribute)"
    case 25: return "\(attribute) > 0 && \(attribute) < \(pick(Self.literals))"
    case 26: return "\(attribute) == \(pick(Self.attributes))"
    case 27: return "\(sum(attribute)) \(pick(Self.orders)) \(pick(Self.literals))"
    case 28: return "\(sum(attribute)) \(pick(Self.orders)) \(pick(["1", "2.5", "-3"]))"
    case 29: return "!(\(pick(["1", "2.5", "-3"])) \(pick(Self.orders)) \(sum(attribute)))"
    case 31, 32:
      return "size(\(attribute)) \(pick(Self.orders + ["==", "!="])) \(pick(["0", "1", "2.0"]))"
    case 33: return "!(1 + size(\(attribute)) \(pick(Self.orders)) \(pick(["1", "2"])))"
    case 30: return "\(sum(attribute)) \(pick(["==", "!="])) \(pick(Self.literals))"
    case 34, 35: return loop(attribute)
    case 36: return "!(\(loop(attribute)))"
    default: return attribute.contains(".") ? "has(\(attribute))" : "!\(attribute)"
    }
  }

  /// A loop over a literal list, or over the attribute.
  mutating func loop(_ attribute: String) -> String {
    let list = (0..<Int.random(in: 0...3, using: &random)).map { _ in pick(Self.literals) }
    let range = pick([
      "[\(list.joined(separator: ", "))]", attribute, "[\"x\"]", "[\"\", \"k\"]",
    ])
    let inner = pick(["all", "exists"])
    let body = pick([
      "\(attribute) == e", "e != \(attribute)", "!(\(attribute) == e)", "\(attribute) >= e",
      "\(attribute).contains(e)", "!\(attribute).startsWith(e)", "e in \(attribute)",
      "\(attribute) in [e, 1]", "[1, \"x\"].\(inner)(f, \(attribute) == e || e == f)",
      "e", "\(attribute) == 1 || \(attribute).endsWith(e)", "size(e) == \(attribute)",
    ])
    return "\(range).\(pick(["all", "exists", "exists_one"]))(e, \(body))"
  }

  private static let orders = ["<", "<=", ">", ">="]

  /// Arithmetic over attributes. Few forms, so that many filters share them.
  mutating func sum(_ attribute: String) -> String {
    let other = pick(["user.a", "device.b"])
    return pick([
      "\(attribute) * 3 + \(other)", "\(other) - \(attribute)", "1 + \(attribute)",
      "\(attribute) * 2.0", "\(other) / \(attribute)", "\(attribute) % 2",
      "9223372036854775807 + \(attribute)",
    ])
  }

  mutating func filter(depth: Int = 2) -> String {
    guard depth > 0 else { return condition() }
    let parts = (0..<Int.random(in: 1...4, using: &random)).map { _ in
      Int.random(in: 0..<3, using: &random) == 0 ? "(\(filter(depth: depth - 1)))" : condition()
    }
    switch Int.random(in: 0..<12, using: &random) {
    case 0, 1: return parts.joined(separator: " || ")
    case 2: return "\(condition()) ? (\(parts.joined(separator: " && "))) : (\(condition()))"
    case 3: return "!(\(parts.joined(separator: " && ")))"
    case 4: return "!(\(parts.joined(separator: " || ")))"
    case 5: return "(\(filter(depth: depth - 1))) \(pick(["==", "!="])) (\(condition()))"
    default: return parts.joined(separator: " && ")
    }
  }

  mutating func value() -> Value {
    pick([
      .int(0), .int(1), .int(2), .int(-3), .int(10), .uint(1), .double(1.5), .double(2.5),
      .double(-0.0), .double(.nan), .string("x"), .string("y"), .string(""), .string("10"),
      .string("2.5"), .string("true"), .bool(true), .bool(false), .null, .list([.int(1)]),
      .map([.string("k"): .int(1)]), .bytes([120]),
    ])
  }

  mutating func layer(_ names: [String]) -> Context.Layer? {
    if Int.random(in: 0..<10, using: &random) == 0 { return nil }
    var attributes: [String: Value] = [:]
    for name in names where Int.random(in: 0..<6, using: &random) != 0 {
      attributes[name] = value()
    }
    return Context.Layer(attributes)
  }

  mutating func context() -> Context {
    Context(
      user: layer(["a", "b", "c", "d"]), device: layer(["a", "b"]), params: layer(["a"]),
      roots: layer(["bare"]))
  }
}

/// The outcome in words, so that NaN equals itself.
func told(_ result: Result<Value, EvaluationError>) -> String { "\(result)" }

extension Filter {
  convenience init(_ text: String, _ environment: FilterEnvironment = .standard) throws {
    try self.init(SourceText(text), environment: environment)
  }

  func alone(_ context: Context) -> Result<Value, EvaluationError> {
    do throws(EvaluationError) {
      return .success(try evaluate(context))
    } catch {
      return .failure(error)
    }
  }
}
