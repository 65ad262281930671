import ExpressionEngine
import ExpressionPrinting
import ExpressionSyntax
import FilterAnalysis

extension Explainer {
  mutating func addComparison(
    _ part: ExplainedParts.Part, to condition: inout Explanation.Condition,
    _ bindings: [CompiledFragment.Binding]
  ) {
    let isRightEvaluated = isRightEvaluated(part, &condition, bindings)
    let left = tree[part.node].left
    let right = tree[part.node].right
    let position: CompiledFragment.Position =
      isRightEvaluated && isMember(left) ? .member : .value
    let isLeftWrong = isRightEvaluated && outcome(left, bindings, position: position).isFailure
    addOperand(left, of: part, to: &condition, bindings, position: isLeftWrong ? .value : position)
    if isRightEvaluated, !isLeftWrong { addOperand(right, of: part, to: &condition, bindings) }
    noteKinds(tree[part.node], &condition)
    noteTextOrder(tree[part.node], &condition)
    noteMissingHost(left, isCompared: true, &condition)
    if !isRightEvaluated { addStandIn(part, to: &condition) }
    if !isRightEvaluated || isLeftWrong {
      for child in part.children where child.node == right { addSkipped(child, to: &condition) }
    }
  }

  /// Adds an operand of a comparison: as a condition of its own, or with the attributes that it
  /// reads.
  @inline(never)
  mutating func addOperand(
    _ operand: NodeID, of part: ExplainedParts.Part,
    to condition: inout Explanation.Condition, _ bindings: [CompiledFragment.Binding],
    position: CompiledFragment.Position = .value
  ) {
    if let child = part.children.first(where: { $0.node == operand }) {
      return add(child, to: &condition, bindings)
    }
    addReads(under: operand, to: &condition, bindings)
    addOperand(operand, to: &condition, bindings, position: position)
  }

  /// Records the value that replaced a missing attribute on the left.
  @inline(never)
  private func addStandIn(
    _ part: ExplainedParts.Part, to condition: inout Explanation.Condition
  ) {
    let node = tree[part.node]
    let zero = standIn(for: node.right)
    let left = tree[node.left].span
    if let first = condition.reads.firstIndex(where: { $0.span == left }) {
      condition.reads[first].standIn = zero
    }
  }

  /// Returns whether an operand on the left of a comparison is one that may be missing.
  private func isMember(_ id: NodeID) -> Bool {
    switch tree[id].kind {
    case .select, .index, .message: true
    default: false
    }
  }

  /// Returns whether a comparison evaluates its right operand; it does not if an attribute on the
  /// left is missing.
  @inline(never)
  private func isRightEvaluated(
    _ part: ExplainedParts.Part, _ condition: inout Explanation.Condition,
    _ bindings: [CompiledFragment.Binding]
  ) -> Bool {
    let node = tree[part.node]
    let left = node.left
    if isMember(left) {
      let fragment = outcome(left, bindings, position: .member)
      if case .failure(let diagnostic) = fragment, diagnostic.id == .missingKey,
        tree.dialect.name == .superscript
      {
        if !tree.isLiteral(node.right) {
          condition.notes.append(
            "a comparison of a missing attribute with anything but a literal is false, also `!=`")
        }
        return false
      }
    }
    return true
  }

  /// Adds a note if a text that looks like a number is compared with a number, which it never
  /// equals.
  @inline(never)
  private func noteKinds(_ node: SyntaxNode, _ condition: inout Explanation.Condition) {
    guard tree.dialect.name == .superscript, node.op == .equal || node.op == .notEqual,
      let read = condition.reads.first, condition.reads.count == 1,
      case .string(let text)? = read.value, Double(text) != nil
    else { return }
    for side in [node.left, node.right] {
      switch tree.constant(of: side) {
      case .int, .uint, .double:
        condition.notes.append("a text is never equal to a number, even if it looks like one")
      default: break
      }
    }
  }

  /// Adds a note if two texts are numbers or versions whose order as texts is another one.
  @inline(never)
  private func noteTextOrder(_ node: SyntaxNode, _ condition: inout Explanation.Condition) {
    guard [.less, .lessEqual, .greater, .greaterEqual].contains(node.op),
      let read = condition.reads.first, condition.reads.count == 1,
      case .string(let value)? = read.value
    else { return }
    for side in [node.left, node.right] {
      guard case .string(let constant)? = tree.constant(of: side),
        let a = Self.numbers(value), let b = Self.numbers(constant),
        a.lexicographicallyPrecedes(b) != value.utf8.lexicographicallyPrecedes(constant.utf8)
      else { continue }
      let (first, second) =
        value.utf8.lexicographicallyPrecedes(constant.utf8) ? (value, constant) : (constant, value)
      condition.notes.append(
        "compared as texts, letter by letter: \"\(first)\" comes before \"\(second)\"")
    }
  }

  /// Returns the numbers of a version or of a number in a text; `nil` for another text.
  private static func numbers(_ text: String) -> [Int]? {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { part in
      part.utf8.allSatisfy { $0 &- 0x30 < 10 } ? Int(part) : nil
    }
    return numbers.count == parts.count ? numbers : nil
  }

  /// Adds a note for a function of the app that the app does not provide.
  @inline(never)
  func noteMissingHost(
    _ id: NodeID, isCompared: Bool, _ condition: inout Explanation.Condition
  ) {
    let node = tree[id]
    guard tree.dialect.name == .superscript, let table = hostTable(of: node) else { return }
    let name = tree.name(of: node)
    let known =
      table == "device"
      ? environment.deviceFunctions[name] != nil : environment.computedFunctions[name] != nil
    guard !known else { return }
    condition.notes.append(
      "the app offers no function `\(table).\(name)`"
        + (isCompared ? "; it counts as zero or empty" : ""))
  }

  /// Returns `device` or `computed` for a call of a function of the app:
  /// `device.daysSince("app_open")`.
  func hostTable(of node: SyntaxNode) -> String? {
    guard node.kind == .call, let target = node.receiver.map({ tree[$0] }),
      target.kind == .identifier
    else { return nil }
    let table = tree.name(of: target)
    let name = tree.name(of: node)
    let isOfHost =
      outline.isHostFunction(name)
      || (tree.dialect.name == .superscript && !outline.isLibraryFunction(name))
    return (table == "device" || table == "computed") && isOfHost ? table : nil
  }

  /// Returns the zero of a literal's kind, with which the superscript dialect compares if the
  /// attribute on the left is missing (docs/spec/superscript.md §2).
  func standIn(for right: NodeID) -> Value? {
    guard tree.isLiteral(right) else { return nil }
    return tree.constant(of: right)?.zeroOfKind
  }

  mutating func addLeaf(
    _ id: NodeID, to condition: inout Explanation.Condition,
    _ bindings: [CompiledFragment.Binding]
  ) {
    addReads(under: id, to: &condition, bindings)
    let node = tree[id]
    guard node.kind == .call else { return }
    if let receiver = node.receiver { addOperand(receiver, to: &condition, bindings) }
    for argument in tree.arguments(of: node) where !isMacro(node) {
      addOperand(argument, to: &condition, bindings)
    }
  }

  func isMacro(_ node: SyntaxNode) -> Bool {
    let name = tree.name(of: node)
    return ["has", "hasFn", "maybe", "map", "filter", "all", "exists", "exists_one"].contains(name)
      && !outline.isHostFunction(name)
  }

  /// Records the value of a computed operand, which is neither a literal nor a plain attribute.
  func addOperand(
    _ id: NodeID, to condition: inout Explanation.Condition,
    _ bindings: [CompiledFragment.Binding], position: CompiledFragment.Position = .value
  ) {
    guard tree.constant(of: id) == nil, !isRead(id) else { return }
    let node = tree[id]
    if node.kind == .list || node.kind == .map || node.kind == .identifier { return }
    condition.operands.append(
      Explanation.Operand(
        text: tree.text(ofNode: id), span: node.span,
        outcome: outcome(id, bindings, position: position)))
  }
}
