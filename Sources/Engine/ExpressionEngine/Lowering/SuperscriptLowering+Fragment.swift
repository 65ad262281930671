import ExpressionSyntax

extension SuperscriptLowering {
  /// Lowers a part of a filter with the rules of its position.
  ///
  /// Unlike a whole filter, a fragment reports a missing name as a failure.
  ///
  /// - Parameters:
  ///   - node: The root of the part.
  ///   - nodeCount: The number of its nodes.
  ///   - bindings: The loop variables in scope, outermost first, with their values.
  /// - Throws: ``LoweringFailure`` when it is nested too deep.
  static func lowerFragment(
    _ tree: SyntaxView, _ node: NodeID, nodeCount: Int, position: CompiledFragment.Position,
    bindings: [CompiledFragment.Binding], environment: FilterEnvironment
  ) throws(LoweringFailure) -> LoweredFilter {
    var lowering = SuperscriptLowering(tree, nodeCount: nodeCount, environment: environment)
    var bound: [(constant: UInt32, local: UInt32)] = []
    let span = tree[node].span
    for binding in bindings {
      let slot = Slot.make(binding.value, in: &lowering.ir.arena) ?? .null
      let local = lowering.ir.newLocal()
      bound.append((lowering.ir.constant(slot, span: span), local))
      lowering.scope.append((binding.name, local))
    }
    var root = lowering.lower(node, position == .value ? .safe : .verbatim)
    for (constant, local) in bound.reversed() {
      root = lowering.ir.add(
        IRNode(kind: .bind, span: span, first: constant, second: local, third: root))
    }
    // The root of the IR is its last node.
    if root != lowering.ir.root { lowering.ir.add(lowering.ir.nodes[Int(root)]) }
    return try lowering.finish()
  }
}
