import ExpressionEngine
import ExpressionSyntax

/// The outcome of a condition, as far as the connectives `&&`, `||`, `!` and `? :` can tell.
enum Outcome: UInt8, CaseIterable {
  case failure
  case `true`
  case `false`
  /// Something else than a bool that counts as true.
  case truthy
  /// Something else than a bool that counts as false.
  case falsy

  init(_ value: Value) {
    switch value {
    case .bool(true): self = .true
    case .bool(false): self = .false
    default: self = value.isTruthy ? .truthy : .falsy
    }
  }

  /// Evaluates a part of a filter to its outcome.
  init(_ fragment: CompiledFragment, _ context: Context) {
    do throws(EvaluationError) {
      self = Outcome(try fragment.evaluate(context))
    } catch {
      self = .failure
    }
  }
}

/// A set of outcomes.
struct OutcomeSet: OptionSet, Hashable {
  let rawValue: UInt8

  init(rawValue: UInt8) { self.rawValue = rawValue }

  init(_ outcome: Outcome) { rawValue = 1 << outcome.rawValue }

  static let all = OutcomeSet(rawValue: 0b11111)
  /// The number of sets.
  static let count = 32
  static let match = OutcomeSet(.true)
  static let failure = OutcomeSet(.failure)

  func contains(_ outcome: Outcome) -> Bool { rawValue & 1 << outcome.rawValue != 0 }
}

/// The outcomes of two operands with which an operator comes to one of some outcomes.
struct OperandTable: Sendable {
  /// Any of some outcomes on the left with any of some on the right.
  struct Row {
    var left: OutcomeSet
    let right: OutcomeSet
  }

  /// By the bits of the outcomes that are wanted.
  private let rows: [[Row]]

  /// - Parameter results: By the outcomes of the left and of the right operand.
  init(_ results: [[Outcome]]) {
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

  /// The outcomes that each operand of a chain must have for one of some outcomes, first operand first;
  /// `nil` if there is more than one way.
  func path(_ goal: OutcomeSet, count: Int) -> [OutcomeSet]? {
    var path: [OutcomeSet] = []
    var goal = goal
    for _ in 1..<count {
      let rows = rows(goal)
      guard rows.count == 1 else { return nil }
      path.append(rows[0].right)
      goal = rows[0].left
    }
    path.append(goal)
    return path.reversed()
  }

  /// The pairs that together lead to one of some outcomes.
  func rows(_ goal: OutcomeSet) -> [Row] { rows[Int(goal.rawValue)] }
}

/// The results that the connectives of a dialect compute from the outcomes of their operands, as
/// the engine computes them.
struct Connectives: Sendable {
  let and: OperandTable
  let or: OperandTable
  let not: [Outcome]
  let doubleNot: [Outcome]
  /// The operands are the branches; by the outcome of the condition.
  let conditional: [OperandTable]

  private static let superscript = Connectives(.superscript)
  private static let cel = Connectives(.cel)

  static func of(_ dialect: Dialect.Name) -> Connectives {
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
        case .failure: break  // A name that nobody declared fails.
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
