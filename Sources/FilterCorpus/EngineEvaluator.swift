import AudienceFilters
public import ExpressionEngine
import ExpressionSyntax

/// Answers cases with the engine of this package.
///
/// A case gets an environment of its own: its dialect, and host functions that answer what the case
/// says. Expressions are compiled once per request; nothing is remembered between requests.
public struct EngineEvaluator: CaseEvaluator {
  /// Creates an evaluator.
  public init() {}

  /// Answers a request: compiles, evaluates and describes what came of it.
  public func evaluate(_ request: CaseRequest) -> CaseOutcome {
    switch request.question {
    case .expression(let text): evaluate(text, request)
    case .definition(let json): evaluate(definition: json, request)
    }
  }

  private func evaluate(_ text: String, _ request: CaseRequest) -> CaseOutcome {
    let source = Source(text)
    if request.flags.contains(.lints), let warnings = warnings(text, request) { return warnings }
    let environment = request.environment
    let check = check(source, request, environment)
    if request.flags.contains(.checksOnly), let check {
      if let error = check.diagnostics.first {
        return CaseOutcome(.error(CaseError(error, in: source)))
      }
      return CaseOutcome(.checked, type: check.type.text)
    }
    do throws(FilterError) {
      let filter = try CompiledFilter(source, environment: environment)
      do throws(EvaluationError) {
        let value = try filter.evaluate(Context(variables: request.variables))
        return CaseOutcome(.value(value), type: check?.type.text)
      } catch {
        return CaseOutcome(.error(CaseError(error.diagnostic, in: source)))
      }
    } catch {
      guard let first = error.diagnostics.first else {
        return CaseOutcome(.error(CaseError(message: "the text is no filter")))
      }
      return CaseOutcome(.error(CaseError(first, in: source)))
    }
  }

  /// What the checker says of an expression in the cel dialect; `nil` when it is not asked, or when the
  /// text or the case's declarations cannot be read.
  private func check(
    _ source: Source, _ request: CaseRequest, _ environment: Environment
  ) -> CheckResult? {
    guard request.dialect == .cel, !request.flags.contains(.disablesCheck),
      let tree = try? parse(source, dialect: environment.dialect),
      let declarations = try? environment.checkingDeclarations()
    else { return nil }
    return Checker.check(tree, declarations: declarations)
  }

  /// What the checks say of a filter, the first warning as the error, all of them rendered.
  private func warnings(_ text: String, _ request: CaseRequest) -> CaseOutcome? {
    guard let filter = try? Filter(text, environment: request.environment) else { return nil }
    let source = Source(text)
    let found = filter.check()
    guard let first = found.first else { return nil }
    var error = CaseError(first, in: source)
    error.rendered = DiagnosticRenderer().render(found, in: source)
    return CaseOutcome(.error(error))
  }

  /// Hands a definition to the drop-in interface, unchanged, with the host that the case describes.
  private func evaluate(definition json: String, _ request: CaseRequest) -> CaseOutcome {
    CaseOutcome(
      dropInAnswer: evaluateWithContext(definition: json, host: AnsweringHost(request: request)))
  }
}

/// A host that answers what a case says; without an answer, the empty text.
private struct AnsweringHost: HostContext {
  let request: CaseRequest

  func computedProperty(name: String, args: String) -> String { answer(to: name, args) }
  func deviceProperty(name: String, args: String) -> String { answer(to: name, args) }

  private func answer(to name: String, _ arguments: String) -> String {
    // A list of tagged values is what a tagged list holds.
    let list = try? PassableValue.read(#"{"type":"list","value":\#(arguments)}"#)
    guard case .list(let values)? = list else { return "" }
    return request.hostAnswer(to: name, arguments: values)?.text ?? ""
  }
}

extension CaseOutcome {
  /// The outcome that an answer of the drop-in interface tells of: `{"Ok": value}` or
  /// `{"Err": text}`.
  fileprivate init(dropInAnswer text: String) {
    do throws(JSONError) {
      self.init(try Self.answer(in: text))
    } catch {
      self.init(.error(CaseError(message: "the answer is not of the interface: \(error)")))
    }
  }

  private static func answer(in text: String) throws(JSONError) -> Answer {
    var text = text
    let outcome = text.withUTF8 { bytes -> Result<Answer, JSONError> in
      do throws(JSONError) {
        return .success(try answer(in: bytes))
      } catch {
        return .failure(error)
      }
    }
    return try outcome.get()
  }

  private static func answer(
    in bytes: UnsafeBufferPointer<UInt8>
  ) throws(JSONError) -> Answer {
    let fields = try CaseFields(bytes)
    if let value = try fields.read(
      "Ok", doubles: .scaled,
      { (scanner) throws(JSONError) in
        try PassableValue.read(from: &scanner, as: .result)
      })
    {
      return .value(value)
    }
    return .error(CaseError(message: try fields.required("Err")))
  }
}

extension CaseRequest {
  /// What the expression of the case is compiled against: its dialect, and host functions that answer
  /// what the case says.
  public var environment: Environment {
    var examples: [String: [Value]] = [:]
    for (name, arguments) in deviceFunctions { examples["device.\(name)"] = arguments }
    for (name, arguments) in computedFunctions { examples["computed.\(name)"] = arguments }
    return Environment(
      dialect: .named(dialect), deviceFunctions: hostFunctions(deviceFunctions.keys),
      computedFunctions: hostFunctions(computedFunctions.keys), hostFunctionArguments: examples,
      container: container, declarations: declarations.map(\.environmentDeclaration),
      expandsMacros: !flags.contains(.disablesMacros))
  }

  private func hostFunctions(
    _ names: some Sequence<String>
  ) -> [String: Environment.HostFunction] {
    var functions: [String: Environment.HostFunction] = [:]
    for name in names {
      functions[name] = { arguments, _ in
        // What the evaluator cannot read counts as null, and so does the empty text.
        guard let answer = hostAnswer(to: name, arguments: arguments) else { return .null }
        return (try? PassableValue.read(answer.text)) ?? .null
      }
    }
    return functions
  }
}

extension CaseDeclaration {
  /// The declaration as an environment has it.
  fileprivate var environmentDeclaration: Environment.Declaration {
    switch kind {
    case .variable(let type): .variable(name: name, type: type)
    case .function(let overloads):
      .function(
        name: name,
        overloads: overloads.map { overload in
          Environment.FunctionType(
            isMember: overload.isMember, parameters: overload.parameters, result: overload.result)
        })
    }
  }
}

extension CaseError {
  /// The error that a diagnostic tells of.
  init(_ diagnostic: Diagnostic, in source: Source) {
    let location = source.location(of: diagnostic.primary.span.start)
    self.init(
      id: diagnostic.id.rawValue, message: diagnostic.message, line: location.line,
      column: location.column, rendered: DiagnosticRenderer().render(diagnostic, in: source))
  }
}
