import ExpressionSyntax

// Macros over optionals, bindings, and the greatest and least of values.

extension CELLowering {
  /// `optional.optMap(x, e)` and `optional.optFlatMap(x, e)`.
  @inline(never)
  mutating func lowerOptionalMap(
    _ node: SyntaxNode, _ target: UInt32, _ arguments: [NodeID]
  ) -> UInt32 {
    guard let name = variable(arguments[0]) else {
      return ir.raise(.unsupportedConstruct, span: node.span)
    }
    let wraps = tree.name(of: node) == "optMap"
    return sharing(target, span: node.span) { lowering, optional in
      let span = node.span
      let hasValue = lowering.optionalCall("hasValue", optional, span: span)
      let content = lowering.optionalCall("value", optional, span: span)
      let local = lowering.ir.newLocal()
      var result = lowering.lower(arguments[1], with: [(name: name, binding: .local(local))])
      if wraps {
        result = lowering.call("optional.of", [result], isMember: false, span: span)
      }
      let mapped = lowering.ir.add(
        IRNode(kind: .bind, span: span, first: content, second: local, third: result))
      let none = lowering.use(optional, span: span)
      return lowering.conditional(hasValue, mapped, none, span: span)
    }
  }

  /// Lowers `optional.or(other)` or `optional.orValue(other)`, whose argument is evaluated lazily.
  @inline(never)
  mutating func lowerOr(
    _ node: SyntaxNode, _ target: UInt32, _ argument: NodeID
  ) -> UInt32 {
    let isValue = tree.name(of: node) == "orValue"
    return sharing(target, span: node.span) { lowering, optional in
      let span = node.span
      let hasValue = lowering.optionalCall("hasValue", optional, span: span)
      let content =
        isValue
        ? lowering.optionalCall("value", optional, span: span)
        : lowering.use(optional, span: span)
      var other = lowering.lower(argument)
      if !isValue {
        other = lowering.ir.add(
          IRNode(
            kind: .expect, span: lowering.tree[argument].span, first: other,
            second: SlotKinds(.optional).rawValue,
            third: UInt32(FailureCode.noMatchingOverload.rawValue)))
      }
      return lowering.conditional(hasValue, content, other, span: span)
    }
  }

  private mutating func optionalCall(
    _ name: String, _ optional: Binding, span: SourceSpan
  ) -> UInt32 {
    call(name, [use(optional, span: span)], isMember: true, span: span)
  }

  // MARK: Bindings

  /// `cel.bind(x, value, body)`.
  @inline(never)
  mutating func lowerBind(_ node: SyntaxNode, _ arguments: [NodeID]) -> UInt32 {
    guard let name = variable(arguments[0]) else {
      return ir.raise(.unsupportedConstruct, span: node.span)
    }
    let value = lower(arguments[1])
    if let slot = ir.constantSlot(value) {
      return lower(arguments[2], with: [(name: name, binding: .constant(slot))])
    }
    let local = ir.newLocal()
    let body = lower(arguments[2], with: [(name: name, binding: .lazyLocal(local))])
    return ir.add(.lazyBind, first: local, children: [value, body], span: node.span)
  }

  /// `cel.block([values], body)`.
  @inline(never)
  mutating func lowerBlock(_ node: SyntaxNode, _ arguments: [NodeID]) -> UInt32 {
    let list = tree[arguments[0]]
    guard list.kind == .list else {
      return mistake("`cel.block` needs a list of values first", at: list.span)
    }
    let elements = tree.children(of: list).map { NodeID($0) }
    if let optional = elements.first(where: { tree[$0].kind == .optionalEntry }) {
      return mistake(
        "`cel.block` takes no optional values", at: tree[optional].span, helps: ["remove `?`"])
    }
    let first = UInt32(truncatingIfNeeded: ir.localCount)
    for _ in elements { _ = ir.newLocal() }
    var children: [UInt32] = []
    // Later values can use the earlier ones, and the body can use all.
    for (index, element) in elements.enumerated() {
      children.append(lower(element))
      let local = first &+ UInt32(truncatingIfNeeded: index)
      scope["@index\(index)", default: []].append(.lazyLocal(local))
    }
    children.append(lower(arguments[1]))
    for index in elements.indices { scope["@index\(index)"]?.removeLast() }
    return ir.add(.lazyBind, first: first, children: children, span: node.span)
  }

  // MARK: Greatest and least

  /// Lowers `math.greatest` or `math.least`, some of whose mistakes are found before evaluation.
  @inline(never)
  mutating func lowerExtreme(_ node: SyntaxNode) -> UInt32 {
    if let mistake = extremeMistake(node) { return mistake }
    return makeExtreme(node, lowerArguments(node))
  }

  @inline(never)
  private mutating func makeExtreme(_ node: SyntaxNode, _ values: [UInt32]) -> UInt32 {
    let definition: FunctionDefinition =
      calledName(of: node) == "math.least" ? .celLeast : .celGreatest
    return ir.call(definition, values, span: node.span)
  }

  @inline(never)
  private mutating func extremeMistake(_ node: SyntaxNode) -> UInt32? {
    let name = calledName(of: node)
    let arguments = arguments(of: node)
    guard !arguments.isEmpty else {
      return mistake("`\(name)` needs at least one argument", at: node.span)
    }
    var numbers = arguments
    if arguments.count == 1, tree[arguments[0]].kind == .list {
      numbers = tree.children(of: tree[arguments[0]]).map { NodeID($0) }
      guard !numbers.isEmpty else {
        return mistake("`\(name)` needs a list with elements", at: tree[arguments[0]].span)
      }
    }
    for number in numbers where isNoNumber(tree[number]) {
      return mistake(
        "`\(name)` compares numbers", at: tree[number].span,
        helps: ["convert the value first, for example with `int(…)`"])
    }
    return nil
  }

  /// Returns whether a node is a literal that is not a number.
  private func isNoNumber(_ node: SyntaxNode) -> Bool {
    switch node.kind {
    case .boolLiteral, .stringLiteral, .bytesLiteral, .nullLiteral, .list, .map, .message: true
    default: false
    }
  }
}
