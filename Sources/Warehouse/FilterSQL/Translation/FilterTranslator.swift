import ExpressionEngine
import ExpressionSyntax
import FilterAnalysis

/// Translates the nodes of a filter into values made of SQL, operands before those who use them.
///
/// Each node becomes a ``Choice``: possible terms, each guarded by a condition in SQL. So kinds that the schema fixes are settled here, and what is left for the row to
/// decide is spelled out, failures included.
struct FilterTranslator: Sendable {
  /// The results of host functions that are the same for all rows; `nil` for those that are not
  /// known.
  typealias HostAnswers =
    @Sendable (_ table: String, _ name: String, _ arguments: [Value]) -> Value?

  /// More nodes of SQL than this are refused.
  static let maximumSize = 12_000
  /// The maximum number of nodes of SQL that are made for all nodes together. Loops over constants can
  /// make many and lead to little.
  private static let maximumWork = 500_000
  /// The deepest nesting of SQL that is not refused; databases read a thousand levels, some fewer.
  static let maximumDepth = 220
  /// The deepest nesting of a filter that is not refused: a level takes up to 15 KiB of a stack, and
  /// threads may have 512 KiB.
  static let maximumNesting = 24

  let filter: LoweredExpression
  let schema: TableSchema
  let variables: RowVariables
  let dialect: SQLDialect
  let hostAnswers: HostAnswers
  /// The values of the locals.
  var locals: [Int: Choice] = [:]
  /// The number of loop variables in scope, which name them.
  var loopDepth = 0
  private var depth = 0
  /// The number of nodes of SQL made, those for the bodies of loops once for each element.
  private var work = 0
  /// The values of the attributes and variables that were read, which are the same wherever they are
  /// read.
  private var readings: [Int: Choice] = [:]

  init(
    _ filter: LoweredExpression, schema: TableSchema, dialect: SQLDialect,
    hostAnswers: @escaping HostAnswers
  ) {
    self.filter = filter
    self.dialect = dialect
    self.hostAnswers = hostAnswers
    self.schema = schema
    variables = RowVariables(schema)
  }

  var isSuperscript: Bool { filter.isSuperscript }

  /// Translates the whole filter.
  mutating func translateRoot() throws(Refusal) -> Choice {
    try translate(filter.nodes.count - 1)
  }

  /// Translates a node.
  mutating func translate(_ id: Int) throws(Refusal) -> Choice {
    let node = filter.nodes[id]
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.maximumNesting else {
      throw Refusal(.size, "the filter nests too deeply for SQL", at: node.span)
    }
    let result: Choice
    if let reading = readings[id] {
      result = reading
    } else {
      try requireColumn(id)
      result = if let place = place(of: id) { value(at: place) } else { try translate(node) }
    }
    if node.kind.isReading { readings[id] = result }
    let size = result.size
    guard size < Self.maximumSize, result.depth < Self.maximumDepth else {
      throw Refusal(.size, "the SQL for this would be too large", at: node.span)
    }
    work += 1 + size
    guard work <= Self.maximumWork else {
      throw Refusal(.size, "the loops of this would be too much SQL", at: node.span)
    }
    return result
  }

  private mutating func translate(
    _ node: LoweredExpression.Node
  ) throws(Refusal) -> Choice {
    let span = node.span
    switch node.kind {
    case .constant(let value): return .constant(value)
    case .variable(let name, let isOptional):
      return try variable(
        name, whenMissing: isOptional ? .constant(.map([:])) : .failure(.reference), span)
    case .attribute(let root, let name, let policy, let rootIsOptional):
      return try attribute(root, name, policy, rootIsOptional: rootIsOptional, span)
    case .local(let number):
      guard let value = locals[number] else {
        throw Refusal(.collection, "this name has no value in SQL", at: span)
      }
      return value
    case .member(let operand, let name, let policy):
      return try translate(operand).map { term throws(Refusal) in
        try member(term, name, policy, span)
      }
    case .element(let receiver, let index):
      return try strict([receiver, index]) { translator, terms throws(Refusal) in
        try translator.element(of: terms[0], at: terms[1], span)
      }
    case .comparison(let mask, let left, let right, let missing):
      return try replacingMissing(left, missing) { translator, left throws(Refusal) in
        let right = try translator.translate(right)
        return try translator.strict([left, right]) { translator, terms throws(Refusal) in
          try translator.compare(mask, terms[0], terms[1], span)
        }
      }
    case .readings(let mask, let operand, let readings, let missing):
      return try replacingMissing(operand, missing) { translator, left throws(Refusal) in
        try left.map { term throws(Refusal) in
          let isEither = SQLExpression.any(
            try readings.map { value throws(Refusal) in
              try translator.areEqual(term, .constant(value), span)
            })
          return .bool(mask == .equal ? isEither : !isEither)
        }
      }
    case .membership(let element, let collection, let missing):
      return try replacingMissing(element, missing) { translator, left throws(Refusal) in
        let right = try translator.translate(collection)
        return try translator.strict([left, right]) { translator, terms throws(Refusal) in
          try translator.membership(terms[0], in: terms[1], span)
        }
      }
    case .setMembership(let element, let values, let missing):
      return try replacingMissing(element, missing) { translator, left throws(Refusal) in
        try left.map { term throws(Refusal) in
          .bool(try translator.isOne(term, of: values.map { .constant($0) }, span))
        }
      }
    case .arithmetic(let op, let left, let right):
      return try strict([left, right]) { translator, terms throws(Refusal) in
        try translator.arithmetic(op, terms[0], terms[1], span)
      }
    case .negate(let operand):
      return try translate(operand).map { term throws(Refusal) in try negate(term, span) }
    case .number(let operand):
      return try translate(operand).map { term throws(Refusal) in
        switch kind(of: term) {
        case .int, .uint, .double: Choice(term)
        default: try failure(quoting: [term], span)
        }
      }
    case .not(let operand, let isStrict):
      return try condition(operand, isStrict: isStrict, span).map { term in
        .bool(!(term.scalar ?? .no))
      }
    case .truth(let operand): return try condition(operand, isStrict: false, span)
    case .conjunction(let operands): return try conjunction(operands, span)
    case .disjunction(let operands): return try disjunction(operands, span)
    case .absorbingAnd(let operands): return try absorbing(operands, decidedBy: false)
    case .absorbingOr(let operands): return try absorbing(operands, decidedBy: true)
    case .conditional(let test, let value, let other, let isStrict):
      let test = try condition(test, isStrict: isStrict, span)
      // A branch that is never taken may be refused.
      if test.constant == .bool(true) { return try translate(value) }
      if test.constant == .bool(false) { return try translate(other) }
      let first = try translate(value)
      let second = try translate(other)
      return test.map { term in .either(term.scalar ?? .no, first, second) }
    case .list(let elements): return try list(elements, span)
    case .map(let parts): return try map(parts, span)
    case .call(let function, let arguments): return try call(function, arguments, span)
    case .hostCall(let table, let name, let arguments):
      return try hostCall(table, name, arguments, span)
    case .loop(let kind, let range, let body, let local):
      return try loop(kind, range: range, body: body, local: local, span)
    case .comprehension(let kind, let range, let first, let second, let filter, let body):
      return try comprehension(
        kind, range: range, first: first, second: second, filter: filter, body: body, span)
    case .rescue(let rescues, let body, let instead):
      let value = try translate(body)
      let caught = rescues == .any ? value.fails : value.failing(.missingKey)
      if caught.isNo { return value }
      let kept = value.alternatives.filter {
        rescues == .any ? !$0.term.isFailure : $0.term != .failure(.missingKey)
      }
      return Choice(kept + (try translate(instead)).holding(caught))
    case .sequence(let first, let second):
      let before = try translate(first)
      if before.alternatives.allSatisfy({ $0.term.isFailure }) { return before }
      let after = try translate(second)
      let failures = before.alternatives.filter { $0.term.isFailure }
      return Choice(failures + after.holding(!before.fails))
    case .expect(let operand, let kinds, let code):
      return try translate(operand).map { term throws(Refusal) in
        if kinds.contains(kindOf: kind(of: term).example) { return Choice(term) }
        return try failure(quoting: Self.quotes(code) ? [term] : [], span)
      }
    case .raise(let code): return .failure(Self.failureClass(of: code))
    case .overlay(let top, let base): return try overlay(translate(top), translate(base), span)
    case .absorbReferences(let operand):
      let value = try translate(operand)
      let isNull = value.failing(.reference)
      let kept = value.alternatives.filter { $0.term != .failure(.reference) }
      return Choice(kept + Choice.null.holding(isNull))
    case .bind(let value, let local, let body):
      let value = try translate(value)
      return try value.map { term throws(Refusal) in
        try with([local: Choice(term)]) { translator throws(Refusal) in
          try translator.translate(body)
        }
      }
    case .lazyBind(let first, let values, let body):
      for (offset, value) in values.enumerated() {
        locals[first + offset] = try translate(value)
      }
      return try translate(body)
    case .name(let candidates, let last, let lastFields):
      return try name(candidates, last: last, lastFields: lastFields, span)
    case .optionalEntry:
      throw Refusal(.kind, "optional entries have no form in SQL", at: span)
    }
  }

  // MARK: Parts

  /// Translates operands and passes their values on, term by term; the first one that fails counts.
  mutating func strict(
    _ operands: [Int],
    _ body: (inout FilterTranslator, [Term]) throws(Refusal) -> Choice
  ) throws(Refusal) -> Choice {
    var values: [Choice] = []
    for operand in operands { values.append(try translate(operand)) }
    return try strict(values, body)
  }

  /// Passes values on, term by term; the first one that fails counts.
  mutating func strict(
    _ values: [Choice],
    _ body: (inout FilterTranslator, [Term]) throws(Refusal) -> Choice
  ) throws(Refusal) -> Choice {
    var result: [Choice.Alternative] = []
    var rows: [(condition: SQLExpression, terms: [Term])] = [(.yes, [])]
    for value in values {
      var longer: [(condition: SQLExpression, terms: [Term])] = []
      for (condition, terms) in rows {
        for alternative in value.alternatives {
          let both = condition && alternative.condition
          if both.isNo { continue }
          if alternative.term.isFailure {
            result.append(Choice.Alternative(condition: both, term: alternative.term))
          } else {
            longer.append((both, terms + [alternative.term]))
          }
        }
      }
      guard longer.count <= 2_000 else {
        throw Refusal(
          .size, "the SQL for this would be too large",
          at: filter.nodes[filter.nodes.count - 1].span)
      }
      rows = longer
    }
    for (condition, terms) in rows { result += try body(&self, terms).holding(condition) }
    return Choice(result)
  }

  /// A comparison of which the left operand may be missing, and what it is then.
  private mutating func replacingMissing(
    _ left: Int, _ missing: Int?,
    _ body: (inout FilterTranslator, Choice) throws(Refusal) -> Choice
  ) throws(Refusal) -> Choice {
    let left = try translate(left)
    guard let missing else { return try body(&self, left) }
    let isMissing = left.failing(.missingKey)
    if isMissing.isNo { return try body(&self, left) }
    let replacement = try translate(missing)
    if isMissing.isYes { return replacement }
    let present = Choice(left.alternatives.filter { $0.term != .failure(.missingKey) })
    // The conditions of the kept ones may have been simplified away with the others.
    let value = try body(&self, present)
    return Choice(value.holding(!isMissing) + replacement.holding(isMissing))
  }

  /// Evaluates `body` while locals stand for values.
  mutating func with<Result>(
    _ bindings: [Int: Choice],
    _ body: (inout FilterTranslator) throws(Refusal) -> Result
  ) throws(Refusal) -> Result {
    let outer = locals
    locals.merge(bindings) { _, new in new }
    defer { locals = outer }
    return try body(&self)
  }

  /// A constant operation's result.
  func choice(_ outcome: LoweredExpression.Outcome) -> Choice {
    switch outcome {
    case .value(let value): .constant(value)
    case .failure(let kind): .failure(kind)
    }
  }
}

extension LoweredExpression.Kind {
  /// Whether this reads the row, independently of what surrounds it.
  fileprivate var isReading: Bool {
    switch self {
    case .variable, .attribute: true
    default: false
    }
  }
}
