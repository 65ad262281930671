import TestSupport

/// Makes random expressions of the superscript dialect, mostly well-typed, over the names of
/// ``OracleContexts``.
struct ProgramGenerator {
  /// What an expression is meant to answer.
  enum Kind: CaseIterable {
    case bool
    case number
    case string
    case list
    case map
    case time
    case any
  }

  var random: SeededGenerator
  /// Loop variables in scope.
  private var locals: [String] = []

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  /// A whole program.
  mutating func program() -> Sketch {
    switch roll(20) {
    case 0: return longChain()
    case 1...3: return expression(.any, Int.random(in: 1...3, using: &random))
    default: return expression(.bool, Int.random(in: 1...4, using: &random))
    }
  }

  mutating func roll(_ sides: Int) -> Int { Int.random(in: 0..<sides, using: &random) }
  mutating func pick<T>(_ choices: [T]) -> T { choices[roll(choices.count)] }

  /// An expression of a kind; now and then of another one, so that ill-typed ones occur.
  mutating func expression(_ kind: Kind, _ depth: Int) -> Sketch {
    let kind = roll(12) == 0 ? pick(Kind.allCases) : kind
    guard depth > 0 else { return leaf(kind) }
    if roll(6) == 0 { return anywhere(kind, depth - 1) }
    switch kind {
    case .bool: return bool(depth - 1)
    case .number: return number(depth - 1)
    case .string: return string(depth - 1)
    case .list: return list(depth - 1)
    case .map: return map(depth - 1)
    case .time: return time(depth - 1)
    case .any: return expression(pick(Kind.allCases), depth - 1)
    }
  }

  // MARK: Leaves

  mutating func leaf(_ kind: Kind) -> Sketch {
    if !locals.isEmpty, roll(3) == 0 { return .leaf(pick(locals)) }
    if roll(5) == 0 { return attribute() }
    switch kind {
    case .bool: return .leaf(pick(Self.bools))
    case .number: return .leaf(pick(Self.numbers))
    case .string: return .leaf(pick(Self.strings))
    case .list: return .leaf(pick(Self.lists))
    case .map: return .leaf(pick(Self.maps))
    case .time: return .leaf(pick(Self.times))
    case .any:
      let kinds: [Kind] = [.bool, .number, .string, .list, .map, .time]
      return leaf(pick(kinds))
    }
  }

  /// A path of members, some of which are there.
  mutating func attribute() -> Sketch {
    var result: Sketch = .leaf(pick(Self.roots))
    for _ in 0..<(1 + roll(3)) {
      result =
        roll(8) == 0 ? .index(result, literal()) : .member(result, pick(Self.attributes))
    }
    return result
  }

  mutating func literal() -> Sketch {
    .leaf(pick(pick([Self.literals, Self.numbers, Self.strings])))
  }

  // MARK: Kinds

  private mutating func bool(_ depth: Int) -> Sketch {
    switch roll(16) {
    case 0...5: return comparison(depth)
    case 6: return .chain([expression(.any, depth), container(depth)], "in")
    case 7: return .chain(some(2...4, .bool, depth), "&&")
    case 8: return .chain(some(2...4, .bool, depth), "||")
    case 9: return .prefix(pick(["!", "!!"]), expression(.bool, depth))
    case 10: return call("has", [pathOr(depth)])
    case 11: return call("hasFn", [.leaf(pick(Self.functionNames))])
    case 12:
      let name = pick(["contains", "startsWith", "endsWith", "matches"])
      return subjectCall(name, expression(.string, depth), [expression(.string, depth)])
    case 13: return subjectCall("contains", container(depth), [expression(.any, depth)])
    default: return loop(pick(["all", "exists", "exists_one"]), depth)
    }
  }

  /// A comparison; often of an attribute with a literal.
  private mutating func comparison(_ depth: Int) -> Sketch {
    let op = pick(["==", "!=", "<", "<=", ">", ">=", "==", "!="])
    let left: Sketch
    switch roll(8) {
    case 0...3: left = attribute()
    case 4: left = hostCall(depth)
    default: left = expression(pick([.number, .string, .any]), depth)
    }
    let right = roll(2) == 0 ? literal() : expression(pick([.number, .string, .any]), depth)
    return .chain([left, right], op)
  }

  private mutating func number(_ depth: Int) -> Sketch {
    switch roll(8) {
    case 0...2:
      return .chain(
        some(2...3, .number, depth), pick(["+", "-", "*", "/", "%"]))
    case 3: return .prefix(pick(["-", "--"]), expression(.number, depth))
    case 4: return call("size", [container(depth)])
    case 5: return subjectCall(pick(["int", "uint", "double"]), expression(.any, depth), [])
    case 6: return call("max", some(0...3, .number, depth))
    default: return hostCall(depth)
    }
  }

  private mutating func string(_ depth: Int) -> Sketch {
    switch roll(5) {
    case 0: return .chain(some(2...3, .string, depth), "+")
    case 1: return subjectCall("string", expression(.any, depth), [])
    case 2:
      let name = pick(["intToString", "uintToString", "floatToString", "boolToString"])
      return subjectCall(name, expression(.any, depth), [])
    case 3: return .index(expression(.string, depth), expression(.number, 0))
    default: return call(pick(["bytes", "string"]), [expression(.string, depth)])
    }
  }

  private mutating func list(_ depth: Int) -> Sketch {
    switch roll(5) {
    case 0, 1: return .row("[", some(0...4, .any, depth), "]")
    case 2: return .chain(some(2...2, .list, depth), "+")
    default: return loop(pick(["filter", "map"]), depth)
    }
  }

  private mutating func map(_ depth: Int) -> Sketch {
    if roll(4) == 0 { return .chain(some(2...2, .map, depth), "+") }
    var entries: [(Sketch, Sketch)] = []
    for _ in 0..<roll(3) {
      entries.append((expression(pick([.string, .number, .any]), 0), expression(.any, depth)))
    }
    return .map(entries)
  }

  private mutating func time(_ depth: Int) -> Sketch {
    switch roll(3) {
    case 0: return .chain(some(2...2, .time, depth), pick(["+", "-"]))
    case 1: return call("duration", [expression(.string, 0)])
    default: return call("timestamp", [.leaf(pick(Self.instants))])
    }
  }

  // MARK: Forms that answer anything

  private mutating func anywhere(_ kind: Kind, _ depth: Int) -> Sketch {
    switch roll(9) {
    case 0:
      return .conditional(
        expression(.bool, depth), expression(kind, depth), expression(kind, depth))
    case 1:
      return call(
        "maybe", [expression(.any, 0), expression(kind, depth), expression(kind, depth)])
    case 2:
      return .method(
        expression(.any, 0), "maybe", [expression(kind, depth), expression(kind, depth)])
    case 3: return .member(expression(pick([.map, .any]), depth), pick(Self.attributes))
    case 4: return .index(expression(pick([.list, .map, .any]), depth), expression(.any, depth))
    case 5: return hostCall(depth)
    case 6: return .chain([expression(kind, depth), expression(kind, depth)], "||")
    case 7: return oddity(depth)
    default: return pathOr(depth)
    }
  }

  /// Calls that are wrong in some way.
  private mutating func oddity(_ depth: Int) -> Sketch {
    let name = pick(Self.callables)
    switch roll(4) {
    case 0: return call(name, some(0...3, .any, depth))
    case 1: return .method(expression(.any, depth), name, some(0...3, .any, depth))
    case 2: return .row("ghost{field: ", some(1...1, .any, depth), "}")
    default: return .row("n{field: ", some(1...1, .any, depth), "}")
    }
  }

  private mutating func pathOr(_ depth: Int) -> Sketch {
    roll(3) == 0 ? expression(.any, depth) : attribute()
  }

  private mutating func container(_ depth: Int) -> Sketch {
    expression(pick([.list, .list, .map, .string]), depth)
  }

  private mutating func hostCall(_ depth: Int) -> Sketch {
    let name = pick(["daysSince", "none", "txt", "echo", "obj", "fails", "onlyC", "absent", "size"])
    let arguments = some(0...2, .any, min(depth, 1))
    switch roll(5) {
    case 0: return call(name, arguments)
    case 1: return .method(expression(.any, 0), name, arguments)
    case 2: return .method(.leaf("computed"), name, arguments)
    default: return .method(.leaf("device"), name, arguments)
    }
  }

  private mutating func loop(_ name: String, _ depth: Int) -> Sketch {
    let variable = pick(["v", "x", "n", "user", "device", "v"])
    let range = expression(roll(4) == 0 ? .map : .list, depth)
    locals.append(variable)
    let body = expression(name == "map" ? .any : .bool, depth)
    locals.removeLast()
    return roll(4) == 0
      ? call(name, [range, .leaf(variable), body])
      : .method(range, name, [.leaf(variable), body])
  }

  /// A function that takes its subject as receiver or as first argument.
  private mutating func subjectCall(
    _ name: String, _ subject: Sketch, _ arguments: [Sketch]
  ) -> Sketch {
    roll(2) == 0 ? call(name, [subject] + arguments) : .method(subject, name, arguments)
  }

  private func call(_ name: String, _ arguments: [Sketch]) -> Sketch {
    .row("\(name)(", arguments, ")")
  }

  private mutating func some(_ count: ClosedRange<Int>, _ kind: Kind, _ depth: Int) -> [Sketch] {
    (0..<Int.random(in: count, using: &random)).map { _ in expression(kind, depth) }
  }

  private mutating func longChain() -> Sketch {
    let count = 5 + roll(60)
    switch roll(5) {
    case 0: return .chain((0..<count).map { _ in comparison(0) }, "&&")
    case 1: return .chain((0..<count).map { _ in comparison(0) }, "||")
    case 2: return .chain((0..<count).map { _ in leaf(.number) }, pick(["+", "*", "-"]))
    case 3:
      return (0..<count).reduce(.leaf("deep")) { chain, _ in
        roll(8) == 0 ? .index(chain, literal()) : .member(chain, pick(["a", "b", "c", "size"]))
      }
    default:
      return (0..<min(count, 30)).reduce(leaf(.any)) { chain, _ in
        .conditional(comparison(0), leaf(.any), chain)
      }
    }
  }
}
