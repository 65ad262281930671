package import ExpressionEngine

/// An engine's answer to a ``CaseRequest``.
package struct CaseOutcome: Sendable, Hashable {
  /// The answer.
  package enum Answer: Sendable, Hashable {
    /// A value.
    case value(Value)
    /// An error, of compiling, checking or evaluating.
    case error(CaseError)
    /// No value was asked for: the expression was only checked, and is well-typed.
    case checked
  }

  /// The answer.
  package var answer: Answer
  /// The statically deduced type, written as in `list(int)`, if the engine checked.
  package var type: String?
  /// Where a path of the engine gave something else, one line each: `set of one, matches: true`.
  package var differences: [String] = []

  /// Creates an outcome.
  package init(_ answer: Answer, type: String? = nil) {
    self.answer = answer
    self.type = type
  }
}

/// An error that an engine returned.
package struct CaseError: Sendable, Hashable {
  /// The stable identifier, such as `E0203`.
  package var id: String?
  /// The message for people.
  package var message: String
  /// The line of the expression, counted from 1.
  package var line: Int?
  /// The column, counted in characters from 1.
  package var column: Int?
  /// The whole diagnostic as the tool prints it, with `\n` between its lines.
  package var rendered: String?

  /// Creates an error; see the properties.
  package init(
    id: String? = nil, message: String, line: Int? = nil, column: Int? = nil,
    rendered: String? = nil
  ) {
    self.id = id
    self.message = message
    self.line = line
    self.column = column
    self.rendered = rendered
  }

  /// The error as one line: `E0203 @1:4 message`.
  package var summary: String {
    var parts: [String] = []
    if let id { parts.append(id) }
    if let line, let column { parts.append("@\(line):\(column)") }
    if !message.isEmpty { parts.append(message) }
    return parts.joined(separator: " ")
  }
}
