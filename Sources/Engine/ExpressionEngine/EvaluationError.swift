public import ExpressionSyntax

/// An error thrown when a filter has no value for a context.
///
/// Its texts name the kinds of values, not the values: these are a user's attributes, and errors
/// end up in logs. ``showingValues`` has them.
public struct EvaluationError: Error, Sendable {
  // One reference, so that what throws it passes it on in a register.
  private indirect enum Content: Sendable {
    case diagnostic(Diagnostic)
    case failure(FailureReport)
  }

  private let content: Content
  /// Whether the texts show the values that could not be used.
  package private(set) var showsValues = false

  /// The data for wording the message, or `nil` for an error that was created from its diagnostic.
  package var report: FailureReport? {
    if case .failure(let report) = content { report } else { nil }
  }

  /// The same error, whose texts show the values that could not be used.
  ///
  /// Such texts are for people who may see the attributes, such as the author of a filter.
  public var showingValues: EvaluationError {
    var result = self
    result.showsValues = true
    return result
  }

  /// The diagnostic without source-specific wording, for callers that only need its id.
  package var plain: Diagnostic {
    switch content {
    case .diagnostic(let diagnostic): diagnostic
    case .failure(let report): report.diagnostic(showingValues: showsValues)
    }
  }

  /// The kind of the failure.
  public var id: DiagnosticID { plain.id }
  /// The kind of the failure as text, such as `E0501`.
  public var code: String { id.rawValue }
  /// The part of the filter that failed.
  public var span: SourceSpan { report?.span ?? plain.primary.span }
  /// A description of the failure, in one line without a full stop.
  public var message: String { plain.message }

  /// Creates an error from its diagnostic.
  package init(diagnostic: Diagnostic) {
    content = .diagnostic(diagnostic)
  }

  /// Creates an error from the failure that a machine stopped with.
  init(
    _ machine: borrowing Machine, program: Program, source: SourceText, dialect: Dialect.Name
  ) {
    let failure = machine.failure
    let index = Int(failure.instruction)
    let span =
      index < program.spans.count ? program.spans[index] : SourceSpan(start: 0, length: 0)
    content = .failure(
      FailureReport(
        failure, at: span, source: source, dialect: dialect, cause: machine.cause,
        function: program.functionName(at: index)))
  }
}

extension Program {
  /// Returns the name of the function that an instruction calls, as written in filters.
  func functionName(at index: Int) -> String? {
    guard index < codeCount else { return nil }
    if code[index].opcode == .callHost { return hostFunctions[code[index].c].name }
    guard code[index].opcode == .call else { return nil }
    var name = functions[code[index].c].name[...]
    if name.first == "." { name.removeFirst() }
    return String(name.prefix { $0 != "/" })
  }
}

extension Slot {
  /// The name of the kind in messages.
  var kindName: String {
    switch tag {
    case .builder, .iterator, .error: "null"
    // A small list may contain another list very many times: it is not copied for its name.
    case .list: "list"
    case .map: "map"
    case .optional: "optional"
    default: Value(self).kindName
    }
  }
}

extension Diagnostic {
  /// Returns the diagnostic of a filter that is nested too deep for the compiler.
  static func expressionTooDeep(at span: SourceSpan) -> Diagnostic {
    Diagnostic(
      .expressionTooDeep, "the expression nests more than \(Lowering.maximumDepth) levels deep",
      at: span, helps: ["write it as a chain, or split it into several filters"])
  }
}

extension CompilerFailure {
  var diagnostic: Diagnostic {
    switch self {
    case .tooManyRegisters(let span):
      Diagnostic(
        .filterTooLarge, "the filter nests too many values", at: span, label: "too many at once",
        helps: ["keep long lists and maps in the context instead"])
    case .tooManyConstants(let span):
      Diagnostic(
        .filterTooLarge, "the filter has too many literals", at: span,
        helps: ["keep long lists in the context instead"])
    case .tooDeep(let span): .expressionTooDeep(at: span)
    }
  }
}
