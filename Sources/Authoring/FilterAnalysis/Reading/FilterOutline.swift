package import ExpressionEngine
package import ExpressionSyntax

/// The structure of one filter: the conditions, what connects them, the variables of loops, and
/// the relation of each condition to constants.
///
/// The explainer, the prover and the lints read a filter through its outline. An outline belongs to
/// one thread at a time, because it keeps what it has found.
package final class FilterOutline {
  package let tree: SyntaxTree
  package let environment: FilterEnvironment

  /// Creates the outline of a tree, which takes no time.
  ///
  /// - Parameter environment: The dialect and the functions of the app.
  package init(_ tree: SyntaxTree, environment: FilterEnvironment) {
    self.tree = tree
    self.environment = environment
  }

  // MARK: Forms

  /// The parts of a node that are conditions themselves.
  package enum Form {
    case all([NodeID])
    case any([NodeID])
    case not(NodeID)
    case doubleNot(NodeID)
    case conditional(NodeID, then: NodeID, otherwise: NodeID)
    /// A node that is not made of conditions by connectives.
    case condition
  }

  /// Returns the form of a node. The operands of a chain of one connective are listed in order.
  package func form(of id: NodeID) -> Form {
    let node = tree[id]
    switch node.kind {
    case .binary where node.op == .and: return .all(tree.operands(ofChain: id))
    case .binary where node.op == .or: return .any(tree.operands(ofChain: id))
    case .unary where node.op == .not: return .not(node.operand)
    case .unary where node.op == .doubleNot: return .doubleNot(node.operand)
    case .conditional:
      return .conditional(node.condition, then: node.consequence, otherwise: node.alternative)
    default: return .condition
    }
  }

  /// Returns the operands of a chain of one connective, also those in parentheses.
  package func operands(of id: NodeID, _ op: Operator) -> [NodeID] {
    var result: [NodeID] = []
    var work = [id]
    while let next = work.popLast() {
      let node = tree[next]
      if node.isBinary(op) {
        work.append(node.right)
        work.append(node.left)
      } else {
        result.append(next)
      }
    }
    return result
  }

  /// The number of conditions that are not made of others.
  package var conditionCount: Int {
    var count = 0
    var work = [tree.root]
    while let id = work.popLast() {
      switch form(of: id) {
      case .all(let parts), .any(let parts): work += parts
      case .not(let part), .doubleNot(let part): work.append(part)
      case .conditional(let condition, let first, let second): work += [condition, first, second]
      case .condition: count += 1
      }
    }
    return count
  }

  /// By node, whether only its truth matters: the filter itself, and the parts of such nodes that
  /// connectives join.
  package private(set) lazy var isCondition: [Bool] = {
    var result = [Bool](repeating: false, count: tree.nodes.count)
    result[Int(tree.root.index)] = true
    // Parents come after their children.
    for index in tree.nodes.indices.reversed() where result[index] {
      let node = tree.nodes[index]
      switch node.kind {
      case .binary where node.op == .and || node.op == .or:
        result[Int(node.left.index)] = true
        result[Int(node.right.index)] = true
      case .unary where node.op == .not || node.op == .doubleNot:
        result[Int(node.operand.index)] = true
      case .conditional: tree.forEachChild(of: node) { result[Int($0)] = true }
      default: break
      }
    }
    return result
  }()

  // MARK: Names

  /// Returns whether the app implements a function of this name.
  package func isHostFunction(_ name: String) -> Bool {
    environment.callsHost(name)
  }

  /// Returns whether the dialect has a function of this name.
  package func isLibraryFunction(_ name: String) -> Bool { libraryFunctions.contains(name) }

  private lazy var libraryFunctions = Set(FunctionNames.all(in: tree.dialect.name))

  // MARK: Surroundings

  private lazy var parents: [NodeID] = {
    var parents = [NodeID](repeating: tree.root, count: tree.nodes.count)
    for (index, node) in tree.nodes.enumerated() {
      tree.forEachChild(of: node) { parents[Int($0)] = NodeID(UInt32(index)) }
    }
    return parents
  }()

  /// Returns the parent of a node; the root is its own parent.
  package func parent(of id: NodeID) -> NodeID { parents[Int(id.index)] }

  /// Returns what a search finds first in the nodes around a node, from the inside out.
  ///
  /// - Parameter search: Takes a node, and the part of it that contains the one in question.
  package func nearest<Result>(
    around id: NodeID, _ search: (_ node: SyntaxNode, _ part: NodeID) -> Result?
  ) -> Result? {
    var part = id
    while part != tree.root {
      let outer = parent(of: part)
      if let result = search(tree[outer], part) { return result }
      part = outer
    }
    return nil
  }

  /// A step of the walk that finds the variables of loops.
  ///
  /// It is not local to the walk, because other modules in Embedded Swift cannot read such a type.
  private enum BindingStep {
    case visit(NodeID)
    case enter([String])
    case leave([String])
  }

  /// By node, whether it is the variable of an enclosing loop.
  package private(set) lazy var isBound: [Bool] = {
    var result = [Bool](repeating: false, count: tree.nodes.count)
    var scope: [String: Int] = [:]
    var work: [BindingStep] = [.visit(tree.root)]
    while let step = work.popLast() {
      switch step {
      case .enter(let names): for name in names { scope[name, default: 0] += 1 }
      case .leave(let names): for name in names { scope[name, default: 1] -= 1 }
      case .visit(let id):
        let node = tree[id]
        if node.kind == .identifier {
          result[Int(id.index)] = !node.isRooted && scope[tree.name(of: node), default: 0] > 0
        }
        guard let scoped = ScopedCall(node, tree, environment) else {
          tree.forEachChild(of: node) { work.append(.visit(NodeID($0))) }
          continue
        }
        // The last step pushed is the first one taken.
        for variable in scoped.variables { result[Int(variable.index)] = true }
        let names = scoped.variables.map { tree.name(of: tree[$0]) }
        work.append(.leave(names))
        for child in scoped.inside { work.append(.visit(child)) }
        work.append(.enter(names))
        for child in scoped.outside { work.append(.visit(child)) }
      }
    }
    return result
  }()

  /// Returns the innermost call around a node that evaluates the node with variables of its own.
  ///
  /// - Parameter isWanted: Whether a call counts.
  package func scope(
    around id: NodeID, where isWanted: (ScopedCall) -> Bool
  ) -> ScopedCall? {
    nearest(around: id) { node, part in
      guard let scoped = ScopedCall(node, tree, environment), scoped.inside.contains(part),
        isWanted(scoped)
      else { return nil }
      return scoped
    }
  }

  /// Returns the list whose elements the variable of a loop stands for.
  ///
  /// - Parameter variable: An identifier inside the loop.
  /// - Returns: `nil` if it is not the variable of a loop with one variable.
  package func range(of variable: NodeID) -> NodeID? {
    guard isBound[Int(variable.index)] else { return nil }
    let name = tree.name(of: tree[variable])
    let loop = scope(around: variable) { scoped in
      scoped.variables.contains { tree.name(of: tree[$0]) == name }
    }
    guard let loop, loop.variables.count == 1 else { return nil }
    return loop.outside.first
  }

  /// Returns the path of the attribute that a node reads, unless it starts at the variable of a
  /// loop.
  package func freePath(_ id: NodeID) -> AttributePath? {
    guard let path = tree.attributePath(of: id), !path.names.isEmpty else { return nil }
    var root = id
    while tree[root].kind != .identifier { root = tree[root].operand }
    return isBound[Int(root.index)] ? nil : path
  }
}
