import ExpressionSyntax

extension CELLowering {
  /// Lowers a part of a filter, as it is lowered where it stands.
  ///
  /// - Parameters:
  ///   - node: The root of the part.
  ///   - bindings: The variables of loops in scope, outermost first, with their values.
  /// - Throws: ``FilterError`` when a macro is malformed or the part nests too deeply.
  static func lowerFragment(
    _ tree: SyntaxTree, _ node: NodeID, bindings: [CompiledFragment.Binding],
    environment: Environment
  ) throws(FilterError) -> LoweredFilter {
    var lowering = CELLowering(tree, environment: environment)
    for binding in bindings {
      let slot = Slot.make(binding.value, in: &lowering.ir.arena) ?? .null
      lowering.scope[binding.name, default: []].append(.constant(slot))
    }
    let root = lowering.lower(node)
    if let span = lowering.tooDeep { lowering.diagnostics = [.expressionTooDeep(at: span)] }
    guard lowering.diagnostics.isEmpty else {
      throw FilterError(source: tree.source, diagnostics: lowering.diagnostics)
    }
    // The root of the IR is its last node.
    if root != lowering.ir.root { lowering.ir.add(lowering.ir.nodes[Int(root)]) }
    return lowering.finish()
  }
}
