import ExpressionEngine
import ExpressionSyntax
import FilterAnalysis

// Reports joined texts that are compared with a text of another form.

extension FilterLinter {
  /// Reports `device.platform + device.osVersion == "iOS 17.0.0"`: nothing joins them with a space.
  mutating func checkJoinedTexts(_ comparison: ConstantComparison) {
    guard comparison.isEquality || comparison.op == .in,
      tree[comparison.subject].isBinary(.add), staticType(comparison.subject) == .string
    else { return }
    let parts = outline.operands(of: comparison.subject, .add).map { operand in
      if case .string(let text)? = tree.constant(of: operand) { return JoinedPart.text(text) }
      return .attribute(knownAttribute(operand))
    }
    let isPossible = comparison.constants.contains { constant in
      guard case .string(let text) = constant else { return true }
      return textForms.canGive(text, joining: parts, dialect: tree.dialect.name) ?? true
    }
    guard !isPossible else { return }
    let written = text(comparison.subject)
    let isJoinedDirectly = parts.allSatisfy { if case .attribute = $0 { true } else { false } }
    report(
      Diagnostic(
        .impossibleValue, "`\(written)` never gives this text",
        at: tree[comparison.constant].span, label: "another form",
        notes: example(of: parts).map { ["it looks like \"\($0)\""] } ?? [],
        helps: [
          isJoinedDirectly
            ? "put what is between them into the sum, or compare each attribute alone"
            : "compare each attribute alone"
        ]))
  }

  private func example(of parts: [JoinedPart]) -> String? {
    var result = ""
    for part in parts {
      switch part {
      case .text(let text): result += text
      case .attribute(let attribute):
        guard let sample = attribute?.values.first ?? attribute?.format?.sample else { return nil }
        result += sample
      }
    }
    return result
  }
}
