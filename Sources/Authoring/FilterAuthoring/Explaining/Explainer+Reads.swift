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
    var work: [(id: NodeID, hidden: [String])] = [(id, [])]
    while let (next, hidden) = work.popLast() {
      let node = tree[next]
      if let root = isRead(next) ? tree.chainRoot(of: next) : nil {
        addIndexes(under: next, hidden, to: &work)
        let name = tree.name(of: root)
        if !hidden.contains(name) { addRead(next, to: &condition, bindings) }
        continue
      }
      var parts = tree.parts(of: node)
      var hidden = hidden
      if isMacro(node), !["has", "hasFn", "maybe"].contains(tree.name(of: node)) {
        // The variable of a loop is not an attribute, and it hides one of the same name.
        let operands = tree.operands(of: node)
        if operands.count > 1, tree[operands[1]].kind == .identifier {
          hidden.append(tree.name(of: tree[operands[1]]))
        }
      }
      if hostTable(of: node) != nil, next == id, condition.kind != .comparison {
        noteMissingHost(id, isCompared: false, &condition)
      }
      // The receiver `device` or `computed` of a function of the app is not an attribute.
      if node.kind == .message || hostTable(of: node) != nil { parts.removeFirst() }
      for part in parts.reversed() { work.append((part, hidden)) }
    }
  }

  /// Records the attributes that computed indexes inside a chain read.
  private func addIndexes(
    under id: NodeID, _ hidden: [String], to work: inout [(id: NodeID, hidden: [String])]
  ) {
    var current = tree[id]
    while current.kind == .select || current.kind == .index {
      if current.kind == .index { work.append((current.subscriptIndex, hidden)) }
      current = tree[current.operand]
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
