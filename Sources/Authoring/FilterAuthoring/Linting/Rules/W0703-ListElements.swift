import ExpressionEngine
import ExpressionSyntax
import FilterAnalysis

// Reports useless elements of constant lists in which a value is looked for.

extension FilterLinter {
  /// Checks the list in which an attribute is looked for.
  ///
  /// - Returns: Whether the comparison is `in`.
  mutating func checkMembership(_ id: NodeID, _ comparison: ConstantComparison) -> Bool {
    guard comparison.op == .in else { return false }
    if case .list = comparison.value, !checkListInList(comparison),
      !checkNamedListInList(comparison)
    {
      checkElements(of: comparison.constant, against: comparison.subject)
      checkCommaInList(comparison)
      checkJoinedIDs(in: comparison)
      checkEndsInList(comparison)
      checkListedDomains(comparison)
      checkKindByName(comparison)
      checkListedRemainders(comparison)
      checkMissing(id, comparison)
    }
    return true
  }

  /// Reports `params.paywall_product_ids in ["a", "b"]` and `== "a"`: it is one text of all ids.
  mutating func checkJoinedIDs(in comparison: ConstantComparison) {
    guard let path = freePath(comparison.subject)?.description,
      path == "params.paywall_product_ids",
      comparison.constants.allSatisfy({
        if case .string(let id) = $0 { !id.isEmpty && !id.contains(",") } else { false }
      }),
      // That two such texts exclude each other is another finding.
      comparison.op == .in
        || !bounds(around: parent(of: comparison.constant), of: text(comparison.subject))
          .contains(.comparedAgain)
    else { return }
    let ids =
      comparison.op == .in
      ? tree.arguments(of: tree[comparison.constant]) : [comparison.constant]
    let sought = ids.prefix(3).map { "\(path).contains(\(text($0)))" }
    report(
      Diagnostic(
        .seldomMeant, "`\(path)` is one text with all ids of the paywall",
        at: tree[comparison.constant].span, label: "only paywalls with a single product",
        helps: ["for one among others, write `\(sought.joined(separator: " || "))`"]))
  }

  /// Reports elements of `user.plan in ["free", "Pro"]` that are useless: those that are repeated,
  /// and those that the attribute never has.
  mutating func checkElements(of list: NodeID, against subject: NodeID) {
    let elements = tree.arguments(of: tree[list])
    if checkThousands(in: list, elements) { return }
    checkRepetition(of: "element", in: elements) { [tree] in
      tree.constant(of: $0)?.literal
    }
    if isSuperscript, let null = elements.first(where: { tree.constant(of: $0) == .null }),
      freePath(subject) != nil
    {
      let name = text(subject)
      let others = elements.filter { tree.constant(of: $0) != .null }.map { text($0) }
      return report(
        Diagnostic(
          .typeMismatch, "a missing attribute is in no list, also not beside null",
          at: tree[null].span, label: "never found",
          helps: ["write `(\(name) in [\(others.joined(separator: ", "))] || !has(\(name)))`"]))
    }
    if checkElementTypes(elements, against: subject) { return }
    guard let attribute = knownAttribute(subject) else { return }
    for element in elements {
      guard let value = tree.constant(of: element) else { continue }
      checkKnownValue(attribute, value, at: element, isInequality: nil)
      checkMoment(value, at: element, attribute)
      checkElementRange(value, at: element, attribute)
      guard case .string(let text) = value else { continue }
      checkPadding(text, at: element, attribute)
      checkVersionLetter(text, at: element, attribute)
      checkPlainVersion(
        text, at: element, attribute, condition: "in \(self.text(list))")
      checkEqualText(text, at: element, attribute)
    }
  }

  /// Reports `user.credits in [1,000, 5,000]`, four numbers.
  private mutating func checkThousands(in list: NodeID, _ elements: [NodeID]) -> Bool {
    var numbers: [String] = []
    var isSplit = false
    for element in elements {
      let span = tree[element].span
      let written = tree.source.text(of: span)
      guard tree[element].kind == .intLiteral else { return false }
      let isGroup = written.utf8.count == 3
      if let last = numbers.last, isGroup, span.start > 0,
        tree.source.text(of: SourceSpan(start: span.start - 1, length: 1)) == ",",
        last.utf8.count <= 3 || last.hasSuffix("000"), written == "000" || isSplit
      {
        numbers[numbers.count - 1] = last + written
        isSplit = true
      } else {
        numbers.append(written)
      }
    }
    guard isSplit else { return false }
    let right = "[\(numbers.joined(separator: ", "))]"
    report(
      Diagnostic(
        .typeMismatch, "numbers have no separators between their thousands", at: tree[list].span,
        label: "\(elements.count) numbers",
        fixIts: [Diagnostic.FixIt(write: right, at: tree[list].span)]))
    return true
  }

  /// Reports `user.age in ["18", "21"]`: `in` does not convert.
  ///
  /// - Returns: Whether some element is of a type that the subject never has.
  private mutating func checkElementTypes(_ elements: [NodeID], against subject: NodeID) -> Bool {
    let wanted = staticType(subject)
    let wrong = elements.filter { isElement($0, outside: wanted) }
    guard let first = wrong.first, let value = tree.constant(of: first) else { return false }
    let edits = wrong.compactMap { edit(of: $0, to: wanted, subject) }
    var helps: [String] = []
    var fixIts: [Diagnostic.FixIt] = []
    if let edit = edits.first, edits.count == wrong.count {
      let rest = edits.count > 1 ? " and so on" : ""
      fixIts = [Diagnostic.FixIt("write `\(edit.replacement)`\(rest)", edits)]
    } else if wanted == .bool {
      helps = ["compare it with `true` or `false`"]
    } else if wanted.isNumeric {
      helps = ["compare it with numbers"]
    } else {
      helps = helpForValues(of: subject, without: text(first)).map { [$0] } ?? []
    }
    let type = literalType(of: value)
    report(
      Diagnostic(
        .typeMismatch, "`\(text(subject))` is never \(type.withArticle)", at: tree[first].span,
        label: type.name,
        secondary: [Diagnostic.Label(tree[subject].span, wanted.name)],
        notes: [
          wrong.count == 1 ? "so this element never counts" : "so these elements never count"
        ], helps: helps, fixIts: fixIts))
    return true
  }

  /// Returns whether no value of a type equals a constant.
  private func isElement(_ element: NodeID, outside type: AttributeType) -> Bool {
    guard let value = tree.constant(of: element), value != .null else { return false }
    // The words "true" and "false" are bools in the superscript dialect, also in attributes.
    let isWord = tree[element].kind == .stringLiteral
    switch (type, literalType(of: value)) {
    case (.string, .int), (.string, .number): return true
    case (.string, .bool), (.int, .string), (.number, .string), (.int, .bool), (.number, .bool):
      return type != .string || !isWord
    case (.bool, .int), (.bool, .number): return true
    // A bool attribute may be sent as a text.
    case (.bool, .string): return AttributeType(of: value) != .bool
    default: return false
    }
  }

  /// Returns the edit that writes an element as a value of the type; `nil` if there is none.
  private func edit(
    of element: NodeID, to type: AttributeType, _ subject: NodeID
  ) -> Diagnostic.Edit? {
    let span = tree[element].span
    let written = tree.source.text(of: span)
    switch tree.constant(of: element) {
    case .string(let content) where type.isNumeric:
      let isPlain = content.utf8.allSatisfy { $0 &- 0x30 < 10 || $0 == 0x2E }
      guard isPlain, content.first != ".", content.last != ".", Double(content) != nil,
        type == .number || Int64(content) != nil
      else { return nil }
      return Diagnostic.Edit(span, content)
    case .int where type == .string, .double where type == .string:
      guard helpForValues(of: subject, without: written) == nil else { return nil }
      return Diagnostic.Edit(span, "\"\(written)\"")
    default: return nil
    }
  }

  /// Reports `user.country in ["DE", ["AT", "CH"]]`, `user.plan in [["free"], ["pro"]]` and
  /// `"vip" in [user.tags]`. Returns whether it did.
  mutating func checkNestedList(_ node: SyntaxNode, _ left: NodeID, _ right: NodeID) -> Bool {
    guard node.op == .in, tree[right].kind == .list else { return false }
    if checkListInBrackets(left, right) { return true }
    guard let path = freePath(left) else { return false }
    let elements = tree.arguments(of: tree[right])
    let inner = elements.filter { tree[$0].kind == .list }
    let type = staticType(left)
    let mayBeList = type == .any || isList(type)
    guard let first = inner.first,
      elements.contains(where: { tree[$0].kind == .stringLiteral })
        || inner.count == elements.count
          && (!mayBeList || type == .any && typeByName(left) == .string)
    else { return false }
    let all = elements.flatMap { tree[$0].kind == .list ? tree.arguments(of: tree[$0]) : [$0] }
    report(
      Diagnostic(
        .typeMismatch, "a list in a list is one element", at: tree[first].span,
        label: "not each of its elements",
        helps: ["write `\(path) in [\(all.map { text($0) }.joined(separator: ", "))]`"]))
    return true
  }

  /// Reports `"vip" in [user.tags]`, where the list as a whole is the only element.
  private mutating func checkListInBrackets(_ left: NodeID, _ right: NodeID) -> Bool {
    guard case .string? = tree.constant(of: left),
      case let elements = tree.arguments(of: tree[right]), elements.count == 1,
      freePath(elements[0]) != nil, isList(staticType(elements[0])) || isListByName(elements[0])
    else { return false }
    let list = text(elements[0])
    let span = tree[right].span
    report(
      Diagnostic(
        .typeMismatch, "a list in a list is one element", at: span,
        label: "not each of its elements",
        fixIts: [Diagnostic.FixIt(write: list, at: span)]))
    return true
  }
}
