import ExpressionEngine
import ExpressionSyntax

// Loops over lists and over the keys of maps. What is spelled out in the filter is unrolled; a list of
// the row becomes a function over its elements.

extension FilterTranslator {
  /// The elements that a loop runs over.
  private enum Range {
    /// Elements that are known, each with when it is there. The order of a map's keys is not known.
    case spelled([Element], isOrdered: Bool)
    /// A list of the row.
    case row(SQLExpression, ColumnType)
    /// The keys of a JSON object.
    case keys(SQLExpression)
  }

  private struct Element {
    var presence: SQLExpression
    /// The index or the key.
    var key: Value
    var value: Choice
  }

  private func range(of term: Term, takesMaps: Bool) -> Range? {
    if let elements = elements(of: term) {
      return .spelled(
        elements.enumerated().map {
          Element(presence: .yes, key: .int(Int64($0.offset)), value: $0.element)
        }, isOrdered: true)
    }
    switch term {
    case .list(let list, let type): return .row(list, type)
    case .jsonArray(let json): return .row(.call(.jsonElements, json), .json)
    case .jsonObject(let json) where takesMaps: return .keys(.call(.jsonKeys, json))
    case .constant(.map(let entries)) where takesMaps:
      return .spelled(
        entries.sorted { $0.key.text < $1.key.text }.map {
          Element(presence: .yes, key: $0.key.value, value: .constant($0.value))
        }, isOrdered: entries.count < 2)
    case .record(let entries) where takesMaps:
      return .spelled(
        entries.map {
          Element(presence: $0.presence, key: .string($0.name), value: $0.value)
        }, isOrdered: entries.count < 2)
    default: return nil
    }
  }

  /// The outcome of a loop's body for one element.
  private struct Outcome {
    var presence: SQLExpression
    var value: Choice

    /// When the value is exactly a bool.
    func isExactly(_ truth: Bool) -> SQLExpression {
      .any(
        value.alternatives.map { alternative in
          switch alternative.term {
          case .constant(.bool(truth)): alternative.condition
          case .bool(let condition): alternative.condition && (truth ? condition : !condition)
          default: .no
          }
        })
    }

    /// The value where the element is there, and nothing that could fail where it is not.
    var whenPresent: Choice { presence.isYes ? value : .either(presence, value, .null) }
  }

  private func nextVariable() -> String { "e\(loopDepth)" }

  /// Translates something for each element of a list of the row.
  private mutating func withElement<Result>(
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

  private func loop(
    _ loop: SQLLoop, _ list: SQLExpression, _ variable: String, _ body: SQLExpression
  ) -> SQLExpression {
    if body.isNo, loop == .any { return .no }
    return SQLExpression(.loop(loop, list: list, variable: variable, body: body))
  }

  private func require(_ loop: SQLLoop, _ span: SourceSpan) throws(Refusal) {
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
        var outcomes: [Outcome] = []
        for element in elements {
          let isMap = self.kind(of: term) == .map
          let value = try with([local: isMap ? .constant(element.key) : element.value]) {
            translator throws(Refusal) in try translator.translate(body)
          }
          outcomes.append(Outcome(presence: element.presence, value: value))
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
            kind, list, .string, variable, Outcome(presence: .yes, value: value), span)
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
      let outcome = Outcome(presence: .yes, value: try body(&translator, element))
      return try translator.rowResult(kind, list, type, variable, outcome, span)
    }
  }

  /// Returns the result of a loop over a list of the row.
  private func rowResult(
    _ kind: LoopKind, _ list: SQLExpression, _ type: ColumnType, _ variable: String,
    _ outcome: Outcome, _ span: SourceSpan
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
      try require(.first, span)
      // Whatever comes first counts.
      let decided = loop(.first, list, variable, decides)
      let failed = failures.map { ($0.0, loop(.first, list, variable, $0.1)) }
      func isBefore(_ first: SQLExpression, _ others: [SQLExpression]) -> SQLExpression {
        .isNotNull(first)
          && .all(others.map { .isNull($0) || .comparison(.less, first, $0) })
      }
      var result: [Choice.Alternative] = []
      result += Choice.constant(.bool(kind == .exists))
        .holding(isBefore(decided, failed.map(\.1)))
      for (index, (failure, position)) in failed.enumerated() {
        let others = failed.indices.filter { $0 != index }.map { failed[$0].1 } + [decided]
        result += Choice.failure(failure).holding(isBefore(position, others))
      }
      let isUndecided = SQLExpression.all(([decided] + failed.map(\.1)).map { .isNull($0) })
      result += Choice.constant(.bool(kind == .all)).holding(isUndecided)
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
    try require(.first, span)
    let positions = failures.map { loop(.first, list, variable, $0.1) }
    var result: [Choice.Alternative] = []
    for (index, position) in positions.enumerated() {
      let isFirst = SQLExpression.all(
        positions.indices.filter { $0 != index }.map {
          .isNull(positions[$0]) || .comparison(.less, position, positions[$0])
        })
      result += Choice.failure(failures[index].0).holding(.isNotNull(position) && isFirst)
    }
    return Choice(result + value.holding(.all(positions.map { .isNull($0) })))
  }

  /// The elements of a list that a body makes, which must be of one kind.
  private func mapped(
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
    throw Refusal(.collection, "a list of such values has no form in SQL", at: span)
  }

  /// Returns the result of an unrolled loop.
  private mutating func unrolled(
    _ kind: LoopKind, _ outcomes: [Outcome], _ elements: [Choice], _ span: SourceSpan
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

  /// The elements whose condition is exactly true, which must not depend on the row.
  private func kept(
    _ outcomes: [Outcome], _ elements: [Choice], _ span: SourceSpan
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

  private func isExactlyOne(
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

  // MARK: CEL

  /// A loop of the cel dialect, with strict conditions.
  mutating func comprehension(
    _ kind: Comprehension.Kind, range: Int, first: Int, second: Int?, filter: Int?, body: Int,
    _ span: SourceSpan
  ) throws(Refusal) -> Choice {
    try translate(range).map { term throws(Refusal) in
      switch self.range(of: term, takesMaps: true) {
      case nil: return .failure(.other)
      case .spelled(let elements, _):
        var filters: [Outcome] = []
        var outcomes: [Outcome] = []
        let isMap = self.kind(of: term) == .map
        for element in elements {
          var bindings = [first: isMap || second != nil ? .constant(element.key) : element.value]
          if let second { bindings[second] = element.value }
          let (test, value) = try with(bindings) { translator throws(Refusal) in
            (
              try filter.map { id throws(Refusal) in try translator.strictCondition(id) }
                ?? .constant(.bool(true)),
              try translator.comprehensionBody(kind, body)
            )
          }
          filters.append(Outcome(presence: element.presence, value: test))
          outcomes.append(Outcome(presence: element.presence, value: value))
        }
        return try unrolled(kind, filters, outcomes, elements, span)
      case .keys, .row:
        guard second == nil else {
          throw Refusal(
            .collection, "a loop with two variables over a list of the row has no form in SQL",
            at: span)
        }
        return try rowComprehension(
          kind, self.range(of: term, takesMaps: true), first, filter, body, span)
      }
    }
  }

  /// A condition that must be a bool.
  private mutating func strictCondition(_ id: Int) throws(Refusal) -> Choice {
    try translate(id).map { term in kind(of: term) == .bool ? Choice(term) : .failure(.other) }
  }

  private mutating func comprehensionBody(
    _ kind: Comprehension.Kind, _ body: Int
  ) throws(Refusal) -> Choice {
    switch kind {
    case .all, .exists, .existsOne: try strictCondition(body)
    case .list, .map, .entries: try translate(body)
    }
  }

  private mutating func rowComprehension(
    _ kind: Comprehension.Kind, _ range: Range?, _ local: Int, _ filter: Int?, _ body: Int,
    _ span: SourceSpan
  ) throws(Refusal) -> Choice {
    try withElement { translator, variable throws(Refusal) in
      let name = SQLExpression(.variable(variable))
      let list: SQLExpression
      let type: ColumnType
      let element: Choice
      switch range {
      case .row(let expression, let own):
        (list, type, element) = (expression, own, translator.elementValue(name, own))
      case .keys(let expression):
        (list, type, element) = (expression, .string, Choice(.string(name)))
      default: return .failure(.other)
      }
      let (test, value) = try translator.with([local: element]) { translator throws(Refusal) in
        (
          try filter.map { id throws(Refusal) in try translator.strictCondition(id) },
          try translator.comprehensionBody(kind, body)
        )
      }
      return try translator.rowResult(kind, list, type, variable, test, value, body, local, span)
    }
  }

  private func rowResult(
    _ kind: Comprehension.Kind, _ list: SQLExpression, _ type: ColumnType, _ variable: String,
    _ test: Choice?, _ value: Choice, _ body: Int, _ local: Int, _ span: SourceSpan
  ) throws(Refusal) -> Choice {
    try require(.any, span)
    let outcome = Outcome(presence: .yes, value: value)
    func anywhere(_ condition: SQLExpression) -> SQLExpression {
      loop(.any, list, variable, condition)
    }
    switch kind {
    case .all, .exists:
      // An element that decides does so whatever fails elsewhere.
      let decides = anywhere(outcome.isExactly(kind == .exists))
      let fails = !decides && anywhere(value.fails)
      return .either(
        fails, .failure(.other), .bool(kind == .exists ? decides : !decides))
    case .existsOne:
      try require(.count, span)
      let count = loop(.count, list, variable, outcome.isExactly(true))
      return .either(
        anywhere(value.fails), .failure(.other), .bool(.comparison(.equal, count, .int(1))))
    case .list:
      var source = list
      var fails = SQLExpression.no
      var isKept = SQLExpression.yes
      if let test {
        isKept = Outcome(presence: .yes, value: test).isExactly(true)
        fails = test.fails
        try require(.filter, span)
        source = loop(.filter, list, variable, isKept)
      }
      fails = fails || (isKept && value.fails)
      let failing = fails.isNo ? .no : anywhere(fails)
      if case .local(local) = filter.nodes[body].kind {
        return .either(failing, .failure(.other), Choice(.list(source, type)))
      }
      let (element, elementType) = try mapped(value.withoutFailures, span)
      try require(.map, span)
      let values = loop(.map, source, variable, element)
      return .either(failing, .failure(.other), Choice(.list(values, elementType)))
    case .map, .entries:
      throw Refusal(.collection, "a map that is made from a list has no form in SQL", at: span)
    }
  }

  private mutating func unrolled(
    _ kind: Comprehension.Kind, _ filters: [Outcome], _ outcomes: [Outcome],
    _ elements: [Element], _ span: SourceSpan
  ) throws(Refusal) -> Choice {
    switch kind {
    case .all, .exists:
      let isExists = kind == .exists
      let decides = SQLExpression.any(
        outcomes.map { $0.presence && $0.isExactly(isExists) })
      let fails = !decides && .any(outcomes.map { $0.presence && $0.value.fails })
      return .either(fails, .failure(.other), .bool(isExists ? decides : !decides))
    case .existsOne:
      let fails = SQLExpression.any(outcomes.map { $0.presence && $0.value.fails })
      let hits = outcomes.map { $0.presence && $0.isExactly(true) }
      return .either(fails, .failure(.other), .bool(try isExactlyOne(hits, span)))
    case .list, .map, .entries:
      let isKept = filters.map { $0.presence && $0.isExactly(true) }
      let fails = SQLExpression.any(
        zip(filters, zip(isKept, outcomes)).map { test, kept in
          (test.presence && test.value.fails) || (kept.0 && kept.1.value.fails)
        })
      if fails.isYes { return .failure(.other) }
      let value: Choice
      if kind == .list {
        let tests = isKept.map { Outcome(presence: .yes, value: .bool($0)) }
        value = try kept(tests, outcomes.map(\.value.withoutFailures), span)
      } else {
        value = try mapping(kind, isKept, outcomes, elements, span)
      }
      return .either(fails, .failure(.other), value)
    }
  }

  /// The map that a loop makes of elements that are spelled out.
  private func mapping(
    _ kind: Comprehension.Kind, _ isKept: [SQLExpression], _ outcomes: [Outcome],
    _ elements: [Element], _ span: SourceSpan
  ) throws(Refusal) -> Choice {
    guard kind == .map else {
      throw Refusal(.collection, "a map of computed entries has no form in SQL", at: span)
    }
    var entries: [RecordEntry] = []
    for (index, element) in elements.enumerated() where !isKept[index].isNo {
      guard case .string(let name) = element.key else {
        throw Refusal(
          .collection, "a map whose keys are no texts has no form in SQL", at: span)
      }
      entries.append(
        RecordEntry(
          name: name, presence: isKept[index], value: outcomes[index].value.withoutFailures))
    }
    return Choice(.record(entries))
  }
}
