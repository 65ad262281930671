public import ArgumentParser
import CampaignCore
import CampaignMatcher
import ExpressionEngine
import ExpressionSyntax
import FilterAnalysis
public import FilterSQL

extension SQLDialect.Name: ExpressibleByArgument {}

/// The option that accepts attributes without a column.
struct AbsentOptions: ParsableArguments {
  @Option(
    name: .customLong("missing"),
    help: ArgumentHelp(
      """
      An attribute without a column that is missing in all rows, with what is inside it; may be \
      repeated. A filter that reads any other attribute without a column is refused.
      """, valueName: "attribute"))
  var paths: [String] = []

  /// Returns a table in which the attributes are missing.
  func apply(to schema: TableSchema) throws(InputError) -> TableSchema {
    var schema = schema
    schema.absent = .only(
      Set(
        try paths.map { (text) throws(InputError) in
          guard let path = AttributePath(text) else {
            throw InputError("--missing: `\(text)` is not an attribute such as user.age")
          }
          return path
        }))
    return schema
  }
}

extension CampaignQuery.Placement {
  /// Returns the placements of a config, each with the filters of its audiences.
  static func all(of config: ConfigInput) -> [CampaignQuery.Placement] {
    config.config.triggers.map { trigger in
      CampaignQuery.Placement(
        name: trigger.placement,
        audiences: trigger.audiences.map { audience in
          CampaignQuery.Audience(
            name: audience.experimentID, filter: config.source(of: audience, in: trigger),
            variants: audience.variants.map {
              CampaignQuery.Variant(id: $0.id, weight: $0.percentage)
            })
        })
    }
  }
}

extension SQLFilterError {
  /// Returns the error as lines for people, with its place in the filter.
  func text(in source: SourceText) -> String {
    let name = source.name.map { "\($0):" } ?? ""
    switch self {
    case .refused(let refusal):
      let place = source.location(of: refusal.span.start)
      let part = String(
        decoding: source.bytes[Int(refusal.span.start)..<Int(refusal.span.end)], as: UTF8.self)
      let help =
        refusal.attribute.map { "\n    to have it missing in every row, add --missing \($0)" } ?? ""
      return "\(name)\(place.line):\(place.column): refused: \(refusal.message)\n    \(part)\(help)"
    case .invalid(let error):
      let first = error.diagnostics.first
      let place = source.location(of: first?.primary.span.start ?? 0)
      return "\(name)\(place.line):\(place.column): \(first?.message ?? "this is not a filter")"
    }
  }
}
