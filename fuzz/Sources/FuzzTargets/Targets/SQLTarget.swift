import AudienceFilters
import ExpressionEngine
import FilterSQL

/// Every filter is translated or refused, for every database.
enum SQLTarget {
  private static let schema = TableSchema(columnsFor: .builtIn)

  static func run(_ input: FuzzInput) {
    let text = input.text
    for environment in [FilterEnvironment.standard, .cel] {
      let compiles = (try? Filter(text, environment: environment)) != nil
      for name in SQLDialect.Name.allCases {
        for isPartial in [false, true] {
          do throws(SQLFilterError) {
            let filter = try SQLFilter(
              text, environment: environment, schema: schema, dialect: .named(name),
              isPartial: isPartial)
            require(compiles, "a text that is no filter is translated")
            for part in [filter.condition, filter.commentedCondition, filter.failure, filter.answer]
            {
              require(!part.isEmpty, "an empty part")
            }
          } catch {
            if case .refused(let refusal) = error {
              require(!refusal.description.isEmpty, "a refusal without text")
            }
          }
        }
      }
    }
  }
}
