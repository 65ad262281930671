package import ExpressionSyntax

/// A failure with its place and all that its message mentions: the function, the values, the cause.
package struct FailureReport: Sendable {
  /// A value that was an operand of the failed operation.
  package struct Operand: Sendable {
    /// The value, cut to a readable length.
    package enum Content: Sendable {
      case string(String)
      /// The number of elements of a list or entries of a map.
      case entries(Int)
      /// Any other value, as a literal.
      case literal(String)
    }

    static let null = Operand(kind: "null", content: .literal("null"))

    /// The name of its kind: `string`, `null`.
    package let kind: String
    package let content: Content

    package var isNull: Bool { kind == "null" }
    package var isString: Bool { kind == "string" }
    package var isNumber: Bool { ["int", "uint", "double"].contains(kind) }

    /// The value; a string without quotes.
    package var text: String {
      switch content {
      case .string(let text), .literal(let text): text
      case .entries(let count): "\(count) entries"
      }
    }

    /// The value; a string with quotes.
    package var literal: String {
      if case .string(let text) = content { text.quotedLiteral } else { text }
    }

    /// The kind and the value: `string "abc"`, `list of 1 entry`, or only `null`.
    package var description: String {
      switch content {
      case .entries(1): "\(kind) of 1 entry"
      case .entries(let count): "\(kind) of \(count) entries"
      default: isNull ? kind : "\(kind) \(literal)"
      }
    }

    /// The number of elements of a list, in words.
    fileprivate var count: String? {
      guard case .entries(let count) = content else { return nil }
      return "\(count) element\(count == 1 ? "" : "s")"
    }
  }

  package let code: FailureCode
  package let span: SourceSpan
  /// The filter, or `nil` if it is too long to be read again for a message.
  package let source: SourceText?
  package let dialect: Dialect.Name
  package let operands: [Operand]
  /// The message of a regular expression's error, or the error of a host function.
  package let cause: String?
  /// The name of the called function.
  let function: String?

  init(
    _ failure: Failure, at span: SourceSpan, source: SourceText, dialect: Dialect.Name,
    cause: FailureCause?, function: String?
  ) {
    code = failure.code
    self.span = span
    self.source = source.bytes.count < 1 << 16 ? source : nil
    self.dialect = dialect
    self.function = function
    self.cause = cause?.description
    let first = failure.first
    let slots: [Slot]
    if failure.code == .noMatchingOverload, function != nil {
      slots = first.isA(.list) ? Array(first.elements) : [first]
    } else {
      slots = Array([first, failure.second].prefix(Int(failure.operandCount)))
    }
    operands = slots.map { $0.operand }
  }
}

extension FailureReport {
  /// Returns the diagnostic that does not read the filter.
  ///
  /// - Parameter showsValues: Whether its texts have the values of the operands, or only their
  ///   kinds. What the texts name otherwise is in the filter.
  func diagnostic(showingValues showsValues: Bool) -> Diagnostic {
    let first = operands.first ?? .null
    let second = operands.dropFirst().first ?? .null
    let a = first.kind
    let b = second.kind
    func shown(_ text: String) -> String {
      showsValues ? text : operands.map { $0.kind }.joined(separator: " and ")
    }
    let value = shown("the value was \(first.text)")
    return switch code {
    case .undeclared:
      Diagnostic(
        .undeclaredName, "unknown name `\(first.text)`", at: span,
        label: "not in this context",
        helps: ["names start with a root such as `user`, `device` or `params`"])
    case .unknownFunction:
      Diagnostic(
        .unknownFunction,
        operands.isEmpty ? "unknown function" : "unknown function `\(first.text)`",
        at: span, label: "no such function")
    case .noSuchKey:
      Diagnostic(
        .missingKey,
        showsValues ? "there is no `\(first.text)` here" : "there is no such key here", at: span,
        label: "missing")
    case .notComparable:
      Diagnostic(
        .notComparable, "\(a) cannot be compared with \(b)", at: span,
        label: shown("\(first.text) against \(second.text)"))
    case .unsupportedBinary:
      Diagnostic(
        .unsupportedOperands, "the operator has no meaning for \(a) and \(b)", at: span,
        label: shown("\(first.text) and \(second.text)"))
    case .unsupportedUnary:
      Diagnostic(
        .unsupportedOperands, "the operator has no meaning for \(a)", at: span, label: value)
    case .unexpectedType:
      Diagnostic(
        .unexpectedType,
        operands.isEmpty ? "a value of this kind cannot be used here" : "\(a) cannot be used here",
        at: span, label: operands.isEmpty ? "" : value)
    case .unusableKey:
      Diagnostic(
        .unusableKey, "\(a) cannot be a map key", at: span,
        label: shown("the key was \(first.text)"),
        notes: ["keys are strings, ints, uints or bools"])
    case .duplicateKey:
      Diagnostic(
        .duplicateKey,
        showsValues ? "the key `\(first.text)` occurs twice" : "a key occurs twice", at: span,
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
        .notIndexable, "\(a) has no elements", at: span, label: value)
    case .indexOutOfRange:
      Diagnostic(
        .indexOutOfRange,
        showsValues ? "the index \(first.text) is out of range" : "the index is out of range",
        at: span, notes: showsValues ? second.count.map { ["the list has \($0)"] } ?? [] : [])
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
        label: operands.isEmpty ? "" : value)
    case .invalidPattern:
      Diagnostic(
        .invalidPattern, "the regular expression is not valid", at: span, label: shown(first.text))
    case .patternLimit:
      Diagnostic(
        .patternLimit, "the regular expression takes too long on this text", at: span,
        helps: ["avoid nested repetitions such as `(a+)+`"])
    case .hostFailed:
      Diagnostic(
        .hostFunctionFailed, "the host function failed", at: span,
        notes: cause.map { [$0] } ?? [])
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
      withoutOverload(showsValues)
    case .emptyOptional:
      Diagnostic(
        .invalidArgument, "the optional is empty", at: span, label: "no value in here",
        helps: ["use `orValue` to say what counts instead"])
    case .notBool:
      Diagnostic(
        .notBool, "a condition must be a bool, not \(a)", at: span, label: value)
    }
  }

  /// Returns the diagnostic of a call that no overload accepts. Either the function was resolved by
  /// its arguments' kinds, or the function that the operand names has no overload of that style and
  /// number of arguments.
  private func withoutOverload(_ showsValues: Bool) -> Diagnostic {
    let first = operands.first ?? .null
    guard let function else {
      return Diagnostic(
        .unexpectedType, "`\(first.text)` is not called like this", at: span,
        label: showsValues ? "no form with these arguments" : "",
        helps: ["look up its forms with `swexpr doc \(first.text)`"])
    }
    let kinds = operands.map { $0.kind }.joined(separator: ", ")
    return Diagnostic(
      .unexpectedType, "`\(function)` does not take (\(kinds))", at: span,
      label: showsValues && operands.count == 1 ? "the value was \(first.text)" : "",
      helps: ["look up its forms with `swexpr doc \(function)`"])
  }
}

extension Slot {
  /// The value for a message, copied and cut to a readable length.
  fileprivate var operand: FailureReport.Operand {
    let content: FailureReport.Operand.Content
    if isA(.string) {
      // The start is enough of a long text.
      let text = String(decoding: byteBuffer.prefix(1_024), as: UTF8.self)
      content = .string(text.count > 40 || aux > 1_024 ? String(text.prefix(40)) + "…" : text)
    } else if isA(.list) || isA(.map) {
      content = .entries(Int(aux))
    } else {
      content = .literal(Value.copy(self, parts: 64)?.literal ?? "…")
    }
    return FailureReport.Operand(kind: kindName, content: content)
  }
}
