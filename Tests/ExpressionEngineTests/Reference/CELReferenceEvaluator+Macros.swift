@testable import ExpressionEngine
@testable import ExpressionSyntax

// Macros, which see their arguments unevaluated (§8, §14–§16, §19, §22). A call with a macro's name
// and another number of arguments is an ordinary call.

extension CELReferenceEvaluator {
  /// A macro that is called like a function; `nil` if the call is not one.
  mutating func functionMacro(
    _ name: String, _ arguments: [UInt32], _ node: SyntaxNode
  ) throws(CELReferenceFailure) -> Value? {
    switch (name, arguments.count) {
    case ("has", 1):
      let field = tree.nodes[Int(arguments[0])]
      if isDottedAttribute(arguments[0]) { return .bool(true) }
      let operand = try evaluate(field.first)
      return .bool(try hasMember(operand, named: tree.name(of: field)))
    case ("cel.bind", 3):
      let value = Deferred(arguments[1], in: scope)
      scope.append(Binding(name: variable(arguments[0]), content: .deferred(value)))
      defer { scope.removeLast() }
      return try evaluate(arguments[2])
    case ("cel.block", 2): return try block(arguments)
    case ("cel.index", 1), ("cel.iterVar", 2), ("cel.accuVar", 2):
      let name = generatedName(node)
      guard let binding = scope.last(where: { $0.name == name }) else {
        throw CELReferenceFailure(.undeclared)
      }
      return try content(of: binding)
    case ("math.greatest", _): return try apply(FunctionDefinition.celGreatest, arguments)
    case ("math.least", _): return try apply(FunctionDefinition.celLeast, arguments)
    default: return nil
    }
  }

  /// A macro that is called like a method; `nil` if the call is not one.
  mutating func methodMacro(
    _ name: String, _ target: UInt32, _ arguments: [UInt32]
  ) throws(CELReferenceFailure) -> Value? {
    switch (name, arguments.count) {
    case ("all", 2), ("exists", 2), ("exists_one", 2), ("filter", 2), ("map", 2), ("map", 3):
      return try loop(name, target, variables: 1, arguments)
    case ("all", 3), ("exists", 3), ("exists_one", 3), ("existsOne", 3), ("transformList", 3),
      ("transformList", 4), ("transformMap", 3), ("transformMap", 4), ("transformMapEntry", 3),
      ("transformMapEntry", 4):
      guard environment.libraries.contains(.comprehensions) else { return nil }
      return try loop(name, target, variables: 2, arguments)
    case ("sortBy", 2): return try sortBy(target, arguments)
    case ("optMap", 2), ("optFlatMap", 2):
      guard case .optional(let content) = try optional(target) else { return nil }
      guard let content else { return .optional(nil) }
      let result = try evaluate(arguments[1], with: [(variable(arguments[0]), content)])
      return name == "optMap" ? .optional(result) : result
    case ("or", 1):
      let first = try optional(target)
      if case .optional(.some) = first { return first }
      return try optional(arguments[0])
    case ("orValue", 1):
      if case .optional(let content?) = try optional(target) { return content }
      return try evaluate(arguments[0])
    default: return nil
    }
  }

  /// Whether a name is an attribute of a layer that the host gave as a variable with a dotted name.
  private func isDottedAttribute(_ id: UInt32) -> Bool {
    guard let (names, isRooted) = dottedName(id), names.count == 2,
      ["user", "device", "params"].contains(names[0]), prefixes.count == 1,
      isRooted || !scope.contains(where: { $0.name == names[0] })
    else { return false }
    return variables[names.joined(separator: ".")] != nil
  }

  // MARK: Parts

  /// The variable that an argument introduces.
  private func variable(_ id: UInt32) -> String {
    let node = tree.nodes[Int(id)]
    return node.kind == .identifier ? tree.name(of: node) : generatedName(node)
  }

  /// The name that `cel.index`, `cel.iterVar` or `cel.accuVar` stands for.
  private func generatedName(_ node: SyntaxNode) -> String {
    let numbers = tree.children(of: node).map { "\(tree.nodes[Int($0)].payload)" }
    switch tree.name(of: node) {
    case "index": return "@index\(numbers.joined())"
    case "iterVar": return "@it:\(numbers.joined(separator: ":"))"
    default: return "@ac:\(numbers.joined(separator: ":"))"
    }
  }

  /// Evaluates an operand that must be an optional.
  private mutating func optional(_ id: UInt32) throws(CELReferenceFailure) -> Value {
    let value = try evaluate(id)
    guard case .optional = value else { throw CELReferenceFailure(.noMatchingOverload) }
    return value
  }

  private mutating func apply(
    _ definition: FunctionDefinition, _ arguments: [UInt32]
  ) throws(CELReferenceFailure) -> Value {
    guard case .function(let body) = definition.form else {
      throw CELReferenceFailure(.unknownFunction)
    }
    return try apply(body, evaluated(arguments))
  }

  /// `cel.block([values], body)`: later values see the earlier ones (§16).
  private mutating func block(_ arguments: [UInt32]) throws(CELReferenceFailure) -> Value {
    let outside = scope
    defer { scope = outside }
    let elements = Array(tree.children(of: tree.nodes[Int(arguments[0])]))
    for (number, element) in elements.enumerated() {
      scope.append(
        Binding(name: "@index\(number)", content: .deferred(Deferred(element, in: scope))))
    }
    return try evaluate(arguments[1])
  }

  private mutating func sortBy(
    _ target: UInt32, _ arguments: [UInt32]
  ) throws(CELReferenceFailure) -> Value {
    let list = try evaluate(target)
    let keys = try loop("map", over: list, variables: 1, arguments)
    guard case .function(let body) = FunctionDefinition.celSortByKeys.form else {
      throw CELReferenceFailure(.unknownFunction)
    }
    return try apply(body, [list, keys])
  }

  // MARK: Loops

  private mutating func loop(
    _ name: String, _ target: UInt32, variables count: Int, _ arguments: [UInt32]
  ) throws(CELReferenceFailure) -> Value {
    try loop(name, over: evaluate(target), variables: count, arguments)
  }

  private mutating func loop(
    _ name: String, over range: Value, variables count: Int, _ arguments: [UInt32]
  ) throws(CELReferenceFailure) -> Value {
    let pairs: [(Value, Value)]
    switch range {
    case .list(let elements): pairs = elements.enumerated().map { (.int(Int64($0)), $1) }
    case .map(let entries): pairs = entries.map { ($0.key.value, $0.value) }
    default: throw CELReferenceFailure(.unexpectedType)
    }
    let isMap = if case .map = range { true } else { false }
    called.insert("\(isMap ? "map" : "list").\(name)/\(arguments.count)")
    let names = arguments.prefix(count).map { variable($0) }
    let bodies = Array(arguments.dropFirst(count))
    let steps = pairs.map { first, second in
      count == 2 ? [(names[0], first), (names[1], second)] : [(names[0], isMap ? first : second)]
    }
    let isUnordered = isMap && pairs.count > 1
    do throws(CELReferenceFailure) {
      switch name {
      case "all": return try quantifier(steps, bodies[0], stopsAt: false)
      case "exists": return try quantifier(steps, bodies[0], stopsAt: true)
      case "exists_one", "existsOne":
        var hits = 0
        for step in steps where try condition(bodies[0], step) { hits += 1 }
        return .bool(hits == 1)
      case "transformMap", "transformMapEntry":
        return try transformedMap(name, pairs.map(\.0), steps, bodies)
      default:
        let list = try transformedList(name, steps, bodies)
        if isUnordered, case .list(let elements) = list, elements.count > 1 {
          dependsOnKeyOrder = true
        }
        return list
      }
    } catch {
      // Which failure comes first depends on the order of the keys.
      if isUnordered { dependsOnKeyOrder = true }
      throw error
    }
  }

  /// `all` and `exists`: an element that decides does so whatever failed before or after it (§8).
  private mutating func quantifier(
    _ steps: [[(String, Value)]], _ body: UInt32, stopsAt decisive: Bool
  ) throws(CELReferenceFailure) -> Value {
    var pending: CELReferenceFailure?
    for step in steps {
      do throws(CELReferenceFailure) {
        if try condition(body, step) == decisive { return .bool(decisive) }
      } catch {
        pending = pending ?? error
      }
    }
    if let pending { throw pending }
    return .bool(!decisive)
  }

  private mutating func condition(
    _ body: UInt32, _ step: [(String, Value)]
  ) throws(CELReferenceFailure) -> Bool {
    guard case .bool(let value) = try evaluate(body, with: step) else {
      throw CELReferenceFailure(.notBool)
    }
    return value
  }

  /// `filter`, `map` and `transformList`, with or without a filter before the expression.
  private mutating func transformedList(
    _ name: String, _ steps: [[(String, Value)]], _ bodies: [UInt32]
  ) throws(CELReferenceFailure) -> Value {
    var elements: [Value] = []
    for step in steps {
      if name == "filter" {
        if try condition(bodies[0], step) { elements.append(step[0].1) }
        continue
      }
      if bodies.count == 2, try !condition(bodies[0], step) { continue }
      elements.append(try evaluate(bodies[bodies.count - 1], with: step))
    }
    return .list(elements)
  }

  private mutating func transformedMap(
    _ name: String, _ keys: [Value], _ steps: [[(String, Value)]], _ bodies: [UInt32]
  ) throws(CELReferenceFailure) -> Value {
    var entries: [Value.Key: Value] = [:]
    var isRepeated = false
    for (keyValue, step) in zip(keys, steps) {
      if bodies.count == 2, try !condition(bodies[0], step) { continue }
      let value = try evaluate(bodies[bodies.count - 1], with: step)
      guard name == "transformMapEntry" else {
        if let key = CELReferenceOperators.key(keyValue) { entries[key] = value }
        continue
      }
      guard case .map(let added) = value else { throw CELReferenceFailure(.unexpectedType) }
      for (key, content) in added {
        if CELReferenceOperators.find(key.value, in: entries) != nil { isRepeated = true }
        entries[key] = content
      }
    }
    if isRepeated { throw CELReferenceFailure(.duplicateKey) }
    return .map(entries)
  }
}
