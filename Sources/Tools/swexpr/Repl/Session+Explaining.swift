import AudienceFilters
import CampaignAnalysis
import ExpressionEngine
import ExpressionSyntax

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
    do throws(FilterError) {
      var found = try Filter(text, environment: environment).check(schema: schema)
      let prover = FilterProver(schema: schema, dialect: environment.dialect.name)
      found += prover.diagnostics(text, besides: found)
      return Reply(
        found.isEmpty ? "nothing to say against it\n" : rendered(found, in: SourceText(text)))
    } catch {
      return failure(error.diagnostics, in: SourceText(text))
    }
  }
}
