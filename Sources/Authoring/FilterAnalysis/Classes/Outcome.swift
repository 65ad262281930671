package import ExpressionEngine
package import ExpressionSyntax

/// The outcome of a condition, as far as the connectives `&&`, `||`, `!` and `? :` can tell.
package enum Outcome: UInt8, CaseIterable {
  case failure
  case `true`
  case `false`
  /// Something else than a bool that counts as true.
  case truthy
  /// Something else than a bool that counts as false.
  case falsy

  package init(_ value: Value) {
    switch value {
    case .bool(true): self = .true
    case .bool(false): self = .false
    default: self = value.isTruthy ? .truthy : .falsy
    }
  }

  /// Whether a condition with this outcome holds; `nil` if it failed.
  package var holds: Bool? {
    switch self {
    case .failure: nil
    case .true, .truthy: true
    case .false, .falsy: false
    }
  }

  /// Evaluates a part of a filter to its outcome.
  package init(_ fragment: CompiledFragment, _ context: Context) {
    do throws(EvaluationError) {
      self = Outcome(try fragment.evaluate(context))
    } catch {
      self = .failure
    }
  }
}

/// A set of outcomes.
package struct OutcomeSet: OptionSet, Hashable {
  package let rawValue: UInt8

  package init(rawValue: UInt8) { self.rawValue = rawValue }

  package init(_ outcome: Outcome) { rawValue = 1 << outcome.rawValue }

  package static let all = OutcomeSet(rawValue: 0b11111)
  /// The number of sets.
  package static let count = 32
  package static let match = OutcomeSet(.true)
  package static let failure = OutcomeSet(.failure)

  package func contains(_ outcome: Outcome) -> Bool { rawValue & 1 << outcome.rawValue != 0 }

  /// The outcomes in the set.
  package var members: Members { Members(bits: rawValue) }

  /// The outcomes in a set, one after the other.
  package struct Members: Sequence, IteratorProtocol {
    fileprivate var bits: UInt8

    package mutating func next() -> Outcome? {
      guard bits != 0 else { return nil }
      defer { bits &= bits &- 1 }
      return Outcome(rawValue: UInt8(truncatingIfNeeded: bits.trailingZeroBitCount))
    }
  }
}

/// The outcomes of two operands for which an operator has one of some outcomes.
package struct OperandTable: Sendable {
  /// Any of some outcomes on the left with any of some on the right.
  package struct Row {
    package var left: OutcomeSet
    package let right: OutcomeSet
  }

  /// By the bits of the outcomes that are wanted.
  private let rows: [[Row]]
  /// By the outcomes of the left and of the right operand.
  private let results: [[Outcome]]

  /// - Parameter results: By the outcomes of the left and of the right operand.
  package init(_ results: [[Outcome]]) {
    self.results = results
    rows = (0..<OutcomeSet.count).map { bits in
      let goal = OutcomeSet(rawValue: UInt8(truncatingIfNeeded: bits))
      var rows: [Row] = []
      for left in Outcome.allCases {
        var right: OutcomeSet = []
        for outcome in Outcome.allCases
        where goal.contains(results[Int(left.rawValue)][Int(outcome.rawValue)]) {
          right.insert(OutcomeSet(outcome))
        }
        guard !right.isEmpty else { continue }
        if let same = rows.firstIndex(where: { $0.right == right }) {
          rows[same].left.insert(OutcomeSet(left))
        } else {
          rows.append(Row(left: OutcomeSet(left), right: right))
        }
      }
      return rows
    }
  }

  /// The result for two operands.
  package func result(_ left: Outcome, _ right: Outcome) -> Outcome {
    results[Int(left.rawValue)][Int(right.rawValue)]
  }

  /// The pairs that together lead to one of some outcomes.
  package func rows(_ goal: OutcomeSet) -> [Row] { rows[Int(goal.rawValue)] }
}

/// The results that the connectives of a dialect compute from the outcomes of their operands, as
/// the engine computes them.
package struct Connectives: Sendable {
  package let and: OperandTable
  package let or: OperandTable
  package let not: [Outcome]
  package let doubleNot: [Outcome]
  /// The operands are the branches; by the outcome of the condition.
  package let conditional: [OperandTable]

  private static let superscript = Connectives(.superscript)
  private static let cel = Connectives(.cel)

  package static func of(_ dialect: Dialect.Name) -> Connectives {
    switch dialect {
    case .superscript: superscript
    case .cel: cel
    }
  }

  private init(_ dialect: Dialect.Name) {
    let environment = FilterEnvironment(dialect: .named(dialect))
    func fragment(_ text: String) -> CompiledFragment? {
      guard let tree = try? parse(SourceText(text), dialect: .named(dialect)) else { return nil }
      return try? CompiledFragment(tree, tree.root, environment: environment)
    }
    func ask(_ fragment: CompiledFragment?, _ operands: [Outcome]) -> Outcome {
      var variables: [String: Value] = [:]
      for (name, outcome) in zip(["a", "b", "c"], operands) {
        switch outcome {
        case .failure: break  // An undeclared name fails.
        case .true: variables[name] = true
        case .false: variables[name] = false
        case .truthy: variables[name] = 1
        case .falsy: variables[name] = 0
        }
      }
      guard let fragment else { return .failure }
      return Outcome(fragment, Context(variables: variables))
    }
    let all = Outcome.allCases
    let both = fragment("a && b")
    let either = fragment("a || b")
    let negation = fragment("!a")
    let truth = fragment("!!a")
    let choice = fragment("a ? b : c")
    and = OperandTable(all.map { a in all.map { b in ask(both, [a, b]) } })
    or = OperandTable(all.map { a in all.map { b in ask(either, [a, b]) } })
    not = all.map { ask(negation, [$0]) }
    doubleNot = all.map { ask(truth, [$0]) }
    conditional = all.map { a in
      OperandTable(all.map { b in all.map { c in ask(choice, [a, b, c]) } })
    }
  }
}
