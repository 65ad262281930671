package import ExpressionSyntax

/// A word that an author may mean to write.
package struct CompletionItem: Sendable, Hashable {
  /// The kind of thing that a word stands for.
  package enum Kind: String, Sendable, Hashable {
    /// An attribute, or a root such as `user`.
    case attribute
    /// An attribute with members of its own.
    case object
    /// A function that is called by its name.
    case function
    /// A function that is called on a value.
    case method
    /// A variable of a loop.
    case variable
    /// A value of the attribute that it is compared with.
    case value
    /// A word of the language.
    case keyword
    /// An operator.
    case `operator`
    /// The name of an event.
    case event
  }

  /// The word for the list.
  package var label: String
  /// The kind of thing that it stands for.
  package var kind: Kind
  /// A few words: a type or a signature.
  package var detail: String
  /// The description, in Markdown; may be empty.
  package var documentation: String
  /// The text to insert in place of ``span``.
  package var replacement: String
  /// The text to replace: the beginning of the word before the cursor.
  package var span: SourceSpan
  /// The position in the list; items of equal rank are in alphabetical order.
  package var rank: Int
}
