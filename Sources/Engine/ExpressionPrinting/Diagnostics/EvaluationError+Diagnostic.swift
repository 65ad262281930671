public import ExpressionEngine
public import ExpressionSyntax

extension EvaluationError {
  /// The failure with its place in the filter, worded with the filter's names, and with values if
  /// the error is `showingValues`.
  ///
  /// The text is made when it is asked for; that reads the filter again, which takes a few
  /// microseconds.
  public var diagnostic: Diagnostic {
    guard let report, let source = report.source,
      let tree = try? parse(source, dialect: .named(report.dialect))
    else { return plain }
    return texts(in: tree, under: tree.root, showsValues: showsValues)
  }

  /// Returns the failure of a part of a filter, worded with the filter's names and with values, for
  /// explanations, which show the values of attributes anyway.
  ///
  /// - Parameters:
  ///   - tree: The tree of the whole filter.
  ///   - node: The root of the part that was evaluated.
  /// - Complexity: O(size of the part).
  package func diagnostic(in tree: SyntaxTree, under node: NodeID) -> Diagnostic {
    texts(in: tree, under: node, showsValues: true)
  }

  private func texts(
    in tree: SyntaxTree, under node: NodeID, showsValues: Bool
  ) -> Diagnostic {
    let plain = showsValues ? showingValues.plain : plain
    guard let report, report.source != nil else { return plain }
    return FailureTexts(
      report: report, tree: tree, part: tree.nodeNumbers(under: node), plain: plain,
      showsValues: showsValues
    ).diagnostic
  }
}
