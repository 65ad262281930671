import ExpressionEngine
import ExpressionSyntax

// The loops of the cel dialect: conditions are strict, and a failure of one element need not matter.

extension FilterTranslator {
  /// A loop of the cel dialect, with strict conditions.
  mutating func comprehension(
    _ kind: Comprehension.Kind, range: Int, first: Int, second: Int?, filter: Int?, body: Int,
    _ span: SourceSpan
  ) throws(Refusal) -> Choice {
    try translate(range).map { term throws(Refusal) in
      switch self.range(of: term, takesMaps: true) {
      case nil: return .failure(.other)
      case .spelled(let elements, _):
        var filters: [LoopOutcome] = []
        var outcomes: [LoopOutcome] = []
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
          filters.append(LoopOutcome(presence: element.presence, value: test))
          outcomes.append(LoopOutcome(presence: element.presence, value: value))
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
    _ kind: Comprehension.Kind, _ range: LoopRange?, _ local: Int, _ filter: Int?, _ body: Int,
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
    let outcome = LoopOutcome(presence: .yes, value: value)
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
        isKept = LoopOutcome(presence: .yes, value: test).isExactly(true)
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
    _ kind: Comprehension.Kind, _ filters: [LoopOutcome], _ outcomes: [LoopOutcome],
    _ elements: [LoopElement], _ span: SourceSpan
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
        let tests = isKept.map { LoopOutcome(presence: .yes, value: .bool($0)) }
        value = try kept(tests, outcomes.map(\.value.withoutFailures), span)
      } else {
        value = try mapping(kind, isKept, outcomes, elements, span)
      }
      return .either(fails, .failure(.other), value)
    }
  }

  /// The map that a loop makes of elements that are spelled out.
  private func mapping(
    _ kind: Comprehension.Kind, _ isKept: [SQLExpression], _ outcomes: [LoopOutcome],
    _ elements: [LoopElement], _ span: SourceSpan
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
