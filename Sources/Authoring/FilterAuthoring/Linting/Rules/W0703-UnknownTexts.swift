import ExpressionEngine
import ExpressionSyntax
import FilterAnalysis

// Reports comparisons of attributes that no schema lists with texts that say what is meant.

extension FilterLinter {
  /// Reports `user.grade > "9"`, `user.difficulty >= "hard"`, `user.lastSeen > "30 days ago"` and
  /// `user.country == "US, CA, MX"`.
  mutating func checkUnknownText(
    _ comparison: ConstantComparison, _ attribute: AttributeSchema.Attribute?
  ) {
    let subject = tree[comparison.subject]
    let isMember = subject.kind == .select && staticType(comparison.subject) == .any
    guard attribute == nil, case .string(let text) = comparison.value,
      isMember || freePath(comparison.subject) != nil, !wasReported(tree[comparison.constant].span)
    else { return }
    if comparison.isOrdering {
      checkOrderOfUnknown(comparison, text)
    } else if comparison.isEquality {
      if isAddress(comparison.subject),
        reportDomain(comparison.subject, text, "is only", at: comparison.constant)
      {
        return
      }
      checkListInText(comparison, text)
    }
  }

  private mutating func checkOrderOfUnknown(_ comparison: ConstantComparison, _ text: String) {
    let subject = self.text(comparison.subject)
    let words = text.lowercased().split(separator: " ")
    let isRelative =
      ["ago", "now", "today", "yesterday", "tomorrow"].contains { words.last == $0 }
      && words.count <= 4
    // Versions are texts that are ordered as texts.
    let isVersion = subject.lowercased().hasSuffix("version")
    let isNumber =
      !isVersion && (1...3).contains(text.utf8.count) && text.utf8.allSatisfy { $0 &- 0x30 < 10 }
      && (text.first != "0" || text == "0")
    let isWord = text.utf8.count >= 4 && text.utf8.allSatisfy { $0 &- 0x61 < 26 }
    guard isRelative || isNumber || isWord else { return }
    let help: String
    if isRelative {
      help =
        "compare it with a time such as `device.utcDateTime`, or ask for the days since an event: "
        + "`device.daysSince(\"…\")`"
    } else if isNumber {
      help =
        "if `\(subject)` is a number, write `\(comparison.op.spelling) \(text)`; if it is a text, "
        + "convert it: `int(\(subject))`"
    } else {
      help = "list those that are meant: `\(subject) in [\"\(text)\", …]`"
    }
    report(
      Diagnostic(
        .typeMismatch, "texts are ordered letter by letter", at: tree[comparison.constant].span,
        label: isNumber ? "as text, \"10\" comes before \"9\"" : "the order of the alphabet",
        helps: [help]))
  }

  private mutating func checkListInText(_ comparison: ConstantComparison, _ text: String) {
    guard text.utf8.count <= 80, text.utf8.contains(where: { $0 == 0x2C || $0 == 0x3B }) else {
      return
    }
    let list = ListedTexts(text, separators: ",;")
    let words = list.texts
    // "Portland, Oregon" is one text.
    let areWords = words.allSatisfy { word in
      word.utf8.allSatisfy { $0 &- 0x61 < 26 || $0 == UInt8(ascii: "_") }
    }
    guard words.count > (areWords ? 1 : 2),
      words.allSatisfy({ word in
        !word.isEmpty && word.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "-" }
      })
    else { return }
    let membership = list.membership(
      of: self.text(comparison.subject), isNegated: comparison.op != .equal)
    report(
      Diagnostic(
        .typeMismatch, "this is one text, with commas", at: tree[comparison.constant].span,
        label: "one text",
        helps: ["for one of several, write `\(membership)`"]))
  }

  /// Reports `user.days.contains("Mon" && "Wed")`: `&&` makes a bool of the two.
  mutating func checkJoinedTexts(_ id: NodeID, _ node: SyntaxNode, _ operands: [NodeID]) {
    guard node.op == .and, id != tree.root,
      operands.allSatisfy({ tree.isLiteral($0) && tree[$0].kind != .boolLiteral }),
      tree[parent(of: id)].kind == .call, let receiver = tree[parent(of: id)].receiver,
      tree[parent(of: id)].childCount == 1
    else { return }
    let call = "\(text(receiver)).\(tree.name(of: tree[parent(of: id)]))"
    // Another finding says that it does not name an event.
    guard historyFunction(tree[parent(of: id)]) == nil, !wasReported(node.span) else { return }
    // No text starts or ends in two ways, but it may contain both.
    let op = tree.name(of: tree[parent(of: id)]) == "contains" ? " && " : " || "
    let both = operands.map { "\(call)(\(text($0)))" }.joined(separator: op)
    report(
      Diagnostic(
        .operandNotCondition, "`&&` joins conditions, not values", at: node.span, label: "a bool",
        helps: ["write `\(both)`"]))
  }

  /// Reports `device.activeEntitlementObjects.exists(e, e == "pro")`, whose elements are objects.
  mutating func checkElementOfObjects(_ body: NodeID, _ range: NodeID, _ variable: String) {
    guard case .list(.map) = staticType(range) else { return }
    var work = [body]
    while let next = work.popLast() {
      let node = tree[next]
      if let comparison = ConstantComparison(node, in: tree),
        tree[comparison.subject].kind == .identifier,
        tree.name(of: tree[comparison.subject]) == variable
      {
        let type = AttributeType(of: comparison.value)
        guard type.isTextOrNumber else { return }
        let members = knownAttribute(range)?.members.map { $0.path } ?? []
        let member = ["identifier", "productId"].first { members.contains($0) } ?? "…"
        return report(
          Diagnostic(
            .typeMismatch,
            "the elements of `\(text(range))` are objects, never "
              + type.withArticle,
            at: tree[comparison.constant].span, label: type.name,
            helps: [
              "compare a member: `\(variable).\(member) \(comparison.op.spelling) "
                + "\(text(comparison.constant))`"
            ]))
      }
      if node.kind == .binary, node.op == .and || node.op == .or {
        work += [node.left, node.right]
      }
    }
  }
}
