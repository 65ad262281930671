import AudienceFilters
import ExpressionEngine
import ExpressionSyntax
import FilterAnalysis
import FilterAuthoring
import TestSupport
import Testing

/// What is left of a random filter gives what the filter gives, for every completion of a context.
@Suite("Simplified filters agree with their originals") struct SimplifyPropertyTests {
  @Test("filters of all kinds, in both dialects", arguments: 0..<Effort.times(24))
  func random(seed: Int) throws {
    for dialect in [Dialect.Name.superscript, .cel] {
      var generator = PartialGenerator(dialect, seed: UInt64(seed))
      var changed = 0
      for _ in 0..<60 {
        let text = generator.filter()
        guard let filter = try? Filter(text, environment: generator.environment) else { continue }
        let split = generator.split()
        let rest = filter.simplified(knowing: split.known, missing: split.missing)
        let unknowing = filter.simplified(knowing: Context(variables: [:]))
        if rest.text != unknowing.text { changed += 1 }
        for context in split.completions {
          let wanted = Self.outcome(filter, context)
          #expect(
            Self.outcome(rest, context) == wanted,
            "\(dialect): `\(text)` became `\(rest.text)`, knowing \(split.known.snapshot()) and without \(split.missing), for \(context.snapshot())"
          )
        }
      }
      // Without this a simplifier that does nothing would pass.
      #expect(changed > 10)
    }
  }

  @Test("filters as people write them", arguments: 0..<Effort.times(6))
  func likely(seed: Int) throws {
    var generator = FilterGenerator(seed: UInt64(seed))
    for _ in 0..<60 {
      let filter = try Filter(generator.filter(), environment: generator.environment)
      let whole = generator.context()
      let rest = filter.simplified(knowing: Context(user: Context.Layer(whole.user)))
      #expect(
        Self.outcome(rest, whole) == Self.outcome(filter, whole),
        "`\(filter.text)` became `\(rest.text)`")
    }
  }

  /// The value with its kind, or the id of the failure.
  private static func outcome(_ filter: Filter, _ context: Context) -> String {
    do throws(EvaluationError) {
      let value = try filter.evaluate(context)
      return "\(value.literal) : \(value.kindName)"
    } catch {
      return error.id.rawValue
    }
  }
}

extension Context {
  /// The attributes of the user.
  fileprivate var user: [String: Value] {
    guard case .map(let entries)? = snapshot()["user"] else { return [:] }
    return entries.reduce(into: [:]) { $0[$1.key.text] = $1.value }
  }
}

/// Random filters without regard to kinds, and random contexts.
private struct PartialGenerator {
  struct Split {
    var known: Context
    var missing: Set<AttributePath>
    var completions: [Context]
  }

  let environment: FilterEnvironment
  private var random: SeededGenerator
  private let isSuperscript: Bool
  private var variables: [String] = []

  init(_ dialect: Dialect.Name, seed: UInt64) {
    random = SeededGenerator(seed: seed &* 7_919 &+ 3)
    isSuperscript = dialect == .superscript
    environment = FilterEnvironment(
      dialect: .named(dialect),
      deviceFunctions: ["f": { arguments, _ in arguments.first ?? .int(1) }])
  }

  private mutating func pick<Element>(_ choices: [Element]) -> Element {
    choices[Int.random(in: 0..<choices.count, using: &random)]
  }

  private mutating func chance(_ count: Int) -> Bool {
    Int.random(in: 0..<count, using: &random) == 0
  }

  // MARK: Filters

  mutating func filter() -> String {
    variables = []
    return expression(4)
  }

  private mutating func expression(_ depth: Int) -> String {
    guard depth > 0, !chance(7) else { return leaf() }
    let next = depth - 1
    switch Int.random(in: 0..<20, using: &random) {
    case 0, 1, 2: return "(\(expression(next)) && \(expression(next)))"
    case 3, 4: return "(\(expression(next)) || \(expression(next)))"
    case 5: return "(\(expression(next)) && \(expression(next)) && \(expression(next)))"
    case 6: return "!(\(expression(next)))"
    case 7, 8: return "(\(expression(next)) ? \(expression(next)) : \(expression(next)))"
    case 9, 10, 11, 12:
      let op = pick(["==", "!=", "<", ">=", "in"])
      return "(\(expression(next)) \(op) \(expression(next)))"
    case 13, 14:
      return "(\(expression(next)) \(pick(["+", "-", "*", "/"])) \(expression(next)))"
    case 15: return "[\(expression(next)), \(expression(next))]"
    case 16: return call(next)
    case 17: return loop(next)
    case 18: return "(\(expression(next)))[\(expression(next))]"
    default:
      return pick([
        "(\(expression(next))).x", "has(\(attribute()))", "{\"k\": \(expression(next))}",
      ])
    }
  }

  private mutating func call(_ depth: Int) -> String {
    switch Int.random(in: 0..<6, using: &random) {
    case 0: return "size(\(expression(depth)))"
    case 1: return "(\(expression(depth))).startsWith(\(expression(depth)))"
    case 2: return "(\(expression(depth))).contains(\(expression(depth)))"
    case 3: return "device.f(\(expression(depth)))"
    case 4: return "string(\(expression(depth)))"
    default:
      return isSuperscript
        ? pick([
          "maybe(1, \(expression(depth)), \(expression(depth)))", "has(\(expression(depth)))",
          "unknown(\(expression(depth)))", "max(\(expression(depth)), \(expression(depth)))",
        ]) : "type(\(expression(depth)))"
    }
  }

  private mutating func loop(_ depth: Int) -> String {
    let range = expression(depth)
    let name = pick(["x", "user", "n"])
    variables.append(name)
    defer { variables.removeLast() }
    let macro = pick(["all", "exists", "exists_one", "map", "filter"])
    return "(\(range)).\(macro)(\(name), \(expression(depth)))"
  }

  private static let attributes = [
    "user.a", "user.b", "user.c", "user.d", "device.a", "device.b", "params.a", "params.b", "n",
    "m",
  ]

  private mutating func attribute() -> String {
    let path = pick(Self.attributes.filter { $0.contains(".") })
    return chance(5) ? "\(path).x" : path
  }

  private mutating func leaf() -> String {
    if !variables.isEmpty, chance(2) { return pick(variables) }
    if chance(2) {
      let path = pick(Self.attributes)
      return chance(6) ? "\(path).x" : path
    }
    return pick([
      "1", "0", "-2", "5", "1.5", "\"a\"", "\"true\"", "\"5\"", "\"\"", "true", "false", "null",
      "[1, \"a\"]", "[]", "user", "user[\"a\"]", "params[\"b\"]", "1 / 0",
    ])
  }

  // MARK: Contexts

  private mutating func value() -> Value {
    pick([
      1, 0, -2, 5, 25, 1.5, "a", "true", "5", "", true, false, true, false, .null, [1, "a"], [],
      ["x": 1], ["k": "a", "x": [1, 2]], [[1], [2]], .double(-0.0), .string("it's \"so\"\n"),
    ])
  }

  private typealias Roots = [String: Value]

  /// Returns a random value for some attributes.
  private mutating func roots(without missing: Set<String>, oneIn odds: Int) -> Roots {
    var result: Roots = [:]
    for path in Self.attributes where !missing.contains(path) && !chance(odds) {
      set(path, value(), in: &result)
    }
    return result
  }

  private func set(_ path: String, _ value: Value, in roots: inout Roots) {
    let parts = path.split(separator: ".").map(String.init)
    guard parts.count == 2 else {
      roots[path] = value
      return
    }
    var entries: [Value.Key: Value] = [:]
    if case .map(let old)? = roots[parts[0]] { entries = old }
    entries[.string(parts[1])] = value
    roots[parts[0]] = .map(entries)
  }

  mutating func split() -> Split {
    let missing = Set(Self.attributes.filter { _ in chance(6) })
    let known = roots(without: missing, oneIn: 2)
    let completions = (0..<4).map { _ in
      var all = roots(without: missing, oneIn: 3)
      for (root, value) in known {
        guard case .map(let entries) = value, ["user", "device", "params"].contains(root) else {
          all[root] = value
          continue
        }
        for (name, value) in entries { set("\(root).\(name.text)", value, in: &all) }
      }
      return Context(variables: all)
    }
    return Split(
      known: Context(variables: known),
      missing: Set(missing.compactMap { AttributePath($0) }), completions: completions)
  }
}
