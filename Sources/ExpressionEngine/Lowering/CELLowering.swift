import ExpressionSyntax

// source ─Tokenizer▶ tokens ─Parser▶ Syntax ─[Lowering]▶ IR ─Checker▶ typed IR ─Compiler▶ Program ─VM▶ Value

/// Makes the rules of the cel dialect explicit in the IR (spec/cel.md): strict calls, absorbing logic,
/// macros as loops, names that the context resolves.
///
/// Chains to the left are walked in a loop, however long they are; everything else recurses, up to
/// ``Lowering/maximumDepth``.
struct CELLowering: ~Copyable {
  let tree: SyntaxTree
  let environment: Environment
  let library: FunctionLibrary
  var ir: IR
  /// What each comprehension variable and each binding stands for, innermost last.
  var scope: [String: [Binding]] = [:]
  /// Mistakes in macros, which are found before anything is evaluated.
  var diagnostics: [Diagnostic] = []
  /// The host calls met so far.
  var hostCalls: [Requirements.HostCall] = []
  /// The declared variables.
  let declaredVariables: Set<String>
  /// The prefixes that the container adds to names, the longest first, the empty one last.
  let prefixes: [String]
  /// Whether each node is a name or a dotted name.
  private let isName: [Bool]

  private var depth = 0
  private(set) var tooDeep: SourceSpan?

  /// What a name in scope stands for.
  enum Binding {
    /// A register that has the value.
    case local(UInt32)
    /// A value that is evaluated when it is needed.
    case lazyLocal(UInt32)
    /// A constant of the pool.
    case constant(Slot)
  }

  init(_ tree: SyntaxTree, environment: Environment) {
    self.tree = tree
    self.environment = environment
    library = .cel(environment.libraries)
    ir = IR(rules: .cel, form: .asGiven, sizeHint: tree.source.bytes.count)
    isName = Self.names(in: tree)
    prefixes = Self.prefixes(of: environment.container)
    declaredVariables = Set(
      environment.declarations.compactMap { declaration in
        if case .variable(let name, _) = declaration { name } else { nil }
      })
  }

  /// Lowers a whole filter.
  ///
  /// - Throws: ``FilterError`` when a macro is malformed or the filter nests too deeply.
  static func lower(
    _ tree: SyntaxTree, environment: Environment
  ) throws(FilterError) -> LoweredFilter {
    var lowering = CELLowering(tree, environment: environment)
    let root = lowering.lower(tree.root)
    if let span = lowering.tooDeep { lowering.diagnostics = [.expressionTooDeep(at: span)] }
    guard lowering.diagnostics.isEmpty else {
      throw FilterError(source: tree.source, diagnostics: lowering.diagnostics)
    }
    // The root of the IR is its last node.
    if root != lowering.ir.root {
      lowering.ir.add(lowering.ir.nodes[Int(root)])
    }
    return lowering.finish()
  }

  consuming func finish() -> LoweredFilter {
    LoweredFilter(ir: ir, hostCalls: hostCalls)
  }

  private static func prefixes(of container: String) -> [String] {
    var result = [""]
    guard !container.isEmpty else { return result }
    var prefix = ""
    for part in container.split(separator: ".") {
      prefix += part + "."
      result.append(prefix)
    }
    return result.reversed()
  }

  private static func names(in tree: SyntaxTree) -> [Bool] {
    var result: [Bool] = []
    result.reserveCapacity(tree.nodes.count)
    for node in tree.nodes {
      let isPlain = node.flags.isDisjoint(with: [.optional, .quotedName])
      switch node.kind {
      case .identifier: result.append(isPlain)
      case .select: result.append(isPlain && result[Int(node.first)])
      default: result.append(false)
      }
    }
    return result
  }

  // MARK: Nodes

  /// Whether a node is a name or a dotted name.
  func isName(_ id: NodeID) -> Bool { isName[Int(id.index)] }

  /// Lowers a node and answers the number of its IR node.
  mutating func lower(_ id: NodeID) -> UInt32 {
    var chain: [SyntaxNode] = []
    var current = id
    var nested = 0
    while let left = leftOperand(current) {
      let node = tree[current]
      nested += nesting(of: node)
      chain.append(node)
      current = left
    }
    // What a chain of calls becomes nests as deep as it is long.
    let entered = depth
    depth += 1 + nested
    defer { depth = entered }
    guard depth <= Lowering.maximumDepth else {
      tooDeep = tooDeep ?? tree[id].span
      return ir.constant(.null, span: tree[id].span)
    }
    var result = lowerLeaf(current)
    var index = chain.count - 1
    while index >= 0 {
      let node = chain[index]
      switch node.op {
      case .and, .or:
        // A run of one operator becomes one node with many children.
        var operands = flattened(result, node.op)
        var span = node.span
        while index >= 0, chain[index].op == node.op {
          operands += flattened(lower(NodeID(chain[index].second)), node.op)
          span = chain[index].span
          index -= 1
        }
        result = ir.add(
          node.op == .and ? .absorbingAnd : .absorbingOr, children: operands, span: span)
      default:
        depth -= nesting(of: node)
        result = lowerStep(node, left: result)
        index -= 1
      }
    }
    return result
  }

  /// The operand that is evaluated first, unless the node is a leaf here.
  private func leftOperand(_ id: NodeID) -> NodeID? {
    let node = tree[id]
    switch node.kind {
    case .binary, .index: return NodeID(node.first)
    case .select: return isName(id) ? nil : NodeID(node.first)
    case .call:
      guard node.first != SyntaxNode.none, qualifiedName(of: node) == nil, !isHostCall(node)
      else { return nil }
      return NodeID(node.first)
    default: return nil
    }
  }

  /// How much deeper the IR of a node is than that of its left operand.
  private func nesting(of node: SyntaxNode) -> Int {
    switch node.kind {
    case .call: 2
    case .select, .index: node.flags.contains(.optional) ? 1 : 0
    default: 0
    }
  }

  /// The operands of `&&` or `||` that a lowered operand stands for: its own if it is one itself.
  private func flattened(_ id: UInt32, _ op: Operator) -> [UInt32] {
    let node = ir.nodes[Int(id)]
    let kind: IRKind = op == .and ? .absorbingAnd : .absorbingOr
    return node.kind == kind ? Array(ir.children(of: node)) : [id]
  }

  private mutating func lowerStep(_ node: SyntaxNode, left: UInt32) -> UInt32 {
    switch node.kind {
    case .binary:
      let right = lower(NodeID(node.second))
      return node.op.info.isComparison
        ? ir.comparison(node.op, left, right, missing: nil, span: node.span)
        : ir.arithmetic(node.op, left, right, span: node.span)
    case .select:
      if node.flags.contains(.optional) {
        return ir.call(.celOptionalSelect, [left, name(of: node)], span: node.span)
      }
      return member(node, of: left)
    case .index:
      let index = lower(NodeID(node.second))
      if node.flags.contains(.optional) {
        return ir.call(.celOptionalIndex, [left, index], span: node.span)
      }
      return ir.add(IRNode(kind: .element, span: node.span, first: left, second: index))
    default:
      return lowerMethod(node, target: left)
    }
  }

  private mutating func lowerLeaf(_ id: NodeID) -> UInt32 {
    let node = tree[id]
    switch node.kind {
    case .identifier, .select: return lowerName(id)
    case .list: return lowerList(node)
    case .map: return lowerMap(node)
    case .unary: return lowerUnary(node)
    case .conditional: return lowerConditional(node)
    case .message:
      // There are no message types, so that every one of them is unknown.
      for child in tree.children(of: node) where tree[NodeID(child)].kind != .identifier {
        _ = lower(NodeID(child))
      }
      return ir.raise(.unsupportedConstruct, span: node.span)
    case .call: return lowerFunction(node)
    case .optionalEntry:
      return ir.add(
        IRNode(kind: .optionalEntry, span: node.span, first: lower(NodeID(node.first))))
    default: return ir.constant(literal(node), span: node.span)
    }
  }

  // MARK: Literals and operators

  /// The value of a literal node.
  private mutating func literal(_ node: SyntaxNode) -> Slot {
    switch node.kind {
    case .boolLiteral: .bool(node.payload != 0)
    case .intLiteral: .int(Int64(bitPattern: node.payload))
    case .uintLiteral: .uint(node.payload)
    case .doubleLiteral: Slot(.double, node.payload)
    case .bytesLiteral: content(node, as: .bytes)
    case .stringLiteral: content(node, as: .string)
    default: .null
    }
  }

  /// The content of a string or bytes literal. Line breaks in it become LF, as the decoder does it.
  private mutating func content(_ node: SyntaxNode, as tag: SlotTag) -> Slot {
    tree.text(of: node).withUnsafeBufferPointer { ir.text($0, as: tag) }
  }

  /// The name behind a dot as a constant.
  mutating func name(of node: SyntaxNode) -> UInt32 {
    let slot = tree.nameBytes(of: node).withUnsafeBufferPointer { ir.text($0) }
    return ir.constant(slot, span: node.span)
  }

  private mutating func lowerList(_ node: SyntaxNode) -> UInt32 {
    var elements: [UInt32] = []
    elements.reserveCapacity(Int(node.third))
    for child in tree.children(of: node) { elements.append(lower(NodeID(child))) }
    return ir.list(elements, span: node.span)
  }

  private mutating func lowerMap(_ node: SyntaxNode) -> UInt32 {
    var children: [UInt32] = []
    children.reserveCapacity(Int(node.third))
    var isOptional = false
    for (index, child) in tree.children(of: node).enumerated() {
      var entry = tree[NodeID(child)]
      if index % 2 == 0 {
        // The mark stands at the key and is about the value.
        isOptional = entry.kind == .optionalEntry
        let key = isOptional ? entry.first : child
        children.append(lower(NodeID(key)))
      } else {
        entry = tree[NodeID(child)]
        let value = lower(NodeID(child))
        children.append(
          isOptional
            ? ir.add(IRNode(kind: .optionalEntry, span: entry.span, first: value)) : value)
      }
    }
    return ir.map(children, span: node.span)
  }

  private mutating func lowerUnary(_ node: SyntaxNode) -> UInt32 {
    let operand = lower(NodeID(node.first))
    return node.op == .not
      ? ir.add(IRNode(kind: .not, detail: 1, span: node.span, first: operand))
      : ir.add(IRNode(kind: .negate, span: node.span, first: operand))
  }

  /// Chains of conditionals nest to the right; they are built from their end.
  private mutating func lowerConditional(_ node: SyntaxNode) -> UInt32 {
    var branches: [(condition: UInt32, value: UInt32, span: SourceSpan)] = []
    var current = node
    let entered = depth
    while true {
      let condition = lower(NodeID(current.first))
      let value = lower(NodeID(current.second))
      branches.append((condition, value, current.span))
      let last = tree[NodeID(current.third)]
      guard last.kind == .conditional, depth < Lowering.maximumDepth else { break }
      current = last
      depth += 1
    }
    var result = lower(NodeID(current.third))
    depth = entered
    for branch in branches.reversed() {
      result = conditional(branch.condition, branch.value, result, span: branch.span)
    }
    return result
  }

  /// `condition ? value : other`.
  mutating func conditional(
    _ condition: UInt32, _ value: UInt32, _ other: UInt32, span: SourceSpan
  ) -> UInt32 {
    ir.add(
      IRNode(
        kind: .conditional, detail: 1, span: span, first: condition, second: value, third: other))
  }
}
