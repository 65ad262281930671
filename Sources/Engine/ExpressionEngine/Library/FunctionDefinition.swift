/// The implementation of a library function. It receives evaluated arguments and returns a value or
/// a failure created by ``Machine/fail(_:)``.
typealias Builtin = @Sendable (inout Machine, UnsafeBufferPointer<Slot>) -> Slot

/// A library function: the only source about it for the parser, the checker, the machine, the
/// documentation and the completion.
package struct FunctionDefinition: Sendable {
  /// The kind of function that the name calls.
  enum Form: Sendable {
    /// A function over evaluated arguments.
    case function(Builtin)
    /// A function with overloads, chosen by the number and the kinds of its arguments.
    case overloads([FunctionOverload])
    /// A construct over unevaluated arguments, which the lowering pass expands.
    case macro(Macro)
  }

  /// The constructs that look like functions.
  enum Macro: Sendable {
    case loop(LoopKind)
    /// `has(x)`.
    case has
    /// `hasFn(name)`.
    case hasFunction
    /// `maybe(receiver, expression, fallback)`.
    case maybe
    /// A macro of the cel dialect, identified by its name and its number of arguments.
    case cel
  }

  /// The name.
  package let name: String
  /// The kinds of its subject (the receiver, or the first argument of a plain call), or `nil` if it
  /// has no subject and ignores a receiver.
  package let subject: SlotKinds?
  /// The kinds of the further arguments.
  package let parameters: [SlotKinds]
  /// Whether the function takes any number of arguments, instead of `parameters`.
  package let isVariadic: Bool
  /// The forms of calls, with types: `string.contains(string) -> bool`.
  package let signatures: [String]
  /// A one-line description.
  package let summary: String
  /// Example expressions, with their results.
  package let examples: [Example]
  let form: Form
  /// The compiler's special knowledge of the function, beyond its form.
  let intrinsic: Intrinsic?

  /// Functions that the compiler has instructions or decisions for.
  enum Intrinsic: Sendable {
    case size
    case contains
    case startsWith
    case endsWith
    case matches

    /// Whether the function's value is always a bool.
    var givesBool: Bool { self != .size }
  }

  /// An expression and its value as a literal.
  package struct Example: Sendable, Hashable {
    /// The expression.
    package let expression: String
    /// The printed result.
    package let value: String

    init(_ expression: String, _ value: String) {
      self.expression = expression
      self.value = value
    }
  }

  init(
    _ name: String, subject: SlotKinds? = nil, parameters: [SlotKinds] = [],
    isVariadic: Bool = false, signatures: [String], summary: String, examples: [Example],
    form: Form, intrinsic: Intrinsic? = nil
  ) {
    self.name = name
    self.subject = subject
    self.parameters = parameters
    self.isVariadic = isVariadic
    self.signatures = signatures
    self.summary = summary
    self.examples = examples
    self.form = form
    self.intrinsic = intrinsic
  }
}

extension FunctionDefinition {
  /// Functions that the reference evaluator has for its own tests. They are always null, so
  /// documents, completion and advice leave them out.
  package static let testFunctions: Set<String> = ["unknownFunction", "test_custom_func"]
}
