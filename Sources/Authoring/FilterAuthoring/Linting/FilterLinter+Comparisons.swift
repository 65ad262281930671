import ExpressionEngine
import ExpressionPrinting
import ExpressionSyntax
import FilterAnalysis

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
      guard case .list = comparison.value else { return }
      if checkListInList(comparison) { return }
      return checkElements(of: comparison.constant, against: comparison.subject)
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
      if case .string(let text) = comparison.value {
        checkVersionLetter(text, at: comparison.constant, attribute)
      }
      checkMoment(comparison.value, at: comparison.constant, attribute)
      if checkRange(node, comparison, attribute) { return }
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

  func isList(_ type: AttributeType) -> Bool {
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

  // MARK: Values and versions

  mutating func checkKnownValue(
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
