import ExpressionEngine
import ExpressionSyntax

// Lists that a loop makes of the elements of a list of the row.

extension FilterTranslator {
  /// The elements of a list that a body makes, which must be of one kind.
  func mapped(
    _ value: Choice, _ span: SourceSpan
  ) throws(Refusal) -> (SQLExpression, ColumnType) {
    if let term = value.only, let scalar = term.scalar {
      switch kind(of: term) {
      case .bool: return (scalar, .bool)
      case .int: return (scalar, .int)
      case .double: return (scalar, .double)
      // The superscript dialect would read the text of an element once more.
      case .string where !isSuperscript: return (scalar, .string)
      default: break
      }
    }
    let parts = try value.alternatives.map { alternative throws(Refusal) in
      SQLBranch(
        condition: alternative.condition, value: try json(of: alternative.term, span))
    }
    guard let last = parts.last else { return (SQLExpression(.null), .json) }
    return (.choice(parts.dropLast(), otherwise: last.value), .json)
  }

  /// A value as JSON that reads as the same value.
  private func json(of term: Term, _ span: SourceSpan) throws(Refusal) -> SQLExpression {
    let none = Refusal(.collection, "a list of such values has no form in SQL", at: span)
    guard dialect.templates[.jsonOfNull] != nil else { throw none }
    if case .call(let function, let operands)? = term.scalar?.form,
      [.jsonInt, .jsonUInt, .jsonDouble, .jsonText, .jsonBool].contains(function)
    {
      return operands[0]
    }
    switch (term, kind(of: term)) {
    case (_, .null): return .call(.jsonOfNull)
    case (_, .bool): return .call(.jsonOfBool, term.scalar ?? .no)
    case (_, .int): return .call(.jsonOfInt, term.scalar ?? .int(0))
    case (.constant(.string(let text)), _)
    where !isSuperscript || !["true", "false"].contains(text):
      return .call(.jsonOfText, .text(text))
    case (.string(let text), _):
      // The superscript dialect would read the words of bools once more, unless it did so already.
      switch text.form {
      case .column, .variable, .field: break
      default: if isSuperscript { throw none }
      }
      return .call(.jsonOfText, text)
    case (.jsonArray(let json), _), (.jsonObject(let json), _): return rooted(json)
    default: throw none
    }
  }
}
