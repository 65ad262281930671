package import ExpressionEngine
import ExpressionSyntax

extension FilterEnvironment {
  /// The declarations that the checker needs from the environment: the library's functions and
  /// macros, the declared variables and functions, and the container.
  ///
  /// - Throws: `DeclarationError` when a declared type is invalid, or when two overloads cannot be
  ///   told apart.
  /// - Complexity: O(n) in the number of declarations. Where extension libraries are off, O(n) in
  ///   the size of the library; keep the result.
  package func checkingDeclarations() throws(DeclarationError) -> Declarations {
    var result = try libraryDeclarations()
    result.container = container
    if !expandsMacros { result.disableMacros() }
    for declaration in declarations {
      switch declaration {
      case .variable(let name, let type):
        result.declare(variable: name, as: try Self.type(type, of: name))
      case .function(let name, let overloads):
        for overload in overloads {
          var parameters: [Type] = []
          for type in overload.parameters { parameters.append(try Self.type(type, of: name)) }
          let receiver = overload.isMember ? parameters.first : nil
          try result.declare(
            function: name,
            Overload(
              name, receiver: receiver,
              parameters: Array(parameters.dropFirst(receiver == nil ? 0 : 1)),
              result: try Self.type(overload.result, of: name)))
        }
      }
    }
    return result
  }

  /// The declarations of the library alone. Reading hundreds of signatures takes longer than
  /// checking a filter, so those of the libraries that most environments have are made once.
  private func libraryDeclarations() throws(DeclarationError) -> Declarations {
    var result: Declarations
    switch dialect.name {
    case .superscript: result = try Self.superscript.get()
    case .cel where libraries == ExtensionLibrary.all: result = try Self.completeCEL.get()
    case .cel: return try Self.declarations(.cel, functionDefinitions)
    }
    try result.declare(library: addedDefinitions)
    return result
  }

  private static let superscript = library(.superscript)
  private static let completeCEL = library(.cel)

  private static func library(
    _ dialect: Dialect.Name
  ) -> Result<Declarations, DeclarationError> {
    Result { () throws(DeclarationError) in
      try declarations(dialect, FunctionDefinition.all(in: dialect))
    }
  }

  private static func declarations(
    _ dialect: Dialect.Name, _ definitions: [FunctionDefinition]
  ) throws(DeclarationError) -> Declarations {
    var result = Declarations(rules: .rules(of: dialect))
    try result.declare(library: definitions)
    return result
  }

  private static func type(_ text: String, of name: String) throws(DeclarationError) -> Type {
    do throws(TypeTextError) {
      return try Type(text: text)
    } catch {
      throw DeclarationError(function: name, message: error.description)
    }
  }
}
