/// Has values that take long computed once: where one is used several times, it is bound to a variable
/// around its uses, as close to them as it can be.
///
/// Databases compute an expression as often as it is written in a condition.
struct SQLSharing {
  private let templates: FunctionTemplates
  /// The beginning of the names of variables. No column has such a name.
  private let prefix: String
  private var count = 0
  private static let deepestNesting = 4

  /// Returns an expression with the same value.
  static func shared(_ expression: SQLExpression, _ dialect: SQLDialect) -> SQLExpression {
    guard dialect.binding != nil else { return expression }
    let expression = dialect.condensed(expression)
    var sharing = SQLSharing(dialect, expression)
    return sharing.shared(expression)
  }

  private init(_ dialect: SQLDialect, _ expression: SQLExpression) {
    templates = dialect.templates
    let names = expression.nodes.compactMap { node in
      if case .column(let name) = node.form { name.lowercased() } else { nil }
    }
    var prefix = "v"
    while names.contains(where: { $0.hasPrefix(prefix) }) { prefix += "_" }
    self.prefix = prefix
  }

  private mutating func shared(_ expression: SQLExpression) -> SQLExpression {
    var expression = expression
    var tried: Set<SQLExpression> = []
    while let value = candidate(in: expression, besides: tried) {
      tried.insert(value)
      let bound = bind(value, in: expression)
      // DuckDB plans each lambda in another one twice.
      if bound.loopDepth <= max(expression.loopDepth, Self.deepestNesting) { expression = bound }
    }
    return expression
  }

  /// The largest value that is used several times and takes long, besides some.
  private func candidate(
    in expression: SQLExpression, besides tried: Set<SQLExpression>
  ) -> SQLExpression? {
    var counts: [SQLExpression: Int] = [expression: 1]
    var result: SQLExpression?
    // Those who use a node come before it.
    for node in expression.nodes.reversed() {
      let own = counts[node, default: 0]
      for (index, part) in node.parts.enumerated() {
        counts[part, default: 0] += min(own * times(index, in: node), 1000)
      }
      if own > 1, node.isCostly, node.size > result?.size ?? 0, !tried.contains(node) {
        result = node
      }
    }
    return result
  }

  /// How often a part of an expression is written.
  private func times(_ index: Int, in expression: SQLExpression) -> Int {
    guard case .call(let function, _) = expression.form,
      case let uses = templates.uses(of: function),
      uses.indices.contains(index)
    else { return 1 }
    return uses[index]
  }

  // MARK: Binding

  /// Binds a value around its uses, where there are several.
  private mutating func bind(
    _ value: SQLExpression, in expression: SQLExpression
  ) -> SQLExpression {
    var users: Set<SQLExpression> = [value]
    for node in expression.nodes where node.parts.contains(where: users.contains) {
      users.insert(node)
    }
    return bind(value, in: expression, missing: value.freeVariables, users)
  }

  /// - Parameters:
  ///   - missing: The variables in the value that have none here.
  ///   - users: The expressions with the value in them.
  private mutating func bind(
    _ value: SQLExpression, in expression: SQLExpression, missing: Set<String>,
    _ users: Set<SQLExpression>
  ) -> SQLExpression {
    guard expression != value else { return expression }
    var parts = expression.parts
    let using = parts.indices.filter { users.contains(parts[$0]) }
    var inner = missing
    var isRepeated = false
    switch expression.form {
    case .loop(_, _, let variable, _):
      inner.remove(variable)
      // Once for all elements.
      isRepeated = using.contains(1)
    case .binding(let group, let values, _): inner.subtract(Self.variables(group, values.count))
    case .call: isRepeated = using.contains { times($0, in: expression) > 1 }
    default: break
    }
    if missing.isEmpty, using.count > 1 || isRepeated {
      // Those beside the uses of a value need not wait for it.
      switch expression.form {
      case .and where using.count < parts.count, .or where using.count < parts.count:
        let own = bound(value, in: expression.with(using.map { parts[$0] }))
        let others = parts.indices.filter { $0 == using[0] || !users.contains(parts[$0]) }
        return expression.with(others.map { $0 == using[0] ? own : parts[$0] })
      default: return bound(value, in: expression)
      }
    }
    for index in using {
      parts[index] = bind(
        value, in: parts[index], missing: index == parts.count - 1 ? inner : missing, users)
    }
    return Self.joined(expression.with(parts))
  }

  /// Bindings one in another as one, if the inner ones do not need the outer ones.
  private static func joined(_ expression: SQLExpression) -> SQLExpression {
    guard case .binding(let group, let values, let body) = expression.form,
      case .binding(let other, let more, let inner) = body.form,
      more.allSatisfy({ $0.freeVariables.isDisjoint(with: variables(group, values.count)) })
    else { return expression }
    let names = variables(group, values.count + more.count).dropFirst(values.count)
    let renamed = zip(variables(other, more.count), names)
    let renamedBody = renamed.reduce(inner) { body, names in
      body.replacing(SQLExpression(.variable(names.0)), with: SQLExpression(.variable(names.1)))
    }
    return SQLExpression(.binding(group: group, values: values + more, body: renamedBody))
  }

  /// The names of the values of a binding.
  private static func variables(_ group: String, _ count: Int) -> [String] {
    (0..<count).map { "\(group).a\($0)" }
  }

  private mutating func bound(
    _ value: SQLExpression, in expression: SQLExpression
  ) -> SQLExpression {
    let group = "\(prefix)\(count)"
    count += 1
    let variable = SQLExpression(.variable(Self.variables(group, 1)[0]))
    return SQLExpression(
      .binding(
        group: group, values: [value], body: expression.replacing(value, with: variable)))
  }
}

extension SQLExpression {
  /// Whether computing the expression costs more than binding its value to a variable.
  fileprivate var isCostly: Bool {
    switch form {
    case .loop: true
    case .call(let function, _):
      switch function {
      case .jsonMember, .jsonElement, .jsonElements, .jsonKeys, .jsonLength, .jsonRoot, .matches:
        true
      default: false
      }
    default: false
    }
  }

  /// The variables that get their values outside of the expression.
  fileprivate var freeVariables: Set<String> {
    var known: [SQLExpression: Set<String>] = [:]
    for node in nodes {
      var own = node.parts.reduce(into: Set<String>()) { $0.formUnion(known[$1] ?? []) }
      switch node.form {
      case .variable(let name): own = [name]
      // A list does not use the variable of its own loop.
      case .loop(_, _, let variable, _): own.remove(variable)
      case .binding(let group, let values, _):
        own.subtract(values.indices.map { "\(group).a\($0)" })
      default: break
      }
      known[node] = own
    }
    return known[self] ?? []
  }

  /// How deep loops and bindings nest.
  fileprivate var loopDepth: Int {
    var known: [SQLExpression: Int] = [:]
    for node in nodes {
      let inner = node.parts.reduce(0) { max($0, known[$1] ?? 0) }
      switch node.form {
      case .loop, .binding: known[node] = inner + 1
      default: known[node] = inner
      }
    }
    return known[self] ?? 0
  }

  /// Returns the expression with another one instead of a part, wherever that is.
  fileprivate func replacing(_ part: SQLExpression, with other: SQLExpression) -> SQLExpression {
    var known = [part: other]
    for node in nodes where node != part {
      let parts = node.parts
      if parts.contains(where: { known[$0] != nil }) {
        known[node] = node.with(parts.map { known[$0] ?? $0 })
      }
    }
    return known[self] ?? self
  }
}
