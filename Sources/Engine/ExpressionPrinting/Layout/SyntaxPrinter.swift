package import ExpressionSyntax

/// Turns trees back into text.
package enum SyntaxPrinter {
  /// The canonical text of a tree on one line, whose parse gives a structurally equal tree.
  ///
  /// Parentheses are kept only where binding powers need them, literals are written in one way
  /// (`LiteralSpelling`), comments are left out.
  ///
  /// - Complexity: O(n) in the number of nodes, without recursion.
  package static func print(_ tree: SyntaxTree) -> String {
    var writer = LayoutWriter(tree: tree, keepsComments: false)
    writer.write()
    var out = ""
    for item in writer.items {
      switch item {
      case .text(let text): out += text
      case .space: out += " "
      case .line(let flat, _): out += flat ? " " : ""
      case .begin, .end, .indent, .dedent, .comment: break
      }
    }
    return out
  }

  /// The text of a tree laid out for people: comments kept, long conditions over several lines.
  ///
  /// The layout is stable (it depends on the tree and its comments alone) and idempotent:
  /// formatting formatted text changes nothing. The text does not end with a line break.
  ///
  /// - Parameters:
  ///   - tree: The tree.
  ///   - width: The columns to stay within where possible.
  /// - Complexity: O(n) in the number of nodes, without recursion.
  package static func format(_ tree: SyntaxTree, width: Int = 100) -> String {
    var writer = LayoutWriter(tree: tree, keepsComments: true)
    writer.write()
    var layout = Layout(items: writer.items, width: width)
    return layout.render()
  }
}

/// A piece of a layout.
enum LayoutItem {
  /// Text without line breaks.
  case text(String)
  /// A space that vanishes at the end of a line.
  case space
  /// A place to break the line: in a group on one line it is a space (`flat`) or nothing. A line
  /// that `fills` breaks only if what follows does not fit.
  case line(flat: Bool, fills: Bool)
  /// The start of a group, whose lines break together.
  case begin
  /// The end of a group.
  case end
  /// Lines are indented more from here.
  case indent
  /// Lines are indented less from here.
  case dedent
  /// A comment, on a separate line or at the end of the current one.
  case comment(String, ownLine: Bool)
}
