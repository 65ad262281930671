package import ExpressionSyntax

extension FunctionDefinition {
  /// All functions and macros of a dialect, in the order in which documentation lists them.
  package static func all(in dialect: Dialect.Name) -> [FunctionDefinition] {
    switch dialect {
    case .superscript: FunctionLibrary.superscript.definitions
    case .cel: FunctionLibrary.cel(ExtensionLibrary.all).definitions
    }
  }

  /// Whether it is a construct over expressions, such as `all` or `has`, and not a function of
  /// values.
  package var isMacro: Bool {
    if case .macro = form { return true }
    return false
  }
}

extension FilterEnvironment {
  /// The functions and macros of the dialect, without those of disabled extension libraries.
  package var functionDefinitions: [FunctionDefinition] {
    switch dialect.name {
    case .superscript: FunctionLibrary.superscript.definitions
    case .cel: FunctionLibrary.cel(libraries).definitions
    }
  }
}
