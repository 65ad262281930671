public import ExpressionSyntax
public import FilterAnalysis

/// Thrown when a filter, or a part of one, has no form in SQL that is certain to give the same
/// results.
public struct Refusal: Error, Sendable, Hashable, CustomStringConvertible {
  /// Why a part is refused.
  public enum Reason: String, Sendable, Hashable, CaseIterable {
    /// An attribute that no column holds, and that the table does not declare to be missing
    /// (``TableSchema/absent``).
    case attribute
    /// A function of the host, which no database can call.
    case hostFunction
    /// A library function without a form in SQL.
    case function
    /// A value of a kind that has no form in SQL: a function, a type, an optional, an address.
    case kind
    /// A regular expression outside of what all engines read alike.
    case pattern
    /// A list or map that is made from the row and has no form in SQL.
    case collection
    /// A comparison of two lists, maps or JSON values that both come from the row.
    case comparison
    /// Arithmetic that the engine cannot do exactly.
    case arithmetic
    /// A text that the engine cannot hold.
    case text
    /// An instant or a span of time.
    case time
    /// A type of column that the engine does not have.
    case column
    /// More SQL than engines read, or deeper than they nest.
    case size
  }

  /// Why.
  public let reason: Reason
  /// The sentence for people.
  public let message: String
  /// The part of the filter.
  public let span: SourceSpan

  /// The attribute that no column holds, if that is the reason.
  public let attribute: AttributePath?

  /// The sentence for people.
  public var description: String { message }

  init(
    _ reason: Reason, _ message: String, at span: SourceSpan, attribute: AttributePath? = nil
  ) {
    self.reason = reason
    self.message = message
    self.span = span
    self.attribute = attribute
  }
}
