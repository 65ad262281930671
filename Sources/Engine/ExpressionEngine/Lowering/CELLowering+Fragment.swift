import ExpressionSyntax

extension CELLowering {
  /// Lowers a part of a filter with the rules of its position.
  ///
  /// - Parameters:
  ///   - node: The root of the part.
  ///   - part: The numbers of its nodes.
  ///   - bindings: The variables of loops in scope, outermost first, with their values.
  /// - Throws: ``LoweringFailure`` when a macro is malformed or the part is nested too deep.
  static func lowerFragment(
    _ tree: SyntaxView, _ node: NodeID, part: Range<Int>, bindings: [CompiledFragment.Binding],
    environment: FilterEnvironment
  ) throws(LoweringFailure) -> LoweredFilter {
    var lowering = CELLowering(tree, part: part, environment: environment)
    for binding in bindings {
      let slot = Slot.make(binding.value, in: &lowering.ir.arena) ?? .null
      lowering.scope[binding.name, default: []].append(.constant(slot))
    }
    let root = lowering.lower(node)
    return try lowering.finish(root)
  }
}
