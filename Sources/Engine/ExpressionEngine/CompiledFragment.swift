package import ExpressionSyntax

/// A compiled part of a filter, which computes the value that the whole filter computes there.
///
/// Explanations evaluate fragments for the values of conditions, so that they show the engine's
/// results instead of a second opinion.
package struct CompiledFragment: Sendable {
  /// The position of the part, which decides how a missing member behaves.
  package enum Position: Sendable {
    /// A place where a missing member has a value.
    case value
    /// A member on the left of a comparison, where a missing member is a failure.
    case member
  }

  /// A loop variable and its current value.
  package struct Binding: Sendable, Hashable {
    /// The name.
    package var name: String
    /// The value.
    package var value: Value

    /// Creates a binding.
    package init(name: String, value: Value) {
      self.name = name
      self.value = value
    }
  }

  private let filter: Filter

  /// Compiles the part of `tree` under `node`.
  ///
  /// - Parameters:
  ///   - bindings: The loop variables in scope, outermost first.
  ///   - environment: The environment of the whole filter.
  /// - Throws: ``FilterError`` when the part is nested too deep for the compiler.
  package init(
    _ tree: SyntaxTree, _ node: NodeID, position: Position = .value, bindings: [Binding] = [],
    environment: FilterEnvironment
  ) throws(FilterError) {
    let lowered = try Lowering.lowerFragment(
      tree, node, position: position, bindings: bindings, environment: environment)
    filter = try Filter(
      lowered, source: tree.source, dialect: tree.dialect.name, environment: environment)
  }

  /// Evaluates the part.
  ///
  /// - Throws: ``EvaluationError`` when the part has no value for this context, including failures
  ///   for which the whole filter would be null.
  package func evaluate(_ context: Context) throws(EvaluationError) -> Value {
    try filter.evaluate(context)
  }

  /// The host functions that the part calls.
  package var hostCalls: [Requirements.HostCall] { filter.requirements.hostCalls }
}

extension Lowering {
  /// Lowers a part of a filter; see ``CompiledFragment``.
  static func lowerFragment(
    _ tree: SyntaxTree, _ node: NodeID, position: CompiledFragment.Position,
    bindings: [CompiledFragment.Binding], environment: FilterEnvironment
  ) throws(FilterError) -> LoweredFilter {
    let part = tree.nodeNumbers(under: node)
    return try lower(tree) { tree throws(LoweringFailure) in
      switch environment.dialect.name {
      case .superscript:
        try SuperscriptLowering.lowerFragment(
          tree, node, nodeCount: part.count, position: position, bindings: bindings,
          environment: environment)
      case .cel:
        try CELLowering.lowerFragment(
          tree, node, part: part, bindings: bindings, environment: environment)
      }
    }
  }
}

extension Value {
  /// Whether the superscript dialect treats the value as true in `&&`, `||`, `!` and `? :`
  /// (docs/spec/superscript.md §8).
  package var isTruthy: Bool {
    var arena = Arena(firstChunk: 128)
    return Slot.make(self, in: &arena)?.isTruthy ?? false
  }
}
