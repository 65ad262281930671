package import ExpressionChecking
package import ExpressionSyntax
import FilterAnalysis

/// The reason why a name cannot be changed, for people.
package struct RenamingError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The sentence.
  package let description: String
}

extension AnalyzedFilter {
  /// Returns the loop variable that is spelled at an offset; `nil` for any other word.
  package func localVariable(at offset: UInt32) -> LocalVariable? {
    guard let index = tokenIndex(at: offset) else { return nil }
    let span = tokens[index].span
    return localVariables.first { $0.spans.contains(span) }
  }

  /// Returns the places to replace in order to give a loop variable another name.
  ///
  /// - Throws: ``RenamingError`` if the name is not a plain name, or has another meaning inside the
  ///   loop.
  package func spans(
    renaming variable: LocalVariable, to name: String
  ) throws(RenamingError) -> [SourceSpan] {
    let dialect = Dialect.named(language.dialect)
    let tokens = (try? tokenize(SourceText(name), dialect: dialect).tokens) ?? []
    guard tokens.count == 1, tokens[0].kind == .identifier, Int(tokens[0].length) == name.utf8.count
    else { throw RenamingError(description: "`\(name)` is not a name") }
    guard !dialect.reservedWords.contains(name) else {
      throw RenamingError(description: "`\(name)` is a reserved word")
    }
    guard name == variable.name || !isRead(name, within: variable.scope) else {
      throw RenamingError(description: "`\(name)` is already used in this loop")
    }
    return variable.spans
  }

  /// Returns whether a name is a variable, a root or a loop's, somewhere in a scope or around it.
  private func isRead(_ name: String, within scope: SourceSpan) -> Bool {
    guard let tree else { return true }
    return tree.nodes.contains { node in
      node.kind == .identifier && node.span.start >= scope.start && node.span.end <= scope.end
        && tree.name(of: node) == name
    }
  }
}
