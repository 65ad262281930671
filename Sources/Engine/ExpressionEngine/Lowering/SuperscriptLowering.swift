import ExpressionSyntax

// source ─Tokenizer▶ tokens ─Parser▶ Syntax ─[Lowering]▶ IR ─Compiler▶ Program ─VM▶ Value

/// Makes the rules of the superscript dialect explicit in the IR (docs/spec/superscript.md).
///
/// The reference evaluator rewrites the tree before it evaluates it. The rewrites depend on the
/// position of a node, which ``Mode`` represents. Left-nested chains are walked in a loop, however
/// long they are.
///
/// Its functions are not inlined into each other, and code with large frames is kept in functions
/// that do not recurse: otherwise the frames of the recursion would become several times as large,
/// and deep filters would not fit the stack of a small thread. Functions that all filters need are
/// mutating even if they change nothing: nonmutating ones would work on a copy, and the pass is
/// large. Functions that recurse take the number of a node, not the node, as in ``Compiler``.
struct SuperscriptLowering: ~Copyable {
  let tree: SyntaxView
  let environment: FilterEnvironment
  let library: FunctionLibrary
  var ir: IR
  /// The loop variables in scope, innermost last.
  var scope: [(name: String, local: UInt32)] = []
  /// The number of unguarded nodes so far that may fail with a missing key.
  var unguardedMisses = 0
  /// The host calls found so far.
  var hostCalls: [Requirements.HostCall] = []

  /// The nodes from each node being lowered down to its innermost left operand, outermost first.
  /// They are stored here instead of in the frames of the recursion, which must be small.
  private var links = ArenaArray<Link>()
  /// The operands of the runs of `&&` and `||` being lowered, those of the innermost run last.
  private var operands = ArenaArray<UInt32>()
  /// The depth of the node being lowered, and the first node that was nested too deep.
  var depth = 0
  /// The host functions of the device as a map, once a filter reads them: one map for all places.
  var deviceFunctions: UInt32?
  private(set) var tooDeep: SourceSpan?

  /// The reference's rewrites that apply to a node.
  enum Mode {
    /// All of them: a missing member is null.
    case safe
    /// Inside `has` and `hasFn`: a missing member is a failure.
    case raw
    /// Inside an index, and in a member on the left of a comparison: a missing member is a failure,
    /// and nothing is rewritten, not even literals.
    case verbatim
  }

  /// A node and its mode.
  private struct Link {
    let node: NodeID
    let mode: Mode
  }

  /// Whether missing members and names may become null; see ``lowerUnsafe(_:environment:)``.
  let isNullSafe: Bool

  /// - Parameter nodeCount: The number of nodes that are lowered.
  init(
    _ tree: SyntaxView, nodeCount: Int, environment: FilterEnvironment, isNullSafe: Bool = true
  ) {
    self.tree = tree
    self.environment = environment
    self.isNullSafe = isNullSafe
    library = isNullSafe ? .superscript : .superscriptCore
    ir = IR(
      rules: .superscript, form: .normalized, sourceLength: tree.bytes.count,
      nodeCount: nodeCount, optimizations: environment.optimizations)
  }

  /// Lowers a whole filter.
  ///
  /// - Throws: ``LoweringFailure`` when it is nested too deep.
  static func lower(
    _ tree: SyntaxView, environment: FilterEnvironment
  ) throws(LoweringFailure) -> LoweredFilter {
    var lowering = SuperscriptLowering(
      tree, nodeCount: tree.nodes.count, environment: environment)
    let root = lowering.lower(tree.root, .safe)
    lowering.ir.add(
      IRNode(kind: .absorbReferences, span: tree[tree.root].span, first: root))
    return try lowering.finish()
  }

  /// Lowers a tree as the reference's `evaluate_ast` evaluates it: nothing is rewritten, a missing
  /// member or name is an error, and neither host functions nor the SDK's functions are available.
  ///
  /// - Throws: ``LoweringFailure`` when it is nested too deep.
  static func lowerUnsafe(
    _ tree: SyntaxView, environment: FilterEnvironment
  ) throws(LoweringFailure) -> LoweredFilter {
    var lowering = SuperscriptLowering(
      tree, nodeCount: tree.nodes.count, environment: environment, isNullSafe: false)
    _ = lowering.lower(tree.root, .verbatim)
    return try lowering.finish()
  }

  consuming func finish() throws(LoweringFailure) -> LoweredFilter {
    if let tooDeep { throw LoweringFailure(diagnostics: [.expressionTooDeep(at: tooDeep)]) }
    return LoweredFilter(ir: ir, hostCalls: hostCalls)
  }

  // MARK: Nodes

  /// Lowers a node and returns the number of its IR node.
  @inline(never)
  mutating func lower(_ id: NodeID, _ mode: Mode) -> UInt32 {
    guard depth < Lowering.maximumDepth else { return refuse(id) }
    depth += 1
    let outer = links.count
    descend(id, mode)
    let misses = unguardedMisses
    var result = lowerLeaf()
    while links.count > outer {
      result = lowerLink(left: result, outer: outer, missesBefore: misses)
    }
    depth -= 1
    return result
  }

  /// Records that a node is nested too deep.
  @inline(never)
  private mutating func refuse(_ id: NodeID) -> UInt32 {
    tooDeep = tooDeep ?? tree[id].span
    return ir.constant(.null, span: tree[id].span)
  }

  /// Pushes a node and its left operands down to the innermost one on ``links``.
  @inline(never)
  private mutating func descend(_ id: NodeID, _ mode: Mode) {
    var link = Link(node: id, mode: mode)
    links.append(link, in: &ir.scratch)
    while let (left, leftMode) = leftOperand(tree[link.node], link.mode) {
      link = Link(node: left, mode: leftMode)
      links.append(link, in: &ir.scratch)
    }
  }

  @inline(never)
  private mutating func lowerLeaf() -> UInt32 {
    let link = links.removeLast()
    return lowerLeaf(link.node, link.mode)
  }

  /// Lowers the innermost of ``links``, whose left operand is lowered.
  @inline(never)
  private mutating func lowerLink(left: UInt32, outer: Int, missesBefore: Int) -> UInt32 {
    let link = links.removeLast()
    if tree.isLogic(link.node) { return lowerRun(link, left: left, outer: outer) }
    return lowerStep(link.node, link.mode, left: left, missesBefore: missesBefore)
  }

  /// Lowers a run of one operator to one node with many children.
  @inline(never)
  private mutating func lowerRun(_ first: Link, left: UInt32, outer: Int) -> UInt32 {
    let kind: IRKind = tree[first.node].op == .and ? .conjunction : .disjunction
    let base = operands.count
    ir.append(left, to: &operands, ofRun: kind)
    var last = first.node
    while true {
      let right = lowerRight(of: last, first.mode)
      ir.append(right, to: &operands, ofRun: kind)
      guard let next = nextOfRun(first.node, outer: outer) else { break }
      last = next
    }
    return ir.run(kind, &operands, from: base, span: tree[last].span)
  }

  @inline(never)
  private mutating func lowerRight(of id: NodeID, _ mode: Mode) -> UInt32 {
    lower(NodeID(tree[id].second), mode)
  }

  /// Takes the next link if it has the same operator.
  @inline(never)
  private mutating func nextOfRun(_ first: NodeID, outer: Int) -> NodeID? {
    guard links.count > outer, let next = links.last?.node, tree[next].op == tree[first].op else {
      return nil
    }
    links.removeLast()
    return next
  }

  /// Whether a node is a member in the sense of the comparison rules (docs/spec/superscript.md
  /// §2.1).
  func isMember(_ node: SyntaxNode) -> Bool {
    switch node.kind {
    case .select, .index, .message: true
    default: false
    }
  }

  /// The operand that is evaluated first, and how it is lowered, unless the node is a leaf here.
  private mutating func leftOperand(_ node: SyntaxNode, _ mode: Mode) -> (NodeID, Mode)? {
    switch node.kind {
    case .binary:
      let left = NodeID(node.first)
      guard node.op.isComparison, mode != .verbatim else { return (left, mode) }
      if isUnregisteredHostCall(tree[left]) { return nil }
      return (left, isMember(tree[left]) ? .verbatim : mode)
    case .select:
      return layerRoot(tree[NodeID(node.first)]) == nil ? (NodeID(node.first), mode) : nil
    case .index:
      return (NodeID(node.first), mode)
    case .call:
      guard node.first != SyntaxNode.none,
        isKnownFunction(tree.name(of: node)) || callsAdded(node)
      else { return nil }
      return (NodeID(node.first), mode)
    default:
      return nil
    }
  }

  @inline(never)
  private mutating func lowerStep(
    _ id: NodeID, _ mode: Mode, left: UInt32, missesBefore: Int
  ) -> UInt32 {
    switch tree[id].kind {
    case .binary:
      return tree[id].op.isComparison
        ? lowerComparison(id, mode, left: left, missesBefore: missesBefore)
        : lowerArithmetic(id, mode, left: left)
    case .select, .index:
      return lowerMember(id, mode, operand: left, missesBefore: missesBefore)
    default:
      return lowerCall(id, mode, target: left)
    }
  }

  @inline(never)
  private mutating func lowerMember(
    _ id: NodeID, _ mode: Mode, operand: UInt32, missesBefore: Int
  ) -> UInt32 {
    let node = tree[id]
    return node.kind == .select
      ? lowerSelect(node, mode, operand: operand, missesBefore: missesBefore)
      : lowerIndex(node, mode, operand: operand, missesBefore: missesBefore)
  }

  @inline(never)
  private mutating func lowerArithmetic(
    _ id: NodeID, _ mode: Mode, left: UInt32
  ) -> UInt32 {
    let node = tree[id]
    let right = lower(NodeID(node.second), mode)
    return ir.arithmetic(node.op, left, right, span: node.span)
  }

  @inline(never)
  private mutating func lowerLeaf(_ id: NodeID, _ mode: Mode) -> UInt32 {
    switch tree[id].kind {
    case .list, .map: return lowerCollection(id, mode)
    case .unary: return lowerUnary(id, mode)
    case .conditional: return lowerConditional(id, mode)
    case .message: return lowerMessage(id, mode)
    case .call: return lowerCall(id, mode, target: nil)
    default: return lowerAtom(tree[id], mode)
    }
  }

  /// Lowers a node without operands that are lowered.
  @inline(never)
  private mutating func lowerAtom(_ node: SyntaxNode, _ mode: Mode) -> UInt32 {
    switch node.kind {
    case .identifier: return lowerIdentifier(node)
    case .select: return lowerAttribute(node, mode)
    case .binary: return missingResult(node, mode)
    default: return ir.constant(literal(node, mode), span: node.span)
    }
  }

  @inline(never)
  mutating func lowerChildren(_ id: NodeID, _ mode: Mode) -> [UInt32] {
    let node = tree[id]
    var result: [UInt32] = []
    result.reserveCapacity(Int(node.third))
    for child in tree.children(of: node) { result.append(lower(NodeID(child), mode)) }
    return result
  }

  @inline(never)
  private mutating func lowerCollection(_ id: NodeID, _ mode: Mode) -> UInt32 {
    let children = lowerChildren(id, mode)
    return tree[id].kind == .list ? makeList(tree[id], children) : makeMap(tree[id], children)
  }

  @inline(never)
  private mutating func makeList(_ node: SyntaxNode, _ elements: [UInt32]) -> UInt32 {
    ir.list(elements, span: node.span)
  }

  @inline(never)
  private mutating func makeMap(_ node: SyntaxNode, _ children: [UInt32]) -> UInt32 {
    var children = children
    for index in stride(from: 0, to: children.count, by: 2) {
      // An invalid key fails before its value is evaluated.
      children[index] = expecting(
        [.string, .bool, .int, .uint], children[index], failing: .unusableKey,
        span: ir.nodes[Int(children[index])].span)
    }
    return ir.map(children, span: node.span)
  }

  @inline(never)
  private mutating func lowerUnary(_ id: NodeID, _ mode: Mode) -> UInt32 {
    let operand = lower(NodeID(tree[id].first), mode)
    return makeUnary(tree[id], operand)
  }

  @inline(never)
  private mutating func makeUnary(_ node: SyntaxNode, _ operand: UInt32) -> UInt32 {
    let kind: IRKind =
      switch node.op {
      case .not: .not
      case .doubleNot: .truth
      case .negate: .negate
      default: .number
      }
    return ir.add(IRNode(kind: kind, span: node.span, first: operand))
  }

  /// Lowers a chain of conditionals, which nest to the right, from its end.
  @inline(never)
  private mutating func lowerConditional(_ id: NodeID, _ mode: Mode) -> UInt32 {
    let node = tree[id]
    var parts = [lower(NodeID(node.first), mode), lower(NodeID(node.second), mode)]
    var last = NodeID(node.third)
    while let next = tree.conditionalParts(last) {
      parts.append(lower(next.condition, mode))
      parts.append(lower(next.value, mode))
      last = next.other
    }
    parts.append(lower(last, mode))
    return makeConditionals(node, parts)
  }

  /// Lowers a chain of conditionals, given alternating conditions and values, with the last value
  /// at the end.
  @inline(never)
  private mutating func makeConditionals(_ first: SyntaxNode, _ parts: [UInt32]) -> UInt32 {
    let spans = tree.conditionalSpans(from: first, count: parts.count / 2)
    var result = parts[parts.count - 1]
    for index in spans.indices.reversed() {
      result = ir.add(
        IRNode(
          kind: .conditional, span: spans[index], first: parts[2 * index],
          second: parts[2 * index + 1], third: result))
    }
    return result
  }

  /// `Name{…}` evaluates the name and then fails (docs/spec/superscript.md §9).
  @inline(never)
  private mutating func lowerMessage(_ id: NodeID, _ mode: Mode) -> UInt32 {
    let node = tree[id]
    let name = lower(NodeID(node.first), mode)
    // The reference's error quotes the fields, but not what they are constructed on.
    let quotesPhrase = tree.children(of: node).contains { quotesReferencePhrase(NodeID($0)) }
    let failure = ir.raise(
      quotesPhrase ? .unknownFunction : .unsupportedConstruct, span: node.span)
    return ir.sequence(name, failure, span: node.span)
  }

  /// Returns whether a string literal of a node has one of the phrases that make the reference
  /// return null (docs/spec/superscript.md §15). Its errors quote parsed literals.
  func quotesReferencePhrase(_ id: NodeID) -> Bool {
    let start = tree[id].span.start
    // The nodes below a node are those right before it.
    var index = Int(id.index)
    while index >= 0 {
      let node = tree[NodeID(UInt32(truncatingIfNeeded: index))]
      guard node.span.start >= start else { return false }
      if node.kind == .stringLiteral,
        tree.text(of: node).withUnsafeBufferPointer({ ReferencePhrases.occur(in: $0) })
      {
        return true
      }
      index -= 1
    }
    return false
  }
}
