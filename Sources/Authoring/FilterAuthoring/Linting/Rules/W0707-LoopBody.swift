import ExpressionEngine
import ExpressionSyntax
import FilterAnalysis

// Reports loops whose body is not a condition.

extension FilterLinter {
  /// Returns whether the body of a loop reads a member of its variable that is an attribute of the
  /// root with the variable's name.
  private func readsHiddenAttribute(
    in body: NodeID, of name: String, _ hasPlainElements: Bool
  ) -> Bool {
    let place = tree[body].span
    return tree.nodes.contains { node in
      node.kind == .select && place.start <= node.span.start && node.span.end <= place.end
        && tree[node.operand].kind == .identifier && tree.name(of: tree[node.operand]) == name
        && (hasPlainElements
          || schema.attribute(at: AttributePath(root: name, names: [tree.name(of: node)])) != nil)
    }
  }

  /// Reports `user.tags.exists(user.t, user.t == "vip")`: the variable is a plain name.
  private mutating func checkVariableName(_ node: SyntaxNode) {
    let arguments = tree.arguments(of: node)
    guard isSuperscript, Self.loops.contains(tree.name(of: node)), node.receiver != nil,
      arguments.count == 2, tree[arguments[0]].kind == .select
    else { return }
    let name = tree.name(of: tree[arguments[0]])
    report(
      Diagnostic(
        .operandNotCondition, "the variable of a loop is a plain name",
        at: tree[arguments[0]].span, label: "an attribute",
        notes: [Self.failsAtRunTime],
        helps: ["write `\(tree.name(of: node))(\(name), …)`"]))
  }

  /// Reports `user.tags.exists(t, "vip")`, whose condition is a text.
  mutating func checkLoopBody(_ node: SyntaxNode) {
    checkVariableName(node)
    guard ["all", "exists", "exists_one", "filter"].contains(tree.name(of: node)),
      let scoped = ScopedCall(node, tree, environment), let body = scoped.inside.first,
      scoped.inside.count == 1, let range = scoped.outside.first
    else { return }
    if let name = scoped.variables.first.map({ tree.name(of: tree[$0]) }),
      Self.roots.contains(name), let place = scoped.variables.first,
      readsHiddenAttribute(in: body, of: name, staticType(range) == .list(.string))
        || freePath(range)?.root == name
    {
      report(
        Diagnostic(
          .unknownRoot, "the element is called `\(name)`, and hides the attributes",
          at: tree[place].span, label: "a name that is taken",
          notes: ["inside of the loop, `\(name).…` is read of the element"],
          helps: ["name the element in another way, such as `x`"]))
    }
    if let name = scoped.variables.first.map({ tree.name(of: tree[$0]) }) {
      if checkLoopOverObject(node, body, range, name) { return }
      checkElementOfObjects(body, range, name)
    }
    for operand in operandsOfConnectives(body) { checkOperand(operand, tree[operand]) }
    var type = staticType(body)
    let variable = scoped.variables.first.map { tree.name(of: tree[$0]) }
    let name = variable ?? "x"
    if tree[body].kind == .identifier, tree.name(of: tree[body]) == variable {
      if case .list(let element) = staticType(range) { type = element }
      let rangeType = staticType(range)
      if type == .any, rangeType == .any || isList(rangeType), tree[range].kind != .list {
        return report(
          Diagnostic(
            .operandNotCondition, "the condition of `\(tree.name(of: node))` is the element itself",
            at: tree[body].span, label: "only `true` counts",
            helps: [
              "compare it: `\(name) == …`; to ask whether there is any element, write "
                + "`size(\(text(range))) > 0`"
            ]))
      }
    }
    guard type != .any, type != .bool else { return }
    report(
      Diagnostic(
        .operandNotCondition,
        "the condition of `\(tree.name(of: node))` is \(type.withArticle)",
        at: tree[body].span, label: "not a bool",
        helps: [
          tree.isLiteral(body)
            ? "compare the element with it: `\(name) == \(text(body))`"
              + (type == .string
                ? "; or look for a part of it: `\(name).contains(\(text(body)))`" : "")
            : tree[body].kind == .conditional && type.isNumeric
              ? "write the condition alone: `\(text(tree[body].condition))`"
              : "compare it with something: `\(text(body)) == …`"
        ]))
  }

  /// Reports `device.customerInfo.exists(s, s.productId == "pro")`: the elements of an object are
  /// the names of its members. Returns whether it did.
  private mutating func checkLoopOverObject(
    _ node: SyntaxNode, _ body: NodeID, _ range: NodeID, _ name: String
  ) -> Bool {
    guard let path = freePath(range), schema.attribute(at: path)?.type == .map,
      let member = member(of: name, in: body)
    else { return false }
    let lists = schema.attributes(under: path.root).filter {
      $0.path.hasPrefix("\(path).") && isList($0.type) && $0.has(member: member)
    }
    report(
      Diagnostic(
        .typeMismatch, "a loop over an object visits the names of its members",
        at: tree[range].span, label: "an object",
        notes: ["`\(name)` is a text, and has no `\(member)`"],
        helps: lists.prefix(2).map {
          "write `\($0.path).\(tree.name(of: node))(\(name), \(text(body)))`"
        }))
    return true
  }

  /// Returns a member of a variable that a condition reads.
  private func member(of variable: String, in body: NodeID) -> String? {
    let place = tree[body].span
    return tree.nodes.first { node in
      node.kind == .select && place.start <= node.span.start && node.span.end <= place.end
        && tree[node.operand].kind == .identifier
        && tree.name(of: tree[node.operand]) == variable
    }.map { tree.name(of: $0) }
  }

  /// Returns the conditions that `&&` and `||` join under a node; the node itself is not one.
  private func operandsOfConnectives(_ id: NodeID) -> [NodeID] {
    var result: [NodeID] = []
    var work = [id]
    while let next = work.popLast() {
      let node = tree[next]
      if node.kind == .binary, node.op == .and || node.op == .or {
        work += [node.left, node.right]
      } else if next != id {
        result.append(next)
      }
    }
    return result
  }

  /// Returns the literals in a condition.
  private func literals(in body: NodeID) -> [NodeID] {
    var found: [NodeID] = []
    var work = [body]
    while let next = work.popLast() {
      if tree.isLiteral(next) { found.append(next) } else { work += tree.parts(of: tree[next]) }
    }
    return found
  }

  /// Reports a loop whose condition does not read the element.
  mutating func checkVariable(_ node: SyntaxNode) {
    guard ["all", "exists", "exists_one", "filter"].contains(tree.name(of: node)),
      let scoped = ScopedCall(node, tree, environment), scoped.variables.count == 1,
      scoped.inside.count == 1, let variable = scoped.variables.first,
      let body = scoped.inside.first,
      !tree.isLiteral(body)
    else { return }
    let name = tree.name(of: tree[variable])
    // The name in it that is wrong was reported.
    guard !wasReported(tree[body].span) else { return }
    var work = [body]
    var paths: [NodeID] = []
    var quoted: NodeID?
    while let next = work.popLast() {
      let inner = tree[next]
      if inner.kind == .stringLiteral, tree.constant(of: next) == .string(name) { quoted = next }
      if inner.kind == .identifier, tree.name(of: inner) == name { return }
      if inner.kind == .select, freePath(next) != nil { paths.append(next) }
      work += tree.parts(of: inner)
    }
    var isPlain = false
    if let range = scoped.outside.first, case .list(let element) = staticType(range) {
      isPlain = element.isTextOrNumber
    }
    if let range = scoped.outside.first, tree[body].kind == .identifier,
      knownAttribute(range)?.has(member: tree.name(of: tree[body])) == true
    {
      return report(
        Diagnostic(
          .unusedVariable, "the condition does not read `\(name)`, the element",
          at: tree[body].span, label: "a member of the elements",
          helps: ["write `\(name).\(tree.name(of: tree[body]))`"]))
    }
    report(
      Diagnostic(
        .unusedVariable, "the condition does not read `\(name)`, the element",
        at: tree[body].span, label: "the same for every element",
        secondary: [Diagnostic.Label(tree[variable].span, "")],
        helps: [
          quoted.map {
            "the element is written without quotes: `\(name)` in place of `\(text($0))`"
          } ?? helpForUnread(name, body, in: scoped, isPlain ? nil : paths.last)
        ]))
  }

  /// Returns the name of a member of an element: one that is true or false, if there is one.
  private func exampleOfMember(_ list: AttributeSchema.Attribute?) -> String {
    let members = list?.members ?? []
    return (members.first { $0.type == .bool } ?? members.first)?.path ?? "…"
  }

  /// Returns advice for a condition that does not read the element.
  ///
  /// - Parameter member: The last attribute that the condition reads, if it may be a member.
  private func helpForUnread(
    _ name: String, _ body: NodeID, in loop: ScopedCall, _ member: NodeID?
  ) -> String {
    guard let range = loop.outside.first else { return "compare the element: `\(name) == …`" }
    // `["a", "b"].all(x, !device.tags.contains("a"))`, in which one of them is written again.
    let elements =
      tree[range].kind == .list
      ? tree.arguments(of: tree[range]).compactMap { tree.constant(of: $0) } : []
    let repeated = literals(in: body).first { literal in
      tree.constant(of: literal).map { elements.contains($0) } == true
    }
    if let repeated { return "write `\(name)` in the place of `\(text(repeated))`" }
    let list = knownAttribute(range)
    guard let member else { return "compare the element: `\(name) == …`" }
    let last = tree.name(of: tree[member])
    if list == nil, let comparison = ConstantComparison(tree[body], in: tree) {
      let rest = "\(comparison.op.spelling) \(text(comparison.constant))"
      return "test the element, `\(name) \(rest)`, or a member of it, `\(name).\(last) \(rest)`"
    }
    return list == nil || list?.members.isEmpty == true || list?.has(member: last) == true
      ? "did you mean `\(name).\(last)`?"
      : "test a member of the element, such as `\(name).\(exampleOfMember(list))`; or, if "
        + "the condition is meant, write it outside of the loop"
  }
}
