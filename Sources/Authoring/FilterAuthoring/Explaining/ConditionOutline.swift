import ExpressionEngine
import ExpressionSyntax

/// The conditions of a filter as they are written: the nodes that are conditions, and how they are
/// nested. An outline does not depend on a context.
struct ConditionOutline {
  /// A condition and its parts.
  struct Part {
    let node: NodeID
    let kind: Explanation.Condition.Kind
    let role: Explanation.Condition.Role
    /// The number of conditions around this one, loops included.
    let depth: Int
    /// The parts that do not depend on the context; those of a loop depend on its elements.
    let children: [Part]
    /// The loop, if the condition is one.
    let loop: Loop?
  }

  /// A call of `all`, `exists` or `exists_one`.
  struct Loop {
    /// The kind of a loop's result.
    enum Kind: String {
      case all
      case exists
      case existsOne = "exists_one"
    }

    let kind: Kind
    let range: NodeID
    let variable: String
    let body: NodeID
  }

  /// The largest number of conditions in an outline; deeper ones are shown as a whole.
  static let limit = 2_000
  /// The deepest nesting of conditions. Explaining recurses as deep, with large stack frames.
  static let depthLimit = 12

  let tree: SyntaxTree
  let environment: FilterEnvironment
  private var remaining = Self.limit
  private(set) var isTruncated = false

  init(_ tree: SyntaxTree, environment: FilterEnvironment) {
    self.tree = tree
    self.environment = environment
  }

  /// Returns the outline of the part of the filter under a node.
  mutating func part(
    _ id: NodeID, role: Explanation.Condition.Role = .operand, depth: Int = 0
  ) -> Part {
    let node = tree[id]
    remaining -= 1
    guard remaining > 0, depth < Self.depthLimit else {
      isTruncated = isTruncated || Self.isCompound(node)
      return Part(
        node: id, kind: kind(of: node), role: role, depth: depth, children: [], loop: nil)
    }
    var children: [Part] = []
    var loop: Loop?
    switch node.kind {
    case .binary where node.op == .and || node.op == .or:
      for operand in tree.operands(ofChain: id) { children.append(part(operand, depth: depth + 1)) }
    case .unary where node.op == .not || node.op == .doubleNot:
      children = [part(NodeID(node.first), depth: depth + 1)]
    case .conditional:
      for (child, role) in zip(
        [node.first, node.second, node.third],
        [Explanation.Condition.Role.condition, .then, .otherwise])
      {
        children.append(part(NodeID(child), role: role, depth: depth + 1))
      }
    case .binary where node.op.info.isComparison:
      for operand in [node.first, node.second] where isCondition(NodeID(operand)) {
        children.append(part(NodeID(operand), depth: depth + 1))
      }
    case .call: loop = self.loop(node)
    default: break
    }
    return Part(
      node: id, kind: kind(of: node), role: role, depth: depth, children: children, loop: loop)
  }

  /// Returns whether an operand of a comparison is shown as a condition of its own.
  private func isCondition(_ id: NodeID) -> Bool {
    let node = tree[id]
    switch node.kind {
    case .binary: return node.op == .and || node.op == .or || node.op.info.isComparison
    case .unary: return node.op == .not || node.op == .doubleNot
    case .conditional: return true
    case .call: return loop(node) != nil
    default: return false
    }
  }

  private static func isCompound(_ node: SyntaxNode) -> Bool {
    node.kind == .conditional || node.op == .and || node.op == .or || node.op == .not
      || node.op == .doubleNot
  }

  private func kind(of node: SyntaxNode) -> Explanation.Condition.Kind {
    switch node.kind {
    case .binary:
      if node.op == .and { return .all }
      if node.op == .or { return .any }
      return node.op.info.isComparison ? .comparison : .value
    case .unary: return node.op == .not || node.op == .doubleNot ? .not : .value
    case .conditional: return .conditional
    case .call: return loop(node) == nil ? .call : .loop
    default: return .value
    }
  }

  /// Returns the loop of a call, if the call is a loop whose elements can be examined one by one.
  func loop(_ node: SyntaxNode) -> Loop? {
    let name = tree.name(of: node)
    guard node.kind == .call, let kind = Loop.Kind(rawValue: name), !isHostFunction(name) else {
      return nil
    }
    var arguments = Array(tree.children(of: node))
    let range: UInt32
    if node.first != SyntaxNode.none {
      range = node.first
    } else {
      // The superscript dialect also accepts the list as the first argument.
      guard tree.dialect.name == .superscript, arguments.count == 3 else { return nil }
      range = arguments.removeFirst()
    }
    guard arguments.count == 2 else { return nil }
    let variable = tree.nodes[Int(arguments[0])]
    guard variable.kind == .identifier else { return nil }
    return Loop(
      kind: kind, range: NodeID(range), variable: tree.name(of: variable),
      body: NodeID(arguments[1]))
  }

  func isHostFunction(_ name: String) -> Bool {
    environment.callsHost(name)
  }
}
