import ExpressionEngine
import ExpressionSyntax

// Truth, `&&`, `||`, and what literals of lists and maps are made of.

extension FilterTranslator {
  /// The truth of a node, a bool or a failure.
  ///
  /// - Parameter isStrict: Whether a value that is no bool fails.
  mutating func condition(
    _ id: Int, isStrict: Bool, _ span: SourceSpan
  ) throws(Refusal) -> Choice {
    var result: [Choice.Alternative] = []
    for alternative in try translate(id).alternatives {
      switch alternative.term {
      case .failure, .bool: result.append(alternative)
      case let term where isStrict && kind(of: term) != .bool:
        result += Choice.failure(.other).holding(alternative.condition)
      case let term:
        let truth = self.truth(of: term)
        let value: Choice = truth.isLiteral ? .constant(.bool(truth.isYes)) : .bool(truth)
        result += value.holding(alternative.condition)
      }
    }
    return Choice(result)
  }

  /// When the superscript dialect takes a value as true.
  private func truth(of value: Choice) -> SQLExpression {
    .any(
      value.alternatives.map { alternative in
        if case .bool = alternative.term { return alternative.isTrue }
        return alternative.condition && truth(of: alternative.term)
      })
  }

  /// A bool where a condition holds, that is false elsewhere.
  private func bool(
    _ truth: SQLExpression, where condition: SQLExpression
  ) -> [Choice.Alternative] {
    condition.isNo
      ? [] : [Choice.Alternative(condition: condition, term: .bool(truth), isTight: true)]
  }

  /// Whether the superscript dialect takes a value as true.
  func truth(of term: Term) -> SQLExpression {
    switch term {
    case .constant(let value): .literal(value.isTruthy)
    case .bool(let condition): condition
    case .int(let number), .uint(let number): .comparison(.notEqual, number, .int(0))
    case .double(let number, _): .comparison(.notEqual, number, .double(0))
    case .string(let text): .comparison(.notEqual, text, .text(""))
    case .bytes(let bytes): .comparison(.greater, .call(.octetLength, bytes), .int(0))
    case .list(let list, _): .comparison(.greater, .call(.listLength, list), .int(0))
    case .jsonArray(let json): .comparison(.greater, .call(.jsonLength, json), .int(0))
    case .jsonObject(let json):
      .comparison(.greater, .call(.listLength, .call(.jsonKeys, json)), .int(0))
    case .tuple(let elements): .literal(!elements.isEmpty)
    case .record(let entries): .any(entries.map(\.presence))
    case .timestamp, .optional, .function, .failure: .no
    }
  }

  /// `&&` that evaluates everything.
  mutating func conjunction(_ ids: [Int], _ span: SourceSpan) throws(Refusal) -> Choice {
    var operands: [Choice] = []
    for id in ids { operands.append(try condition(id, isStrict: false, span)) }
    let truth = SQLExpression.all(operands.map { self.truth(of: $0) })
    let (failures, isDone) = inTurn(operands)
    // Where all operands are true, none of them fails.
    return Choice(failures + bool(truth, where: isDone))
  }

  /// The failures of operands that are all evaluated, the first of which counts, and when there are
  /// none.
  func inTurn(
    _ operands: [Choice]
  ) -> (failures: [Choice.Alternative], isDone: SQLExpression) {
    let kinds = LoweredExpression.FailureClass.allCases.filter { kind in
      operands.contains { !$0.failing(kind).isNo }
    }
    guard !kinds.isEmpty else { return ([], .yes) }
    let fails = SQLExpression.any(operands.map(\.fails))
    if kinds.count == 1 {
      return ([Choice.Alternative(condition: fails, term: .failure(kinds[0]))], !fails)
    }
    // Which of them is the first matters only between failures of several classes.
    var failures: [Choice.Alternative] = []
    var reached = SQLExpression.yes
    for operand in operands where operand.mayFail {
      for kind in kinds {
        let condition = reached && operand.failing(kind)
        if !condition.isNo {
          failures.append(Choice.Alternative(condition: condition, term: .failure(kind)))
        }
      }
      reached = reached && !operand.fails
    }
    return (failures, !fails)
  }

  /// `||` that is its first operand that is true, or else the last one.
  mutating func disjunction(_ ids: [Int], _ span: SourceSpan) throws(Refusal) -> Choice {
    var result: [Choice.Alternative] = []
    var reached = SQLExpression.yes
    // The ways to be true, of those operands before which none fails. That an operand is reached need
    // not be said: an earlier one that is true makes the whole true as well.
    var truths: [SQLExpression] = []
    var succeeds = SQLExpression.yes
    for (number, id) in ids.enumerated() {
      let operand = try translate(id)
      if operand.alternatives.allSatisfy({ $0.term.isFailure || kind(of: $0.term) == .bool }) {
        truths.append(succeeds && truth(of: operand))
        succeeds = succeeds && !operand.fails
      }
      if number == ids.count - 1 {
        result += operand.holding(reached)
        break
      }
      var falls: [SQLExpression] = []
      for alternative in operand.alternatives {
        let condition = reached && alternative.condition
        if alternative.term.isFailure {
          result += Choice(alternative.term).holding(condition)
          continue
        }
        let truth = self.truth(of: alternative.term)
        // A bool that is true is just that.
        let value: Term = if case .bool = alternative.term { .yes } else { alternative.term }
        result += Choice(value).holding(condition && truth)
        falls.append(alternative.condition && !truth)
      }
      reached = reached && .any(falls)
      // An operand that is never reached may be one that is refused.
      if reached.isNo { break }
    }
    guard truths.count == ids.count else { return Choice(result) }
    let failures = result.filter { $0.term.isFailure }
    let fails = SQLExpression.any(failures.map(\.condition))
    return Choice(failures + bool(.any(truths), where: !fails))
  }

  /// `&&` or `||` of bools, of which one operand decides whatever the others do.
  mutating func absorbing(_ ids: [Int], decidedBy decisive: Bool) throws(Refusal) -> Choice {
    var operands: [Choice] = []
    for id in ids {
      let operand = try condition(id, isStrict: true, filter.nodes[id].span)
      operands.append(operand)
      if operand.constant == .bool(decisive) { return .constant(.bool(decisive)) }
    }
    func isExactly(_ value: Bool, _ operand: Choice) -> SQLExpression {
      .any(
        operand.alternatives.map { alternative in
          if value || alternative.term.isFailure { return alternative.isTrue }
          return alternative.condition && !self.truth(of: alternative.term)
        })
    }
    let isDecided = SQLExpression.any(operands.map { isExactly(decisive, $0) })
    let rest = SQLExpression.all(operands.map { isExactly(!decisive, $0) })
    let truth = decisive ? isDecided : rest
    let (failures, _) = inTurn(operands)
    guard !failures.isEmpty else { return .bool(truth) }
    let failing = failures.map {
      Choice.Alternative(condition: !isDecided && $0.condition, term: $0.term)
    }
    return Choice(failing + bool(truth, where: isDecided || rest))
  }

  // MARK: Literals

  /// A list of elements.
  mutating func list(_ ids: [Int], _ span: SourceSpan) throws(Refusal) -> Choice {
    var elements: [Choice] = []
    for id in ids { elements.append(try translate(id)) }
    let (failures, isDone) = inTurn(elements)
    let tuple = Term.tuple(elements.map { $0.withoutFailures })
    return Choice(failures + Choice(folded(tuple)).holding(isDone))
  }

  /// A tuple of constants as a constant.
  func folded(_ term: Term) -> Term {
    guard case .tuple(let elements) = term else { return term }
    let constants = elements.compactMap(\.constant)
    return constants.count == elements.count ? .constant(.list(constants)) : term
  }

  /// A map of keys and values in turn.
  mutating func map(_ ids: [Int], _ span: SourceSpan) throws(Refusal) -> Choice {
    var parts: [Choice] = []
    for id in ids { parts.append(try translate(id)) }
    let (failures, isDone) = inTurn(parts)
    if isDone.isNo { return Choice(failures) }
    var entries: [RecordEntry] = []
    for index in stride(from: 0, to: parts.count - 1, by: 2) {
      guard case .string(let name)? = parts[index].withoutFailures.constant else {
        throw Refusal(
          .collection, "a map whose keys are no literal texts has no form in SQL", at: span)
      }
      let entry = RecordEntry(
        name: name, presence: .yes, value: parts[index + 1].withoutFailures)
      if let known = entries.firstIndex(where: { $0.name == name }) {
        if !isSuperscript { return Choice(failures + Choice.failure(.other).holding(isDone)) }
        entries[known] = entry
      } else {
        entries.append(entry)
      }
    }
    return Choice(failures + Choice(.record(entries)).holding(isDone))
  }
}

extension Choice {
  /// The value where computing it does not fail.
  var withoutFailures: Choice { Choice(alternatives.filter { !$0.term.isFailure }) }
}
