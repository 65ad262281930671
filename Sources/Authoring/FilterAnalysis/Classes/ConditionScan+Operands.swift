import ExpressionEngine
import ExpressionSyntax

extension ConditionScan {
  // MARK: Operands

  func isConstant(_ id: NodeID, _ scope: Scope) -> Bool {
    if case .constants = term(id, scope) { true } else { false }
  }

  func term(_ id: NodeID, _ scope: Scope) -> Term {
    var reader: NodeID?
    return term(id, scope, reader: &reader)
  }

  /// - Parameter reader: A node that reads something of the user or the app, in the same scope.
  ///   Nodes around it are not constant, so that they need not be searched.
  func term(_ id: NodeID, _ scope: Scope, reader: inout NodeID?) -> Term {
    if let path = attributePath(of: id, scope) {
      // The functions of the app, as a value: no app can set it.
      if isTableOfFunctions(path) { return .constants([]) }
      return .source(source(path))
    }
    if let call = call(tree[id], scope) { return call }
    if let value = tree.constant(of: id) { return .constants([value]) }
    return constants(id, scope, reader: &reader).map { .constants($0) } ?? .other
  }

  private func attributePath(of id: NodeID, _ scope: Scope) -> AttributePath? {
    guard let path = tree.attributePath(of: id),
      scope[path.root] == nil || tree.chainRoot(of: id)?.isRooted == true
    else { return nil }
    return path
  }

  private func isTableOfFunctions(_ path: AttributePath) -> Bool {
    path.root == "computed" && tree.dialect.name == .superscript
  }

  private func source(_ path: AttributePath) -> Source {
    let isLegacyKey =
      path.root == "device" && path.names.count == 1 && legacyKeys.contains(path.names[0])
    return Source(path, isLegacyKey: isLegacyKey)
  }

  private func call(_ node: SyntaxNode, _ scope: Scope) -> Term? {
    guard node.kind == .call else { return nil }
    let name = tree.name(of: node)
    if environment.deviceFunctions[name] != nil { return history(node).map { .source($0) } }
    let operands = tree.operands(of: node)
    guard name == "size", operands.count == 1, node.receiver == nil || tree.dialect.name == .cel
    else { return nil }
    if let path = attributePath(of: operands[0], scope) {
      return isTableOfFunctions(path) ? nil : .size(source(path))
    }
    let operand = tree[operands[0]]
    return operand.kind == .call ? history(operand).map { .size($0) } : nil
  }

  /// The question about the past that a call asks.
  private func history(_ node: SyntaxNode) -> Source? {
    let name = tree.name(of: node)
    let arguments = tree.arguments(of: node)
    guard environment.deviceFunctions[name] != nil, HistoryFunctionInfo.named(name) != nil,
      hasTableAsTarget(node), let first = arguments.first,
      case .string(let event)? = tree.constant(of: first),
      arguments.dropFirst().allSatisfy({ tree.constant(of: $0) != nil })
    else { return nil }
    return Source(function: name, event: event)
  }

  /// Whether a call of the app's functions has nothing before it, or the name of a table.
  func hasTableAsTarget(_ node: SyntaxNode) -> Bool {
    guard let target = node.receiver.map({ tree[$0] }) else { return true }
    return target.kind == .identifier && ["device", "computed"].contains(tree.name(of: target))
  }

  /// The values of a part that reads nothing but loop variables over constants; `nil` if it reads
  /// more.
  private func constants(_ id: NodeID, _ scope: Scope, reader: inout NodeID?) -> [Value]? {
    // An optional entry is compiled with the list or the map around it only.
    if tree[id].kind == .optionalEntry { return nil }
    if let reader, isAround(reader, id) { return nil }
    guard let variables = variables(under: id, scope, reader: &reader) else { return nil }
    var combinations: [[CompiledFragment.Binding]] = [[]]
    for name in variables {
      let values = scope[name] ?? []
      guard values.count <= Self.maximumConstants,
        combinations.count * values.count <= Self.maximumConstants
      else { return nil }
      combinations = combinations.flatMap { bindings in
        values.map { bindings + [CompiledFragment.Binding(name: name, value: $0)] }
      }
    }
    let empty = Context(variables: ["user": .map([:]), "device": .map([:]), "params": .map([:])])
    var values: [Value] = []
    for bindings in combinations {
      guard
        let fragment = try? CompiledFragment(
          tree, id, bindings: bindings, environment: environment)
      else { return nil }
      // A part that fails has no value that anything could be compared with.
      if let value = try? fragment.evaluate(empty) { values.append(value) }
    }
    return values
  }

  /// Returns whether a node is another one or an ancestor of it.
  private func isAround(_ inner: NodeID, _ outer: NodeID) -> Bool {
    let (inside, outside) = (tree[inner].span, tree[outer].span)
    return outer.index >= inner.index && outside.start <= inside.start && inside.end <= outside.end
  }

  /// The loop variables that a part reads; `nil` if it reads or calls anything of the user or the
  /// app, which `reader` is then.
  private func variables(under id: NodeID, _ scope: Scope, reader: inout NodeID?) -> [String]? {
    var names: [String] = []
    var work: [(id: NodeID, bound: Set<String>)] = [(id, [])]
    while let (id, bound) = work.popLast() {
      let node = tree[id]
      switch node.kind {
      case .identifier:
        let name = tree.name(of: node)
        if bound.contains(name), !node.isRooted { continue }
        guard scope[name] != nil, !node.isRooted else {
          reader = id
          return nil
        }
        if !names.contains(name) { names.append(name) }
      case .call:
        let name = tree.name(of: node)
        let known = outline.isLibraryFunction(name)
        // The app may have a function that the environment does not declare. Nothing of a call of
        // another unknown function is evaluated.
        if environment.deviceFunctions[name] != nil || environment.hasAdded(name) || name == "hasFn"
          || !known && node.receiver != nil && hasTableAsTarget(node)
        {
          reader = id
          return nil
        }
        guard known || tree.dialect.name == .cel else { continue }
        var inner = bound
        var operands = tree.operands(of: node)
        if ScopedCall.loops.contains(name), operands.count >= 2,
          tree[operands[1]].kind == .identifier
        {
          inner.insert(tree.name(of: tree[operands[1]]))
          work.append((operands.removeFirst(), bound))
        }
        for operand in operands { work.append((operand, inner)) }
      default: tree.forEachChild(of: node) { work.append((NodeID($0), bound)) }
      }
    }
    return names
  }
}
