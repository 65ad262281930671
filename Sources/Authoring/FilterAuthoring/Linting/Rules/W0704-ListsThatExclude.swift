import ExpressionEngine
import ExpressionSyntax
import FilterAnalysis

// Reports conditions on a list of texts that no list meets together.

extension FilterLinter {
  /// Reports `size(user.tags) == 0 && user.tags.exists(t, t == "vip")` and
  /// `user.tags == ["vip"] && size(user.tags) == 2`.
  ///
  /// The engine evaluates the conditions for lists of their constants and of other texts.
  mutating func checkLists(_ operands: [NodeID]) {
    var groups: [AttributePath: [NodeID]] = [:]
    var order: [AttributePath] = []
    for operand in operands {
      guard let path = testedList(operand) else { continue }
      if groups[path] == nil { order.append(path) }
      groups[path, default: []].append(operand)
    }
    for path in order {
      guard let tests = groups[path], (2...ListSamples.limit).contains(tests.count),
        tests.contains(where: { isTestOfList($0) }),
        let samples = ListSamples(tests, in: tree)
      else { continue }
      let results = tests.compactMap { samples.results(of: $0, path, in: outline) }
      guard results.count == tests.count, let pair = Self.exclusion(results) else { continue }
      let (first, second) = (tests[pair.0], tests[pair.1])
      // That both are never true says more than what one of them seldom means.
      diagnostics.removeAll { $0.id == .seldomMeant && $0.overlaps(tree[second].span) }
      guard !wasReported(tree[second].span), !wasReported(tree[first].span) else { continue }
      // One of two opposites always holds.
      let isCover = zip(results[pair.0], results[pair.1]).allSatisfy { $0 || $1 }
      reportExclusion(
        "no list passes both of these tests of `\(path)`", first, second,
        help: isCover
          ? "correct one of them"
          : FilterProver.helpForExclusion)
    }
  }

  /// Returns the places of two tests that are never true together, although each may be.
  static func exclusion(_ results: [[Bool]]) -> (Int, Int)? {
    for (index, second) in results.enumerated() where second.contains(true) {
      for (place, first) in results[..<index].enumerated() where first.contains(true) {
        if !zip(first, second).contains(where: { $0 && $1 }) { return (place, index) }
      }
    }
    return nil
  }

  /// Returns the attribute whose elements, number or texts a condition tests, and nothing else.
  private func testedList(_ id: NodeID) -> AttributePath? {
    let condition = withoutNot(id)
    let subject: NodeID
    switch outline.shape(of: condition) {
    case .loop(let loop):
      guard ["exists", "all"].contains(tree.name(of: tree[condition])),
        isTest(loop.body, of: loop.variable)
      else { return nil }
      subject = loop.range
    default:
      switch outline.relation(of: condition) {
      case .size(of: let list, let comparison):
        guard case .int(let count) = comparison.value,
          (0...ListSamples.longest).contains(Int(clamping: count))
        else { return nil }
        subject = list
      case .elements(_, written: _, in: let list): subject = list
      case .search("contains", in: let list, .string, written: _): subject = list
      case .comparison(let comparison):
        guard case .list = comparison.value, comparison.op == .equal else { return nil }
        subject = comparison.subject
      default: return nil
      }
    }
    guard let path = freePath(subject) else { return nil }
    switch schema.attribute(at: path)?.type {
    case nil, .any, .list(.string), .list(.any): return path
    default: return nil
    }
  }

  /// Returns whether a condition shows that its subject is a list: `contains` may search a text.
  private func isTestOfList(_ id: NodeID) -> Bool {
    switch outline.relation(of: withoutNot(id)) {
    case .search(_, in: let subject, _, written: _), .size(of: let subject, _):
      isList(staticType(subject))
    default: true
    }
  }

  /// Returns a condition without the `!` before it.
  private func withoutNot(_ id: NodeID) -> NodeID {
    var condition = id
    while tree[condition].isUnary(.not) { condition = tree[condition].operand }
    return condition
  }

  /// Returns whether the body of a loop compares the element with a text, or looks for one in it.
  private func isTest(_ body: NodeID, of variable: String) -> Bool {
    func isElement(_ id: NodeID) -> Bool {
      tree[id].kind == .identifier && tree.name(of: tree[id]) == variable
    }
    if tree.constant(of: body) == .bool(true) { return true }
    if let comparison = ConstantComparison(tree[body], in: tree) {
      guard case .string = comparison.value else { return false }
      return isElement(comparison.subject)
    }
    guard case .search(_, in: let subject, for: let sought) = outline.shape(of: body),
      case .string? = tree.constant(of: sought)
    else { return false }
    return isElement(subject)
  }
}

/// Lists of texts that tell conditions apart.
private struct ListSamples {
  /// The most conditions on one list that are compared.
  static let limit = 8
  /// The greatest size that conditions may ask for.
  static let longest = 6
  private static let mostTexts = 3

  private var lists: [[String]] = [[]]

  /// - Returns: `nil` if the conditions have too many texts.
  init?(_ tests: [NodeID], in tree: SyntaxTree) {
    var texts: [String] = []
    var size = 0
    for test in tests {
      var work = [test]
      while let id = work.popLast() {
        if tree[id].kind == .list, case .list(let elements)? = tree.constant(of: id) {
          lists.append(elements.compactMap { if case .string(let text) = $0 { text } else { nil } })
        }
        switch tree.constant(of: id) {
        case .string(let text)?: if !texts.contains(text) { texts.append(text) }
        case .int(let count)?: size = max(size, Int(clamping: count))
        default: break
        }
        work += tree.parts(of: tree[id])
      }
    }
    guard texts.count <= Self.mostTexts, size <= Self.longest else { return nil }
    // Each text is there not at all, once or twice.
    for text in texts {
      lists += lists.map { $0 + [text] } + lists.map { $0 + [text, text] }
    }
    let others = (0...(size + 1)).map { [String](repeating: "\u{1}", count: $0) }
    lists = lists.flatMap { list in others.map { list + $0 } }
  }

  /// Returns whether a condition holds, by list; `nil` if it cannot be evaluated.
  func results(of test: NodeID, _ path: AttributePath, in outline: FilterOutline) -> [Bool]? {
    guard
      let fragment = try? CompiledFragment(outline.tree, test, environment: outline.environment)
    else { return nil }
    return lists.map { list in
      var draft = UserDraft()
      draft.set(path, to: .list(list.map { .string($0) }))
      return Outcome(fragment, draft.context).holds == true
    }
  }
}
