import ExpressionEngine
import ExpressionPrinting
import ExpressionSyntax
import FilterAnalysis

/// Evaluates the conditions of one filter over one context and records the results.
struct Explainer {
  let tree: SyntaxTree
  let environment: FilterEnvironment
  let context: Context
  let outline: FilterOutline
  private var parts: ExplainedParts
  /// The places of the arguments of `has`.
  let argumentsOfHas: [SourceSpan]
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
    outline = FilterOutline(tree, environment: remembering)
    parts = ExplainedParts(outline)
    argumentsOfHas = tree.nodes.flatMap { node in
      node.kind == .call && tree.name(of: node) == "has"
        ? tree.arguments(of: node).map { tree[$0].span } : []
    }
  }

  /// Returns the whole explanation.
  mutating func explain() -> Explanation {
    let whole = parts.part(tree.root)
    let root = root(whole)
    let matches = root.outcome == .value(.bool(true))
    var changes: [Explanation.Change]? = []
    var neverMatches = false
    var obstacle: String?
    if !matches {
      let search = ChangeSearch(outline: outline, context: context)
      changes = search.changes(for: whole)
      if changes == nil {
        neverMatches = FilterProver.neverMatches(outline)
        if !neverMatches { obstacle = search.obstacle(for: whole) }
      }
    }
    return Explanation(
      source: tree.source, root: root,
      decidingID: matches ? nil : Self.deciding(root).id,
      changes: changes, neverMatches: neverMatches, obstacle: obstacle,
      isTruncated: parts.isTruncated)
  }

  /// Returns the conditions alone.
  mutating func conditions() -> Explanation.Condition { root(parts.part(tree.root)) }

  private mutating func root(_ parts: ExplainedParts.Part) -> Explanation.Condition {
    var root = condition(parts, bindings: [])
    let raw = root.outcome
    root.outcome = whole()
    if case .failure(let diagnostic) = raw, raw != root.outcome { root.cause = diagnostic }
    return root
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

  mutating func condition(
    _ part: ExplainedParts.Part, bindings: [CompiledFragment.Binding]
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
    _ part: ExplainedParts.Part, _ bindings: [CompiledFragment.Binding]
  ) -> Explanation.Condition {
    var condition = blank(part)
    condition.outcome = outcome(part.node, bindings)
    return condition
  }

  /// Evaluates a part and adds it to its parent.
  @inline(never)
  mutating func add(
    _ part: ExplainedParts.Part, to condition: inout Explanation.Condition,
    _ bindings: [CompiledFragment.Binding]
  ) {
    condition.children.append(self.condition(part, bindings: bindings))
  }

  private mutating func blank(_ part: ExplainedParts.Part) -> Explanation.Condition {
    defer { nextID += 1 }
    return Explanation.Condition(
      id: nextID, kind: part.kind, role: part.role, text: tree.text(ofNode: part.node),
      span: tree[part.node].span, outcome: .notEvaluated, cause: nil, element: nil, reads: [],
      operands: [], notes: [], children: [])
  }

  /// Returns a condition that was not evaluated, with its parts.
  private mutating func skipped(_ part: ExplainedParts.Part) -> Explanation.Condition {
    var condition = blank(part)
    condition.children = part.children.map { skipped($0) }
    return condition
  }

  private mutating func addOperands(
    of part: ExplainedParts.Part, to condition: inout Explanation.Condition,
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
    of part: ExplainedParts.Part, to condition: inout Explanation.Condition,
    _ bindings: [CompiledFragment.Binding]
  ) {
    guard part.children.count == 3 else {
      return addLeaf(part.node, to: &condition, bindings)
    }
    add(part.children[0], to: &condition, bindings)
    // A cel condition that is not a bool fails, and neither branch is evaluated.
    let isFailing =
      switch condition.children.last?.outcome {
      case .value(.bool), nil: false
      default: tree.dialect.name == .cel
      }
    let chosen = isFailing ? nil : condition.children.last?.holds.map { $0 ? 1 : 2 }
    for index in 1...2 {
      if index == chosen {
        add(part.children[index], to: &condition, bindings)
      } else {
        addSkipped(part.children[index], to: &condition)
      }
    }
  }

  @inline(never)
  mutating func addSkipped(
    _ part: ExplainedParts.Part, to condition: inout Explanation.Condition
  ) {
    condition.children.append(skipped(part))
  }

  // MARK: Loops

  private mutating func addElements(
    of part: ExplainedParts.Part, to condition: inout Explanation.Condition,
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
      let body = parts.part(loop.body, role: .element, depth: part.depth + 1)
      var child = self.condition(body, bindings: bindings + [binding])
      child.element = Explanation.Element(
        variable: loop.variable, index: index, count: elements.count, value: elements[index])
      condition.children.append(child)
    }
  }

  /// Returns the positions of the elements that decide a loop: the first that ends it, or those
  /// that `exists_one` counts. The list is empty if no element decides.
  private func decidingElement(
    _ loop: FilterOutline.Loop, _ elements: [Value], _ bindings: [CompiledFragment.Binding]
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

  // MARK: Values

  func outcome(
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

  static func failure(_ error: FilterError) -> Explanation.Outcome {
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
