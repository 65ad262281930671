import ExpressionSyntax

// source ─Tokenizer▶ tokens ─Parser▶ Syntax ─[Lowering]▶ IR ─Compiler▶ Program ─VM▶ Value

/// Makes the rules of the cel dialect explicit in the IR (docs/spec/cel.md): strict calls,
/// absorbing logic, macros as loops, names that the context resolves.
///
/// Left-nested chains are walked in a loop, however long they are; everything else recurses, up to
/// ``Lowering/maximumDepth``. Functions are not inlined into each other, and code with large frames
/// is kept in functions that do not recurse, so that the frames of the recursion are small. For the
/// same reason, functions that are called between two levels are mutating even if they change
/// nothing: in unoptimized builds, each call of a nonmutating one has room for a copy of the pass.
struct CELLowering: ~Copyable {
  let tree: SyntaxView
  let environment: FilterEnvironment
  let library: FunctionLibrary
  var ir: IR
  /// The bindings of each comprehension variable and each bound name, innermost last.
  var scope: [String: [Binding]] = [:]
  /// The mistakes in macros, which are found before evaluation.
  var diagnostics: [Diagnostic] = []
  /// The host calls found so far.
  var hostCalls: [Requirements.HostCall] = []
  /// The declared variables.
  let declaredVariables: Set<String>
  /// The prefixes that the container adds to names, longest first; the last one is empty.
  let prefixes: [String]
  /// The numbers of the nodes that are lowered.
  private let part: Range<Int>
  /// Whether each of these nodes is a name or a dotted name.
  private let isName: [Bool]

  /// The nodes from each node being lowered down to its innermost left operand, outermost first.
  private var links = ArenaArray<NodeID>()
  /// The operands of the runs of `&&` and `||` being lowered, those of the innermost run last.
  private var operands = ArenaArray<UInt32>()
  var depth = 0
  private(set) var tooDeep: SourceSpan?

  /// The meaning of a name in scope.
  enum Binding {
    /// A register that holds the value.
    case local(UInt32)
    /// A value that is evaluated when it is first needed.
    case lazyLocal(UInt32)
    /// A constant of the pool.
    case constant(Slot)
  }

  /// - Parameter part: The numbers of the nodes that are lowered.
  init(_ tree: SyntaxView, part: Range<Int>, environment: FilterEnvironment) {
    self.tree = tree
    self.environment = environment
    library = .cel(environment.libraries)
    self.part = part
    ir = IR(
      rules: .cel, form: .asGiven, sourceLength: tree.bytes.count, nodeCount: part.count,
      optimizations: environment.optimizations)
    isName = Self.names(in: tree, part)
    prefixes = Self.prefixes(of: environment.container)
    declaredVariables = Set(
      environment.declarations.compactMap { declaration in
        if case .variable(let name, _) = declaration { name } else { nil }
      })
  }

  /// Lowers a whole filter.
  ///
  /// - Throws: ``LoweringFailure`` when a macro is malformed or the filter is nested too deep.
  static func lower(
    _ tree: SyntaxView, environment: FilterEnvironment
  ) throws(LoweringFailure) -> LoweredFilter {
    var lowering = CELLowering(tree, part: tree.nodes.indices, environment: environment)
    let root = lowering.lower(tree.root)
    return try lowering.finish(root)
  }

  consuming func finish(_ root: UInt32) throws(LoweringFailure) -> LoweredFilter {
    if let tooDeep { throw LoweringFailure(diagnostics: [.expressionTooDeep(at: tooDeep)]) }
    guard diagnostics.isEmpty else { throw LoweringFailure(diagnostics: diagnostics) }
    assert(root == ir.root, "the root of the IR is its last node")
    return LoweredFilter(ir: ir, hostCalls: hostCalls)
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

  private static func names(in tree: SyntaxView, _ part: Range<Int>) -> [Bool] {
    var result: [Bool] = []
    result.reserveCapacity(part.count)
    for node in tree.nodes[part] {
      let isPlain = node.flags.isDisjoint(with: [.optional, .quotedName])
      switch node.kind {
      case .identifier: result.append(isPlain)
      case .select: result.append(isPlain && result[Int(node.first) &- part.lowerBound])
      default: result.append(false)
      }
    }
    return result
  }

  // MARK: Nodes

  /// Returns whether a node is a name or a dotted name.
  func isName(_ id: NodeID) -> Bool { isName[Int(id.index) &- part.lowerBound] }

  /// Lowers a node and returns the number of its IR node.
  @inline(never)
  mutating func lower(_ id: NodeID) -> UInt32 {
    let outer = links.count
    let entered = depth
    // The IR of a chain of calls is as deep as the chain is long.
    depth += 1 + descend(id)
    guard depth <= Lowering.maximumDepth else {
      links.truncate(to: outer)
      depth = entered
      return refuse(id)
    }
    var result = lowerLeaf(links.removeLast())
    while links.count > outer { result = lowerLink(left: result, outer: outer) }
    depth = entered
    return result
  }

  /// Records that a node is nested too deep.
  @inline(never)
  private mutating func refuse(_ id: NodeID) -> UInt32 {
    tooDeep = tooDeep ?? tree[id].span
    return ir.constant(.null, span: tree[id].span)
  }

  /// Pushes a node and its left operands down to the innermost one on ``links``, and returns how
  /// much deeper the node's IR is than that of the innermost operand.
  @inline(never)
  private mutating func descend(_ id: NodeID) -> Int {
    var current = id
    var nested = 0
    links.append(current, in: &ir.scratch)
    while let left = leftOperand(current) {
      nested += nesting(of: tree[current])
      current = left
      links.append(current, in: &ir.scratch)
    }
    return nested
  }

  /// Lowers the innermost of ``links``, whose left operand is lowered.
  @inline(never)
  private mutating func lowerLink(left: UInt32, outer: Int) -> UInt32 {
    let id = links.removeLast()
    if tree.isLogic(id) { return lowerRun(id, left: left, outer: outer) }
    return lowerStep(tree[id], left: left)
  }

  /// Lowers a run of one operator to one node with many children.
  @inline(never)
  private mutating func lowerRun(_ first: NodeID, left: UInt32, outer: Int) -> UInt32 {
    let kind: IRKind = tree[first].op == .and ? .absorbingAnd : .absorbingOr
    let base = operands.count
    ir.append(left, to: &operands, ofRun: kind)
    var last = first
    while true {
      let right = lowerRight(of: last)
      ir.append(right, to: &operands, ofRun: kind)
      guard let next = nextOfRun(first, outer: outer) else { break }
      last = next
    }
    return ir.run(kind, &operands, from: base, span: tree[last].span)
  }

  @inline(never)
  private mutating func lowerRight(of id: NodeID) -> UInt32 { lower(NodeID(tree[id].second)) }

  /// Takes the next link if it has the same operator.
  @inline(never)
  private mutating func nextOfRun(_ first: NodeID, outer: Int) -> NodeID? {
    guard links.count > outer, let next = links.last, tree[next].op == tree[first].op else {
      return nil
    }
    links.removeLast()
    return next
  }

  /// Returns the operand that is evaluated first, unless the node is a leaf here.
  private mutating func leftOperand(_ id: NodeID) -> NodeID? {
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

  /// Returns how much deeper the IR of a node is than that of its left operand.
  private mutating func nesting(of node: SyntaxNode) -> Int {
    switch node.kind {
    case .call: 2
    case .select, .index: node.flags.contains(.optional) ? 1 : 0
    default: 0
    }
  }

  @inline(never)
  private mutating func lowerStep(_ node: SyntaxNode, left: UInt32) -> UInt32 {
    depth -= nesting(of: node)
    switch node.kind {
    case .binary: return makeBinary(node, left, lower(NodeID(node.second)))
    case .select: return makeSelection(node, left)
    case .index: return makeIndex(node, left, lower(NodeID(node.second)))
    default: return lowerMethod(node, target: left)
    }
  }

  @inline(never)
  private mutating func makeBinary(
    _ node: SyntaxNode, _ left: UInt32, _ right: UInt32
  ) -> UInt32 {
    node.op.isComparison
      ? ir.comparison(node.op, left, right, missing: nil, span: node.span)
      : ir.arithmetic(node.op, left, right, span: node.span)
  }

  @inline(never)
  private mutating func makeSelection(_ node: SyntaxNode, _ left: UInt32) -> UInt32 {
    if node.flags.contains(.optional) {
      return ir.call(.celOptionalSelect, [left, name(of: node)], span: node.span)
    }
    return member(node, of: left)
  }

  @inline(never)
  private mutating func makeIndex(
    _ node: SyntaxNode, _ left: UInt32, _ index: UInt32
  ) -> UInt32 {
    if node.flags.contains(.optional) {
      return ir.call(.celOptionalIndex, [left, index], span: node.span)
    }
    return ir.add(IRNode(kind: .element, span: node.span, first: left, second: index))
  }

  @inline(never)
  private mutating func lowerLeaf(_ id: NodeID) -> UInt32 {
    let node = tree[id]
    switch node.kind {
    case .identifier, .select: return lowerName(id)
    case .list: return lowerList(node)
    case .map: return lowerMap(node)
    case .unary: return lowerUnary(node)
    case .conditional: return lowerConditional(node)
    case .message: return lowerMessage(node)
    case .call: return lowerFunction(node)
    case .optionalEntry: return makeOptionalEntry(node, lower(NodeID(node.first)))
    default: return ir.constant(literal(node), span: node.span)
    }
  }

  /// Lowers a message. There are no message types, so every one of them is unknown.
  @inline(never)
  private mutating func lowerMessage(_ node: SyntaxNode) -> UInt32 {
    for child in tree.children(of: node) where tree[NodeID(child)].kind != .identifier {
      _ = lower(NodeID(child))
    }
    return ir.raise(.unsupportedConstruct, span: node.span)
  }

  @inline(never)
  private mutating func makeOptionalEntry(_ node: SyntaxNode, _ value: UInt32) -> UInt32 {
    ir.add(IRNode(kind: .optionalEntry, span: node.span, first: value))
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

  /// Returns the content of a string or bytes literal. Line breaks become LF, as in the decoder.
  private mutating func content(_ node: SyntaxNode, as tag: SlotTag) -> Slot {
    tree.text(of: node).withUnsafeBufferPointer { ir.text($0, as: tag) }
  }

  /// Returns the name after a dot as a constant.
  mutating func name(of node: SyntaxNode) -> UInt32 {
    ir.constant(ir.text(tree.nameBytes(of: node)), span: node.span)
  }

  @inline(never)
  private mutating func lowerList(_ node: SyntaxNode) -> UInt32 {
    var elements: [UInt32] = []
    elements.reserveCapacity(Int(node.third))
    for child in tree.children(of: node) { elements.append(lower(NodeID(child))) }
    return ir.list(elements, span: node.span)
  }

  @inline(never)
  private mutating func lowerMap(_ node: SyntaxNode) -> UInt32 {
    var children: [UInt32] = []
    children.reserveCapacity(Int(node.third))
    for child in tree.children(of: node) { children.append(lower(keyOrValue(child))) }
    return makeMap(node, children)
  }

  /// A key without the mark of an optional entry, or a value.
  @inline(never)
  private mutating func keyOrValue(_ child: UInt32) -> NodeID {
    let node = tree[NodeID(child)]
    return NodeID(node.kind == .optionalEntry ? node.first : child)
  }

  @inline(never)
  private mutating func makeMap(_ node: SyntaxNode, _ lowered: [UInt32]) -> UInt32 {
    var children = lowered
    let entries = Array(tree.children(of: node))
    // The mark is on the key and concerns the value.
    for index in stride(from: 0, to: children.count - 1, by: 2)
    where tree[NodeID(entries[index])].kind == .optionalEntry {
      children[index + 1] = ir.add(
        IRNode(
          kind: .optionalEntry, span: tree[NodeID(entries[index + 1])].span,
          first: children[index + 1]))
    }
    return ir.map(children, span: node.span)
  }

  @inline(never)
  private mutating func lowerUnary(_ node: SyntaxNode) -> UInt32 {
    makeUnary(node, lower(NodeID(node.first)))
  }

  @inline(never)
  private mutating func makeUnary(_ node: SyntaxNode, _ operand: UInt32) -> UInt32 {
    node.op == .not
      ? ir.add(IRNode(kind: .not, detail: 1, span: node.span, first: operand))
      : ir.add(IRNode(kind: .negate, span: node.span, first: operand))
  }

  /// Lowers a chain of conditionals, which nest to the right, from its end.
  @inline(never)
  private mutating func lowerConditional(_ node: SyntaxNode) -> UInt32 {
    let entered = depth
    var parts = [lower(NodeID(node.first)), lower(NodeID(node.second))]
    var last = NodeID(node.third)
    while depth < Lowering.maximumDepth, let next = tree.conditionalParts(last) {
      depth += 1
      parts.append(lower(next.condition))
      parts.append(lower(next.value))
      last = next.other
    }
    parts.append(lower(last))
    depth = entered
    return makeConditionals(node, parts)
  }

  /// Lowers a chain of conditionals, given alternating conditions and values, with the last value
  /// at the end.
  @inline(never)
  private mutating func makeConditionals(_ first: SyntaxNode, _ parts: [UInt32]) -> UInt32 {
    let spans = tree.conditionalSpans(from: first, count: parts.count / 2)
    var result = parts[parts.count - 1]
    for index in spans.indices.reversed() {
      result = conditional(parts[2 * index], parts[2 * index + 1], result, span: spans[index])
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
