import AudienceFilters
import ExpressionEngine
import ExpressionSyntax
import FilterAnalysis

/// The tool's pages about attributes, from the schema.
enum AttributePages {
  /// Returns a page about an attribute.
  ///
  /// - Parameter path: The path that was requested, which may be a member of a family such as
  ///   `user.acquisition_*`.
  static func page(_ attribute: AttributeSchema.Attribute, at path: AttributePath) -> String {
    var lines = [attribute.summary]
    if let format = attribute.format { lines.append(format.meaning) }
    if let unit = attribute.unit { lines.append("in \(unit.meaning)") }
    if let least = attribute.minimum {
      lines.append(attribute.maximum.map { "from \(least) to \($0)" } ?? "at least \(least)")
    }
    if !attribute.values.isEmpty {
      let values = attribute.values.map { Value.string($0).literal }
      lines.append("one of " + values.joined(separator: ", "))
    }
    if !attribute.usualValues.isEmpty {
      let values = attribute.usualValues.map { Value.string($0).literal }
      lines.append("usually " + values.joined(separator: ", "))
    }
    if !attribute.members.isEmpty {
      lines.append("its elements have " + attribute.members.map(\.path).joined(separator: ", "))
    }
    if attribute.isOptional { lines.append("may be missing") }
    if !attribute.platforms.isEmpty {
      lines.append("only on " + attribute.platforms.joined(separator: ", "))
    }
    if let since = attribute.since { lines.append("since \(since)") }
    if let deprecated = attribute.deprecated { lines.append("deprecated: \(deprecated)") }
    if let example = attribute.example { lines.append("for example \(example)") }
    return "\(path) : \(attribute.type.name)\n"
      + lines.filter { !$0.isEmpty }.map { "    \($0)\n" }.joined()
  }

  /// Returns the name of a function or an attribute that was perhaps meant.
  static func suggestion(
    for name: String, in schema: AttributeSchema, _ dialect: Dialect.Name
  ) -> String? {
    guard name.contains(".") else { return FunctionPages.suggestion(for: name, in: dialect) }
    return Suggestions.help(for: name, among: schema.sorted.map(\.path))
  }
}
