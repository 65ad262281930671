import ExpressionEngine
import ExpressionSyntax
import FilterAnalysis

// Reports `has` of something other than an attribute.

extension FilterLinter {
  /// Reports `has("user.age")`, `has(user)` and `user.has("age")`, which are true whatever the
  /// attribute is.
  mutating func checkHas(_ node: SyntaxNode) {
    // More arguments are a mistake of their own.
    guard let argument = tree.arguments(of: node).first, node.childCount == 1 else { return }
    let inner = tree[argument]
    if checkHasOfValue(argument) || checkAlwaysThere(argument) { return }
    // A name that does not exist is a mistake of its own.
    guard
      inner.kind == .stringLiteral
        || inner.kind == .identifier && Self.roots.contains(tree.name(of: inner)),
      !isBound[Int(argument.index)]
    else { return }
    var helps = ["ask for an attribute: `has(user.age)`"]
    if inner.kind == .stringLiteral {
      let name = String(decoding: tree.text(of: inner), as: UTF8.self)
      let owner = node.receiver.map { "\(text($0))." } ?? ""
      let isPath = name.utf8.allSatisfy {
        $0 == 0x2E || $0 == 0x5F || $0 &- 0x30 < 10 || ($0 | 0x20) &- 0x61 < 26
      }
      if let receiver = node.receiver, let element = element(receiverOf: node) {
        helps = ["to look for it, write `\(text(argument)) in \(element)`"]
        if isPath, staticType(receiver) == .any {
          helps.append("to ask for a member of that name, write `has(\(element).\(name))`")
        }
      } else if isPath, !name.isEmpty, !owner.isEmpty || name.contains(".") {
        helps = ["write `has(\(owner)\(name))`"]
      }
    }
    report(
      .always(
        true, "`has` of something other than an attribute is always true", at: inner.span,
        label: inner.kind == .stringLiteral
          ? "a text, which is there" : "all of it, which is there",
        helps: helps))
  }

  /// Reports `has(device.activeEntitlements)`: the SDKs always set most attributes.
  private mutating func checkAlwaysThere(_ argument: NodeID) -> Bool {
    guard let attribute = knownAttribute(argument), !attribute.isOptional,
      attribute.platforms.isEmpty, AttributeSchema.builtIn[attribute.path] == attribute,
      !attribute.path.hasPrefix("params.")
    else { return false }
    if let other = inequality(of: attribute.path), attribute.summary.hasSuffix("may be empty") {
      report(
        .always(
          true, "`\(attribute.path)` is always there, and may be empty",
          at: tree[argument].span, label: "always true",
          secondary: [Diagnostic.Label(tree[other].span, "true for the empty text, too")],
          helps: ["to leave out where it is not known, write `\(text(argument)) != \"\"`"]))
      return true
    }
    // As a guard of a condition on it, it is good style.
    let isGuard = tree.nodes.indices.contains { index in
      let id = NodeID(UInt32(index))
      return id != argument && freePath(id)?.description == attribute.path
    }
    guard !isGuard else { return false }
    let subject = text(argument)
    let isNegated = tree[parent(of: parent(of: argument))].isUnary(.not)
    let help: String? =
      switch attribute.type {
      case .list:
        isNegated
          ? "to ask whether it is empty, write `size(\(subject)) == 0`, without the `!`"
          : "to ask whether it has elements, write `size(\(subject)) > 0`"
      case .string where !attribute.quotedValues.isEmpty && !attribute.values.contains(""):
        "compare it with one of its values, or remove it"
      case .string where attribute.path.hasSuffix(".aliasId"):
        "every user has one; to ask for a login, write `\(isNegated ? "!" : "")user.isLoggedIn`"
      case .string:
        "to ask whether it is empty, write `\(subject) \(isNegated ? "==" : "!=") \"\"`"
      case .bool:
        isNegated
          ? "for users of whom it is false, write `!\(subject)`"
          : "to ask for its value, write `\(subject)`"
      case .int, .number: "compare it with a number\(isNegated ? ", without the `!`" : "")"
      default: nil
      }
    guard let help else { return false }
    report(
      .always(
        true, "`\(attribute.path)` is always there", at: tree[argument].span,
        label: "always true", notes: ["the SDKs set it for every user"], helps: [help]))
    return true
  }

  /// Returns the only other condition on an attribute, if it excludes values that are not empty.
  private mutating func inequality(of path: String) -> NodeID? {
    guard let attribute = AttributePath(path), readings(of: attribute) == 2 else { return nil }
    return tree.nodes.indices.lazy.map { NodeID(UInt32($0)) }.first { id in
      guard let comparison = ConstantComparison(tree[id], in: tree), comparison.op == .notEqual,
        freePath(comparison.subject) == attribute, case .string(let text) = comparison.value
      else { return false }
      return !text.isEmpty
    }
  }

  /// Reports `hasFn("daysSinceInstall")`, the name of an attribute.
  mutating func checkHasFunction(_ node: SyntaxNode) {
    guard let argument = tree.arguments(of: node).first,
      case .string(let written)? = tree.constant(of: argument)
    else { return }
    let name = written.hasPrefix("device.") ? String(written.dropFirst(7)) : written
    if let root = ["user.", "params."].first(where: { written.hasPrefix($0) }),
      AttributePath(written) != nil
    {
      return report(
        .always(
          false, "`\(written)` is an attribute, and no function", at: tree[argument].span,
          label: "`hasFn` is about functions", notes: ["an app has no function of `\(root)`"],
          helps: ["write `has(\(written))`"]))
    }
    guard !name.contains("."), HistoryFunctionInfo.named(name) == nil else { return }
    if outline.isLibraryFunction(name), !["has", "hasFn", "maybe", "toString"].contains(name) {
      return report(
        .always(
          false, "`hasFn` knows the functions of the app only", at: tree[argument].span,
          label: "a function of the language", helps: ["`\(name)` is always there: remove this"]))
    }
    guard schema["device.\(name)"] != nil else { return }
    report(
      .always(
        false, "`device.\(name)` is an attribute, and no function", at: tree[argument].span,
        label: "`hasFn` is about functions", helps: ["write `has(device.\(name))`"]))
  }

  /// Returns what is searched in `user.tags.has("dawn")`: an attribute that is a list or a text, or
  /// may be one. `has` on a root or an object asks for a member.
  func element(receiverOf node: SyntaxNode) -> String? {
    guard let receiver = node.receiver, freePath(receiver) != nil, staticType(receiver) != .map
    else { return nil }
    return text(receiver)
  }

  /// Reports `has(user["email"])` and `has(user.email == "x")`.
  mutating func checkHasOfValue(_ argument: NodeID) -> Bool {
    let node = tree[argument]
    switch node.kind {
    case .index:
      guard case .string(let name)? = tree.constant(of: node.subscriptIndex), name.isPlainName
      else { break }
      report(
        .always(
          true, "`has` of something other than an attribute is always true", at: node.span,
          label: "read with brackets",
          helps: ["write `has(\(text(node.operand)).\(name))`"]))
      return true
    default: break
    }
    if node.kind == .call, historyFunction(node) != nil {
      let isTime = historyFunction(node)?.isTime == true
      let help =
        isDenied(parent(of: argument))
        ? "to ask whether it never happened, write `\(text(argument)) == \(isTime ? "null" : "0")`"
        : "to ask whether it \(isTime ? "ever " : "")happened, write `\(text(argument)) "
          + "\(isTime ? "!= null" : "> 0")`"
      report(
        .always(
          true, "`has` of something other than an attribute is always true", at: node.span,
          label: "a call", helps: [help]))
      return true
    }
    let isCondition = [.binary, .unary, .call].contains(node.kind) && staticType(argument) == .bool
    guard isCondition || node.kind == .index || node.kind == .intLiteral
    else { return false }
    report(
      .always(
        true,
        isCondition
          ? "`has` does not ask whether a condition holds"
          : "`has` of something other than an attribute is always true", at: node.span,
        label: isCondition ? "false is a value, too" : "no attribute",
        helps: isCondition
          ? [presenceOfEach(node) ?? "write the condition alone: `\(text(argument))`"]
          : [
            node.kind == .index
              ? "to ask whether it is there, write `\(text(argument)) != null`"
              : "ask for an attribute: `has(user.age)`"
          ]))
    return true
  }

  /// Returns advice for `has(user.email && user.name)`.
  private func presenceOfEach(_ node: SyntaxNode) -> String? {
    guard node.isBinary(.and) || node.isBinary(.or), freePath(node.left) != nil,
      freePath(node.right) != nil
    else { return nil }
    return "ask for each of them: `has(\(text(node.left))) \(node.op.spelling) "
      + "has(\(text(node.right)))`"
  }
}
