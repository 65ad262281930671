@testable import ExpressionEngine
@testable import ExpressionSyntax

/// Holds every way to evaluate an expression of the cel dialect against the reference evaluator:
/// fused and plain code on the machine, the filter, which follows its graph of decisions first, the
/// questions whether it matches, and a set of one.
struct CELAgreement {
  let environment: FilterEnvironment
  let contexts: [OracleContext]

  /// What came of comparing.
  enum Verdict {
    /// Every way says the same: what they say, one outcome a context, and which overloads were
    /// called.
    case agrees([CELReferenceEvaluator.Outcome], called: Set<String>)
    /// No filter: the text does not parse, a macro is malformed, or it nests too deep.
    case refused(FilterError)
    /// The outcome hangs on the order of a map's keys.
    case unspecified
    case disagrees(Disagreement)
  }

  /// Compares all ways with the reference in each context.
  func check(_ expression: String) -> Verdict {
    let source = SourceText(expression)
    let tree: SyntaxTree
    do {
      tree = try parse(source, dialect: environment.dialect, limits: environment.parserLimits)
    } catch {
      return .refused(FilterError(source: source, diagnostics: error.diagnostics))
    }
    do {
      let program = try Lowering.program(tree, environment: environment)
      do {
        try program.verify()
      } catch {
        return .disagrees(
          Disagreement(
            expression: expression, context: "verification",
            answers: [("verify()", error.description)]))
      }
      let filter = try Filter(tree, environment: environment)
      return compare(tree, expression, [("the machine", program)], filter)
    } catch {
      return .refused(error)
    }
  }

  private func compare(
    _ tree: SyntaxTree, _ expression: String, _ programs: [(name: String, program: Program)],
    _ filter: Filter
  ) -> Verdict {
    var outcomes: [CELReferenceEvaluator.Outcome] = []
    var called: Set<String> = []
    for context in contexts {
      var reference = CELReferenceEvaluator(
        tree, environment: environment, variables: context.variables)
      let wanted = reference.run()
      if reference.dependsOnKeyOrder { return .unspecified }
      outcomes.append(wanted)
      called.formUnion(reference.called)
      func disagreement(_ way: String, _ says: String) -> Verdict {
        .disagrees(
          Disagreement(
            expression: expression, context: context.name,
            answers: [(way, says), ("the reference", wanted.description)]))
      }
      for (name, program) in programs {
        let answer = program.celOutcome(context.context)
        if !answer.isIdentical(to: wanted) { return disagreement(name, answer.description) }
      }
      do throws(EvaluationError) {
        let value = try filter.evaluate(context.context)
        let answer = CELReferenceEvaluator.Outcome.value(value)
        if !answer.isIdentical(to: wanted) {
          return disagreement("the filter", answer.description)
        }
      } catch {
        // Only the machine fails, and its failures are compared above.
        if case .value = wanted { return disagreement("the filter", "an error") }
      }
    }
    let matches = outcomes.map { $0.isIdentical(to: .value(true)) }
    if let (context, answers) = filter.matchDisagreement(contexts, matches) {
      return .disagrees(
        Disagreement(expression: expression, context: context.name, answers: answers))
    }
    return .agrees(outcomes, called: called)
  }
}

extension CELReferenceEvaluator.Outcome: CustomStringConvertible {
  /// Failures are the same when they are of one kind. For the specification a call with arguments
  /// that no overload takes is one kind of error, whichever of two codes the machine has for it.
  func isIdentical(to other: Self) -> Bool {
    switch (self, other) {
    case (.failure(let a), .failure(let b)):
      a == b || Set([a, b]) == [.unexpectedType, .noMatchingOverload]
    case (.value(let a), .value(let b)): a.isIdentical(to: b)
    default: false
    }
  }

  var description: String {
    switch self {
    case .failure(let code): "the error \(code)"
    case .value(let value): "\(value.literal) : \(value.kindName)"
    }
  }
}

extension Program {
  /// Runs the bytecode of the program, without its graph, and keeps the kind of a failure.
  func celOutcome(_ context: Context) -> CELReferenceEvaluator.Outcome {
    withExtendedLifetime(self) {
      var machine = Machine(UnsafePointer(header))
      let result = VM.run(UnsafePointer(header), context.storage, &machine)
      return result.isA(.error) ? .failure(machine.failure.code) : .value(Value(result))
    }
  }
}
