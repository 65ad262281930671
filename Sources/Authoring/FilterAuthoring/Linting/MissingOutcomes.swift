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
  }

  /// Two outcomes of a part: as the filter is written, and with the condition the other way around.
  private typealias Pair = (now: Outcome, otherwise: Outcome)

  /// A condition without connectives.
  private struct Leaf {
    var paths: [AttributePath] = []
    /// Whether it reads something that is not an attribute: a function of the app, the history.
    var isOpen = false
    /// The outcome without any attribute, once it is known.
    var alone: Outcome?
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
  ) -> [Pair] {
    let outcomes = self.outcomes(missing, linter)
    guard !outcomes.isEmpty else { return [] }
    let tree = linter.tree
    var part = condition
    var pairs = Self.firstPairs(
      linter.isCondition[Int(part.index)] ? outcomes[Int(part.index)] : [])
    // A part of something else than a condition may have any influence on it.
    while !linter.isCondition[Int(part.index)] {
      guard part != tree.root else { return [] }
      part = linter.parent(of: part)
      pairs = Self.either
    }
    while part != tree.root {
      let parent = linter.parent(of: part)
      pairs = Self.distinct(combined(pairs, at: part, in: tree[parent], outcomes))
      part = parent
    }
    return pairs
  }

  private static let either: [Pair] = [(.true, .false), (.false, .true)]

  /// The outcomes of a condition, each with its opposite.
  private static func firstPairs(_ outcomes: OutcomeSet) -> [Pair] {
    Outcome.allCases.filter { outcomes.contains($0) }.flatMap { now -> [Pair] in
      switch now {
      case .true, .truthy: [(now, .false)]
      case .false, .falsy: [(now, .true)]
      case .failure: [(now, .true), (now, .false)]
      }
    }
  }

  /// The pairs of a connective, of which one operand has pairs and the others have outcomes.
  private func combined(
    _ pairs: [Pair], at operand: NodeID, in node: SyntaxNode, _ outcomes: [OutcomeSet]
  ) -> [Pair] {
    func all(_ id: NodeID) -> [Outcome] {
      Outcome.allCases.filter { outcomes[Int(id.index)].contains($0) }
    }
    switch node.kind {
    case .unary:
      let table = node.op == .not ? connectives.not : connectives.doubleNot
      return pairs.map { (table[Int($0.now.rawValue)], table[Int($0.otherwise.rawValue)]) }
    case .binary:
      let table = node.op == .and ? connectives.and : connectives.or
      let isFirst = node.left == operand
      return all(isFirst ? node.right : node.left).flatMap { other in
        pairs.map { pair in
          isFirst
            ? (table.result(pair.now, other), table.result(pair.otherwise, other))
            : (table.result(other, pair.now), table.result(other, pair.otherwise))
        }
      }
    case .conditional:
      func choice(_ test: Outcome, _ first: Outcome, _ second: Outcome) -> Outcome {
        connectives.conditional[Int(test.rawValue)].result(first, second)
      }
      let parts = [node.condition, node.consequence, node.alternative]
        .filter { $0 != operand }.map(all)
      guard parts.count == 2 else { return [] }
      return parts[0].flatMap { a in
        parts[1].flatMap { b in
          pairs.map { pair -> Pair in
            if node.condition == operand {
              (choice(pair.now, a, b), choice(pair.otherwise, a, b))
            } else if node.consequence == operand {
              (choice(a, pair.now, b), choice(a, pair.otherwise, b))
            } else {
              (choice(a, b, pair.now), choice(a, b, pair.otherwise))
            }
          }
        }
      }
    default: return []
    }
  }

  private static func distinct(_ pairs: [Pair]) -> [Pair] {
    var seen: Set<UInt8> = []
    return pairs.filter { seen.insert($0.now.rawValue &* 8 &+ $0.otherwise.rawValue).inserted }
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
    let pairs: [Pair] = Outcome.allCases.filter { outcomes[Int(first.index)].contains($0) }
      .map { ($0, $0) }
    return combined(pairs, at: first, in: node, outcomes).reduce(into: []) {
      $0.insert(OutcomeSet($1.now))
    }
  }

  private mutating func ofLeaf(
    _ id: NodeID, _ missing: Missing, _ linter: FilterLinter
  ) -> OutcomeSet {
    let leaf = self.leaf(id, linter)
    let either: OutcomeSet = [OutcomeSet(.true), OutcomeSet(.false)]
    guard !leaf.isOpen, let alone = leaf.alone else { return either }
    let count = leaf.paths.count { Self.isMissing($0, missing, linter.schema) }
    if count == leaf.paths.count { return OutcomeSet(alone) }
    // What fails without all attributes is taken to fail without one.
    return count > 0 && alone == .failure ? .failure : either
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
    var work = [id]
    while let next = work.popLast() {
      if let path = linter.freePath(next) {
        leaf.paths.append(path)
        continue
      }
      let node = linter.tree[next]
      switch node.kind {
      case .identifier where !linter.isBound[Int(next.index)]: leaf.isOpen = true
      case .call where linter.isHostCall(node): leaf.isOpen = true
      default: work += linter.tree.parts(of: node)
      }
    }
    if !leaf.isOpen,
      let fragment = try? CompiledFragment(
        linter.tree, id, environment: linter.environment)
    {
      leaf.alone = Outcome(fragment, Self.nobody)
    }
    leaves[id] = leaf
    return leaf
  }

  /// A user without attributes.
  private static let nobody = Context(variables: ["user": [:], "device": [:], "params": [:]])
}
