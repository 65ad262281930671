import ExpressionSyntax

extension Environment {
  /// A name that filters of the cel dialect may use, with its type.
  ///
  /// Types are written as the library's signatures write them: `int`, `list(string)`,
  /// `map(string, dyn)`, `optional_type(int)`, `timestamp`; single capital letters are type
  /// parameters.
  public enum Declaration: Sendable, Hashable {
    /// A variable; its name may be dotted.
    case variable(name: String, type: String)
    /// A function with its overloads.
    case function(name: String, overloads: [FunctionType])

    /// The declared name.
    public var name: String {
      switch self {
      case .variable(let name, _), .function(let name, _): name
      }
    }
  }

  /// One overload of a declared function.
  public struct FunctionType: Sendable, Hashable {
    /// Whether it is called as a method of its first parameter.
    public var isMember: Bool
    /// The types of the parameters, the receiver's first.
    public var parameters: [String]
    /// The type of the result.
    public var result: String

    /// Creates an overload.
    public init(isMember: Bool = false, parameters: [String], result: String) {
      self.isMember = isMember
      self.parameters = parameters
      self.result = result
    }
  }
}

extension Environment {
  /// What the checker needs to know of the environment: the library's functions and macros, the
  /// declared variables and functions, and the container.
  ///
  /// - Throws: ``DeclarationError`` when a declared type is none, or when two overloads cannot be told
  ///   apart.
  /// - Complexity: O(n) in the size of the library; keep the result.
  public func checkingDeclarations() throws(DeclarationError) -> Declarations {
    var result = Declarations(rules: .rules(of: dialect.name), container: container)
    switch dialect.name {
    case .superscript: try result.declare(library: FunctionLibrary.superscript.definitions)
    case .cel: try result.declare(library: FunctionLibrary.cel(libraries).definitions)
    }
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

  private static func type(_ text: String, of name: String) throws(DeclarationError) -> Type {
    do throws(TypeTextError) {
      return try Type(text: text)
    } catch {
      throw DeclarationError(function: name, message: error.description)
    }
  }
}

/// An extension library of the cel dialect (spec/cel.md §14–§24).
public enum ExtensionLibrary: String, Sendable, Hashable, CaseIterable {
  /// Optional values, `optional.of` and the like.
  case optionals
  /// Macros with two variables: `transformList`, `transformMap` and the like.
  case comprehensions
  /// `cel.bind`.
  case bindings
  /// `cel.block`, which rewriting tools produce for common parts.
  case block
  /// More functions for strings, `format` among them.
  case strings
  /// More functions for numbers.
  case math
  /// Base64.
  case encoders
  /// Lists as sets.
  case sets
  /// More functions for lists.
  case lists
  /// Extracting and replacing by regular expressions.
  case regex
  /// IP addresses and blocks of them.
  case network

  /// All of them.
  public static let all = Set(allCases)
}
