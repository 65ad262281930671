import TestSupport

/// Makes random expressions of the cel dialect, mostly well-typed, over the names of
/// ``CELProgramGenerator/contexts``.
struct CELProgramGenerator {
  /// What an expression is meant to answer.
  enum Kind: CaseIterable {
    case bool
    case int
    case uint
    case double
    case string
    case bytes
    case list
    case map
    case timestamp
    case duration
    case optional
    /// Null, types, addresses.
    case other
    case any
  }

  private var random: SeededGenerator
  /// Variables of macros and bindings in scope.
  private var locals: [(name: String, kind: Kind)] = []

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  /// A whole program.
  mutating func program() -> Sketch {
    switch roll(12) {
    case 0: return chain()
    case 1...4: return expression(.any, Int.random(in: 1...3, using: &random))
    default: return expression(.bool, Int.random(in: 1...4, using: &random))
    }
  }

  private mutating func roll(_ sides: Int) -> Int { Int.random(in: 0..<sides, using: &random) }
  private mutating func pick<T>(_ choices: [T]) -> T { choices[roll(choices.count)] }

  /// An expression of a kind; now and then of another one, so that ill-typed ones occur.
  private mutating func expression(_ wanted: Kind, _ depth: Int) -> Sketch {
    var kind = roll(14) == 0 ? pick(Kind.allCases) : wanted
    if kind == .any, roll(8) > 0 { kind = pick(Kind.allCases) }
    guard depth > 0 else { return leaf(kind) }
    switch roll(10) {
    case 0, 1: return leaf(kind)
    case 2: return anywhere(kind, depth - 1)
    case 3, 4: return call(kind, depth - 1)
    default: break
    }
    switch kind {
    case .bool: return bool(depth - 1)
    case .int, .uint, .double: return number(kind, depth - 1)
    case .string, .bytes: return .chain(some(2...3, kind, depth - 1), "+")
    case .list: return list(depth - 1)
    case .map: return map(depth - 1)
    case .timestamp, .duration: return time(kind, depth - 1)
    case .optional: return optional(depth - 1)
    case .other, .any: return call(kind, depth - 1)
    }
  }

  private mutating func leaf(_ kind: Kind) -> Sketch {
    let fitting = locals.filter { $0.kind == kind || $0.kind == .any || kind == .any }
    if !fitting.isEmpty, roll(2) == 0 { return .leaf(pick(fitting).name) }
    return .leaf(pick(Self.words[kind] ?? Self.words[pick([.int, .string, .bool])] ?? ["1"]))
  }

  private mutating func some(_ count: ClosedRange<Int>, _ kind: Kind, _ depth: Int) -> [Sketch] {
    (0..<Int.random(in: count, using: &random)).map { _ in expression(kind, depth) }
  }

  // MARK: Kinds

  private mutating func bool(_ depth: Int) -> Sketch {
    switch roll(15) {
    case 0...3: return comparison(depth)
    case 4, 5: return .chain(some(2...4, .bool, depth), "&&")
    case 6, 7: return .chain(some(2...4, .bool, depth), "||")
    case 8: return .prefix("!", expression(.bool, depth))
    case 9:
      let whole = expression(pick([.list, .map]), depth)
      return .chain([expression(.any, depth), whole], "in")
    case 10:
      return .row("has(", [.member(expression(pick([.map, .optional]), depth), field())], ")")
    default: return quantifier(depth)
    }
  }

  private mutating func field() -> String { pick(Self.fields) }

  private mutating func comparison(_ depth: Int) -> Sketch {
    let op = pick(["==", "!=", "<", "<=", ">", ">=", "==", "!="])
    let kind = pick(Kind.allCases)
    let numbers: [Kind] = [.int, .uint, .double]
    let other = numbers.contains(kind) ? pick(numbers) : kind
    return .chain([expression(kind, depth), expression(other, depth)], op)
  }

  private mutating func number(_ kind: Kind, _ depth: Int) -> Sketch {
    roll(5) == 0
      ? .prefix("-", expression(kind, depth))
      : .chain(some(2...3, kind, depth), pick(["+", "-", "*", "/", "%"]))
  }

  private mutating func time(_ kind: Kind, _ depth: Int) -> Sketch {
    kind == .timestamp
      ? .chain([expression(.timestamp, depth), expression(.duration, depth)], pick(["+", "-"]))
      : .chain(
        roll(2) == 0
          ? some(2...2, .duration, depth)
          : [expression(.timestamp, depth), expression(.timestamp, depth)], pick(["-", "-", "+"]))
  }

  private mutating func list(_ depth: Int) -> Sketch {
    switch roll(8) {
    case 0: return .chain(some(2...2, .list, depth), "+")
    case 1: return .row("[?", [expression(.optional, depth)], "]")
    case 2: return .row("[", some(0...4, pick([.int, .string, .bool]), depth), "]")
    case 3: return .row("[", some(0...3, .any, depth), "]")
    default: return transformation(depth)
    }
  }

  private mutating func map(_ depth: Int) -> Sketch {
    switch roll(6) {
    case 0:
      return .node(
        texts: ["{?", ": ", "}"],
        children: [expression(.string, 0), expression(.optional, depth)], isPrimary: true)
    case 1, 2:
      let name = pick(["transformMap", "transformMapEntry"])
      return overPairs(
        name, pick([.list, .map]), depth, with: name == "transformMap" ? .any : .map)
    default:
      var entries: [(Sketch, Sketch)] = []
      for _ in 0..<roll(3) {
        entries.append(
          (expression(pick([.string, .int, .uint, .bool, .any]), 0), expression(.any, depth)))
      }
      return .map(entries)
    }
  }

  private mutating func optional(_ depth: Int) -> Sketch {
    switch roll(6) {
    case 0:
      return .node(
        texts: ["", ".?\(field())"], children: [expression(pick([.map, .optional]), depth)],
        isPrimary: true)
    case 1:
      return .node(
        texts: ["", "[?", "]"],
        children: [
          expression(pick([.list, .map, .optional]), depth), expression(pick([.int, .string]), 0),
        ], isPrimary: true)
    case 2: return .member(expression(.optional, depth), field())
    case 3: return .index(expression(.optional, depth), expression(.int, 0))
    default:
      let target = expression(.optional, depth)
      let name = pick(["optMap", "optFlatMap"])
      let body = inScope([("v", .any)]) {
        $0.expression(name == "optMap" ? .any : .optional, depth)
      }
      return .method(target, name, [.leaf("v"), body])
    }
  }

  // MARK: Macros

  private mutating func inScope(
    _ names: [(String, Kind)], _ body: (inout Self) -> Sketch
  ) -> Sketch {
    locals += names.map { (name: $0.0, kind: $0.1) }
    let result = body(&self)
    locals.removeLast(names.count)
    return result
  }

  private mutating func variable() -> String { pick(["v", "x", "i", "s", "user", "a"]) }

  private mutating func quantifier(_ depth: Int) -> Sketch {
    if roll(3) == 0 {
      return overPairs(
        pick(["all", "exists", "existsOne", "exists_one"]), pick([.list, .map]), depth, with: .bool)
    }
    let range = expression(roll(4) == 0 ? .map : .list, depth)
    let name = variable()
    let body = inScope([(name, .any)]) { $0.expression(.bool, depth) }
    return .method(range, pick(["all", "exists", "exists_one"]), [.leaf(name), body])
  }

  private mutating func transformation(_ depth: Int) -> Sketch {
    let name = variable()
    let range = expression(roll(5) == 0 ? .map : .list, depth)
    switch roll(5) {
    case 0: return overPairs("transformList", pick([.list, .map]), depth, with: .any)
    case 1:
      let body = inScope([(name, .any)]) { $0.expression(.bool, depth) }
      return .method(range, "filter", [.leaf(name), body])
    case 2:
      let body = inScope([(name, .any)]) { $0.expression(.bool, depth) }
      let result = inScope([(name, .any)]) { $0.expression(.any, depth) }
      return .method(range, "map", [.leaf(name), body, result])
    case 3:
      let key = inScope([(name, .any)]) { $0.expression($0.pick([.int, .string]), depth) }
      return .method(range, "sortBy", [.leaf(name), key])
    default:
      let result = inScope([(name, .any)]) { $0.expression(.any, depth) }
      return .method(range, "map", [.leaf(name), result])
    }
  }

  /// A macro with two variables.
  private mutating func overPairs(
    _ name: String, _ range: Kind, _ depth: Int, with kind: Kind
  ) -> Sketch {
    let target = expression(range, depth)
    let names: [(String, Kind)] = [("k", range == .list ? .int : .any), ("v", .any)]
    var arguments: [Sketch] = [.leaf("k"), .leaf("v")]
    if name.hasPrefix("transform"), roll(3) == 0 {
      arguments.append(inScope(names) { $0.expression(.bool, depth) })
    }
    arguments.append(inScope(names) { $0.expression(kind, depth) })
    return .method(target, name, arguments)
  }

  // MARK: Forms that answer anything

  private mutating func anywhere(_ kind: Kind, _ depth: Int) -> Sketch {
    switch roll(7) {
    case 0, 1:
      return .conditional(
        expression(.bool, depth), expression(kind, depth), expression(kind, depth))
    case 2, 3:
      let bound = pick(Kind.allCases)
      let value = expression(bound, depth)
      let name = variable()
      let body = inScope([(name, bound)]) { $0.expression(kind, depth) }
      return .row("cel.bind(\(name), ", [value, body], ")")
    case 4: return .member(expression(.map, depth), field())
    case 5: return .index(expression(pick([.list, .map]), depth), expression(.any, depth))
    default: return .row("dyn(", [expression(kind, depth)], ")")
    }
  }

  /// A call of a function; now and then in the other style, or with another number of arguments.
  private mutating func call(_ kind: Kind, _ depth: Int) -> Sketch {
    guard let functions = Self.functions[kind] else { return leaf(kind) }
    let function = pick(functions)
    var arguments: [Sketch] = []
    for taken in function.takes { arguments.append(expression(taken, depth)) }
    var isMethod = function.isMethod
    switch roll(30) {
    case 0: isMethod.toggle()
    case 1: arguments.append(expression(.any, 0))
    default: break
    }
    guard isMethod, let target = arguments.first, !function.name.contains(".") else {
      return .row("\(function.name)(", arguments, ")")
    }
    return .method(target, function.name, Array(arguments.dropFirst()))
  }

  private mutating func chain() -> Sketch {
    let count = 4 + roll(12)
    switch roll(5) {
    case 0: return .chain((0..<count).map { _ in comparison(0) }, "&&")
    case 1: return .chain((0..<count).map { _ in comparison(0) }, "||")
    case 2:
      let kind = pick([Kind.int, .uint, .double, .string, .list])
      return .chain((0..<count).map { _ in leaf(kind) }, "+")
    case 3:
      return (0..<count).reduce(.leaf("m")) { chain, _ in
        roll(4) == 0 ? .index(chain, leaf(.any)) : .member(chain, field())
      }
    default:
      return (0..<count).reduce(leaf(.any)) { chain, _ in
        .conditional(comparison(0), leaf(.any), chain)
      }
    }
  }
}
