import ExpressionSyntax

// Functions, macros and host functions (spec/superscript.md §3, §10, §11, §14).

extension SuperscriptLowering {
  /// Lowers a call.
  ///
  /// - Parameter target: The lowered receiver, if the call has one that is evaluated.
  @inline(never)
  mutating func lowerCall(_ node: SyntaxNode, _ mode: Mode, target: UInt32?) -> UInt32 {
    let name = tree.name(of: node)
    if let (table, function) = hostFunction(name) {
      return lowerHostCall(node, mode, target: target, name, table, function)
    }
    guard let definition = library[name] else {
      // Neither receiver nor arguments of an unknown function are evaluated.
      return ir.raise(.unknownFunction, span: node.span)
    }
    switch definition.form {
    case .function: return lowerFunction(node, mode, target: target, definition)
    case .macro(let macro): return lowerMacro(node, mode, target: target, macro)
    case .overloads: return ir.raise(.unknownFunction, span: node.span)
    }
  }

  // MARK: Host functions

  private func hostFunction(_ name: String) -> (String, Environment.HostFunction)? {
    if let function = environment.deviceFunctions[name] { return ("device", function) }
    if let function = environment.computedFunctions[name] { return ("computed", function) }
    return nil
  }

  @inline(never)
  private mutating func lowerHostCall(
    _ node: SyntaxNode, _ mode: Mode, target: UInt32?, _ name: String, _ table: String,
    _ function: @escaping Environment.HostFunction
  ) -> UInt32 {
    var arguments: [UInt32] = []
    var literals: [Value]? = []
    for child in tree.children(of: node) {
      let argument = lower(NodeID(child), mode)
      if let slot = ir.constantSlot(argument) {
        literals?.append(Value(slot))
      } else {
        literals = nil
      }
      // The reference aborts when an argument fails; here that is a failure no rule turns into null.
      arguments.append(orMissingArgument(argument, span: tree[NodeID(child)].span))
    }
    hostCalls.append(Requirements.HostCall(table: table, name: name, arguments: literals))
    let number = ir.hostFunction(
      HostFunctionReference(name: name, table: table, function: function))
    let call = ir.add(.hostCall, first: number, children: arguments, span: node.span)
    return after(target, call, node)
  }

  /// `value`, or ``FailureCode/missingArgument`` when it fails.
  @inline(never)
  private mutating func orMissingArgument(_ value: UInt32, span: SourceSpan) -> UInt32 {
    guard ir.constantSlot(value) == nil else { return value }
    let failure = ir.raise(.missingArgument, span: span)
    return ir.rescue(value, .any, instead: failure, span: span)
  }

  /// `result`, after the receiver was evaluated for its failures.
  @inline(never)
  private mutating func after(
    _ target: UInt32?, _ result: UInt32, _ node: SyntaxNode
  ) -> UInt32 {
    guard let target else { return result }
    let receiver = ir.nodes[Int(target)]
    switch receiver.kind {
    case .constant, .local: return result
    case .variable where ir.attributes[Int(receiver.first)].rootIsOptional: return result
    // `device` together with the host's functions: neither can fail, and `device.f(…)` must not
    // build a map that nobody looks at.
    case .overlay: return result
    default: return ir.sequence(target, result, span: node.span)
    }
  }

  // MARK: Library functions

  @inline(never)
  private mutating func lowerFunction(
    _ node: SyntaxNode, _ mode: Mode, target: UInt32?, _ definition: FunctionDefinition
  ) -> UInt32 {
    var rest = Array(tree.children(of: node))
    var arguments: [UInt32] = []
    if let kinds = definition.subject {
      guard let (subject, taken) = subject(node, mode, target: target) else {
        return ir.raise(.missingArgument, span: node.span)
      }
      rest.removeFirst(taken)
      arguments.append(expecting(kinds, subject, span: node.span))
    }
    if definition.isVariadic {
      for child in rest { arguments.append(lower(NodeID(child), mode)) }
    } else {
      for (index, kinds) in definition.parameters.enumerated() {
        guard index < rest.count else {
          arguments.append(ir.raise(.argumentCount, span: node.span))
          break
        }
        // Surplus arguments are ignored, unevaluated.
        let argument = lower(NodeID(rest[index]), mode)
        arguments.append(expecting(kinds, argument, span: tree[NodeID(rest[index])].span))
      }
    }
    if definition.name == "size", let counted = ir.counting(arguments, span: node.span) {
      return after(target, counted, node)
    }
    let call = ir.add(
      .call, first: ir.function(definition), children: arguments, span: node.span)
    return definition.subject == nil ? after(target, call, node) : call
  }

  /// The receiver, or the first argument whose failure is reported as a missing one.
  ///
  /// - Returns: The lowered subject and the number of arguments that it took; `nil` without any.
  @inline(never)
  private mutating func subject(
    _ node: SyntaxNode, _ mode: Mode, target: UInt32?
  ) -> (UInt32, Int)? {
    if let target { return (target, 0) }
    guard let first = tree.children(of: node).first else { return nil }
    let misses = unguardedMisses
    let value = lower(NodeID(first), mode)
    unguardedMisses = misses
    return (orMissingArgument(value, span: tree[NodeID(first)].span), 1)
  }

  /// `value`, or a failure when it is of none of the kinds.
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

  /// How the arguments of `has` and `hasFn` are lowered: nothing is rewritten inside an index.
  private func insideHas(_ mode: Mode) -> Mode {
    isNullSafe && mode != .verbatim ? .raw : .verbatim
  }

  @inline(never)
  private mutating func lowerMacro(
    _ node: SyntaxNode, _ mode: Mode, target: UInt32?, _ macro: FunctionDefinition.Macro
  ) -> UInt32 {
    switch macro {
    case .loop(let kind): return lowerLoop(node, mode, target: target, kind)
    case .has:
      guard let first = tree.children(of: node).first else {
        return after(target, ir.raise(.argumentCount, span: node.span), node)
      }
      let misses = unguardedMisses
      let value = lower(NodeID(first), insideHas(mode))
      unguardedMisses = misses
      let present = ir.sequence(
        value, ir.constant(.bool(true), span: node.span), span: node.span)
      let absent = ir.constant(.bool(false), span: node.span)
      return after(
        target, ir.rescue(present, .missingKey, instead: absent, span: node.span), node)
    case .hasFunction:
      guard let first = tree.children(of: node).first else {
        return after(target, ir.raise(.argumentCount, span: node.span), node)
      }
      let name = lower(NodeID(first), insideHas(mode))
      let call = ir.add(
        .call, first: ir.function(.hasFunction(in: environment)), children: [name],
        span: node.span)
      return after(target, call, node)
    case .maybe: return lowerMaybe(node, mode, target: target)
    case .cel: return ir.raise(.unknownFunction, span: node.span)
    }
  }

  @inline(never)
  private mutating func lowerMaybe(
    _ node: SyntaxNode, _ mode: Mode, target: UInt32?
  ) -> UInt32 {
    guard let (subject, taken) = subject(node, mode, target: target) else {
      return ir.raise(.missingArgument, span: node.span)
    }
    let rest = tree.children(of: node).dropFirst(taken)
    guard rest.count >= 2, let attempt = rest.first, let fallback = rest.dropFirst().first else {
      return ir.sequence(subject, ir.raise(.argumentCount, span: node.span), span: node.span)
    }
    let misses = unguardedMisses
    let value = lower(NodeID(attempt), mode)
    unguardedMisses = misses
    let instead = lower(NodeID(fallback), mode)
    let result = ir.rescue(value, .any, instead: instead, span: node.span)
    return ir.sequence(subject, result, span: node.span)
  }

  @inline(never)
  private mutating func lowerLoop(
    _ node: SyntaxNode, _ mode: Mode, target: UInt32?, _ kind: LoopKind
  ) -> UInt32 {
    guard let (range, taken) = subject(node, mode, target: target) else {
      return ir.raise(.missingArgument, span: node.span)
    }
    let rest = tree.children(of: node).dropFirst(taken)
    guard let variable = rest.first.map({ tree[NodeID($0)] }) else {
      return ir.sequence(range, ir.raise(.argumentCount, span: node.span), span: node.span)
    }
    guard variable.kind == .identifier else {
      let failure = ir.raise(
        quotesReferencePhrase(variable) ? .unknownFunction : .unexpectedType,
        span: variable.span)
      return ir.sequence(range, failure, span: node.span)
    }
    guard let body = rest.dropFirst().first else {
      return ir.sequence(range, ir.raise(.argumentCount, span: node.span), span: node.span)
    }
    let local = ir.newLocal()
    scope.append((tree.name(of: variable), local))
    let value = lower(NodeID(body), mode)
    scope.removeLast()
    return ir.add(
      IRNode(
        kind: .loop, detail: kind.rawValue, span: node.span, first: range, second: value,
        third: local))
  }
}
