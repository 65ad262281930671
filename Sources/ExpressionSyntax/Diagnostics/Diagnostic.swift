/// One message to the author of an expression, with the places it talks about.
public struct Diagnostic: Sendable, Hashable {
  /// How grave a diagnostic is.
  public enum Severity: String, Sendable, Hashable {
    /// The expression cannot be used.
    case error
    /// The expression works, but probably not as meant.
    case warning
  }

  /// A place and what to know about it.
  public struct Label: Sendable, Hashable {
    /// The place.
    public var span: SourceSpan
    /// A few words, which may be empty.
    public var message: String

    /// Creates a label.
    public init(_ span: SourceSpan, _ message: String = "") {
      self.span = span
      self.message = message
    }
  }

  /// A replacement of a piece of the source.
  public struct Edit: Sendable, Hashable {
    /// What to replace; an empty span inserts.
    public var span: SourceSpan
    /// The text to put there.
    public var replacement: String

    /// Creates an edit.
    public init(_ span: SourceSpan, _ replacement: String) {
      self.span = span
      self.replacement = replacement
    }
  }

  /// Edits that certainly help, and what they do.
  public struct FixIt: Sendable, Hashable {
    /// What the edits do, imperative: "write `&&`".
    public var message: String
    /// The edits, which do not overlap, in source order.
    public var edits: [Edit]

    /// Creates a fix.
    public init(_ message: String, _ edits: [Edit]) {
      self.message = message
      self.edits = edits
    }
  }

  /// What kind of mistake it is, for look-up and for scripts.
  public var id: DiagnosticID
  /// How grave it is.
  public var severity: Severity
  /// One line in the user's words that stands alone: lower case, no full stop.
  public var message: String
  /// The smallest place of the mistake.
  public var primary: Label
  /// Other places that explain it.
  public var secondary: [Label]
  /// Facts.
  public var notes: [String]
  /// Things to do, imperative.
  public var helps: [String]
  /// Changes that certainly help.
  public var fixIts: [FixIt]

  /// Creates a diagnostic; its severity comes from the catalogue.
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

/// Thrown when a text is not an expression of its dialect.
package struct SyntaxError: Error, Sendable, Hashable {
  /// What is wrong, in source order; at least one.
  package let diagnostics: [Diagnostic]

  /// Creates the error from its diagnostics.
  package init(diagnostics: [Diagnostic]) { self.diagnostics = diagnostics }
}

extension Diagnostic: CustomStringConvertible {
  /// The severity, the id and the message in one line: `error[E0101]: expected an expression`.
  public var description: String { "\(severity.rawValue)[\(id.rawValue)]: \(message)" }
}
