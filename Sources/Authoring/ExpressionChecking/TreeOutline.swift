import ExpressionSyntax

/// A call that is a macro.
struct MacroCall {
  /// Its typing rule.
  let form: MacroForm
  /// The value it is called on.
  let target: NodeID?
  /// The arguments in parentheses, without the target of a macro that is written as a function.
  let arguments: [NodeID]

  /// The arguments in which the variables are known.
  var bodies: ArraySlice<NodeID> {
    form.rule == .bind ? arguments[2...] : arguments[form.variables...]
  }
}

/// The facts that the checker needs before it walks a tree from the leaves up: where scopes begin
/// and end, which calls are macros, and what only spells a name.
struct TreeOutline {
  /// The first node of each node's subtree, which reaches up to the node itself.
  private var starts: [UInt32]
  /// The selection whose operand, or the call whose target, a node is.
  private var parents: [NodeID?]
  /// Whether a node has no type: it spells a name, or introduces a variable.
  private(set) var isSkipped: [Bool]
  /// The macro calls by their node.
  private(set) var macros: [NodeID: MacroCall] = [:]
  /// The macro whose scope begins before a node.
  private(set) var opening: [NodeID: NodeID] = [:]
  /// The macro whose scope ends after a node.
  private(set) var closing: [NodeID: NodeID] = [:]

  private let tree: SyntaxTree

  /// - Complexity: O(n) in the number of nodes.
  init(_ tree: SyntaxTree, _ declarations: Declarations) {
    self.tree = tree
    let count = tree.nodes.count
    starts = (0..<count).map { UInt32(truncatingIfNeeded: $0) }
    parents = [NodeID?](repeating: nil, count: count)
    isSkipped = [Bool](repeating: false, count: count)
    for (index, node) in tree.nodes.enumerated() {
      var start = starts[index]
      tree.forEachChild(of: node) { start = min(start, starts[Int($0)]) }
      starts[index] = start
      let id = NodeID(UInt32(truncatingIfNeeded: index))
      switch node.kind {
      case .select: parents[Int(node.operand.index)] = id
      case .call:
        if let receiver = node.receiver { parents[Int(receiver.index)] = id }
        if let macro = macro(node, declarations) {
          add(macro, at: id)
        } else if isMacroOnly(node, declarations) {
          // Its variables are unknown, too: only the call is reported.
          for argument in tree.arguments(of: node) { skip(argument) }
        }
      case .message: skipNames(of: node)
      default: break
      }
    }
  }

  // MARK: Macros

  private func macro(_ node: SyntaxNode, _ declarations: Declarations) -> MacroCall? {
    guard !declarations.macros.isEmpty, !node.flags.contains(.leadingDot) else { return nil }
    let name = tree.name(of: node)
    let arguments = tree.arguments(of: node)
    func form(_ name: String, isReceiverStyle: Bool, count: Int) -> MacroForm? {
      guard let known = declarations.macros[name] else { return nil }
      let forms = known.filter { $0.isReceiverStyle == isReceiverStyle }
      // Where receivers are first arguments, surplus arguments are ignored, too.
      guard declarations.rules.receiverIsFirstArgument else {
        return forms.first { $0.count == count }
      }
      return forms.filter { $0.count <= count }.min { $0.count < $1.count }
    }
    guard let receiver = node.receiver else {
      if let form = form(name, isReceiverStyle: false, count: arguments.count) {
        return MacroCall(form: form, target: nil, arguments: arguments)
      }
      guard declarations.rules.receiverIsFirstArgument, let target = arguments.first,
        let form = form(name, isReceiverStyle: true, count: arguments.count - 1)
      else { return nil }
      return MacroCall(form: form, target: target, arguments: Array(arguments.dropFirst()))
    }
    if let form = form(name, isReceiverStyle: true, count: arguments.count) {
      return MacroCall(form: form, target: receiver, arguments: arguments)
    }
    let target = tree[receiver]
    guard target.kind == .identifier, target.flags.isEmpty,
      let form = form(
        "\(tree.name(of: target)).\(name)", isReceiverStyle: false, count: arguments.count)
    else { return nil }
    return MacroCall(form: form, target: nil, arguments: arguments)
  }

  /// Returns whether a call has the name of a macro but another number of arguments, and is not a
  /// function.
  private func isMacroOnly(_ node: SyntaxNode, _ declarations: Declarations) -> Bool {
    var name = tree.name(of: node)
    if declarations.macros[name] == nil, let receiver = node.receiver.map({ tree[$0] }),
      receiver.kind == .identifier
    {
      name = "\(tree.name(of: receiver)).\(name)"
    }
    return declarations.macros[name] != nil && declarations.functions[name] == nil
  }

  private mutating func add(_ macro: MacroCall, at id: NodeID) {
    macros[id] = macro
    if macro.target == nil, let namespace = tree[id].receiver {
      isSkipped[Int(namespace.index)] = true
    }
    for variable in macro.arguments.prefix(macro.form.variables) { skip(variable) }
    for surplus in macro.arguments.dropFirst(macro.form.count) { skip(surplus) }
    if macro.form.rule == .opaqueBool {
      for argument in macro.arguments { skip(argument) }
    }
    guard macro.form.variables > 0 || macro.form.rule == .block else { return }
    // Each scope begins after a node of the macro itself, its variable or its namespace, so no
    // two begin or end at one place.
    guard let first = macro.bodies.first, let last = macro.bodies.prefix(bodyCount(macro)).last
    else { return }
    opening[NodeID(starts[Int(first.index)])] = id
    closing[last] = id
  }

  /// The number of bodies in the form, without surplus arguments.
  private func bodyCount(_ macro: MacroCall) -> Int {
    macro.form.rule == .bind ? 1 : macro.form.count - macro.form.variables
  }

  private mutating func skip(_ id: NodeID) {
    let last = Int(id.index)
    for index in Int(starts[last])...last { isSkipped[index] = true }
  }

  // MARK: Names

  /// Returns the selection whose operand, or the call whose target, a node is.
  func parent(of id: NodeID) -> NodeID? { parents[Int(id.index)] }

  /// The type's name and the fields' names of `Name{field: value}`.
  private mutating func skipNames(of node: SyntaxNode) {
    skip(node.typeName)
    for (position, child) in tree.arguments(of: node).enumerated() where position % 2 == 0 {
      skip(child)
    }
  }

  /// The name of the variable that a macro's argument introduces.
  func variableName(_ id: NodeID) -> String? {
    let node = tree[id]
    if node.kind == .identifier, node.flags.isDisjoint(with: [.leadingDot, .quotedName]) {
      return tree.name(of: node)
    }
    return blockVariableName(id)
  }

  /// The name that `cel.iterVar(d, u)` or `cel.accuVar(d, u)` stands for.
  func blockVariableName(_ id: NodeID) -> String? {
    guard let macro = macros[id], macro.form.rule == .blockVariable else { return nil }
    let numbers = macro.arguments.map { tree[$0] }
    guard numbers.allSatisfy({ $0.kind == .intLiteral && Int64(bitPattern: $0.payload) >= 0 })
    else { return nil }
    let kind = macro.form.name == "cel.iterVar" ? "@it" : "@ac"
    return numbers.reduce(kind) { "\($0):\($1.payload)" }
  }
}
