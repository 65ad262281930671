import ExpressionEngine

/// The three answers of a filter for a row.
enum FilterAnswer: Character {
  case match = "1"
  case noMatch = "0"
  case failure = "n"

  init(_ filter: Filter, _ context: Context) {
    do throws(EvaluationError) {
      self = try filter.evaluate(context) == .bool(true) ? .match : .noMatch
    } catch {
      self = .failure
    }
  }
}
