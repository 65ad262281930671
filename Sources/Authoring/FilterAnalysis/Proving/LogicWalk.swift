import ExpressionEngine
import ExpressionSyntax

/// A walk through the parts of a filter with the users who reach each part.
struct LogicWalk {
  enum Question: CaseIterable {
    case contradictions
    case redundancy
  }

  let space: FilterSpace
  let filter: OutlinedFilter
  let question: Question
  /// The findings of other checks, and after them those of the walk.
  private(set) var diagnostics: [Diagnostic]

  private var tree: SyntaxTree { filter.tree }

  init(space: FilterSpace, filter: OutlinedFilter, question: Question, known: [Diagnostic]) {
    self.space = space
    self.filter = filter
    self.question = question
    diagnostics = known
  }

  /// Looks at a whole filter.
  mutating func visit(_ formula: Formula) throws(Diagram.TooLarge) {
    if try isDecided(formula, for: .everyone) { return }
    try visit(formula, for: .everyone)
  }

  /// Looks at the parts of a formula.
  ///
  /// - Parameter users: The users who reach it.
  private mutating func visit(
    _ formula: Formula, for users: Diagram.Node
  ) throws(Diagram.TooLarge) {
    switch formula.kind {
    case .condition, .constant: return
    case .not, .doubleNot:
      // What always or never holds below `!` is one finding, and not one for each operand.
      let inner = formula.children[0]
      let isChain = inner.kind == .all || inner.kind == .any
      if question != .redundancy, isChain, try isDecided(inner, for: users) { return }
      try visit(inner, for: users)
    case .all, .any: try visitChain(formula, for: users)
    case .conditional:
      let condition = formula.children[0]
      let isTrue = try holds(condition)
      let first = try space.diagram.and(users, isTrue)
      let second = try space.diagram.without(users, isTrue)
      let parts = zip(formula.children, [users, first, second])
      for (part, users) in parts where try !isDecided(part, for: users) {
        try visit(part, for: users)
      }
    }
  }

  // MARK: Chains

  private mutating func visitChain(
    _ chain: Formula, for users: Diagram.Node
  ) throws(Diagram.TooLarge) {
    let isAnd = chain.kind == .all
    var operands = chain.children
    var index = 0
    while index < operands.count {
      let operand = operands[index]
      var others = operands
      others.remove(at: index)
      let reaching = try narrowed(users, by: others, isAnd: isAnd)
      // The same condition twice is for other checks to say.
      let isRepeated = others.contains { filter.text(of: $0) == filter.text(of: operand) }
      if question == .redundancy, operands.count > 1, !isRepeated,
        try isNeedless(operand, reaching, isAnd)
      {
        reportNeedless(operand, try implying(operand, others, users, isAnd: isAnd), isAnd: isAnd)
        operands = others
        continue
      }
      // In `a || !a && b` the second `!a` is needless, but it is how people write.
      let inner = isAnd && space.isEmpty(reaching) == false ? reaching : users
      if question == .redundancy {
        try visit(operand, for: inner)
      } else if try !isDecided(operand, for: inner) {
        try visit(operand, for: inner)
      }
      index += 1
    }
  }

  /// The users for whom all other operands of `&&` hold, or none of `||`.
  private func narrowed(
    _ users: Diagram.Node, by others: [Formula], isAnd: Bool
  ) throws(Diagram.TooLarge) -> Diagram.Node {
    var result = users
    for other in others {
      let isTrue = try holds(other)
      result =
        isAnd ? try space.diagram.and(result, isTrue) : try space.diagram.without(result, isTrue)
    }
    return result
  }

  private func isNeedless(
    _ operand: Formula, _ reaching: Diagram.Node, _ isAnd: Bool
  ) throws(Diagram.TooLarge) -> Bool {
    guard isWorthSaying(operand), space.isEmpty(reaching) == false else { return false }
    let isTrue = try holds(operand)
    let rest =
      isAnd ? try space.diagram.without(reaching, isTrue) : try space.diagram.and(reaching, isTrue)
    guard space.isEmpty(rest) == true else { return false }
    return try changesNothing(operand, isAnd ? .true : .false)
  }

  /// Returns whether the filter matches the same users with a constant in place of a part:
  /// superscript evaluates all operands, so that a part may decide whether another one fails.
  private func changesNothing(
    _ part: Formula, _ outcome: Outcome
  ) throws(Diagram.TooLarge) -> Bool {
    let changed = try space.matches(filter.formula.replacing(part.node, with: outcome))
    let difference = try space.diagram.differ(changed, space.matches(filter.formula))
    return space.isEmpty(difference) == true
  }

  /// The fewest operands that make another one needless.
  private func implying(
    _ operand: Formula, _ others: [Formula], _ users: Diagram.Node, isAnd: Bool
  ) throws(Diagram.TooLarge) -> [Formula] {
    var needed = others
    for other in others where needed.count > 1 {
      let fewer = needed.filter { $0.node != other.node }
      if try isNeedless(operand, narrowed(users, by: fewer, isAnd: isAnd), isAnd) { needed = fewer }
    }
    return needed
  }

  // MARK: Findings

  private static let helpForDecided = "correct it, or the other conditions"

  /// Reports a part that has the same value for all users who reach it. Returns whether it does.
  private mutating func isDecided(
    _ part: Formula, for users: Diagram.Node
  ) throws(Diagram.TooLarge) -> Bool {
    guard isWorthSaying(part), space.isEmpty(users) == false else { return false }
    let isTrue = try holds(part)
    let isHere = users == .everyone ? "" : " here"
    if question == .contradictions {
      let both = try space.diagram.and(users, isTrue)
      guard space.isEmpty(both) == true else { return false }
      if users != .everyone, try !changesNothing(part, .false) { return false }
      if part.kind == .all, part.children.count > 1 {
        try reportExclusion(part, users)
      } else {
        report(
          .alwaysFalse, "`\(text(part))` is never true\(isHere)", at: part, "always false", [],
          help: Self.helpForDecided)
      }
      return true
    }
    let rest = try space.diagram.without(users, isTrue)
    guard space.isEmpty(rest) == true else { return false }
    if users != .everyone, try !changesNothing(part, .true) { return false }
    report(
      .alwaysTrue, "`\(text(part))` is always true\(isHere)", at: part, "always true", [],
      help: part.kind == .any ? "remove one of them, or correct a value" : Self.helpForDecided)
    return true
  }

  /// Reports a smallest set of operands of `&&` that exclude each other.
  private mutating func reportExclusion(
    _ chain: Formula, _ users: Diagram.Node
  ) throws(Diagram.TooLarge) {
    var core = chain.children
    for operand in chain.children where core.count > 1 {
      let fewer = core.filter { $0.node != operand.node }
      let others = try narrowed(users, by: fewer, isAnd: true)
      if space.isEmpty(others) == true { core = fewer }
    }
    guard let last = core.last else { return }
    if core.count == 1, last.kind == .all, last.children.count > 1 {
      return try reportExclusion(last, users)
    }
    let reason = core.count > 1 ? reason(core) : nil
    report(
      .alwaysFalse,
      core.count > 1
        ? core.count > 2
          ? "these \(core.count) conditions are never true together"
          : "these conditions exclude each other" : "`\(text(last))` is never true",
      at: last,
      core.count > 1
        ? "never true together with the other\(core.count > 2 ? "s" : "")" : "always false",
      core.dropLast().map { ($0, "this one") },
      note: reason ?? (core.count > 2 ? noteOfOthers(core.dropLast()) : nil),
      help: try helpForExclusion(core, users, isRelated: reason != nil))
  }

  /// Names conditions that an excerpt of a long filter may leave out.
  private func noteOfOthers(_ others: ArraySlice<Formula>) -> String {
    let named = others.suffix(4).map { "`\(text($0))`" }
    return "\(named.count < others.count ? "among " : "")the others are "
      + named.joined(separator: " and ")
  }

  private func helpForExclusion(
    _ core: [Formula], _ users: Diagram.Node, isRelated: Bool
  ) throws(Diagram.TooLarge) -> String {
    guard core.count > 1 else { return Self.helpForDecided }
    if let path = withoutAttribute(core) {
      if let other = core.last.flatMap({ ConstantComparison(tree[$0.node], in: tree) }),
        other.op == .equal, tree.text(ofNode: other.subject) == path
      {
        let all = "\(path) != \(tree.text(ofNode: other.constant))"
        return "for those, remove the first; for all others, write `\(all)` alone"
      }
      return
        "for users who have it, write `has(\(path))`; for all others, remove the other condition"
    }
    // What no user has together is not meant as a choice, and one of two opposites always holds.
    if isRelated || core.count > 2 { return "correct one of them" }
    return space.isEmpty(try narrowed(users, by: core, isAnd: false)) == true
      ? "correct one of them"
      : FilterProver.helpForExclusion
  }

  /// Returns the attribute that the first of some conditions says is missing.
  private func withoutAttribute(_ core: [Formula]) -> String? {
    guard core.count == 2, let first = core.first else { return nil }
    var node = tree[first.node]
    let comparison = ConstantComparison(node, in: tree)
    let isFalse = comparison?.op == .equal && comparison?.value == .bool(false)
    if isFalse, let comparison { node = tree[comparison.subject] }
    let isNegated = isFalse != node.isUnary(.not)
    if node.isUnary(.not) { node = tree[node.operand] }
    guard isNegated, node.kind == .call, tree.name(of: node) == "has", node.receiver == nil,
      let argument = tree.arguments(of: node).first
    else { return nil }
    return tree.text(ofNode: argument)
  }

  /// Returns the relation between the values of a user because of which conditions exclude each
  /// other, in words (``FilterSpace/addConstraints()``).
  private func reason(_ core: [Formula]) -> String? {
    let sources = sources(of: core)
    let functions = sources.compactMap { source -> HistoryFunctionInfo? in
      guard case .history(let name, _) = source.kind else { return nil }
      return HistoryFunctionInfo.named(name)
    }
    let names = Set(sources.map { $0.text })
    func reads(_ unit: String) -> Bool { names.contains { $0.hasPrefix("device.\(unit)Since") } }
    if functions.count(where: { !$0.isTime }) > 1 {
      return "an event in a shorter window is in the longer one, too"
    }
    if reads("minutes"), reads("days") || reads("hours") {
      return "both are the same time, in two units: a day has 1440 minutes"
    }
    if functions.count > 1 { return "both are about the same event" }
    if names.isSuperset(of: ["device.subscriptionStatus", "device.activeEntitlements"]) {
      return "users who are `ACTIVE` have an entitlement, and users who are `UNKNOWN` have none"
    }
    if names.isSuperset(of: ["user.isLoggedIn", "device.appUserId"]) {
      return "users who are logged in have an id"
    }
    return nil
  }

  private func sources(of parts: [Formula]) -> Set<Source> {
    var found: Set<Source> = []
    var work = parts
    while let part = work.popLast() {
      if case .condition(let number) = part.kind {
        found.formUnion(space.conditions[number].reads.map { space.sources[$0] })
      }
      work += part.children
    }
    return found
  }

  private mutating func reportNeedless(_ operand: Formula, _ others: [Formula], isAnd: Bool) {
    report(
      .redundantCondition,
      isAnd
        ? "this condition changes nothing: it is implied by the others"
        : "this condition changes nothing: it implies another one",
      at: operand, "changes nothing", others.map { ($0, isAnd ? "implies it" : "implied by it") },
      help: isAnd ? "remove it, or correct one of them" : "remove the one that is not meant")
  }

  private mutating func report(
    _ id: DiagnosticID, _ message: String, at part: Formula, _ label: String,
    _ others: [(part: Formula, label: String)], note: String? = nil, help: String? = nil
  ) {
    let span = tree[part.node].span
    let spans = [span] + others.map { tree[$0.part.node].span }
    // Another check has said what is wrong with one of them. That a condition inside changes
    // nothing, or is true without its attribute, does not say that the whole always is.
    let isSaid = diagnostics.contains { known in
      let isLess =
        part.children.count > 1 && id != .redundantCondition
        && [.redundantCondition, .missingCountsAsZero].contains(known.id)
        && span.start <= known.primary.span.start && known.primary.span.end <= span.end
        && span != known.primary.span
      return !isLess
        && spans.contains { known.primary.span.start < $0.end && $0.start < known.primary.span.end }
    }
    guard !isSaid else { return }
    diagnostics.append(
      Diagnostic(
        id, message, at: span, label: label,
        secondary: others.map { Diagnostic.Label(tree[$0.part.node].span, $0.label) },
        notes: note.map { [$0] } ?? [], helps: help.map { [$0] } ?? []))
  }

  /// Returns whether a redundant part is worth reporting. Presence tests and constants are not.
  private func isWorthSaying(_ part: Formula) -> Bool {
    if case .constant = part.kind { return false }
    if part.kind == .not || part.kind == .doubleNot { return isWorthSaying(part.children[0]) }
    guard case .condition(let number) = part.kind else {
      return part.children.allSatisfy { !isConstant($0) }
    }
    // Other checks know constants.
    if space.conditions[number].reads.isEmpty { return false }
    let node = tree[part.node]
    switch node.kind {
    case .call: return !["has", "hasFn"].contains(tree.name(of: node))
    case .binary:
      return [node.left, node.right].allSatisfy { id in
        let operand = tree[id]
        if operand.kind == .call, tree.name(of: operand) == "size" { return false }
        return switch tree.constant(of: id) {
        case .null, .string(""): false
        default: true
        }
      }
    case .select, .index:
      return tree.attributePath(of: part.node).flatMap { space.schema?.attribute(at: $0) }?.type
        == .bool
    default: return tree.constant(of: part.node) == nil
    }
  }

  private func isConstant(_ part: Formula) -> Bool {
    switch part.kind {
    case .constant: true
    case .condition(let number): space.conditions[number].reads.isEmpty
    default: false
    }
  }

  // MARK: Users

  /// The users for whom a part counts as true. Of a whole filter only `true` does.
  private func holds(_ part: Formula) throws(Diagram.TooLarge) -> Diagram.Node {
    if part.node == filter.formula.node { return try space.matches(part) }
    return try space.users(part, where: [OutcomeSet(.true), OutcomeSet(.truthy)])
  }

  private func text(_ part: Formula) -> String {
    let text = filter.text(of: part)
    return text.count > 60 ? text.prefix(57) + "…" : text
  }
}
