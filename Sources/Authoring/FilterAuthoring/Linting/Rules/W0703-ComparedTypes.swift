import ExpressionEngine
import ExpressionSyntax
import FilterAnalysis

// Reports comparisons of values whose types never meet.

extension FilterLinter {
  /// Warns if no value of the left side's type can equal, or be compared with, the constant.
  mutating func checkType(_ node: SyntaxNode, _ comparison: ConstantComparison) -> Bool {
    let type = staticType(comparison.subject)
    let constantType = literalType(of: comparison.value)
    // The rule about elements says which member to compare.
    let isElement = type == .map && isBound[Int(comparison.subject.index)]
    guard type != .any, comparison.value != .null, !isElement,
      let clash = clash(type, comparison, constantType)
    else { return false }
    let subject = text(comparison.subject)
    let literal = text(comparison.constant)
    report(
      Diagnostic(
        .typeMismatch,
        comparison.isOrdering
          ? "`\(comparison.op.spelling)` cannot compare \(type.name) with \(constantType.name)"
          : "\(type.withArticle) is never equal to \(constantType.withArticle)",
        at: tree[comparison.constant].span, label: constantType.name,
        secondary: [Diagnostic.Label(tree[comparison.subject].span, type.name)],
        notes: comparison.isOrdering
          ? [Self.failsAtRunTime]
          : [
            isOfMissing(comparison)
              ? "so this is \(comparison.op == .equal) only for users who have none"
              : "so `\(subject) \(comparison.op.spelling) \(literal)` is always "
                + "\(comparison.op == .notEqual)"
          ],
        helps: clash.help.map { [$0] } ?? [], fixIts: clash.fix.map { [$0] } ?? []))
    return true
  }

  /// Returns whether a constant equals an attribute that is missing: superscript reads it as zero,
  /// false or the empty text.
  private func isOfMissing(_ comparison: ConstantComparison) -> Bool {
    guard isSuperscript, knownAttribute(comparison.subject)?.isOptional == true else {
      return false
    }
    switch comparison.value {
    case .bool(false), .int(0), .double(0), .string(""): return true
    default: return false
    }
  }

  /// Reports `!"ACTIVE" == device.subscriptionStatus`: the `!` belongs to the text alone.
  mutating func checkNegatedLiteral(_ node: SyntaxNode, _ left: NodeID, _ right: NodeID) -> Bool {
    let isRight = tree[right].isUnary(.not)
    let side = tree[isRight ? right : left]
    guard side.isUnary(.not), !side.flags.contains(.parenthesized),
      tree.isLiteral(side.operand), node.op == .equal || node.op == .notEqual,
      case .string? = tree.constant(of: side.operand)
    else { return false }
    let literal = text(side.operand)
    let opposite = node.op == .equal ? "!=" : "=="
    report(
      Diagnostic(
        .typeMismatch, "`!` applies to `\(literal)` alone", at: side.span, label: "a bool",
        notes: ["so this compares a bool"],
        helps: [
          isRight
            ? "write `\(text(left)) \(opposite) \(literal)`"
            : "write `\(literal) \(opposite) \(text(right))`"
        ]))
    return true
  }

  private struct Clash {
    var help: String?
    var fix: Diagnostic.FixIt?
  }

  private func clash(
    _ type: AttributeType, _ comparison: ConstantComparison, _ constantType: AttributeType
  ) -> Clash? {
    let literal = text(comparison.constant)
    switch (type, constantType) {
    case (_, .any), (.any, _), (.list, .list), (.map, .map): return nil
    case (.int, .string), (.number, .string): return clashOfNumber(comparison)
    case (.string, .int), (.string, .number): return clashOfText(comparison)
    case (.bool, .int), (.bool, .number), (.bool, .string): return clashOfBool(comparison)
    case (.string, .bool), (.int, .bool), (.number, .bool):
      let values = helpForValues(of: comparison.subject, without: literal)
      return Clash(
        help: type == .string ? values ?? "compare it with a text" : "compare it with a number")
    case (.list(let element), _): return clashOfList(comparison, of: element, constantType)
    case (.map, _): return Clash(help: "compare one of its members")
    case (.string, .list), (.int, .list), (.number, .list), (.bool, .list):
      return clashWithList(comparison, type)
    default: return nil
    }
  }

  /// A number is compared with a text.
  private func clashOfNumber(_ comparison: ConstantComparison) -> Clash? {
    guard case .string(let content) = comparison.value else { return nil }
    let span = tree[comparison.constant].span
    let isNumber = Self.isNumber(content)
    if let meant = Self.numbers[content.lowercased()] {
      return Clash(fix: Diagnostic.FixIt(write: "\(meant)", at: span))
    }
    if ["null", "nil"].contains(content.lowercased()), comparison.isEquality {
      return Clash(fix: Diagnostic.FixIt(write: "null", at: span))
    }
    // A text that looks like a number is also compared as one, but only for equality.
    if isNumber, comparison.isEquality, isSuperscript { return nil }
    if isNumber, Int64(content).map(String.init) == content {
      return Clash(fix: Diagnostic.FixIt(write: content, at: span))
    }
    if ["", "never", "none", "no", "not yet"].contains(content.lowercased()), comparison.isEquality,
      knownAttribute(comparison.subject)?.isOptional == true
    {
      let isThere = comparison.op == .notEqual
      return Clash(
        help: "for users \(isThere ? "with one" : "without one"), write "
          + "`\(isThere ? "" : "!")has(\(text(comparison.subject)))`")
    }
    // `size(device.activeProducts) == "pro"`
    let subject = tree[comparison.subject]
    if subject.kind == .call, tree.name(of: subject) == "size", comparison.isEquality,
      let list = tree.operands(of: subject).first, case .list = staticType(list)
    {
      let sought = "\(text(comparison.constant)) in \(text(list))"
      return Clash(help: "to look for it in the list, write `\(comparison.op.asked(sought))`")
    }
    if let clash = clashOfMeaning(comparison, content) { return clash }
    if let meant = lengthMeant(by: content, comparison) {
      return Clash(fix: Diagnostic.FixIt(write: meant, at: span))
    }
    guard tree[comparison.subject].isUnary(.negate) else {
      let isVersion =
        content.contains(".") && AttributeSchema.Attribute.Format.isVersion(content)
        && knownAttribute(comparison.subject)?.path.nameWords.contains("build") == true
      return Clash(
        help: isVersion
          ? "for a version, write `device.appVersionPadded \(comparison.op.spelling) "
            + "\"\(Self.padded(content))\"`"
          : "compare it with a number")
    }
    let operand = text(tree[comparison.subject].operand)
    return Clash(
      help: "`-` has no meaning for a text; to exclude it, write "
        + "`\(operand) != \(text(comparison.constant))`")
  }

  /// A text is compared with a number.
  private func clashOfText(_ comparison: ConstantComparison) -> Clash {
    let span = tree[comparison.constant].span
    let literal = text(comparison.constant)
    if let meant = textMeant(by: literal, comparison) {
      return Clash(fix: Diagnostic.FixIt(write: "\"\(meant)\"", at: span))
    }
    if let help = helpForVersion(comparison, literal) ?? helpForForm(comparison, literal) {
      return Clash(help: help)
    }
    guard comparison.isEquality else {
      return Clash(help: helpForOrder(comparison, text(comparison.subject)))
    }
    if let help = helpForValues(of: comparison.subject, without: literal) {
      return Clash(help: help)
    }
    // A name or a title of the SDKs is hardly a number.
    if let attribute = knownAttribute(comparison.subject), attribute.format == nil,
      AttributeSchema.builtIn[attribute.path] == attribute,
      attribute.example.map({ Double($0.filter { $0 != "\"" }) == nil }) ?? true
    {
      return Clash(
        help: "it is a text, \(attribute.summary): compare it with the text that is meant")
    }
    return Clash(fix: Diagnostic.FixIt(write: "\"\(literal)\"", at: span))
  }

  /// A bool is compared with a number or a text.
  private func clashOfBool(_ comparison: ConstantComparison) -> Clash? {
    let literal = text(comparison.constant)
    if let help = helpForNegation(comparison, literal) ?? helpForChain(comparison, literal) {
      return Clash(help: help)
    }
    if case .string = comparison.value, !isSuperscript { return nil }
    if isOfMissing(comparison), comparison.op == .equal, comparison.isConstantRight {
      let subject = text(comparison.subject)
      return Clash(help: "write `has(\(subject)) && !\(subject)`")
    }
    if let fix = boolMeant(comparison) { return Clash(fix: fix) }
    return Clash(help: helpForBool(comparison))
  }

  /// A list is compared with something else.
  private func clashOfList(
    _ comparison: ConstantComparison, of element: AttributeType, _ constantType: AttributeType
  ) -> Clash {
    let list = tree[comparison.subject]
    let subject = text(comparison.subject)
    let literal = text(comparison.constant)
    if list.kind == .list {
      var elements = tree.arguments(of: list)
      while elements.count == 1, tree[elements[0]].kind == .list {
        elements = tree.arguments(of: tree[elements[0]])
      }
      guard elements.count == 1 else { return Clash(help: "compare one value") }
      return Clash(help: "remove the brackets: `\(text(elements[0]))`")
    }
    if constantType.isNumeric, asksForSize(comparison, element) {
      return Clash(
        help: "to compare the number of elements, write "
          + "`size(\(subject)) \(comparison.op.spelling) \(literal)`")
    }
    if list.kind == .call {
      guard let loop = ScopedCall(list, tree, environment), let range = loop.outside.first,
        let variable = loop.variables.first, let body = loop.inside.first
      else { return Clash(help: "compare one of its elements") }
      let part = "\(text(variable)), \(text(body))"
      return Clash(
        help:
          "to ask whether there is one, write `\(text(range)).exists(\(part))`; for each of them, "
          + "`all` in its place")
    }
    if element == .map, [.string, .bool].contains(constantType) {
      guard let attribute = knownAttribute(comparison.subject), case .string = comparison.value,
        let key = ["identifier", "productId"].first(where: { attribute.has(member: $0) })
      else {
        return Clash(help: "to ask whether there are any, write `size(\(subject)) > 0`")
      }
      return Clash(help: "ask its elements: `\(subject).exists(x, x.\(key) == \(literal))`")
    }
    return clashWithElement(comparison)
  }

  /// A list is compared with a value that may be one of its elements.
  private func clashWithElement(_ comparison: ConstantComparison) -> Clash {
    let list = tree[comparison.subject]
    let subject = text(comparison.subject)
    let isParenthesized = list.flags.contains(.parenthesized)
    let membership =
      "\(text(comparison.constant)) in \(isParenthesized ? "(\(subject))" : subject)"
    if case .string(let word) = comparison.value,
      ["", "[]", "none", "null", "nil", "empty"].contains(word.lowercased())
    {
      let sign = comparison.op == .equal ? "==" : ">"
      return Clash(help: "to ask whether it is empty, write `size(\(subject)) \(sign) 0`")
    }
    guard comparison.op != .notEqual else {
      return Clash(help: "ask for an element: `!(\(membership))`")
    }
    let help = "ask for an element: `\(membership)`"
    guard comparison.op == .equal, comparison.isConstantRight else { return Clash(help: help) }
    // The sides change places, each within its own parentheses.
    let span = tree[comparison.constant].span
    let listText = tree.source.text(of: list.span)
    return Clash(
      fix: Diagnostic.FixIt(
        help,
        [
          Diagnostic.Edit(list.span, tree.source.text(of: span)),
          Diagnostic.Edit(comparison.operatorSpan, "in"),
          Diagnostic.Edit(span, isParenthesized ? "(\(listText))" : listText),
        ]))
  }

  /// One value is compared with a list.
  private func clashWithList(_ comparison: ConstantComparison, _ type: AttributeType) -> Clash {
    let subject = text(comparison.subject)
    let literal = text(comparison.constant)
    if type == .string, let attribute = knownAttribute(comparison.subject), attribute.isJoined,
      comparison.op == .equal, case .list(let elements) = comparison.value, !elements.isEmpty
    {
      let parts = elements.map { "\(subject).contains(\($0.literal))" }.joined(separator: " && ")
      let all = elements.map { if case .string(let id) = $0 { id } else { $0.literal } }
      return Clash(
        help: "it is one text, with commas: for exactly these, write `\(subject) == "
          + "\"\(all.joined(separator: ","))\"`; for these among others, `\(parts)`")
    }
    if type == .int, literal == "[]" {
      return Clash(
        help: "a number is compared with a number: `\(subject) \(comparison.op.spelling) 0`")
    }
    let negation = type == .string ? nil : helpForNegation(comparison, literal)
    let isIn = "\(subject) in \(literal)"
    return Clash(
      help: negation ?? "use `in`: `\(comparison.op == .notEqual ? "!(\(isIn))" : isIn)`")
  }

  /// Returns what is wrong with a word in the place of a number: `"never"` for a time since an
  /// event, and `"+04:00"` for an offset in seconds.
  private func clashOfMeaning(_ comparison: ConstantComparison, _ content: String) -> Clash? {
    let span = tree[comparison.constant].span
    if historyFunction(tree[comparison.subject])?.isTime == true, comparison.isEquality,
      content.utf8.allSatisfy({ $0 | 0x20 >= 0x61 })
    {
      let op = comparison.op.spelling
      return Clash(
        help: "if the event never happened, it is null: `\(text(comparison.subject)) \(op) null`")
    }
    if knownAttribute(comparison.subject)?.unit == .offset, content.contains("/") {
      return Clash(
        help: "names are in `device.ipTimezone`: "
          + "`device.ipTimezone \(comparison.op.spelling) \"\(content)\"`")
    }
    let parts = content.dropFirst().split(separator: ":").compactMap { Int($0) }
    guard knownAttribute(comparison.subject)?.unit == .offset, parts.count == 2,
      content.first == "+" || content.first == "-", parts[0] <= 14, parts[1] < 60
    else { return nil }
    let seconds = (parts[0] * 3_600 + parts[1] * 60) * (content.first == "-" ? -1 : 1)
    return Clash(
      fix: Diagnostic.FixIt(write: "\(seconds)", at: span))
  }

  /// Returns advice for the order of a text and a number.
  private func helpForOrder(_ comparison: ConstantComparison, _ subject: String) -> String {
    let node = tree[comparison.subject]
    if node.isBinary(.add), case .string(let text)? = tree.constant(of: node.right),
      Self.isNumber(text)
    {
      return "to add a number, write `\(self.text(node.left)) + \(text)`"
    }
    if node.kind == .index, knownAttribute(node.operand)?.type == .list(.string) {
      return "for lists with elements, write `size(\(text(node.operand))) > 0`"
    }
    guard let attribute = knownAttribute(comparison.subject) else {
      return "texts are ordered letter by letter; convert it: `int(\(subject))`"
    }
    if attribute.format == .decimal || attribute.format == .integer {
      return "it is a number as a text; convert it: `double(\(subject))`"
    }
    let number = attribute.path + "Number"
    if schema[number] != nil {
      let literal = text(comparison.constant)
      return "compare the number: `\(number) \(comparison.op.spelling) \(literal)`"
    }
    let values = attribute.values.isEmpty ? attribute.usualValues : attribute.values
    if values.isEmpty, let help = helpForValues(of: comparison.subject, without: "") { return help }
    guard !values.isEmpty else {
      let name = attribute.path.split(separator: ".").last.map { String($0) } ?? ""
      return name.nameWords.contains("is")
        ? "it is true or false: `\(subject) == true`"
        : "it is a text; for its length, write "
          + "`size(\(subject)) \(comparison.op.spelling) \(text(comparison.constant))`"
    }
    let sibling = schema.sorted.first {
      $0.type.isNumeric && !attribute.summary.isEmpty && $0.summary.hasPrefix(attribute.summary)
    }
    let words = values.prefix(4).map { "\"\($0)\"" }.joined(separator: ", ")
    return sibling.map { "its values are texts such as \(words); the number is `\($0.path)`" }
      ?? "its values are texts such as \(words)"
  }

  /// Returns whether a comparison of a list with a number is about the number of elements, because
  /// it compares by order, or no element is a number.
  private func asksForSize(_ comparison: ConstantComparison, _ element: AttributeType) -> Bool {
    guard comparison.isEquality else { return true }
    return element == .any ? tree[comparison.subject].kind == .call : !element.isNumeric
  }
}
