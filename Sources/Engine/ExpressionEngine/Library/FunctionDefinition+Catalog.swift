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
  /// The functions and macros of the dialect, without those of disabled extension libraries, and
  /// the functions that were added.
  package var functionDefinitions: [FunctionDefinition] {
    library.definitions + addedDefinitions
  }

  private var library: FunctionLibrary {
    switch dialect.name {
    case .superscript: .superscript
    case .cel: .cel(libraries)
    }
  }

  /// The functions that were added, unless the dialect, which may have been changed since then,
  /// has one of that name.
  package var addedDefinitions: [FunctionDefinition] {
    var names: [String] = []
    for function in functions
    where !names.contains(function.name) && !library.contains(function.name) {
      names.append(function.name)
    }
    return names.map { name in
      FunctionDefinition(functions.filter { $0.name == name }, named: name)
    }
  }
}
