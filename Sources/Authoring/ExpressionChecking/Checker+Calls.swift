import ExpressionSyntax

/// Functions, operators, and the choice between overloads (docs/spec/cel.md §6, §13).
extension CheckPass {
  /// The result of fitting the arguments of a call to the overloads of its name.
  enum Resolution {
    /// The type of the result.
    case result(Type)
    /// Several overloads may be called, whose results are numbers of different types.
    case number
    /// A mistake in an argument was reported; nothing can be said about the call.
    case poisoned
    /// No overload takes the arguments.
    case none
  }

  /// Finds the overloads that take the arguments.
  ///
  /// One that fits alone decides what is undecided in the arguments. Several fit when types are
  /// known at evaluation only: the result is theirs if they agree, `dyn` otherwise.
  mutating func resolve(_ overloads: [Overload], receiver: Type?, _ arguments: [Type]) -> Resolution
  {
    let all = (receiver.map { [$0] } ?? []) + arguments
    if all.contains(where: { substitution.shallow($0) == .error }) { return .poisoned }
    var fitting: [(overload: Overload, result: Type)] = []
    for overload in overloads {
      let mark = substitution.mark
      if let result = apply(overload, receiver: receiver, arguments) {
        fitting.append((overload, substitution.known(result)))
      }
      substitution.rollBack(to: mark)
    }
    guard let first = fitting.first else { return .none }
    let isDecided =
      fitting.count == 1 || all.allSatisfy { substitution.known($0).isConcrete }
    if isDecided, let result = apply(first.overload, receiver: receiver, arguments) {
      // Substitute what is known, so chains of calls do not make chains of variables.
      return .result(substitution.known(result))
    }
    if fitting.allSatisfy({ $0.result == first.result }) { return .result(first.result) }
    return fitting.allSatisfy { $0.result.isNumeric } ? .number : .result(.dyn)
  }

  /// Fits the arguments to one overload; returns the result type, or `nil`.
  private mutating func apply(
    _ overload: Overload, receiver: Type?, _ arguments: [Type]
  ) -> Type? {
    var given = arguments[...]
    var receiver = receiver
    if (overload.receiver == nil) != (receiver == nil) {
      guard rules.receiverIsFirstArgument else { return nil }
      if let first = receiver {
        given = [first] + given
        receiver = nil
      } else {
        receiver = given.popFirst()
      }
    }
    guard overload.accepts(count: given.count) else { return nil }
    var parameters: [String: Type] = [:]
    if let expected = overload.receiver {
      guard let receiver, fits(receiver, expected, overload, &parameters) else { return nil }
    }
    for (position, argument) in given.enumerated() {
      guard fits(argument, overload.parameter(at: position), overload, &parameters) else {
        return nil
      }
    }
    return overload.isGeneric ? instantiate(overload.result, &parameters) : overload.result
  }

  private mutating func fits(
    _ argument: Type, _ parameter: Overload.Parameter, _ overload: Overload,
    _ parameters: inout [String: Type]
  ) -> Bool {
    for alternative in parameter.alternatives {
      let expected = overload.isGeneric ? instantiate(alternative, &parameters) : alternative
      if substitution.join(argument, expected) != nil { return true }
    }
    return false
  }

  /// The type with an undecided type for each type parameter, the same one throughout a call.
  private mutating func instantiate(_ type: Type, _ parameters: inout [String: Type]) -> Type {
    switch type {
    case .parameter(let name):
      if let known = parameters[name] { return known }
      let new = substitution.fresh()
      parameters[name] = new
      return new
    case .list(let element): return .list(instantiate(element, &parameters))
    case .type(let element): return .type(instantiate(element, &parameters))
    case .wrapper(let element): return .wrapper(instantiate(element, &parameters))
    case .optional(let element): return .optional(instantiate(element, &parameters))
    case .map(let key, let value):
      let newKey = instantiate(key, &parameters)
      return .map(newKey, instantiate(value, &parameters))
    case .abstract(let name, let arguments):
      var new: [Type] = []
      for argument in arguments { new.append(instantiate(argument, &parameters)) }
      return .abstract(name, new)
    default: return type
    }
  }

  // MARK: Functions

  /// The type of a call that is not a macro.
  mutating func inferCall(_ node: SyntaxNode, _ id: NodeID) -> Type {
    let arguments = tree.arguments(of: node).map { type($0) }
    let written = tree.name(of: node)
    let isQualified = qualifiedCalls[id] != nil
    let receiver = isQualified ? nil : node.receiver.map { type($0) }
    let name =
      qualifiedCalls[id]
      ?? (receiver != nil
        ? written
        : declarations.function(written, fromRoot: node.flags.contains(.leadingDot)) ?? written)
    guard let overloads = declarations.functions[name] else {
      if rules.undeclaredFunctions == .dyn { return .dyn }
      if let receiver, case .error = substitution.shallow(receiver) { return .error }
      reportUnknownFunction(written, node)
      return .error
    }
    switch resolve(overloads, receiver: receiver, arguments) {
    case .result(let type): return type
    case .number: return .dyn
    case .poisoned: return .error
    case .none:
      reportNoOverload(name, overloads, node, receiver: receiver, arguments)
      return .error
    }
  }

  /// Reports a call of a function that does not exist, by the name that was written.
  mutating func reportUnknownFunction(_ name: String, _ node: SyntaxNode) {
    guard !isFull else { return }
    let suggestion = Suggestions.help(
      for: name, among: (Array(declarations.functions.keys) + declarations.macros.keys).sorted())
    let forms = (declarations.macros[name] ?? []).sorted { $0.count < $1.count }
    let notes = forms.map { form in
      let call = form.isReceiverStyle ? "value.\(form.name)" : form.name
      return "the macro `\(call)` takes \(plural(form.count, "argument"))"
    }
    report(
      .unknownFunction, "unknown function `\(name)`", at: tree.nameSpan(of: node),
      label: forms.isEmpty ? "not declared in this environment" : "no macro is called like this",
      notes: notes, helps: [suggestion].compactMap { $0 })
  }

  private mutating func reportNoOverload(
    _ name: String, _ overloads: [Overload], _ node: SyntaxNode, receiver: Type?,
    _ arguments: [Type]
  ) {
    let given = "(\(arguments.map { text($0) }.joined(separator: ", ")))"
    let call = receiver.map { "\(text($0)).\(name)\(given)" } ?? "\(name)\(given)"
    let labels = (receiver == nil ? tree.arguments(of: node) : tree.operands(of: node)).map {
      Diagnostic.Label(tree[$0].span, text(type($0)))
    }
    var notes = overloads.prefix(8).map { "there is `\($0.text)`" }
    if overloads.count > 8 { notes.append("and \(overloads.count - 8) more") }
    let otherStyle = overloads.allSatisfy { ($0.receiver == nil) != (receiver == nil) }
    var helps: [String] = []
    if otherStyle {
      helps = [
        receiver == nil
          ? "call it on a value: `value.\(name)(…)`" : "call it without a receiver: `\(name)(…)`"
      ]
    }
    report(
      .noMatchingOverload, "`\(name)` cannot be called as `\(call)`", at: tree.nameSpan(of: node),
      label: "no overload takes these types", secondary: labels, notes: notes, helps: helps)
  }

  // MARK: Operators

  /// The type of an operator's result.
  mutating func inferOperator(_ node: SyntaxNode, _ id: NodeID, _ op: Operator) -> Type {
    let operands = node.kind == .unary ? [node.operand] : [node.left, node.right]
    let name = op == .doubleNegate ? "--_" : op.info.celName
    let overloads = rules.operators[name] ?? []
    let given = operands.map { type($0) }
    // The kind of a condition is known even if an operand has a mistake.
    let isCondition = overloads.allSatisfy { $0.result == .bool }
    switch resolve(overloads, receiver: nil, given) {
    case .result(let type): return type
    case .number:
      numbers.insert(id)
      return .dyn
    case .poisoned: return isCondition ? .bool : .error
    case .none:
      reportOperator(node, op, operands)
      return isCondition ? .bool : .error
    }
  }

  /// The type of `condition ? first : second`.
  mutating func inferConditional(_ node: SyntaxNode) -> Type {
    expectCondition(node.condition, of: "the condition of `? :`")
    let branches = [type(node.consequence), type(node.alternative)]
    switch resolve(rules.operators["_?_:_"] ?? [], receiver: nil, [.bool] + branches) {
    case .result(let type): return type
    case .number: return .dyn
    case .poisoned: return .error
    case .none:
      report(
        .differentBranches,
        "the branches of `? :` have different types: \(text(branches[0])) and \(text(branches[1]))",
        at: tree[node.alternative].span, label: text(branches[1]),
        secondary: [.init(tree[node.consequence].span, text(branches[0]))],
        helps: ["let both have one type, or write `dyn(…)` around one of them"])
      return .error
    }
  }

  /// Reports a condition that is not a bool, if the dialect requires one.
  mutating func expectCondition(_ id: NodeID, of place: String) {
    guard rules.conditionsAreBools, substitution.join(type(id), .bool) == nil else { return }
    report(
      .conditionType, "\(place) must be a bool, found \(text(type(id)))",
      at: tree[id].span, label: text(type(id)), helps: conditionHelp(id))
  }

  private func conditionHelp(_ id: NodeID) -> [String] {
    let type = substitution.shallow(type(id))
    let source = tree.source.text(of: tree[id].span)
    guard source.utf8.count <= 40 else { return [] }
    return switch type {
    case .int: ["compare the value: `\(source) != 0`"]
    case .string: ["compare the value: `\(source) != \"\"`"]
    default: []
    }
  }
}
