import ExpressionSyntax

// Calls of functions, methods and host functions (docs/spec/cel.md §2, §7).

extension CELLowering {
  /// Lowers a call without a receiver, or with a name space in its place.
  @inline(never)
  mutating func lowerFunction(_ node: SyntaxNode) -> UInt32 {
    if isHostCall(node) { return lowerHostCall(node) }
    if let macro = functionMacro(node) { return lowerMacro(node, macro) }
    return makeFunction(node, lowerArguments(node))
  }

  @inline(never)
  private mutating func makeFunction(_ node: SyntaxNode, _ arguments: [UInt32]) -> UInt32 {
    call(calledName(of: node), arguments, isMember: false, span: node.span)
  }

  /// Returns the name of the function that a call without a receiver calls.
  @inline(never)
  mutating func calledName(of node: SyntaxNode) -> String {
    if node.first != SyntaxNode.none, let qualified = qualifiedName(of: node) { return qualified }
    let isRooted = node.flags.contains(.leadingDot)
    return functionName(tree.name(of: node), isRooted: isRooted) ?? tree.name(of: node)
  }

  /// Lowers a call with a receiver.
  @inline(never)
  mutating func lowerMethod(_ node: SyntaxNode, target: UInt32) -> UInt32 {
    if let macro = methodMacro(node) { return lowerMacro(node, target, macro) }
    return makeMethod(node, target, lowerArguments(node))
  }

  @inline(never)
  private mutating func makeMethod(
    _ node: SyntaxNode, _ target: UInt32, _ arguments: [UInt32]
  ) -> UInt32 {
    call(tree.name(of: node), [target] + arguments, isMember: true, span: node.span)
  }

  /// Returns whether the macro of that name is expanded. Some are functions for those who call
  /// them.
  func expandsMacro(_ name: String) -> Bool {
    switch name {
    case "or", "orValue", "math.greatest", "math.least": true
    default: environment.expandsMacros
    }
  }

  @inline(never)
  mutating func lowerArguments(_ node: SyntaxNode) -> [UInt32] {
    var arguments: [UInt32] = []
    arguments.reserveCapacity(Int(node.third) &+ 1)
    for child in tree.children(of: node) { arguments.append(lower(NodeID(child))) }
    return arguments
  }

  /// Lowers a strict call. The argument kinds choose among overloads of that style and argument
  /// count.
  mutating func call(
    _ name: String, _ arguments: [UInt32], isMember: Bool, span: SourceSpan
  ) -> UInt32 {
    guard let definition = library[name] else {
      return addedCall(name, arguments, isMember: isMember, span: span)
    }
    switch definition.form {
    case .macro:
      // A macro that was not called in its form.
      let code: FailureCode = environment.expandsMacros ? .noMatchingOverload : .unknownFunction
      return ir.raise(code, naming: name, span: span)
    case .function: return ir.call(definition, arguments, span: span)
    case .overloads(let overloads):
      guard
        let builtin = FunctionOverload.dispatch(
          overloads, isMember: isMember, argumentCount: arguments.count)
      else { return ir.raise(.noMatchingOverload, naming: name, span: span) }
      let resolved = FunctionDefinition(
        Self.resolvedName(name, isMember: isMember, argumentCount: arguments.count),
        parameters: Array(repeating: .any, count: arguments.count), signatures: [], summary: "",
        examples: [], form: .function(builtin),
        intrinsic: definition.intrinsic)
      return ir.call(resolved, arguments, span: span)
    }
  }

  /// Lowers a call of a function that was added to the environment.
  @inline(never)
  private mutating func addedCall(
    _ name: String, _ arguments: [UInt32], isMember: Bool, span: SourceSpan
  ) -> UInt32 {
    let call = ir.call(name, arguments, isMember: isMember, in: environment, span: span)
    guard let (node, requirement) = call else {
      let isKnown = !environment.implementations(of: name).isEmpty
      return ir.raise(isKnown ? .noMatchingOverload : .unknownFunction, naming: name, span: span)
    }
    hostCalls.append(requirement)
    return node
  }

  /// Returns the name for calls in one style with a number of arguments, by which programs
  /// distinguish functions.
  private static func resolvedName(
    _ name: String, isMember: Bool, argumentCount: Int
  ) -> String {
    "\(isMember ? "." : "")\(name)/\(argumentCount)"
  }

  // MARK: Host functions

  /// Returns whether a call calls a function that the host provides under `device` or `computed`.
  @inline(never)
  mutating func isHostCall(_ node: SyntaxNode) -> Bool { hostFunction(node) != nil }

  private mutating func hostFunction(
    _ node: SyntaxNode
  ) -> (table: String, function: FilterEnvironment.HostFunction)? {
    guard node.first != SyntaxNode.none else { return nil }
    let target = tree[NodeID(node.first)]
    guard target.kind == .identifier else { return nil }
    let table = tree.name(of: target)
    guard binding(named: table) == nil else { return nil }
    let functions: [String: FilterEnvironment.HostFunction]
    switch table {
    case "device": functions = environment.deviceFunctions
    case "computed": functions = environment.computedFunctions
    default: return nil
    }
    return functions[tree.name(of: node)].map { (table, $0) }
  }

  @inline(never)
  private mutating func lowerHostCall(_ node: SyntaxNode) -> UInt32 {
    makeHostCall(node, lowerArguments(node))
  }

  @inline(never)
  private mutating func makeHostCall(_ node: SyntaxNode, _ arguments: [UInt32]) -> UInt32 {
    guard let (table, function) = hostFunction(node) else {
      return ir.raise(.unknownFunction, span: node.span)
    }
    let name = tree.name(of: node)
    let (call, requirement) = ir.hostCall(
      HostFunctionReference(name: name, table: table, form: .function(function)), arguments,
      knownState: environment.knownState, span: node.span)
    if let requirement { hostCalls.append(requirement) }
    return call
  }
}
