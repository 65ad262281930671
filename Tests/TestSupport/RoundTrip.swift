import ExpressionPrinting
package import ExpressionSyntax

/// The properties that printing keeps.
package enum RoundTrip {
  /// A property that does not hold for a filter.
  package struct Broken: Error, CustomStringConvertible {
    package let description: String
  }

  /// Checks that canonical text and layout parse to an equal tree, and that both are stable.
  package static func check(_ tree: SyntaxTree) throws {
    let text = tree.source.text.debugDescription
    let printed = SyntaxPrinter.print(tree)
    guard SyntaxPrinter.print(try parsed(printed, tree)) == printed else {
      throw Broken(description: "printing twice changes \(text)")
    }
    for width in [100, 30] {
      let formatted = SyntaxPrinter.format(tree, width: width)
      let again = try parsed(formatted, tree)
      guard SyntaxPrinter.format(again, width: width) == formatted else {
        throw Broken(description: "formatting twice changes \(text)")
      }
      guard again.comments.count == tree.comments.count else {
        throw Broken(description: "formatting loses comments of \(text)")
      }
    }
  }

  private static func parsed(_ text: String, _ tree: SyntaxTree) throws -> SyntaxTree {
    let change = "\(tree.source.text.debugDescription) became \(text.debugDescription)"
    do {
      let again = try parse(SourceText(text), dialect: tree.dialect)
      guard tree.isStructurallyEqual(to: again) else { throw Broken(description: change) }
      return again
    } catch let error as SyntaxError {
      throw Broken(description: "\(change): \(error)")
    }
  }
}
