package import ExpressionSyntax

/// A part of filters without connectives, with what it reads.
package struct Condition {
  package let text: String
  /// The sources that it reads, by number, in source order.
  package let reads: [Int]
  /// The things that it compares each of them with.
  package let needs: [Int: Needs]
  /// Why its outcome is treated as unknown; `nil` if the classes determine it.
  package var reason: FreePart.Reason?
  /// Whether no two classes are known to give the same.
  package var asksEachClass = false
  /// Where it is written; `nil` if it cannot be compiled by itself.
  package let place: (tree: SyntaxTree, node: NodeID)?
  /// The outcomes that it can have, if it is free.
  package let possible: OutcomeSet
}
