import ExpressionSyntax

// Functions, macros and host functions (docs/spec/superscript.md §3, §10, §11, §14).

extension SuperscriptLowering {
  /// Lowers a call.
  ///
  /// - Parameter target: The lowered receiver, if the call has one that is evaluated.
  @inline(never)
  mutating func lowerCall(_ id: NodeID, _ mode: Mode, target: UInt32?) -> UInt32 {
    switch form(of: id) {
    case .host: lowerHostCall(id, mode, target: target)
    case .added: lowerAddedCall(id, mode, target: target)
    case .function: lowerFunction(id, mode, target: target)
    case .macro(.loop(let kind)): lowerLoop(id, mode, target: target, kind)
    case .macro(.has): lowerHas(id, mode, target: target)
    case .macro(.hasFunction): lowerHasFunction(id, mode, target: target)
    case .macro(.maybe): lowerMaybe(id, mode, target: target)
    // Neither the receiver nor the arguments of an unknown function are evaluated.
    case .macro(.cel), .unknown: ir.raise(.unknownFunction, span: tree[id].span)
    }
  }

  private enum CallForm {
    case host
    /// A function that was added to the environment.
    case added
    case function
    case macro(FunctionDefinition.Macro)
    case unknown
  }

  @inline(never)
  private mutating func form(of id: NodeID) -> CallForm {
    let name = tree.name(of: tree[id])
    if hostFunction(name) != nil { return .host }
    switch library[name]?.form {
    case .function: return .function
    case .macro(let macro): return .macro(macro)
    case .overloads, nil: return callsAdded(tree[id]) ? .added : .unknown
    }
  }

  // MARK: Functions that were added

  /// Returns whether a call, which is one of an unknown function for the reference, calls a
  /// function that was added to the environment.
  mutating func callsAdded(_ node: SyntaxNode) -> Bool {
    let overloads = isNullSafe ? environment.implementations(of: tree.name(of: node)) : []
    guard node.first != SyntaxNode.none else {
      return overloads.contains { !$0.function.type.isMember }
    }
    let target = tree[NodeID(node.first)]
    if target.kind == .identifier, ["device", "computed"].contains(tree.name(of: target)) {
      return false
    }
    return overloads.contains { $0.function.type.isMember }
  }

  @inline(never)
  private mutating func lowerAddedCall(
    _ id: NodeID, _ mode: Mode, target: UInt32?
  ) -> UInt32 {
    makeAddedCall(tree[id], (target.map { [$0] } ?? []) + lowerChildren(id, mode))
  }

  @inline(never)
  private mutating func makeAddedCall(_ node: SyntaxNode, _ arguments: [UInt32]) -> UInt32 {
    guard
      let (call, requirement) = ir.call(
        tree.name(of: node), arguments, isMember: node.first != SyntaxNode.none, in: environment,
        span: node.span)
    else { return ir.raise(.unknownFunction, span: node.span) }
    hostCalls.append(requirement)
    return call
  }

  // MARK: Host functions

  private mutating func hostFunction(_ name: String) -> (String, FilterEnvironment.HostFunction)? {
    if let function = environment.deviceFunctions[name] { return ("device", function) }
    if let function = environment.computedFunctions[name] { return ("computed", function) }
    return nil
  }

  @inline(never)
  private mutating func lowerHostCall(
    _ id: NodeID, _ mode: Mode, target: UInt32?
  ) -> UInt32 {
    let arguments = lowerChildren(id, mode)
    return makeHostCall(tree[id], target: target, arguments)
  }

  @inline(never)
  private mutating func makeHostCall(
    _ node: SyntaxNode, target: UInt32?, _ lowered: [UInt32]
  ) -> UInt32 {
    let name = tree.name(of: node)
    guard let (table, function) = hostFunction(name) else {
      return ir.raise(.unknownFunction, span: node.span)
    }
    // The reference aborts when an argument fails; here that is a failure no rule turns into null.
    let arguments = zip(lowered, tree.children(of: node)).map { argument, child in
      orMissingArgument(argument, span: tree[NodeID(child)].span)
    }
    let (call, requirement) = ir.hostCall(
      HostFunctionReference(name: name, table: table, form: .function(function)), arguments,
      knownState: environment.knownState, span: node.span)
    if let requirement { hostCalls.append(requirement) }
    return after(target, call, node)
  }

  /// Returns `value`, or ``FailureCode/missingArgument`` when it fails.
  @inline(never)
  private mutating func orMissingArgument(_ value: UInt32, span: SourceSpan) -> UInt32 {
    guard ir.constantSlot(value) == nil else { return value }
    let failure = ir.raise(.missingArgument, span: span)
    return ir.rescue(value, .any, instead: failure, span: span)
  }

  /// Returns `result`, after the receiver was evaluated for its failures.
  @inline(never)
  private mutating func after(
    _ target: UInt32?, _ result: UInt32, _ node: SyntaxNode
  ) -> UInt32 {
    guard let target else { return result }
    let receiver = ir.nodes[Int(target)]
    switch receiver.kind {
    case .constant, .local: return result
    case .variable where ir.attributes[Int(receiver.first)].rootIsOptional: return result
    // `device` merged with the host's functions: neither can fail, and `device.f(…)` need not build
    // a map that nothing uses.
    case .overlay: return result
    default: return ir.sequence(target, result, span: node.span)
    }
  }

  // MARK: Library functions

  @inline(never)
  private mutating func lowerFunction(
    _ id: NodeID, _ mode: Mode, target: UInt32?
  ) -> UInt32 {
    let node = tree[id]
    let taken = takenArguments(node, target: target)
    var arguments: [UInt32] = []
    if taken.hasSubject {
      guard let subject = lowerSubject(node, mode, target: target) else {
        return ir.raise(.missingArgument, span: node.span)
      }
      arguments.append(subject)
    }
    for child in taken.children { arguments.append(lower(NodeID(child), mode)) }
    return makeFunction(node, target: target, arguments)
  }

  /// Returns the arguments that a function evaluates one by one, and whether the subject comes
  /// first. Surplus arguments are ignored.
  @inline(never)
  private mutating func takenArguments(
    _ node: SyntaxNode, target: UInt32?
  ) -> (hasSubject: Bool, children: Slice<UnsafeBufferPointer<UInt32>>) {
    guard let definition = library[tree.name(of: node)] else {
      return (false, tree.children(of: node).prefix(0))
    }
    let hasSubject = definition.subject != nil
    let children = tree.children(of: node).dropFirst(hasSubject && target == nil ? 1 : 0)
    return (
      hasSubject, definition.isVariadic ? children : children.prefix(definition.parameters.count)
    )
  }

  @inline(never)
  private mutating func makeFunction(
    _ node: SyntaxNode, target: UInt32?, _ lowered: [UInt32]
  ) -> UInt32 {
    guard let definition = library[tree.name(of: node)] else {
      return ir.raise(.unknownFunction, span: node.span)
    }
    let taken = takenArguments(node, target: target)
    var arguments = lowered
    if let kinds = definition.subject {
      arguments[0] = expecting(kinds, arguments[0], span: node.span)
    }
    if !definition.isVariadic {
      let first = taken.hasSubject ? 1 : 0
      for (index, child) in taken.children.enumerated() {
        arguments[first + index] = expecting(
          definition.parameters[index], arguments[first + index], span: tree[NodeID(child)].span)
      }
      if taken.children.count < definition.parameters.count {
        arguments.append(ir.raise(.argumentCount, span: node.span))
      }
    }
    if definition.intrinsic == .size, let counted = ir.counting(arguments) {
      return after(target, counted, node)
    }
    let call = ir.add(
      .call, first: ir.function(definition), children: arguments, span: node.span)
    return definition.subject == nil ? after(target, call, node) : call
  }

  /// Returns the receiver, or the first argument, whose failure is reported as a missing argument;
  /// `nil` without either.
  @inline(never)
  private mutating func lowerSubject(
    _ node: SyntaxNode, _ mode: Mode, target: UInt32?
  ) -> UInt32? {
    if let target { return target }
    guard let first = tree.children(of: node).first else { return nil }
    let misses = unguardedMisses
    let value = lower(NodeID(first), mode)
    unguardedMisses = misses
    return orMissingArgument(value, span: tree[NodeID(first)].span)
  }

  /// Returns `value`, or a failure when it is not of any of the kinds.
  @inline(never)
  mutating func expecting(
    _ kinds: SlotKinds, _ value: UInt32, failing code: FailureCode = .unexpectedType,
    span: SourceSpan
  ) -> UInt32 {
    if kinds == .any { return value }
    if let slot = ir.constantSlot(value), kinds.contains(tagOf: slot) { return value }
    return ir.add(
      IRNode(
        kind: .expect, span: span, first: value, second: kinds.rawValue,
        third: UInt32(code.rawValue)))
  }

  // MARK: Macros

  /// Returns the mode for the arguments of `has` and `hasFn`: nothing is rewritten inside an index.
  private mutating func insideHas(_ mode: Mode) -> Mode {
    isNullSafe && mode != .verbatim ? .raw : .verbatim
  }

  @inline(never)
  private mutating func lowerHas(
    _ id: NodeID, _ mode: Mode, target: UInt32?
  ) -> UInt32 {
    let node = tree[id]
    guard let first = tree.children(of: node).first else {
      return after(target, ir.raise(.argumentCount, span: node.span), node)
    }
    let misses = unguardedMisses
    let value = lower(NodeID(first), insideHas(mode))
    unguardedMisses = misses
    return makeHas(node, target: target, value)
  }

  @inline(never)
  private mutating func makeHas(
    _ node: SyntaxNode, target: UInt32?, _ value: UInt32
  ) -> UInt32 {
    let present = ir.sequence(
      value, ir.constant(.bool(true), span: node.span), span: node.span)
    let absent = ir.constant(.bool(false), span: node.span)
    return after(
      target, ir.rescue(present, .missingKey, instead: absent, span: node.span), node)
  }

  @inline(never)
  private mutating func lowerHasFunction(
    _ id: NodeID, _ mode: Mode, target: UInt32?
  ) -> UInt32 {
    let node = tree[id]
    guard let first = tree.children(of: node).first else {
      return after(target, ir.raise(.argumentCount, span: node.span), node)
    }
    let name = lower(NodeID(first), insideHas(mode))
    let call = ir.add(
      .call, first: ir.function(.hasFunction(in: environment)), children: [name],
      span: node.span)
    return after(target, call, node)
  }

  @inline(never)
  private mutating func lowerMaybe(
    _ id: NodeID, _ mode: Mode, target: UInt32?
  ) -> UInt32 {
    let node = tree[id]
    guard let subject = lowerSubject(node, mode, target: target) else {
      return ir.raise(.missingArgument, span: node.span)
    }
    guard let (attempt, fallback) = attempts(node, after: target == nil ? 1 : 0) else {
      return ir.sequence(subject, ir.raise(.argumentCount, span: node.span), span: node.span)
    }
    let misses = unguardedMisses
    let value = lower(attempt, mode)
    unguardedMisses = misses
    return makeMaybe(node, subject, value, lower(fallback, mode))
  }

  /// Returns the two arguments of `maybe` that may be its value, if it has both.
  @inline(never)
  private mutating func attempts(
    _ node: SyntaxNode, after taken: Int
  ) -> (NodeID, NodeID)? {
    let rest = tree.children(of: node).dropFirst(taken)
    guard let attempt = rest.first, let fallback = rest.dropFirst().first else { return nil }
    return (NodeID(attempt), NodeID(fallback))
  }

  @inline(never)
  private mutating func makeMaybe(
    _ node: SyntaxNode, _ subject: UInt32, _ value: UInt32, _ fallback: UInt32
  ) -> UInt32 {
    let result = ir.rescue(value, .any, instead: fallback, span: node.span)
    return ir.sequence(subject, result, span: node.span)
  }

  @inline(never)
  private mutating func lowerLoop(
    _ id: NodeID, _ mode: Mode, target: UInt32?, _ kind: LoopKind
  ) -> UInt32 {
    let node = tree[id]
    guard let range = lowerSubject(node, mode, target: target) else {
      return ir.raise(.missingArgument, span: node.span)
    }
    let taken = target == nil ? 1 : 0
    if let mistake = bindVariable(node, range, taken) { return mistake }
    let body = tree.children(of: node)[Int(node.second) + taken + 1]
    depth += 1
    let value = lower(NodeID(body), mode)
    depth -= 1
    return makeLoop(node, kind, range, value)
  }

  @inline(never)
  private mutating func makeLoop(
    _ node: SyntaxNode, _ kind: LoopKind, _ range: UInt32, _ value: UInt32
  ) -> UInt32 {
    let local = scope.removeLast().local
    return ir.add(
      IRNode(
        kind: .loop, detail: kind.rawValue, span: node.span, first: range, second: value,
        third: local))
  }

  /// Puts the variable of a loop in scope, or returns the result of a loop without a valid variable
  /// or body.
  @inline(never)
  private mutating func bindVariable(
    _ node: SyntaxNode, _ range: UInt32, _ taken: Int
  ) -> UInt32? {
    let rest = tree.children(of: node).dropFirst(taken)
    guard let first = rest.first else {
      return ir.sequence(range, ir.raise(.argumentCount, span: node.span), span: node.span)
    }
    let variable = tree[NodeID(first)]
    guard variable.kind == .identifier else {
      let failure = ir.raise(
        quotesReferencePhrase(NodeID(first)) ? .unknownFunction : .unexpectedType,
        span: variable.span)
      return ir.sequence(range, failure, span: node.span)
    }
    guard rest.count > 1 else {
      return ir.sequence(range, ir.raise(.argumentCount, span: node.span), span: node.span)
    }
    let local = ir.newLocal()
    scope.append((tree.name(of: variable), local))
    return nil
  }
}
