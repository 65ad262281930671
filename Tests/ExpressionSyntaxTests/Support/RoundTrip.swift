import ExpressionPrinting
import ExpressionSyntax
import Testing

/// What printing must keep.
enum RoundTrip {
  /// Checks that canonical text and layout parse to an equal tree, and that both are stable.
  static func check(_ tree: SyntaxTree, sourceLocation: Testing.SourceLocation = #_sourceLocation)
    throws
  {
    let printed = SyntaxPrinter.print(tree)
    let again = try parsed(printed, tree, sourceLocation)
    #expect(SyntaxPrinter.print(again) == printed, sourceLocation: sourceLocation)
    for width in [100, 30] {
      let formatted = SyntaxPrinter.format(tree, width: width)
      let reparsed = try parsed(formatted, tree, sourceLocation)
      #expect(
        SyntaxPrinter.format(reparsed, width: width) == formatted,
        "formatting twice changes \(tree.source.text.debugDescription)",
        sourceLocation: sourceLocation)
      #expect(reparsed.comments.count == tree.comments.count, sourceLocation: sourceLocation)
    }
  }

  private static func parsed(
    _ text: String, _ tree: SyntaxTree, _ sourceLocation: Testing.SourceLocation
  ) throws -> SyntaxTree {
    do {
      let again = try parse(SourceText(text), dialect: tree.dialect)
      #expect(
        tree.isStructurallyEqual(to: again),
        "\(tree.source.text.debugDescription) became \(text.debugDescription)",
        sourceLocation: sourceLocation)
      return again
    } catch {
      Issue.record(
        "\(tree.source.text.debugDescription) became \(text.debugDescription): \(error)",
        sourceLocation: sourceLocation)
      throw error
    }
  }
}
