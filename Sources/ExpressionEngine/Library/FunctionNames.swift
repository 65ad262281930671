package import ExpressionSyntax

/// The names of the functions that filters of a dialect can call beside the host's.
package enum FunctionNames {
  /// All names, in the order of the documentation.
  package static func all(in dialect: Dialect.Name) -> [String] {
    FunctionLibrary.superscript.definitions.map(\.name)
  }

  /// The functions that take no receiver, so that one before a dot is ignored.
  package static func withoutReceiver(in dialect: Dialect.Name) -> [String] {
    guard dialect == .superscript else { return [] }
    return FunctionLibrary.superscript.definitions.filter { definition in
      if case .function = definition.form {
        return definition.subject == nil && !definition.isVariadic && !definition.parameters.isEmpty
      }
      return false
    }.map(\.name)
  }
}
