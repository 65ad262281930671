@testable import ExpressionEngine
@testable import ExpressionSyntax

// Calls: what a name calls, host functions, and library functions (§2, §3, §7).

extension CELReferenceEvaluator {
  mutating func call(_ node: SyntaxNode) throws(CELReferenceFailure) -> Value {
    let name = tree.name(of: node)
    let arguments = Array(tree.children(of: node))
    guard node.first != SyntaxNode.none else {
      let function = scoped(name, isRooted: node.flags.contains(.leadingDot)) ?? name
      return try callFunction(function, arguments, node)
    }
    if let host = hostFunction(node) { return try callHost(host, arguments) }
    // A receiver that is a name space: `math.abs(x)`.
    if let (names, isRooted) = dottedName(node.first),
      let function = scoped((names + [name]).joined(separator: "."), isRooted: isRooted)
    {
      return try callFunction(function, arguments, node)
    }
    if takesMacro(name), let result = try methodMacro(name, node.first, arguments) {
      called.insert("\(name)/\(arguments.count)")
      return result
    }
    return try callLibrary(name, [node.first] + arguments, isMember: true)
  }

  private mutating func callFunction(
    _ name: String, _ arguments: [UInt32], _ node: SyntaxNode
  ) throws(CELReferenceFailure) -> Value {
    if takesMacro(name), let result = try functionMacro(name, arguments, node) {
      called.insert("\(name)/\(arguments.count)")
      return result
    }
    return try callLibrary(name, arguments, isMember: false)
  }

  /// Whether the name is a macro's, and macros are on; some only look like macros from inside.
  private func takesMacro(_ name: String) -> Bool {
    guard case .macro? = library[name]?.form else { return false }
    return environment.expandsMacros
      || ["or", "orValue", "math.greatest", "math.least"].contains(name)
  }

  /// The library's function of that name, in the scopes of the container.
  private func scoped(_ name: String, isRooted: Bool) -> String? {
    (isRooted ? [""] : prefixes).map { $0 + name }.first { library[$0] != nil }
  }

  // MARK: Library

  /// A strict call. That there is no such function or no overload called in that style with so many
  /// arguments does not hang on the arguments, which are then not evaluated.
  private mutating func callLibrary(
    _ name: String, _ arguments: [UInt32], isMember: Bool
  ) throws(CELReferenceFailure) -> Value {
    guard let definition = library[name] else { throw CELReferenceFailure(.unknownFunction) }
    switch definition.form {
    case .macro:
      throw CELReferenceFailure(
        environment.expandsMacros ? .noMatchingOverload : .unknownFunction)
    case .function(let body): return try apply(body, evaluated(arguments))
    case .overloads(let overloads):
      guard
        let body = FunctionOverload.dispatch(
          overloads, isMember: isMember, argumentCount: arguments.count)
      else { throw CELReferenceFailure(.noMatchingOverload) }
      let values = try evaluated(arguments)
      note(overloads, isMember: isMember, values)
      return try apply(body, values)
    }
  }

  /// Notes the overload that a call reaches.
  private mutating func note(
    _ overloads: [FunctionOverload], isMember: Bool, _ arguments: [Value]
  ) {
    var arena = Arena(firstChunk: 2048, limit: environment.limits.memory)
    let slots = arguments.compactMap { Slot.make($0, in: &arena) }
    guard slots.count == arguments.count else { return }
    let reached = overloads.first { overload in
      overload.isMember == isMember && overload.parameters.count == slots.count
        && slots.withUnsafeBufferPointer { overload.accepts($0) }
    }
    if let reached { called.insert(reached.signature) }
  }

  mutating func evaluated(_ arguments: [UInt32]) throws(CELReferenceFailure) -> [Value] {
    var values: [Value] = []
    for argument in arguments { values.append(try evaluate(argument)) }
    return values
  }

  /// What a function of the registry makes of values.
  func apply(_ body: Builtin, _ arguments: [Value]) throws(CELReferenceFailure) -> Value {
    var machine = Machine(rules: .cel, limits: environment.limits)
    var slots: [Slot] = []
    for argument in arguments {
      guard let slot = Slot.make(argument, in: &machine.arena) else {
        throw CELReferenceFailure(.memoryLimit)
      }
      slots.append(slot)
    }
    let result = slots.withUnsafeBufferPointer { body(&machine, $0) }
    if result.isA(.error) { throw CELReferenceFailure(machine.failure.code) }
    return Value(result)
  }

  /// A method of the registry by its name.
  func apply(
    method name: String, _ arguments: [Value]
  ) throws(CELReferenceFailure) -> Value {
    guard case .overloads(let overloads)? = library[name]?.form,
      let body = FunctionOverload.dispatch(
        overloads, isMember: true, argumentCount: arguments.count)
    else { throw CELReferenceFailure(.unknownFunction) }
    return try apply(body, arguments)
  }

  // MARK: Host functions

  private func hostFunction(_ node: SyntaxNode) -> FilterEnvironment.HostFunction? {
    let target = tree.nodes[Int(node.first)]
    guard target.kind == .identifier else { return nil }
    let table = tree.name(of: target)
    guard !scope.contains(where: { $0.name == table }) else { return nil }
    switch table {
    case "device": return environment.deviceFunctions[tree.name(of: node)]
    case "computed": return environment.computedFunctions[tree.name(of: node)]
    default: return nil
    }
  }

  private mutating func callHost(
    _ function: FilterEnvironment.HostFunction, _ arguments: [UInt32]
  ) throws(CELReferenceFailure) -> Value {
    let values = try evaluated(arguments)
    guard let answer = try? function(values, nil) else { throw CELReferenceFailure(.hostFailed) }
    return answer
  }
}
