import ExpressionEngine
import ExpressionPrinting
import ExpressionSyntax

/// A comparison with its sides in order: the varying part on the left, a constant on the right.
struct ConstantComparison {
  /// The varying part.
  let subject: NodeID
  /// The comparison operator, as if the constant were on the right.
  let op: Operator
  /// The constant.
  let constant: NodeID
  let value: Value
  /// Whether the constant is written on the right.
  let isConstantRight: Bool

  init?(_ node: SyntaxNode, in tree: SyntaxTree) {
    guard node.kind == .binary, node.op.info.isComparison else { return nil }
    let left = NodeID(node.first)
    let right = NodeID(node.second)
    if let value = tree.constant(of: right), tree.constant(of: left) == nil {
      (subject, op, constant, self.value, isConstantRight) = (left, node.op, right, value, true)
    } else if let value = tree.constant(of: left), tree.constant(of: right) == nil, node.op != .in {
      (subject, op, constant, self.value, isConstantRight) =
        (right, node.op.mirrored, left, value, false)
    } else {
      return nil
    }
  }

  var isEquality: Bool { op == .equal || op == .notEqual }
  var isOrdering: Bool { op.info.isComparison && !isEquality && op != .in }
}

extension FilterLinter {
  mutating func checkComparison(_ id: NodeID, _ node: SyntaxNode) {
    let left = NodeID(node.first)
    let right = NodeID(node.second)
    guard !poisoned.contains(node.first), !poisoned.contains(node.second) else { return }
    if let a = tree.constant(of: left), let b = tree.constant(of: right) {
      return checkConstants(id, node, a, b)
    }
    if checkSameSides(node, left, right) || checkNegatedIn(node) { return }
    if node.op == .in, case .list(let element) = staticType(right), tree[right].kind != .list,
      checkElement(left, staticType(left), element, in: right, at: left)
    {
      return
    }
    guard let comparison = ConstantComparison(node, in: tree) else {
      return checkAttributes(node, left, right)
    }
    let attribute = knownAttribute(comparison.subject)
    if comparison.op == .in {
      if case .string = comparison.value { return checkPartOfText(id, node, comparison) }
      guard case .list(let values) = comparison.value else { return }
      if checkListInList(comparison) { return }
      guard let attribute else { return }
      let elements = tree.children(of: tree[comparison.constant])
      for (element, value) in zip(elements, values) {
        checkKnownValue(attribute, value, at: NodeID(element), isInequality: nil)
      }
      return
    }
    if checkBoolWord(node, comparison) { return }
    if let attribute, checkNeverNull(node, comparison, attribute) { return }
    if checkType(node, comparison) { return }
    if let attribute {
      if comparison.isEquality {
        checkKnownValue(
          attribute, comparison.value, at: comparison.constant,
          isInequality: comparison.op == .notEqual)
      }
      checkVersion(comparison, attribute)
      checkMoment(comparison, attribute)
      checkRange(node, comparison, attribute)
    }
    checkMissingCounts(id, node, comparison)
  }

  /// Reports `device.activeEntitlements == null`: the SDKs always set most attributes.
  private mutating func checkNeverNull(
    _ node: SyntaxNode, _ comparison: ConstantComparison, _ attribute: AttributeSchema.Attribute
  ) -> Bool {
    guard comparison.value == .null, comparison.op == .equal, !attribute.isOptional,
      attribute.platforms.isEmpty, attribute.path.hasPrefix("device."), attribute.type != .any
    else { return false }
    let subject = text(comparison.subject)
    let help: String? =
      switch attribute.type {
      case .list: "to ask whether it is empty, write `size(\(subject)) == 0`"
      case .string: "to ask whether it is empty, write `\(subject) == \"\"`"
      default: nil
      }
    report(
      Diagnostic(
        .alwaysFalse, "`\(attribute.path)` is never null", at: node.span, label: "always false",
        notes: ["the SDKs set it for every user"], helps: help.map { [$0] } ?? []))
    return true
  }

  /// Reports `!a in b`, in which the `!` was meant for the whole condition.
  private mutating func checkNegatedIn(_ node: SyntaxNode) -> Bool {
    let left = tree.nodes[Int(node.first)]
    guard node.op == .in, left.kind == .unary, left.op == .not,
      !left.flags.contains(.parenthesized)
    else { return false }
    let subject = text(NodeID(left.first))
    let container = text(NodeID(node.second))
    report(
      Diagnostic(
        .typeMismatch, "`!` applies to `\(subject)` alone", at: left.span,
        label: "a bool is looked for",
        fixIts: [
          Diagnostic.FixIt(
            "write `!(\(subject) in \(container))`",
            [
              Diagnostic.Edit(SourceSpan(start: left.span.start, length: 1), "!("),
              Diagnostic.Edit(SourceSpan(start: node.span.end, length: 0), ")"),
            ])
        ]))
    return true
  }

  /// Reports `user.tags in ["dawn"]`, which looks for the whole list.
  private mutating func checkListInList(_ comparison: ConstantComparison) -> Bool {
    guard case .list(let element) = staticType(comparison.subject),
      case .list(let constants) = AttributeType(of: comparison.value),
      tree[comparison.constant].kind == .list, !isList(constants),
      constants != .any || !isList(element)
    else { return false }
    let subject = text(comparison.subject)
    let written = text(comparison.constant)
    let elements = Array(tree.children(of: tree[comparison.constant]))
    guard !elements.isEmpty else { return false }
    report(
      Diagnostic(
        .typeMismatch, "`\(subject)` is a list, and the elements of this list are not",
        at: tree[comparison.subject].span, label: "the list as a whole",
        notes: ["so this is always false"],
        helps: elements.count == 1
          ? ["turn the sides around: `\(text(NodeID(elements[0]))) in \(subject)`"]
          : ["ask for any of them: `\(subject).exists(x, x in \(written))`"]))
    return true
  }

  private func isList(_ type: AttributeType) -> Bool {
    if case .list = type { true } else { false }
  }

  /// Reports `user.plan in "a, b"`, a search in a text in which a missing attribute is always found
  /// (docs/spec/superscript.md §2).
  private mutating func checkPartOfText(
    _ id: NodeID, _ node: SyntaxNode, _ comparison: ConstantComparison
  ) {
    if case .list(let element) = staticType(comparison.subject) {
      var wanted = text(comparison.constant)
      if element.isNumeric, case .string(let content) = comparison.value, Self.isNumber(content) {
        wanted = content
      }
      return report(
        Diagnostic(
          .typeMismatch, "a list is looked for in a text", at: tree[comparison.subject].span,
          label: "a list", notes: ["so this is never true"],
          helps: [
            "turn the sides around: `\(wanted) in \(text(comparison.subject))`"
          ]))
    }
    guard isSuperscript, let path = freePath(comparison.subject), !isGuarded(id, path) else {
      return
    }
    var helps = ["look in a list: `\(text(comparison.subject)) in [\"…\", \"…\"]`"]
    if staticType(comparison.subject) == .any, path.names.last?.last == "s" {
      let turned = "`\(text(comparison.constant)) in \(text(comparison.subject))`"
      helps =
        ["if `\(text(comparison.subject))` is a list, turn the sides around: \(turned)"] + helps
    }
    report(
      Diagnostic(
        .missingCountsAsZero, "this is true when `\(path)` is missing",
        at: tree[comparison.constant].span,
        label: "a missing text counts as empty, and every text contains the empty text",
        helps: helps))
  }

  // MARK: Constants alone

  private mutating func checkConstants(_ id: NodeID, _ node: SyntaxNode, _ a: Value, _ b: Value) {
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
      return ["attributes stand without quotes: `\(content)`"]
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
  private mutating func checkSameSides(
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
  private mutating func checkType(_ node: SyntaxNode, _ comparison: ConstantComparison) -> Bool {
    let type = staticType(comparison.subject)
    let constantType = AttributeType(of: comparison.value)
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
    case (.list, _):
      guard comparison.op == .equal, comparison.isConstantRight else {
        return Clash(help: "ask for an element: `\(literal) in \(subject)`")
      }
      let whole = tree[comparison.subject].span.union(span)
      return Clash(
        fix: Diagnostic.FixIt(
          "ask for an element: `\(literal) in \(subject)`",
          [
            Diagnostic.Edit(
              whole,
              "\(tree.source.text(of: span)) in \(tree.source.text(of: tree[comparison.subject].span))"
            )
          ]))
    case (.map, _): return Clash(help: "compare one of its members")
    case (_, .list): return Clash(help: "use `in`: `\(subject) in \(literal)`")
    default: return nil
    }
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
      || (text.hasSuffix(".") && Double(text.dropLast()) != nil)
      || (text.hasPrefix(".") && Double("0" + text) != nil)
  }

  /// Reports `"true"` compared with a text attribute.
  private mutating func checkBoolWord(
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

  // MARK: Values and versions

  private mutating func checkKnownValue(
    _ attribute: AttributeSchema.Attribute, _ value: Value, at id: NodeID, isInequality: Bool?
  ) {
    guard case .string(let text) = value, !text.isEmpty else { return }
    if attribute.values.isEmpty { return checkForm(attribute, text, at: id) }
    guard !attribute.values.contains(text) else { return }
    let span = tree[id].span
    let result = isInequality.map { "so this is always \($0)" } ?? "so it never counts"
    if let right = attribute.values.first(where: { $0.lowercased() == text.lowercased() }) {
      let literal = LiteralSpelling.string(
        Array(right.utf8), preferRaw: false, dialect: tree.dialect)
      report(
        Diagnostic(
          .wrongCase, "`\(attribute.path)` is never `\"\(text)\"`", at: span,
          label: "wrong case", notes: ["texts are compared letter by letter, \(result)"],
          fixIts: [
            Diagnostic.FixIt("write `\(literal)`", [Diagnostic.Edit(span, literal)])
          ]))
      return
    }
    let known = attribute.values.filter { !$0.isEmpty }.map { "\"\($0)\"" }.joined(separator: ", ")
    let closest = Suggestions.closest(to: text, among: attribute.values)
    report(
      Diagnostic(
        .impossibleValue, "`\(attribute.path)` is never `\"\(text)\"`", at: span,
        label: "not one of its values", notes: ["it is one of \(known), \(result)"],
        helps: closest.isEmpty
          ? [] : ["did you mean \(closest.map { "`\"\($0)\"`" }.joined(separator: " or "))?"]))
  }

  private mutating func checkVersion(
    _ comparison: ConstantComparison, _ attribute: AttributeSchema.Attribute
  ) {
    guard case .string(let text) = comparison.value,
      attribute.format == .version || attribute.format == .paddedVersion,
      AttributeSchema.Attribute.Format.isVersion(text)
        || (Int(text) != nil && comparison.isOrdering),
      !AttributeSchema.Attribute.Format.isPaddedVersion(text) || attribute.format == .version
    else { return }
    let span = tree[comparison.constant].span
    let padded = Self.padded(text)
    if attribute.format == .paddedVersion {
      report(
        Diagnostic(
          .unpaddedVersion, "`\(attribute.path)` is compared with an unpadded version", at: span,
          label: "not padded", notes: ["its versions look like \"\(padded)\""],
          fixIts: [
            Diagnostic.FixIt("write `\"\(padded)\"`", [Diagnostic.Edit(span, "\"\(padded)\"")])
          ]))
      return
    }
    guard comparison.isOrdering else { return }
    let sibling = attribute.path + "Padded"
    let subject = tree[comparison.subject]
    let isKnown = schema[sibling] != nil && subject.kind == .select
    // Operating systems have long had two-digit versions, and `"17.4" >= "17"` is right as text
    // too.
    if !isKnown, text.utf8.prefix(while: { $0 != 0x2E }).count >= 2, !text.contains(".") { return }
    report(
      Diagnostic(
        .unpaddedVersion, "versions are compared letter by letter here", at: span,
        label: "as text, \"10.0\" comes before \"9.0\"",
        secondary: [Diagnostic.Label(subject.span, "not padded")],
        helps: isKnown ? [] : ["compare a padded version if the app sends one"],
        fixIts: isKnown
          ? [
            Diagnostic.FixIt(
              "compare padded versions: `\(sibling) \(comparison.op.spelling) \"\(padded)\"`",
              [
                Diagnostic.Edit(tree.nameSpan(of: subject), tree.name(of: subject) + "Padded"),
                Diagnostic.Edit(span, "\"\(padded)\""),
              ].sorted { $0.span.start < $1.span.start })
          ] : []))
  }

  /// Returns a version with three digits for every number, and at least three numbers.
  static func padded(_ version: String) -> String {
    var parts = version.split(separator: ".").map { part in
      String(repeating: "0", count: max(0, 3 - part.count)) + part
    }
    while parts.count < 3 { parts.append("000") }
    return parts.joined(separator: ".")
  }

  // MARK: Missing attributes

  /// Reports an optional number that counts as zero if it is missing, and then matches.
  private mutating func checkMissingCounts(
    _ id: NodeID, _ node: SyntaxNode, _ comparison: ConstantComparison
  ) {
    guard isSuperscript, comparison.isConstantRight, comparison.value != .null,
      let path = freePath(comparison.subject)
    else { return }
    // A `!` around the comparison turns its result around.
    var condition = id
    var isNegated = false
    while true {
      let parent = parents[Int(condition.index)]
      let outer = tree.nodes[Int(parent)]
      guard parent != condition.index, outer.kind == .unary, outer.op == .not else { break }
      isNegated.toggle()
      condition = NodeID(parent)
    }
    var test = ConditionTest(comparison)
    test.isNegated = isNegated
    guard test.holds(for: .missing) == true, mayBeMissing(comparison, isNegated: isNegated),
      !isGuarded(condition, path)
    else { return }
    let subject = text(comparison.subject)
    let isText = if case .string = comparison.value { true } else { false }
    let isBool = if case .bool = comparison.value { true } else { false }
    let isForAll = holdsFromZero(comparison, isNegated: isNegated)
    report(
      Diagnostic(
        .missingCountsAsZero,
        isForAll
          ? "this is true for 0 and more, and when `\(subject)` is missing"
          : "this is true when `\(subject)` is missing",
        at: tree[condition].span,
        label: isText
          ? "a missing text counts as empty"
          : isBool ? "a missing bool counts as false" : "a missing number counts as 0",
        helps: ["if that is not meant, write `has(\(subject)) && \(text(condition))`"]))
  }

  /// Returns whether the attribute of a comparison that holds without it is known to be missing at
  /// times, or the comparison holds for everybody else, too.
  private func mayBeMissing(_ comparison: ConstantComparison, isNegated: Bool) -> Bool {
    guard let attribute = knownAttribute(comparison.subject) else {
      return holdsFromZero(comparison, isNegated: isNegated)
    }
    guard attribute.isOptional else {
      return attribute.type.isNumeric && attribute.minimum == nil
        && !attribute.path.hasPrefix("device.") && holdsFromZero(comparison, isNegated: isNegated)
    }
    if comparison.isOrdering || comparison.op == .equal, !isNegated {
      return attribute.type.isNumeric
    }
    // To exclude a value of an attribute that the SDKs rarely set is to mean everybody else.
    return AttributeSchema.builtIn[attribute.path] == nil
      && (attribute.type.isNumeric || attribute.type == .string)
  }

  /// Returns whether a comparison of an attribute of the app is true for 0 and everything above,
  /// as counts and ages are: `user.age >= 0`, `user.age > -1`.
  private func holdsFromZero(_ comparison: ConstantComparison, isNegated: Bool) -> Bool {
    guard !isNegated, case .int(let bound) = comparison.value,
      (comparison.op == .greaterEqual && bound == 0)
        || (comparison.op == .greater && bound == -1),
      let name = freePath(comparison.subject)?.names.last?.lowercased()
    else { return false }
    return !Self.signedNames.contains { name.firstOccurrence(of: $0) != nil }
  }

  /// Parts of names of numbers that are often negative.
  private static let signedNames = [
    "balance", "change", "delta", "diff", "offset", "score", "temp", "net", "profit", "margin",
    "lat", "lon", "lng", "level", "trend", "growth", "rank", "timezone",
  ]

  /// Returns whether another condition of the same `&&` excludes a missing attribute, or an
  /// alternative of the same `||` handles it.
  mutating func isGuarded(_ id: NodeID, _ path: AttributePath) -> Bool {
    let guards = guardIndex()
    var current = id.index
    while current != parents[Int(current)] {
      var outer = parents[Int(current)]
      let node = tree.nodes[Int(outer)]
      switch node.kind {
      case .binary:
        // The operands of one operation, and of those around it, are one step.
        outer = tops[Int(outer)]
        if guards.excludes(path, under: outer, outside: current) { return true }
      case .unary: break
      case .conditional:
        if node.first != current, guards.excludes(path, under: node.first) { return true }
      default: return false
      }
      current = outer
    }
    return false
  }

  /// Reports a comparison of two attributes of which the left one may be missing.
  private mutating func checkAttributes(_ node: SyntaxNode, _ left: NodeID, _ right: NodeID) {
    let a = staticType(left)
    let b = staticType(right)
    if node.op != .in, (a.isNumeric && b == .string) || (a == .string && b.isNumeric) {
      report(
        Diagnostic(
          .typeMismatch, "`\(node.op.spelling)` compares \(a.name) with \(b.name)",
          at: tree.operatorSpan(of: node), label: "these are never equal, and have no order",
          secondary: [
            Diagnostic.Label(tree[left].span, a.name), Diagnostic.Label(tree[right].span, b.name),
          ]))
      return
    }
    guard isSuperscript, node.op == .notEqual, let path = freePath(left), freePath(right) != nil,
      path.root != "device" || knownAttribute(left)?.isOptional == true,
      knownAttribute(left)?.isOptional != false, !isGuarded(parentComparison(node, left), path)
    else { return }
    report(
      Diagnostic(
        .missingAgainstAttribute, "this is false when `\(path)` is missing, although it is `!=`",
        at: tree.operatorSpan(of: node), label: "false without a left side",
        secondary: [Diagnostic.Label(tree[left].span, "may be missing")],
        notes: [
          "a missing attribute on the left of a comparison with anything but a literal makes it false"
        ],
        helps: ["write `!(\(text(left)) == \(text(right)))`, which is true then"]))
  }

  private func parentComparison(_ node: SyntaxNode, _ left: NodeID) -> NodeID {
    NodeID(parents[Int(left.index)])
  }
}
