@testable import ExpressionEngine
@testable import ExpressionSyntax

// Calls: host functions, macros, and how arguments reach library functions (§3, §10, §11, §14).

extension ReferenceEvaluator {
  mutating func call(_ node: SyntaxNode, _ mode: Mode) throws(ReferenceFailure) -> Value {
    let name = tree.name(of: node)
    guard isFunction(name) else { throw .undeclared }
    // A receiver is evaluated for every function, also for those that ignore it.
    var arguments = Array(tree.children(of: node))
    var target: Value?
    if node.first != SyntaxNode.none { target = try evaluate(node.first, mode) }
    if let host = environment.deviceFunctions[name] ?? environment.computedFunctions[name] {
      return try callHost(host, arguments, mode)
    }
    switch name {
    case "has": return .bool(try has(arguments, mode))
    case "hasFn": return .bool(try hasFunction(arguments, mode))
    case "maybe":
      _ = try subject(target, &arguments, mode)
      return try maybe(arguments, mode)
    case "all", "exists", "exists_one", "filter", "map":
      let range = try subject(target, &arguments, mode)
      return try macro(name, over: range, arguments, mode)
    default:
      return try library(name, target, arguments, mode)
    }
  }

  /// The receiver, or else the first argument, whose errors are replaced (§10).
  mutating func subject(
    _ target: Value?, _ arguments: inout [UInt32], _ mode: Mode
  ) throws(ReferenceFailure) -> Value {
    if let target { return target }
    guard !arguments.isEmpty else { throw .other }
    let first = arguments.removeFirst()
    do {
      return try evaluate(first, mode)
    } catch {
      throw .other
    }
  }

  private mutating func callHost(
    _ function: FilterEnvironment.HostFunction, _ arguments: [UInt32], _ mode: Mode
  ) throws(ReferenceFailure) -> Value {
    var values: [Value] = []
    for argument in arguments {
      do {
        values.append(try evaluate(argument, mode))
      } catch {
        // The reference aborts here.
        throw ReferenceFailure.other
      }
    }
    guard let answer = try? function(values, nil) else { throw .other }
    return answer.normalized
  }

  // MARK: has, hasFn, maybe

  private func insideHas(_ mode: Mode) -> Mode { mode == .verbatim ? .verbatim : .raw }

  private mutating func has(
    _ arguments: [UInt32], _ mode: Mode
  ) throws(ReferenceFailure) -> Bool {
    guard let first = arguments.first else { throw .other }
    do {
      _ = try evaluate(first, insideHas(mode))
      return true
    } catch {
      guard case .noSuchKey = error else { throw error }
      return false
    }
  }

  private mutating func hasFunction(
    _ arguments: [UInt32], _ mode: Mode
  ) throws(ReferenceFailure) -> Bool {
    guard let first = arguments.first else { throw .other }
    guard case .string(let name) = try evaluate(first, insideHas(mode)) else { throw .other }
    if name.hasPrefix("device.") {
      return environment.deviceFunctions[without("device.", name)] != nil
    }
    if name.hasPrefix("computed.") {
      return environment.computedFunctions[without("computed.", name)] != nil
    }
    return environment.deviceFunctions[name] != nil
      || environment.computedFunctions[name] != nil
      || ["has", "hasFn", "maybe", "toString"].contains(name)
  }

  private func without(_ part: String, _ text: String) -> String {
    var result = ""
    var rest = text[...]
    while let first = rest.first {
      if rest.hasPrefix(part) {
        rest.removeFirst(part.count)
      } else {
        result.append(first)
        rest.removeFirst()
      }
    }
    return result
  }

  private mutating func maybe(
    _ arguments: [UInt32], _ mode: Mode
  ) throws(ReferenceFailure) -> Value {
    guard arguments.count >= 2 else { throw .other }
    do {
      return try evaluate(arguments[0], mode)
    } catch {
      return try evaluate(arguments[1], mode)
    }
  }

  // MARK: Macros

  private mutating func macro(
    _ name: String, over range: Value, _ arguments: [UInt32], _ mode: Mode
  ) throws(ReferenceFailure) -> Value {
    guard let first = arguments.first else { throw .other }
    let variable = tree.nodes[Int(first)]
    guard variable.kind == .identifier else {
      throw .quotingSource(literals(below: CollectionOfOne(first)))
    }
    guard arguments.count >= 2 else { throw .other }
    let loopName = tree.name(of: variable)
    let body = arguments[1]
    switch range {
    case .list(let elements):
      var loop = MacroLoop(name)
      for element in elements {
        let value = try evaluate(body, with: loopName, element, mode)
        if loop.isDecided(by: value, for: element) { break }
      }
      return loop.result
    case .map(let entries) where name != "map" && name != "filter":
      return try macro(name, overKeys: entries.keys.map(\.value), loopName, body, mode)
    default:
      throw .other
    }
  }

  /// Nothing says in which order keys are visited: if that matters, says so.
  private mutating func macro(
    _ name: String, overKeys keys: [Value], _ loopName: String, _ body: UInt32, _ mode: Mode
  ) throws(ReferenceFailure) -> Value {
    var loop = MacroLoop(name)
    var failures: [ReferenceFailure] = []
    var isDecided = false
    for key in keys {
      do {
        let value = try evaluate(body, with: loopName, key, mode)
        isDecided = loop.isDecided(by: value, for: key) || isDecided
      } catch {
        failures.append(error)
      }
    }
    guard let failure = failures.first else { return loop.result }
    if isDecided || keys.count > 1 { dependsOnKeyOrder = true }
    throw failure
  }

  private mutating func evaluate(
    _ body: UInt32, with name: String, _ value: Value, _ mode: Mode
  ) throws(ReferenceFailure) -> Value {
    scope.append((name, value))
    defer { scope.removeLast() }
    return try evaluate(body, mode)
  }
}

/// What a macro has found so far. Only exact bools count (§11).
private struct MacroLoop {
  let name: String
  private var hits = 0
  private var hasFalse = false
  private var elements: [Value] = []

  init(_ name: String) { self.name = name }

  /// Takes the body's value for an element; whether further elements cannot change the result.
  mutating func isDecided(by value: Value, for element: Value) -> Bool {
    if value == .bool(true) { hits += 1 }
    if value == .bool(false) { hasFalse = true }
    switch name {
    case "all": return hasFalse
    case "exists": return hits > 0
    case "exists_one": return hits > 1
    case "filter":
      if value == .bool(true) { elements.append(element) }
      return false
    default:
      elements.append(value)
      return false
    }
  }

  var result: Value {
    switch name {
    case "all": .bool(!hasFalse)
    case "exists": .bool(hits > 0)
    case "exists_one": .bool(hits == 1)
    default: .list(elements)
    }
  }
}
