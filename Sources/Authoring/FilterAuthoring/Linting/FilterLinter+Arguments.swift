import ExpressionEngine
import ExpressionSyntax
import FilterAnalysis

// Checks what functions are called on and with.

extension FilterLinter {
  /// Functions of a text and a text.
  private static let textFunctions: Set<String> = ["startsWith", "endsWith", "matches"]
  private static let loops: Set<String> = ["all", "exists", "exists_one", "map", "filter"]

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

  private mutating func reportType(
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

  // MARK: Texts

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
  private mutating func checkTextArgument(
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

  // MARK: Lists

  /// Reports `user.age.contains(3)`, `user.email.contains(5)` and
  /// `user.tags.contains(["dawn", "dusk"])`.
  private mutating func checkContains(
    _ receiver: NodeID, _ argument: NodeID, _ node: SyntaxNode
  ) -> Bool {
    let type = staticType(receiver)
    let wanted = staticType(argument)
    let subject = text(receiver)
    switch type {
    case .int, .number, .bool:
      var constant = text(argument)
      if case .string(let content)? = tree.constant(of: argument), Self.isNumber(content) {
        constant = content
      }
      reportType(
        "`contains` needs a text, a list or a map before the dot", at: receiver, type,
        of: "contains",
        help: type == .bool
          ? "write `\(subject)`, or `!\(subject)`" : "compare it: `\(subject) == \(constant)`")
      return true
    case .string:
      return checkTextArgument(argument, "contains", receiver)
    case .list(let element):
      if case .list? = tree.constant(of: receiver), tree.constant(of: argument) == nil,
        !isList(wanted)
      {
        checkElements(of: receiver, against: argument)
        return false
      }
      return checkElement(argument, wanted, element, in: receiver, at: argument)
    case .any:
      guard tree[argument].kind == .list, case .list = wanted else { return false }
      return checkElement(argument, wanted, .any, in: receiver, at: argument)
    case .map: return false
    }
  }

  /// Reports an element that a list never has: a list among texts, or a text among numbers.
  ///
  /// - Parameters:
  ///   - candidate: The value that is looked for.
  ///   - element: The type of the list's elements.
  mutating func checkElement(
    _ candidate: NodeID, _ type: AttributeType, _ element: AttributeType, in list: NodeID,
    at place: NodeID
  ) -> Bool {
    let container = text(list)
    if case .list = type {
      if case .list = element { return false }
      let written = text(candidate)
      let elements = Array(tree.children(of: tree[candidate])).map { text(NodeID($0)) }
      let isLiteral = tree[candidate].kind == .list
      var helps = ["for any of them, write `\(written).exists(x, x in \(container))`"]
      if elements.count > 1 || !isLiteral {
        helps.append("for all of them, write `\(written).all(x, x in \(container))`")
      } else if let only = elements.first {
        helps = ["write `\(only) in \(container)`"]
      }
      report(
        Diagnostic(
          .typeMismatch, "a list is looked for among the elements of `\(container)`",
          at: tree[place].span, label: "the list as a whole",
          notes: ["so this is always false"], helps: helps))
      return true
    }
    let isNumberInTexts = element == .string && (type.isNumeric || type == .bool)
    let isTextInNumbers = element.isNumeric && (type == .string || type == .bool)
    guard isNumberInTexts || isTextInNumbers else { return false }
    report(
      Diagnostic(
        .typeMismatch, "the elements of `\(container)` are never \(type.withArticle)",
        at: tree[place].span, label: type.name, notes: ["so this is always false"],
        helps: isNumberInTexts && type.isNumeric && tree.isLiteral(candidate)
          ? ["write `\"\(text(candidate))\"`"] : []))
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

  private mutating func checkRange(
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

  // MARK: Operators

  /// Reports `user.name + user.age` and `user.age % 0`.
  mutating func checkOperands(_ node: SyntaxNode) {
    guard isSuperscript, node.kind == .binary else { return }
    let left = NodeID(node.first)
    let right = NodeID(node.second)
    if node.op == .divide || node.op == .remainder {
      switch tree.constant(of: right) {
      case .int(0), .uint(0):
        report(
          Diagnostic(
            .alwaysFalse, "this divides by zero", at: tree[right].span, label: "zero",
            notes: ["this is an error when the filter runs, and the filter does not match"],
            helps: ["divide by another number"]))
      default: break
      }
    }
    guard [.add, .subtract, .multiply, .divide, .remainder].contains(node.op),
      tree.constant(of: left) == nil || tree.constant(of: right) == nil
    else { return }
    let a = staticType(left)
    let b = staticType(right)
    if [.add, .subtract].contains(node.op), a == .string, isMoment(tree[right]) {
      return reportTextAsMoment(node, left, right)
    }
    guard a != .any, b != .any, !canCompute(a, node.op, b) else { return }
    var help: String?
    if node.op == .add, a == .string || b == .string {
      let other = a == .string ? right : left
      if (a == .string ? b : a).isNumeric { help = "write `string(\(text(other)))`" }
    } else if a.isNumeric, b == .string {
      help = "write `int(\(text(right)))`"
    } else if a == .string, b.isNumeric {
      help = "write `int(\(text(left)))`"
    }
    report(
      Diagnostic(
        .typeMismatch, "`\(node.op.spelling)` has no meaning for \(a.name) and \(b.name)",
        at: tree.operatorSpan(of: node), label: "an error when the filter runs",
        secondary: [
          Diagnostic.Label(tree[left].span, a.name), Diagnostic.Label(tree[right].span, b.name),
        ], helps: help.map { [$0] } ?? []))
  }

  /// Reports `user.lastSeenAt - duration("24h")`: a time is a text until it is converted.
  private mutating func reportTextAsMoment(_ node: SyntaxNode, _ left: NodeID, _ right: NodeID) {
    let moment = tree.name(of: tree[right])
    report(
      Diagnostic(
        .typeMismatch, "`\(node.op.spelling)` has no meaning for string and \(moment)",
        at: tree.operatorSpan(of: node), label: "an error when the filter runs",
        secondary: [
          Diagnostic.Label(tree[left].span, "string"), Diagnostic.Label(tree[right].span, moment),
        ],
        helps: [
          "convert the text: `timestamp(\(text(left))) \(node.op.spelling) \(text(right))`"
        ]))
  }

  /// Reports `-user.name`.
  mutating func checkSign(_ node: SyntaxNode) {
    guard isSuperscript, node.op == .negate || node.op == .doubleNegate else { return }
    let operand = NodeID(node.first)
    let type = staticType(operand)
    guard type != .any, !type.isNumeric else { return }
    let sign = SourceSpan(start: node.span.start, length: node.op == .negate ? 1 : 2)
    report(
      Diagnostic(
        .typeMismatch, "`\(tree.source.text(of: sign))` has no meaning for \(type.name)", at: sign,
        label: "an error when the filter runs",
        secondary: [Diagnostic.Label(tree[operand].span, type.name)],
        helps: [
          type == .bool ? "write `!\(text(operand))`" : "remove the `\(tree.source.text(of: sign))`"
        ]))
  }

  private func canCompute(_ a: AttributeType, _ op: Operator, _ b: AttributeType) -> Bool {
    switch (a, b) {
    case (.int, .int), (.int, .number), (.number, .int), (.number, .number): true
    case (.string, .string), (.list, .list): op == .add
    default: false
    }
  }

  /// Reports `user.tags[-1]`, which is never there.
  mutating func checkIndex(_ node: SyntaxNode) {
    guard isSuperscript, case .int(let index)? = tree.constant(of: NodeID(node.second)), index < 0,
      staticType(NodeID(node.first)) != .map
    else { return }
    let list = text(NodeID(node.first))
    report(
      Diagnostic(
        .negativeIndex, "there is no element before the first one",
        at: tree.nodes[Int(node.second)].span,
        label: "counted from 0", notes: ["so this is always null"],
        helps: ["the last element is `\(list)[size(\(list)) - 1]`"]))
  }

  // MARK: Functions of the app

  /// Reports `device.daysSince()`, which is always null, and `device.daysSince("app_open", 7)`.
  mutating func checkHostArguments(_ node: SyntaxNode, _ name: String, table: String) {
    guard AttributeSchema.builtIn.hostFunctions["\(table).\(name)"] != nil,
      environment.deviceFunctions[name] == nil, environment.computedFunctions[name] == nil
    else { return }
    let arguments = Array(tree.children(of: node)).map { NodeID($0) }
    guard arguments.count == 1, let event = arguments.first else {
      return report(
        Diagnostic(
          .wrongArgumentCount, "`\(table).\(name)` takes the name of an event",
          at: tree.nameSpan(of: node),
          label: arguments.isEmpty ? "an argument is missing" : "the rest is ignored",
          notes: arguments.isEmpty ? ["without it the result is null"] : [],
          helps: helpForHost(node, name, table, arguments)))
    }
    let type = staticType(event)
    guard type != .any, type != .string else { return }
    report(
      Diagnostic(
        .typeMismatch, "`\(table).\(name)` takes the name of an event, a text",
        at: tree[event].span, label: type.name,
        helps: ["write `\(table).\(name)(\"app_open\")`"]))
  }

  private func helpForHost(
    _ node: SyntaxNode, _ name: String, _ table: String, _ arguments: [NodeID]
  ) -> [String] {
    guard let event = arguments.first, arguments.count == 2, staticType(arguments[1]).isNumeric
    else { return ["write `\(table).\(name)(\"app_open\")`"] }
    return ["compare the result: `\(table).\(name)(\(text(event))) > \(text(arguments[1]))`"]
  }
}
