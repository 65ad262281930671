import ExpressionPrinting
import ExpressionSyntax

@testable import ExpressionEngine

/// What an expression is evaluated over.
struct OracleContext: Sendable {
  let name: String
  let variables: [String: Value]
  let context: Context

  init(_ name: String, _ variables: [String: Value]) {
    self.name = name
    self.variables = variables
    context = Context(variables: variables)
  }
}

/// Two ways to evaluate an expression that answer differently, or code that is not sound.
struct Disagreement: CustomStringConvertible {
  let expression: String
  let context: String
  /// The ways and what each of them says.
  let answers: [(way: String, says: String)]

  var description: String {
    "`\(expression)` over \(context): "
      + answers.map { "\($0.way) says \($0.says)" }.joined(separator: "; ")
  }
}

/// Holds every way to evaluate an expression against the reference evaluator.
struct Agreement {
  let environment: Environment
  let contexts: [OracleContext]

  /// What came of comparing.
  enum Verdict {
    case agrees
    /// No filter: the text does not parse, or nests too deep.
    case refused(FilterError)
    /// Nothing says what the answer is.
    case unspecified
    case disagrees(Disagreement)
  }

  /// Compares the machine with and without fused instructions, the printed form, and the reference.
  func check(_ expression: String) -> Verdict {
    do {
      let tree = try parse(
        Source(expression), dialect: environment.dialect, limits: environment.parserLimits)
      return try check(tree, expression)
    } catch {
      return .refused(FilterError(source: Source(expression), diagnostics: error.diagnostics))
    }
  }

  private func check(_ tree: SyntaxTree, _ expression: String) throws(SyntaxError) -> Verdict {
    let fused: Program
    let plain: Program
    do {
      fused = try Lowering.program(tree, environment: environment, fuses: true)
      plain = try Lowering.program(tree, environment: environment, fuses: false)
    } catch {
      return .refused(error)
    }
    for program in [fused, plain] {
      do {
        try program.verify()
      } catch {
        return disagreement(expression, "verification", [("verify()", error.description)])
      }
    }
    let printed = SyntaxPrinter.print(tree)
    let again: CompiledFilter
    do {
      let reparsed = try parse(
        Source(printed), dialect: environment.dialect, limits: environment.parserLimits)
      guard reparsed.isStructurallyEqual(to: tree) else {
        return disagreement(expression, "printing", [("the printed form", printed)])
      }
      again = try CompiledFilter(reparsed, environment: environment)
    } catch {
      return disagreement(expression, "printing", [("the printed form", "\(printed): \(error)")])
    }
    return compare(tree, expression, [("fused code", fused), ("plain code", plain)], again)
  }

  /// Each program meets each context several times in a row, so that it is specialized for the shapes
  /// of all of them, and then each context once more.
  private func compare(
    _ tree: SyntaxTree, _ expression: String, _ programs: [(String, Program)],
    _ printed: CompiledFilter
  ) -> Verdict {
    var wanted: [ReferenceEvaluator.Outcome?] = []
    for context in contexts {
      var reference = ReferenceEvaluator(
        tree, environment: environment, variables: context.variables)
      let outcome = reference.run()
      wanted.append(reference.dependsOnKeyOrder ? nil : outcome)
    }
    for round in 0..<2 {
      for (context, wanted) in zip(contexts, wanted) {
        guard let wanted else { continue }
        for time in 0..<(round == 0 ? Self.warmUp : 1) {
          var answers = programs.map { ($0.0, $0.1.run(context.context)) }
          answers.append(
            (
              "printed form",
              .init { () throws(EvaluationError) in try printed.evaluate(context.context) }
            ))
          if answers.contains(where: { !$0.1.isIdentical(to: wanted) }) {
            answers.append(("reference", wanted))
            return disagreement(
              expression, "\(context.name) (round \(round), time \(time))",
              answers.map { ($0.0, $0.1.description) })
          }
        }
      }
    }
    return wanted.contains { $0 == nil } ? .unspecified : .agrees
  }

  /// More often than shapes must be met before code is made for them.
  private static let warmUp = 4

  private func disagreement(
    _ expression: String, _ context: String, _ answers: [(String, String)]
  ) -> Verdict {
    .disagrees(
      Disagreement(
        expression: expression, context: context,
        answers: answers.map { (way: $0.0, says: $0.1) }))
  }
}
