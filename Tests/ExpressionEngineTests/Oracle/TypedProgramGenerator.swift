import ExpressionSyntax
import TestSupport

@testable import ExpressionChecking
@testable import ExpressionEngine

/// Writes random expressions of the cel dialect that have a type.
///
/// They are made from the overloads that the checker knows: an expression of a type is a call of
/// any operator or function with that result, over expressions of the types of its parameters.
/// Random expressions without types mostly end in the error of some operand.
struct TypedProgramGenerator {
  /// An expression, and the type that it was made for.
  struct Program {
    let sketch: Sketch
    let type: Type
  }

  /// A call with its types.
  private struct Production {
    let name: String
    let overload: Overload
    /// The operator; `nil` for a function.
    let op: OperatorInfo?
  }

  private static let declarations: Declarations = {
    do {
      return try environment.checkingDeclarations()
    } catch {
      fatalError("\(error)")
    }
  }()

  private static let productions: [Production] = {
    let rules = CheckingRules.rules(of: .cel)
    let operators = OperatorTable.rows.filter { $0.dialects.contains(.cel) }.flatMap { info in
      (rules.operators[info.celName] ?? []).map {
        Production(name: info.celName, overload: $0, op: info)
      }
    }
    let functions = declarations.functions.sorted { $0.key < $1.key }.flatMap { name, overloads in
      overloads.map { Production(name: name, overload: $0, op: nil) }
    }
    return (operators + functions).filter {
      !$0.overload.isVariadic && isConcrete($0.overload) && isDecided($0.overload)
    }
  }()

  /// The number of calls that programs are made of.
  static var productionCount: Int { productions.count }

  /// The types of the programs and their parts.
  private static let scalars: [Type] = [
    .bool, .int, .uint, .double, .string, .bytes, .timestamp, .duration,
  ]
  private static let types: [Type] =
    scalars + scalars.map { .list($0) } + scalars.map { .optional($0) }
    + [.list(.list(.int)), .map(.string, .int), .map(.int, .string), .map(.bool, .list(.string))]

  /// Returns whether all types of a call are in the world of the generator.
  private static func isConcrete(_ overload: Overload) -> Bool {
    func isKnown(_ type: Type) -> Bool {
      switch type {
      case .bool, .int, .uint, .double, .string, .bytes, .timestamp, .duration, .parameter: true
      case .list(let element), .optional(let element): isKnown(element)
      case .map(let key, let value): isKnown(key) && isKnown(value)
      default: false
      }
    }
    return isKnown(overload.result)
      && overload.operands.allSatisfy { $0.alternatives.allSatisfy(isKnown) }
  }

  /// Returns whether the operands of a call decide the type of its result; those of
  /// `optional.none()` do not.
  private static func isDecided(_ overload: Overload) -> Bool {
    func parameters(_ type: Type) -> Set<String> {
      switch type {
      case .parameter(let name): [name]
      case .list(let element), .optional(let element): parameters(element)
      case .map(let key, let value): parameters(key).union(parameters(value))
      default: []
      }
    }
    let given = overload.operands.flatMap { $0.alternatives }.reduce(into: Set<String>()) {
      names, type in names.formUnion(parameters(type))
    }
    return given.isSuperset(of: parameters(overload.result))
  }

  /// Returns the parameters of a signature's type that are keys of maps.
  private static func keyParameters(_ type: Type) -> [String] {
    switch type {
    case .map(.parameter(let name), let value): [name] + keyParameters(value)
    case .map(_, let element), .list(let element), .optional(let element): keyParameters(element)
    default: []
    }
  }

  // MARK: Variables

  private static let variables: [(name: String, type: Type, values: [Value])] = [
    ("b", .bool, [true, false]), ("i", .int, [7, 0]), ("u", .uint, [.uint(7), .uint(0)]),
    ("d", .double, [2.5, .double(-.infinity)]), ("s", .string, ["héllo", ""]),
    ("y", .bytes, [.bytes([104, 105]), .bytes([])]),
    ("t", .timestamp, [.timestamp(.init(seconds: 1_700_000_000)), .timestamp(.init(seconds: 0))]),
    ("n", .duration, [.duration(.init(seconds: 90)), .duration(.init(seconds: -1))]),
    ("li", .list(.int), [[1, 2, 3], []]), ("ls", .list(.string), [["a", "b"], []]),
    ("lb", .list(.bool), [[true], []]), ("ll", .list(.list(.int)), [[[1], []], []]),
    ("m", .map(.string, .int), [["k": 1], [:]]),
    ("o", .optional(.int), [.optional(5), .optional(nil)]),
  ]

  static let environment = FilterEnvironment(
    dialect: .cel,
    declarations: variables.map { .variable(name: $0.name, type: $0.type.text) })

  static let contexts: [OracleContext] = ["the first values", "the second values"].enumerated().map
  {
    number, name in
    OracleContext(
      name, Dictionary(uniqueKeysWithValues: variables.map { ($0.name, $0.values[number]) }))
  }

  // MARK: Expressions

  private var random: SeededGenerator
  /// The variables of the loops around.
  private var scope: [(name: String, type: Type)] = []
  /// The number of calls that may still be made.
  private var calls = 0

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  mutating func program() -> Program {
    calls = Int.random(in: 1...9, using: &random)
    let type = element(of: Self.types)
    return Program(sketch: expression(of: type, depth: 5), type: type)
  }

  private mutating func expression(of type: Type, depth: Int) -> Sketch {
    guard depth > 0, calls > 0 else { return atom(of: type) }
    calls -= 1
    if Int.random(in: 0..<5, using: &random) == 0, let loop = loop(of: type, depth: depth) {
      return loop
    }
    let fitting = Self.productions.compactMap { production in
      Bindings().unifying(production.overload.result, type).map { (production, $0) }
    }
    guard !fitting.isEmpty else { return atom(of: type) }
    let (production, found) = element(of: fitting)
    var bindings = found
    let all = production.overload.operands
    // Doubles, octets and the like are no keys.
    for name in all.flatMap({ $0.alternatives }).flatMap(Self.keyParameters)
    where bindings.types[name] == nil {
      bindings.types[name] = element(of: [.string, .int, .uint, .bool])
    }
    let operands = all.map { parameter in
      expression(of: concrete(element(of: parameter.alternatives), &bindings), depth: depth - 1)
    }
    return sketch(production, operands)
  }

  private func sketch(_ production: Production, _ operands: [Sketch]) -> Sketch {
    guard let info = production.op else {
      if production.overload.receiver != nil {
        return .method(operands[0], production.name, Array(operands.dropFirst()))
      }
      return .row("\(production.name)(", operands, ")")
    }
    return switch info.fixity {
    case .prefix: .prefix(info.spelling, operands[0])
    case .infix: .chain(operands, info.spelling)
    case .ternary: .conditional(operands[0], operands[1], operands[2])
    case .postfix:
      info.spelling.contains("?")
        ? .node(texts: ["", "[?", "]"], children: operands, isPrimary: true)
        : .index(operands[0], operands[1])
    }
  }

  /// Returns a macro over a list; `nil` if none has that type.
  private mutating func loop(of type: Type, depth: Int) -> Sketch? {
    let name = "v\(scope.count)"
    func call(_ macro: String, _ list: Sketch, _ body: Sketch) -> Sketch {
      .method(list, macro, [.leaf(name), body])
    }
    let item = element(of: Self.scalars)
    switch type {
    case .bool:
      let list = expression(of: .list(item), depth: depth - 1)
      return call(
        element(of: ["all", "exists", "exists_one"]), list,
        inScope(name, item, of: .bool, depth: depth - 1))
    case .list(let wanted):
      if Bool.random(using: &random) {
        let list = expression(of: type, depth: depth - 1)
        return call("filter", list, inScope(name, wanted, of: .bool, depth: depth - 1))
      }
      let list = expression(of: .list(item), depth: depth - 1)
      return call("map", list, inScope(name, item, of: wanted, depth: depth - 1))
    default: return nil
    }
  }

  private mutating func inScope(
    _ name: String, _ item: Type, of type: Type, depth: Int
  ) -> Sketch {
    scope.append((name, item))
    defer { scope.removeLast() }
    return expression(of: type, depth: depth)
  }

  private mutating func atom(of type: Type) -> Sketch {
    let names =
      scope.filter { $0.type == type }.map { $0.name }
      + Self.variables.filter { $0.type == type }.map { $0.name }
    if !names.isEmpty, Bool.random(using: &random) { return .leaf(element(of: names)) }
    switch type {
    case .bool: return .leaf(element(of: ["true", "false"]))
    case .int: return .leaf(element(of: ["0", "1", "-3", "9223372036854775807"]))
    case .uint: return .leaf(element(of: ["0u", "2u", "18446744073709551615u"]))
    case .double: return .leaf(element(of: ["0.0", "1.5", "-1e300"]))
    case .string:
      return .leaf(
        element(of: ["''", "'a'", "'héllo'", "'5'", "'2024-02-29T12:00:00Z'", "'90s'", "'%s'"]))
    case .bytes: return .leaf(element(of: ["b''", "b'a'", "b'\\xff'"]))
    case .timestamp: return .row("timestamp(", [.leaf("'2024-02-29T12:00:00Z'")], ")")
    case .duration: return .row("duration(", [.leaf(element(of: ["'1h'", "'-3ms'"]))], ")")
    case .optional(let item): return .row("optional.of(", [atom(of: item)], ")")
    case .list(let item):
      return .row("[", (0..<Int.random(in: 1...3, using: &random)).map { _ in atom(of: item) }, "]")
    case .map(let key, let value): return .map([(atom(of: key), atom(of: value))])
    default: return .leaf("null")
    }
  }

  private mutating func element<Element>(of elements: [Element]) -> Element {
    elements[Int.random(in: elements.indices, using: &random)]
  }

  // MARK: Types

  /// The types that stand for the parameters of a signature.
  private struct Bindings {
    var types: [String: Type] = [:]

    /// Returns what makes a type of a signature a wanted type; `nil` if nothing does.
    func unifying(_ pattern: Type, _ wanted: Type) -> Bindings? {
      switch (pattern, wanted) {
      case (.parameter(let name), _):
        if let bound = types[name] { return bound == wanted ? self : nil }
        var result = self
        result.types[name] = wanted
        return result
      case (.list(let a), .list(let b)), (.optional(let a), .optional(let b)):
        return unifying(a, b)
      case (.map(let a, let x), .map(let b, let y)):
        return unifying(a, b)?.unifying(x, y)
      default: return pattern == wanted ? self : nil
      }
    }
  }

  /// Returns a type of a signature with types for its parameters, random where none is bound.
  private mutating func concrete(_ pattern: Type, _ bindings: inout Bindings) -> Type {
    switch pattern {
    case .parameter(let name):
      if let bound = bindings.types[name] { return bound }
      let type = element(of: Self.scalars)
      bindings.types[name] = type
      return type
    case .list(let item): return .list(concrete(item, &bindings))
    case .optional(let item): return .optional(concrete(item, &bindings))
    case .map(let key, let value): return .map(concrete(key, &bindings), concrete(value, &bindings))
    default: return pattern
    }
  }
}

extension Overload {
  /// The receiver, if there is one, and the arguments.
  fileprivate var operands: [Parameter] { (receiver.map { [$0] } ?? []) + parameters }
}
