import ExpressionEngine
import ExpressionSyntax
import FilterAnalysis

extension Explanation: CustomStringConvertible {
  /// The explanation for people; see ``text``.
  public var description: String { text }

  /// The explanation for people: the result, the tree of conditions, and the changes that would
  /// lead to a match.
  ///
  ///     no match: `user.age >= 18` is false
  ///
  ///       false    all of
  ///       false      user.age >= 18            user.age is 16
  ///       true       device.platform == "iOS"  device.platform is "iOS"
  ///
  ///     to match, change:
  ///       user.age is 16, needs >= 18
  public var text: String {
    var lines = [headline, ""]
    lines += ExplanationTable(root, deciding: decidingID).lines
    if isTruncated {
      lines += ["", "The filter is large; some of its parts are shown as a whole."]
    }
    if let changes, !changes.isEmpty {
      lines += ["", "to match, change:"] + changes.map { "  \($0.text)" }
    } else if neverMatches {
      lines += ["", "It never matches, whatever the attributes are."]
    } else if changes == nil, !matches {
      lines += ["", (obstacle ?? Self.notFound) + "; that does not mean that it never matches."]
    }
    let helps = Self.unique((root.cause ?? failure)?.helps ?? [])
    if !helps.isEmpty { lines += [""] + helps.map { "help: \($0)" } }
    return lines.map { $0 + "\n" }.joined()
  }

  private static let notFound = "What to change was not found"

  private var failure: Diagnostic? {
    if case .failure(let diagnostic) = outcome { diagnostic } else { nil }
  }

  private static func unique(_ texts: [String]) -> [String] {
    texts.enumerated().filter { !texts[..<$0.offset].contains($0.element) }.map { $0.element }
  }

  /// One complete line: whether the filter matched, and what decided.
  public var headline: String {
    if matches { return "match" }
    let reason: String
    switch outcome {
    case .failure(let diagnostic): reason = "error \(diagnostic.id.rawValue), \(diagnostic.message)"
    case .value(.null):
      reason =
        root.cause.map { "the filter is null, because of an error: \($0.message)" }
        ?? "the filter is null"
    case .value(.bool):
      guard let deciding, deciding.id != root.id || !root.isGroup else {
        return "no match: the filter is false"
      }
      reason =
        deciding.text == deciding.verdict
        ? "it evaluates to `\(deciding.text)`"
        : "`\(deciding.text.shortened(to: 80))` is \(deciding.verdict)"
    case .value(let value):
      reason = "the filter is the \(value.kindName) \(value.shortLiteral), and only true matches"
    case .notEvaluated: reason = "it was not evaluated"
    }
    return "no match: \(reason)"
  }
}

extension Explanation.Condition {
  /// The outcome as a word: a short value, `error`, or `-` if the condition was not evaluated.
  var verdict: String {
    switch outcome {
    case .value(let value):
      let text = value.shortLiteral
      return text.count <= 12 ? text : value.kindName
    case .failure: return "error"
    case .notEvaluated: return "-"
    }
  }

  /// Whether the condition is made of others that are shown below it.
  fileprivate var isGroup: Bool {
    switch kind {
    case .all, .any, .not, .conditional: !children.isEmpty
    case .comparison, .loop, .call, .value: false
    }
  }

  /// The label of the condition in the tree: its role, then `all of`, `any of`, `not` or `if` for a
  /// group, and the text as it is written for anything else.
  fileprivate var title: String {
    var title: String
    switch kind {
    case .all where !children.isEmpty: title = "all of"
    case .any where !children.isEmpty: title = "any of"
    case .not where !children.isEmpty: title = isDoubleNot ? "truth of" : "not"
    case .conditional where !children.isEmpty: title = "if"
    default: title = text.shortened(to: 100)
    }
    switch role {
    case .then: title = "then \(title)"
    case .otherwise: title = "else \(title)"
    case .element:
      if let element { title = "\(element.variable) = \(element.value.shortLiteral): \(title)" }
    case .operand, .condition: break
    }
    return title
  }

  /// Whether the condition is `!!x`, one operator in the superscript dialect.
  private var isDoubleNot: Bool {
    guard text.hasPrefix("!!"), let operand = children.first else { return false }
    return operand.span.start > span.start + 1
  }

  /// The facts shown beside the condition.
  fileprivate var facts: [String] {
    var facts: [String] = []
    for read in reads { facts.append(read.text) }
    for operand in operands { if let text = operand.fact { facts.append(text) } }
    if case .value(let value) = outcome, verdict == value.kindName, verdict != value.shortLiteral {
      facts.append("the value is \(value.shortLiteral)")
    }
    if case .failure(let diagnostic) = outcome, children.allSatisfy({ !$0.isFailure }) {
      facts.append(diagnostic.message)
    }
    facts += notes
    return facts
  }
}

extension Explanation.Read {
  /// One line: `user.age is 16`, `user.age is missing, counts as 0`.
  public var text: String {
    switch presence {
    case .present: "\(path) is \(value?.shortLiteral ?? "null")"
    case .missing: "\(path) is missing" + (standIn.map { ", counts as \($0.literal)" } ?? "")
    case .undeclared: "\(path) is not in the context"
    case .failed: "\(path) cannot be read"
    }
  }
}

extension Explanation.Operand {
  fileprivate var fact: String? {
    guard case .value(let value) = outcome else { return nil }
    return "\(text.shortened(to: 60)) is \(value.shortLiteral)"
  }
}

/// The tree of an explanation as aligned columns: verdict, condition, facts.
private struct ExplanationTable {
  private struct Row {
    let mark: Bool
    let verdict: String
    let title: String
    let facts: [String]
  }

  /// The widest title with facts on the same line; wider ones have them on lines of their own.
  private static let widestTitle = 60
  private var rows: [Row] = []
  private let deciding: Int?

  init(_ root: Explanation.Condition, deciding: Int?) {
    self.deciding = deciding
    add(root, depth: 0)
  }

  private mutating func add(_ condition: Explanation.Condition, depth: Int) {
    rows.append(
      Row(
        mark: condition.id == deciding, verdict: condition.verdict,
        title: String(repeating: "  ", count: depth) + condition.title, facts: condition.facts))
    for child in condition.children { add(child, depth: depth + 1) }
  }

  var lines: [String] {
    let verdictWidth = rows.map { $0.verdict.count }.max() ?? 0
    let titleWidth =
      rows.filter { !$0.facts.isEmpty && $0.title.count <= Self.widestTitle }
      .map { $0.title.count }.max() ?? 0
    var lines: [String] = []
    for row in rows {
      let head =
        (row.mark ? "> " : "  ")
        + row.verdict.padded(to: verdictWidth) + "  "
      let indent = String(repeating: " ", count: head.count + titleWidth + 2)
      if row.title.count <= titleWidth, let first = row.facts.first {
        lines.append("\(head)\(row.title.padded(to: titleWidth))  \(first)")
        lines += row.facts.dropFirst().map { indent + $0 }
      } else {
        lines.append(head + row.title)
        lines += row.facts.map { indent + $0 }
      }
    }
    return lines
  }
}

extension String {
  fileprivate func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }
}
