/// What a library function does: it gets its evaluated arguments and answers a value or a failure
/// made by ``Machine/fail(_:)``.
typealias Builtin = @Sendable (inout Machine, UnsafeBufferPointer<Slot>) -> Slot

/// One function of a library: what the parser, the checker, the machine, the documentation and the
/// completion know of it comes from here.
package struct FunctionDefinition: Sendable {
  /// What kind of thing the name calls.
  enum Form: Sendable {
    /// A function over evaluated arguments.
    case function(Builtin)
    /// A function that is one of several things, by the number and the kinds of its arguments.
    case overloads([FunctionOverload])
    /// A construct over unevaluated arguments that the lowering pass expands.
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
    /// A macro of the cel dialect, which is known by its name and its number of arguments.
    case cel
  }

  /// The name.
  package let name: String
  /// What it takes as its subject (the receiver, or the first argument of a plain call); `nil` if it
  /// has none and ignores a receiver.
  package let subject: SlotKinds?
  /// What it takes as further arguments.
  package let parameters: [SlotKinds]
  /// Whether any number of arguments is taken, instead of `parameters`.
  package let isVariadic: Bool
  /// How it is called, with types: `string.contains(string) -> bool`.
  package let signatures: [String]
  /// What it does, in one line.
  package let summary: String
  /// Expressions that show it, with what they answer.
  package let examples: [Example]
  let form: Form
  /// What the compiler knows of it beyond its form.
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
    /// What it answers, printed.
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
