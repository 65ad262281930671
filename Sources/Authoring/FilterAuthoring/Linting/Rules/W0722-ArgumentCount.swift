import ExpressionEngine
import ExpressionPrinting
import ExpressionSyntax
import FilterAnalysis

// Reports calls with too few or too many arguments.

extension FilterLinter {
  mutating func checkArgumentCount(_ node: SyntaxNode, _ name: String) {
    let receiver = node.receiver
    if name == "max", receiver == nil, node.childCount == 0 {
      return report(
        Diagnostic(
          .wrongArgumentCount, "`max` takes at least one argument, none given",
          at: tree.nameSpan(of: node), label: "an argument is missing",
          helps: ["write the values of which it is the largest: `max(user.a, user.b)`"]))
    }
    guard let needed = FunctionNames.argumentCount(of: name, hasReceiver: receiver != nil),
      node.childCount != needed
    else { return }
    let isMissing = node.childCount < needed
    var helps: [String] = []
    if let receiver, needed == 2, node.childCount == 1, name != "maybe",
      let only = tree.arguments(of: node).first
    {
      helps = [helpForLoop(node, name, receiver, only)]
    } else if name == "maybe", let value = tree.arguments(of: node).first {
      let standIn = tree.arguments(of: node).dropFirst().first.map { text($0) } ?? "…"
      if freePath(value) != nil, isSuperscript {
        helps = ["write `(has(\(text(value))) ? \(text(value)) : \(standIn))`"]
      }
    } else if name == "has", receiver == nil, node.childCount == 2,
      case .string(let sought)? = tree.constant(of: tree.arguments(of: node)[1])
    {
      let owner = tree.arguments(of: node)[0]
      let isRoot = tree[owner].kind == .identifier && Self.roots.contains(text(owner))
      helps = [
        isRoot && sought.isPlainName
          ? "write `has(\(text(owner)).\(sought))`"
          : isListByName(owner) || isList(staticType(owner))
            ? "to look for it, write `\(text(tree.arguments(of: node)[1])) in \(text(owner))`"
            : "to compare it, write `\(text(owner)) == \(text(tree.arguments(of: node)[1]))`"
      ]
    } else if name == "has", receiver == nil,
      tree.arguments(of: node).allSatisfy({ freePath($0) != nil }), !isMissing
    {
      let all = tree.arguments(of: node).map { "has(\(text($0)))" }
      helps = ["to ask for all of them, write `\(all.joined(separator: " && "))`"]
    } else if name == "exists", receiver == nil, node.childCount == 2,
      case let parts = tree.arguments(of: node), freePath(parts[0]) != nil,
      let variable = leftmostName(parts[1]), !Self.roots.contains(variable)
    {
      helps = ["write `\(text(parts[0])).exists(\(variable), \(text(parts[1])))`"]
    } else if name == "exists", receiver == nil, let only = tree.arguments(of: node).first,
      freePath(only) != nil
    {
      helps = ["to ask whether it is there, write `has(\(text(only)))`"]
    } else if let receiver, !isMissing {
      helps = helpForSurplus(node, name, receiver)
    }
    report(
      Diagnostic(
        .wrongArgumentCount,
        "`\(name)` takes \(needed) argument\(needed == 1 ? "" : "s"), \(node.childCount) given",
        at: tree.nameSpan(of: node),
        label: isMissing ? "an argument is missing" : "the rest is ignored",
        notes: FunctionNames.signatures(of: name).map { "`\($0)`" }, helps: helps))
  }

  /// Returns advice for a loop without a variable: `exists("pro")`, `exists(status == "paid")`.
  private func helpForLoop(
    _ node: SyntaxNode, _ name: String, _ receiver: NodeID, _ only: NodeID
  ) -> String {
    let list = text(receiver)
    if tree.isLiteral(only), let attribute = knownAttribute(receiver),
      attribute.type == .list(.map),
      let key = ["identifier", "productId"].first(where: { attribute.has(member: $0) })
    {
      return "name the element first: `\(list).\(name)(x, x.\(key) == \(text(only)))`"
    }
    if tree.isLiteral(only), name == "exists", let id = id(ofCall: node), isDenied(id) {
      return "to look for an element, write `\(list).contains(\(text(only)))`"
    }
    if tree.isLiteral(only), name == "exists" {
      return "to look for an element, write `\(text(only)) in \(list)`"
    }
    let inner = tree[only]
    if inner.kind == .identifier, name == "exists_one", freePath(only) == nil {
      return "for exactly one element, write `size(\(list)) == 1`; for one that meets a condition, "
        + "`\(list).exists_one(\(text(only)), \(text(only)) == …)`"
    }
    if inner.kind == .identifier,
      knownAttribute(receiver)?.has(member: tree.name(of: inner)) == true
    {
      return "name the element first: `\(list).\(name)(x, x.\(tree.name(of: inner)))`"
    }
    if inner.kind == .binary, inner.op.info.isComparison, tree[inner.left].kind == .identifier {
      let element = tree.name(of: tree[inner.left])
      // One letter is rather the element than a member of it.
      if element.utf8.count == 1 {
        return "name the element first: `\(list).\(name)(\(element), \(text(only)))`"
      }
      return "name the element first: `\(list).\(name)(x, x.\(text(only)))`"
    }
    // `exists(s.isActive)`
    var root = only
    while tree[root].kind == .select { root = tree[root].operand }
    if tree[root].kind == .identifier, root != only, !Self.roots.contains(text(root)) {
      return "name the element first: `\(list).\(name)(\(text(root)), \(text(only)))`"
    }
    return "name the element first: `\(list).\(name)(x, …)`"
  }

  /// Returns advice for `user.email.startsWith("a", "b")` and `user.email.contains("x", "i")`.
  private func helpForSurplus(
    _ node: SyntaxNode, _ name: String, _ receiver: NodeID
  ) -> [String] {
    let arguments = tree.arguments(of: node)
    guard Self.searches.contains(name), arguments.count >= 2,
      case .string(let second)? = tree.constant(of: arguments[1]),
      case .string(let first)? = tree.constant(of: arguments[0])
    else { return [] }
    let subject = text(receiver)
    if second == "i", arguments.count == 2 {
      let isPlain = first.utf8.allSatisfy { ($0 | 0x20) &- 0x61 < 26 || $0 &- 0x30 < 10 }
      return isPlain || name == "matches"
        ? ["to ignore case, write `\(subject).matches(\"(?i)\(first)\")`"] : []
    }
    let calls = arguments.map { "\(subject).\(name)(\(text($0)))" }
    return [
      "for one of several, write `(\(calls.joined(separator: " || ")))`",
      "for all of them, write `\(calls.joined(separator: " && "))`",
    ]
  }

  /// Reports `device.daysSince()`, which is always null, and `device.daysSince("app_open", 7)`.
  mutating func checkHostArguments(_ node: SyntaxNode, _ name: String, table: String) {
    guard AttributeSchema.builtIn.hostFunctions["\(table).\(name)"] != nil,
      environment.deviceFunctions[name] == nil, environment.computedFunctions[name] == nil
    else { return }
    let arguments = tree.arguments(of: node)
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
    let inner = tree[event]
    if inner.kind == .binary, inner.op.info.isComparison {
      // The name of the event may lack its quotes.
      let isName =
        tree[inner.left].kind == .identifier && !Self.roots.contains(text(inner.left))
      let left = isName ? "\"\(text(inner.left))\"" : text(inner.left)
      let right = text(inner.right)
      poisoned.insert(event)
      return report(
        Diagnostic(
          .typeMismatch, "`\(table).\(name)` takes the name of an event, a text",
          at: tree[event].span, label: "a comparison",
          helps: ["write `\(table).\(name)(\(left)) \(inner.op.spelling) \(right)`"]))
    }
    report(
      Diagnostic(
        .typeMismatch, "`\(table).\(name)` takes the name of an event, a text",
        at: tree[event].span, label: type.name,
        helps: [
          helpForEvents(node, inner, "\(table).\(name)") ?? helpForExchange(
            node, event, name, table)
            ?? helpForEvent(event, name, table)
        ]))
  }

  /// Returns advice for `device.placementsInWeek("run" && "ride") >= 3`.
  private func helpForEvents(
    _ node: SyntaxNode, _ argument: SyntaxNode, _ path: String
  ) -> String? {
    guard argument.kind == .binary, argument.op == .and || argument.op == .or,
      let function = historyFunction(node)
    else { return nil }
    let calls = [argument.left, argument.right].map { "\(path)(\(text($0)))" }
    return function.isTime
      ? "ask for each event: `\(calls[0])` and `\(calls[1])`"
      : "for the sum, write `\(calls.joined(separator: " + "))`; or ask for each event"
  }

  /// Returns advice for `device.daysSince(3) >= "app_open"`, whose number and event changed places.
  private func helpForExchange(
    _ node: SyntaxNode, _ number: NodeID, _ name: String, _ table: String
  ) -> String? {
    guard staticType(number).isNumeric, tree.isLiteral(number),
      let comparison = comparison(of: node),
      case .string = comparison.value
    else { return nil }
    return "write `\(table).\(name)(\(text(comparison.constant))) \(comparison.op.spelling) "
      + "\(text(number))`"
  }

  /// Returns advice for what is not the name of an event: a list of names, or another call.
  private func helpForEvent(_ event: NodeID, _ name: String, _ table: String) -> String {
    let node = tree[event]
    if node.kind == .list, let sum = sum(of: tree.arguments(of: node), name, table) {
      return "write `\(sum)`"
    }
    if node.kind == .list { return "ask for each event in a condition of its own" }
    if historyFunction(node) != nil {
      return "for one of the two, write `\(text(event))` in place of both"
    }
    return "write `\(table).\(name)(\"…\")` with the name of an event"
  }

  /// Returns the sum of the counts of several events.
  func sum(of events: [NodeID], _ name: String, _ table: String) -> String? {
    guard events.count > 1, HistoryFunctionInfo.named(name)?.isTime == false else { return nil }
    return events.map { "\(table).\(name)(\(text($0)))" }.joined(separator: " + ")
  }

  /// Returns the name that a chain of members begins with: `s` in `s.isActive == true`.
  private func leftmostName(_ id: NodeID) -> String? {
    var node = tree[id]
    while true {
      switch node.kind {
      case .identifier: return tree.name(of: node)
      case .select, .index: node = tree[node.operand]
      case .binary where node.op.info.isComparison: node = tree[node.left]
      default: return nil
      }
    }
  }

  private func helpForHost(
    _ node: SyntaxNode, _ name: String, _ table: String, _ arguments: [NodeID]
  ) -> [String] {
    if arguments.count == 3, case .string(let sign)? = tree.constant(of: arguments[1]),
      ["<", "<=", ">", ">=", "==", "!="].contains(sign), staticType(arguments[2]).isNumeric
    {
      let call = "\(table).\(name)(\(text(arguments[0])))"
      return ["compare the result: `\(call) \(sign) \(text(arguments[2]))`"]
    }
    guard let event = arguments.first, arguments.count == 2, staticType(arguments[1]).isNumeric
    else {
      let event = arguments.first { staticType($0) == .string } ?? arguments.first
      let written = event.map { text($0) } ?? "\"…\""
      if arguments.count > 1, let comparison = comparison(of: node),
        arguments.allSatisfy({ tree[$0].kind == .stringLiteral })
      {
        let rest = "\(comparison.op.spelling) \(text(comparison.constant))"
        let each = arguments.map { "\(table).\(name)(\(text($0))) \(rest)" }
        let calls = arguments.map { "\(table).\(name)(\(text($0)))" }
        let sum =
          HistoryFunctionInfo.named(name)?.isTime == false
          ? ["for all together, write `\(calls.joined(separator: " + ")) \(rest)`"] : []
        return sum + [
          "for each of them, write `\(each.joined(separator: " && "))`; for one of them, join "
            + "these with `||`"
        ]
      }
      return [window(name, table, written) ?? "write `\(table).\(name)(\(written))`"]
    }
    let call = "\(table).\(name)(\(text(event)))"
    if case .int(let length)? = tree.constant(of: arguments[1]), comparison(of: node) != nil,
      HistoryFunctionInfo.named(name)?.isTime == false
    {
      let names: [Int64: String] = [
        1: name, 7: "placementsInWeek", 24: "placementsInDay", 30: "placementsInMonth",
      ]
      return [
        names[length].map { "write `\(table).\($0)(\(text(event)))`" }
          ?? window(name, table, text(event)) ?? "write `\(call)`"
      ]
    }
    if comparison(of: node) != nil {
      return [window(name, table, text(event)) ?? "write `\(call)`"]
    }
    let number = text(arguments[1])
    guard HistoryFunctionInfo.named(name)?.isTime == true else {
      return ["compare the result: `\(call) >= \(number)`"]
    }
    return ["for the time until then, write `\(call) <= \(number)`; for longer ago, `>= \(number)`"]
  }

  /// Returns advice for a number beside the event of a count, whose window has a fixed length.
  private func window(_ name: String, _ table: String, _ event: String) -> String? {
    guard HistoryFunctionInfo.named(name)?.isTime == false else { return nil }
    return "the length of its window is a part of its name: write `\(table).\(name)(\(event))`, or "
      + "another of these functions"
  }
}
