import AudienceFilters
import ExpressionChecking
import ExpressionCoding
package import ExpressionEngine
import ExpressionPrinting
import ExpressionSyntax
import FilterAnalysis
import FilterAuthoring
import Superscript

/// Answers cases with the engine of this package.
///
/// Each case gets its own environment: its dialect, and host functions that return what the case
/// states. Expressions are compiled once per request; nothing is kept between requests.
package struct EngineEvaluator: CaseEvaluator {
  /// The paths that are compared with `evaluate(_:_:)`.
  package let paths: [EvaluationPath]
  /// The passes that filters are compiled with.
  package let optimizations: Optimizations

  /// Creates an evaluator.
  ///
  /// - Parameters:
  ///   - paths: The paths that are compared with `evaluate(_:_:)`, such as ``EvaluationPath/all``.
  ///     Host functions of cases have no effects, so they may be called on each path.
  ///   - optimizations: The passes that filters are compiled with.
  package init(paths: [EvaluationPath] = [], optimizations: Optimizations = .all) {
    self.paths = paths
    self.optimizations = optimizations
  }

  /// Compiles and evaluates a request, and describes the result.
  package func evaluate(_ request: CaseRequest) -> CaseOutcome { evaluation(of: request).outcome }

  /// Evaluates several requests. Those that share a context are evaluated together, too.
  package func evaluate(_ requests: [CaseRequest]) -> [CaseOutcome] {
    var evaluations = requests.map { evaluation(of: $0) }
    guard paths.contains(where: { $0.scope == .shared }) else { return evaluations.map(\.outcome) }
    let settings = requests.map { CaseSetting(of: $0) }
    var start = 0
    while start < requests.count {
      let end = settings[(start + 1)...].firstIndex { $0 != settings[start] } ?? requests.count
      compare(&evaluations, start..<end)
      start = end
    }
    return evaluations.map(\.outcome)
  }

  /// The outcome of a request, and the filter that the other paths evaluate.
  private struct Evaluation {
    var outcome: CaseOutcome
    var evaluated: Evaluated?
  }

  /// A filter that was evaluated.
  private struct Evaluated {
    let filter: Filter
    let context: Context
    let result: Result<Value, EvaluationError>
  }

  private func evaluation(of request: CaseRequest) -> Evaluation {
    switch request.question {
    case .expression(let text): evaluation(of: text, request)
    case .definition(let json): Evaluation(outcome: evaluate(definition: json, request))
    }
  }

  private func evaluation(of text: String, _ request: CaseRequest) -> Evaluation {
    let source = SourceText(text)
    if request.flags.contains(.lints), let warnings = warnings(text, request) {
      return Evaluation(outcome: warnings)
    }
    var environment = request.environment
    if optimizations != .all { environment.optimizations = optimizations }
    let check = check(source, request, environment)
    if request.flags.contains(.checksOnly), let check {
      if let error = check.diagnostics.first {
        return Evaluation(outcome: CaseOutcome(.error(CaseError(error, in: source))))
      }
      return Evaluation(outcome: CaseOutcome(.checked, type: check.type.text))
    }
    do throws(FilterError) {
      let filter = try Filter(text, environment: environment)
      return evaluation(of: filter, request, check, in: source)
    } catch {
      guard let first = error.diagnostics.first else {
        let error = CaseError(message: "the text is not a filter")
        return Evaluation(outcome: CaseOutcome(.error(error)))
      }
      return Evaluation(outcome: CaseOutcome(.error(CaseError(first, in: source))))
    }
  }

  private func evaluation(
    of filter: Filter, _ request: CaseRequest, _ check: CheckResult?, in source: SourceText
  ) -> Evaluation {
    let context = Context(variables: request.variables)
    let result: Result<Value, EvaluationError>
    var outcome: CaseOutcome
    do throws(EvaluationError) {
      let value = try AudienceFilters.evaluate(filter, context)
      result = .success(value)
      outcome = CaseOutcome(.value(value), type: check?.type.text)
    } catch {
      result = .failure(error)
      outcome = CaseOutcome(.error(CaseError(error.showingValues.diagnostic, in: source)))
    }
    for path in paths where path.scope == .single {
      path.evaluate([filter], context) { index, step, other in
        if index != 0 || !other.agrees(with: result) {
          outcome.differences.append("\(path.name), \(step): \(other.summary)")
        }
      }
    }
    return Evaluation(
      outcome: outcome, evaluated: Evaluated(filter: filter, context: context, result: result))
  }

  /// Evaluates requests of the same setting together and notes where that gives something else.
  private func compare(_ evaluations: inout [Evaluation], _ range: Range<Int>) {
    var indices: [Int] = []
    var evaluated: [Evaluated] = []
    for index in range {
      guard let one = evaluations[index].evaluated else { continue }
      indices.append(index)
      evaluated.append(one)
    }
    guard evaluated.count > 1, let context = evaluated.first?.context else { return }
    let filters = evaluated.map(\.filter)
    for path in paths where path.scope == .shared {
      path.evaluate(filters, context) { number, step, other in
        guard evaluated.indices.contains(number) else { return }
        if !other.agrees(with: evaluated[number].result) {
          let place = "\(path.name) of \(filters.count), \(step)"
          evaluations[indices[number]].outcome.differences.append("\(place): \(other.summary)")
        }
      }
    }
  }

  /// The checker's findings for an expression in the cel dialect; `nil` if it is not asked for, or
  /// if the text or the case's declarations cannot be read.
  private func check(
    _ source: SourceText, _ request: CaseRequest, _ environment: FilterEnvironment
  ) -> CheckResult? {
    guard request.dialect == .cel, !request.flags.contains(.disablesCheck),
      let tree = try? parse(source, dialect: environment.dialect),
      let declarations = try? environment.checkingDeclarations()
    else { return nil }
    return Checker.check(tree, declarations: declarations)
  }

  /// The warnings of a filter: the first one as the error, all of them rendered.
  private func warnings(_ text: String, _ request: CaseRequest) -> CaseOutcome? {
    guard let filter = try? Filter(text, environment: request.environment) else { return nil }
    let source = SourceText(text)
    // With variables, the schema is what `swexpr schema infer` makes of them.
    var schema = AttributeSchema.builtIn
    if !request.variables.isEmpty {
      schema.merge(AttributeSchema(inferring: [Context(variables: request.variables)]))
    }
    let found = filter.check(schema: schema)
    guard let first = found.first else { return nil }
    var error = CaseError(first, in: source)
    error.rendered = DiagnosticRenderer().render(found, in: source)
    return CaseOutcome(.error(error))
  }

  /// Hands a definition to the drop-in interface, unchanged, with the host that the case describes.
  private func evaluate(definition json: String, _ request: CaseRequest) -> CaseOutcome {
    CaseOutcome(
      dropInAnswer: ReferenceInterface.evaluateWithContext(
        definition: json, host: AnsweringHost(request: request)))
  }
}

/// A host that returns the values of a case, or else the empty text.
private struct AnsweringHost: ReferenceInterface.HostContext {
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
  /// The outcome in an answer of the JSON interface: `{"Ok": value}` or
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
      "Ok",
      { (scanner) throws(JSONError) in
        try PassableValue.read(from: &scanner, as: .result)
      })
    {
      return .value(value)
    }
    return .error(CaseError(message: try fields.required("Err")))
  }
}

extension EvaluationPath.Result {
  /// Returns whether the result is that of `evaluate(_:_:)`, or follows from it.
  fileprivate func agrees(with wanted: Result<Value, EvaluationError>) -> Bool {
    switch (self, wanted) {
    case (.truth(let truth), .success(let value)): truth == (value == .bool(true))
    case (.truth(let truth), .failure): !truth
    case (.value(.success(let got)), .success(let value)):
      // By the stricter rules: NaN is NaN, and -0.0 is not 0.0.
      value.isMatched(by: got, dialect: .cel)
    case (.value(.failure(let got)), .failure(let error)): got.diagnostic == error.diagnostic
    case (.value, _): false
    }
  }

  /// The result as one line.
  fileprivate var summary: String {
    switch self {
    case .truth(let truth): "\(truth)"
    case .value(.success(let value)): "\(value.literal) : \(value.kindName)"
    case .value(.failure(let error)):
      "error \(error.diagnostic.id.rawValue) \(error.diagnostic.message)"
    }
  }
}

extension CaseRequest {
  /// The environment of the case's expression: its dialect, and host functions that return
  /// what the case states.
  package var environment: FilterEnvironment {
    var examples: [String: [Value]] = [:]
    for (name, arguments) in deviceFunctions { examples["device.\(name)"] = arguments }
    for (name, arguments) in computedFunctions { examples["computed.\(name)"] = arguments }
    return FilterEnvironment(
      dialect: .named(dialect), deviceFunctions: hostFunctions(deviceFunctions.keys),
      computedFunctions: hostFunctions(computedFunctions.keys), hostFunctionArguments: examples,
      container: container, declarations: declarations.map(\.environmentDeclaration),
      expandsMacros: !flags.contains(.disablesMacros))
  }

  private func hostFunctions(
    _ names: some Sequence<String>
  ) -> [String: FilterEnvironment.HostFunction] {
    var functions: [String: FilterEnvironment.HostFunction] = [:]
    for name in names {
      functions[name] = { arguments, _ in
        // A text that the evaluator cannot read counts as null, and so does the empty text.
        guard let answer = hostAnswer(to: name, arguments: arguments) else { return .null }
        return (try? PassableValue.read(answer.text)) ?? .null
      }
    }
    return functions
  }
}

extension CaseDeclaration {
  /// The declaration as an environment has it.
  fileprivate var environmentDeclaration: FilterEnvironment.Declaration {
    switch kind {
    case .variable(let type): .variable(name: name, type: type)
    case .function(let overloads):
      .function(
        name: name,
        overloads: overloads.map { overload in
          FilterEnvironment.FunctionType(
            isMember: overload.isMember, parameters: overload.parameters, result: overload.result)
        })
    }
  }
}

extension CaseError {
  /// The error that a diagnostic describes.
  init(_ diagnostic: Diagnostic, in source: SourceText) {
    let location = source.location(of: diagnostic.primary.span.start)
    self.init(
      id: diagnostic.id.rawValue, message: diagnostic.message, line: location.line,
      column: location.column, rendered: DiagnosticRenderer().render(diagnostic, in: source))
  }
}
