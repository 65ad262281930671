import ExpressionSyntax

// Macros: constructs that look like calls and see their arguments unevaluated (docs/spec/cel.md §8,
// §14–§16, §19). A call that has a macro's name but not its number of arguments is an ordinary
// call.

extension CELLowering {
  /// A macro that is called like a function.
  enum FunctionMacro {
    case has
    case bind
    case block
    /// `cel.index`, `cel.iterVar` and `cel.accuVar`.
    case generatedName
    /// `math.greatest` and `math.least`.
    case extreme
  }

  /// A macro that is called like a method.
  enum MethodMacro {
    case loop(variables: Int)
    case sortBy
    case optionalMap
    case or
  }

  /// Returns the macro of a call without a receiver, or `nil` if the call is not a macro.
  @inline(never)
  mutating func functionMacro(_ node: SyntaxNode) -> FunctionMacro? {
    let name = calledName(of: node)
    guard expandsMacro(name), let definition = library[name], case .macro = definition.form else {
      return nil
    }
    switch (name, tree.children(of: node).count) {
    case ("has", 1): return .has
    case ("cel.bind", 3): return .bind
    case ("cel.block", 2): return .block
    case ("cel.index", 1), ("cel.iterVar", 2), ("cel.accuVar", 2): return .generatedName
    case ("math.greatest", _), ("math.least", _): return .extreme
    default: return nil
    }
  }

  /// Returns the macro of a call with a receiver, or `nil` if the call is not a macro.
  @inline(never)
  mutating func methodMacro(_ node: SyntaxNode) -> MethodMacro? {
    let name = tree.name(of: node)
    guard expandsMacro(name), let definition = library[name], case .macro = definition.form else {
      return nil
    }
    switch (name, tree.children(of: node).count) {
    case ("all", 2), ("exists", 2), ("exists_one", 2), ("filter", 2), ("map", 2), ("map", 3):
      return .loop(variables: 1)
    case ("all", 3), ("exists", 3), ("exists_one", 3), ("existsOne", 3), ("transformList", 3),
      ("transformList", 4), ("transformMap", 3), ("transformMap", 4), ("transformMapEntry", 3),
      ("transformMapEntry", 4):
      return environment.libraries.contains(.comprehensions) ? .loop(variables: 2) : nil
    case ("sortBy", 2): return .sortBy
    case ("optMap", 2), ("optFlatMap", 2): return .optionalMap
    case ("or", 1), ("orValue", 1): return .or
    default: return nil
    }
  }

  /// Expands a macro that is called like a function.
  @inline(never)
  mutating func lowerMacro(_ node: SyntaxNode, _ macro: FunctionMacro) -> UInt32 {
    depth += 1
    defer { depth -= 1 }
    return switch macro {
    case .has: lowerHas(node, arguments(of: node)[0])
    case .bind: lowerBind(node, arguments(of: node))
    case .block: lowerBlock(node, arguments(of: node))
    case .generatedName: useGeneratedName(node)
    case .extreme: lowerExtreme(node)
    }
  }

  /// Expands a macro that is called like a method.
  @inline(never)
  mutating func lowerMacro(
    _ node: SyntaxNode, _ target: UInt32, _ macro: MethodMacro
  ) -> UInt32 {
    depth += 1
    defer { depth -= 1 }
    return switch macro {
    case .loop(let variables):
      lowerLoop(node, target, variables: variables, arguments(of: node))
    case .sortBy: lowerSortBy(node, target, arguments(of: node))
    case .optionalMap: lowerOptionalMap(node, target, arguments(of: node))
    case .or: lowerOr(node, target, arguments(of: node)[0])
    }
  }

  @inline(never)
  mutating func arguments(of node: SyntaxNode) -> [NodeID] {
    tree.children(of: node).map { NodeID($0) }
  }

  @inline(never)
  private mutating func useGeneratedName(_ node: SyntaxNode) -> UInt32 {
    guard let name = generatedName(node) else {
      return mistake(
        "`\(calledName(of: node))` takes literal numbers that are not negative", at: node.span)
    }
    guard let binding = binding(named: name) else {
      return ir.raise(.undeclared, naming: name, span: node.span)
    }
    return use(binding, span: node.span)
  }

  // MARK: Parts

  /// Records a mistake that is found before evaluation.
  mutating func mistake(
    _ message: String, at span: SourceSpan, helps: [String] = []
  ) -> UInt32 {
    diagnostics.append(
      Diagnostic(.malformedMacro, message, at: span, label: "not possible here", helps: helps))
    return ir.raise(.unsupportedConstruct, span: span)
  }

  /// Returns the variable that an argument introduces, or records a mistake if it is not a plain
  /// name.
  mutating func variable(_ id: NodeID) -> String? {
    let node = tree[id]
    if node.kind == .identifier, node.flags.isDisjoint(with: [.leadingDot, .quotedName]) {
      return tree.name(of: node)
    }
    if node.kind == .call, node.first != SyntaxNode.none,
      let name = qualifiedName(of: node), name != "cel.index",
      let generated = generatedName(node)
    {
      return generated
    }
    _ = mistake(
      "the variable of a macro must be a plain name", at: node.span,
      helps: ["write a name such as `x`, without dots or quotes"])
    return nil
  }

  /// Returns the name that `cel.index`, `cel.iterVar` or `cel.accuVar` generates.
  private func generatedName(_ node: SyntaxNode) -> String? {
    let numbers = tree.children(of: node).map { tree[NodeID($0)] }
    guard
      numbers.allSatisfy({ $0.kind == .intLiteral && Int64(bitPattern: $0.payload) >= 0 })
    else { return nil }
    let texts = numbers.map { String($0.payload) }
    switch (tree.name(of: node), texts.count) {
    case ("index", 1): return "@index\(texts[0])"
    case ("iterVar", 2): return "@it:\(texts[0]):\(texts[1])"
    case ("accuVar", 2): return "@ac:\(texts[0]):\(texts[1])"
    default: return nil
    }
  }

  /// Lowers a node while a name stands for a binding.
  @inline(never)
  mutating func lower(
    _ id: NodeID, with bindings: [(name: String, binding: Binding)]
  ) -> UInt32 {
    for (name, binding) in bindings { scope[name, default: []].append(binding) }
    let result = lower(id)
    for (name, _) in bindings { scope[name]?.removeLast() }
    return result
  }

  /// Makes a value available to several nodes: directly if it is a constant or a local, otherwise
  /// in a local of its own.
  @inline(never)
  mutating func sharing(
    _ value: UInt32, span: SourceSpan, _ body: (inout CELLowering, Binding) -> UInt32
  ) -> UInt32 {
    let node = ir.nodes[Int(value)]
    if let slot = ir.constantSlot(value) { return body(&self, .constant(slot)) }
    if node.kind == .local { return body(&self, .local(node.first)) }
    let local = ir.newLocal()
    let result = body(&self, .local(local))
    return ir.add(
      IRNode(kind: .bind, span: span, first: value, second: local, third: result))
  }

  // MARK: has

  @inline(never)
  private mutating func lowerHas(_ node: SyntaxNode, _ argument: NodeID) -> UInt32 {
    let field = tree[argument]
    guard field.kind == .select, !field.flags.contains(.optional) else {
      return mistake(
        "`has` needs a field, such as `has(user.age)`", at: field.span,
        helps: [
          field.kind == .index ? "to test a key, write `key in map`" : "name a field: `has(a.b)`"
        ])
    }
    if let attribute = attributeTest(node, field) { return attribute }
    return makeHas(node, field, lower(NodeID(field.first)))
  }

  @inline(never)
  private mutating func makeHas(
    _ node: SyntaxNode, _ field: SyntaxNode, _ operand: UInt32
  ) -> UInt32 {
    ir.call(.celHas, [operand, name(of: field)], span: node.span)
  }

  /// Lowers an attribute of a layer, which one probe finds. Returns `nil` for any other field.
  @inline(never)
  private mutating func attributeTest(_ node: SyntaxNode, _ field: SyntaxNode) -> UInt32? {
    let root = tree[NodeID(field.first)]
    if root.kind == .identifier, !field.flags.contains(.quotedName), prefixes.count == 1,
      let layer = Root(layerNamed: tree.name(of: root)),
      binding(named: layer.name) == nil || root.flags.contains(.leadingDot)
    {
      let number = ir.attribute(root: layer, name: tree.nameBytes(of: field))
      let attribute = ir.add(
        IRNode(
          kind: .attribute, detail: MissingPolicy.fail.rawValue, span: field.span, first: number))
      let yes = ir.constant(.bool(true), span: node.span)
      let present = ir.sequence(attribute, yes, span: node.span)
      // Without the field the result is false, unless the name stands for something without fields.
      let whole = valueInsteadOfLayer(layer, span: root.span)
      let no = ir.call(.celHas, [whole, name(of: field)], span: node.span)
      return ir.rescue(present, .missingKey, instead: no, span: node.span)
    }
    return nil
  }

  // MARK: Loops

  @inline(never)
  private mutating func lowerLoop(
    _ node: SyntaxNode, _ range: UInt32, variables count: Int, _ arguments: [NodeID]
  ) -> UInt32 {
    guard let bindings = loopBindings(arguments.prefix(count)) else {
      return ir.raise(.unsupportedConstruct, span: node.span)
    }
    // An omitted body is the element; a condition precedes the body.
    let isFilter = isFilter(node)
    var filter: UInt32?
    if isFilter || arguments.count == count + 2 {
      filter = lower(arguments[count], with: bindings)
    }
    let body =
      isFilter
      ? use(bindings[0].binding, span: node.span)
      : lower(arguments[arguments.count - 1], with: bindings)
    return makeLoop(node, range, bindings, filter: filter, body: body)
  }

  @inline(never)
  private mutating func isFilter(_ node: SyntaxNode) -> Bool { tree.name(of: node) == "filter" }

  /// Returns the locals of a loop's variables, or records a mistake if they are not valid.
  @inline(never)
  private mutating func loopBindings(
    _ variables: ArraySlice<NodeID>
  ) -> [(name: String, binding: Binding)]? {
    let names = variables.map { variable($0) }
    guard let first = names.first ?? nil, let last = names.last ?? nil else { return nil }
    if names.count == 2, first == last {
      _ = mistake(
        "the two variables of a macro need different names", at: tree[variables[1]].span)
      return nil
    }
    return names.compactMap { $0 }.map { ($0, .local(ir.newLocal())) }
  }

  @inline(never)
  private mutating func makeLoop(
    _ node: SyntaxNode, _ range: UInt32, _ bindings: [(name: String, binding: Binding)],
    filter: UInt32?, body: UInt32
  ) -> UInt32 {
    let locals = bindings.map { variable in
      if case .local(let local) = variable.binding { local } else { UInt32(0) }
    }
    let kind: Comprehension.Kind
    switch tree.name(of: node) {
    case "all": kind = .all
    case "exists": kind = .exists
    case "exists_one", "existsOne": kind = .existsOne
    case "transformMap": kind = .map
    case "transformMapEntry": kind = .entries
    default: kind = .list
    }
    return comprehension(
      Comprehension(
        kind: kind, range: range, firstLocal: locals[0],
        secondLocal: locals.count == 2 ? locals[1] : nil, filter: filter, body: body),
      span: node.span)
  }

  @inline(never)
  private mutating func comprehension(_ loop: Comprehension, span: SourceSpan) -> UInt32 {
    ir.comprehensions.append(loop, in: &ir.scratch)
    return ir.add(
      IRNode(
        kind: .comprehension, span: span,
        first: UInt32(truncatingIfNeeded: ir.comprehensions.count &- 1)))
  }

  /// Lowers `list.sortBy(x, key)`: the list and the list of its keys are sorted together.
  @inline(never)
  private mutating func lowerSortBy(
    _ node: SyntaxNode, _ target: UInt32, _ arguments: [NodeID]
  ) -> UInt32 {
    guard let name = variable(arguments[0]) else {
      return ir.raise(.unsupportedConstruct, span: node.span)
    }
    // It becomes a shared list, a loop over it and a call, one in the other.
    depth += 2
    defer { depth -= 2 }
    return sharing(target, span: node.span) { lowering, list in
      let local = lowering.ir.newLocal()
      let key = lowering.lower(arguments[1], with: [(name: name, binding: .local(local))])
      let range = lowering.use(list, span: node.span)
      let keys = lowering.comprehension(
        Comprehension(
          kind: .list, range: range, firstLocal: local, secondLocal: nil, filter: nil, body: key),
        span: node.span)
      let elements = lowering.use(list, span: node.span)
      return lowering.ir.call(.celSortByKeys, [elements, keys], span: node.span)
    }
  }
}
