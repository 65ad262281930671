import AudienceFilters
import CampaignAnalysis
import ExpressionEngine
import ExpressionSyntax
import FilterAnalysis
import FilterAuthoring

// The commands that explain results and report probable mistakes.
extension Session {
  /// The known attributes: the vocabulary of the SDKs, the user's own schema, and the attributes in
  /// the context.
  var schema: AttributeSchema {
    var schema = AttributeSchema.builtIn
    schema.merge(ownSchema)
    let seen = AttributeSchema(inferring: [context])
    for attribute in seen.sorted where schema[attribute.path] == nil {
      schema[attribute.path] = attribute
    }
    return schema
  }

  /// `:explain [EXPR]`
  mutating func explainCommand(_ argument: String) -> Reply {
    guard let text = filter(argument) else { return .missingFilter }
    do throws(FilterError) {
      return Reply(try Filter(text, environment: environment).explain(context).text)
    } catch {
      return failure(error.diagnostics, in: SourceText(text))
    }
  }

  /// `:check [EXPR]`
  mutating func checkCommand(_ argument: String) -> Reply {
    guard let text = filter(argument) else { return .missingFilter }
    let found = Filter.check(text, environment: environment, schema: schema)
    if found.contains(where: { $0.severity == .error }) {
      return failure(found, in: SourceText(text))
    }
    return Reply(found.isEmpty ? "no findings\n" : rendered(found, in: SourceText(text)))
  }
}
