import ExpressionEngine
import ExpressionPrinting
import ExpressionSyntax
import Testing

/// A question and the answer it must have: a value printed as a literal, or an error by its id.
struct CELRow: Sendable, CustomTestStringConvertible {
  let expression: String
  let answer: String

  init(_ expression: String, _ answer: String) {
    self.expression = expression
    self.answer = answer
  }

  var testDescription: String { expression }
}

/// The outcome of an expression: its value as a literal, or the id of the error.
func answer(
  _ expression: String, _ variables: [String: Value] = [:], in environment: FilterEnvironment = .cel
) -> String {
  do throws(FilterError) {
    let filter = try Filter(SourceText(expression), environment: environment)
    do throws(EvaluationError) {
      return try filter.evaluate(Context(variables: variables)).literal
    } catch {
      return error.diagnostic.id.rawValue
    }
  } catch {
    return error.diagnostics.map(\.id.rawValue).joined(separator: " ")
  }
}
