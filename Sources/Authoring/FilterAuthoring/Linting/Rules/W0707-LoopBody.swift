import ExpressionEngine
import ExpressionSyntax
import FilterAnalysis

// Reports loops whose body is not a condition.

extension FilterLinter {
  /// Reports `user.tags.exists(t, "vip")`, whose condition is a text.
  mutating func checkLoopBody(_ node: SyntaxNode) {
    guard ["all", "exists", "exists_one", "filter"].contains(tree.name(of: node)),
      let scoped = ScopedCall(node, tree, environment), let body = scoped.inside.first,
      scoped.inside.count == 1, let range = scoped.outside.first
    else { return }
    for operand in operandsOfConnectives(body) { checkOperand(operand, tree[operand]) }
    var type = staticType(body)
    let variable = scoped.variables.first.map { tree.name(of: tree[$0]) }
    if tree[body].kind == .identifier, tree.name(of: tree[body]) == variable,
      case .list(let element) = staticType(range)
    {
      type = element
    }
    guard type != .any, type != .bool else { return }
    let name = variable ?? "x"
    report(
      Diagnostic(
        .operandNotCondition,
        "the condition of `\(tree.name(of: node))` is \(type.withArticle)",
        at: tree[body].span, label: "not a bool",
        helps: [
          tree.isLiteral(body)
            ? "compare the element with it: `\(name) == \(text(body))`"
            : "compare it with something: `\(text(body)) == …`"
        ]))
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

  /// Reports a loop whose condition does not read the element.
  mutating func checkVariable(_ node: SyntaxNode) {
    guard ["all", "exists", "exists_one", "filter"].contains(tree.name(of: node)),
      let scoped = ScopedCall(node, tree, environment), scoped.variables.count == 1,
      scoped.inside.count == 1, let variable = scoped.variables.first,
      let body = scoped.inside.first,
      !tree.isLiteral(body)
    else { return }
    let name = tree.name(of: tree[variable])
    var work = [body]
    var paths: [NodeID] = []
    while let next = work.popLast() {
      let inner = tree[next]
      if inner.kind == .identifier, tree.name(of: inner) == name { return }
      if inner.kind == .select, freePath(next) != nil { paths.append(next) }
      work += tree.parts(of: inner)
    }
    var isPlain = false
    if let range = scoped.outside.first, case .list(let element) = staticType(range) {
      isPlain = element.isTextOrNumber
    }
    let member = isPlain ? nil : paths.last.map { "`\(name).\(tree.name(of: tree[$0]))`" }
    report(
      Diagnostic(
        .unusedVariable, "the condition does not read `\(name)`, the element",
        at: tree[body].span, label: "the same for every element",
        secondary: [Diagnostic.Label(tree[variable].span, "")],
        helps: [member.map { "did you mean \($0)?" } ?? "compare the element: `\(name) == …`"]))
  }
}
