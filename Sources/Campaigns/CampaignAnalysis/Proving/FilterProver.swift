public import AudienceFilters
import CampaignCore
import ExpressionEngine
public import ExpressionSyntax

/// Proves which conditions of one filter decide nothing: those that exclude each other, those that the
/// others imply, and branches that nobody reaches.
///
/// It knows the values that attributes can have from the schema, and evaluates the conditions with the
/// engine, as ``CampaignProver`` does for a whole config. What it does not know may be anything, so
/// every finding is certain.
public struct FilterProver {
  private let schema: AttributeSchema
  private let dialect: Dialect.Name

  /// Filters of more conditions are not looked at.
  private static let conditionLimit = 48
  private static let limits = AnalysisLimits(
    nodes: 50_000, attempts: 200, combinations: 2_000, classes: 1_024)

  /// Creates a prover.
  ///
  /// - Parameters:
  ///   - schema: The attributes: the vocabulary of the SDKs by default.
  ///   - dialect: The language of the filters.
  public init(schema: AttributeSchema = .builtIn, dialect: Dialect.Name = .superscript) {
    self.schema = schema
    self.dialect = dialect
  }

  /// Returns the findings about a filter, in source order, without those that comments silence.
  ///
  /// - Parameters:
  ///   - text: The filter. One that does not compile has no findings.
  ///   - known: Findings of other checks; nothing more is said about these places.
  /// - Complexity: About linear in the number of conditions times the classes of their values; it ends
  ///   at limits on the size of the diagrams.
  public func diagnostics(
    _ text: String, besides known: [Diagnostic] = []
  ) -> [Diagnostic] {
    var found = known.filter { $0.severity == .error }
    guard found.isEmpty else { return [] }
    found = known
    let count = found.count
    var tree: SyntaxTree?
    // Contradictions first: they hold whenever the schema is right about which attributes are there.
    // That a condition is needless has to hold for users without the attribute, too.
    for question in LogicWalk.Question.allCases {
      let model = AnalysisModel(placements: [], dialect: dialect)
      let space = FilterSpace(
        model, schema: schema, limits: Self.limits, trustsSchema: question == .contradictions)
      guard let number = space.add(text, legacyKeys: []) else { return [] }
      let filter = space.filters[number]
      guard (1...Self.conditionLimit).contains(filter.formula.conditionCount),
        !comparesTextWithBool(filter.tree)
      else { return [] }
      tree = filter.tree
      space.cut()
      var walk = LogicWalk(space: space, filter: filter, question: question, known: found)
      do throws(Diagram.TooLarge) {
        try walk.visit(filter.formula)
      } catch {}
      found = walk.diagnostics
    }
    guard found.count > count, let tree else { return [] }
    let silence = LintSuppression(tree)
    return found.dropFirst(count).filter { !silence.silences($0) }
      .sorted { $0.primary.span.start < $1.primary.span.start }
  }
}

extension FilterProver {
  /// Returns whether a filter compares a text with a bool: superscript reads the text "true" as a bool,
  /// which is no class of texts here.
  private func comparesTextWithBool(_ tree: SyntaxTree) -> Bool {
    guard dialect == .superscript else { return false }
    return tree.nodes.contains { node in
      guard node.kind == .binary, node.op.isComparison else { return false }
      let operands = [NodeID(node.first), NodeID(node.second)]
      let types = operands.compactMap { tree.attributePath(of: $0) }
        .compactMap { schema.attribute(at: $0)?.type }
      return types.contains(.string)
        && operands.contains { if case .bool? = tree.constant(of: $0) { true } else { false } }
    }
  }
}
