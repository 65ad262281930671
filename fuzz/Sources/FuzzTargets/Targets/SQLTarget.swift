import AudienceFilters
import ExpressionEngine
import FilterAnalysis
import FilterSQL

/// Every filter is translated or refused, for every database; SQLite answers as the engine does.
enum SQLTarget {
  private static let schema = TableSchema(columnsFor: .builtIn)

  static func run(_ input: FuzzInput) {
    let text = input.text
    let isPartial = input.choice & 1 != 0
    for environment in [FilterEnvironment.standard, .cel] {
      var limited = environment
      limited.limits = EvaluationLimits(steps: 20_000, memory: 1 << 20)
      AnswersInSQLite.compare(text, limited, seed: input.choice >> 1)
      let compiles = (try? Filter(text, environment: environment)) != nil
      for name in SQLDialect.Name.allCases {
        do throws(SQLFilterError) {
          let filter = try SQLFilter(
            text, environment: environment, schema: schema, dialect: .named(name),
            isPartial: isPartial)
          require(compiles, "a text that is no filter is translated")
          for part in [filter.condition, filter.commentedCondition, filter.failure] {
            require(!part.isEmpty, "an empty part")
          }
          require(!filter.answer.isEmpty, "an empty answer")
        } catch {
          switch error {
          case .invalid: require(!compiles, "a filter counts as invalid")
          case .refused(let refusal):
            require(!refusal.description.isEmpty, "a refusal without text")
          }
        }
      }
    }
  }
}
