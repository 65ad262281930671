import ExpressionEngine
package import ExpressionSyntax

/// Proves which conditions of one filter decide nothing: those that exclude each other, those that
/// the others imply, and branches that no user reaches.
///
/// It knows the values that attributes can have from the schema, and evaluates the conditions with
/// the engine. A part that it cannot analyze may have any outcome, so every finding is certain.
package struct FilterProver {
  private let schema: AttributeSchema

  /// Filters with more conditions have no findings.
  private static let conditionLimit = 48

  /// Advice for two conditions that exclude each other and may both be meant.
  package static let helpForExclusion =
    "correct one of them; for users who pass one of the two, join them as `(… || …)`"

  /// Creates a prover.
  ///
  /// - Parameter schema: The attributes: the vocabulary of the SDKs by default.
  package init(schema: AttributeSchema = .builtIn) {
    self.schema = schema
  }

  /// Returns the findings about a filter, in source order.
  ///
  /// - Parameters:
  ///   - filter: The filter. One that does not compile has no findings.
  ///   - known: Findings of other checks; nothing more is reported at these places.
  /// - Complexity: About linear in the number of conditions times the classes of their values; it
  ///   ends at limits on the size of the diagrams.
  package func diagnostics(
    _ filter: ParsedFilter, besides known: [Diagnostic] = []
  ) -> [Diagnostic] {
    guard !known.contains(where: { $0.severity == .error }),
      let tree = filter.tree, filter.filter != nil,
      let count = filter.outline?.conditionCount, (1...Self.conditionLimit).contains(count),
      !comparesTextsAndBools(tree)
    else { return [] }
    var found = known
    // Contradictions first: they hold whenever the schema is right about which attributes exist.
    // That a condition is redundant has to hold for users without the attribute, too.
    for question in LogicWalk.Question.allCases {
      let space = FilterSpace(
        filter.environment, schema: schema, limits: .whileTyping,
        trustsSchema: question == .contradictions)
      let analyzed = space.filters[space.add(tree, filter.source.text)]
      space.cut()
      var walk = LogicWalk(space: space, filter: analyzed, question: question, known: found)
      do throws(Diagram.TooLarge) {
        try walk.visit(analyzed.formula)
      } catch {}
      found = walk.diagnostics
      // Where nothing matches, every condition is redundant.
      if found.dropFirst(known.count).contains(where: { $0.id == .alwaysFalse }) { break }
    }
    return found.dropFirst(known.count).sorted { $0.primary.span.start < $1.primary.span.start }
  }

  /// Returns whether it is certain that no user matches a filter, whatever the attributes are.
  package static func neverMatches(_ outline: FilterOutline) -> Bool {
    let space = FilterSpace(outline.environment, schema: nil, limits: .whileTyping)
    let filter = space.filters[space.add(outline.tree, outline.tree.source.text)]
    space.cut()
    return (try? space.matches(filter.formula)).flatMap(space.isEmpty) ?? false
  }

  /// Returns whether a filter takes an attribute for a text and for a bool. Such filters are
  /// written for apps that send either; superscript also reads the text "true" as a bool, which has
  /// no class of texts here.
  private func comparesTextsAndBools(_ tree: SyntaxTree) -> Bool {
    var kinds: [AttributePath: (text: Bool, bool: Bool)] = [:]
    for node in tree.nodes where node.kind == .binary && node.op.isComparison {
      let operands = [node.left, node.right]
      for path in operands.compactMap({ tree.attributePath(of: $0) }) {
        let type = schema.attribute(at: path)?.type
        var known = kinds[path] ?? (text: type == .string, bool: type == .bool)
        for operand in operands {
          let node = tree[operand]
          if node.kind == .boolLiteral { known.bool = true }
          if node.kind == .stringLiteral, ["true", "false"].contains(tree.string(of: node)) {
            known.text = true
            if tree.dialect.name == .superscript { known.bool = true }
          }
        }
        if known.text && known.bool { return true }
        kinds[path] = known
      }
    }
    return false
  }
}
