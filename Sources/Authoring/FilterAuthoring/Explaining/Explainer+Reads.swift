import ExpressionEngine
import ExpressionPrinting
import ExpressionSyntax
import FilterAnalysis

extension Explainer {
  // MARK: Reads

  func isRead(_ id: NodeID) -> Bool {
    switch tree[id].kind {
    case .select, .index: tree.chainRoot(of: id) != nil
    case .identifier: true
    default: false
    }
  }

  /// Records the attributes that are read under a node, outside conditions of their own.
  func addReads(
    under id: NodeID, to condition: inout Explanation.Condition,
    _ bindings: [CompiledFragment.Binding]
  ) {
    var work: [(node: UInt32, hidden: [String])] = [(id.index, [])]
    while let (index, hidden) = work.popLast() {
      let node = tree.nodes[Int(index)]
      if let root = isRead(NodeID(index)) ? tree.chainRoot(of: NodeID(index)) : nil {
        addIndexes(under: index, hidden, to: &work)
        let name = tree.name(of: root)
        if !hidden.contains(name) { addRead(NodeID(index), to: &condition, bindings) }
        continue
      }
      var children: [UInt32] = []
      tree.forEachChild(of: node) { children.append($0) }
      var hidden = hidden
      if isMacro(node), !["has", "hasFn", "maybe"].contains(tree.name(of: node)) {
        // The variable of a loop is not an attribute, and it hides one of the same name.
        let position = node.first == SyntaxNode.none ? 1 : 0
        let arguments = Array(tree.children(of: node))
        if position < arguments.count, tree.nodes[Int(arguments[position])].kind == .identifier {
          hidden.append(tree.name(of: tree.nodes[Int(arguments[position])]))
        }
      }
      if hostTable(of: node) != nil, index == id.index, condition.kind != .comparison {
        noteMissingHost(id, isCompared: false, &condition)
      }
      // The receiver `device` or `computed` of a function of the app is not an attribute.
      if node.kind == .message || hostTable(of: node) != nil { children.removeFirst() }
      for child in children.reversed() { work.append((child, hidden)) }
    }
  }

  /// Records the attributes that computed indexes inside a chain read.
  private func addIndexes(
    under index: UInt32, _ hidden: [String], to work: inout [(node: UInt32, hidden: [String])]
  ) {
    var current = tree.nodes[Int(index)]
    while current.kind == .select || current.kind == .index {
      if current.kind == .index { work.append((current.second, hidden)) }
      current = tree.nodes[Int(current.first)]
    }
  }

  private func addRead(
    _ id: NodeID, to condition: inout Explanation.Condition,
    _ bindings: [CompiledFragment.Binding]
  ) {
    let node = tree[id]
    let text = tree.text(ofNode: id)
    guard !condition.reads.contains(where: { $0.path == text && $0.span != node.span }) else {
      return
    }
    var read = Explanation.Read(
      path: text, span: node.span, presence: .present, value: nil, standIn: nil)
    switch outcome(id, bindings, position: .member) {
    case .value(let value): read.value = value
    case .failure(let diagnostic):
      switch diagnostic.id {
      case .missingKey, .indexOutOfRange: read.presence = .missing
      case .undeclaredName: read.presence = .undeclared
      default: read.presence = .failed
      }
    case .notEvaluated: read.presence = .failed
    }
    if read.presence == .missing, tree.dialect.name == .superscript, !isInsideHas(id) {
      read.standIn = .null
    }
    condition.reads.append(read)
  }

  /// Returns whether a node is an argument of `has`, for which a missing attribute is false rather
  /// than null.
  private func isInsideHas(_ id: NodeID) -> Bool {
    let span = tree[id].span
    return argumentsOfHas.contains { $0.start <= span.start && $0.end >= span.end }
  }
}
