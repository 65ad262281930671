import ExpressionEngine
import ExpressionSyntax
import FilterAnalysis

/// Looks for probable mistakes in one filter.
///
/// A wrong warning costs more than a missed one, so nothing is reported where the schema does not
/// know.
struct FilterLinter {
  let tree: SyntaxTree
  let schema: AttributeSchema
  let environment: FilterEnvironment
  /// The parent of each node; the root is its own parent.
  let parents: [UInt32]
  /// Whether an identifier is the variable of an enclosing loop.
  let isBound: [Bool]
  /// Whether only the truth of a node matters.
  let isCondition: [Bool]
  /// For each operation with two operands, the outermost one that is reached through such
  /// operations only.
  let tops: [UInt32]
  /// The variables that exist.
  let knownRoots: Set<String>
  /// The influence of conditions where attributes are missing, once it was asked for.
  var missingOutcomes: MissingOutcomes?
  /// Whether findings about missing attributes have fixes, each of which is tried out.
  var triesFixes = true
  /// The attributes that the schema does not know and whose absence makes the filter match,
  /// with the places.
  var openAttributes: [AttributePath: SourceSpan] = [:]
  /// The findings.
  var diagnostics: [Diagnostic] = []
  /// The ids and places of the findings so far.
  private var reported: Set<Finding> = []
  /// Nodes with a name that was reported; nothing else is reported about them.
  var poisoned: Set<UInt32> = []

  var isSuperscript: Bool { tree.dialect.name == .superscript }

  /// Returns the findings in a filter, in no order, with those that comments silence.
  static func check(
    _ tree: SyntaxTree, schema: AttributeSchema, environment: FilterEnvironment
  ) -> [Diagnostic] {
    var linter = FilterLinter(tree, schema: schema, environment: environment)
    linter.check()
    return linter.diagnostics
  }

  /// Fills ``diagnostics``.
  mutating func check() {
    checkNodes()
    checkResult()
    checkTypes()
    checkConstantParts()
    checkSamples()
  }

  /// Adds the findings about single nodes, and fills ``openAttributes``.
  mutating func checkNodes() {
    for index in tree.nodes.indices { checkNode(UInt32(index)) }
  }

  init(_ tree: SyntaxTree, schema: AttributeSchema, environment: FilterEnvironment) {
    self.tree = tree
    self.schema = schema
    self.environment = environment
    var parents = [UInt32](repeating: tree.root.index, count: tree.nodes.count)
    for (index, node) in tree.nodes.enumerated() {
      tree.forEachChild(of: node) { parents[Int($0)] = UInt32(index) }
    }
    self.parents = parents
    tops = Self.tops(tree, parents)
    knownRoots = Self.roots.union(
      schema.attributes.keys.map { String($0.prefix { $0 != "." && $0 != "[" }) })
    isBound = Self.boundNames(tree, environment)
    isCondition = Self.conditions(tree)
  }

  private mutating func checkNode(_ index: UInt32) {
    let node = tree.nodes[Int(index)]
    let id = NodeID(index)
    switch node.kind {
    // In the cel dialect the type checker knows the names.
    case .identifier: if isSuperscript { checkRoot(id, node) }
    case .select: checkAttribute(id)
    case .index:
      checkAttribute(id)
      checkIndex(node)
    case .call:
      checkCall(id, node)
      checkLoopBody(node)
    case .unary: checkSign(node)
    case .conditional: checkBranches(node)
    case .binary:
      if node.op.info.isComparison {
        checkComparison(id, node)
      } else if node.op == .and || node.op == .or {
        checkChain(id, node)
      } else {
        if poisoned.contains(node.first) || poisoned.contains(node.second) {
          poisoned.insert(index)
        }
        checkArithmetic(node)
        checkOperands(node)
      }
    default: break
    }
    if isCondition[Int(index)] { checkOperand(id, node) }
  }

  /// Adds a finding, unless the same id was reported at the same place.
  mutating func report(_ diagnostic: Diagnostic) {
    guard reported.insert(Finding(id: diagnostic.id, span: diagnostic.primary.span)).inserted
    else { return }
    diagnostics.append(diagnostic)
  }

  private struct Finding: Hashable {
    let id: DiagnosticID
    let span: SourceSpan
  }

  /// Returns a node as it is written, for messages.
  func text(_ id: NodeID) -> String { tree.text(ofNode: id).shortened(to: 60) }

  // MARK: Facts about nodes

  private static func tops(_ tree: SyntaxTree, _ parents: [UInt32]) -> [UInt32] {
    var result = tree.nodes.indices.map { UInt32($0) }
    // Parents come after their children.
    for index in tree.nodes.indices.reversed() where tree.nodes[index].kind == .binary {
      let parent = Int(parents[index])
      if parent != index, tree.nodes[parent].kind == .binary { result[index] = result[parent] }
    }
    return result
  }

  /// Returns which identifiers are variables of loops, found in one walk with the names in scope.
  private static func boundNames(_ tree: SyntaxTree, _ environment: FilterEnvironment) -> [Bool] {
    enum Step {
      case visit(UInt32)
      case enter([String])
      case leave([String])
    }
    var result = [Bool](repeating: false, count: tree.nodes.count)
    var scope: [String: Int] = [:]
    var work: [Step] = [.visit(tree.root.index)]
    while let step = work.popLast() {
      switch step {
      case .enter(let names): for name in names { scope[name, default: 0] += 1 }
      case .leave(let names): for name in names { scope[name, default: 1] -= 1 }
      case .visit(let index):
        let node = tree.nodes[Int(index)]
        if node.kind == .identifier {
          result[Int(index)] = scope[tree.name(of: node), default: 0] > 0
        }
        guard let scoped = ScopedCall(node, tree, environment) else {
          tree.forEachChild(of: node) { work.append(.visit($0)) }
          continue
        }
        // The last step pushed is the first one taken.
        for variable in scoped.variables { result[Int(variable)] = true }
        let names = scoped.variables.map { tree.name(of: tree.nodes[Int($0)]) }
        work.append(.leave(names))
        for child in scoped.inside { work.append(.visit(child)) }
        work.append(.enter(names))
        for child in scoped.outside { work.append(.visit(child)) }
      }
    }
    return result
  }

  /// Returns the nodes of which only the truth matters: the filter itself, and the operands of
  /// logic below it.
  private static func conditions(_ tree: SyntaxTree) -> [Bool] {
    var result = [Bool](repeating: false, count: tree.nodes.count)
    result[Int(tree.root.index)] = true
    // Parents come after their children.
    for index in tree.nodes.indices.reversed() where result[index] {
      let node = tree.nodes[index]
      switch node.kind {
      case .binary where node.op == .and || node.op == .or:
        result[Int(node.first)] = true
        result[Int(node.second)] = true
      case .unary where node.op == .not || node.op == .doubleNot: result[Int(node.first)] = true
      case .conditional:
        for child in [node.first, node.second, node.third] { result[Int(child)] = true }
      default: break
      }
    }
    return result
  }
}

/// A call whose arguments are evaluated with variables of its own.
struct ScopedCall {
  /// The arguments that name the variables.
  var variables: [UInt32] = []
  /// The arguments that are evaluated with the variables.
  var inside: [UInt32] = []
  /// The arguments that are evaluated before.
  var outside: [UInt32] = []

  private static let loops: Set<String> = ["all", "exists", "exists_one", "map", "filter"]
  private static let twoVariables: Set<String> = [
    "all", "exists", "existsOne", "transformList", "transformMap", "transformMapEntry",
  ]

  init?(_ node: SyntaxNode, _ tree: SyntaxTree, _ environment: FilterEnvironment) {
    guard node.kind == .call else { return nil }
    let name = tree.name(of: node)
    guard environment.deviceFunctions[name] == nil, environment.computedFunctions[name] == nil
    else { return nil }
    var arguments = Array(tree.children(of: node))
    let isSuperscript = tree.dialect.name == .superscript
    if node.first != SyntaxNode.none {
      outside.append(node.first)
    } else {
      guard isSuperscript, Self.loops.contains(name), !arguments.isEmpty else { return nil }
      outside.append(arguments.removeFirst())
    }
    let count: Int
    if !isSuperscript, name == "bind", arguments.count == 3 {
      outside.append(arguments.remove(at: 1))
      count = 1
    } else if !isSuperscript, Self.twoVariables.contains(name), arguments.count >= 3 {
      count = 2
    } else if Self.loops.contains(name), arguments.count >= 2 {
      count = 1
    } else {
      return nil
    }
    variables = Array(arguments.prefix(count))
    inside = Array(arguments.dropFirst(count))
    guard variables.allSatisfy({ tree.nodes[Int($0)].kind == .identifier }) else { return nil }
  }
}
