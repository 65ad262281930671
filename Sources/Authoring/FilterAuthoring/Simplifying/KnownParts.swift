import ExpressionChecking
import ExpressionEngine
import ExpressionSyntax
import FilterAnalysis

/// The parts of a filter that read nothing but known attributes.
struct KnownParts {
  private let tree: SyntaxTree
  private let environment: FilterEnvironment
  private let context: Context
  private let missing: Set<AttributePath>
  private var closed: [Bool] = []
  /// The uses and declarations of the variables of loops, with the places where these are known.
  private var locals: [SourceSpan: SourceSpan] = [:]

  /// - Complexity: O(n) in the number of nodes.
  init(
    _ tree: SyntaxTree, environment: FilterEnvironment, context: Context,
    missing: Set<AttributePath>
  ) {
    self.tree = tree
    self.environment = environment
    self.context = context
    self.missing = missing
    // Declarations that contradict each other tell nothing about the variables of loops.
    guard let declarations = try? environment.checkingDeclarations() else {
      closed = Array(repeating: false, count: tree.nodes.count)
      return
    }
    for variable in tree.localVariables(declarations) {
      for span in variable.spans { locals[span] = variable.scope }
    }
    findClosed()
  }

  /// Whether a part reads nothing but known attributes, and calls nothing that the app provides.
  func isClosed(_ id: NodeID) -> Bool { closed[Int(id.index)] }

  /// Whether a node is the name of a root that every context has.
  func hasRoot(_ id: NodeID) -> Bool {
    guard tree[id].kind == .identifier, local(id) == nil else { return false }
    return hasRoot(named: tree.name(of: tree[id]))
  }

  private func hasRoot(named name: String) -> Bool {
    switch name {
    case "device" where tree.dialect.name == .superscript: true
    case "user", "device", "params": context.value(root: name, names: []) != nil
    default: false
    }
  }

  private func local(_ id: NodeID) -> SourceSpan? { locals[tree.nameSpan(of: tree[id])] }

  /// Nodes come after those below them.
  private mutating func findClosed() {
    // The scopes of the variables that are read below a node, as one span.
    var scopes: [SourceSpan?] = []
    for (index, node) in tree.nodes.enumerated() {
      let id = NodeID(UInt32(truncatingIfNeeded: index))
      var isClosed = true
      var scope: SourceSpan?
      tree.forEachChild(of: node) { child in
        isClosed = isClosed && (closed[Int(child)] || scopes[Int(child)] != nil)
        if let inner = scopes[Int(child)] { scope = Self.union(scope, inner) }
      }
      switch node.kind {
      case .identifier:
        scope = local(id)
        isClosed = scope != nil || isKnown(AttributePath(root: tree.name(of: node)))
      case .select, .index:
        if scope == nil, let path = tree.attributePath(of: id) { isClosed = isKnown(path) }
      case .call: isClosed = isClosed && !mayCallHost(node)
      case .message: isClosed = false
      default: break
      }
      // A variable is known inside of its loop.
      if let inner = scope, node.span.start <= inner.start, inner.end <= node.span.end {
        scope = nil
      }
      scopes.append(isClosed ? scope : nil)
      closed.append(isClosed && scope == nil)
    }
  }

  private static func union(_ left: SourceSpan?, _ right: SourceSpan) -> SourceSpan {
    guard let left else { return right }
    return SourceSpan(start: min(left.start, right.start), end: max(left.end, right.end))
  }

  private func isKnown(_ path: AttributePath) -> Bool {
    // A container has further names for each variable.
    guard environment.container.isEmpty || tree.dialect.name == .superscript else { return false }
    switch path.root {
    case "user", "device", "params":
      guard let name = path.names.first else { return false }
      if context.value(root: path.root, names: [name]) != nil { return true }
      return hasRoot(named: path.root)
        && missing.contains(AttributePath(root: path.root, names: [name]))
    case "computed": return false
    default:
      return context.value(root: path.root, names: []) != nil
        || missing.contains(AttributePath(root: path.root))
    }
  }

  private func mayCallHost(_ node: SyntaxNode) -> Bool {
    let name = tree.name(of: node)
    if environment.callsHost(name) || name == "hasFn" { return true }
    guard let target = node.receiver.map({ tree[$0] }) else { return false }
    return target.kind == .identifier && ["device", "computed"].contains(tree.name(of: target))
  }
}
