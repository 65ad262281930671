import ExpressionEngine
import ExpressionPrinting
import ExpressionSyntax

/// Evaluates the conditions of one filter over one context and records the results.
struct Explainer {
  let tree: SyntaxTree
  let environment: FilterEnvironment
  let context: Context
  private var outline: ConditionOutline
  /// The places of the arguments of `has`.
  private let argumentsOfHas: [SourceSpan]
  private var nextID = 0
  /// The number of conditions inside loops that may still be created.
  private var elementBudget = 1_000

  /// The largest number of elements of one loop that are examined.
  private static let elementLimit = 1_000

  init(_ tree: SyntaxTree, environment: FilterEnvironment, context: Context) {
    self.tree = tree
    self.context = context
    let remembering = HostMemory().remembering(environment)
    self.environment = remembering
    outline = ConditionOutline(tree, environment: remembering)
    argumentsOfHas = tree.nodes.flatMap { node in
      node.kind == .call && tree.name(of: node) == "has"
        ? tree.children(of: node).map { tree.nodes[Int($0)].span } : []
    }
  }

  /// Returns the whole explanation.
  mutating func explain() -> Explanation {
    let parts = outline.part(tree.root)
    var root = condition(parts, bindings: [])
    let raw = root.outcome
    root.outcome = whole()
    if case .failure(let diagnostic) = raw, raw != root.outcome { root.cause = diagnostic }
    let matches = root.outcome == .value(.bool(true))
    var changes: [Explanation.Change]? = []
    if !matches {
      let search = ChangeSearch(outline: outline, context: context)
      changes = search.changes(for: parts)
    }
    return Explanation(
      source: tree.source, root: root,
      decidingID: matches ? nil : Self.deciding(root).id,
      changes: changes,
      neverMatches: changes == nil
        && ImpossibleFilter.isImpossible(tree, outline.environment, parts),
      isTruncated: outline.isTruncated)
  }

  /// Returns the outcome of the filter as a whole.
  private func whole() -> Explanation.Outcome {
    do throws(FilterError) {
      let filter = try Filter(tree, environment: environment)
      do throws(EvaluationError) {
        return .value(try filter.evaluate(context))
      } catch {
        return .failure(error.diagnostic)
      }
    } catch {
      return Self.failure(error)
    }
  }

  // MARK: Conditions

  private mutating func condition(
    _ part: ConditionOutline.Part, bindings: [CompiledFragment.Binding]
  ) -> Explanation.Condition {
    var condition = evaluated(part, bindings)
    switch part.kind {
    case .all, .any: addOperands(of: part, to: &condition, bindings)
    case .conditional: addBranches(of: part, to: &condition, bindings)
    case .not:
      for child in part.children { add(child, to: &condition, bindings) }
    case .comparison: addComparison(part, to: &condition, bindings)
    case .loop where part.loop != nil: addElements(of: part, to: &condition, bindings)
    case .call, .value, .loop: addLeaf(part.node, to: &condition, bindings)
    }
    return condition
  }

  /// Returns a condition with its outcome, without its parts.
  @inline(never)
  private mutating func evaluated(
    _ part: ConditionOutline.Part, _ bindings: [CompiledFragment.Binding]
  ) -> Explanation.Condition {
    var condition = blank(part)
    condition.outcome = outcome(part.node, bindings)
    return condition
  }

  /// Evaluates a part and adds it to its parent.
  @inline(never)
  private mutating func add(
    _ part: ConditionOutline.Part, to condition: inout Explanation.Condition,
    _ bindings: [CompiledFragment.Binding]
  ) {
    condition.children.append(self.condition(part, bindings: bindings))
  }

  private mutating func blank(_ part: ConditionOutline.Part) -> Explanation.Condition {
    defer { nextID += 1 }
    return Explanation.Condition(
      id: nextID, kind: part.kind, role: part.role, text: tree.text(ofNode: part.node),
      span: tree[part.node].span, outcome: .notEvaluated, cause: nil, element: nil, reads: [],
      operands: [], notes: [], children: [])
  }

  /// Returns a condition that was not evaluated, with its parts.
  private mutating func skipped(_ part: ConditionOutline.Part) -> Explanation.Condition {
    var condition = blank(part)
    condition.children = part.children.map { skipped($0) }
    return condition
  }

  private mutating func addOperands(
    of part: ConditionOutline.Part, to condition: inout Explanation.Condition,
    _ bindings: [CompiledFragment.Binding]
  ) {
    var isDecided = false
    var isAlreadyFalse: String?
    for child in part.children {
      if isDecided {
        condition.children.append(skipped(child))
        continue
      }
      add(child, to: &condition, bindings)
      isDecided = isDecidedByLast(of: &condition, isAlreadyFalse: &isAlreadyFalse)
    }
  }

  /// Returns whether the operand that was added last ends the evaluation of `&&` or `||`.
  @inline(never)
  private func isDecidedByLast(
    of condition: inout Explanation.Condition, isAlreadyFalse: inout String?
  ) -> Bool {
    guard let operand = condition.children.last else { return false }
    switch (operand.outcome, tree.dialect.name) {
    case (.failure, .superscript):
      if let text = isAlreadyFalse {
        condition.notes.append(
          "`&&` goes on after a false operand in this dialect, so the error counts although "
            + "`\(text)` is false")
      }
      return true
    case (.value(let value), .superscript):
      if condition.kind == .all, !value.isTruthy, isAlreadyFalse == nil {
        isAlreadyFalse = operand.text
      }
      return condition.kind == .any && value.isTruthy
    case (.value(let value), .cel): return value == .bool(condition.kind == .any)
    default: return false
    }
  }

  private mutating func addBranches(
    of part: ConditionOutline.Part, to condition: inout Explanation.Condition,
    _ bindings: [CompiledFragment.Binding]
  ) {
    guard part.children.count == 3 else {
      return addLeaf(part.node, to: &condition, bindings)
    }
    add(part.children[0], to: &condition, bindings)
    let chosen = condition.children.last?.holds.map { $0 ? 1 : 2 }
    for index in 1...2 {
      if index == chosen {
        add(part.children[index], to: &condition, bindings)
      } else {
        addSkipped(part.children[index], to: &condition)
      }
    }
  }

  @inline(never)
  private mutating func addSkipped(
    _ part: ConditionOutline.Part, to condition: inout Explanation.Condition
  ) {
    condition.children.append(skipped(part))
  }

  private mutating func addComparison(
    _ part: ConditionOutline.Part, to condition: inout Explanation.Condition,
    _ bindings: [CompiledFragment.Binding]
  ) {
    let isRightEvaluated = isRightEvaluated(part, &condition, bindings)
    let left = NodeID(tree[part.node].first)
    let right = NodeID(tree[part.node].second)
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
  private mutating func addOperand(
    _ operand: NodeID, of part: ConditionOutline.Part,
    to condition: inout Explanation.Condition, _ bindings: [CompiledFragment.Binding],
    position: CompiledFragment.Position = .value
  ) {
    if let child = part.children.first(where: { $0.node == operand }) {
      return add(child, to: &condition, bindings)
    }
    addReads(under: operand, to: &condition, bindings)
    addOperand(operand, to: &condition, bindings, position: position)
  }

  /// Records the value that stood in for a missing attribute on the left.
  @inline(never)
  private func addStandIn(
    _ part: ConditionOutline.Part, to condition: inout Explanation.Condition
  ) {
    let node = tree[part.node]
    let zero = standIn(for: NodeID(node.second))
    let left = tree[NodeID(node.first)].span
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
    _ part: ConditionOutline.Part, _ condition: inout Explanation.Condition,
    _ bindings: [CompiledFragment.Binding]
  ) -> Bool {
    let node = tree[part.node]
    let left = NodeID(node.first)
    if isMember(left) {
      let fragment = outcome(left, bindings, position: .member)
      if case .failure(let diagnostic) = fragment, diagnostic.id == .missingKey,
        tree.dialect.name == .superscript
      {
        if !tree.isLiteral(NodeID(node.second)) {
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
    for side in [node.first, node.second] {
      switch tree.constant(of: NodeID(side)) {
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
    for side in [node.first, node.second] {
      guard case .string(let constant)? = tree.constant(of: NodeID(side)),
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
  private func noteMissingHost(
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
  private func hostTable(of node: SyntaxNode) -> String? {
    guard node.kind == .call, node.first != SyntaxNode.none else { return nil }
    let target = tree.nodes[Int(node.first)]
    guard target.kind == .identifier else { return nil }
    let table = tree.name(of: target)
    let name = tree.name(of: node)
    let isOfHost =
      outline.isHostFunction(name)
      || (tree.dialect.name == .superscript && !FunctionNames.all(in: .superscript).contains(name))
    return (table == "device" || table == "computed") && isOfHost ? table : nil
  }

  /// Returns the zero of a literal's kind, with which the superscript dialect compares if the
  /// attribute on the left is missing (docs/spec/superscript.md §2).
  private func standIn(for right: NodeID) -> Value? {
    guard tree.isLiteral(right) else { return nil }
    switch tree.constant(of: right) {
    case .string: return .string("")
    case .int: return .int(0)
    case .uint: return .uint(0)
    case .double: return .double(0)
    case .bool: return .bool(false)
    default: return .null
    }
  }

  private mutating func addLeaf(
    _ id: NodeID, to condition: inout Explanation.Condition,
    _ bindings: [CompiledFragment.Binding]
  ) {
    addReads(under: id, to: &condition, bindings)
    let node = tree[id]
    guard node.kind == .call else { return }
    if node.first != SyntaxNode.none { addOperand(NodeID(node.first), to: &condition, bindings) }
    for child in tree.children(of: node) where !isMacro(node) {
      addOperand(NodeID(child), to: &condition, bindings)
    }
  }

  private func isMacro(_ node: SyntaxNode) -> Bool {
    let name = tree.name(of: node)
    return ["has", "hasFn", "maybe", "map", "filter", "all", "exists", "exists_one"].contains(name)
      && !outline.isHostFunction(name)
  }

  /// Records the value of a computed operand, which is neither a literal nor a plain attribute.
  private func addOperand(
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

  // MARK: Loops

  private mutating func addElements(
    of part: ConditionOutline.Part, to condition: inout Explanation.Condition,
    _ bindings: [CompiledFragment.Binding]
  ) {
    guard let loop = part.loop else { return }
    addReads(under: loop.range, to: &condition, bindings)
    addOperand(loop.range, to: &condition, bindings)
    guard case .value(let range) = outcome(loop.range, bindings),
      let elements = Self.elements(of: range)
    else { return }
    if elements.isEmpty { condition.notes.append("there are no elements") }
    guard let deciding = decidingElement(loop, elements, bindings) else { return }
    if deciding.isEmpty, !elements.isEmpty {
      let tried = min(elements.count, Self.elementLimit)
      condition.notes.append(
        loop.kind == .all
          ? "it holds for \(tried == elements.count ? "all" : "the first") \(tried) elements"
          : "it holds for none of \(tried == elements.count ? "the" : "the first") \(tried) elements"
      )
    }
    var shown = deciding
    if shown.isEmpty, loop.kind != .all { shown = Array(elements.indices.prefix(3)) }
    for index in shown.prefix(3) where elementBudget > 0 {
      elementBudget -= 1
      let binding = CompiledFragment.Binding(name: loop.variable, value: elements[index])
      let body = outline.part(loop.body, role: .element, depth: part.depth + 1)
      var child = self.condition(body, bindings: bindings + [binding])
      child.element = Explanation.Element(
        variable: loop.variable, index: index, count: elements.count, value: elements[index])
      condition.children.append(child)
    }
  }

  /// Returns the positions of the elements that decide a loop: the first that ends it, or those
  /// that `exists_one` counts. The list is empty if no element decides.
  private func decidingElement(
    _ loop: ConditionOutline.Loop, _ elements: [Value], _ bindings: [CompiledFragment.Binding]
  ) -> [Int]? {
    var found: [Int] = []
    for (index, element) in elements.prefix(Self.elementLimit).enumerated() {
      let binding = CompiledFragment.Binding(name: loop.variable, value: element)
      switch outcome(loop.body, bindings + [binding]) {
      case .failure:
        if tree.dialect.name == .superscript || loop.kind == .existsOne { return [index] }
      case .value(.bool(let truth)):
        switch loop.kind {
        case .all where !truth, .exists where truth: return [index]
        case .existsOne where truth:
          found.append(index)
          if found.count == 2 { return found }
        default: break
        }
      case .value, .notEvaluated: break
      }
    }
    return found
  }

  private static func elements(of range: Value) -> [Value]? {
    switch range {
    case .list(let elements): elements
    case .map(let entries):
      entries.keys.map { $0.value }.sorted { $0.literal < $1.literal }
    default: nil
    }
  }

  // MARK: Reads

  private func isRead(_ id: NodeID) -> Bool {
    switch tree[id].kind {
    case .select, .index: tree.chainRoot(of: id) != nil
    case .identifier: true
    default: false
    }
  }

  /// Records the attributes that are read under a node, outside conditions of their own.
  private func addReads(
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

  // MARK: Values

  private func outcome(
    _ id: NodeID, _ bindings: [CompiledFragment.Binding],
    position: CompiledFragment.Position = .value
  ) -> Explanation.Outcome {
    Self.outcome(
      of: id, in: tree, position: position, bindings: bindings, environment: environment,
      context: context, isWorded: position == .value)
  }

  /// Returns the engine's result for a part of a filter.
  ///
  /// - Parameter isWorded: Whether a failure needs its wording, which takes another pass over the
  ///   part.
  static func outcome(
    of id: NodeID, in tree: SyntaxTree, position: CompiledFragment.Position = .value,
    bindings: [CompiledFragment.Binding] = [], environment: FilterEnvironment, context: Context,
    isWorded: Bool = true
  ) -> Explanation.Outcome {
    do throws(FilterError) {
      let fragment = try CompiledFragment(
        tree, id, position: position, bindings: bindings, environment: environment)
      do throws(EvaluationError) {
        return .value(try fragment.evaluate(context))
      } catch {
        return .failure(isWorded ? error.diagnostic(in: tree, under: id) : error.plain)
      }
    } catch {
      return failure(error)
    }
  }

  private static func failure(_ error: FilterError) -> Explanation.Outcome {
    guard let first = error.diagnostics.first else { return .notEvaluated }
    return .failure(first)
  }

  // MARK: The deciding condition

  /// Returns the first condition that made the whole filter false, null or an error.
  private static func deciding(_ root: Explanation.Condition) -> Explanation.Condition {
    var condition = root
    while let next = nextDeciding(condition) { condition = next }
    return condition
  }

  /// Returns the part of a condition that made it false, null or an error.
  private static func nextDeciding(
    _ condition: Explanation.Condition
  ) -> Explanation.Condition? {
    switch condition.kind {
    case .all:
      let failed = condition.children.first { $0.isFailure }
      let isError = condition.isFailure || condition.cause != nil
      return isError ? failed : condition.children.first { $0.holds == false }
    case .any:
      return condition.isFailure || condition.cause != nil
        ? condition.children.first { $0.isFailure } : nil
    case .not, .comparison: return condition.children.first { $0.isFailure }
    case .conditional:
      let chosen = condition.children.dropFirst().first { $0.outcome != .notEvaluated }
      // A branch that is only a literal explains nothing; the condition that chose it does.
      let isPlain = chosen.map { $0.kind == .value && $0.reads.isEmpty && $0.operands.isEmpty }
      return condition.children.first { $0.isFailure }
        ?? (isPlain == true ? condition.children.first : chosen)
    case .loop:
      // Where no element holds, all of them decide, not the first one.
      let failing = condition.children.filter { $0.holds == false }
      return condition.children.first { $0.isFailure }
        ?? (failing.count == 1 ? failing.first : nil)
    case .call, .value: return nil
    }
  }
}

extension Explanation.Outcome {
  /// Whether evaluation failed, so that there is no value.
  var isFailure: Bool {
    if case .failure = self { true } else { false }
  }
}

extension Explanation.Condition {
  /// Whether evaluating the condition failed, so that it has no value.
  var isFailure: Bool { outcome.isFailure }
}
