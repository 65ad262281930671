package import ExpressionSyntax

/// The tree as nested parentheses, for `swexpr ast` and tests. The form is stable.
///
///     (&& (>= (. user age) 18) (call startsWith (. user name) "A"))
package enum SyntaxDump {
  /// The s-expression of a tree, on one line.
  ///
  /// - Complexity: O(n) in the number of nodes, without recursion.
  package static func dump(_ tree: SyntaxTree) -> String {
    var out = ""
    var work: [Work] = [.node(tree.root)]
    while let next = work.popLast() {
      switch next {
      case .text(let text): out += text
      case .node(let id):
        let node = tree[id]
        guard let head = head(of: node, in: tree) else {
          out += leaf(node, in: tree)
          continue
        }
        out += "(" + head
        let isSelection = node.kind == .select
        work.append(.text(isSelection ? " \(tree.name(of: node)))" : ")"))
        let first = work.count
        tree.forEachChild(of: node) {
          work.append(.text(" "))
          work.append(.node(NodeID($0)))
        }
        work[first...].reverse()
      }
    }
    return out
  }

  private enum Work {
    case text(String)
    case node(NodeID)
  }

  /// The text that comes first in the parentheses of an inner node; `nil` for leaves.
  private static func head(of node: SyntaxNode, in tree: SyntaxTree) -> String? {
    let isOptional = node.flags.contains(.optional)
    switch node.kind {
    case .nullLiteral, .boolLiteral, .intLiteral, .uintLiteral, .doubleLiteral, .stringLiteral,
      .bytesLiteral, .identifier:
      return nil
    case .select: return isOptional ? ".?" : "."
    case .index: return isOptional ? "[?]" : "[]"
    case .call:
      let name = (node.flags.contains(.leadingDot) ? "." : "") + tree.name(of: node)
      return (node.receiver == nil ? "call " : "method ") + name
    case .list: return "list"
    case .map: return "map"
    case .message: return "message"
    case .unary, .binary: return node.op.spelling
    case .conditional: return "?:"
    case .optionalEntry: return "?"
    }
  }

  /// A leaf.
  private static func leaf(_ node: SyntaxNode, in tree: SyntaxTree) -> String {
    switch node.kind {
    case .stringLiteral: quoted(tree.string(of: node))
    case .bytesLiteral:
      "b\""
        + tree.text(of: node).map { "\\x" + ($0 < 16 ? "0" : "") + String($0, radix: 16) }
        .joined() + "\""
    case .identifier: (node.flags.contains(.leadingDot) ? "." : "") + tree.name(of: node)
    default: LiteralSpelling.number(node)
    }
  }

  /// A string in double quotes with everything invisible escaped.
  static func quoted(_ text: String) -> String {
    var out = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": out += "\\\""
      case "\\": out += "\\\\"
      case "\n": out += "\\n"
      case "\r": out += "\\r"
      case "\t": out += "\\t"
      default:
        if scalar.value < 0x20 || InvisibleCharacters.name(of: scalar) != nil, scalar != " " {
          out += "\\u{\(String(scalar.value, radix: 16))}"
        } else {
          out.unicodeScalars.append(scalar)
        }
      }
    }
    return out + "\""
  }
}
