package import ExpressionSyntax

// source ─Tokenizer▶ tokens ─Parser▶ Syntax ─[Checker]▶ types + diagnostics; Syntax ─Lowering▶ IR
// ─Compiler▶ …

/// The gradual type checker (docs/spec/cel.md §13): it finds types and mistakes, and never changes
/// what an expression means.
package enum Checker {
  /// The largest number of diagnostics for one expression.
  package static let maximumDiagnostics = 10

  /// Checks an expression against declarations.
  ///
  /// - Parameters:
  ///   - tree: The expression.
  ///   - declarations: The names it may use, with their types, and the rules of its dialect.
  ///   - known: Returns the type of a node that is known from elsewhere, such as that of an
  ///     attribute. The mistakes then include those that only this type causes.
  /// - Returns: The types of all nodes, and the mistakes.
  /// - Complexity: O(n) in the number of nodes, times the number of overloads of what is called.
  ///   The call stack does not grow with the tree.
  package static func check(
    _ tree: SyntaxTree, declarations: Declarations,
    known: @escaping (NodeID) -> Type? = { _ in nil }
  ) -> CheckResult {
    var pass = CheckPass(tree, declarations, known)
    return pass.run()
  }
}

/// One walk over a tree.
///
/// Nodes are in post-order, so the walk is a loop: a node's children have their types when it comes
/// up. Scopes of macros open and close at the nodes that `TreeOutline` names.
struct CheckPass {
  let tree: SyntaxTree
  let declarations: Declarations
  let outline: TreeOutline
  /// The types that are known from elsewhere.
  let known: (NodeID) -> Type?
  var rules: CheckingRules { declarations.rules }

  var substitution = TypeSubstitution()
  var types: [Type?]
  /// The nodes that are numbers of a kind that shows at evaluation only.
  var numbers: Set<NodeID> = []
  var diagnostics: [Diagnostic] = []
  /// The undeclared names that were reported.
  var reportedNames: Set<String> = []
  /// Whether a node got its type, or lost it to a longer name, before its turn.
  var isNamed: [Bool]
  /// The functions that are called by a dotted name, by the node of the call.
  var qualifiedCalls: [NodeID: String] = [:]
  /// The variables of macros, innermost last.
  var scope: [(name: String, type: Type)] = []
  /// The number of variables of each open scope.
  var scopeSizes: [Int] = []
  /// The lists of the open `cel.block`s, innermost last.
  var blocks: [NodeID] = []

  init(
    _ tree: SyntaxTree, _ declarations: Declarations, _ known: @escaping (NodeID) -> Type?
  ) {
    self.tree = tree
    self.declarations = declarations
    self.known = known
    outline = TreeOutline(tree, declarations)
    types = [Type?](repeating: nil, count: tree.nodes.count)
    isNamed = [Bool](repeating: false, count: tree.nodes.count)
  }

  mutating func run() -> CheckResult {
    for (index, node) in tree.nodes.enumerated() {
      let id = NodeID(UInt32(truncatingIfNeeded: index))
      if let macro = outline.opening[id] { open(macro) }
      if !outline.isSkipped[index], !isNamed[index] {
        types[index] = (known(id) ?? infer(node, id))?.pruned
      }
      if let macro = outline.closing[id] { close(macro) }
      substitution.commit()
    }
    let final = types.map { $0.map { substitution.final($0) } }
    let sorted = diagnostics.sorted { $0.primary.span.start < $1.primary.span.start }
    return CheckResult(
      type: (final.last ?? nil) ?? .error, types: final, numbers: numbers,
      diagnostics: Array(sorted.prefix(Checker.maximumDiagnostics)))
  }

  /// The type of a child; a child without a type is part of a mistake that was reported.
  func type(_ id: NodeID) -> Type { types[Int(id.index)] ?? .error }

  private mutating func infer(_ node: SyntaxNode, _ id: NodeID) -> Type? {
    switch node.kind {
    case .nullLiteral: .null
    case .boolLiteral: .bool
    case .intLiteral: .int
    case .uintLiteral: .uint
    case .doubleLiteral: .double
    case .stringLiteral: .string
    case .bytesLiteral: .bytes
    case .identifier: inferName(node, id)
    case .select: inferSelection(node)
    case .index: inferOperator(node, id, node.flags.contains(.optional) ? .optionalIndex : .index)
    case .unary, .binary: inferOperator(node, id, node.op)
    case .conditional: inferConditional(node)
    case .list: inferList(node)
    case .map: inferMap(node)
    case .optionalEntry: type(node.operand)
    case .message: inferMessage(node)
    case .call:
      if let macro = outline.macros[id] { inferMacro(macro, id) } else { inferCall(node, id) }
    }
  }

  // MARK: Literals

  private mutating func inferList(_ node: SyntaxNode) -> Type {
    var element: Type?
    for child in tree.arguments(of: node) {
      element = joined(element, contentType(child))
    }
    return .list(element ?? substitution.fresh())
  }

  private mutating func inferMap(_ node: SyntaxNode) -> Type {
    var key: Type?
    var value: Type?
    let children = tree.arguments(of: node)
    for (position, child) in children.enumerated() {
      if position % 2 == 0 {
        checkKey(child)
        key = joined(key, type(child))
      } else {
        let isOptional = tree[children[position - 1]].kind == .optionalEntry
        value = joined(value, isOptional ? optionalContent(type(child), at: child) : type(child))
      }
    }
    return .map(key ?? substitution.fresh(), value ?? substitution.fresh())
  }

  /// The type that an element adds to its list.
  private mutating func contentType(_ child: NodeID) -> Type {
    tree[child].kind == .optionalEntry ? optionalContent(type(child), at: child) : type(child)
  }

  /// The type of several elements; `dyn` where they disagree (docs/spec/cel.md §13).
  private mutating func joined(_ known: Type?, _ next: Type) -> Type {
    guard let known else { return next }
    if let type = substitution.join(known, next) { return type.pruned }
    _ = substitution.join(.dyn, known)
    _ = substitution.join(.dyn, next)
    return .dyn
  }

  private mutating func checkKey(_ child: NodeID) {
    let type = substitution.shallow(type(child))
    switch type {
    case .int, .uint, .bool, .string, .dyn, .any, .variable, .error, .parameter: break
    case .wrapper(let primitive) where primitive != .double && primitive != .bytes: break
    default:
      report(
        .unusableKeyType, "a map key cannot be \(article(type))", at: tree[child].span,
        label: text(type), helps: ["use a string, an int, a uint or a bool as the key"])
    }
  }

  /// The type of the content of an optional.
  mutating func optionalContent(_ type: Type, at id: NodeID) -> Type {
    let content = substitution.fresh()
    let known = substitution.shallow(type)
    if substitution.join(known, .optional(content)) != nil, known != .null {
      if case .error = known { return .error }
      return content
    }
    report(
      .notOptional, "expected an optional value, found \(text(type))",
      at: tree[id].span, label: text(type),
      helps: ["wrap the value: `optional.of(…)`"])
    return .error
  }

  private mutating func inferMessage(_ node: SyntaxNode) -> Type {
    report(
      .unsupportedConstruct, "there are no message types: fields in braces have no meaning",
      at: node.span, helps: ["write a map: `{\"field\": value}`"])
    return .error
  }
}
