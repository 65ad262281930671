import ExpressionEngine
import ExpressionSyntax

// Arithmetic, computed in a type that holds every result, so that no row fails in the database.

extension FilterTranslator {
  /// `left op right`.
  func arithmetic(
    _ op: ArithmeticOperator, _ left: Term, _ right: Term, _ span: SourceSpan
  ) throws(Refusal) -> Choice {
    if case .constant(let left) = left, case .constant(let right) = right {
      return choice(filter.arithmetic(op, left, right))
    }
    switch (kind(of: left), kind(of: right)) {
    case (.int, .int): return try integers(op, left, right, isSigned: true, span)
    case (.uint, .uint): return try integers(op, left, right, isSigned: false, span)
    case (.double, .double): return try doubles(op, left, right, span)
    case (.double, .int), (.double, .uint), (.int, .double), (.uint, .double):
      return isSuperscript ? try doubles(op, left, right, span) : .failure(.other)
    default: return op == .add ? try join(left, right, span) : try times(op, left, right, span)
    }
  }

  // MARK: Integers

  private func integers(
    _ op: ArithmeticOperator, _ left: Term, _ right: Term, isSigned: Bool, _ span: SourceSpan
  ) throws(Refusal) -> Choice {
    guard let a = left.scalar, let b = right.scalar else { return .failure(.other) }
    func term(_ value: SQLExpression) -> Term { isSigned ? .int(value) : .uint(value) }
    switch op {
    case .divide, .remainder:
      var function: SQLFunction = op == .divide ? .divide : .remainder
      if isSigned, case .int(let divisor) = b.form, divisor != 0, divisor != -1 {
        function = op == .divide ? .divideByLiteral : .remainderByLiteral
      }
      try require(function, span)
      let isZero = SQLExpression.comparison(.equal, b, .int(0))
      // The smallest int has no quotient by -1.
      let isTooLarge =
        isSigned
        ? .comparison(.equal, a, .int(.min)) && .comparison(.equal, b, .int(-1)) : .no
      return .either(
        isZero || isTooLarge, .failure(.other), Choice(term(.call(function, a, b))))
    case .add, .subtract, .multiply:
      if op == .multiply, !isSigned {
        throw Refusal(
          .arithmetic, "a product of unsigned integers has no exact form in SQL", at: span)
      }
      let function: SQLFunction =
        switch op {
        case .add: .add
        case .subtract: .subtract
        default: .multiply
        }
      let narrow: SQLFunction =
        isSuperscript ? (isSigned ? .wrap : .wrapUnsigned) : (isSigned ? .narrow : .narrowUnsigned)
      for needed in [function, narrow] { try requireExact(needed, span) }
      let result = SQLExpression.call(narrow, .call(function, a, b))
      // Superscript wraps around; cel fails.
      if isSuperscript { return Choice(term(result)) }
      return .either(.isNull(result), .failure(.other), Choice(term(result)))
    }
  }

  private func requireExact(_ function: SQLFunction, _ span: SourceSpan) throws(Refusal) {
    guard dialect.templates[function] == nil else { return }
    throw Refusal(
      .arithmetic, "\(dialect.title) cannot compute this exactly (\(function.rawValue))", at: span)
  }

  // MARK: Doubles

  private func doubles(
    _ op: ArithmeticOperator, _ left: Term, _ right: Term, _ span: SourceSpan
  ) throws(Refusal) -> Choice {
    if op == .remainder, !isSuperscript { return .failure(.other) }
    guard let a = asDouble(left), let b = asDouble(right) else { return .failure(.other) }
    let function: SQLFunction =
      switch op {
      case .add: .addDoubles
      case .subtract: .subtractDoubles
      case .multiply: .multiplyDoubles
      case .divide: .divideDoubles
      case .remainder: .remainderOfDoubles
      }
    try requireExact(function, span)
    return Choice(.double(.call(function, a, b), mayBeNaN: true))
  }

  // MARK: Everything else

  private func join(_ left: Term, _ right: Term, _ span: SourceSpan) throws(Refusal) -> Choice {
    switch (kind(of: left), kind(of: right)) {
    case (.string, .string):
      guard let a = left.scalar, let b = right.scalar else { return .failure(.other) }
      return Choice(.string(.call(.join, a, b)))
    case (.list, .list):
      guard let a = elements(of: left), let b = elements(of: right) else {
        throw Refusal(.collection, "lists of the row cannot be joined in SQL", at: span)
      }
      return Choice(.tuple(a + b))
    case (.map, .map) where isSuperscript:
      guard let a = entries(of: left), let b = entries(of: right) else {
        throw Refusal(.collection, "JSON objects of the row cannot be joined in SQL", at: span)
      }
      var result = a
      for entry in b {
        if let index = result.firstIndex(where: { $0.name == entry.name }) {
          result[index].value = .either(entry.presence, entry.value, result[index].value)
          result[index].presence = result[index].presence || entry.presence
        } else {
          result.append(entry)
        }
      }
      return Choice(.record(result))
    case (.bytes, .bytes) where !isSuperscript:
      throw Refusal(.function, "octets cannot be joined in SQL", at: span)
    default: return try times(.add, left, right, span)
    }
  }

  /// Instants and spans of time. Spans are constants, because a row has none.
  private func times(
    _ op: ArithmeticOperator, _ left: Term, _ right: Term, _ span: SourceSpan
  ) throws(Refusal) -> Choice {
    let kinds = (kind(of: left), kind(of: right))
    switch (op, kinds) {
    case (.add, (.timestamp, .duration)): return try shift(left, by: right, sign: 1, span)
    case (.add, (.duration, .timestamp)): return try shift(right, by: left, sign: 1, span)
    case (.subtract, (.timestamp, .duration)): return try shift(left, by: right, sign: -1, span)
    case (.subtract, (.timestamp, .timestamp)):
      throw Refusal(.time, "a span of time has no form in SQL", at: span)
    default: return try failure(quoting: [left, right], span)
    }
  }

  private func shift(
    _ instant: Term, by duration: Term, sign: Int64, _ span: SourceSpan
  ) throws(Refusal) -> Choice {
    guard !isSuperscript, let instant = instant.scalar,
      case .constant(.duration(let length)) = duration, length.nanoseconds % 1000 == 0,
      length.seconds.magnitude < 10_000_000_000
    else { throw Refusal(.time, "this span of time has no form in SQL", at: span) }
    try require(.add, span)
    let microseconds = sign * (length.seconds * 1_000_000 + Int64(length.nanoseconds / 1000))
    let sum = SQLExpression.call(.narrow, .call(.add, instant, .int(microseconds)))
    // The years 1 to 9999.
    let isInRange =
      .comparison(.greaterEqual, sum, .int(-62_135_596_800_000_000))
      && .comparison(.lessEqual, sum, .int(253_402_300_799_999_999))
    return .either(isInRange, Choice(.timestamp(sum)), .failure(.other))
  }

  /// `-term`.
  func negate(_ term: Term, _ span: SourceSpan) throws(Refusal) -> Choice {
    if case .constant(let value) = term { return choice(filter.negate(value)) }
    switch term {
    case .int(let number):
      let isSmallest = SQLExpression.comparison(.equal, number, .int(.min))
      // Superscript wraps around: the smallest int is its own opposite.
      let ownOpposite: Choice = isSuperscript ? .constant(.int(.min)) : .failure(.other)
      return .either(isSmallest, ownOpposite, Choice(.int(.call(.negate, number))))
    case .double(let number, let mayBeNaN):
      return Choice(.double(.call(.negateDouble, number), mayBeNaN: mayBeNaN))
    default: return try failure(quoting: [term], span)
    }
  }
}
