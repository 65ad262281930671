import ExpressionEngine
import ExpressionSyntax
import FilterAnalysis

// Reports calls that fail because a value is of the wrong type.

extension FilterLinter {
  static let loops: Set<String> = ["all", "exists", "exists_one", "map", "filter"]

  /// Reports a call that fails whatever the attributes are, because a value is of the wrong type.
  ///
  /// - Returns: Whether it did.
  mutating func checkArgumentTypes(
    _ id: NodeID, _ node: SyntaxNode, _ name: String
  ) -> Bool {
    guard isSuperscript else { return false }
    let arguments = tree.arguments(of: node)
    let receiver = node.receiver
    switch name {
    case _ where Self.textFunctions.contains(name):
      guard let receiver, let argument = arguments.first else { return false }
      return checkText(receiver, of: node, name) || checkTextArgument(argument, name, receiver)
    case "contains":
      if receiver == nil, arguments.count == 2, case .string? = tree.constant(of: arguments[0]),
        isList(staticType(arguments[1]))
      {
        reportType(
          "a text contains no list", at: arguments[1], staticType(arguments[1]), of: name,
          help: "write `\(text(arguments[1])).contains(\(text(arguments[0])))`")
        return true
      }
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
      guard let argument = receiver ?? arguments.first,
        staticType(argument) == .bool || freePath(argument) != nil && isCondition(byName: argument)
      else { return false }
      let comparison = comparison(of: node)
      let op = comparison?.op == .notEqual ? "!=" : "=="
      let isFalse = comparison.map { $0.value == .string("false") || $0.value == .bool(false) }
      reportType(
        "`string` cannot write a bool", at: argument, .bool,
        help: "compare the bool itself: `\(text(argument)) \(op) \(isFalse != true)`")
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
      ? Self.isAlwaysFalse
      : Self.failsAtRunTime
    report(
      Diagnostic(
        .typeMismatch, message, at: tree[id].span, label: type.name,
        notes: [note],
        helps: help.map { [$0] } ?? [], fixIts: fixIts))
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
    let parent = parent(of: id)
    let outer = tree[parent]
    let inner = tree[argument]
    if inner.kind == .binary, inner.op.info.isComparison, inner.op != .in {
      let (left, right) = (text(inner.left), text(inner.right))
      return "write `size(\(left)) \(inner.op.spelling) \(right)`"
    }
    guard type == .bool, outer.kind == .binary, outer.op.info.isComparison else {
      return type == .bool
        ? "write `\(text(argument))` alone"
        : outer.kind == .binary && outer.op.info.isComparison && outer.left == id
          ? "compare the number itself: "
            + "`\(text(argument)) \(outer.op.spelling) …`"
          : "compare the number itself"
    }
    return "in place of `\(text(parent))` write `\(text(argument))`, or "
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
        help: helpForLoop(over: receiver, node, type))
      return true
    default: return false
    }
  }

  /// Returns advice for `device.localResourceIds.exists(r, r == "intro")`, a loop over a text.
  private func helpForLoop(
    over receiver: NodeID, _ node: SyntaxNode, _ type: AttributeType
  ) -> String {
    if type == .string, let loop = outline.loop(node), loop.kind == .exists,
      let comparison = ConstantComparison(tree[loop.body], in: tree), comparison.op == .equal,
      case .string = comparison.value
    {
      return "look for it in the text: `\(text(receiver)).contains(\(text(comparison.constant)))`"
    }
    if let outer = outline.loop(node), outer.kind == .exists,
      let inner = outline.loop(tree[receiver]),
      inner.kind == .exists, inner.variable == outer.variable
    {
      return "write both in one: `\(text(inner.range)).exists(\(inner.variable), "
        + "\(text(inner.body)) && \(text(outer.body)))`"
    }
    return "write the condition alone, about `\(text(receiver))`"
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
