package import ExpressionSyntax

/// A part of a filter, compiled to answer what the whole filter computes there.
///
/// Explanations ask fragments for the values of conditions, so that they show what the engine
/// computes and not what somebody thinks it computes.
package struct CompiledFragment: Sendable {
  /// Where the part stands, which decides what a missing member is.
  package enum Position: Sendable {
    /// A place where a missing member has a value.
    case value
    /// A member on the left of a comparison, where a missing member is a failure.
    case member
  }

  /// A loop variable and the value that it has.
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
  ///   - environment: What the whole filter was compiled against.
  /// - Throws: ``FilterError`` when the part nests deeper than the compiler follows it.
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
  /// - Throws: ``EvaluationError`` when it has no value for this context, also when the whole filter
  ///   would be null for that reason.
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
    try lower(tree) { tree throws(LoweringFailure) in
      switch environment.dialect.name {
      case .superscript:
        try SuperscriptLowering.lowerFragment(
          tree, node, position: position, bindings: bindings, environment: environment)
      case .cel:
        try CELLowering.lowerFragment(tree, node, bindings: bindings, environment: environment)
      }
    }
  }
}

extension Value {
  /// Whether the superscript dialect takes the value as true in `&&`, `||`, `!` and `? :`
  /// (docs/spec/superscript.md §8).
  package var isTruthy: Bool {
    var arena = Arena(firstChunk: 128)
    return Slot.make(self, in: &arena)?.isTruthy ?? false
  }
}
