package import ExpressionSyntax

/// The names of the functions that filters of a dialect can call besides the host's.
package enum FunctionNames {
  /// All names, in the order of the documentation.
  package static func all(in dialect: Dialect.Name) -> [String] {
    FunctionDefinition.all(in: dialect).map { $0.name }
  }

  /// Returns the functions without a receiver, which ignore one before a dot.
  package static func withoutReceiver(in dialect: Dialect.Name) -> [String] {
    guard dialect == .superscript else { return [] }
    return FunctionLibrary.superscript.definitions.filter { definition in
      if case .function = definition.form {
        return definition.subject == nil && !definition.isVariadic && !definition.parameters.isEmpty
      }
      return false
    }.map { $0.name }
  }

  /// Returns the number of arguments that a superscript function needs between its parentheses.
  ///
  /// - Parameters:
  ///   - name: The function.
  ///   - hasReceiver: Whether a value precedes the name and a dot.
  /// - Returns: `nil` for a function that takes any number, or that does not exist.
  package static func argumentCount(of name: String, hasReceiver: Bool) -> Int? {
    switch name {
    case "has", "hasFn": return 1
    case "maybe", "all", "exists", "exists_one", "map", "filter": return hasReceiver ? 2 : 3
    default:
      guard
        let definition = FunctionLibrary.superscript.definitions.first(where: { $0.name == name }),
        !definition.isVariadic
      else { return nil }
      if hasReceiver, definition.subject == nil { return nil }
      return definition.parameters.count + (definition.subject != nil && !hasReceiver ? 1 : 0)
    }
  }

  /// Returns the signatures of a superscript function.
  package static func signatures(of name: String) -> [String] {
    FunctionLibrary.superscript.definitions.first { $0.name == name }?.signatures ?? []
  }
}
