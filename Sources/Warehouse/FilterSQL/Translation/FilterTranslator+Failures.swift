import ExpressionEngine
import ExpressionSyntax

// Failures, as far as they matter: some are rescued, and some the superscript dialect reports as null.

extension FilterTranslator {
  /// The phrases that make the superscript dialect report null when a failure quotes them.
  private static let phrases = [
    "Undeclared reference", "Unknown function", "Null can not be compared",
  ]

  static func failureClass(of code: FailureCode) -> LoweredExpression.FailureClass {
    switch code {
    case .undeclared, .unknownFunction: .reference
    case .noSuchKey: .missingKey
    default: .other
    }
  }

  /// Whether the text of a failure quotes its operands.
  static func quotes(_ code: FailureCode) -> Bool {
    switch code {
    case .notComparable, .unsupportedBinary, .unsupportedUnary, .unexpectedType, .unusableKey,
      .listIndex, .mapIndex, .notIndexable, .invalidArgument, .invalidPattern:
      true
    default: false
    }
  }

  /// A failure whose text quotes values.
  func failure(quoting terms: [Term], _ span: SourceSpan) throws(Refusal) -> Choice {
    guard isSuperscript else { return .failure(.other) }
    var mentions: [SQLExpression] = []
    for term in terms { mentions.append(try mentionsPhrase(term, span)) }
    return .either(.any(mentions), .failure(.reference), .failure(.other))
  }

  /// A failure to order two values.
  func notComparable(_ left: Term, _ right: Term, _ span: SourceSpan) throws(Refusal) -> Choice {
    if isSuperscript, left == .null { return .failure(.reference) }
    return try failure(quoting: [left, right], span)
  }

  /// Whether a text anywhere in a value has one of the phrases in it.
  private func mentionsPhrase(_ term: Term, _ span: SourceSpan) throws(Refusal) -> SQLExpression {
    switch term {
    case .constant(let value): return .literal(Self.mentionsPhrase(value))
    case .string(let text): return phrase(in: text)
    case .jsonArray(let json), .jsonObject(let json): return phrase(in: .call(.jsonSource, json))
    case .tuple(let elements):
      return .any(try elements.map { value throws(Refusal) in try mentionsPhrase(value, span) })
    case .record(let entries):
      return .any(
        try entries.map { entry throws(Refusal) in
          if Self.hasPhrase(entry.name) { return entry.presence }
          return entry.presence && (try mentionsPhrase(entry.value, span))
        })
    case .list(let list, let element):
      switch element {
      case .bool, .int, .uint, .double, .bytes, .timestamp: return .no
      case .string:
        let variable = "q"
        return SQLExpression(
          .loop(
            .any, list: list, variable: variable,
            body: phrase(in: SQLExpression(.variable(variable)))))
      default:
        throw Refusal(
          .collection, "whether this is null or an error depends on texts inside of a list",
          at: span)
      }
    case .optional, .function:
      throw Refusal(.kind, "whether this is null or an error depends on a function", at: span)
    default: return .no
    }
  }

  private func mentionsPhrase(_ value: Choice, _ span: SourceSpan) throws(Refusal) -> SQLExpression
  {
    .any(
      try value.alternatives.map { alternative throws(Refusal) in
        alternative.term.isFailure
          ? .no : alternative.condition && (try mentionsPhrase(alternative.term, span))
      })
  }

  private func phrase(in text: SQLExpression) -> SQLExpression {
    .any(Self.phrases.map { .call(.contains, text, .text($0)) })
  }

  private static func mentionsPhrase(_ value: Value) -> Bool {
    switch value {
    case .string(let text): hasPhrase(text)
    case .list(let elements): elements.contains { mentionsPhrase($0) }
    case .map(let entries):
      entries.contains { mentionsPhrase($0.key.value) || mentionsPhrase($0.value) }
    case .function(let name, let receiver):
      hasPhrase(name) || (receiver.map { mentionsPhrase($0) } ?? false)
    default: false
    }
  }

  private static func hasPhrase(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    return phrases.contains { phrase in
      let wanted = Array(phrase.utf8)
      guard bytes.count >= wanted.count else { return false }
      return (0...(bytes.count - wanted.count)).contains { bytes[$0...].starts(with: wanted) }
    }
  }
}
