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
    if let format = attribute.format { lines.append(sentence(format.meaning)) }
    if let unit = attribute.unit { lines.append("In \(unit.meaning).") }
    if let least = attribute.minimum {
      lines.append(attribute.maximum.map { "From \(least) to \($0)." } ?? "At least \(least).")
    }
    if !attribute.values.isEmpty {
      let values = attribute.values.map { "`\(Value.string($0).literal)`" }
      lines.append("One of " + values.joined(separator: ", ") + ".")
    }
    if !attribute.usualValues.isEmpty {
      let values = attribute.usualValues.map { "`\(Value.string($0).literal)`" }
      lines.append("Usually " + values.joined(separator: ", ") + ".")
    }
    if !attribute.members.isEmpty {
      let members = attribute.members.map { "- `\($0.path)`: \($0.summary)" }
      lines.append("Its elements have:\n\n" + members.joined(separator: "\n"))
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

  private static func sentence(_ words: String) -> String {
    words.prefix(1).uppercased() + words.dropFirst() + "."
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
