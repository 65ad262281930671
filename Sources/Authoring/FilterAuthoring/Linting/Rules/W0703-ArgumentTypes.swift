import ExpressionEngine
import ExpressionSyntax
import FilterAnalysis

// Reports calls that fail because a value is of the wrong type.

extension FilterLinter {
  /// Functions of a text and a text.
  private static let textFunctions: Set<String> = ["startsWith", "endsWith", "matches"]

  static let loops: Set<String> = ["all", "exists", "exists_one", "map", "filter"]

  /// Reports a call that fails whatever the attributes are, because a value is of the wrong type.
  ///
  /// - Returns: Whether it did.
  mutating func checkArgumentTypes(
    _ id: NodeID, _ node: SyntaxNode, _ name: String
  ) -> Bool {
    guard isSuperscript else { return false }
    let arguments = Array(tree.children(of: node)).map { NodeID($0) }
    let receiver = node.first == SyntaxNode.none ? nil : NodeID(node.first)
    switch name {
    case _ where Self.textFunctions.contains(name):
      guard let receiver, let argument = arguments.first else { return false }
      return checkText(receiver, of: node, name) || checkTextArgument(argument, name, receiver)
    case "contains":
      guard let receiver, let argument = arguments.first else { return false }
      return checkContains(receiver, argument, node)
    case "size":
      guard receiver == nil, let argument = arguments.first else { return false }
      return checkSize(argument, in: id)
    case _ where Self.loops.contains(name):
      guard let receiver else { return false }
      return checkRange(receiver, node, name)
    case "max": return checkMax(arguments, node)
    case "string":
      guard let argument = receiver ?? arguments.first, staticType(argument) == .bool else {
        return false
      }
      reportType(
        "`string` cannot write a bool", at: argument, .bool,
        help: "compare the bool itself: `\(text(argument)) == true`")
      return true
    default: return false
    }
  }

  mutating func reportType(
    _ message: String, at id: NodeID, _ type: AttributeType, of function: String = "",
    help: String?, fixIts: [Diagnostic.FixIt] = []
  ) {
    // `contains` is false where it cannot search.
    let note =
      function == "contains"
      ? "so this is always false"
      : "this is an error when the filter runs, and the filter does not match"
    report(
      Diagnostic(
        .typeMismatch, message, at: tree[id].span, label: type.name,
        notes: [note],
        helps: help.map { [$0] } ?? [], fixIts: fixIts))
  }

  /// Reports `user.age.startsWith("2")` and `user.tags.startsWith("d")`.
  private mutating func checkText(
    _ receiver: NodeID, of node: SyntaxNode, _ name: String
  ) -> Bool {
    let type = staticType(receiver)
    let subject = text(receiver)
    let argument = tree.children(of: node).first.map { text(NodeID($0)) } ?? "…"
    let help: String
    switch type {
    case .int, .number:
      help = "make it a text: `string(\(subject)).\(name)(\(argument))`, or compare the number"
    case .list: help = "ask its elements: `\(subject).exists(x, x.\(name)(\(argument)))`"
    case .bool: help = "write `\(subject)`, or `!\(subject)`"
    case .map: help = "call it on one of its members"
    case .string, .any: return false
    }
    reportType("`\(name)` needs a text before the dot", at: receiver, type, help: help)
    return true
  }

  /// Reports `user.email.startsWith(5)`.
  mutating func checkTextArgument(
    _ argument: NodeID, _ name: String, _ receiver: NodeID
  ) -> Bool {
    let type = staticType(argument)
    guard type != .any, type != .string else { return false }
    // The word "true" has a finding of its own.
    if tree[argument].kind == .stringLiteral { return false }
    if type.isNumeric, tree.isLiteral(argument) {
      let literal = "\"\(text(argument))\""
      reportType(
        "`\(name)` needs a text", at: argument, type, of: name, help: nil,
        fixIts: [
          Diagnostic.FixIt("write `\(literal)`", [Diagnostic.Edit(tree[argument].span, literal)])
        ])
      return true
    }
    let help: String? =
      switch type {
      case .list where tree[argument].kind == .list:
        "try one after the other: `\(text(argument)).exists(x, ….\(name)(x))`"
      case .int, .number: "make it a text: `string(\(text(argument)))`"
      case .list where name == "contains":
        "turn the sides around: `\(text(argument)).contains(\(text(receiver)))`"
      default: nil
      }
    reportType("`\(name)` needs a text", at: argument, type, of: name, help: help)
    return true
  }

  private mutating func checkSize(_ argument: NodeID, in id: NodeID) -> Bool {
    let type = staticType(argument)
    switch type {
    case .int, .number, .bool:
      reportType(
        "`size` needs a text, a list or a map", at: argument, type,
        help: helpForSize(of: argument, type, in: id))
      return true
    default: return false
    }
  }

  private func helpForSize(of argument: NodeID, _ type: AttributeType, in id: NodeID) -> String {
    let parent = parents[Int(id.index)]
    let outer = tree.nodes[Int(parent)]
    guard type == .bool, outer.kind == .binary, outer.op.info.isComparison else {
      return "write `\(text(argument))` alone"
    }
    return "in place of `\(text(NodeID(parent)))` write `\(text(argument))`, or "
      + "`!\(text(argument))`"
  }

  mutating func checkRange(
    _ receiver: NodeID, _ node: SyntaxNode, _ name: String
  ) -> Bool {
    let type = staticType(receiver)
    switch type {
    case .int, .number, .bool, .string:
      reportType(
        "`\(name)` needs a list before the dot", at: receiver, type,
        help: "write the condition alone, about `\(text(receiver))`")
      return true
    default: return false
    }
  }

  /// Reports `max(user.age, "18")`, whose arguments have no order.
  private mutating func checkMax(_ arguments: [NodeID], _ node: SyntaxNode) -> Bool {
    let types = arguments.map { staticType($0) }
    guard let numeric = types.first(where: { $0.isNumeric }),
      let other = types.indices.first(where: { types[$0] == .string || types[$0] == .bool })
    else { return false }
    let argument = arguments[other]
    var help: String?
    if case .string(let content)? = tree.constant(of: argument), Self.isNumber(content) {
      help = "write `\(content)` without quotes"
    }
    reportType(
      "`max` cannot compare \(numeric.name) with \(types[other].name)", at: argument,
      types[other], help: help)
    return true
  }
}
