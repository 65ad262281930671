import ExpressionSyntax

extension FilterEnvironment {
  /// A name that filters of the cel dialect may use, with its type.
  ///
  /// Types are written as the library's signatures write them: `int`, `list(string)`,
  /// `map(string, dyn)`, `optional_type(int)`, `timestamp`; single capital letters are type
  /// parameters.
  public enum Declaration: Sendable, Hashable {
    /// A variable, whose name may be dotted.
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
    /// Whether the function is called as a method of its first parameter.
    public var isMember: Bool
    /// The types of the parameters, including the receiver, which comes first.
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

/// An extension library of the cel dialect (docs/spec/cel.md §14–§24).
public enum ExtensionLibrary: String, Sendable, Hashable, CaseIterable {
  /// Optional values: `optional.of` and others.
  case optionals
  /// Macros with two variables: `transformList`, `transformMap` and others.
  case comprehensions
  /// `cel.bind`.
  case bindings
  /// `cel.block`, which rewriting tools produce for common subexpressions.
  case block
  /// More functions for strings, including `format`.
  case strings
  /// More functions for numbers.
  case math
  /// Base64 encoding and decoding.
  case encoders
  /// Set operations on lists.
  case sets
  /// More functions for lists.
  case lists
  /// Extraction and replacement with regular expressions.
  case regex
  /// IP addresses and address blocks.
  case network

  /// All extension libraries.
  public static let all = Set(allCases)
}
