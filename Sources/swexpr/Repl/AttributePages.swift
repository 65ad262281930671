import AudienceFilters
import ExpressionEngine
import ExpressionSyntax

/// What the tool says about attributes, from the schema.
enum AttributePages {
  /// Everything that is known about an attribute.
  ///
  /// - Parameter path: How it was asked for: a member of a family such as `user.acquisition_*` too.
  static func page(_ attribute: AttributeSchema.Attribute, at path: AttributePath) -> String {
    var lines = [attribute.summary]
    switch attribute.format {
    case .version: lines.append("a version; as text, 2.10.0 comes before 2.9.0")
    case .paddedVersion: lines.append("a version padded for comparing, such as 002.010.000")
    case .date: lines.append("a date such as 2026-03-01")
    case .time: lines.append("a time such as 18:30:00")
    case .dateTime: lines.append("a date and time such as 2026-03-01T18:30:00Z")
    case .region: lines.append("a code of a region, such as SE")
    case .language: lines.append("a code of a language, such as sv")
    case .locale: lines.append("a language and a region, such as sv_SE")
    case nil: break
    }
    if let least = attribute.minimum {
      lines.append(attribute.maximum.map { "from \(least) to \($0)" } ?? "at least \(least)")
    }
    if !attribute.values.isEmpty {
      let values = attribute.values.map { Value.string($0).literal }
      lines.append("one of " + values.joined(separator: ", "))
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

  /// A name that was perhaps meant, of a function or an attribute.
  static func suggestion(
    for name: String, in schema: AttributeSchema, _ dialect: Dialect.Name
  ) -> String? {
    guard name.contains(".") else { return FunctionPages.suggestion(for: name, in: dialect) }
    return Suggestions.help(for: name, among: schema.sorted.map(\.path))
  }
}
