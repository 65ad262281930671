import ExpressionSyntax

/// The checker's messages.
extension CheckPass {
  /// Whether nothing more is reported.
  ///
  /// A later finding may have an earlier place in the text, so twice the limit is kept.
  var isFull: Bool { diagnostics.count >= 2 * Checker.maximumDiagnostics }

  /// Adds a diagnostic, as grave as the rules want it.
  mutating func report(
    _ id: DiagnosticID, _ message: String, at span: SourceSpan, label: String = "",
    secondary: [Diagnostic.Label] = [], notes: [String] = [], helps: [String] = []
  ) {
    guard !isFull else { return }
    var diagnostic = Diagnostic(
      id, message, at: span, label: label, secondary: secondary, notes: notes, helps: helps)
    if let severity = rules.severity { diagnostic.severity = severity }
    diagnostics.append(diagnostic)
  }

  /// A type as text, with all that is known.
  func text(_ type: Type) -> String { substitution.final(type).text }

  /// A type as text with its article: `an int`, `a list(string)`.
  func article(_ type: Type) -> String {
    let text = text(type)
    let hasVowel = text.first.map("aeio".contains) ?? false
    return "\(hasVowel ? "an" : "a") \(text)"
  }

  /// `1 argument`, `2 arguments`.
  func plural(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }

  /// Says why an operator has no meaning for its operands.
  mutating func reportOperator(_ node: SyntaxNode, _ op: Operator, _ operands: [NodeID]) {
    let given = operands.map { substitution.final(type($0)) }
    let labels = operands.map { Diagnostic.Label(tree[$0].span, text(type($0))) }
    let message: String
    switch op {
    case .negate, .doubleNegate, .not, .doubleNot:
      message = "`\(op.spelling)` has no meaning for \(article(given[0]))"
    case .and, .or:
      let wrong = given.first { $0 != .bool && !$0.isDynamic } ?? given[0]
      message = "`\(op.spelling)` needs bools on both sides, found \(text(wrong))"
    case .index, .optionalIndex:
      message = "\(article(given[0])) cannot be indexed by \(article(given[1]))"
    case .in:
      message = "`in` cannot look for \(article(given[0])) in \(article(given[1]))"
    case .add, .subtract, .multiply, .divide, .remainder:
      message = "`\(op.spelling)` cannot combine \(given[0].text) with \(given[1].text)"
    default:
      message = "`\(op.spelling)` cannot compare \(given[0].text) with \(given[1].text)"
    }
    let isIndex = op == .index || op == .optionalIndex
    report(
      .operandTypes, message,
      at: isIndex ? tree[node.subscriptIndex].span : tree.operatorSpan(of: node),
      label: isIndex ? given[1].text : "no meaning for these types",
      secondary: isIndex ? [labels[0]] : labels, helps: operandHelp(op, operands, given))
  }

  /// The replacement, if it is clear.
  private func operandHelp(_ op: Operator, _ operands: [NodeID], _ given: [Type]) -> [String] {
    guard given.count == 2, op != .index, op != .optionalIndex, op != .in else { return [] }
    if op == .and || op == .or { return ["compare the value to something"] }
    let wanted: Type
    let converted: NodeID
    switch (given[0], given[1]) {
    case (.double, let other) where other.isNumeric: (wanted, converted) = (.double, operands[1])
    case (let other, .double) where other.isNumeric: (wanted, converted) = (.double, operands[0])
    case (.int, .uint): (wanted, converted) = (.int, operands[1])
    case (.uint, .int): (wanted, converted) = (.int, operands[0])
    case (.string, let other) where other.isNumeric || other == .bool:
      (wanted, converted) = (.string, operands[1])
    case (let other, .string) where other.isNumeric || other == .bool:
      (wanted, converted) = (.string, operands[0])
    default: return []
    }
    let source = tree.source.text(of: tree[converted].span)
    guard source.utf8.count <= 40 else { return ["convert one side: `\(wanted.text)(…)`"] }
    return ["convert one side: `\(wanted.text)(\(source))`"]
  }
}
