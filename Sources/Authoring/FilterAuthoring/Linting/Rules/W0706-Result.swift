import ExpressionEngine
import ExpressionSyntax
import FilterAnalysis

// Reports filters whose result is not a bool.

extension FilterLinter {
  /// Warns if the result of the filter is not a bool.
  mutating func checkResult() {
    let type = typeByName(tree.root) == .number ? .number : staticType(tree.root)
    let node = tree[tree.root]
    if checkNoCondition(node) { return }
    if type == .any || type == .bool, checkBranchesOfResult(node) { return }
    guard type != .any, type != .bool, node.kind != .stringLiteral || isSuperscript else { return }
    // What is wrong inside of a call comes first.
    if node.kind == .call, diagnostics.contains(where: { $0.overlaps(node.span) }) { return }
    let text = text(tree.root)
    var helps = [
      node.isBinary(.remainder) && node.flags.isEmpty
        ? "for every multiple, write `\(text) == 0`" : "compare it with something"
    ]
    switch type {
    case .int, .number:
      if node.kind == .select || node.kind == .call {
        let function = node.kind == .call ? HistoryFunctionInfo.named(tree.name(of: node)) : nil
        helps = [
          function?.isTime == true
            ? "compare it with a number: `\(text) <= …`" : "compare it: `\(text) > 0`"
        ]
      }
    case .string where node.kind == .select:
      let value = knownAttribute(tree.root)?.values.first ?? "…"
      helps = ["compare it: `\(text) == \"\(value)\"`"]
    case .list where node.kind == .select:
      helps = ["ask for an element: `\"…\" in \(text)`, or for the size: `size(\(text)) > 0`"]
    default: break
    }
    if node.kind == .call, case .list = type, let loop = ScopedCall(node, tree, environment),
      let range = loop.outside.first, let variable = loop.variables.first,
      let body = loop.inside.first
    {
      let part = "\(self.text(variable)), \(self.text(body))"
      helps = ["to ask whether there is one, write `\(self.text(range)).exists(\(part))`"]
    }
    if node.kind == .conditional {
      helps = [helpForLooseChoice(node) ?? "let both branches be conditions"]
    }
    helps = helpForWrapped(node) ?? helps
    let fix = filterMeant(byQuery: tree.root).map { filter in
      Diagnostic.FixIt(
        "write `\(filter.shortened(to: 120))`", [Diagnostic.Edit(node.span, filter)])
    }
    if fix != nil { helps = [] }
    if isDividedByComment { helps = ["`//` begins a comment; to divide, write `/`"] }
    report(
      Diagnostic(
        .resultNotBool, "the filter is \(type.withArticle), and only `true` matches",
        at: node.span, label: "not a bool", helps: helps, fixIts: fix.map { [$0] } ?? []))
  }

  /// Reports `params.days >= 7 ? "week" : false`, of which one result is not a bool.
  private mutating func checkBranchesOfResult(_ node: SyntaxNode) -> Bool {
    guard node.kind == .conditional else { return false }
    for branch in [node.consequence, node.alternative] {
      let type = typeByName(branch) == .number ? .number : staticType(branch)
      guard type == .string || type.isNumeric || isList(type),
        tree.isLiteral(branch) || isSuperscript
      else { continue }
      report(
        Diagnostic(
          .resultNotBool, "this result is \(type.withArticle), and only `true` matches",
          at: tree[branch].span, label: "not a bool",
          helps: [
            tree[branch].kind == .call && tree.name(of: tree[branch]) == "filter"
              ? "to ask whether there is one, write `exists` in place of `filter`"
              : type.isNumeric && !tree.isLiteral(branch)
                ? "compare it with a number: `\(text(branch)) >= 1`"
                : "let both branches be conditions"
          ]))
      return true
    }
    return false
  }

  /// Reports `user.points // 10 > 3`, of which a comment takes the end.
  mutating func checkCommentedCode() {
    let end = tree[tree.root].span.end
    let rest = tree.source.text(
      of: SourceSpan(start: end, end: UInt32(clamping: tree.source.bytes.count)))
    guard let mark = rest.firstOccurrence(of: "//"), !rest.contains("\n"),
      rest[..<mark.lowerBound].allSatisfy({ $0 == " " || $0 == ")" }),
      !diagnostics.contains(where: { $0.id == .resultNotBool })
    else { return }
    let comment = rest[mark.upperBound...].drop { $0 == " " }
    let divided = tree.source.text.replacingSlashes()
    let isDivision =
      comment.first.map { $0.isNumber && $0 != "0" || comment.hasPrefix("user.") } == true
      && [" > ", " < ", " >= ", " <= ", " == "].contains {
        String(comment).firstOccurrence(of: $0) != nil
      } && (try? parse(SourceText(divided), dialect: tree.dialect)) != nil
    let hasCondition =
      [" && ", " || "].contains { sign in
        guard let range = String(comment).firstOccurrence(of: sign), !comment.hasPrefix("&&"),
          !comment.hasPrefix("||")
        else { return false }
        let tail = String(comment)[range.upperBound...]
        return ["user.", "device.", "params.", "!", "size(", "has("].contains { tail.hasPrefix($0) }
      }
    let goesOn =
      ["&&", "||"].contains { comment.hasPrefix($0) }
      && ["user.", "device.", "params.", "!", "("].contains {
        comment.dropFirst(2).drop { $0 == " " }.hasPrefix($0)
      }
    let attribute = lastAttribute
    let isDefault =
      [" == ", " != ", " > ", " >= ", " < ", " <= "].contains { String(comment).contains(text: $0) }
      && ["\"", "'", "0"].contains { comment.hasPrefix($0) } && attribute != nil
    guard isDivision || hasCondition || goesOn || isDefault else { return }
    let start = end + UInt32(clamping: rest[..<mark.lowerBound].utf8.count)
    report(
      Diagnostic(
        .resultNotBool, "`//` begins a comment, up to the end of the line",
        at: SourceSpan(start: start, end: UInt32(clamping: tree.source.bytes.count)),
        label: "not a part of the filter",
        helps: [
          isDivision
            ? "to divide, write `/`"
            : isDefault
              ? "for a value in the place of a missing one, write "
                + "`(has(\(attribute ?? "")) ? \(attribute ?? "") : …)`"
              : goesOn
                ? "if the condition is meant to count, remove the `//`"
                : "put the condition before the comment"
        ]))
  }

  /// The attribute that the filter ends with, as an operand of its own.
  private var lastAttribute: String? {
    var node = tree.root
    while tree[node].isBinary(.and) || tree[node].isBinary(.or) { node = tree[node].right }
    return freePath(node) == nil ? nil : text(node)
  }

  /// Whether a comment after the filter looks like a divisor: `user.seed // 10 == 3`.
  private var isDividedByComment: Bool {
    let all = tree.source.text(
      of: SourceSpan(
        start: tree[tree.root].span.end, end: UInt32(clamping: tree.source.bytes.count)))
    guard let mark = all.firstOccurrence(of: "//") else { return false }
    return all[mark.upperBound...].drop { $0 == " " }.first?.isNumber ?? false
  }

  /// Reports a filter that is only `user` or `null`. Returns whether it did.
  private mutating func checkNoCondition(_ node: SyntaxNode) -> Bool {
    let isRoot =
      node.kind == .identifier && AttributeRoots.contains(tree.name(of: node))
    guard isRoot || node.kind == .nullLiteral else { return false }
    report(
      Diagnostic(
        .resultNotBool,
        isRoot
          ? "the filter is all of `\(tree.name(of: node))`, and only `true` matches"
          : "the filter is null, and only `true` matches",
        at: node.span, label: "not a bool",
        helps: [
          isRoot
            ? "compare one of its attributes: `\(tree.name(of: node)).… == …`"
            : "a filter that matches everyone is `true`"
        ]))
    return true
  }

  /// Returns advice for a filter in quotes, in brackets or as JSON.
  /// Returns advice for `user.seed < (user.isPro) ? 30 : 60`, in which the choice is compared.
  private func helpForLooseChoice(_ node: SyntaxNode) -> String? {
    guard let last = outline.operands(of: node.condition, .and).last,
      tree[last].kind == .binary, tree[last].op.info.isComparison,
      tree[tree[last].right].flags.contains(.parenthesized),
      staticType(node.consequence).isNumeric, staticType(node.alternative).isNumeric
    else { return nil }
    let (left, right) = (text(tree[last].left), text(tree[last].right))
    let choice = "(\(right) ? \(text(node.consequence)) : \(text(node.alternative)))"
    return "write `\(left) \(tree[last].op.spelling) \(choice)`"
  }

  private func helpForWrapped(_ node: SyntaxNode) -> [String]? {
    switch node.kind {
    case .stringLiteral:
      let content = String(decoding: tree.text(of: node), as: UTF8.self)
      let isFilter =
        (["user.", "device.", "params."] as [StaticString]).contains { content.hasBytes(of: $0) }
        && (try? parse(SourceText(content), dialect: tree.dialect)) != nil
      return isFilter ? ["remove the quotes around the filter"] : nil
    case .map: return ["a filter is not JSON; write a condition such as `user.age >= 18`"]
    case .list where node.childCount == 1:
      return ["remove the brackets, or group with `(…)`"]
    case .list: return ["join conditions with `&&` or `||`"]
    default: return nil
    }
  }
}

extension String {
  /// The text with its first `//` as `/`.
  fileprivate func replacingSlashes() -> String {
    guard let range = firstOccurrence(of: "//") else { return self }
    return self[..<range.lowerBound] + "/" + self[range.upperBound...]
  }
}
