public import ExpressionSyntax

/// An error thrown when a filter has no value for a context.
///
/// Its texts name the kinds of values, not the values: these are a user's attributes, and errors end
/// up in logs. ``showingValues`` has them.
public struct EvaluationError: Error, Sendable {
  // One reference, so that what throws it passes it on in a register.
  private let content: Content
  /// Whether the texts show the values that could not be used.
  package private(set) var showsValues = false

  private final class Content: Sendable {
    /// The diagnostic without source-specific wording, with values.
    let diagnostic: Diagnostic
    /// The kind of failure, or `nil` for an error that was created from its diagnostic.
    let code: FailureCode?
    let report: FailureReport?

    init(
      _ diagnostic: Diagnostic, code: FailureCode? = nil, report: FailureReport? = nil
    ) {
      self.diagnostic = diagnostic
      self.code = code
      self.report = report
    }
  }

  /// The data for wording the message, or `nil` for an error that was created from its diagnostic.
  package var report: FailureReport? { content.report }

  /// The same error, whose texts show the values that could not be used.
  ///
  /// Such texts are for people who may see the attributes, such as the author of a filter who tries it.
  public var showingValues: EvaluationError {
    var result = self
    result.showsValues = true
    return result
  }

  /// The diagnostic without source-specific wording, for callers that only need its id.
  package var plain: Diagnostic { showsValues ? content.diagnostic : redacted }

  /// The diagnostic without the values of the operands; made when it is asked for, which is rare.
  private var redacted: Diagnostic {
    var result = content.diagnostic
    let kinds = report?.operands.map { $0.kind } ?? []
    switch content.code {
    case .noSuchKey: result.message = "there is no such key here"
    case .duplicateKey: result.message = "a key occurs twice"
    case .indexOutOfRange:
      result.message = "the index is out of range"
      result.notes = []
    case .notComparable, .unsupportedBinary, .unsupportedUnary, .unexpectedType, .unusableKey,
      .notIndexable, .invalidArgument, .notBool, .invalidPattern:
      result.primary.message = kinds.joined(separator: " and ")
    case .noMatchingOverload: result.primary.message = ""
    // The others have no values: what they name is in the filter.
    default: break
    }
    return result
  }

  /// The kind of the failure.
  public var id: DiagnosticID { content.diagnostic.id }
  /// The part of the filter that failed.
  public var span: SourceSpan { content.diagnostic.primary.span }
  /// A description of the failure, in one line without a full stop.
  public var message: String { plain.message }

  /// Creates an error from its diagnostic.
  package init(diagnostic: Diagnostic) {
    content = Content(diagnostic)
  }

  /// Creates an error from the failure that a machine stopped with.
  init(
    _ machine: borrowing Machine, program: Program, source: SourceText, dialect: Dialect.Name
  ) {
    let failure = machine.failure
    let index = Int(failure.instruction)
    let span =
      index < program.spans.count ? program.spans[index] : SourceSpan(start: 0, length: 0)
    content = Content(
      failure.diagnostic(
        at: span, cause: machine.cause, function: program.functionName(at: index)),
      code: failure.code,
      report: FailureReport(failure, at: span, source: source, dialect: dialect, machine.cause))
  }
}

extension Failure {
  /// Returns the diagnostic of the failure.
  ///
  /// - Parameters:
  ///   - span: The source that failed.
  ///   - cause: The error of a host function or a regular expression.
  ///   - function: The name of the called function.
  func diagnostic(
    at span: SourceSpan, cause: FailureCause?, function: String? = nil
  ) -> Diagnostic {
    let a = first.kindName
    let b = second.kindName
    return switch code {
    case .undeclared:
      Diagnostic(
        .undeclaredName, "unknown name `\(first.shortText)`", at: span,
        label: "not in this context",
        helps: ["names start with a root such as `user`, `device` or `params`"])
    case .unknownFunction:
      Diagnostic(
        .unknownFunction,
        operandCount == 0 ? "unknown function" : "unknown function `\(first.shortText)`",
        at: span, label: "no such function")
    case .noSuchKey:
      Diagnostic(
        .missingKey, "there is no `\(first.shortText)` here", at: span, label: "missing")
    case .notComparable:
      Diagnostic(
        .notComparable, "\(a) cannot be compared with \(b)", at: span,
        label: "\(first.shortText) against \(second.shortText)")
    case .unsupportedBinary:
      Diagnostic(
        .unsupportedOperands, "the operator has no meaning for \(a) and \(b)", at: span,
        label: "\(first.shortText) and \(second.shortText)")
    case .unsupportedUnary:
      Diagnostic(
        .unsupportedOperands, "the operator has no meaning for \(a)", at: span,
        label: "the value was \(first.shortText)")
    case .unexpectedType:
      Diagnostic(
        .unexpectedType,
        operandCount == 0 ? "a value of this kind cannot be used here" : "\(a) cannot be used here",
        at: span, label: operandCount == 0 ? "" : "the value was \(first.shortText)")
    case .unusableKey:
      Diagnostic(
        .unusableKey, "\(a) cannot be a map key", at: span, label: "the key was \(first.shortText)",
        notes: ["keys are strings, ints, uints or bools"])
    case .duplicateKey:
      Diagnostic(
        .duplicateKey, "the key `\(first.shortText)` occurs twice", at: span,
        label: "two keys of this map are equal")
    case .listIndex:
      Diagnostic(
        .unusableIndex, "a list cannot be indexed with \(a)", at: span,
        helps: ["use an int: the first element is `[0]`"])
    case .mapIndex:
      Diagnostic(
        .unusableIndex, "a map cannot be indexed with \(a)", at: span,
        notes: ["keys are strings, ints, uints or bools"])
    case .notIndexable:
      Diagnostic(
        .notIndexable, "\(a) has no elements", at: span, label: "the value was \(first.shortText)")
    case .indexOutOfRange:
      Diagnostic(
        .indexOutOfRange, "the index \(first.shortText) is out of range", at: span,
        notes: ["the list has \(second.aux) element\(second.aux == 1 ? "" : "s")"])
    case .divisionByZero:
      Diagnostic(
        .divisionByZero, "division by zero", at: span, label: "the right side was 0")
    case .overflow:
      Diagnostic(.overflow, "the result is out of range", at: span, label: "too large or too small")
    case .argumentCount:
      Diagnostic(.argumentCount, "an argument is missing", at: span, label: "in this call")
    case .missingArgument:
      Diagnostic(
        .failedArgument, "the argument has no value", at: span,
        notes: ["evaluating it failed, so that the function could not be called"])
    case .unsupportedConstruct:
      Diagnostic(.unsupportedConstruct, "a name cannot be followed by fields", at: span)
    case .invalidArgument:
      Diagnostic(
        .invalidArgument, "the function cannot use this argument", at: span,
        label: operandCount == 0 ? "" : "the value was \(first.shortText)")
    case .invalidPattern:
      Diagnostic(
        .invalidPattern, "the regular expression is not valid", at: span,
        label: first.shortText)
    case .patternLimit:
      Diagnostic(
        .patternLimit, "the regular expression takes too long on this text", at: span,
        helps: ["avoid nested repetitions such as `(a+)+`"])
    case .hostFailed:
      Diagnostic(
        .hostFunctionFailed, "the host function failed", at: span,
        notes: cause.map { [$0.description] } ?? [])
    case .stepLimit:
      Diagnostic(
        .stepLimit, "the filter took too many steps", at: span, label: "in this loop",
        notes: ["a filter has a step budget so that it cannot hold up others"])
    case .memoryLimit:
      Diagnostic(
        .memoryLimit, "the filter needs too much memory", at: span, label: "here it was used up")
    case .cancelled:
      Diagnostic(.evaluationCancelled, "the evaluation was cancelled", at: span, label: "here")
    case .deadlineExceeded:
      Diagnostic(
        .deadlineExceeded, "the evaluation took longer than it was given", at: span,
        label: "here its time was up")
    case .noMatchingOverload:
      withoutOverload(function, at: span)
    case .emptyOptional:
      Diagnostic(
        .invalidArgument, "the optional is empty", at: span, label: "no value in here",
        helps: ["use `orValue` to say what counts instead"])
    case .notBool:
      Diagnostic(
        .notBool, "a condition must be a bool, not \(a)", at: span,
        label: "the value was \(first.shortText)")
    }
  }
}

extension Failure {
  /// Returns the diagnostic of a call that no overload accepts. Either the function was resolved by
  /// its arguments' kinds, or the function that ``first`` names has no overload of that style and
  /// number of arguments.
  private func withoutOverload(_ function: String?, at span: SourceSpan) -> Diagnostic {
    guard let function else {
      return Diagnostic(
        .unexpectedType, "`\(first.shortText)` is not called like this", at: span,
        label: "no form with these arguments",
        helps: ["look up its forms with `swexpr doc \(first.shortText)`"])
    }
    let kinds = first.isA(.list) ? first.elements.map { $0.kindName } : [first.kindName]
    return Diagnostic(
      .unexpectedType, "`\(function)` does not take (\(kinds.joined(separator: ", ")))", at: span,
      label: kinds.count == 1
        ? "the value was \((first.isA(.list) ? first.elements[0] : first).shortText)" : "",
      helps: ["look up its forms with `swexpr doc \(function)`"])
  }
}

extension Program {
  /// Returns the name of the library function that an instruction calls, as written in filters.
  func functionName(at index: Int) -> String? {
    guard index < codeCount, code[index].opcode == .call else { return nil }
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

  /// The value for a message, cut to a readable length: names without quotes, all others as
  /// literals.
  var shortText: String {
    if isA(.string) {
      // The start is enough of a long text.
      let text = String(decoding: byteBuffer.prefix(1_024), as: UTF8.self)
      return text.count > 40 || aux > 1_024 ? String(text.prefix(40)) + "…" : text
    }
    if isA(.list) || isA(.map) { return "\(aux) entries" }
    return Value.copy(self, parts: 64)?.literal ?? "…"
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
