import ExpressionSyntax

// Names, members and indexes (docs/spec/superscript.md §2, §14).

extension SuperscriptLowering {
  /// Returns the layer that an identifier names, unless a loop variable hides it.
  mutating func layerRoot(_ node: SyntaxNode) -> Root? {
    guard case .identifier = node.kind, let root = Root(layerNamed: tree.nameBytes(of: node)) else {
      return nil
    }
    return scope.isEmpty || local(named: tree.name(of: node)) == nil ? root : nil
  }

  mutating func local(named name: String) -> UInt32? {
    scope.last { $0.name == name }?.local
  }

  /// Returns whether a name can be called, as a function of the library or the host.
  mutating func isKnownFunction(_ name: String) -> Bool {
    library.contains(name) || environment.deviceFunctions[name] != nil
      || environment.computedFunctions[name] != nil
  }

  /// Returns whether the name of a node can be called.
  private mutating func hasKnownFunctionName(_ node: SyntaxNode) -> Bool {
    guard environment.deviceFunctions.isEmpty, environment.computedFunctions.isEmpty else {
      return isKnownFunction(tree.name(of: node))
    }
    // Most names are ruled out as functions without creating a `String`.
    return library.mayContain(tree.nameBytes(of: node)) && library.contains(tree.name(of: node))
  }

  @inline(never)
  mutating func lowerIdentifier(_ node: SyntaxNode) -> UInt32 {
    let name = tree.name(of: node)
    if let local = local(named: name) {
      return ir.add(IRNode(kind: .local, span: node.span, first: local))
    }
    switch name {
    case "device" where isNullSafe:
      let device = variable("device", isOptional: true, span: node.span)
      let table =
        deviceFunctions
        ?? ir.number(ofConstant: functionTable("device", environment.deviceFunctions))
      deviceFunctions = table
      let functions = ir.add(IRNode(kind: .constant, span: node.span, first: table))
      return ir.add(
        IRNode(kind: .overlay, span: node.span, first: device, second: functions))
    case "computed" where isNullSafe:
      return ir.constant(
        functionTable("computed", environment.computedFunctions), span: node.span)
    default:
      return variable(name, isOptional: false, span: node.span)
    }
  }

  @inline(never)
  private mutating func variable(
    _ name: String, isOptional: Bool, span: SourceSpan
  ) -> UInt32 {
    var name = name
    let number = name.withUTF8 { bytes in
      ir.attribute(root: .other, name: bytes, rootIsOptional: isOptional)
    }
    return ir.add(IRNode(kind: .variable, span: span, first: number))
  }

  /// Returns a table of host functions as the map that the reference shows under their root.
  @inline(never)
  private mutating func functionTable(
    _ table: String, _ functions: [String: FilterEnvironment.HostFunction]
  ) -> Slot {
    var entries: [Value.Key: Value] = [:]
    for name in functions.keys { entries[.string(name)] = functionValue(table, name) }
    return Slot.make(.map(entries), in: &ir.arena) ?? .null
  }

  private func functionValue(_ table: String, _ name: String) -> Value {
    let arguments = environment.hostFunctionArguments["\(table).\(name)"] ?? []
    return .function(name: name, receiver: arguments.isEmpty ? nil : .list(arguments))
  }

  /// `user.name`, `device.name` or `params.name` in one probe.
  @inline(never)
  mutating func lowerAttribute(_ node: SyntaxNode, _ mode: Mode) -> UInt32 {
    let rootNode = tree[NodeID(node.first)]
    guard let root = layerRoot(rootNode), !hasKnownFunctionName(node) else {
      return lowerFunctionNamedAttribute(node, name: tree.name(of: node), rootNode: rootNode)
    }
    let number = ir.attribute(
      root: root, name: tree.nameBytes(of: node),
      rootIsOptional: root == .device && isNullSafe)
    if mode != .safe { unguardedMisses += 1 }
    return ir.add(
      IRNode(
        kind: .attribute, detail: policy(mode).rawValue, span: node.span, first: number))
  }

  /// Lowers an attribute that has the name of a function, and so is never missing: the function
  /// replaces it.
  @inline(never)
  private mutating func lowerFunctionNamedAttribute(
    _ node: SyntaxNode, name: String, rootNode: SyntaxNode
  ) -> UInt32 {
    let receiver = lowerIdentifier(rootNode)
    return member(node, name, of: receiver, policy: .function)
  }

  func policy(_ mode: Mode) -> MissingPolicy { mode == .safe ? .null : .fail }

  @inline(never)
  private mutating func member(
    _ node: SyntaxNode, _ name: String, of operand: UInt32, policy: MissingPolicy
  ) -> UInt32 {
    let number = ir.attribute(root: .other, name: tree.nameBytes(of: node))
    return ir.add(
      IRNode(
        kind: .member, detail: policy.rawValue, span: node.span, first: operand, second: number))
  }

  @inline(never)
  mutating func lowerSelect(
    _ node: SyntaxNode, _ mode: Mode, operand: UInt32, missesBefore: Int
  ) -> UInt32 {
    let name = tree.name(of: node)
    let isFunction = isKnownFunction(name)
    let result = member(
      node, name, of: operand, policy: isFunction ? .function : policy(mode))
    return guarded(result, node, mode, missesBefore: missesBefore, ownMiss: !isFunction)
  }

  @inline(never)
  mutating func lowerIndex(
    _ node: SyntaxNode, _ mode: Mode, operand: UInt32, missesBefore: Int
  ) -> UInt32 {
    let index = lower(NodeID(node.second), .verbatim)
    let result = ir.add(
      IRNode(kind: .element, span: node.span, first: operand, second: index))
    return guarded(result, node, mode, missesBefore: missesBefore, ownMiss: false)
  }

  /// In safe mode an access gives null when a key was missing anywhere inside it.
  @inline(never)
  private mutating func guarded(
    _ access: UInt32, _ node: SyntaxNode, _ mode: Mode, missesBefore: Int, ownMiss: Bool
  ) -> UInt32 {
    guard mode == .safe else {
      if ownMiss { unguardedMisses += 1 }
      return access
    }
    guard unguardedMisses > missesBefore else { return access }
    unguardedMisses = missesBefore
    let null = ir.constant(.null, span: node.span)
    return ir.rescue(access, .missingKey, instead: null, span: node.span)
  }
}
