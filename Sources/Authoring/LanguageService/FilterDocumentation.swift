import ExpressionEngine
import ExpressionSyntax
import FilterAnalysis

/// The Markdown texts about attributes, functions and operators.
enum FilterDocumentation {
  /// The words that denote values.
  static let keywords = [
    "true": "the condition holds; only this value is a match",
    "false": "the condition does not hold",
    "null": "no value",
  ]

  /// Returns what the schema says about an attribute.
  static func facts(about attribute: AttributeSchema.Attribute) -> String {
    var lines: [String] = []
    if !attribute.summary.isEmpty { lines.append(attribute.summary) }
    if let format = attribute.format { lines.append(meaning(of: format)) }
    if let unit = attribute.unit { lines.append("In \(unit.meaning).") }
    if let least = attribute.minimum {
      lines.append(attribute.maximum.map { "From \(least) to \($0)." } ?? "At least \(least).")
    }
    if !attribute.values.isEmpty {
      let values = attribute.values.map { "`\(Value.string($0).literal)`" }
      lines.append("One of " + values.joined(separator: ", ") + ".")
    }
    if attribute.isOptional { lines.append("May be missing.") }
    if !attribute.platforms.isEmpty {
      lines.append("Only on " + attribute.platforms.joined(separator: ", ") + ".")
    }
    if let since = attribute.since { lines.append("Since \(since).") }
    if let deprecated = attribute.deprecated { lines.append("Deprecated: \(deprecated)") }
    if let example = attribute.example { lines.append("For example `\(example)`.") }
    return lines.joined(separator: "\n\n")
  }

  private static func meaning(of format: AttributeSchema.Attribute.Format) -> String {
    switch format {
    case .version: "A version. As text, 2.10.0 comes before 2.9.0."
    case .paddedVersion: "A version padded for comparing, such as 002.010.000."
    case .date: "A date such as 2026-03-01."
    case .time: "A time such as 18:30:00."
    case .dateTime: "A date and time such as 2026-03-01T18:30:00Z."
    case .region: "A code of a region, such as SE."
    case .language: "A code of a language, such as sv."
    case .storefront: "A code of an App Store's country, such as SWE."
    case .locale: "A language and a region, such as sv_SE."
    case .currency: "A code of a currency, such as SEK."
    }
  }

  /// Returns the page of a function or macro.
  static func page(_ function: FunctionDefinition) -> String {
    var text = code(function.signatures.joined(separator: "\n")) + "\n\n" + function.summary
    if !function.examples.isEmpty {
      let lines = function.examples.map { "\($0.expression)  →  \($0.value)" }
      text += "\n\n" + code(lines.joined(separator: "\n"))
    }
    return text
  }

  /// Returns the page of a function of the app.
  static func hostFunction(_ path: String, _ type: AttributeType) -> String {
    code("\(path)(event) -> \(type.name)")
      + "\n\nA function of the SDK over the user's history. The argument is the name of an event or "
      + "of a placement."
  }

  /// Returns the page of an operator.
  static func page(_ row: OperatorInfo) -> String { code(row.spelling) + "\n\n" + row.summary }

  /// Returns a block of code.
  static func code(_ text: String) -> String { "```filter\n\(text)\n```" }
}
