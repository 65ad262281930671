import ExpressionEngine
import ExpressionSyntax

// Loops over lists and over the keys of maps, in both dialects and of superscript. What is spelled out
// in the filter is unrolled; a list of the row becomes a function over its elements.

extension FilterTranslator {
  /// The elements that a loop runs over.
  enum LoopRange {
    /// Elements that are known, each with when it is there. The order of a map's keys is not known.
    case spelled([LoopElement], isOrdered: Bool)
    /// A list of the row.
    case row(SQLExpression, ColumnType)
    /// The keys of a JSON object.
    case keys(SQLExpression)
  }

  struct LoopElement {
    var presence: SQLExpression
    /// The index or the key.
    var key: Value
    var value: Choice
  }

  func range(of term: Term, takesMaps: Bool) -> LoopRange? {
    if let elements = elements(of: term) {
      return .spelled(
        elements.enumerated().map {
          LoopElement(presence: .yes, key: .int(Int64($0.offset)), value: $0.element)
        }, isOrdered: true)
    }
    switch term {
    case .list(let list, let type): return .row(list, type)
    case .jsonArray(let json): return .row(.call(.jsonElements, json), .json)
    case .jsonObject(let json) where takesMaps: return .keys(.call(.jsonKeys, json))
    case .constant(.map(let entries)) where takesMaps:
      return .spelled(
        entries.sorted { $0.key.text < $1.key.text }.map {
          LoopElement(presence: .yes, key: $0.key.value, value: .constant($0.value))
        }, isOrdered: entries.count < 2)
    case .record(let entries) where takesMaps:
      return .spelled(
        entries.map {
          LoopElement(presence: $0.presence, key: .string($0.name), value: $0.value)
        }, isOrdered: entries.count < 2)
    default: return nil
    }
  }

  /// The outcome of a loop's body for one element.
  struct LoopOutcome {
    var presence: SQLExpression
    var value: Choice

    /// When the value is exactly a bool.
    func isExactly(_ truth: Bool) -> SQLExpression {
      .any(
        value.alternatives.map { alternative in
          switch alternative.term {
          case _ where truth: alternative.isTrue
          case .constant(.bool(false)): alternative.condition
          case .bool(let condition): alternative.condition && !condition
          default: .no
          }
        })
    }

    /// The value where the element is there, and nothing that could fail where it is not.
    var whenPresent: Choice { presence.isYes ? value : .either(presence, value, .null) }
  }

  private func nextVariable() -> String { "e\(loopDepth)" }

  /// Translates something for each element of a list of the row.
  mutating func withElement<Result>(
    _ body: (inout FilterTranslator, String) throws(Refusal) -> Result
  ) throws(Refusal) -> Result {
    let variable = nextVariable()
    loopDepth += 1
    defer { loopDepth -= 1 }
    return try body(&self, variable)
  }

  /// Whether a condition holds for an element of a list.
  mutating func any(
    in list: Term, _ span: SourceSpan,
    _ condition: (inout FilterTranslator, Choice) throws(Refusal) -> SQLExpression
  ) throws(Refusal) -> SQLExpression {
    guard case .row(let expression, let type)? = range(of: list, takesMaps: false) else {
      return .no
    }
    try require(.any, span)
    return try withElement { translator, variable throws(Refusal) in
      let element = translator.elementValue(SQLExpression(.variable(variable)), type)
      let body = try condition(&translator, element)
      return translator.loop(.any, expression, variable, body)
    }
  }

  func loop(
    _ loop: SQLLoop, _ list: SQLExpression, _ variable: String, _ body: SQLExpression
  ) -> SQLExpression {
    if body.isNo, loop == .any { return .no }
    return SQLExpression(.loop(loop, list: list, variable: variable, body: body))
  }

  func require(_ loop: SQLLoop, _ span: SourceSpan) throws(Refusal) {
    guard dialect.loops[loop] == nil else { return }
    throw Refusal(.collection, "\(dialect.title) has no function for this loop", at: span)
  }

  // MARK: Superscript

  /// A loop of the superscript dialect, in which a failure stops everything.
  mutating func loop(
    _ kind: LoopKind, range: Int, body: Int, local: Int, _ span: SourceSpan
  ) throws(Refusal) -> Choice {
    let takesMaps = kind == .all || kind == .exists || kind == .existsOne
    let source = try translate(range)
    return try source.map { term throws(Refusal) in
      switch self.range(of: term, takesMaps: takesMaps) {
      case nil: return .failure(.other)
      case .spelled(let elements, let isOrdered):
        var outcomes: [LoopOutcome] = []
        for element in elements {
          let isMap = self.kind(of: term) == .map
          let value = try with([local: isMap ? .constant(element.key) : element.value]) {
            translator throws(Refusal) in try translator.translate(body)
          }
          outcomes.append(LoopOutcome(presence: element.presence, value: value))
        }
        if !isOrdered, outcomes.contains(where: { $0.value.mayFail }) {
          throw Refusal(
            .collection, "which key comes first decides here, and the row does not tell", at: span)
        }
        return try unrolled(kind, outcomes, elements.map(\.value), span)
      case .row(let list, let type):
        return try rowLoop(kind, list, type, span) { translator, element throws(Refusal) in
          try translator.with([local: element]) { translator throws(Refusal) in
            try translator.translate(body)
          }
        }
      case .keys(let list):
        return try withElement { translator, variable throws(Refusal) in
          let key = Choice(.string(SQLExpression(.variable(variable))))
          let value = try translator.with([local: key]) { translator throws(Refusal) in
            try translator.translate(body)
          }
          if value.mayFail {
            throw Refusal(
              .collection, "which key comes first decides here, and the row does not tell", at: span
            )
          }
          return try translator.rowResult(
            kind, list, .string, variable, LoopOutcome(presence: .yes, value: value), span)
        }
      }
    }
  }

  private mutating func rowLoop(
    _ kind: LoopKind, _ list: SQLExpression, _ type: ColumnType, _ span: SourceSpan,
    _ body: (inout FilterTranslator, Choice) throws(Refusal) -> Choice
  ) throws(Refusal) -> Choice {
    try withElement { translator, variable throws(Refusal) in
      let element = translator.elementValue(SQLExpression(.variable(variable)), type)
      let outcome = LoopOutcome(presence: .yes, value: try body(&translator, element))
      return try translator.rowResult(kind, list, type, variable, outcome, span)
    }
  }

  /// Returns the result of a loop over a list of the row.
  private func rowResult(
    _ kind: LoopKind, _ list: SQLExpression, _ type: ColumnType, _ variable: String,
    _ outcome: LoopOutcome, _ span: SourceSpan
  ) throws(Refusal) -> Choice {
    let failures = LoweredExpression.FailureClass.allCases.compactMap { failure in
      let condition = outcome.value.failing(failure)
      return condition.isNo ? nil : (failure, condition)
    }
    let isTrue = outcome.isExactly(true)
    switch kind {
    case .all, .exists:
      try require(.any, span)
      let decides = kind == .all ? outcome.isExactly(false) : isTrue
      guard !failures.isEmpty else {
        let found = loop(.any, list, variable, decides)
        return .bool(kind == .all ? !found : found)
      }
      let first = try firstOutcomes(
        [decides] + failures.map(\.1), list, variable, count: 1, span)[0]
      // Elements that fail are few, so that the order is looked at last.
      let found = loop(.any, list, variable, decides)
      let fails = loop(.any, list, variable, .any(failures.map(\.1)))
      var result: [Choice.Alternative] = []
      result += Choice.constant(.bool(kind == .exists)).holding(found && (!fails || first(0)))
      for (index, (failure, _)) in failures.enumerated() {
        result += Choice.failure(failure).holding(fails && first(index + 1))
      }
      result += Choice.constant(.bool(kind == .all)).holding(!found && !fails)
      return Choice(result)
    case .existsOne where !failures.isEmpty:
      // The second element that holds decides, whatever comes after it.
      let outcomes = try firstOutcomes(
        [isTrue] + failures.map(\.1), list, variable, count: 2, span)
      let isOne = outcomes[0](0)
      var result = failures.indices.flatMap { index in
        Choice.failure(failures[index].0)
          .holding(outcomes[0](index + 1) || (isOne && outcomes[1](index + 1)))
      }
      result += Choice.constant(.bool(true)).holding(isOne && outcomes[1](nil))
      result += Choice.constant(.bool(false)).holding(
        outcomes[0](nil) || (isOne && outcomes[1](0)))
      return Choice(result)
    case .existsOne, .count:
      try require(.count, span)
      let count = loop(.count, list, variable, isTrue)
      let value: Choice =
        kind == .count
        ? Choice(.int(count)) : .bool(.comparison(.equal, count, .int(1)))
      return try withFailures(failures, list, variable, value, span)
    case .filter:
      try require(.filter, span)
      let kept = loop(.filter, list, variable, isTrue)
      return try withFailures(failures, list, variable, Choice(.list(kept, type)), span)
    case .map:
      let (element, elementType) = try mapped(outcome.value.withoutFailures, span)
      try require(.map, span)
      let values = loop(.map, list, variable, element)
      return try withFailures(failures, list, variable, Choice(.list(values, elementType)), span)
    }
  }

  /// A value unless the body fails for any element; the first failure counts.
  private func withFailures(
    _ failures: [(LoweredExpression.FailureClass, SQLExpression)], _ list: SQLExpression,
    _ variable: String, _ value: Choice, _ span: SourceSpan
  ) throws(Refusal) -> Choice {
    guard !failures.isEmpty else { return value }
    if failures.count == 1 {
      try require(.any, span)
      let fails = loop(.any, list, variable, failures[0].1)
      return .either(fails, .failure(failures[0].0), value)
    }
    let first = try firstOutcomes(failures.map(\.1), list, variable, count: 1, span)[0]
    let result = failures.indices.flatMap { index in
      Choice.failure(failures[index].0).holding(first(index))
    }
    return Choice(result + value.holding(first(nil)))
  }

  /// Returns, for the first elements for which one of several conditions holds, whether it is a given
  /// one; `nil` means that there is no such element.
  private func firstOutcomes(
    _ conditions: [SQLExpression], _ list: SQLExpression, _ variable: String, count: Int,
    _ span: SourceSpan
  ) throws(Refusal) -> [(Int?) -> SQLExpression] {
    for needed in [SQLLoop.map, .filter] { try require(needed, span) }
    for needed in [SQLFunction.listElement, .orZero] { try require(needed, span) }
    let numbered = SQLExpression.choice(
      conditions.enumerated().map {
        SQLBranch(condition: $0.element, value: .int(Int64($0.offset + 1)))
      }, otherwise: .int(0))
    let numbers = loop(.map, list, variable, numbered)
    let isOne = SQLExpression.comparison(.notEqual, SQLExpression(.variable(variable)), .int(0))
    let outcomes = loop(.filter, numbers, variable, isOne)
    return (0..<count).map { index in
      let number = SQLExpression.call(
        .orZero, .call(.listElement, outcomes, .int(Int64(index))))
      return { .comparison(.equal, number, .int(Int64(($0 ?? -1) + 1))) }
    }
  }

  /// Returns the result of an unrolled loop.
  private mutating func unrolled(
    _ kind: LoopKind, _ outcomes: [LoopOutcome], _ elements: [Choice], _ span: SourceSpan
  ) throws(Refusal) -> Choice {
    switch kind {
    case .all, .exists:
      var result: [Choice.Alternative] = []
      var reached = SQLExpression.yes
      for outcome in outcomes {
        let here = reached && outcome.presence
        for alternative in outcome.value.alternatives where alternative.term.isFailure {
          result += Choice(alternative.term).holding(here && alternative.condition)
        }
        let decides = outcome.isExactly(kind == .exists)
        result += Choice.constant(.bool(kind == .exists)).holding(here && decides)
        reached = reached && (!outcome.presence || (!decides && !outcome.value.fails))
        if reached.isNo { break }
      }
      return Choice(result + Choice.constant(.bool(kind == .all)).holding(reached))
    case .existsOne where outcomes.contains { $0.value.mayFail }: return onlyOne(outcomes)
    case .existsOne, .count:
      let (failures, isDone) = inTurn(outcomes.map(\.whenPresent))
      let hits = outcomes.map { $0.presence && $0.isExactly(true) }
      let value =
        kind == .count ? Choice(.int(try count(hits, span))) : .bool(try isExactlyOne(hits, span))
      return Choice(failures + value.holding(isDone))
    case .filter:
      let (failures, isDone) = inTurn(outcomes.map(\.whenPresent))
      return Choice(failures + (try kept(outcomes, elements, span)).holding(isDone))
    case .map:
      let (failures, isDone) = inTurn(outcomes.map(\.value))
      let tuple = folded(.tuple(outcomes.map(\.value.withoutFailures)))
      return Choice(failures + Choice(tuple).holding(isDone))
    }
  }

  /// Whether the condition is exactly true for one element. The second one decides, whatever comes
  /// after it.
  private func onlyOne(_ outcomes: [LoopOutcome]) -> Choice {
    var result: [Choice.Alternative] = []
    var reached = SQLExpression.yes
    var isFound = SQLExpression.no
    for outcome in outcomes {
      let here = reached && outcome.presence
      for alternative in outcome.value.alternatives where alternative.term.isFailure {
        result += Choice(alternative.term).holding(here && alternative.condition)
      }
      let isTrue = outcome.isExactly(true)
      let decides = isFound && isTrue
      result += Choice.constant(.bool(false)).holding(here && decides)
      reached = reached && (!outcome.presence || (!decides && !outcome.value.fails))
      isFound = isFound || (outcome.presence && isTrue)
      if reached.isNo { break }
    }
    return Choice(result + Choice.bool(isFound).holding(reached))
  }

  /// The elements whose condition is exactly true, which must not depend on the row.
  func kept(
    _ outcomes: [LoopOutcome], _ elements: [Choice], _ span: SourceSpan
  ) throws(Refusal) -> Choice {
    var kept: [Choice] = []
    for (outcome, element) in zip(outcomes, elements) {
      let isKept = outcome.presence && outcome.isExactly(true)
      guard isKept.isLiteral else {
        throw Refusal(
          .collection,
          "which elements are kept depends on the row; only their number has a form "
            + "in SQL", at: span)
      }
      if isKept.isYes { kept.append(element) }
    }
    return Choice(folded(.tuple(kept)))
  }

  /// How many conditions hold.
  private func count(
    _ conditions: [SQLExpression], _ span: SourceSpan
  ) throws(Refusal) -> SQLExpression {
    var sum = SQLExpression.int(Int64(conditions.filter { $0.isYes }.count))
    for condition in conditions where !condition.isLiteral {
      try require(.add, span)
      let one = SQLExpression.choice(
        [SQLBranch(condition: condition, value: .int(1))], otherwise: .int(0))
      sum = .call(.narrow, .call(.add, sum, one))
    }
    return sum
  }

  func isExactlyOne(
    _ conditions: [SQLExpression], _ span: SourceSpan
  ) throws(Refusal) -> SQLExpression {
    guard conditions.count <= 16 else {
      return .comparison(.equal, try count(conditions, span), .int(1))
    }
    return .any(
      conditions.indices.map { index in
        .all(conditions.indices.map { $0 == index ? conditions[$0] : !conditions[$0] })
      })
  }
}
