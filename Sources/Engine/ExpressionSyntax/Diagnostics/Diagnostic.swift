/// One message to the author of an expression, with the places it talks about.
public struct Diagnostic: Sendable, Hashable {
  /// The severity of a diagnostic.
  public enum Severity: String, Sendable, Hashable {
    /// The expression cannot be used.
    case error
    /// The expression works, but probably does not do what its author meant.
    case warning
  }

  /// A place in the source with a note about it.
  public struct Label: Sendable, Hashable {
    /// The place.
    public var span: SourceSpan
    /// The note, a few words; may be empty.
    public var message: String

    /// Creates a label.
    public init(_ span: SourceSpan, _ message: String = "") {
      self.span = span
      self.message = message
    }
  }

  /// A replacement of a piece of the source.
  public struct Edit: Sendable, Hashable {
    /// The place to replace; an empty span inserts.
    public var span: SourceSpan
    /// The new text.
    public var replacement: String

    /// Creates an edit.
    public init(_ span: SourceSpan, _ replacement: String) {
      self.span = span
      self.replacement = replacement
    }
  }

  /// Edits that are certain to help, with a description of what they do.
  public struct FixIt: Sendable, Hashable {
    /// A description of the edits in the imperative: "write `&&`".
    public var message: String
    /// The edits, which do not overlap, in source order.
    public var edits: [Edit]

    /// Creates a fix.
    public init(_ message: String, _ edits: [Edit]) {
      self.message = message
      self.edits = edits
    }

    /// Creates a fix that writes a text at a place: "write `&&`".
    package init(write text: String, at span: SourceSpan) {
      self.init("write `\(text)`", [Edit(span, text)])
    }
  }

  /// The kind of mistake, for look-up and for scripts.
  public var id: DiagnosticID
  /// The severity.
  public var severity: Severity
  /// One line in the user's words that is complete by itself: lower case, no full stop.
  public var message: String
  /// The smallest span that contains the mistake.
  public var primary: Label
  /// Other places that explain the mistake.
  public var secondary: [Label]
  /// Facts.
  public var notes: [String]
  /// Suggestions, in the imperative.
  public var helps: [String]
  /// Changes that are certain to help.
  public var fixIts: [FixIt]
  /// The changes that some of ``helps`` mean, by which they can be tried; their messages are the
  /// helps.
  package var attempts: [FixIt] = []

  /// Creates a diagnostic. Its severity follows from its id.
  @inline(never)
  public init(
    _ id: DiagnosticID, _ message: String, at span: SourceSpan, label: String = "",
    secondary: [Label] = [], notes: [String] = [], helps: [String] = [], fixIts: [FixIt] = []
  ) {
    self.id = id
    self.severity = id.severity
    self.message = message
    self.primary = Label(span, label)
    self.secondary = secondary
    self.notes = notes
    self.helps = helps
    self.fixIts = fixIts
  }
}

extension Diagnostic {
  /// Returns the diagnostic with the change that its first help means.
  package func attempting(_ replacement: String, at span: SourceSpan) -> Diagnostic {
    guard let help = helps.first else { return self }
    var copy = self
    copy.attempts = [FixIt(help, [Edit(span, replacement)])]
    return copy
  }
}

/// Thrown when a text is not an expression of its dialect.
package struct SyntaxError: Error, Sendable, Hashable {
  /// The mistakes, in source order; at least one.
  package let diagnostics: [Diagnostic]

  /// Creates the error from its diagnostics.
  package init(diagnostics: [Diagnostic]) { self.diagnostics = diagnostics }
}

extension Diagnostic: CustomStringConvertible {
  /// The severity, the id and the message in one line: `error[E0101]: expected an expression`.
  public var description: String { "\(severity.rawValue)[\(id.rawValue)]: \(message)" }
}
