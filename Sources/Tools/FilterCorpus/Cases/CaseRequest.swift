import ExpressionCoding
package import ExpressionEngine
package import ExpressionSyntax

/// The question of one case to an engine, with its dialect and everything on which the answer
/// depends.
package struct CaseRequest: Sendable, Hashable {
  /// The question.
  package enum Question: Sendable, Hashable {
    /// An expression, to be evaluated (or only checked, see ``Flags/checksOnly``).
    case expression(String)
    /// A JSON text for the drop-in interface of the superscript dialect, passed on unchanged.
    case definition(String)

    /// The text of the expression or definition.
    package var text: String {
      switch self {
      case .expression(let text), .definition(let text): text
      }
    }
  }

  /// Switches: all but ``lints`` belong to the `cel` dialect.
  package struct Flags: OptionSet, Sendable, Hashable {
    /// The bits.
    package let rawValue: UInt8
    /// Creates flags from their bits.
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Macros are not expanded.
    package static let disablesMacros = Flags(rawValue: 1)
    /// The expression is evaluated without a check.
    package static let disablesCheck = Flags(rawValue: 2)
    /// The expression is checked but not evaluated.
    package static let checksOnly = Flags(rawValue: 4)
    /// The answer is the warnings of `swexpr check`, or the value if there are none.
    package static let lints = Flags(rawValue: 8)
  }

  /// The question.
  package var question: Question
  /// The dialect.
  package var dialect: Dialect.Name
  /// The variables by name. A name may be dotted and is one name then.
  package var variables: [String: Value]
  /// The device functions that exist, with examples of their arguments.
  package var deviceFunctions: [String: [Value]]
  /// The computed functions that exist, with examples of their arguments.
  package var computedFunctions: [String: [Value]]
  /// The results of host functions; see ``hostAnswer(to:arguments:)``.
  package var hostAnswers: [String: HostAnswer]
  /// The container in which names are resolved; empty if there is none.
  package var container: String
  /// The declared variables and functions.
  package var declarations: [CaseDeclaration]
  /// The switches.
  package var flags: Flags

  /// Creates a request; see the properties.
  package init(
    _ question: Question, dialect: Dialect.Name, variables: [String: Value] = [:],
    deviceFunctions: [String: [Value]] = [:], computedFunctions: [String: [Value]] = [:],
    hostAnswers: [String: HostAnswer] = [:], container: String = "",
    declarations: [CaseDeclaration] = [], flags: Flags = []
  ) {
    self.question = question
    self.dialect = dialect
    self.variables = variables
    self.deviceFunctions = deviceFunctions
    self.computedFunctions = computedFunctions
    self.hostAnswers = hostAnswers
    self.container = container
    self.declarations = declarations
    self.flags = flags
  }

  /// The result of a host call: the entry of `name(firstArgument)`, else of `name`.
  ///
  /// The first argument counts as text if it is a string, a number or a bool. `nil` means the empty
  /// text, which the evaluator reads as null.
  package func hostAnswer(to name: String, arguments: [Value]) -> HostAnswer? {
    guard !hostAnswers.isEmpty else { return nil }
    let text: String? =
      switch arguments.first {
      case .string(let text): text
      case .int(let number): String(number)
      case .uint(let number): String(number)
      case .bool(let truth): truth ? "true" : "false"
      case .double(let number):
        // A whole number prints without a fraction, as hosts written in JavaScript print it.
        Int64(exactly: number).map(String.init) ?? "\(number)"
      default: nil
      }
    if let text, let answer = hostAnswers["\(name)(\(text))"] { return answer }
    return hostAnswers[name]
  }
}

/// The result of a host function.
package enum HostAnswer: Sendable, Hashable {
  /// A value, passed to the evaluator as tagged JSON.
  case value(Value)
  /// A text that is passed as it is and may be no JSON at all.
  case raw(String)

  /// The text that the host hands to the evaluator.
  package var text: String {
    switch self {
    case .value(let value): PassableValue.text(value)
    case .raw(let text): text
    }
  }
}

/// A declared variable or function of a case of the `cel` dialect.
package struct CaseDeclaration: Sendable, Hashable {
  /// One signature of a function.
  package struct Overload: Sendable, Hashable {
    /// The overload's identifier, which may be empty.
    package var id: String
    /// Whether it is called on a receiver, which is the first parameter.
    package var isMember: Bool
    /// The types of the parameters.
    package var parameters: [String]
    /// The type of the result.
    package var result: String

    /// Creates an overload; see the properties.
    package init(id: String, isMember: Bool, parameters: [String], result: String) {
      self.id = id
      self.isMember = isMember
      self.parameters = parameters
      self.result = result
    }
  }

  /// The declaration.
  package enum Kind: Sendable, Hashable {
    /// A variable of a type.
    case variable(type: String)
    /// A function with its overloads.
    case function([Overload])
  }

  /// The name, which may be dotted.
  package var name: String
  /// The declaration.
  package var kind: Kind

  /// Creates a declaration.
  package init(name: String, kind: Kind) {
    self.name = name
    self.kind = kind
  }
}
