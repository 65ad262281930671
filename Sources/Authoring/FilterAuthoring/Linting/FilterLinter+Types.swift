import ExpressionChecking
import ExpressionEngine
import ExpressionSyntax
import FilterAnalysis

extension FilterLinter {
  /// Returns the schema's entry for the attribute that a node reads.
  func knownAttribute(_ id: NodeID) -> AttributeSchema.Attribute? {
    guard let path = freePath(id) else { return knownMember(id) }
    return schema.attribute(at: path)
  }

  /// Returns the schema's entry for a member of the elements of a list, under the name that it is
  /// written with.
  private func knownMember(_ id: NodeID) -> AttributeSchema.Attribute? {
    guard let (list, name) = elementMember(id),
      var member = list.members.first(where: { $0.path == name })
    else { return nil }
    member.path = text(id)
    return member
  }

  /// Returns the list and the name of the member that a node reads of one of its elements:
  /// `s.store` in a loop over `s`, or `list[0].store`.
  func elementMember(_ id: NodeID) -> (list: AttributeSchema.Attribute, name: String)? {
    let node = tree[id]
    guard node.kind == .select else { return nil }
    let owner = node.operand
    let range: NodeID?
    switch tree[owner].kind {
    case .identifier: range = outline.range(of: owner)
    case .index: range = tree[owner].operand
    default: range = nil
    }
    guard let range, let path = freePath(range), let list = schema.attribute(at: path) else {
      return nil
    }
    return (list, tree.name(of: node))
  }

  /// Returns whether a condition is negated, or compared with a bool that it must not be.
  func isDenied(_ id: NodeID) -> Bool {
    guard id != tree.root else { return false }
    let parent = tree[parent(of: id)]
    if parent.isUnary(.not) { return true }
    guard let comparison = ConstantComparison(parent, in: tree), comparison.isEquality,
      comparison.subject == id, case .bool(let truth) = comparison.value
    else { return false }
    return truth != (comparison.op == .equal)
  }

  /// Returns those of some conditions that compare something with a constant.
  func comparisons(among ids: [NodeID]) -> [(id: NodeID, comparison: ConstantComparison)] {
    ids.compactMap { id in
      ConstantComparison(tree[id], in: tree).map { (id: id, comparison: $0) }
    }
  }

  /// Returns whether the filter has a constant text.
  func mentions(_ text: String) -> Bool {
    tree.nodes.contains {
      $0.kind == .stringLiteral && tree.text(of: $0).elementsEqual(text.utf8)
    }
  }

  /// Returns `x` of `!x` and of `x == false`.
  func subject(deniedBy id: NodeID) -> NodeID? {
    if tree[id].isUnary(.not) { return tree[id].operand }
    guard let comparison = ConstantComparison(tree[id], in: tree), comparison.op == .equal,
      comparison.value == .bool(false)
    else { return nil }
    return comparison.subject
  }

  /// Returns a condition in the place of one that is read wrongly, negated if that one is compared
  /// with `false`.
  func replacement(_ condition: String, for id: NodeID) -> String {
    !tree[parent(of: id)].isUnary(.not) && isDenied(id) ? "!(\(condition))" : condition
  }

  /// Returns the path of the attribute that a node reads, unless it starts at the variable of a
  /// loop.
  func freePath(_ id: NodeID) -> AttributePath? { outline.freePath(id) }

  /// Returns the attributes that a part reads.
  func paths(in id: NodeID) -> Set<AttributePath> {
    var found: Set<AttributePath> = []
    var work = [id]
    while let next = work.popLast() {
      if let path = freePath(next) {
        found.insert(path)
      } else {
        work += tree.parts(of: tree[next])
      }
    }
    return found
  }

  /// Returns the attributes that a part reads; `nil` if it reads anything else: a function of the
  /// app, the history, another variable.
  func attributesRead(by id: NodeID) -> [AttributePath]? {
    var found: [AttributePath] = []
    var work = [id]
    while let next = work.popLast() {
      if let path = freePath(next) {
        found.append(path)
        continue
      }
      let node = tree[next]
      switch node.kind {
      case .identifier where !isBound[Int(next.index)]: return nil
      case .call where isHostCall(node): return nil
      default: work += tree.parts(of: node)
      }
    }
    return found
  }

  /// Returns the type of a constant. The texts "true" and "false" are bools only in the superscript
  /// dialect.
  func literalType(of value: Value) -> AttributeType {
    if !isSuperscript, case .string = value { return .string }
    return AttributeType(of: value)
  }

  // MARK: The type checker

  /// Returns the type that a node has in every context, as far as it is known.
  func staticType(_ id: NodeID) -> AttributeType {
    guard let types, let type = types.type(of: id) else { return .any }
    return types.isNumber(id) ? .number : AttributeType(type)
  }

  /// Returns the types of all nodes by the type checker, which learns from the schema what
  /// attributes and functions of the SDKs are.
  ///
  /// What it finds is not reported: a value may have another type than the schema says, so only
  /// the rules decide what is a mistake. ``checkTypes()`` reports what is one in any case.
  func checkedTypes() -> CheckResult {
    var declarations =
      (try? environment.checkingDeclarations())
      ?? Declarations(rules: .rules(of: tree.dialect.name))
    for root in AttributeRoots.names where declarations.variables[root] == nil {
      declarations.declare(variable: root, as: .map(.string, .dyn))
    }
    return Checker.check(tree, declarations: declarations) { [self] in knownType($0) }
  }

  /// Returns the type of a node that the checker cannot know, or not as well.
  private func knownType(_ id: NodeID) -> Type? {
    let node = tree[id]
    switch node.kind {
    case .select, .index: return knownAttribute(id)?.type.checked
    // Also with operands that have no order: these fail when the filter runs.
    case .binary where node.op.isComparison: return .bool
    case .stringLiteral where isSuperscript:
      return tree.constant(of: id).map { literalType(of: $0).checked }
    case .call where outline.isMember(node):
      guard let table = node.receiver else { return nil }
      let function = "\(tree.name(of: tree[table])).\(tree.name(of: node))"
      return (schema.hostFunctions[function] ?? .any).checked
    case .call where historyFunction(node) != nil:
      return outline.isHostFunction(tree.name(of: node)) ? .dyn : .int
    default: return nil
    }
  }

  /// Returns whether a node makes a timestamp or a duration.
  func isMoment(_ node: SyntaxNode) -> Bool {
    guard node.kind == .call, node.receiver == nil else { return false }
    let name = tree.name(of: node)
    return (name == "timestamp" || name == "duration")
      && environment.deviceFunctions[name] == nil && environment.computedFunctions[name] == nil
  }

  /// Returns the function of the SDKs that a call reads a history with. In superscript it may be
  /// called by its name alone, and on anything (docs/spec/superscript.md §14).
  func historyFunction(_ node: SyntaxNode) -> HistoryFunctionInfo? {
    node.kind == .call && (outline.isMember(node) || isSuperscript)
      ? HistoryFunctionInfo.named(tree.name(of: node)) : nil
  }
}

extension AttributeSchema.Attribute {
  /// The values that are not empty, in quotes.
  var quotedValues: [String] { values.filter { !$0.isEmpty }.map { "\"\($0)\"" } }
}

extension AttributeType {
  /// Creates the type of a schema that includes a type of the checker.
  fileprivate init(_ type: Type) {
    switch type {
    case .bool: self = .bool
    case .int, .uint: self = .int
    case .double: self = .number
    case .string: self = .string
    case .list(let element): self = .list(AttributeType(element))
    case .map: self = .map
    default: self = .any
    }
  }

  /// The type of the checker that has the same values. The schema's numbers may be of any kind.
  fileprivate var checked: Type {
    switch self {
    case .bool: .bool
    case .int: .int
    case .number: .double
    case .string: .string
    case .list(let element): .list(element.checked)
    case .map: .map(.string, .dyn)
    case .any: .dyn
    }
  }

  /// The type in the words of a message: `an int`, `a text`.
  var withArticle: String {
    switch self {
    case .bool: "a bool"
    case .int: "an int"
    case .number: "a number"
    case .string: "a string"
    case .list: "a list"
    case .map: "a map"
    case .any: "a value"
    }
  }
}
