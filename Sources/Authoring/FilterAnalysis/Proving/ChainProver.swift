import ExpressionEngine
package import ExpressionSyntax

/// Finds conditions on one attribute, joined by `&&` or `||`, that exclude each other, of which one
/// always holds, or of which one decides nothing.
///
/// The constants of the conditions divide the values of the attribute into classes, and the engine
/// evaluates each condition for a value of each class.
package struct ChainProver {
  private let outline: FilterOutline
  private let schema: AttributeSchema
  /// Chains with more conditions on one attribute have no findings.
  private static let limit = 64
  /// The most classes of texts.
  private static let searchLimit = 256

  private var tree: SyntaxTree { outline.tree }

  package init(_ outline: FilterOutline, schema: AttributeSchema) {
    self.outline = outline
    self.schema = schema
  }

  /// Returns what is wrong with a chain, at most one finding for each attribute.
  ///
  /// - Parameters:
  ///   - operands: The operands of the chain.
  ///   - isAnd: Whether all of them must hold.
  package func findings(_ operands: [NodeID], isAnd: Bool) -> [Diagnostic] {
    groups(operands).compactMap { path, comparisons in
      guard let group = Group(comparisons, path, outline, schema) else { return nil }
      return isAnd
        ? contradiction(path, group) ?? redundancy(path, group, isAnd)
        : tautology(path, group) ?? redundancy(path, group, isAnd)
    }
  }

  // MARK: Groups

  /// A condition of a chain, with the comparison that it consists of beside `!`.
  private struct Comparison {
    let node: NodeID
    let comparison: ConstantComparison
  }

  /// Returns the comparisons of each attribute with constants, for attributes with several of them.
  private func groups(_ operands: [NodeID]) -> [(AttributePath, [Comparison])] {
    guard operands.count > 1 else { return [] }
    var groups: [AttributePath: [Comparison]] = [:]
    var order: [AttributePath] = []
    for operand in operands {
      var node = tree[operand]
      while node.isUnary(.not) { node = tree[node.operand] }
      guard let comparison = ConstantComparison(node, in: tree),
        let path = outline.freePath(comparison.subject)
      else { continue }
      if groups[path] == nil { order.append(path) }
      groups[path, default: []].append(Comparison(node: operand, comparison: comparison))
    }
    return order.compactMap { path in
      guard let some = groups[path], (2...Self.limit).contains(some.count) else { return nil }
      return (path, some)
    }
  }

  /// A condition with its results.
  private struct Test {
    let node: NodeID
    let constants: [Value]
    /// Whether it holds, by class; `nil` where it fails.
    let holds: [Bool?]

    /// Whether the condition only asks for a value, which is never a mistake. The texts "true" and
    /// "false" are bools; to name both is careful.
    var asksForValue: Bool {
      constants.allSatisfy { constant in
        switch constant {
        case .null, .string(""), .bool: true
        default: false
        }
      }
    }
  }

  /// The conditions on one attribute, and the classes of its values.
  private struct Group {
    private(set) var tests: [Test] = []
    private let kinds: [ValueClass.Kind]
    private let missingFails: Bool

    /// - Returns: `nil` if fewer than two conditions can be tested, or there are too many classes.
    init?(
      _ comparisons: [Comparison], _ path: AttributePath, _ outline: FilterOutline,
      _ schema: AttributeSchema
    ) {
      var all = Needs()
      let read = comparisons.compactMap { item in
        Needs(item.comparison).map { (item: item, needs: $0) }
      }
      for (_, needs) in read { all.formUnion(needs) }
      var domain = Domain.any
      domain.isWhole = schema.attribute(at: path)?.type == .int
      let dialect = outline.tree.dialect.name
      var budget = ClassBudget(steps: Partition.steps(searchLimit: ChainProver.searchLimit))
      guard read.count > 1,
        let partition = try? Partition(
          all, domain, dialect: dialect, searchLimit: ChainProver.searchLimit, &budget)
      else { return nil }
      kinds = partition.classes.map { $0.kind }
      missingFails = dialect == .cel
      let source = Source(path)
      let users = partition.classes.map { valueClass in
        var draft = UserDraft()
        draft.set(source, to: valueClass)
        return draft.context
      }
      for (item, needs) in read {
        guard
          let fragment = try? CompiledFragment(
            outline.tree, item.node, environment: outline.environment)
        else { continue }
        let asked = partition.askedClasses(for: needs)
        var holds: [Bool?] = []
        for (index, start) in asked.enumerated() {
          let end = index + 1 < asked.count ? asked[index + 1] : kinds.count
          let result = Outcome(fragment, users[start]).holds
          holds += repeatElement(result, count: end - start)
        }
        tests.append(Test(node: item.node, constants: item.comparison.constants, holds: holds))
      }
      guard tests.count > 1 else { return nil }
    }

    /// Whether no value meets all of some conditions.
    ///
    /// A condition that never holds is a mistake of its own.
    func exclude(_ tests: [Test]) -> Bool {
      guard tests.allSatisfy({ $0.holds.contains(true) }) else { return false }
      return kinds.indices.allSatisfy { index in tests.contains { $0.holds[index] != true } }
    }

    /// Whether one of some alternatives holds for every value of the kinds of their constants.
    func cover(_ alternatives: [Test]) -> Bool {
      classes(of: alternatives).allSatisfy { index in
        // An alternative that fails ends the chain before a later one can hold.
        alternatives.lazy.map { $0.holds[index] }.first { $0 != false } == .some(true)
      }
    }

    /// The classes of the kinds of some conditions' constants, and of missing values where these
    /// are not an error.
    func classes(of tests: [Test]) -> [Int] {
      var wanted: Set<ValueClass.Kind> = missingFails ? [] : [.missing]
      for constant in tests.lazy.flatMap({ $0.constants }) {
        wanted.insert(constant.kind)
        // Something that is not null.
        if constant == .null { wanted.insert(.number) }
      }
      return kinds.indices.filter { wanted.contains(kinds[$0]) }
    }

    /// Returns the first two conditions for which a property holds, or all if it takes more than
    /// two; `nil` if it does not hold even for all.
    func fewest(that holds: ([Test]) -> Bool) -> [Test]? {
      guard holds(tests) else { return nil }
      for (index, second) in tests.enumerated() {
        for first in tests[..<index] where holds([first, second]) { return [first, second] }
      }
      return tests
    }
  }

  // MARK: Findings

  private func contradiction(_ path: AttributePath, _ group: Group) -> Diagnostic? {
    guard let culprits = group.fewest(that: group.exclude), let last = culprits.last else {
      return nil
    }
    return Diagnostic.always(
      false, "these conditions on `\(path)` exclude each other, so this is always false",
      at: tree[last.node].span, label: "cannot be true too",
      secondary: culprits.dropLast().map { Diagnostic.Label(tree[$0.node].span, "") },
      helps: [
        rangeMeant(culprits.map { $0.node }) ?? valuesMeant(group.tests.map { $0.node })
          ?? (group.cover(culprits) || hasDirection(path)
            ? "correct one of them"
            : FilterProver.helpForExclusion)
      ])
  }

  /// Returns advice for `x == "a" && x == "b"`.
  private func valuesMeant(_ operands: [NodeID]) -> String? {
    let comparisons = operands.compactMap { ConstantComparison(tree[$0], in: tree) }
    guard comparisons.count == operands.count, let first = comparisons.first,
      comparisons.allSatisfy({
        $0.op == .equal && AttributeType(of: $0.value) == AttributeType(of: first.value)
      }), AttributeType(of: first.value) != .bool
    else { return nil }
    let values = comparisons.map { tree.text(ofNode: $0.constant) }
    let subject = tree.text(ofNode: first.subject)
    let path = tree.attributePath(of: first.subject)
    if path.flatMap({ schema.attribute(at: $0) })?.type == .bool { return "correct one of them" }
    if path.flatMap({ schema.attribute(at: $0) })?.isJoined == true {
      let parts = values.map { "\(subject).contains(\($0))" }.joined(separator: " && ")
      return "it is one text, with commas: write `\(parts)`"
    }
    // A text may be a list itself.
    let parts = comparisons.flatMap { comparison -> [String] in
      guard case .string(let text) = comparison.value else {
        return [tree.text(ofNode: comparison.constant)]
      }
      let listed = ListedTexts(text, separators: ",").texts
      return listed.count > 1
        ? listed.map { "\"\($0)\"" } : [tree.text(ofNode: comparison.constant)]
    }
    let all = parts.enumerated().filter { !parts[..<$0.offset].contains($0.element) }
    let list = all.map { $0.element }.joined(separator: ", ")
    return "for any of them, write `\(subject) in [\(list)]`"
  }

  /// Returns advice for `x > 21 && x < 7`, whose bounds were exchanged or joined by the wrong
  /// operator.
  private func rangeMeant(_ operands: [NodeID]) -> String? {
    guard operands.count == 2, let first = ConstantComparison(tree[operands[0]], in: tree),
      let second = ConstantComparison(tree[operands[1]], in: tree), first.isOrdering,
      second.isOrdering, first.isConstantRight, second.isConstantRight
    else { return nil }
    if first.value == second.value { return "correct one of the two bounds" }
    guard holdsSomething(first, second) else { return nil }
    if let days = spanOfDays(first, second) { return days }
    if let year = nextYear(first, second) { return year }
    if let night = night(first, second) { return night }
    // Nothing is between neighbours, and numbers so far apart are of two units.
    if let low = first.value.plainNumber, let high = second.value.plainNumber,
      abs(low - high) <= 1
        || low * high != 0 && min(abs(low), abs(high)) * 500 < max(abs(low), abs(high))
    {
      return "for what is outside, join them as `(… || …)`; or correct a bound"
    }
    let subject = tree.text(ofNode: first.subject)
    let (one, two) = (tree.text(ofNode: first.constant), tree.text(ofNode: second.constant))
    let between =
      "\(subject) \(first.op.spelling) \(two) && \(subject) \(second.op.spelling) \(one)"
    return "for what is between, write `\(between)`; for what is outside, join them as `(… || …)`; "
      + "or correct a bound"
  }

  /// Returns advice for a time on the first and one on the last of several days.
  private func spanOfDays(_ first: ConstantComparison, _ second: ConstantComparison) -> String? {
    let path = tree.attributePath(of: first.subject)?.description
    guard let root = ["local", "utc"].first(where: { path == "device.\($0)Time" }) else {
      return nil
    }
    let bounds = tree.nodes.filter { node in
      guard let comparison = ConstantComparison(node, in: tree), comparison.isOrdering else {
        return false
      }
      return tree.attributePath(of: comparison.subject)?.description == "device.\(root)Date"
    }
    return bounds.count < 2
      ? nil
      : "for a span of several days, compare `device.\(root)DateTime` with both moments: "
        + "`>= \"…T…\" && … <= \"…T…\"`"
  }

  /// Returns advice for times of day from an evening to a morning, which lie on two days.
  private func night(_ first: ConstantComparison, _ second: ConstantComparison) -> String? {
    let path = tree.attributePath(of: first.subject)
    guard path.flatMap({ schema.attribute(at: $0) })?.format == .time,
      case .string(let one) = first.value, case .string(let two) = second.value
    else { return nil }
    let (start, end) = first.isLowerBound ? (one, two) : (two, one)
    guard start > "17", end < "12" else { return nil }
    return "for a night, join them as `(… || …)`"
  }

  /// Returns advice for dates from December to a January that lies before it.
  private func nextYear(_ first: ConstantComparison, _ second: ConstantComparison) -> String? {
    guard case .string(let one) = first.value, case .string(let two) = second.value else {
      return nil
    }
    let (start, end) = first.isLowerBound ? (one, two) : (two, one)
    guard start.utf8.count >= 10, start.prefix(5) == end.prefix(5), let year = Int(start.prefix(4)),
      let from = Int(start.dropFirst(5).prefix(2)), let to = Int(end.dropFirst(5).prefix(2)),
      from - to >= 6,
      // Nothing lies between the last day and the first.
      start.dropFirst(5).prefix(5) != "12-31" || end.dropFirst(5).prefix(5) != "01-01"
    else { return nil }
    return "if it goes over the new year, write `\"\(year + 1)\(end.dropFirst(4))\"`"
  }

  /// Returns whether two comparisons with their constants exchanged are true together. Those of
  /// `x > 5 && x < 6`, which no whole number passes, are not.
  private func holdsSomething(_ first: ConstantComparison, _ second: ConstantComparison) -> Bool {
    guard let one = first.value.plainNumber, let two = second.value.plainNumber else {
      guard case .string(let one) = first.value, case .string(let two) = second.value else {
        return false
      }
      // Dates in two notations are another mistake.
      return one.utf8.count == two.utf8.count
        && zip(one.utf8, two.utf8).allSatisfy { ($0 &- 0x30 < 10) == ($1 &- 0x30 < 10) }
    }
    return (one > two) == first.isLowerBound
  }

  /// Returns whether the values of an attribute never end, so that the ends of a range that
  /// is empty were exchanged. Times of day come back: from 22 to 6 is a night.
  private func hasDirection(_ path: AttributePath) -> Bool {
    switch schema.attribute(at: path)?.format {
    case .date, .dateTime, .version, .paddedVersion, .systemVersion: true
    default: false
    }
  }

  /// Returns advice for two bounds on one side, of which one may be meant for the other, and for
  /// `x == "a" || x != "b"`.
  private func otherBound(_ needless: NodeID, _ other: NodeID, _ isAnd: Bool) -> String? {
    guard let one = ConstantComparison(tree[needless], in: tree),
      let two = ConstantComparison(tree[other], in: tree), one.isConstantRight, two.isConstantRight
    else { return nil }
    let subject = tree.text(ofNode: one.subject)
    let constant = { tree.text(ofNode: $0) }
    if !isAnd, one.op == .equal, two.op == .notEqual {
      return "remove it; or for either, write `\(subject) in [\(constant(one.constant)), "
        + "\(constant(two.constant))]`"
    }
    guard isAnd, one.isOrdering, two.isOrdering, one.isLowerBound == two.isLowerBound else {
      return nil
    }
    // The one that changes nothing is the wider bound. A range of days has both of its ends.
    let format = tree.attributePath(of: one.subject).flatMap { schema.attribute(at: $0)?.format }
    let opposite =
      one.isLowerBound
      ? two.op == .greaterEqual && format != .date ? "<" : "<="
      : two.op == .lessEqual && format != .date ? ">" : ">="
    return "remove it; or for a range, write `\(subject) \(opposite) "
      + "\(constant(two.constant))` in place of the other"
  }

  private func tautology(_ path: AttributePath, _ group: Group) -> Diagnostic? {
    guard let culprits = group.fewest(that: group.cover), let last = culprits.last else {
      return nil
    }
    return Diagnostic.always(
      true, "one of these conditions on `\(path)` always holds, so this is always true",
      at: tree[last.node].span, label: "true whenever the other is not",
      secondary: culprits.dropLast().map { Diagnostic.Label(tree[$0.node].span, "") },
      helps: [
        group.exclude(culprits)
          ? "correct one of them"
          : "correct one of them; for users who pass both, join them with `&&`"
      ])
  }

  /// Reports `user.age > 18 && user.age > 21`, in which the first condition changes nothing.
  private func redundancy(_ path: AttributePath, _ group: Group, _ isAnd: Bool) -> Diagnostic? {
    let classes = group.classes(of: group.tests)
    func implies(_ strong: Test, _ weak: Test) -> Bool {
      classes.allSatisfy { strong.holds[$0] != true || weak.holds[$0] == true }
    }
    func equals(_ first: Test, _ second: Test) -> Bool {
      classes.allSatisfy { first.holds[$0] == second.holds[$0] }
    }
    let tests = group.tests.enumerated().filter { !$0.element.asksForValue }
    for (index, needless) in tests {
      let other = tests.first { place, other in
        guard place != index, tree.text(ofNode: other.node) != tree.text(ofNode: needless.node)
        else { return false }
        // In `&&` the weaker one is needless, in `||` the stronger one.
        let isNeedless = isAnd ? implies(other, needless) : implies(needless, other)
        return isNeedless && !(place > index && equals(other, needless))
      }
      guard let other = other?.element else { continue }
      return Diagnostic(
        .redundantCondition,
        isAnd
          ? "this condition on `\(path)` changes nothing: another one implies it"
          : "this condition on `\(path)` changes nothing: it implies another one",
        at: tree[needless.node].span, label: "changes nothing",
        secondary: [
          Diagnostic.Label(tree[other.node].span, isAnd ? "implies it" : "implied by it")
        ],
        helps: [
          otherBound(needless.node, other.node, isAnd) ?? "remove it, or correct one of the two"
        ])
    }
    return nil
  }
}

extension Needs {
  /// The needs of a comparison of an attribute with constants; `nil` if they do not divide its
  /// values into classes.
  fileprivate init?(_ comparison: ConstantComparison) {
    self.init()
    switch comparison.value {
    case .list where comparison.op != .in: return nil
    case .string where comparison.op == .in: return nil
    default: break
    }
    for constant in comparison.constants {
      guard compare(with: constant) == nil else { return nil }
    }
  }
}
