import ExpressionSyntax

/// Macros and their variables (docs/spec/cel.md §8, §14–§16, §22).
extension CheckPass {
  // MARK: Scopes

  /// Makes the variables of a macro known to its bodies.
  mutating func open(_ id: NodeID) {
    guard let macro = outline.macros[id] else { return }
    if macro.form.rule == .block {
      blocks.append(macro.arguments[0])
      return
    }
    let names = macro.arguments.prefix(macro.form.variables).map { outline.variableName($0) }
    let types = variableTypes(of: macro)
    scopeSizes.append(names.count)
    for (position, name) in names.enumerated() {
      let argument = macro.arguments[position]
      if name == nil {
        report(
          .malformedMacro, "`\(macro.form.name)` needs the name of a variable here",
          at: tree[argument].span, label: "not a plain name")
      } else if names[..<position].contains(name) {
        report(
          .malformedMacro, "the variables of `\(macro.form.name)` need different names",
          at: tree[argument].span, label: "used twice")
      }
      self.types[Int(argument.index)] = types[position]
      scope.append((name ?? "", types[position]))
    }
  }

  /// Forgets the variables of a macro.
  mutating func close(_ id: NodeID) {
    guard let macro = outline.macros[id] else { return }
    if macro.form.rule == .block {
      blocks.removeLast()
    } else {
      scope.removeLast(scopeSizes.removeLast())
    }
  }

  private mutating func variableTypes(of macro: MacroCall) -> [Type] {
    switch macro.form.rule {
    case .bind: return [type(macro.arguments[1])]
    case .optionalMap, .optionalFlatMap:
      return [macro.target.map { optionalContent(type($0), at: $0) } ?? .dyn]
    default:
      guard let target = macro.target else { return macro.arguments.map { _ in .dyn } }
      let (key, value) = iterated(target, macro)
      if macro.form.variables == 2 { return [key, value] }
      // One variable runs over the elements of a list, or over the keys of a map.
      if case .map = substitution.shallow(type(target)) { return [key] }
      return [value]
    }
  }

  /// The types over which a macro iterates: indices or keys, and elements or values.
  private mutating func iterated(_ target: NodeID, _ macro: MacroCall) -> (key: Type, value: Type) {
    switch substitution.shallow(type(target)) {
    case .list(let element): return (.int, element)
    case .map(let key, let value) where macro.form.rule != .sortBy: return (key, value)
    case .dyn, .any: return (.dyn, .dyn)
    case .variable:
      _ = substitution.join(type(target), .dyn)
      return (.dyn, .dyn)
    case .error: return (.error, .error)
    case let other:
      let wanted = macro.form.rule == .sortBy ? "a list" : "a list or a map"
      report(
        .notIterable, "`\(macro.form.name)` needs \(wanted), found \(text(other))",
        at: tree[target].span, label: text(other))
      return (.error, .error)
    }
  }

  // MARK: Results

  /// The type of a macro call.
  mutating func inferMacro(_ macro: MacroCall, _ id: NodeID) -> Type {
    let bodies = Array(macro.bodies.prefix(macro.form.count - macro.form.variables))
    switch macro.form.rule {
    case .presence: return inferPresence(macro)
    case .opaqueBool: return .bool
    case .fallback:
      let branches = [type(macro.arguments[1]), type(macro.arguments[2])]
      return substitution.join(branches[0], branches[1]) ?? .dyn
    case .quantifier:
      expectCondition(bodies[0], of: "the condition of `\(macro.form.name)`")
      return .bool
    case .filter:
      expectCondition(bodies[0], of: "the condition of `filter`")
      return .list(variableType(macro, 0))
    case .list, .mapValues, .mapEntries: return inferTransformation(macro, bodies)
    case .bind: return type(macro.arguments[2])
    case .block: return inferBlock(macro)
    case .blockIndex: return inferBlockIndex(macro, id)
    case .blockVariable: return inferBlockVariable(macro, id)
    case .optionalMap: return .optional(type(macro.arguments[1]))
    case .optionalFlatMap:
      let content = optionalContent(type(macro.arguments[1]), at: macro.arguments[1])
      if case .error = content { return .error }
      return .optional(content)
    case .sortBy: return inferSort(macro)
    }
  }

  private func variableType(_ macro: MacroCall, _ position: Int) -> Type {
    type(macro.arguments[position])
  }

  private mutating func inferPresence(_ macro: MacroCall) -> Type {
    let argument = macro.arguments[0]
    if tree[argument].kind != .select, !rules.missingMembersAreNull {
      report(
        .malformedMacro, "`has` needs a member to look for, such as `a.b`",
        at: tree[argument].span, label: "not a member")
    }
    return .bool
  }

  private mutating func inferTransformation(_ macro: MacroCall, _ bodies: [NodeID]) -> Type {
    guard let result = bodies.last else { return .error }
    if bodies.count == 2 {
      expectCondition(bodies[0], of: "the condition of `\(macro.form.name)`")
    }
    switch macro.form.rule {
    case .list: return .list(type(result))
    case .mapValues: return .map(variableType(macro, 0), type(result))
    default:
      let entries = Type.map(substitution.fresh(), substitution.fresh())
      if substitution.join(type(result), entries) != nil { return substitution.known(entries) }
      report(
        .notIterable, "`\(macro.form.name)` needs a map of entries, found \(text(type(result)))",
        at: tree[result].span, label: text(type(result)))
      return .error
    }
  }

  private mutating func inferSort(_ macro: MacroCall) -> Type {
    let key = substitution.shallow(type(macro.arguments[1]))
    switch key {
    case .dyn, .any, .error, .variable: break
    case _ where key.isOrdered: break
    default:
      report(
        .notIterable, "`sortBy` needs a key that has an order, found \(text(key))",
        at: tree[macro.arguments[1]].span, label: text(key))
    }
    return .list(variableType(macro, 0))
  }

  // MARK: Blocks

  private mutating func inferBlock(_ macro: MacroCall) -> Type {
    let list = tree[macro.arguments[0]]
    if list.kind != .list {
      report(
        .malformedMacro, "`cel.block` needs a list literal as its first argument", at: list.span,
        label: "not a list literal")
    }
    return type(macro.arguments[1])
  }

  /// An earlier element of the innermost block.
  private mutating func inferBlockIndex(_ macro: MacroCall, _ id: NodeID) -> Type {
    let argument = tree[macro.arguments[0]]
    guard argument.kind == .intLiteral,
      let position = Int(exactly: Int64(bitPattern: argument.payload)),
      position >= 0
    else {
      report(
        .malformedMacro, "`cel.index` needs the number of an element", at: argument.span,
        label: "not a number from 0")
      return .error
    }
    let list = blocks.last.map { tree[$0] }
    if let list, list.kind == .list, position < list.childCount,
      let type = types[Int(tree.arguments(of: list)[position].index)]
    {
      return type
    }
    report(
      .undeclaredName, "no element \(position) of a block is before this place",
      at: tree[id].span)
    return .error
  }

  /// A variable that a macro around introduces under the name of the call.
  private mutating func inferBlockVariable(_ macro: MacroCall, _ id: NodeID) -> Type {
    let span = tree[id].span
    guard let name = outline.blockVariableName(id) else {
      report(
        .malformedMacro, "`\(macro.form.name)` needs two numbers from 0", at: span,
        label: "not two numbers")
      return .error
    }
    if let variable = scope.last(where: { $0.name == name }) { return variable.type }
    report(.undeclaredName, "no macro introduces this variable", at: span)
    return .error
  }
}
