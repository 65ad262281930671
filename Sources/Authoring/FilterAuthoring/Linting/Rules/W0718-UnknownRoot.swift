import ExpressionEngine
import ExpressionPrinting
import ExpressionSyntax
import FilterAnalysis

// Reports variables that do not exist.

extension FilterLinter {
  mutating func checkRoot(_ id: NodeID, _ node: SyntaxNode) {
    guard !isBound[Int(id.index)], !isEventAfterHyphen(id) else { return }
    let name = tree.name(of: node)
    guard !Self.roots.contains(name) else { return }
    let parent = tree[parent(of: id)]
    if parent.kind == .message { return }
    // The variable of a malformed loop is reported with the loop.
    if parent.kind == .call, parent.receiver != id,
      ["all", "exists", "exists_one", "map", "filter"].contains(tree.name(of: parent))
    {
      return
    }
    let known = knownRoots
    guard !known.contains(name), !isArgumentOfUnknownFunction(id), !isTypeSought(name, parent)
    else {
      return
    }
    poisoned.insert(id)
    if let literal = ForeignWords.literal(for: name), parent.kind != .select {
      return reportForeignLiteral(name, literal, node)
    }
    let diagnostic = Diagnostic(
      .unknownRoot, "there is no variable `\(name)`", at: node.span, label: "not known",
      notes: [
        isSuperscript
          ? "a variable that the context does not have makes the whole filter null, "
            + "so it does not match"
          : "a variable that the context does not have is an error"
      ],
      helps: [helpForRoot(id, name, parent, known)])
    let quoted = "\"\(name)\""
    report(
      diagnostic.helps.first?.hasPrefix("put text in quotes: `\(quoted)`") == true
        ? diagnostic.attempting(quoted, at: node.span) : diagnostic)
  }

  /// Returns whether a name is the event of `device.daysSince-run_done`, which is reported as a
  /// function without a call.
  private func isEventAfterHyphen(_ id: NodeID) -> Bool {
    let parent = tree[parent(of: id)]
    guard parent.isBinary(.subtract), parent.right == id, let path = freePath(parent.left),
      path.names.count == 1
    else { return false }
    return HistoryFunctionInfo.named(path.names[0]) != nil
  }

  /// Returns whether a name is the type in `type(user.age) == int`, whose function is reported.
  private func isTypeSought(_ name: String, _ parent: SyntaxNode) -> Bool {
    guard isSuperscript, parent.kind == .binary, parent.op.info.isComparison else { return false }
    return ["int", "uint", "double", "string", "bool", "bytes", "list", "map"].contains(name)
      && [parent.left, parent.right].contains {
        tree[$0].kind == .call && ["type", "typeof"].contains(tree.name(of: tree[$0]))
      }
  }

  /// Reports `None`, `TRUE` and `undefined`.
  private mutating func reportForeignLiteral(_ name: String, _ literal: String, _ node: SyntaxNode)
  {
    report(
      Diagnostic(
        .unknownRoot, "`\(name)` is not a literal here", at: node.span, label: "write `\(literal)`",
        notes: ["it is read as a variable, and there is none of that name"],
        fixIts: [Diagnostic.FixIt(write: literal, at: node.span)]))
  }

  /// Returns whether a name is in the arguments of an unknown function, or of a loop without a
  /// variable, which is then the mistake to report.
  private func isArgumentOfUnknownFunction(_ id: NodeID) -> Bool {
    let loops: Set<String> = ["all", "exists", "exists_one", "map", "filter"]
    var current = id
    for _ in 0..<8 {
      guard current != tree.root else { return false }
      let next = parent(of: current)
      let node = tree[next]
      if node.kind == .call, node.receiver != current {
        let name = tree.name(of: node)
        // `exists(i, l, …)` has one argument too many.
        let arguments = tree.arguments(of: node)
        if loops.contains(name), isSuperscript, arguments.count > 2,
          tree[arguments[1]].kind == .identifier,
          tree.name(of: tree[arguments[1]]) == tree.name(of: tree[id])
        {
          return true
        }
        if loops.contains(name), isSuperscript,
          let needed = FunctionNames.argumentCount(
            of: name, hasReceiver: node.receiver != nil),
          node.childCount < needed
        {
          return true
        }
        if isSuperscript, !outline.isLibraryFunction(name), !outline.isHostFunction(name),
          node.receiver.map({ tree[$0].kind }) != .identifier
        {
          return true
        }
      }
      current = next
    }
    return false
  }
}
