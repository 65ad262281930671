import AudienceFilters
import ExpressionCoding
import ExpressionEngine
import Superscript

/// Every definition gets a JSON object with a result or an error.
enum ReferenceTarget {
  static func run(_ input: FuzzInput) {
    let text = input.text
    let host = TreeTarget.Host()
    check(ReferenceInterface.evaluateWithContext(definition: text, host: host))
    check(ReferenceInterface.evaluateAstWithContext(definition: text, host: host))
    check(ReferenceInterface.evaluateAst(ast: text))
  }

  private static func check(_ result: String) {
    guard let value = try? Value(json: result, reading: .init(maximumDepth: 1_024)),
      case .map(let members) = value, members.count == 1, let name = members.keys.first
    else { report("the result is no object with one member: \(result)") }
    require(name == "Ok" || name == "Err", "the result is neither Ok nor Err: \(result)")
  }
}
