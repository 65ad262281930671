import AudienceFilters
import CSwexpr
import ExpressionCoding
import ExpressionEngine
import ExpressionPrinting
import ExpressionSyntax
import FilterCorpus
import Testing

/// Evaluates the corpus through C and in Swift.
@Suite("The corpus through the C interface")
struct CorpusAgreementTests {
  /// A request as the C interface takes it.
  private struct CCase {
    let text: String
    let options: String
    let context: String
    let host: TestHost

    /// Translates a request; `nil` if it needs what the C interface does not have: declarations,
    /// switches of the cel dialect, values that tagged JSON does not carry.
    init?(_ request: CaseRequest) {
      guard case .expression(let text) = request.question, request.declarations.isEmpty,
        request.flags.subtracting([.lints, .disablesCheck]).isEmpty
      else { return nil }
      let context = PassableValue.text(
        .map(Dictionary(uniqueKeysWithValues: request.variables.map { (.string($0), $1) })))
      guard let read = try? Context(passableJSON: context),
        read == Context(variables: request.variables)
      else { return nil }
      var writer = JSONWriter()
      writer.beginObject()
      writer.key("dialect")
      writer.string(request.dialect.rawValue)
      writer.key("container")
      writer.string(request.container)
      writer.key("values")
      writer.string("tagged")
      for (root, functions) in [
        ("device", request.deviceFunctions), ("computed", request.computedFunctions),
      ] {
        writer.key(root)
        writer.beginObject()
        for (name, examples) in functions {
          let json = Value.list(examples).jsonText()
          guard (try? Value(json: json)) == .list(examples) else { return nil }
          writer.key(name)
          writer.raw(json)
        }
        writer.endObject()
      }
      writer.endObject()
      self.text = text
      self.context = context
      options = writer.text
      host = TestHost { name, arguments, reply in CCase.answer(request, name, arguments, reply) }
    }

    /// Replies what a case states; a text that is no value stands for null.
    static func answer(
      _ request: CaseRequest, _ name: String, _ arguments: String, _ reply: OpaquePointer?
    ) {
      guard
        case .list(let values)? = try? PassableValue.read(#"{"type":"list","value":\#(arguments)}"#)
      else {
        swexpr_reply_error(reply, "the arguments are no list", -1)
        return
      }
      let name = String(name.drop { $0 != "." }.dropFirst())
      guard let text = request.hostAnswer(to: name, arguments: values)?.text,
        (try? PassableValue.read(text)) != nil
      else { return }
      swexpr_reply_value(reply, text, text.utf8.count)
    }

    /// The value as a literal, or the error.
    var outcome: String {
      do {
        return try host.withEnvironment(options) { environment in
          try Calls.withFilter(text, environment) { filter in
            try Calls.withContext(context, format: SWEXPR_TAGGED) { context in
              let isMatch = swexpr_filter_matches(filter, context, nil)
              let value = try Calls.evaluate(filter, context, format: SWEXPR_LITERAL)
              guard isMatch == (value == "true") else { return "\(value), but matches: \(isMatch)" }
              return value
            }
          }
        }
      } catch {
        return "\(error)"
      }
    }
  }

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
    let cases = try CaseFile.cases(at: "\(Repository.path)/corpus/\(folder)")
    var compared = 0
    var definitions = 0
    var different: [String] = []
    for item in cases {
      if case .definition(let text) = item.request.question {
        definitions += 1
        let host = TestHost { CCase.answer(item.request, $0, $1, $2) }
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
