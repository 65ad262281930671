import ExpressionEngine
import ExpressionSyntax
import FilterAnalysis

/// A condition on one attribute whose requirement can be worded: a comparison with a constant, a
/// truth value, a search in a text or a list.
struct PlainCondition {
  /// A value to try for an attribute; `nil` to remove the attribute.
  struct Candidate {
    let value: Value?
  }

  private enum Form {
    /// `attribute op constant`.
    case comparison(Operator, Value, text: String)
    /// `attribute in constants`.
    case oneOf([Value], text: String)
    /// `size(attribute) op constant`.
    case size(Operator, Value, text: String)
    /// The attribute itself.
    case truth
    /// `has(attribute)`.
    case presence
    /// `attribute.startsWith(text)` and the like, by the function's name.
    case text(function: String, Value, text: String)
    /// A list attribute that must contain these elements.
    case elements([Value], text: String)
  }

  /// The attribute, or the call of a function of the app.
  let target: ChangeTarget
  private let form: Form

  /// Creates a plain condition from a node.
  ///
  /// - Returns: `nil` if the node is not a plain condition.
  init?(_ tree: SyntaxTree, _ id: NodeID, outline: ConditionOutline) {
    let node = tree[id]
    switch node.kind {
    case .select, .index:
      guard let target = ChangeTarget(tree, id, outline: outline) else { return nil }
      self.init(target: target, form: .truth)
    case .binary: self.init(comparison: node, tree, outline)
    case .call: self.init(call: node, tree, outline)
    default: return nil
    }
  }

  private init(target: ChangeTarget, form: Form) {
    self.target = target
    self.form = form
  }

  private init?(comparison node: SyntaxNode, _ tree: SyntaxTree, _ outline: ConditionOutline) {
    guard node.op.info.isComparison else { return nil }
    let left = NodeID(node.first)
    let right = NodeID(node.second)
    if node.op == .in {
      if let target = ChangeTarget(tree, left, outline: outline),
        case .list(let values)? = tree.constant(of: right)
      {
        self.init(target: target, form: .oneOf(values, text: tree.text(ofNode: right)))
        return
      }
      guard let element = tree.constant(of: left),
        let target = ChangeTarget(tree, right, outline: outline)
      else { return nil }
      self.init(target: target, form: .elements([element], text: tree.text(ofNode: left)))
      return
    }
    if let target = ChangeTarget(tree, left, outline: outline),
      let value = tree.constant(of: right)
    {
      self.init(target: target, form: .comparison(node.op, value, text: tree.text(ofNode: right)))
    } else if let target = ChangeTarget(tree, right, outline: outline),
      let value = tree.constant(of: left)
    {
      self.init(
        target: target, form: .comparison(node.op.mirrored, value, text: tree.text(ofNode: left)))
    } else if let value = tree.constant(of: right), tree[left].kind == .call,
      tree.name(of: tree[left]) == "size", !outline.isHostFunction("size"),
      let argument = Self.onlyArgument(tree[left], tree),
      let target = ChangeTarget(tree, argument, outline: outline)
    {
      self.init(target: target, form: .size(node.op, value, text: tree.text(ofNode: right)))
    } else {
      return nil
    }
  }

  private init?(call node: SyntaxNode, _ tree: SyntaxTree, _ outline: ConditionOutline) {
    let name = tree.name(of: node)
    if outline.isHostFunction(name) || !FunctionNames.all(in: tree.dialect.name).contains(name) {
      guard let index = tree.nodes.firstIndex(where: { $0.span == node.span && $0.kind == .call }),
        let target = ChangeTarget(tree, NodeID(UInt32(index)), outline: outline)
      else { return nil }
      self.init(target: target, form: .truth)
      return
    }
    switch name {
    case "has":
      guard let argument = Self.onlyArgument(node, tree), tree[argument].kind == .select,
        let target = ChangeTarget(tree, argument, outline: outline)
      else { return nil }
      self.init(target: target, form: .presence)
    case "startsWith", "endsWith", "contains":
      guard node.first != SyntaxNode.none,
        let target = ChangeTarget(tree, NodeID(node.first), outline: outline),
        node.third == 1, let argument = tree.children(of: node).first,
        let value = tree.constant(of: NodeID(argument))
      else { return nil }
      let text = tree.text(ofNode: NodeID(argument))
      self.init(target: target, form: .text(function: name, value, text: text))
    default:
      // `["gold"].all(id, device.activeEntitlements.contains(id))`
      guard let loop = outline.loop(node), loop.kind == .all,
        case .list(let values)? = tree.constant(of: loop.range),
        let list = Self.containing(loop.variable, tree[loop.body], tree),
        let target = ChangeTarget(tree, list, outline: outline)
      else { return nil }
      self.init(target: target, form: .elements(values, text: tree.text(ofNode: loop.range)))
    }
  }

  private static func onlyArgument(_ node: SyntaxNode, _ tree: SyntaxTree) -> NodeID? {
    guard node.first == SyntaxNode.none, node.third == 1 else { return nil }
    return tree.children(of: node).first.map { NodeID($0) }
  }

  /// Returns the list in `list.contains(variable)` or `variable in list`.
  private static func containing(
    _ variable: String, _ node: SyntaxNode, _ tree: SyntaxTree
  ) -> NodeID? {
    if node.kind == .binary, node.op == .in {
      guard tree.attributePath(of: NodeID(node.first)) == AttributePath(root: variable) else {
        return nil
      }
      return NodeID(node.second)
    }
    guard node.kind == .call, tree.name(of: node) == "contains", node.first != SyntaxNode.none,
      node.third == 1, let argument = tree.children(of: node).first,
      tree.attributePath(of: NodeID(argument)) == AttributePath(root: variable)
    else { return nil }
    return NodeID(node.first)
  }

  // MARK: Words and values

  /// Returns the condition's requirement on the attribute, in words.
  func requirement(wanted: Bool, current: Value?) -> String {
    switch form {
    case .comparison(let op, let constant, let text):
      Self.kindNeeded(constant, current) + "\((wanted ? op : op.negated).spelling) \(text)"
    case .oneOf(_, let text): wanted ? "one of \(text)" : "none of \(text)"
    case .size(let op, _, let text):
      "a size \((wanted ? op : op.negated).spelling) \(text)"
    case .truth: "\(wanted)"
    case .presence: wanted ? "a value" : "to be missing"
    case .text(let function, _, let text):
      switch function {
      case "startsWith": wanted ? "to start with \(text)" : "not to start with \(text)"
      case "endsWith": wanted ? "to end with \(text)" : "not to end with \(text)"
      default: wanted ? "to contain \(text)" : "not to contain \(text)"
      }
    case .elements(_, let text): wanted ? "to contain \(text)" : "not to contain \(text)"
    }
  }

  /// Returns the words for a value of the wrong kind: a text that looks like a number is not a
  /// number.
  private static func kindNeeded(_ constant: Value, _ current: Value?) -> String {
    switch (constant, current) {
    case (.int, .string), (.double, .string), (.uint, .string): "a number "
    case (.string, .int), (.string, .double), (.string, .uint): "a text "
    default: ""
    }
  }

  /// Adds what the condition mentions, for finding a value with which several conditions hold.
  func collect(into values: inout CandidateValues, wanted: Bool) {
    switch form {
    case .comparison(_, let constant, _): Self.add(constant, to: &values)
    case .oneOf(let constants, _): for constant in constants { Self.add(constant, to: &values) }
    case .size(_, .int(let size), _): values.sizes.append(Int(clamping: size))
    case .text(let function, .string(let text), _):
      switch (function, wanted) {
      case ("startsWith", true): values.prefixes.append(text)
      case ("endsWith", true): values.suffixes.append(text)
      case (_, true):
        values.parts.append(text)
        values.elements.append(.string(text))
      case (_, false): values.unwanted.append(.string(text))
      }
    case .text(_, let element, _):
      if wanted { values.elements.append(element) } else { values.unwanted.append(element) }
    case .elements(let constants, _):
      if wanted { values.elements += constants } else { values.unwanted += constants }
    case .size, .truth, .presence: break
    }
  }

  private static func add(_ constant: Value, to values: inout CandidateValues) {
    switch constant {
    case .string(let text): values.texts.append(text)
    case .double(let number):
      values.numbers.append(number)
      values.hasDoubles = true
    default: if let number = ConditionTest.number(constant) { values.numbers.append(number) }
    }
  }

  /// Returns values that may meet the requirement, the most natural first.
  func candidates(wanted: Bool, current: Value?) -> [Candidate] {
    let values: [Value?]
    switch form {
    case .comparison(let op, let constant, _): values = Self.values(near: constant, op, current)
    case .oneOf(let constants, _):
      values =
        wanted
        ? constants.map { $0 }
        : constants.flatMap { Self.values(near: $0, .notEqual, current) }
    case .size(_, let constant, _): values = Self.values(ofSize: constant, current)
    case .truth: values = [.bool(wanted)]
    case .presence: values = wanted ? [.bool(true)] : [nil]
    case .text(let function, let constant, _):
      if case .list(let elements)? = current, function == "contains" {
        values = [.list(elements + [constant]), .list(elements.filter { $0 != constant })]
      } else {
        values = wanted ? [constant, .list([constant])] : [.string(""), .list([])]
      }
    case .elements(let constants, _):
      var elements: [Value] = []
      if case .list(let existing)? = current { elements = existing }
      values =
        wanted
        ? [.list(elements + constants.filter { !elements.contains($0) })]
        : [.list(elements.filter { !constants.contains($0) })]
    }
    return values.map { Candidate(value: $0) }
  }

  private static func values(near constant: Value, _ op: Operator, _ current: Value?) -> [Value?] {
    switch constant {
    case .int(let number):
      return [constant, .int(number &+ 1), .int(number &- 1)]
    case .uint(let number):
      return [constant, .uint(number &+ 1), .uint(number == 0 ? 0 : number &- 1)]
    case .double(let number): return [constant, .double(number + 1), .double(number - 1)]
    case .bool(let truth): return [constant, .bool(!truth)]
    case .string(let text):
      var values: [Value?] = [constant, .string(text + "a"), .string("")]
      if let last = text.unicodeScalars.last, let lower = Unicode.Scalar(last.value &- 1) {
        var scalars = text.unicodeScalars
        scalars.removeLast()
        scalars.append(lower)
        values.append(.string(String(scalars)))
      }
      return values
    case .null: return [nil, .null, .string("a")]
    default: return [constant]
    }
  }

  private static func values(ofSize constant: Value, _ current: Value?) -> [Value?] {
    guard case .int(let size) = constant, size >= 0, size <= 16 else { return [] }
    return [size, size + 1, size - 1].filter { $0 >= 0 }.map { count in
      if case .string? = current { return .string(String(repeating: "a", count: Int(count))) }
      var elements: [Value] = []
      if case .list(let existing)? = current { elements = Array(existing.prefix(Int(count))) }
      while elements.count < Int(count) { elements.append(.string("item \(elements.count + 1)")) }
      return .list(elements)
    }
  }
}

extension Operator {
  /// The comparison with its sides swapped.
  var mirrored: Operator {
    switch self {
    case .less: .greater
    case .lessEqual: .greaterEqual
    case .greater: .less
    case .greaterEqual: .lessEqual
    default: self
    }
  }

  /// The comparison that holds when this one does not.
  var negated: Operator {
    switch self {
    case .equal: .notEqual
    case .notEqual: .equal
    case .less: .greaterEqual
    case .lessEqual: .greater
    case .greater: .lessEqual
    case .greaterEqual: .less
    default: self
    }
  }
}
