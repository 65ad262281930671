import ExpressionEngine
import ExpressionSyntax
import FilterAnalysis

/// The influence of a condition on its filter, for users who lack some attributes.
///
/// Conditions on nothing but the missing attributes are evaluated with the engine; every other one
/// may be true or false. What follows for the filter is read off the tables of the connectives. So
/// `has(user.age) && user.age < 18` is right: without an age the first operand decides alone.
struct MissingOutcomes {
  /// The attributes that a user lacks.
  enum Missing: Hashable {
    /// One, and what is inside it.
    case one(AttributePath)
    /// Some, which are missing together.
    case together(Set<AttributePath>)
    /// All attributes of the SDKs that are not always set.
    case optional
    /// Those, and all that the schema does not know.
    case unknown

    /// Returns what is missing together with an attribute: users without an id are not logged in.
    static func absence(of path: AttributePath) -> Missing {
      path == idOfUser ? .together([path, login]) : .one(path)
    }

    private static let idOfUser = AttributePath(root: "user", names: ["appUserId"])
    private static let login = AttributePath(root: "user", names: ["isLoggedIn"])
  }

  /// Two outcomes of a part: as the filter is written, and with the condition the other way around.
  private typealias Pair = (now: Outcome, otherwise: Outcome)

  /// A set of pairs; chains of thousands of conditions carry one up to the root for each question.
  private struct Pairs: Sequence, IteratorProtocol {
    /// Eight bits for each outcome of now.
    private var bits: UInt64 = 0

    mutating func insert(_ now: Outcome, _ otherwise: Outcome) {
      bits |= 1 << UInt64(now.rawValue << 3 | otherwise.rawValue)
    }

    mutating func next() -> Pair? {
      let index = UInt8(truncatingIfNeeded: bits.trailingZeroBitCount)
      guard bits != 0, let now = Outcome(rawValue: index >> 3),
        let otherwise = Outcome(rawValue: index & 7)
      else { return nil }
      bits &= bits &- 1
      return (now, otherwise)
    }
  }

  /// A condition without connectives.
  private struct Leaf {
    var paths: [AttributePath] = []
    /// Whether it reads something that is not an attribute: a function of the app, the history.
    var isOpen = false
    /// The outcome without any attribute, once it is known.
    var alone: Outcome?
    /// The outcomes without some of the attributes, once they were asked for.
    var partial: [[AttributePath]: OutcomeSet] = [:]
  }

  /// The most nodes that are visited for all questions about a filter; long chains end there.
  private static let workLimit = 4_000_000

  private let connectives: Connectives
  private var leaves: [NodeID: Leaf] = [:]
  /// The outcomes of the conditions for the users of the last question.
  private var last: (missing: Missing, outcomes: [OutcomeSet])?
  private var work = 0

  init(_ dialect: Dialect.Name) { connectives = .of(dialect) }

  // MARK: Questions

  /// Returns whether users who lack attributes match because a condition is as it is: if it had the
  /// opposite value, they would not.
  ///
  /// - Returns: `false` also if that is not known, because the filter is too long.
  mutating func makesMatch(
    _ condition: NodeID, without missing: Missing, in linter: FilterLinter
  ) -> Bool {
    pairs(condition, missing, linter).contains { $0.now == .true && $0.otherwise != .true }
  }

  /// Returns whether the filter depends on a condition for users who lack attributes: whether they
  /// match may change with its value.
  mutating func matters(
    _ condition: NodeID, without missing: Missing, in linter: FilterLinter
  ) -> Bool {
    pairs(condition, missing, linter).contains { ($0.now == .true) != ($0.otherwise == .true) }
  }

  /// Returns whether users who lack an attribute do not match because of a condition, and would if
  /// the attribute was 0 or empty: the condition fails for them, or is false although it is a `!=`.
  mutating func excludes(
    _ condition: NodeID, without path: AttributePath, in linter: FilterLinter
  ) -> Bool {
    guard let pair = outcomes(of: condition, without: path, linter) else { return false }
    var pairs = Pairs()
    pairs.insert(pair.now, pair.otherwise)
    return whole(pairs, of: condition, outcomes(.absence(of: path), linter), linter)
      .contains { $0.now != .true && $0.otherwise == .true }
  }

  /// Returns the outcome of a condition for a user without any attributes; `nil` if it reads
  /// anything else.
  mutating func outcome(_ condition: NodeID, in linter: FilterLinter) -> Outcome? {
    let leaf = self.leaf(condition, linter)
    return leaf.isOpen ? nil : leaf.alone
  }

  // MARK: Outcomes

  /// The pairs of outcomes that the whole filter can have.
  private mutating func pairs(
    _ condition: NodeID, _ missing: Missing, _ linter: FilterLinter
  ) -> Pairs {
    let outcomes = self.outcomes(missing, linter)
    guard !outcomes.isEmpty else { return Pairs() }
    var part = condition
    var pairs = Self.opposites(
      of: linter.isCondition[Int(part.index)] ? outcomes[Int(part.index)] : [])
    // A part of something else than a condition may have any influence on it.
    while !linter.isCondition[Int(part.index)] {
      guard part != linter.tree.root else { return Pairs() }
      part = linter.parent(of: part)
      pairs = Self.opposites(of: Self.either, now: outcomes[Int(part.index)])
    }
    return whole(pairs, of: part, outcomes, linter)
  }

  /// The pairs of the whole filter, of which a condition has pairs.
  private func whole(
    _ pairs: Pairs, of condition: NodeID, _ outcomes: [OutcomeSet], _ linter: FilterLinter
  ) -> Pairs {
    guard !outcomes.isEmpty else { return Pairs() }
    var (part, pairs) = (condition, pairs)
    while part != linter.tree.root {
      let parent = linter.parent(of: part)
      pairs = combined(pairs, at: part, in: linter.tree[parent], outcomes)
      part = parent
    }
    return pairs
  }

  private static let either: OutcomeSet = [OutcomeSet(.true), OutcomeSet(.false)]

  /// The outcomes of a condition, each with its opposite.
  ///
  /// - Parameter now: The outcomes that it can have as the filter is, if they are known.
  private static func opposites(of outcomes: OutcomeSet, now known: OutcomeSet = []) -> Pairs {
    var pairs = Pairs()
    for now in (known.isEmpty ? outcomes : known).members {
      switch now {
      case .true, .truthy: pairs.insert(now, .false)
      case .false, .falsy: pairs.insert(now, .true)
      case .failure:
        pairs.insert(now, .true)
        pairs.insert(now, .false)
      }
    }
    return pairs
  }

  /// The pairs of a connective, of which one operand has pairs and the others have outcomes.
  private func combined(
    _ pairs: Pairs, at operand: NodeID, in node: SyntaxNode, _ outcomes: [OutcomeSet]
  ) -> Pairs {
    func all(_ id: NodeID) -> OutcomeSet.Members { outcomes[Int(id.index)].members }
    var result = Pairs()
    switch node.kind {
    case .unary:
      let table = node.op == .not ? connectives.not : connectives.doubleNot
      for pair in pairs {
        result.insert(table[Int(pair.now.rawValue)], table[Int(pair.otherwise.rawValue)])
      }
    case .binary:
      let table = node.op == .and ? connectives.and : connectives.or
      let isFirst = node.left == operand
      for other in all(isFirst ? node.right : node.left) {
        for pair in pairs {
          if isFirst {
            result.insert(table.result(pair.now, other), table.result(pair.otherwise, other))
          } else {
            result.insert(table.result(other, pair.now), table.result(other, pair.otherwise))
          }
        }
      }
    case .conditional:
      func choice(_ test: Outcome, _ first: Outcome, _ second: Outcome) -> Outcome {
        connectives.conditional[Int(test.rawValue)].result(first, second)
      }
      let parts = [node.condition, node.consequence, node.alternative].filter { $0 != operand }
      guard parts.count == 2 else { return result }
      for a in all(parts[0]) {
        for b in all(parts[1]) {
          for pair in pairs {
            if node.condition == operand {
              result.insert(choice(pair.now, a, b), choice(pair.otherwise, a, b))
            } else if node.consequence == operand {
              result.insert(choice(a, pair.now, b), choice(a, pair.otherwise, b))
            } else {
              result.insert(choice(a, b, pair.now), choice(a, b, pair.otherwise))
            }
          }
        }
      }
    default: break
    }
    return result
  }

  /// The outcomes of each condition, by its node; empty if the filter is too long for another
  /// question.
  private mutating func outcomes(
    _ missing: Missing, _ linter: FilterLinter
  ) -> [OutcomeSet] {
    work += linter.tree.nodes.count
    guard work <= Self.workLimit else { return [] }
    if let last, last.missing == missing { return last.outcomes }
    let nodes = linter.tree.nodes
    var outcomes = [OutcomeSet](repeating: [], count: nodes.count)
    // Parents come after their children.
    for (index, node) in nodes.enumerated() where linter.isCondition[index] {
      outcomes[index] =
        linter.isLogic(node)
        ? joined(node, outcomes) : ofLeaf(NodeID(UInt32(index)), missing, linter)
    }
    last = (missing, outcomes)
    return outcomes
  }

  private func joined(_ node: SyntaxNode, _ outcomes: [OutcomeSet]) -> OutcomeSet {
    let first =
      switch node.kind {
      case .binary: node.left
      case .conditional: node.condition
      default: node.operand
      }
    var pairs = Pairs()
    for outcome in outcomes[Int(first.index)].members { pairs.insert(outcome, outcome) }
    return combined(pairs, at: first, in: node, outcomes).reduce(into: []) {
      $0.insert(OutcomeSet($1.now))
    }
  }

  private mutating func ofLeaf(
    _ id: NodeID, _ missing: Missing, _ linter: FilterLinter
  ) -> OutcomeSet {
    let leaf = self.leaf(id, linter)
    guard !leaf.isOpen, let alone = leaf.alone else { return Self.either }
    let lacking = leaf.paths.filter { Self.isMissing($0, missing, linter.schema) }
    if lacking.count == leaf.paths.count { return OutcomeSet(alone) }
    guard !lacking.isEmpty else { return Self.either }
    // What fails without all attributes is taken to fail without one.
    if alone == .failure { return .failure }
    if let known = leaf.partial[lacking] { return known }
    let found = outcomes(of: id, without: lacking, leaf.paths, linter)
    leaves[id]?.partial[lacking] = found
    return found
  }

  /// The outcomes of a condition where some of its attributes are missing, as far as a value of
  /// each kind in the others shows.
  private func outcomes(
    of id: NodeID, without lacking: [AttributePath], _ paths: [AttributePath],
    _ linter: FilterLinter
  ) -> OutcomeSet {
    guard let fragment = try? CompiledFragment(linter.tree, id, environment: linter.environment)
    else { return Self.either }
    let outcomes: OutcomeSet = Self.samples.reduce(into: []) { found, sample in
      let whole = paths.reduce(Self.nobody) { $0.setting($1, to: sample.value) }
      found.insert(
        OutcomeSet(Outcome(fragment, lacking.reduce(whole) { $0.setting($1, to: nil) })))
    }
    return outcomes.rawValue.nonzeroBitCount == 1 ? outcomes : Self.either
  }

  private static func isMissing(
    _ path: AttributePath, _ missing: Missing, _ schema: AttributeSchema
  ) -> Bool {
    switch missing {
    case .one(let lacking):
      return path.root == lacking.root && path.names.starts(with: lacking.names)
    case .together(let group): return group.contains(path)
    case .optional: return schema.attribute(at: path)?.isOptional == true
    case .unknown: return schema.attribute(at: path)?.isOptional != false
    }
  }

  private mutating func leaf(_ id: NodeID, _ linter: FilterLinter) -> Leaf {
    if let known = leaves[id] { return known }
    var leaf = Leaf()
    if let paths = linter.attributesRead(by: id) { leaf.paths = paths } else { leaf.isOpen = true }
    if !leaf.isOpen,
      let fragment = try? CompiledFragment(
        linter.tree, id, environment: linter.environment)
    {
      leaf.alone = Outcome(fragment, Self.nobody)
    }
    leaves[id] = leaf
    return leaf
  }

  /// The outcomes of a condition for users who lack an attribute, and for those whose attribute is
  /// 0 or empty; `nil` if it fails for all values that are tried.
  private func outcomes(
    of condition: NodeID, without path: AttributePath, _ linter: FilterLinter
  ) -> Pair? {
    guard let paths = linter.attributesRead(by: condition),
      let fragment = try? CompiledFragment(linter.tree, condition, environment: linter.environment)
    else { return nil }
    for (value, empty) in Self.samples {
      let user = paths.reduce(Self.nobody) { $0.setting($1, to: value) }
      guard Outcome(fragment, user) != .failure else { continue }
      let otherwise = Outcome(fragment, user.setting(path, to: empty))
      return (
        Outcome(fragment, user.setting(path, to: nil)), otherwise == .failure ? .false : otherwise
      )
    }
    return nil
  }

  /// A value of each kind, with the one that is 0 or empty.
  private static let samples: [(value: Value, empty: Value)] = [
    (.int(1), .int(0)), (.string("a"), .string("")), (.bool(true), .bool(false)),
    (.list([.string("a")]), .list([])), (.string("2026-01-01T00:00:00Z"), .string("")),
  ]

  /// A user without attributes.
  private static let nobody = Context(variables: ["user": [:], "device": [:], "params": [:]])
}
