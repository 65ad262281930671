import AudienceFilters
import CSwexpr
import ExpressionCoding
import ExpressionEngine
import ExpressionPrinting
import ExpressionSyntax
import FilterCorpus
import Superscript
import TestSupport
import Testing

/// Evaluates the corpus through C and in Swift.
@Suite("The corpus through the C interface")
struct CorpusAgreementTests {
  /// What the engine gives, in the same form.
  private func outcome(_ request: CaseRequest) -> String {
    do {
      let filter = try Filter(request.question.text, environment: request.environment)
      return try filter.evaluate(Context(variables: request.variables)).literal
    } catch {
      return "\(error)"
    }
  }

  @Test("values and errors are those of the engine", arguments: ["superscript", "cel"])
  func agree(_ folder: String) throws {
    let cases = try CaseFile.cases(at: TestFiles.path("corpus/\(folder)"))
    var compared = 0
    var definitions = 0
    var different: [String] = []
    for item in cases {
      if case .definition(let text) = item.request.question {
        definitions += 1
        let host = CCase.host(item.request)
        let result = withExtendedLifetime(host) {
          Calls.take(
            swexpr_reference_evaluate_with_context(
              text, text.utf8.count, TestHost.function, host.data))
        }
        let wanted = ReferenceInterface.evaluateWithContext(
          definition: text, host: DefinitionHost(request: item.request))
        if result != wanted {
          different.append("\(item.id): \(result ?? "nothing"), not \(wanted)")
        }
        continue
      }
      guard let cCase = CCase(item.request) else { continue }
      compared += 1
      let wanted = outcome(item.request).replacing("\0", with: "\u{FFFD}")
      let result = cCase.outcome
      if result != wanted { different.append("\(item.id): \(result), not \(wanted)") }
    }
    #expect(different == [])
    // Most of the corpus needs nothing that the C interface lacks.
    #expect((compared + definitions) * 10 >= cases.count * 8, "\(compared) of \(cases.count)")
    print(
      "\(folder) through C: \(compared) expressions, \(definitions) definitions of \(cases.count)")
  }
}

/// Answers what a case states.
private struct DefinitionHost: ReferenceInterface.HostContext {
  let request: CaseRequest

  func computedProperty(name: String, args: String) -> String { answer(name, args) }
  func deviceProperty(name: String, args: String) -> String { answer(name, args) }

  private func answer(_ name: String, _ arguments: String) -> String {
    guard
      case .list(let values)? = try? PassableValue.read(#"{"type":"list","value":\#(arguments)}"#)
    else { return "no list" }
    return request.hostAnswer(to: name, arguments: values)?.text ?? ""
  }
}
