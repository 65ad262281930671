import ExpressionEngine
import ExpressionPrinting
import ExpressionSyntax
import FilterAnalysis

extension FilterLinter {
  // MARK: Constants alone

  mutating func checkConstants(_ id: NodeID, _ node: SyntaxNode, _ a: Value, _ b: Value) {
    // Values of other kinds would need a context; these do not.
    let outcome = Explainer.outcome(
      of: id, in: tree, environment: FilterEnvironment(dialect: tree.dialect), context: Context())
    if case .failure(let diagnostic) = outcome, diagnostic.id == .notComparable, isSuperscript,
      node.op != .in
    {
      return reportConstantClash(node, a, b)
    }
    guard case .value(.bool(let truth)) = outcome else { return }
    var notes: [String] = []
    if case .string(let x) = a, case .string(let y) = b, Double(x) != nil, Double(x) == Double(y),
      x != y
    {
      notes = ["two texts are compared as texts, even when both look like numbers"]
    }
    let helps = helpForQuotedPath([a, b])
    report(
      Diagnostic(
        truth ? .alwaysTrue : .alwaysFalse,
        "this comparison is always \(truth)", at: tree.operatorSpan(of: node),
        label: "both sides are constants",
        secondary: [
          Diagnostic.Label(
            tree[NodeID(node.first)].span, a == .null ? "null" : AttributeType(of: a).name),
          Diagnostic.Label(
            tree[NodeID(node.second)].span, b == .null ? "null" : AttributeType(of: b).name),
        ], notes: notes, helps: helps))
  }

  /// Returns advice if a text looks like an attribute in quotes.
  private func helpForQuotedPath(_ values: [Value]) -> [String] {
    for case .string(let content) in values
    where ["user.", "device.", "params."].contains(where: content.hasPrefix)
      && AttributePath(content) != nil
    {
      return ["write attributes without quotes: `\(content)`"]
    }
    return []
  }

  /// Reports `"user.age" > 18`.
  private mutating func reportConstantClash(_ node: SyntaxNode, _ a: Value, _ b: Value) {
    let helps = helpForQuotedPath([a, b])
    report(
      Diagnostic(
        .typeMismatch,
        "`\(node.op.spelling)` cannot compare \(AttributeType(of: a).name) with "
          + AttributeType(of: b).name,
        at: tree.operatorSpan(of: node), label: "both sides are constants",
        secondary: [
          Diagnostic.Label(tree[NodeID(node.first)].span, AttributeType(of: a).name),
          Diagnostic.Label(tree[NodeID(node.second)].span, AttributeType(of: b).name),
        ], helps: helps))
  }

  /// Reports `user.a == user.a`.
  mutating func checkSameSides(
    _ node: SyntaxNode, _ left: NodeID, _ right: NodeID
  ) -> Bool {
    guard node.op != .in, freePath(left) != nil, freePath(left) == freePath(right) else {
      return false
    }
    let holds = [.equal, .lessEqual, .greaterEqual].contains(node.op)
    report(
      Diagnostic(
        holds ? .alwaysTrue : .alwaysFalse, "both sides of this comparison are the same",
        at: tree.operatorSpan(of: node), label: "compares `\(text(left))` with itself",
        secondary: [Diagnostic.Label(tree[left].span, ""), Diagnostic.Label(tree[right].span, "")],
        helps: ["compare it with another attribute or a constant"]))
    return true
  }

  // MARK: Types

  /// Warns if no value of the left side's type can equal, or be compared with, the constant.
  mutating func checkType(_ node: SyntaxNode, _ comparison: ConstantComparison) -> Bool {
    let type = staticType(comparison.subject)
    let constantType = literalType(of: comparison.value)
    guard type != .any, comparison.value != .null, let clash = clash(type, comparison, constantType)
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
          ? ["this is an error when the filter runs, and the filter does not match"]
          : [
            "so `\(subject) \(comparison.op.spelling) \(literal)` is always "
              + "\(comparison.op == .notEqual)"
          ],
        helps: clash.help.map { [$0] } ?? [], fixIts: clash.fix.map { [$0] } ?? []))
    return true
  }

  private struct Clash {
    var help: String?
    var fix: Diagnostic.FixIt?
  }

  private func clash(
    _ type: AttributeType, _ comparison: ConstantComparison, _ constantType: AttributeType
  ) -> Clash? {
    let span = tree[comparison.constant].span
    let literal = text(comparison.constant)
    let subject = text(comparison.subject)
    switch (type, constantType) {
    case (_, .any), (.any, _): return nil
    case (.int, .string), (.number, .string):
      guard case .string(let content) = comparison.value else { return nil }
      let isNumber = Self.isNumber(content)
      // A text that looks like a number is also compared as one, but only for equality.
      if isNumber, comparison.isEquality, isSuperscript { return nil }
      guard isNumber, Int64(content).map(String.init) == content else {
        return Clash(help: "compare it with a number")
      }
      return Clash(
        fix: Diagnostic.FixIt("write `\(content)`", [Diagnostic.Edit(span, content)]))
    case (.string, .int), (.string, .number):
      if let help = helpForVersion(comparison, literal) { return Clash(help: help) }
      if let help = helpForForm(comparison, literal) { return Clash(help: help) }
      guard comparison.isEquality else {
        return Clash(help: "texts are ordered letter by letter; convert it: `int(\(subject))`")
      }
      if let help = helpForValues(of: comparison.subject, without: literal) {
        return Clash(help: help)
      }
      return Clash(
        fix: Diagnostic.FixIt("write `\"\(literal)\"`", [Diagnostic.Edit(span, "\"\(literal)\"")]))
    case (.bool, .int), (.bool, .number), (.bool, .string):
      if let help = helpForNegation(comparison, literal) ?? helpForChain(comparison, literal) {
        return Clash(help: help)
      }
      if case .string = comparison.value, !isSuperscript { return nil }
      return Clash(help: "compare it with `true` or `false`")
    case (.string, .bool), (.int, .bool), (.number, .bool):
      return Clash(help: type == .string ? "compare it with a text" : "compare it with a number")
    case (.list, .list), (.map, .map): return nil
    case (.list, _) where tree[comparison.subject].kind == .list:
      let elements = Array(tree.children(of: tree[comparison.subject]))
      guard elements.count == 1 else { return Clash(help: "compare one value") }
      return Clash(help: "remove the brackets: `\(text(NodeID(elements[0])))`")
    case (.list(let element), _) where constantType.isNumeric && asksForSize(comparison, element):
      return Clash(
        help: "to compare the number of elements, write "
          + "`size(\(subject)) \(comparison.op.spelling) \(literal)`")
    case (.list, _):
      let list = tree[comparison.subject]
      let isParenthesized = list.flags.contains(.parenthesized)
      let help = "ask for an element: `\(literal) in \(isParenthesized ? "(\(subject))" : subject)`"
      guard comparison.op == .equal, comparison.isConstantRight else { return Clash(help: help) }
      // The sides change places, each within its own parentheses.
      let listText = tree.source.text(of: list.span)
      return Clash(
        fix: Diagnostic.FixIt(
          help,
          [
            Diagnostic.Edit(list.span, tree.source.text(of: span)),
            Diagnostic.Edit(comparison.operatorSpan, "in"),
            Diagnostic.Edit(span, isParenthesized ? "(\(listText))" : listText),
          ]))
    case (.map, _): return Clash(help: "compare one of its members")
    case (_, .list): return Clash(help: "use `in`: `\(subject) in \(literal)`")
    default: return nil
    }
  }

  /// Returns whether a comparison of a list with a number is about the number of elements, because
  /// it compares by order, or no element is a number.
  private func asksForSize(_ comparison: ConstantComparison, _ element: AttributeType) -> Bool {
    guard comparison.isEquality else { return true }
    return element == .any ? tree[comparison.subject].kind == .call : !element.isNumeric
  }

  /// Returns the values that an attribute may have, if a text is certainly not one of them.
  func helpForValues(of subject: NodeID, without text: String) -> String? {
    guard let attribute = knownAttribute(subject), !attribute.values.contains(text) else {
      return nil
    }
    let values = attribute.values.filter { !$0.isEmpty }.map { "\"\($0)\"" }
    if !values.isEmpty { return "it is one of \(values.joined(separator: ", "))" }
    return attribute.format?.sample.map { "its values are texts such as \"\($0)\"" }
  }

  /// Returns advice for a number in place of a version that has no padded form.
  private func helpForVersion(_ comparison: ConstantComparison, _ literal: String) -> String? {
    guard let attribute = knownAttribute(comparison.subject), attribute.format == .version else {
      return nil
    }
    let subject = text(comparison.subject)
    if comparison.isEquality {
      // `1.2` may be the whole version.
      guard !literal.contains(".") else { return nil }
      let start = "\(subject).startsWith(\"\(literal).\")"
      return "a version is a text with several numbers; ask for its start: "
        + "`\(comparison.op == .equal ? start : "!\(start)")`"
    }
    guard schema[attribute.path + "Padded"] == nil else { return nil }
    return literal.count >= 2 && !literal.contains(".")
      ? "a version is a text: `\(subject) \(comparison.op.spelling) \"\(literal)\"`, which is right "
        + "for versions from 10 to 99"
      : "texts are compared letter by letter, and there is no padded `\(attribute.path)`; "
        + "ask for its start: `\(subject).startsWith(\"\(literal).\")`"
  }

  /// Returns advice for a number in place of a version, a date or a time.
  private func helpForForm(_ comparison: ConstantComparison, _ literal: String) -> String? {
    guard !comparison.isEquality, let attribute = knownAttribute(comparison.subject),
      let format = attribute.format
    else { return nil }
    switch format {
    case .version:
      let sibling = attribute.path + "Padded"
      return schema[sibling] == nil || literal.contains("-")
        ? "a version is a text; put it in quotes"
        : "compare padded versions: `\(sibling) \(comparison.op.spelling) \"\(Self.padded(literal))\"`"
    case .paddedVersion: return "its values are texts such as \"002.010.000\""
    default: return format.sample.map { "its values are texts such as \"\($0)\"" }
    }
  }

  /// Returns advice for `1 < a < 5`, which compares the result of a comparison.
  private func helpForChain(_ comparison: ConstantComparison, _ literal: String) -> String? {
    let subject = tree[comparison.subject]
    guard comparison.isOrdering, subject.kind == .binary, subject.op.info.isComparison,
      !subject.flags.contains(.parenthesized)
    else { return nil }
    let middle = text(NodeID(subject.second))
    return "write `\(text(comparison.subject)) && \(middle) \(comparison.op.spelling) \(literal)`"
  }

  /// Returns advice for `!a == b`, in which the `!` was meant for the comparison.
  private func helpForNegation(_ comparison: ConstantComparison, _ literal: String) -> String? {
    let subject = tree[comparison.subject]
    guard subject.kind == .unary, subject.op == .not, !subject.flags.contains(.parenthesized) else {
      return nil
    }
    let operand = text(NodeID(subject.first))
    guard comparison.isEquality else {
      let whole = "!(\(operand) \(comparison.op.spelling) \(literal))"
      return "`!` applies to `\(operand)` alone; write `\(whole)`"
    }
    let opposite = comparison.op == .equal ? "!=" : "=="
    return "`!` applies to `\(operand)` alone; write `\(operand) \(opposite) \(literal)`"
  }

  /// Returns whether the superscript dialect also reads a text as a number.
  static func isNumber(_ text: String) -> Bool {
    guard !text.contains(where: { $0 == " " || $0 == "x" || $0 == "X" || $0 == "p" }) else {
      return false
    }
    return Double(text) != nil
      || (text.hasSuffix(".") && Double(String(text.dropLast())) != nil)
      || (text.hasPrefix(".") && Double("0" + text) != nil)
  }

  /// Reports `"true"` compared with a text attribute.
  mutating func checkBoolWord(
    _ node: SyntaxNode, _ comparison: ConstantComparison
  ) -> Bool {
    guard isSuperscript, tree[comparison.constant].kind == .stringLiteral,
      case .bool(let truth) = comparison.value
    else { return false }
    if comparison.isOrdering {
      reportBoolWord(comparison.constant, "an order makes no sense for it")
      return true
    }
    let type = staticType(comparison.subject)
    guard type == .string || type.isNumeric else { return false }
    // A text attribute that is "true" is a bool, too, and therefore equal.
    if type == .string {
      if let attribute = knownAttribute(comparison.subject) {
        checkKnownValue(
          attribute, .string("\(truth)"), at: comparison.constant,
          isInequality: comparison.op == .notEqual)
        checkMoment(.string("\(truth)"), at: comparison.constant, attribute)
      }
      return true
    }
    report(
      Diagnostic(
        .boolWordAsText,
        "`\"\(truth)\"` is a bool here, and `\(text(comparison.subject))` is "
          + type.withArticle, at: tree[comparison.constant].span, label: "the bool \(truth)",
        notes: ["the texts \"true\" and \"false\" are bools everywhere, also in attributes"]))
    return true
  }

  /// Reports `"true"` as the argument of a function that searches in texts.
  mutating func checkTextFunction(_ node: SyntaxNode, _ name: String) {
    guard isSuperscript, ["startsWith", "endsWith", "matches", "contains"].contains(name),
      environment.deviceFunctions[name] == nil, environment.computedFunctions[name] == nil
    else { return }
    for child in tree.children(of: node) {
      let argument = tree.nodes[Int(child)]
      guard argument.kind == .stringLiteral, case .bool? = tree.constant(of: NodeID(child)) else {
        continue
      }
      if name == "contains", node.first != SyntaxNode.none {
        // A list may contain a bool.
        guard staticType(NodeID(node.first)) == .string else { continue }
      }
      reportBoolWord(NodeID(child), "`\(name)` needs a text")
    }
  }

  /// Reports `"true" + x`.
  mutating func checkArithmetic(_ node: SyntaxNode) {
    guard isSuperscript, node.kind == .binary, node.op == .add else { return }
    for operand in [node.first, node.second] where tree.nodes[Int(operand)].kind == .stringLiteral {
      if case .bool? = tree.constant(of: NodeID(operand)) {
        reportBoolWord(NodeID(operand), "it cannot be joined with a text")
      }
    }
  }

  private mutating func reportBoolWord(_ id: NodeID, _ reason: String) {
    report(
      Diagnostic(
        .boolWordAsText, "`\(text(id))` is a bool here, not a text", at: tree[id].span,
        label: reason,
        notes: ["the texts \"true\" and \"false\" are bools everywhere, also in attributes"]))
  }
}
